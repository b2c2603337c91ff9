"""Which of the loaded scenarios a run plays. Everything here is a pure function."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial

from tapir_replay.project.history import History
from tapir_replay.project.tags import TagExpression
from tapir_replay.scenario import suggest
from tapir_replay.scenario.diagnostics import Diagnostic, Severity, Span, quoted
from tapir_replay.scenario.load import Loaded
from tapir_replay.scenario.model import Scenario
from tapir_replay.scenario.place import Place

_LISTED = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """A scenario that might be played.

    Attributes:
        key: What it is known by from run to run: its file, seen from the folder of the project,
            and its name.
        scenario: None where its file is wrong; such an item is never left out, so that it is told.
    """

    key: str
    name: str
    file: str
    place: Place
    tags: tuple[str, ...] = ()
    loaded: Loaded
    scenario: Scenario | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """What the command line asks for.

    Attributes:
        tags: All of these must hold.
        grep: One of these must fit the name or the file.
        last_failed: Only what did not pass when it was last played.
    """

    tags: tuple[TagExpression, ...] = ()
    grep: tuple[re.Pattern[str], ...] = ()
    last_failed: bool = False


class NothingSelected(Exception):
    """No scenario is left. Never taken for a success.

    Attributes:
        diagnostic: What to say, with the option as its file.
        source: The option's value, for the caret; None if it has none.
    """

    def __init__(self, diagnostic: Diagnostic, source: str | None) -> None:
        super().__init__(diagnostic.message)
        self.diagnostic = diagnostic
        self.source = source


def select(
    items: Sequence[Item], choice: Choice, history: History, *, record: str = ""
) -> list[Item]:
    """The items that fit, in the same order.

    Args:
        items: All there are.
        choice: What is asked for.
        history: For `last_failed`.
        record: Where the history is kept, for a message.

    Raises:
        NothingSelected: None of them does.
    """
    chosen = list(items)
    for asked in choice.tags:
        fitting = [item for item in chosen if asked.holds(item.tags)]
        chosen = _left(chosen, fitting, partial(_no_tags, asked), asked.source)
    if choice.grep:
        fitting = [item for item in chosen if _named(item, choice.grep)]
        chosen = _left(chosen, fitting, partial(_no_names, choice.grep), choice.grep[0].pattern)
    if choice.last_failed:
        fitting = [item for item in chosen if history.failed(item.key)]
        chosen = _left(chosen, fitting, partial(_none_failed, history, record), None)
    return chosen


def unknown_tags(items: Iterable[Item], choice: Choice) -> list[tuple[Diagnostic, str]]:
    """Warnings of tags that no scenario has, each with the expression it is in."""
    known = {tag for item in items for tag in item.tags}
    return [
        (
            Diagnostic(
                code="unknown-tag",
                file="--tags",
                message=f"no scenario has the tag {quoted(name)}",
                span=span,
                hint=_tag_hint(name, known),
                severity=Severity.WARNING,
            ),
            expression.source,
        )
        for expression in choice.tags
        for name, span in expression.names.items()
        if name not in known
    ]


def tally_of_tags(items: Iterable[Item]) -> list[tuple[str, int]]:
    """The tags there are, each with how many scenarios have it, by name."""
    return sorted(Counter(tag for item in items for tag in set(item.tags)).items())


def _left(
    items: list[Item],
    fitting: Sequence[Item],
    complaint: Callable[[Sequence[Item]], Diagnostic],
    source: str | None,
) -> list[Item]:
    """The fitting ones and those whose file is wrong, in their order."""
    fits = {id(item) for item in fitting}
    kept = [item for item in items if item.scenario is None or id(item) in fits]
    if items and not kept:
        raise NothingSelected(complaint(items), source)
    return kept


def _named(item: Item, patterns: Sequence[re.Pattern[str]]) -> bool:
    return any(each.search(item.name) or each.search(item.file) for each in patterns)


def _no_tags(expression: TagExpression, items: Sequence[Item]) -> Diagnostic:
    there = tally_of_tags(items)
    known = [name for name, _ in there]
    unknown = [name for name in expression.names if name not in known]
    guess = _tag_hint(unknown[0], known) if unknown else ""
    listed = ", ".join(f"{name} ({count})" for name, count in there) or "none"
    hint = guess if guess.startswith("did you mean") else ""
    return Diagnostic(
        code="no-match",
        file="--tags",
        message=f"of {_scenarios(len(items))}, none fits {quoted(expression.source)}",
        span=expression.names[unknown[0]]
        if unknown
        else Span(line=1, column=1, length=_long(expression.source)),
        hint=f"{hint} tags: {listed}".strip(),
    )


def _tag_hint(name: str, known: Iterable[str]) -> str:
    return suggest.hint(name, known, noun="tags") or "no scenario has tags"


def _no_names(patterns: Sequence[re.Pattern[str]], items: Sequence[Item]) -> Diagnostic:
    asked = " or ".join(quoted(each.pattern) for each in patterns)
    names = [item.name for item in items]
    shown = ", ".join(quoted(each) for each in names[:_LISTED])
    more = f" and {len(names) - _LISTED} more" if len(names) > _LISTED else ""
    return Diagnostic(
        code="no-match",
        file="--grep",
        message=f"of {_scenarios(len(items))}, none has {asked} in its name or file",
        span=Span(line=1, column=1, length=_long(patterns[0].pattern)),
        hint=f"names: {shown}{more}",
    )


def _none_failed(history: History, record: str, items: Sequence[Item]) -> Diagnostic:
    played = sum(1 for item in items if item.key in history.scenarios)
    if played:
        message = f"of {_scenarios(len(items))}, none failed when it was last played"
        hint = "leave --last-failed out to play them all"
    else:
        message = f"of {_scenarios(len(items))}, none has been played before"
        hint = f"what failed is kept in {record}" if record else ""
    return Diagnostic(code="no-match", file="--last-failed", message=message, hint=hint)


def _scenarios(count: int) -> str:
    return f"{count} scenario" if count == 1 else f"{count} scenarios"


def _long(text: str) -> int:
    return max(1, len(text))
