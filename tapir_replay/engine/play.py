"""Plays one scenario: setup, steps, teardown; every step an event, every end a reason."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

from tapir_replay.app.errors import AppError
from tapir_replay.app.interface import App
from tapir_replay.engine.acting import Actor
from tapir_replay.engine.conditions import Baseline, Observer
from tapir_replay.engine.contracts import late_errors, over_budget
from tapir_replay.engine.events import Fault, Note, Outcome, ScenarioFinished, ScenarioStarted
from tapir_replay.engine.evidence import Evidence
from tapir_replay.engine.faults import StepFault, of_exception
from tapir_replay.engine.flow import Flow
from tapir_replay.engine.goldens import Goldens
from tapir_replay.engine.locate import locator_for
from tapir_replay.engine.scope import scope_of
from tapir_replay.engine.situation import Situation, Where, interrupted
from tapir_replay.engine.stage import Stage
from tapir_replay.engine.turn import ONCE, Turn
from tapir_replay.scenario.model import Scenario, Step
from tapir_replay.scenario.templates import TemplateError

_SHORT = 4
"""Characters below which a secret is part of too many other words."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ended:
    """How a scenario ended."""

    outcome: Outcome
    fault: Fault | None = None


async def play(
    scenario: Scenario, scenario_id: str, app: App, stage: Stage, turn: Turn = ONCE
) -> Ended:
    """Play a scenario on an app that is there.

    Everything that happens is told to the stage; nothing is raised but cancellation.
    """
    started = stage.t
    stage.emit(
        ScenarioStarted(
            t=started,
            scenario=scenario_id,
            title=scenario.name,
            place=scenario.place,
            tags=scenario.tags,
            app=app.name,
            steps=scenario.step_count,
            round=turn.round,
            attempt=turn.attempt,
        )
    )
    situation = _situation(scenario, scenario_id, app, stage)
    try:
        await _phases(situation)
    except asyncio.CancelledError:
        situation.record(interrupted(), None)
        raise
    finally:
        stage.emit(
            ScenarioFinished(
                t=stage.t,
                scenario=scenario_id,
                outcome=turn.outcome(situation.outcome),
                duration=round(stage.t - started, 3),
                fault=situation.fault,
                step=situation.fault_step,
                attempt=turn.attempt,
                again=turn.again(situation.fault),
            )
        )
    return Ended(outcome=turn.outcome(situation.outcome), fault=situation.fault)


def _situation(scenario: Scenario, scenario_id: str, app: App, stage: Stage) -> Situation:
    locator = locator_for(app)
    goldens = Goldens(
        update=stage.update_goldens,
        suffix=stage.golden_suffix,
        redactor=stage.redactor,
        tell=lambda text: stage.emit(
            Note(t=stage.t, scenario=scenario_id, level="info", text=text)
        ),
    )
    observer = Observer(app, locator, stage.clock, Baseline(), goldens)
    return Situation(
        scenario=scenario,
        id=scenario_id,
        stage=stage,
        actor=Actor(app, locator, stage.clock),
        observer=observer,
        evidence=Evidence(
            stage=stage,
            observer=observer,
            scenario=scenario_id,
            folder=stage.artifacts.folder_for(scenario.name),
        ),
        exceptions=scenario.exceptions,
    )


async def _phases(now: Situation) -> None:
    flow = Flow(now)
    scenario = now.scenario
    started = now.stage.clock.now()
    await _begin(now)
    interruption: asyncio.CancelledError | None = None
    for phase, steps in (("setup", scenario.setup), ("steps", scenario.steps)):
        for number, step in enumerate(steps, start=1):
            try:
                await flow.step(step, f"{phase}.{number}", Where(phase))
            except asyncio.CancelledError as error:
                # The teardown is done all the same; a second interruption ends that too.
                interruption = error
                now.end(interrupted(), None, "the run was interrupted")
    _check_budget(now, started)
    if now.fault is not None and interruption is None:
        await _each(flow, "on_failure", scenario.on_failure, now)
    await _each(flow, "teardown", scenario.teardown, now)
    if interruption is not None:
        raise interruption
    await late_errors(now)


def _check_budget(now: Situation, started: float) -> None:
    if now.outcome is Outcome.PASSED:
        spent = now.stage.clock.now() - started
        scenario = now.scenario
        late = over_budget(spent, scenario.budget, "the scenario", scenario.budget_place)
        if late is not None:
            now.record(late, None)


async def _begin(now: Situation) -> None:
    try:
        start = scope_of(
            now.scenario,
            run=now.stage.run,
            environ=now.stage.environ,
            overrides=now.stage.overrides,
            turn=str(now.stage.t),
        )
        now.scope, now.common = start.scope, start.common
        now.stage.redactor.add(start.secrets)
        if any(0 < len(each) < _SHORT for each in start.secrets):
            text = (
                f"a secret has fewer than {_SHORT} characters: it is masked wherever it occurs, "
                "and a file that still holds it is removed"
            )
            now.stage.emit(Note(t=now.stage.t, scenario=now.id, text=text))
        await now.observer.take_baseline()
    except (AppError, StepFault, TemplateError) as error:
        now.end(of_exception(error), None, "the scenario could not begin")


async def _each(flow: Flow, phase: str, steps: tuple[Step, ...], now: Situation) -> None:
    """Do each step, whatever became of those before it."""
    for number, step in enumerate(steps, start=1):
        if now.scope:
            now.go_on()
        await flow.step(step, f"{phase}.{number}", Where(phase))
