"""Faults in files, as values: where, what, and how to mend it."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum


class Severity(StrEnum):
    ERROR = "error"
    WARNING = "warning"


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """A stretch of one line; line and column count from 1, length is in characters."""

    line: int
    column: int
    length: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Diagnostic:
    """One fault a person can mend.

    Attributes:
        code: A stable short name, such as `unknown-key`.
        file: As the person named it.
        span: None when the fault is the file as a whole.
        message: One sentence, without a full stop.
        hint: How to mend it; may be empty.
    """

    code: str
    file: str
    message: str
    span: Span | None = None
    hint: str = ""
    severity: Severity = Severity.ERROR

    @property
    def is_error(self) -> bool:
        return self.severity is Severity.ERROR

    def __str__(self) -> str:
        where = f"{self.file}:{self.span.line}:{self.span.column}" if self.span else self.file
        return f"{where}: {self.severity}: {self.message}"


_BREAK = re.compile("\r\n|[\n\r\x85\u2028\u2029]")
_TAB_WIDTH = 4
_CONTEXT = 60
"""Characters shown on each side of what is marked."""


def lines_of(text: str) -> list[str]:
    """Split as YAML counts lines, which is not as `str.splitlines` does."""
    return _BREAK.split(text)


def in_order(diagnostics: Iterable[Diagnostic]) -> list[Diagnostic]:
    """By place; the order of finding is kept within a place, and repeats are dropped."""
    return sorted(dict.fromkeys(diagnostics), key=_place)


def _place(diagnostic: Diagnostic) -> tuple[str, int, int]:
    span = diagnostic.span
    return (diagnostic.file, span.line if span else 0, span.column if span else 0)


def snippet(source: str, span: Span) -> list[str]:
    """The source line with a caret line below it; empty when the line is not there.

    A long line is cut around the caret.

    >>> for line in snippet("- tapp: Sign in", Span(line=1, column=3, length=4)):
    ...     print(line)
      1 | - tapp: Sign in
        |   ^^^^
    """
    lines = lines_of(source)
    if not 1 <= span.line <= len(lines):
        return []
    line = lines[span.line - 1]
    start = span.column - 1
    first = max(0, start - _CONTEXT)
    last = start + min(span.length, _CONTEXT) + _CONTEXT
    before = ("..." if first else "") + line[first:start]
    marked = line[start : min(start + span.length, last)]
    after = line[start + len(marked) : last] + ("..." if len(line) > last else "")
    number = f"{span.line:>3}"
    caret = " " * _width(before) + "^" * max(1, _width(marked))
    return [
        f"{number} | {_printable(before + marked + after)}".rstrip(),
        f"{' ' * len(number)} | {caret}",
    ]


def render(diagnostic: Diagnostic, source: str | None) -> str:
    """The fault as people read it: place and message, the line with a caret, the hint."""
    lines = [str(diagnostic)]
    if source is not None and diagnostic.span is not None:
        lines += snippet(source, diagnostic.span)
    if diagnostic.hint:
        lines.append(f"    = hint: {diagnostic.hint}")
    return "\n".join(lines)


def quoted(text: str) -> str:
    r"""A text of the file inside a message: in quotes, on one line, and not too long.

    >>> print(quoted("two" + chr(10) + "lines"))
    "two\nlines"
    """
    shown = text if len(text) <= _CONTEXT else text[: _CONTEXT - 3] + "..."
    return '"' + "".join(char if _shows(char) else _escaped(char) for char in shown) + '"'


_JOINER = "\u200d"
"""Joins emoji to one; other invisible characters are made visible."""


def _shows(char: str) -> bool:
    return char.isprintable() or char == _JOINER


def _escaped(char: str) -> str:
    return char.encode("unicode_escape").decode("ascii")


def _printable(text: str) -> str:
    expanded = text.replace("\t", " " * _TAB_WIDTH)
    return "".join(char if _shows(char) else "\ufffd" for char in expanded)


def _width(text: str) -> int:
    """Columns on a terminal: wide characters take two, combining marks none."""
    width = 0
    for char in text:
        if char == "\t":
            width += _TAB_WIDTH
        elif unicodedata.category(char) in ("Mn", "Me") or char == _JOINER:
            continue
        else:
            width += 2 if unicodedata.east_asian_width(char) in "WF" else 1
    return width
