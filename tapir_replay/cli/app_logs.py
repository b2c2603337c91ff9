"""What launched apps print, kept beside the log of the run: one file an app."""

from __future__ import annotations

import re
from pathlib import Path
from types import TracebackType
from typing import Self, TextIO

from tapir_replay.engine.artifacts import slug
from tapir_replay.engine.redact import Redactor
from tapir_replay.files import make_folder

_AUTH_CODE = re.compile(r"(://[^/\s]+/)[A-Za-z0-9_-]{6,}(=|%3D)+")
"""The secret part of a VM Service's address: whoever has it can drive the app."""


class AppLogs:
    """Keeps lines as they come; a disk that is full loses lines, not the run.

    Args:
        folder: Made with the first line.
        redactor: All lines pass it.
    """

    def __init__(self, folder: Path, redactor: Redactor) -> None:
        self._folder = folder
        self._redactor = redactor
        self._files: dict[str, TextIO] = {}
        self._full = False

    def keep(self, app: str, line: str) -> None:
        """Keep a line that an app has printed."""
        if self._full:
            return
        try:
            text = _AUTH_CODE.sub(r"\1***", line.rstrip("\r\n"))
            self._file(app).write(self._redactor.text(text) + "\n")
        except OSError:
            self._full = True

    def _file(self, app: str) -> TextIO:
        if app not in self._files:
            make_folder(self._folder)
            path = self._folder / f"{slug(app)}.log"
            # Line by line: what a killed run has seen is there.
            self._files[app] = path.open(
                "a", encoding="utf-8", errors="backslashreplace", newline="\n", buffering=1
            )
        return self._files[app]

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        for each in self._files.values():
            each.close()
