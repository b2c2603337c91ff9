"""What a text field holds: its controller, and the rules every edit goes through."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

BULLET = "•"


WRITING_KEYS = frozenset({"Backspace", "Delete", "Space"})
"""Beside letters and digits."""


def digits_only(text: str) -> str:
    return "".join(letter for letter in text if letter in "0123456789")


def upper_case(text: str) -> str:
    return text.upper()


def _nothing() -> None:
    pass


@dataclass
class TextEdit:
    """The controller of one field: text, caret, formatters, listeners."""

    formatters: tuple[Callable[[str], str], ...] = ()
    max_length: int | None = None
    obscured: bool = False
    lines: int = 1
    text: str = ""
    caret: int = 0
    on_changed: Callable[[], None] = field(default=_nothing)
    on_submitted: Callable[[], None] = field(default=_nothing)

    @property
    def shown(self) -> str:
        """What a person sees of it."""
        return BULLET * len(self.text) if self.obscured else self.text

    def is_written_by(self, key: str) -> bool:
        """Whether a key writes or deletes here, and means nothing else."""
        return len(key) == 1 or key in WRITING_KEYS or (self.lines > 1 and key == "Enter")

    def enter(self, text: str) -> None:
        """Replace the content as a person would: the rules of the field apply."""
        for rule in self.formatters:
            text = rule(text)
        if self.lines == 1:
            text = text.replace("\n", "")
        if self.max_length is not None:
            text = text[: self.max_length]
        self._set(text, len(text))

    def insert(self, text: str) -> None:
        """Type at the caret: the rules apply to what is typed, and what has no room is lost."""
        for rule in self.formatters:
            text = rule(text)
        if self.lines == 1:
            text = text.replace("\n", "")
        if self.max_length is not None:
            text = text[: max(0, self.max_length - len(self.text))]
        before, after = self.text[: self.caret], self.text[self.caret :]
        self._set(before + text + after, self.caret + len(text))

    def press(self, key: str) -> None:
        """A key that edits or moves the caret; every other one is left to the field's owner."""
        before, after = self.text[: self.caret], self.text[self.caret :]
        match key:
            case "Backspace":
                self._set(before[:-1] + after, max(0, self.caret - 1))
            case "Delete":
                self._set(before + after[1:], self.caret)
            case "ArrowLeft":
                self.caret = max(0, self.caret - 1)
            case "ArrowRight":
                self.caret = min(len(self.text), self.caret + 1)
            case "Home":
                self.caret = 0
            case "End":
                self.caret = len(self.text)
            case "Enter" if self.lines == 1:
                self.on_submitted()
            case _:
                pass

    def _set(self, text: str, caret: int) -> None:
        differs = text != self.text
        self.text, self.caret = text, caret
        if differs:
            self.on_changed()
