"""Files a run leaves behind: one folder a scenario, safe names, no secrets."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import Any

from tapir_replay.engine.pictures import decoded, painted
from tapir_replay.engine.redact import Redactor
from tapir_replay.engine.screen import Bounds
from tapir_replay.files import make_folder, resolved

_RESERVED = frozenset(
    ("con", "prn", "aux", "nul", *(f"{name}{n}" for name in ("com", "lpt") for n in range(1, 10)))
)


def slug(text: str) -> str:
    """A file name of a title: letters of any script, digits, `-`, `_`; never empty or reserved.

    >>> slug("Sign in: a/b ..")
    'sign-in-a-b'
    """
    normal = unicodedata.normalize("NFC", text).casefold()
    name = re.sub(r"[^\w]+", "-", normal).strip("-_")[:60].strip("-_")
    return f"{name}-" if name in _RESERVED else name or "scenario"


@dataclass(slots=True)
class ArtifactStore:
    """Writes below the folder of a run.

    Attributes:
        root: The run's folder.
        redactor: All text passes it.
        prefix: The folder in it that holds the scenarios' folders.
    """

    root: Path
    redactor: Redactor
    prefix: str = "artifacts"
    _taken: set[str] = field(default_factory=set)

    def folder_for(self, title: str) -> str:
        """A folder name that no other scenario of this run has."""
        return self._unique(f"{self.prefix}/{slug(self.redactor.text(title))}")

    def write_text(self, folder: str, name: str, text: str) -> str:
        """Write a text; returns its path below the run's folder, with `/`."""
        data = self.redactor.text(text).encode("utf-8", "backslashreplace")
        return self._write(folder, name, data)

    def write_json(self, folder: str, name: str, value: Any) -> str:
        text = json.dumps(self.redactor.value(value), indent=2, ensure_ascii=False)
        return self.write_text(folder, name, text + "\n")

    def write_picture(
        self, folder: str, name: str, encoded: str, hide: Iterable[Bounds] = (), scale: float = 1
    ) -> str:
        """Write a base64 picture, with places painted over.

        Args:
            folder: See `folder_for`.
            name: The file's name.
            encoded: The picture as the app sends it.
            hide: Rectangles that show a secret, in logical pixels.
            scale: Pixels a logical pixel.

        Raises:
            ValueError: It is not a picture.
        """
        data = decoded(encoded)
        rectangles = list(hide)
        return self._write(folder, name, painted(data, rectangles, scale) if rectangles else data)

    def write_bytes(self, folder: str, name: str, data: bytes) -> str:
        """Write a file that is known to hold no secret."""
        return self._write(folder, name, data)

    def _write(self, folder: str, name: str, data: bytes) -> str:
        relative = self._unique(f"{folder}/{name}")
        path = resolved(self.root / relative)
        steps = PurePosixPath(name).parts
        inside = path.is_relative_to(resolved(self.root / folder))
        if not inside or ".." in steps or steps[:1] == ("/",):
            raise ValueError(f'"{name}" would leave the folder of the scenario')
        make_folder(path.parent)
        path.write_bytes(data)
        return relative

    def _unique(self, name: str) -> str:
        stem, dot, ending = name.rpartition(".")
        if not dot or "/" in ending:
            stem, ending = name, ""
        candidate, number = name, 1
        while candidate.casefold() in self._taken:
            number += 1
            candidate = f"{stem}-{number}{dot if ending else ''}{ending}"
        self._taken.add(candidate.casefold())
        return candidate
