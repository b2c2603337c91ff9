"""A fault in full, as lines for a terminal: where, the source line with a caret, what, and why."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from tapir_replay.engine.events import Fault
from tapir_replay.report.clean import columns, for_terminal, one_line, shortened
from tapir_replay.report.terminal import Terminal
from tapir_replay.report.wording import parts
from tapir_replay.scenario.place import Place

Source = Callable[[str], str | None]
"""Gives the text of a scenario file, or None if there is none."""

_LABEL = 11
"""Columns of a label such as `screenshot`, so that the texts after them are aligned."""

_SOURCE_WIDTH = 160
"""Columns of a source line that are shown; a longer one is shown around its caret."""


def fault_lines(
    out: Terminal, fault: Fault, place: Place | None, source: Source | None, *, aside: str = ""
) -> Iterator[str]:
    """The lines of a fault; `aside` stands behind its message, `place` is the step's."""
    place = fault.place or place
    if place is not None:
        yield out.dim(flat(str(place)))
        yield from _snippet(out, place, source)
    first, *more = _lines(for_terminal(fault.message).strip() or "it did not pass")
    yield out.paint(fault.kind.outcome, first) + (f"  {out.dim(aside)}" if aside else "")
    yield from more
    for label, text in parts(fault):
        if label:
            yield from labelled(out.dim, label, text)
        else:
            yield from (f"  {line}" for line in _lines(text))


def labelled(paint: Callable[[str], str], label: str, text: str) -> Iterator[str]:
    """A label and its text, whose further lines stand below the first."""
    name = f"{flat(label)} ".ljust(_LABEL)
    first, *more = _lines(text)
    yield f"{paint(name)}{first}"
    yield from (" " * columns(name) + line for line in more)


def flat(text: str) -> str:
    """Text for the middle of a line."""
    return for_terminal(one_line(text))


def _lines(text: str) -> list[str]:
    return for_terminal(text).rstrip("\n").split("\n")


def _snippet(out: Terminal, place: Place, source: Source | None) -> Iterator[str]:
    line = _source_line(place, source)
    if line is None:
        return
    before, after = line[: max(0, place.column - 1)], line[max(0, place.column - 1) :]
    before = for_terminal(before)[-_SOURCE_WIDTH // 2 :]
    text = shortened(before + for_terminal(after), _SOURCE_WIDTH)
    number, bar = str(place.line), out.marks.bar
    yield f"{out.dim(f'{number} {bar}')} {text}"
    margin = " " * len(number)
    yield f"{out.dim(f'{margin} {bar}')} {' ' * columns(before)}{out.red('^')}"


def _source_line(place: Place, source: Source | None) -> str | None:
    if source is None:
        return None
    try:
        text = source(place.file)
    except (OSError, ValueError):  # moved, not readable, not text
        return None
    lines = (text or "").split("\n")
    if not 0 < place.line <= len(lines):
        return None
    return lines[place.line - 1].rstrip("\r") or None
