"""Plays one scenario: setup, steps, teardown; every step an event, every end a reason."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from tapir_replay.app.errors import AppError
from tapir_replay.app.interface import App
from tapir_replay.engine.acting import Acted, Actor
from tapir_replay.engine.conditions import Baseline, Observer
from tapir_replay.engine.events import (
    Fault,
    FaultKind,
    Note,
    Outcome,
    ScenarioFinished,
    ScenarioStarted,
    StepFinished,
    StepStarted,
)
from tapir_replay.engine.evidence import Evidence
from tapir_replay.engine.faults import StepFault, fault, of_exception
from tapir_replay.engine.locate import locator_for
from tapir_replay.engine.scope import scope_of
from tapir_replay.engine.screen import Match
from tapir_replay.engine.stage import Stage
from tapir_replay.engine.titles import title_of
from tapir_replay.engine.verdict import judge, value_at
from tapir_replay.scenario.matchers import MISSING, show
from tapir_replay.scenario.model import (
    Condition,
    Scenario,
    Step,
    parse_duration,
    rendered_args,
)
from tapir_replay.scenario.templates import Template, TemplateError, render_text

_ENDS_ALL = frozenset(
    {
        FaultKind.APP_UNREACHABLE,
        FaultKind.APP_GONE,
        FaultKind.TIMEOUT,
        FaultKind.PROTOCOL,
        FaultKind.INTERRUPTED,
        FaultKind.INTERNAL,
    }
)
"""Faults that `soft` and `optional` do not soften."""

_EVIDENCE_LIMIT = 5
"""Failures of one scenario that evidence is kept of; beyond, only of the one that ends it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ended:
    """How a scenario ended."""

    outcome: Outcome
    fault: Fault | None = None


async def play(scenario: Scenario, scenario_id: str, app: App, stage: Stage) -> Ended:
    """Play a scenario on an app that is there.

    Everything that happens is told to the stage; nothing is raised but cancellation.
    """
    return await _Player(scenario, scenario_id, app, stage).play()


@dataclass(slots=True)
class _Done:
    """What came of a step, before it is told."""

    fault: Fault | None = None
    reason: str | None = None
    warnings: tuple[str, ...] = ()
    effect: dict[str, Any] | None = None
    matches: tuple[Match, ...] = ()
    tries: int = 1


@dataclass(slots=True)
class _State:
    """How the scenario stands."""

    fault: Fault | None = None
    step: str | None = None
    stopped: str | None = None
    """Why no further step is done."""
    app_gone: bool = False
    failures: int = 0

    def record(self, fault: Fault, step: str | None) -> None:
        """The first fault counts, but an error counts more than a failure."""
        worse = fault.kind.outcome is Outcome.ERROR
        if self.fault is None or (worse and self.fault.kind.outcome is not Outcome.ERROR):
            self.fault, self.step = fault, step

    @property
    def outcome(self) -> Outcome:
        return Outcome.PASSED if self.fault is None else self.fault.kind.outcome


