"""A semantics golden: lines of a snapshot that have to be on the screen, in order.

`- button "Delete"` is a role and a label, `- textbox "Email": "ada@example.com"` has a value too. A
label or a value may be a regular expression (`- text /^[0-9]+ tasks$/`) or left out, which fits
any. What the file does not name may be there or not; indentation says nothing.
"""

from __future__ import annotations

import difflib
import re
import warnings
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from tapir_replay.engine.screen import Match, texts_of
from tapir_replay.scenario.matchers import expression_fault

_PART = r'"(?:[^"\\]|\\.)*"|/(?:[^/\\]|\\.)*/'
_GOLDEN = re.compile(
    rf"\s*-\s+(?P<role>[A-Za-z]+)(?:\s+(?P<label>{_PART}))?(?:\s*:\s*(?P<value>{_PART}))?"
    r"(?:\s+\[[^\]]*\])*\s*",
    re.DOTALL,
)


class LinesFault(ValueError):
    """A file that is no semantics golden. The text is for people."""


@dataclass(frozen=True, slots=True)
class Line:
    """One line that has to be there.

    Attributes:
        number: In the file, from 1.
        source: As written, without what is around it.
        label: What fits it; None for any.
        value: The same.
    """

    number: int
    source: str
    role: str
    label: re.Pattern[str] | None
    value: re.Pattern[str] | None

    def fits(self, shown: Match) -> bool:
        return (
            self.role == (shown.role or "text")
            and (self.label is None or self.label.search(shown.label) is not None)
            and (self.value is None or self.value.search(shown.value or "") is not None)
        )


def read_lines(text: str) -> tuple[Line, ...]:
    """The lines of a golden; comments and blank lines are passed over.

    Raises:
        LinesFault: A line cannot be read.
    """
    lines = []
    for number, source in _joined(text):
        written = source.strip()
        if not written or written.startswith("#"):
            continue
        parts = _GOLDEN.fullmatch(source)
        if parts is None:
            raise LinesFault(f'line {number} is not like - button "Save": {written[:60]}')
        label, value = (_pattern(parts[name], number) for name in ("label", "value"))
        lines.append(Line(number, written, parts["role"], label, value))
    if not lines:
        raise LinesFault("it names no line")
    return tuple(lines)


def _joined(text: str) -> Iterator[tuple[int, str]]:
    """Lines with their numbers; a text in quotes may go on over several."""
    start, held = 0, ""
    for number, line in enumerate(_split(text), start=1):
        start, held = (number, line) if not held else (start, f"{held}\n{line}")
        if _is_whole(held):
            yield start, held
            held = ""
    if held:
        yield start, held


def _split(text: str) -> list[str]:
    """At line feeds only: a label may hold any other kind of line break."""
    return text.replace("\r\n", "\n").removesuffix("\n").split("\n")


def _is_whole(line: str) -> bool:
    """Whether the quotes in a line are closed; what starts no line of its own is not asked."""
    if not re.match(r'\s*-\s+[A-Za-z]+\s+"', line):
        return True
    return _GOLDEN.fullmatch(line) is not None or line.count("\n") > 50


def _pattern(part: str | None, number: int) -> re.Pattern[str] | None:
    if part is None:
        return None
    if part.startswith("/"):
        source = part[1:-1].replace("\\/", "/")
        if fault := expression_fault(source):
            raise LinesFault(f"line {number}: {fault}")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return re.compile(source)
    text = re.sub(r"\\(.)", r"\1", part[1:-1], flags=re.DOTALL)
    # The file may have been stored with line ends of either kind.
    escaped = re.escape(text).replace("\\\n", r"\r?\n")
    return re.compile(rf"\A{escaped}\Z")


def shown_lines(snapshot: str) -> tuple[Match, ...]:
    """What is on the screen, in order."""
    return tuple(texts_of(snapshot))


