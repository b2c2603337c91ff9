"""Plays the scenarios of a run; the log begins with the plan and ends with the outcome."""

from __future__ import annotations

import asyncio
import math
import platform
from collections import Counter, deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

from tapir_replay.app.errors import AppError
from tapir_replay.app.interface import App
from tapir_replay.engine.events import (
    Event,
    Fault,
    FaultKind,
    Note,
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
from tapir_replay.engine.turn import Turn
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

    async def prepare(self, name: str | None) -> Sequence[str]:
        """Bring that app to its beginning; returns what is worth telling.

        Raises:
            AppError: It cannot be reached, or is not at its beginning.
        """


@dataclass(frozen=True, slots=True, kw_only=True)
class RunFacts:
    """What the first line of the log tells."""

    tool: str
    app: str
    started: str
    project: str = ""
    profile: str = ""
    shard: str = ""
    seed: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """A scenario of the plan; None where its file is wrong.

    Attributes:
        round: Of `--repeat`, from 1.
        took: Milliseconds it took before, where that is known.
    """

    loaded: Loaded
    scenario: Scenario | None
    round: int = 1
    took: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy:
    """What a scenario that does not pass means for the run.

    Attributes:
        retries: How often it is played again.
        fail_fast: Nothing more is played after one that has not passed for good.
        fail_on_flaky: The run fails when one passed only when played again.
    """

    retries: int = 0
    fail_fast: bool = False
    fail_on_flaky: bool = False


async def run(
    entries: Sequence[Entry],
    apps: AppSource,
    stage: Stage,
    facts: RunFacts,
    policy: Policy = Policy(),
    *,
    others: Sequence[AppSource] = (),
) -> Exit:
    """Play the scenarios in order; with more sources of apps, several at once.

    When a file is wrong nothing is played: the wrong ones end as errors, the others as skipped, so
    that reports tell of it.
    """
    planned = [_planned(index, each) for index, each in enumerate(entries, start=1)]
    stage.begin()
    stage.emit(_started(planned, stage, facts, policy))
    progress = _Progress(policy)
    try:
        if all(each.scenario for each in entries):
            await _play_all(planned, entries, (apps, *others), stage, progress)
        else:
            for plan, entry in zip(planned, entries, strict=True):
                progress.add(_refuse(plan, entry.loaded, stage))
    except asyncio.CancelledError:
        progress.interrupted = True
    stage.emit(
        RunFinished(
            t=stage.t,
            outcome=progress.outcome,
            exit_code=progress.exit,
            duration=stage.t,
            counts=progress.counts,
            reason=progress.reason,
        )
    )
    return progress.exit


def _started(planned: Sequence[Planned], stage: Stage, facts: RunFacts, policy: Policy) -> Event:
    return RunStarted(
        t=0,
        tool=facts.tool,
        run=stage.run.id,
        started=facts.started,
        app=facts.app,
        host=platform.node(),
        plan=tuple(planned),
        rounds=max((each.round for each in planned), default=1),
        retries=policy.retries,
        project=facts.project,
        profile=facts.profile,
        shard=facts.shard,
        seed=facts.seed,
    )


async def _play_all(
    planned: Sequence[Planned],
    entries: Sequence[Entry],
    sources: Sequence[AppSource],
    stage: Stage,
    progress: _Progress,
) -> None:
    """Play all; each source of apps is a worker that takes the next scenario when it is free."""
    queue = deque(zip(planned, entries, strict=True))
    if len(sources) > 1:
        # The longest first, and what is not known yet before them: nobody waits for a late start.
        queue = deque(sorted(queue, key=lambda each: -(each[1].took or math.inf)))

    async def work(apps: AppSource) -> None:
        while queue:
            plan, entry = queue.popleft()
            if progress.stopped:
                reason = "an earlier scenario did not pass, see --fail-fast"
                progress.add(_skip(plan, reason, stage))
                continue
            assert entry.scenario is not None
            turn = Turn(round=entry.round, left=progress.policy.retries)
            progress.add(await _play(plan, entry.scenario, apps, stage, turn))

    if len(sources) == 1:
        await work(sources[0])
        return
    async with asyncio.TaskGroup() as workers:
        for apps in sources:
            workers.create_task(work(apps))


class _Progress:
    """How the run stands."""

    def __init__(self, policy: Policy) -> None:
        self.policy = policy
        self.interrupted = False
        self._outcomes: Counter[Outcome] = Counter()
        self._faults: list[FaultKind] = []

    def add(self, ended: Ended) -> None:
        self._outcomes[ended.outcome] += 1
        if ended.fault is not None:
            self._faults.append(ended.fault.kind)

    @property
    def stopped(self) -> bool:
        """Whether no further scenario is played."""
        return self.policy.fail_fast and bool(self._faults)

    @property
    def counts(self) -> dict[str, int]:
        return {outcome.value: number for outcome, number in sorted(self._outcomes.items())}

    @property
    def exit(self) -> Exit:
        if self.interrupted:
            return Exit.INTERRUPTED
        return max(exit_of(self._faults), Exit.FAILED if self._too_flaky else Exit.PASSED)

    @property
    def outcome(self) -> Outcome:
        if self.interrupted or self._outcomes[Outcome.ERROR]:
            return Outcome.ERROR
        if self._outcomes[Outcome.FAILED] or self._too_flaky:
            return Outcome.FAILED
        return Outcome.FLAKY if self._outcomes[Outcome.FLAKY] else Outcome.PASSED

    @property
    def reason(self) -> str | None:
        if self.interrupted:
            return "interrupted"
        if self._too_flaky and not self._faults:
            return "a flaky scenario fails the run, see --fail-on-flaky"
        return None

    @property
    def _too_flaky(self) -> bool:
        return self.policy.fail_on_flaky and self._outcomes[Outcome.FLAKY] > 0


def _planned(index: int, entry: Entry) -> Planned:
    scenario, loaded = entry.scenario, entry.loaded
    if scenario is None:
        first = next((each for each in loaded.diagnostics if each.is_error), None)
        span = first.span if first is not None else None
        place = Place(
            file=loaded.file, line=span.line if span else 1, column=span.column if span else 1
        )
        return Planned(id=str(index), name=loaded.file, place=place, round=entry.round)
    return Planned(
        id=str(index),
        name=scenario.name,
        place=scenario.place,
        tags=scenario.tags,
        round=entry.round,
    )


async def _play(
    planned: Planned, scenario: Scenario, apps: AppSource, stage: Stage, turn: Turn
) -> Ended:
    """Play a scenario until it passes, or no attempt is left."""
    ended = await _attempt(planned, scenario, apps, stage, turn)
    while turn.again(ended.fault):
        turn = turn.following()
        ended = await _attempt(planned, scenario, apps, stage, turn)
    return ended


async def _attempt(
    planned: Planned, scenario: Scenario, apps: AppSource, stage: Stage, turn: Turn
) -> Ended:
    try:
        notes = await apps.prepare(scenario.app)
        app = await apps.app_for(scenario.app)
    except AppError as error:
        return _without_steps(planned, of_exception(error), stage, turn)
    for text in notes:
        stage.emit(Note(t=stage.t, text=f"before {planned.name}: {text}"))
    return await play(scenario, planned.id, app, stage, turn)


def _refuse(planned: Planned, loaded: Loaded, stage: Stage) -> Ended:
    errors = [each for each in loaded.diagnostics if each.is_error]
    if errors:
        return _without_steps(planned, _of_diagnostics(errors), stage, Turn(round=planned.round))
    return _skip(planned, "another scenario file is wrong", stage)


def _skip(planned: Planned, reason: str, stage: Stage) -> Ended:
    stage.emit(
        ScenarioFinished(
            t=stage.t,
            scenario=planned.id,
            outcome=Outcome.SKIPPED,
            duration=0,
            reason=reason,
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


def _without_steps(planned: Planned, found: Fault, stage: Stage, turn: Turn) -> Ended:
    """A scenario that ends before its first step."""
    stage.emit(
        ScenarioStarted(
            t=stage.t,
            scenario=planned.id,
            title=planned.name,
            place=planned.place,
            tags=planned.tags,
            round=turn.round,
            attempt=turn.attempt,
        )
    )
    stage.emit(
        ScenarioFinished(
            t=stage.t,
            scenario=planned.id,
            outcome=found.kind.outcome,
            duration=0,
            fault=found,
            attempt=turn.attempt,
            again=turn.again(found),
        )
    )
    return Ended(outcome=found.kind.outcome, fault=found)