@dataclass(slots=True)
class _Player:
    scenario: Scenario
    id: str
    app: App
    stage: Stage
    scope: dict[str, Any] = field(default_factory=dict)
    state: _State = field(default_factory=_State)
    actor: Actor = field(init=False)
    observer: Observer = field(init=False)
    evidence: Evidence = field(init=False)

    async def play(self) -> Ended:
        started = self.stage.t
        self.stage.emit(
            ScenarioStarted(
                t=started,
                scenario=self.id,
                title=self.scenario.name,
                place=self.scenario.place,
                tags=self.scenario.tags,
                app=self.app.name,
                steps=self.scenario.step_count,
            )
        )
        try:
            await self._all_phases()
        except asyncio.CancelledError:
            self.state.record(_interrupted(), None)
            raise
        finally:
            self.stage.emit(
                ScenarioFinished(
                    t=self.stage.t,
                    scenario=self.id,
                    outcome=self.state.outcome,
                    duration=round(self.stage.t - started, 3),
                    fault=self.state.fault,
                    step=self.state.step,
                )
            )
        return Ended(outcome=self.state.outcome, fault=self.state.fault)

    async def _all_phases(self) -> None:
        locator = locator_for(self.app)
        clock = self.stage.clock
        self.actor = Actor(self.app, locator, clock)
        self.observer = Observer(self.app, locator, clock, Baseline())
        self.evidence = Evidence(
            stage=self.stage,
            observer=self.observer,
            scenario=self.id,
            folder=self.stage.artifacts.folder_for(self.scenario.name),
        )
        try:
            self.scope, secrets = scope_of(
                self.scenario,
                run=self.stage.run,
                environ=self.stage.environ,
                overrides=self.stage.overrides,
            )
            self.stage.redactor.add(secrets)
            await self.observer.take_baseline()
        except (AppError, StepFault, TemplateError) as error:
            self._stop(of_exception(error), None, "the scenario could not begin")
        interruption: asyncio.CancelledError | None = None
        for step in (*self.scenario.setup, *self.scenario.steps):
            try:
                await self._step(step)
            except asyncio.CancelledError as error:
                # The teardown is done all the same; a second interruption ends that too.
                interruption = error
                self._stop(_interrupted(), step.id, "the run was interrupted")
        if self.scope and not self.state.app_gone:
            self.state.stopped = None
        for step in self.scenario.teardown:
            await self._step(step)
            if not self.state.app_gone:
                self.state.stopped = None
        if interruption is not None:
            raise interruption
        await self._tell_exceptions()

    async def _tell_exceptions(self) -> None:
        """Errors of the app that no step asked about are worth a word."""
        if self.state.app_gone or not self.scope:
            return
        try:
            entries = await self.observer.new_exceptions()
        except AppError:
            return
        if entries:
            first = str(entries[-1].get("message", "")).partition("\n")[0]
            text = f"the app recorded {len(entries)} exception(s), the first: {first}"
            self.stage.emit(Note(t=self.stage.t, scenario=self.id, text=text))

    def _stop(self, found: Fault, step: str | None, reason: str) -> None:
        self.state.record(found, step)
        self.state.stopped = reason
        if found.kind in _ENDS_ALL and found.kind is not FaultKind.INTERRUPTED:
            self.state.app_gone = True

    # One step

    async def _step(self, step: Step) -> None:
        args, conditions, done = self._prepare(step)
        began = self.stage.t
        self.stage.emit_soon(
            lambda: StepStarted(
                t=began,
                scenario=self.id,
                step=step.id,
                phase=step.phase,
                title=self._title(step, args, conditions),
                verb=step.verb.name,
                place=step.place,
            )
        )
        try:
            if self.state.stopped is not None:
                done = _Done(reason=self.state.stopped)
            elif done is None:
                done = await self._guarded(step, args, conditions)
        except asyncio.CancelledError:
            done = _Done(fault=_interrupted())
            raise
        finally:
            assert done is not None
            await self._finish(step, done, began)

    def _prepare(self, step: Step) -> tuple[Mapping[str, Any], tuple[Condition, ...], _Done | None]:
        """The step's values; where they cannot be had, as written, and why."""
        if self.state.stopped is not None:
            return step.args, step.conditions, None
        try:
            args = rendered_args(step, self.scope)
            conditions = tuple(each.render(self.scope) for each in step.conditions)
            if self._flag(step.secret):
                self._hide(args)
        except (TemplateError, ValueError) as error:
            return step.args, step.conditions, _Done(fault=of_exception(error))
        return args, conditions, None

    def _hide(self, args: Mapping[str, Any]) -> None:
        texts = (args.get(name) for name in ("text", "value", "expression"))
        self.stage.redactor.add(each for each in texts if isinstance(each, str))

    def _title(self, step: Step, args: Mapping[str, Any], conditions: tuple[Condition, ...]) -> str:
        if step.name is not None:
            try:
                return render_text(step.name, self.scope)
            except TemplateError:
                return str(step.name)
        return title_of(step, args, conditions)

    async def _guarded(
        self, step: Step, args: Mapping[str, Any], conditions: tuple[Condition, ...]
    ) -> _Done:
        try:
            skipped = await self._skipped(step)
            if skipped is not None:
                return _Done(reason=skipped)
            return await self._do(step, args, conditions)
        except Exception as error:
            return _Done(fault=of_exception(error))

    async def _skipped(self, step: Step) -> str | None:
        """Why the step is not done, if its `when` does not hold."""
        if step.when is None:
            return None
        if isinstance(step.when, Template):
            value = step.when.render(self.scope)
            if not isinstance(value, bool):
                raise TemplateError(
                    f"when: {step.when} is {show(value)}, neither true nor false",
                    hint="compare it: {{ name == 'value' }}",
                )
            return None if value else f"when: {step.when} is false"
        for condition in step.when:
            seen = await self.observer.look(condition.render(self.scope))
            if not seen.holds:
                return f"when: {condition.kind} does not hold: {seen.seen}"
        return None

    async def _do(
        self, step: Step, args: Mapping[str, Any], conditions: tuple[Condition, ...]
    ) -> _Done:
        timeout = self._timeout(step)
        if step.verb.name == "expect":
            faults = await self.observer.hold(conditions, timeout)
            return _Done(fault=_together(faults))
        if step.verb.name == "wait":
            await self.stage.clock.sleep(_seconds(args["for"]))
            return _Done()
        acted = await self.actor.act(step.verb, args, timeout)
        verdict = judge(step.verb, args, acted.answer, step.expect, self.scope)
        done = _Done(
            fault=_together(list(verdict.faults)),
            warnings=verdict.warnings,
            effect=acted.answer.get("effect"),
            matches=acted.matches,
            tries=acted.tries,
        )
        if done.fault is None:
            self._save(step, acted)
            await self._keep(step, args, acted)
        return done

    def _timeout(self, step: Step) -> float:
        if step.timeout is None:
            return self.scenario.timeout
        return _seconds(
            step.timeout.render(self.scope) if isinstance(step.timeout, Template) else step.timeout
        )

    def _save(self, step: Step, acted: Acted) -> None:
        for name, path in step.save:
            value = value_at(acted.answer, path)
            if value is MISSING:
                raise StepFault(
                    fault(
                        FaultKind.ASSERTION,
                        f"the answer has nothing at {'.'.join(path)} to save as {name}",
                        details=[f"it has: {', '.join(acted.answer)}"],
                    )
                )
            self.scope[name] = value

    async def _keep(self, step: Step, args: Mapping[str, Any], acted: Acted) -> None:
        """The file of a step that names one."""
        name = args.get("path")
        if name is None:
            return
        if step.verb.name == "screenshot":
            of = acted.matches[0] if acted.matches else None
            await self.evidence.keep_picture(
                step.id, str(name), acted.answer, of=of, rect=args.get("rect")
            )
        elif step.verb.name == "snap":
            text = str(acted.answer.get("snapshot", ""))
            self.evidence.keep_text(step.id, "snapshot", str(name), text)
        else:
            self.evidence.keep_json(step.id, str(name), acted.answer)

    def _flag(self, value: bool | Template) -> bool:
        if isinstance(value, bool):
            return value
        rendered = value.render(self.scope)
        if isinstance(rendered, bool):
            return rendered
        raise TemplateError(f"{value} is {show(rendered)}, neither true nor false")

    async def _finish(self, step: Step, done: _Done, began: float) -> None:
        outcome, soft = await self._weigh(step, done)
        ended = self.stage.t
        self.stage.emit_soon(
            lambda: StepFinished(
                t=ended,
                scenario=self.id,
                step=step.id,
                outcome=outcome,
                duration=round(ended - began, 3),
                fault=done.fault,
                soft=soft,
                reason=done.reason,
                warnings=done.warnings,
                effect=done.effect,
                target=", ".join(map(str, done.matches)) or None,
                tries=done.tries,
            )
        )

    async def _weigh(self, step: Step, done: _Done) -> tuple[Outcome, bool]:
        """What the step's end means for the scenario."""
        if done.fault is None:
            return (Outcome.SKIPPED if done.reason else Outcome.PASSED), False
        if done.fault.kind is FaultKind.INTERRUPTED:
            return Outcome.ERROR, False
        hard = done.fault.kind in _ENDS_ALL
        wrong = done.fault.kind is FaultKind.VALUE  # the scenario is, not the app
        if not hard and not wrong and self._softened(step.optional):
            done.reason = f"optional: {done.fault.message}"
            return Outcome.SKIPPED, False
        soft = not hard and self._softened(step.soft)
        self.state.failures += 1
        if not hard and (not soft or self.state.failures <= _EVIDENCE_LIMIT):
            await self.evidence.of_failure(step.id, done.fault, done.matches)
        if soft:
            self.state.record(done.fault, step.id)
        else:
            self._stop(done.fault, step.id, "an earlier step did not pass")
        return done.fault.kind.outcome, soft

    def _softened(self, flag: bool | Template) -> bool:
        try:
            return self._flag(flag)
        except TemplateError:
            return False


def _interrupted() -> Fault:
    return fault(FaultKind.INTERRUPTED, "the run was interrupted")


def _seconds(value: Any) -> float:
    if isinstance(value, int | float) and not isinstance(value, bool):
        return float(value)
    return parse_duration(str(value))


def _together(faults: list[Fault]) -> Fault | None:
    """Several faults of one step as one: the first, with the others among its details."""
    if not faults:
        return None
    first, *others = faults
    if not others:
        return first
    more = [
        line
        for each in others
        for line in (
            f"also: {each.message}",
            f"  expected {each.expected}, seen {each.seen}" if each.expected else "",
        )
        if line
    ]
    return Fault(
        kind=first.kind,
        message=first.message,
        expected=first.expected,
        seen=first.seen,
        details=(*first.details, *more),
        hint=first.hint,
        place=first.place,
    )
