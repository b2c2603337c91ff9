"""From loaded files to the plan of a run, and how it is printed."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from tapir_replay.cli.asked import Asked, told
from tapir_replay.cli.files import UsageError, counted, say
from tapir_replay.project.history import History
from tapir_replay.project.order import Shard, rounds, shard_of
from tapir_replay.project.selection import (
    Item,
    NothingSelected,
    select,
    tally_of_tags,
    unknown_tags,
)
from tapir_replay.project.settings import Settings
from tapir_replay.report.clean import for_terminal, one_line
from tapir_replay.report.wording import duration
from tapir_replay.scenario.load import Loaded
from tapir_replay.scenario.model import DEFAULT_TIMEOUT
from tapir_replay.scenario.place import Place


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What a run plays, in order.

    Attributes:
        turns: The round and the scenario.
        all: How many scenarios there are.
        selected: How many of them were chosen, in all shards.
    """

    turns: tuple[tuple[int, Item], ...]
    all: tuple[Item, ...]
    selected: tuple[Item, ...]


def items_of(loaded: Iterable[Loaded], base: Path, mask: Callable[[str], str]) -> list[Item]:
    """The scenarios of files; a wrong file is one too, a fragment is none.

    Args:
        loaded: The files.
        base: The folder that their keys are relative to.
        mask: Takes the secrets out of a text: keys are written into a file.
    """
    return [item for each in loaded for item in _items_of(each, base, mask)]


def _items_of(loaded: Loaded, base: Path, mask: Callable[[str], str]) -> Iterator[Item]:
    if loaded.fragment is not None:
        return
    for scenario in loaded.scenarios:
        yield Item(
            key=mask(f"{_relative(scenario.path, base)}::{scenario.name}"),
            name=scenario.name,
            file=loaded.file,
            place=scenario.place,
            tags=scenario.tags,
            loaded=loaded,
            scenario=scenario,
        )
    if not loaded.scenarios:
        place = Place(file=loaded.file, line=1)
        yield Item(
            key=loaded.file,
            name=loaded.file,
            file=loaded.file,
            place=place,
            loaded=loaded,
            scenario=None,
        )


def _relative(path: Path, base: Path) -> str:
    try:
        return os.path.relpath(path, base).replace(os.sep, "/")
    except ValueError:  # on another drive of Windows
        return path.as_posix()


def make_plan(items: Sequence[Item], asked: Asked, history: History, record: str) -> Plan:
    """Select, take the shard, put in order.

    Args:
        items: All scenarios.
        asked: What the command line asks for.
        history: Durations, and what failed.
        record: Where the history is, for messages.

    Raises:
        UsageError: Nothing is selected.
    """
    try:
        selected = select(items, asked.choice, history, record=record)
    except NothingSelected as error:
        raise UsageError(told(error.diagnostic, error.source)) from None
    for warning, source in unknown_tags(items, asked.choice):
        say(told(warning, source) + "\n")
    mine: Sequence[Item] = selected
    if asked.shard is not None:
        mine = _shard(selected, asked.shard, history)
    turns = rounds(mine, asked.rounds, seed=asked.seed, key=_key)
    return Plan(turns=tuple(turns), all=tuple(items), selected=tuple(selected))


def _shard(items: Sequence[Item], shard: Shard, history: History) -> list[Item]:
    """The items of a shard; a wrong file is in every one of them, for it stops them all."""
    right = [item for item in items if item.scenario is not None]
    mine = shard_of(right, shard, key=_key, duration=lambda item: history.duration(item.key))
    kept = {id(item) for item in mine}
    return [item for item in items if item.scenario is None or id(item) in kept]


def _key(item: Item) -> str:
    return item.key


# --- printing -----------------------------------------------------------------------------------


def listing(plan: Plan) -> Iterator[str]:
    """The lines of `--list`: each scenario once, then how many, and the tags there are."""
    once = {item.key: item for _, item in plan.turns}
    for item in once.values():
        yield "  ".join(_about(item))
    yield ""
    yield f"{_counted(plan)}{_tags(plan)}"


def outline(
    plan: Plan, history: History, settings: Settings, default_app: str | None, heading: str
) -> Iterator[str]:
    """The lines of `--dry-run`: what would be played, in order, on which app, and how.

    Args:
        plan: The plan.
        history: For how long each takes.
        settings: What holds for the run.
        default_app: The app of scenarios that name none.
        heading: The first line.
    """
    yield heading
    wide = len(str(len(plan.turns)))
    several = max((number for number, _ in plan.turns), default=1) > 1
    total, known = 0.0, 0
    before = 0
    for index, (number, item) in enumerate(plan.turns, start=1):
        if several and number != before:
            yield f"round {number}"
            before = number
        words = _about(item)
        app = (item.scenario.app if item.scenario else None) or default_app
        words.append(f"app {app}" if app else "no app")
        took = history.duration(item.key)
        if took is not None:
            words.append(f"about {duration(took)}")
            total, known = total + took, known + 1
        yield f"  {index:{wide}}  {'  '.join(words)}"
    yield ""
    yield f"{_counted(plan)}{_about_all(total, known, len(plan.turns))}{_tags(plan)}"
    yield _rules(settings)


def _about(item: Item) -> list[str]:
    name = for_terminal(one_line(item.name))
    words = [name, f"{for_terminal(one_line(item.place.file))}:{item.place.line}"]
    if item.scenario is None:
        words.append("(the file is wrong)")
    if item.tags:
        words.append(f"[{', '.join(item.tags)}]")
    return words


def _counted(plan: Plan) -> str:
    once = len({item.key for _, item in plan.turns})
    every = counted(len(plan.all), "scenario")
    return every if once == len(plan.all) else f"{once} of {every}"


def _about_all(total: float, known: int, count: int) -> str:
    if not known:
        return ""
    unknown = f", not counting {count - known} that were never played" if known < count else ""
    return f", about {duration(total)}{unknown}"


def _tags(plan: Plan) -> str:
    there = ", ".join(f"{name} ({count})" for name, count in tally_of_tags(plan.all))
    return f"; tags: {there}" if there else ""


def _rules(settings: Settings) -> str:
    rules = [f"timeout {settings.timeout or DEFAULT_TIMEOUT:g}s"]
    rules.append(
        counted(settings.retries, "retry")
        if settings.retries == 1
        else f"{settings.retries} retries"
    )
    if settings.fail_on_flaky:
        rules.append("flaky fails the run")
    return ", ".join(rules)
