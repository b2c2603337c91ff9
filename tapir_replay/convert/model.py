"""What becomes of a foreign file, and what is said on the way."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from tapir_replay.convert.source import Node, Source
from tapir_replay.scenario.diagnostics import Diagnostic, Severity, Span
from tapir_replay.scenario.writing import Commented, Step

NAME_OF = {"maestro": "Maestro", "pilot": "flutter_pilot"}


class Left(Exception):
    """Something that cannot be carried over; the text says why.

    Attributes:
        node: Where it stands; None for the whole step.
        hint: What to do instead.
    """

    def __init__(self, why: str, node: Node | None = None, *, hint: str = "") -> None:
        super().__init__(why)
        self.why = why
        self.node = node
        self.hint = hint


@dataclass(slots=True)
class Notes:
    """What is said of one file.

    Attributes:
        left: How many things could not be carried over.
        above: Comments on those that belong to the file as a whole.
    """

    source: Source
    diagnostics: list[Diagnostic] = field(default_factory=list)
    left: int = 0
    above: list[str] = field(default_factory=list)
    _said: set[str] = field(default_factory=set)

    def leave(self, span: Span, message: str, hint: str = "") -> None:
        """Something could not be carried over."""
        self.left += 1
        self._add("not-converted", span, f"not converted: {message}", hint, Severity.ERROR)

    def leave_above(self, node: Node, message: str, hint: str = "") -> None:
        """The same, of the file as a whole; the comment stands at its top."""
        self.leave(node.span, message, hint)
        self.above += comment_of(node, self.source, message)

    def differs(self, code: str, span: Span, message: str, hint: str = "") -> None:
        """Something was carried over, and is not quite the same."""
        self._add(code, span, message, hint, Severity.WARNING)

    def differs_once(self, code: str, span: Span, message: str, hint: str = "") -> None:
        """The same, said where it first occurs in a file."""
        if code not in self._said:
            self._said.add(code)
            self.differs(code, span, message, hint)

    def _add(self, code: str, span: Span, message: str, hint: str, severity: Severity) -> None:
        self.diagnostics.append(
            Diagnostic(
                code=code,
                file=self.source.file,
                message=_one_line(message),
                span=span,
                hint=_one_line(hint),
                severity=severity,
            )
        )


_LONGEST = 250


def _one_line(text: str) -> str:
    """Names and texts of the file may be in a message, whatever they hold."""
    shown = text if len(text) <= _LONGEST else text[: _LONGEST - 3] + "..."
    return "".join(
        each if each.isprintable() else each.encode("unicode_escape").decode("ascii")
        for each in shown
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Param:
    """A value that a fragment takes.

    Attributes:
        ours: Our name for it.
        default: Its value when none is given.
        fixed: Whoever uses it cannot give another.
    """

    ours: str
    default: Any = None
    has_default: bool = False
    fixed: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Converted:
    """What became of a file.

    Attributes:
        document: To be written; None when nothing of it could be carried over.
        params: What it takes, of a fragment.
        notes: What is said.
        empty: There is nothing to do in it, and nothing of it is missing.
    """

    document: Mapping[str, Any] | None
    notes: Notes
    params: Mapping[str, Param] = field(default_factory=dict)
    empty: bool = False


def comment_of(node: Node, source: Source, why: str) -> list[str]:
    """The lines that stand where something could not be carried over: why, and what it was."""
    lines = list(node.lines(source.text))
    shown = [f"  {each}" for each in lines[:_LINES]]
    if len(lines) > _LINES:
        shown.append(f"  ... and {len(lines) - _LINES} lines more")
    return [f"not converted: {why} (line {node.line})", *shown]


_LINES = 30


def steps_of(steps: Sequence[Step]) -> Iterator[Step]:
    """Those that are steps, and no comments alone."""
    for each in steps:
        if not isinstance(each, Commented) or each.step is not None:
            yield each
