"""Values that must not stand in a file: each gets a name, and the name stands there instead."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterable, Mapping

from tapir_replay.scenario.writing import literal

_SHORT = 4
"""A secret of fewer characters is replaced as a word only: it may be a part of any other."""


class Secrets:
    """What is secret in a recording.

    Args:
        known: Secrets by name, as the project declares them and the environment holds them.
        taken: Names that a new secret must not get.

    Attributes:
        used: Those that the scenario needs, by name.
        asked: The texts that were asked for since somebody emptied it.
    """

    def __init__(self, known: Mapping[str, str] | None = None, taken: Iterable[str] = ()) -> None:
        self._known = {value: name for name, value in (known or {}).items() if value}
        self._taken = frozenset(taken)
        self._names: dict[str, str] = {}
        self._pattern: re.Pattern[str] | None = None
        self.used: dict[str, str] = {}
        self.asked: list[str] = []
        self._call(self._known)

    def begin(self, hidden: Iterable[tuple[str, str]]) -> set[str]:
        """Forget what was learned before, and learn what is hidden now.

        Args:
            hidden: What each field holds that nobody is to read, and how the field is called: a
                secret that is new gets its name from that.

        Returns:
            The values that are called otherwise than before.
        """
        before, names = self._names, dict(self._known)
        self.used = {}
        for value, label in hidden:
            if value and value not in names:
                names[value] = _new_name(label, {*names.values(), *self._taken})
        if names == before:
            return set()
        self._call(names)
        return {value for value, _ in before.items() ^ names.items()}

    def text(self, text: str) -> str:
        """A text as it is written: secrets in it by their names, nothing else is an expression."""
        self.asked.append(text)
        if text in self._names:
            return self._use(text)
        if not self.are_in(text):
            return literal(text)
        assert self._pattern is not None
        parts = self._pattern.split(text)
        return "".join(
            self._use(each) if place % 2 else literal(each, beside=True)
            for place, each in enumerate(parts)
        )

    def are_in(self, text: str) -> bool:
        """Whether a secret stands in a text."""
        return self._pattern is not None and self._pattern.search(text) is not None

    @property
    def values(self) -> list[str]:
        """All that must be masked where it is shown."""
        return [each for each in self._names if len(each) >= _SHORT]

    def _call(self, names: Mapping[str, str]) -> None:
        self._names = dict(names)
        found = [_found_by(each) for each in sorted(names, key=len, reverse=True)]
        self._pattern = re.compile(f"({'|'.join(found)})") if found else None

    def _use(self, value: str) -> str:
        name = self._names[value]
        self.used[name] = value
        return f"{{{{ {name} }}}}"


def _found_by(value: str) -> str:
    found = re.escape(value)
    return found if len(value) >= _SHORT else rf"(?<!\w){found}(?!\w)"


def _new_name(label: str, taken: Collection[str]) -> str:
    plain = unicodedata.normalize("NFKD", label).encode("ascii", "ignore").decode()
    name = re.sub(r"[^A-Za-z0-9]+", "_", plain).strip("_").upper() or "SECRET"
    name = f"SECRET_{name}" if name[0].isdigit() else name
    number, found = 1, name
    while found in taken:
        number += 1
        found = f"{name}_{number}"
    return found
