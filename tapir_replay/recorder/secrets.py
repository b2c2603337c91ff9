"""Values that must not stand in a file: each gets a name, and the name stands there instead."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping

from tapir_replay.scenario.writing import literal

_SHORT = 4
"""A secret of fewer characters is replaced as a whole only: it may be a part of any word."""


class Secrets:
    """What is secret in a recording.

    Args:
        known: Secrets by name, as the project declares them and the environment holds them.

    Attributes:
        used: Those that the scenario needs, by name.
    """

    def __init__(self, known: Mapping[str, str] | None = None) -> None:
        self._known = {value: name for name, value in (known or {}).items() if value}
        self._names = dict(self._known)
        self.used: dict[str, str] = {}

    def begin(self, hidden: Iterable[tuple[str, str]]) -> None:
        """Forget what was learned before, and learn what is hidden now.

        Args:
            hidden: What each field holds that nobody is to read, and how the field is called: a
                secret that is new gets its name from that.
        """
        self._names = dict(self._known)
        self.used = {}
        for value, label in hidden:
            if value and value not in self._names:
                self._names[value] = self._new_name(label)

    def text(self, text: str) -> str:
        """A text as it is written: secrets in it by their names, nothing else is an expression."""
        if text in self._names:
            return self._use(text)
        secrets = sorted(
            (each for each in self._names if len(each) >= _SHORT), key=len, reverse=True
        )
        if not any(each in text for each in secrets):
            return literal(text)
        parts = re.split(f"({'|'.join(map(re.escape, secrets))})", text)
        return "".join(self._use(each) if each in secrets else literal(each) for each in parts)

    @property
    def values(self) -> list[str]:
        """All that must be masked where it is shown."""
        return [each for each in self._names if len(each) >= _SHORT]

    def _use(self, value: str) -> str:
        name = self._names[value]
        self.used[name] = value
        return f"{{{{ {name} }}}}"

    def _new_name(self, label: str) -> str:
        plain = unicodedata.normalize("NFKD", label).encode("ascii", "ignore").decode()
        name = re.sub(r"[^A-Za-z0-9]+", "_", plain).strip("_").upper() or "SECRET"
        name = f"SECRET_{name}" if name[0].isdigit() else name
        taken, number = set(self._names.values()), 1
        found = name
        while found in taken:
            number += 1
            found = f"{name}_{number}"
        return found
