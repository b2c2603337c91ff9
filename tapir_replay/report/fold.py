"""From events to results, in memory that a long scenario does not make grow."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import replace

from tapir_replay.engine.events import (
    LOG_VERSION,
    Artifact,
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
    StepFinished,
    StepStarted,
)
from tapir_replay.report.model import FAULTY, RunFacts, ScenarioResult, StepResult, untold
from tapir_replay.scenario.place import Place

_NOTES_KEPT = 1000
_ARTIFACTS_KEPT = 1000


class Fold:
    """Takes events one by one and gives a scenario's result when it ends.

    Args:
        ends: How many steps to keep at the start and at the end of each scenario.
        faults: How many faulty steps to keep besides; None for all.
    """

    def __init__(self, *, ends: int = 200, faults: int | None = None) -> None:
        self.run = RunFacts()
        self._ends = ends
        self._faults = faults
        self._open: dict[str, _OpenScenario] = {}
        self._waiting: dict[str, Planned] = {}
        self._attempts: dict[str, list[ScenarioResult]] = {}
        """Those of scenarios that are being played again."""

    def add(self, event: Event) -> ScenarioResult | None:
        self.run.duration = max(self.run.duration, event.t)
        match event:
            case RunStarted():
                self._start_run(event)
            case ScenarioStarted():
                return self._start(event)
            case StepStarted() | StepFinished() | Artifact():
                if scenario := self._open.get(event.scenario):
                    scenario.add(event)
            case Note():
                self._note(event)
            case ScenarioFinished():
                return self._finish(event)
            case RunFinished():
                self.run.outcome, self.run.exit_code = event.outcome, event.exit_code
                self.run.duration, self.run.reason = event.duration, event.reason
            case _:
                pass
        return None

    def close(self) -> Iterator[ScenarioResult]:
        """Ends what the log left open, and tells of what was planned and never begun."""
        if self.run.cut_off:
            self.run.notes.append(
                Note(t=self.run.duration, text="The log ends before the run does.")
            )
        for scenario in list(self._open.values()):
            yield self._counted(scenario.cut_off(self.run.duration))
        self._open.clear()
        for identity in list(self._attempts):  # nothing came of playing them again
            yield self._counted(self._attempts[identity].pop())
        reason = self.run.reason or "the run ended before this scenario began"
        for planned in self._waiting.values():
            yield self._counted(_never_begun(planned, reason=reason))
        self._waiting.clear()

    def _start_run(self, event: RunStarted) -> None:
        run = self.run
        run.run, run.tool, run.app, run.host = event.run, event.tool, event.app, event.host
        run.started, run.plan = event.started, event.plan
        run.rounds, run.retries = event.rounds, event.retries
        run.project, run.profile = event.project, event.profile
        run.shard, run.seed = event.shard, event.seed
        self._waiting = {planned.id: planned for planned in event.plan}
        if event.version > LOG_VERSION:
            text = f"The log is of version {event.version}; version {LOG_VERSION} is known here."
            run.notes.append(Note(t=event.t, text=text))

    def _start(self, event: ScenarioStarted) -> ScenarioResult | None:
        self._waiting.pop(event.scenario, None)
        before = self._open.get(event.scenario)  # the line of its end was lost
        self._open[event.scenario] = _OpenScenario(event, self._ends, self._faults)
        return self._counted(before.cut_off(event.t)) if before else None

    def _note(self, event: Note) -> None:
        scenario = self._open.get(event.scenario or "")
        if scenario is not None:
            scenario.note(event)
        elif len(self.run.notes) < _NOTES_KEPT:
            self.run.notes.append(event)

    def _finish(self, event: ScenarioFinished) -> ScenarioResult | None:
        scenario = self._open.pop(event.scenario, None)
        if scenario is not None:
            result = scenario.finish(event)
        else:
            planned = self._waiting.pop(event.scenario, None) or Planned(
                id=event.scenario, name=event.scenario, place=Place(file="(unknown)", line=1)
            )
            result = _never_begun(planned, event=event)
        if event.again:
            self._attempts.setdefault(event.scenario, []).append(result)
            return None
        return self._counted(result)

    def _counted(self, result: ScenarioResult) -> ScenarioResult:
        self.run.counts[result.outcome] += 1
        before = self._attempts.pop(result.id, None)
        return replace(result, attempts=tuple(before)) if before else result


class _OpenStep:
    """A step between its first event and the end of its scenario."""

    __slots__ = ("artifacts", "finished", "number", "started")

    def __init__(self, number: int, started: StepStarted) -> None:
        self.number = number
        self.started = started
        self.finished: StepFinished | None = None
        self.artifacts: list[Artifact] = []

    @property
    def faulty(self) -> bool:
        return self.finished is not None and self.finished.outcome in FAULTY

    def result(self, *, end: float) -> StepResult:
        begun = self.started
        done = self.finished or StepFinished(
            t=end,
            scenario=begun.scenario,
            step=begun.step,
            outcome=Outcome.ERROR,
            duration=max(0.0, end - begun.t),
            fault=Fault(kind=FaultKind.INTERRUPTED, message="the run ended during this step"),
        )
        return StepResult(
            number=self.number,
            id=begun.step,
            phase=begun.phase,
            title=begun.title,
            verb=begun.verb,
            place=begun.place,
            outcome=done.outcome,
            started=begun.t,
            duration=done.duration,
            fault=done.fault or (untold(done.outcome) if done.outcome in FAULTY else None),
            soft=done.soft,
            reason=done.reason,
            warnings=done.warnings,
            effect=done.effect,
            target=done.target,
            tries=done.tries,
            artifacts=tuple(self.artifacts),
        )


class _OpenScenario:
    """Collects a scenario's steps, keeping the first, the last and the faulty ones."""

    def __init__(self, started: ScenarioStarted, ends: int, faults: int | None) -> None:
        self._started = started
        self._ends = ends
        self._faults = faults
        self._count = 0
        self._last: _OpenStep | None = None
        self._running: dict[str, _OpenStep] = {}
        self._head: list[_OpenStep] = []
        self._faulty: list[_OpenStep] = []
        self._tail: deque[_OpenStep] = deque(maxlen=ends)
        self._loose: list[Artifact] = []
        self._notes: list[Note] = []
        self._notes_left_out = 0

    def add(self, event: StepStarted | StepFinished | Artifact) -> None:
        match event:
            case StepStarted():
                self._begin(event)
            case StepFinished():
                step = self._running.pop(event.step, None) or self._begin_late(event)
                step.finished = event
                self._keep(step)
            case Artifact():
                self._attach(event)

    def note(self, note: Note) -> None:
        if len(self._notes) < _NOTES_KEPT:
            self._notes.append(note)
        else:
            self._notes_left_out += 1

    def finish(self, event: ScenarioFinished) -> ScenarioResult:
        steps = self._steps(event.t)
        deciding = _deciding(steps, event)
        fault = event.fault or (deciding.fault if deciding else None)
        if fault is None and event.outcome in FAULTY:
            fault = untold(event.outcome, event.reason)
        return self._result(
            steps=steps,
            outcome=event.outcome,
            duration=event.duration,
            reason=event.reason,
            fault=fault,
            step=deciding,
        )

    def cut_off(self, end: float) -> ScenarioResult:
        last = self._last.started.title if self._last else "none was begun"
        message = f"the run ended before this scenario did (last step: {last})"
        steps = self._steps(end)
        return self._result(
            steps=steps,
            outcome=Outcome.ERROR,
            duration=max(0.0, end - self._started.t),
            fault=Fault(kind=FaultKind.INTERRUPTED, message=message),
            step=steps[-1] if self._running and steps else None,
        )

    def _begin(self, event: StepStarted) -> _OpenStep:
        self._count += 1
        step = _OpenStep(self._count, event)
        self._running[event.step] = self._last = step
        return step

    def _begin_late(self, event: StepFinished) -> _OpenStep:
        """For a step whose first event was lost."""
        step = self._begin(
            StepStarted(
                t=max(0.0, event.t - event.duration),
                scenario=event.scenario,
                step=event.step,
                phase=event.step.partition(".")[0],
                title=event.step,
                verb="",
                place=self._started.place,
            )
        )
        del self._running[event.step]
        return step

    def _keep(self, step: _OpenStep) -> None:
        if len(self._head) < self._ends:
            self._head.append(step)
        elif step.faulty and self._faults != 0:
            if self._faults is not None and len(self._faulty) >= self._faults:
                self._faulty.pop()  # the newest is more likely to decide
            self._faulty.append(step)
        else:
            self._tail.append(step)

    def _attach(self, artifact: Artifact) -> None:
        step = self._running.get(artifact.step)
        if step is None and self._last is not None and self._last.started.step == artifact.step:
            step = self._last  # a picture of what a step left behind comes after it
        if step is not None:
            step.artifacts.append(artifact)
        elif len(self._loose) < _ARTIFACTS_KEPT:
            self._loose.append(artifact)

    def _steps(self, end: float) -> tuple[StepResult, ...]:
        kept = (*self._head, *self._faulty, *self._tail, *self._running.values())
        return tuple(step.result(end=end) for step in sorted(kept, key=lambda step: step.number))

    def _result(
        self,
        *,
        steps: tuple[StepResult, ...],
        outcome: Outcome,
        duration: float,
        reason: str | None = None,
        fault: Fault | None = None,
        step: StepResult | None = None,
    ) -> ScenarioResult:
        begun = self._started
        return ScenarioResult(
            id=begun.scenario,
            name=begun.title,
            place=begun.place,
            outcome=outcome,
            started=begun.t,
            duration=duration,
            tags=begun.tags,
            app=begun.app,
            reason=reason,
            fault=fault,
            step=step,
            steps=steps,
            steps_played=self._count,
            steps_planned=begun.steps,
            artifacts=tuple(self._loose),
            notes=tuple(self._notes),
            notes_left_out=self._notes_left_out,
            round=begun.round,
        )


def _deciding(steps: tuple[StepResult, ...], event: ScenarioFinished) -> StepResult | None:
    if event.step is not None:
        named = [step for step in steps if step.id == event.step]
        # A step id may come again in a loop: then the one with this fault is meant.
        same = (step for step in named if step.fault == event.fault)
        return next(same, named[-1] if named else None)
    if event.outcome not in FAULTY or event.fault is not None:
        return None
    faulty = [step for step in steps if step.faulty]
    return next((step for step in faulty if not step.soft), faulty[0] if faulty else None)


def _never_begun(
    planned: Planned, *, reason: str | None = None, event: ScenarioFinished | None = None
) -> ScenarioResult:
    outcome, fault = Outcome.SKIPPED, None
    if event is not None:
        outcome, reason, fault = event.outcome, event.reason, event.fault
        if fault is None and outcome in FAULTY:
            fault = untold(outcome, reason)
    return ScenarioResult(
        id=planned.id,
        name=planned.name,
        place=planned.place,
        tags=planned.tags,
        outcome=outcome,
        started=event.t if event else 0.0,
        duration=event.duration if event else 0.0,
        reason=reason,
        fault=fault,
        round=planned.round,
    )
