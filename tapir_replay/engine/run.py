"""Plays scenarios one after the other; the log begins with the plan and ends with the outcome."""

from __future__ import annotations

import asyncio
import platform
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

from tapir_replay.app.errors import AppError
from tapir_replay.app.interface import App
from tapir_replay.engine.events import (
    Fault,
    FaultKind,
    Outcome,
    Planned,
    RunFinished,
    RunStarted,
    ScenarioFinished,
    ScenarioStarted,
)
from tapir_replay.engine.exits import Exit, exit_of
from tapir_replay.engine.faults import fault, of_exception
from tapir_replay.engine.play import Ended, play
from tapir_replay.engine.stage import Stage
from tapir_replay.scenario.diagnostics import Diagnostic
from tapir_replay.scenario.load import Loaded
from tapir_replay.scenario.model import Scenario
from tapir_replay.scenario.place import Place


class AppSource(Protocol):
    """Where the apps of a run come from."""

    async def app_for(self, name: str | None) -> App:
        """The app that a scenario names (None: the run's own), connected and alive.

        Raises:
            AppError: It cannot be reached.
        """


@dataclass(frozen=True, slots=True, kw_only=True)
class RunFacts:
    """What the first line of the log tells."""

    tool: str
    app: str
    started: str


@dataclass(frozen=True, slots=True)
class _Entry:
    planned: Planned
    loaded: Loaded


async def run(files: Sequence[Loaded], apps: AppSource, stage: Stage, facts: RunFacts) -> Exit:
    """Play the scenarios in order.

    When a file is wrong nothing is played: the wrong ones end as errors, the others as skipped, so
    that reports tell of it.
    """
    entries = [_Entry(_planned(index, each), each) for index, each in enumerate(files, start=1)]
    stage.begin()
    stage.emit(
        RunStarted(
            t=0,
            tool=facts.tool,
            run=stage.run.id,
            started=facts.started,
            app=facts.app,
            host=platform.node(),
            plan=tuple(entry.planned for entry in entries),
        )
    )
    progress = _Progress()
    try:
        if all(entry.loaded.scenario for entry in entries):
            for entry in entries:
                assert entry.loaded.scenario is not None
                progress.add(await _play(entry.planned, entry.loaded.scenario, apps, stage))
        else:
            for entry in entries:
                progress.add(_refuse(entry, stage))
    except asyncio.CancelledError:
        progress.interrupted = True
    stage.emit(
        RunFinished(
            t=stage.t,
            outcome=progress.outcome,
            exit_code=progress.exit,
            duration=stage.t,
            counts=progress.counts,
            reason="interrupted" if progress.interrupted else None,
        )
    )
    return progress.exit


class _Progress:
    """How the run stands."""

    def __init__(self) -> None:
        self.interrupted = False
        self._outcomes: Counter[Outcome] = Counter()
        self._faults: list[FaultKind] = []

    def add(self, ended: Ended) -> None:
        self._outcomes[ended.outcome] += 1
        if ended.fault is not None:
            self._faults.append(ended.fault.kind)

    @property
    def counts(self) -> dict[str, int]:
        return {outcome.value: number for outcome, number in sorted(self._outcomes.items())}

    @property
    def exit(self) -> Exit:
        return Exit.INTERRUPTED if self.interrupted else exit_of(self._faults)

    @property
    def outcome(self) -> Outcome:
        if self.interrupted or self._outcomes[Outcome.ERROR]:
            return Outcome.ERROR
        return Outcome.FAILED if self._outcomes[Outcome.FAILED] else Outcome.PASSED


def _planned(index: int, loaded: Loaded) -> Planned:
    scenario = loaded.scenario
    if scenario is None:
        first = next((each for each in loaded.diagnostics if each.is_error), None)
        span = first.span if first is not None else None
        place = Place(
            file=loaded.file, line=span.line if span else 1, column=span.column if span else 1
        )
        return Planned(id=str(index), name=loaded.file, place=place)
    return Planned(id=str(index), name=scenario.name, place=scenario.place, tags=scenario.tags)


async def _play(planned: Planned, scenario: Scenario, apps: AppSource, stage: Stage) -> Ended:
    try:
        app = await apps.app_for(scenario.app)
    except AppError as error:
        return _without_steps(planned, of_exception(error), stage)
    return await play(scenario, planned.id, app, stage)


def _refuse(entry: _Entry, stage: Stage) -> Ended:
    errors = [each for each in entry.loaded.diagnostics if each.is_error]
    if errors:
        return _without_steps(entry.planned, _of_diagnostics(errors), stage)
    stage.emit(
        ScenarioFinished(
            t=stage.t,
            scenario=entry.planned.id,
            outcome=Outcome.SKIPPED,
            duration=0,
            reason="another scenario file is wrong",
        )
    )
    return Ended(outcome=Outcome.SKIPPED)


def _of_diagnostics(errors: Iterable[Diagnostic]) -> Fault:
    first, *others = errors
    return fault(
        FaultKind.VALUE,
        str(first),
        details=[str(each) for each in others],
        hint=first.hint,
    )


def _without_steps(planned: Planned, found: Fault, stage: Stage) -> Ended:
    """A scenario that ends before its first step."""
    stage.emit(
        ScenarioStarted(
            t=stage.t,
            scenario=planned.id,
            title=planned.name,
            place=planned.place,
            tags=planned.tags,
        )
    )
    stage.emit(
        ScenarioFinished(
            t=stage.t,
            scenario=planned.id,
            outcome=found.kind.outcome,
            duration=0,
            fault=found,
        )
    )
    return Ended(outcome=found.kind.outcome, fault=found)