def written(shown: Match) -> str:
    """The line of a golden that fits exactly this."""
    line = f"- {shown.role or 'text'} {_quoted(shown.label)}"
    return f"{line}: {_quoted(shown.value)}" if shown.value else line


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def align(wanted: Sequence[Line], shown: Sequence[Match]) -> list[int | None]:
    """For each wanted line the one of the screen that it fits, in order; None for those missing.

    As few as possible are missing, and what is there is as far up as it can be.
    """
    fits = [[line.fits(each) for each in shown] for line in wanted]
    best = [[0] * (len(shown) + 1) for _ in range(len(wanted) + 1)]
    for row in range(len(wanted) - 1, -1, -1):
        for column in range(len(shown) - 1, -1, -1):
            taken = best[row + 1][column + 1] + 1 if fits[row][column] else 0
            best[row][column] = max(taken, best[row + 1][column], best[row][column + 1])
    found: list[int | None] = []
    column = 0
    for row in range(len(wanted)):
        most = best[row][column]
        place = next(
            (
                each
                for each in range(column, len(shown))
                if fits[row][each] and best[row + 1][each + 1] + 1 == most
            ),
            None,
        )
        found.append(place)
        column = column if place is None else place + 1
    return found


_AROUND = 3
"""How many lines of the screen are told where some are missing."""


def difference(
    wanted: Sequence[Line], shown: Sequence[Match], found: Sequence[int | None]
) -> list[str]:
    """Where lines are missing: these with `-`, what is there instead with `+`, the ones around."""
    lines: list[str] = []
    position = 0
    for start, end in _gaps(found):
        before, following = _bounds(found, start, end, len(shown))
        if start > position:
            lines += ["  ..."] if start - 1 > position else []
            lines.append(f"  {wanted[start - 1].source}")
        lines += [f"- {each.source}" for each in wanted[start:end]]
        instead = shown[before + 1 : following]
        near = _nearest(wanted[start:end], instead)
        lines += [f"+ {written(each)}" for each in near]
        if len(instead) > len(near):
            lines.append(f"  ({len(instead) - len(near)} more lines of the screen)")
        if end < len(wanted):
            lines.append(f"  {wanted[end].source}")
        position = end + 1
    return lines


def _gaps(found: Sequence[int | None]) -> Iterator[tuple[int, int]]:
    """The stretches of missing lines: first, and behind the last."""
    start = None
    for index, each in enumerate([*found, 0]):
        if each is None:
            start = index if start is None else start
        elif start is not None:
            yield start, index
            start = None


def _bounds(found: Sequence[int | None], start: int, end: int, count: int) -> tuple[int, int]:
    """The lines of the screen that stand before and behind a stretch of missing ones."""
    before = found[start - 1] if start else -1
    following = found[end] if end < len(found) else count
    assert before is not None
    assert following is not None
    return before, following


def _nearest(wanted: Iterable[Line], instead: Sequence[Match]) -> list[Match]:
    """The lines of the screen that most look like the missing ones, in order."""
    if len(instead) <= _AROUND:
        return list(instead)
    scores = {
        index: max(_likeness(line, each) for line in wanted) for index, each in enumerate(instead)
    }
    chosen = sorted(scores, key=lambda index: -scores[index])[:_AROUND]
    return [instead[index] for index in sorted(chosen)]


def _likeness(line: Line, shown: Match) -> float:
    return difflib.SequenceMatcher(None, line.source, written(shown)[:200]).ratio()


def renewed(text: str, wanted: Sequence[Line], shown: Sequence[Match]) -> str:
    """A golden brought up to date: what still fits stays as it is written, comments too.

    A missing line is replaced by the one of the screen that looks most like it and has its role,
    or is taken out where there is none.
    """
    found = align(wanted, shown)
    replaced: dict[int, str | None] = {}
    for start, end in _gaps(found):
        before, following = _bounds(found, start, end, len(shown))
        free = list(range(before + 1, following))
        for line in wanted[start:end]:
            alike = [each for each in free if (shown[each].role or "text") == line.role]
            best = max(alike, key=lambda each: _likeness(line, shown[each]), default=None)
            replaced[line.number] = None if best is None else written(shown[best])
            free = [each for each in free if best is None or each > best]
    out: list[str] = []
    for number, source in _joined(text):
        new: str | None = replaced.get(number, source)
        if new is not None:
            indent = source[: len(source) - len(source.lstrip())]
            out.append(source if new is source else f"{indent}{new}")
    return "".join(f"{line}\n" for line in out)
