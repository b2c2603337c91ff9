"""One step that does something: prepare its values, do it, weigh the outcome, tell."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from tapir_replay.engine.acting import Acted
from tapir_replay.engine.contracts import watched
from tapir_replay.engine.events import (
    FaultKind,
    Outcome,
    StepFinished,
    StepStarted,
)
from tapir_replay.engine.faults import StepFault, fault, of_exception, together
from tapir_replay.engine.healing import with_proposal
from tapir_replay.engine.merged_row import set_by_its_control
from tapir_replay.engine.own import OWN
from tapir_replay.engine.redact import texts_in
from tapir_replay.engine.situation import (
    ENDS_ALL,
    Done,
    Mercy,
    Situation,
    Stop,
    Where,
    interrupted,
    seconds,
)
from tapir_replay.engine.titles import title_of
from tapir_replay.engine.verdict import judge, value_at
from tapir_replay.scenario.matchers import MISSING
from tapir_replay.scenario.model import Condition, Step, rendered_args
from tapir_replay.scenario.templates import Template, TemplateError, render_text
from tapir_replay.verbs.model import Verb

_EVIDENCE_LIMIT = 5
"""Soft failures of one scenario that evidence is kept of."""


Args = Mapping[str, Any]
Conditions = tuple[Condition, ...]


class Leaf:
    """Plays the steps of one scenario that hold no other steps."""

    def __init__(self, situation: Situation) -> None:
        self._now = situation

    async def play(self, step: Step, step_id: str, where: Where) -> None:
        """Do a step, unless the scenario has ended; what comes of it is told and weighed."""
        args, conditions, done = self._prepare(step)
        began = self.tell_started(step, step_id, where, lambda: self.title(step, args, conditions))
        try:
            if self._now.stop is not None:
                done = Done(reason=self._now.stop.reason)
            elif done is None and (step.contract is not None or self._now.strict):
                done = await watched(
                    self._now,
                    step.contract,
                    lambda: self._guarded(step, step_id, args, conditions),
                )
            elif done is None:
                done = await self._guarded(step, step_id, args, conditions)
        except asyncio.CancelledError:
            done = Done(fault=interrupted())
            self._now.record(interrupted(), step_id)
            raise
        finally:
            assert done is not None
            await self.finish(step, step_id, where, done, began)

    # Telling

    def tell_started(
        self, step: Step, step_id: str, where: Where, title: Callable[[], str]
    ) -> float:
        """Tell that a step begins; returns when."""
        now = self._now
        began = now.stage.t
        now.stage.emit_soon(
            lambda: StepStarted(
                t=began,
                scenario=now.id,
                step=step_id,
                phase=where.phase,
                title=title(),
                verb=step.verb.name,
                place=step.place,
                within=where.within,
            )
        )
        return began

    async def finish(
        self, step: Step, step_id: str, where: Where, done: Done, began: float
    ) -> None:
        """Weigh what came of a step, and tell it."""
        now = self._now
        if done.fault is not None and where.chain:
            around = [f"in {place}: {title}" for place, title in reversed(where.chain)]
            done.fault = replace(done.fault, details=(*done.fault.details, *around))
        outcome, soft = await self._weigh(step, step_id, done)
        ended = now.stage.t
        now.stage.emit_soon(
            lambda: StepFinished(
                t=ended,
                scenario=now.id,
                step=step_id,
                outcome=outcome,
                duration=round(ended - began, 3),
                fault=done.fault,
                soft=soft,
                reason=done.reason,
                warnings=done.warnings,
                remarks=done.remarks,
                effect=done.effect,
                target=", ".join(map(str, done.matches)) or None,
                tries=done.tries,
            )
        )

    def title(self, step: Step, args: Args, conditions: Conditions = ()) -> str:
        """The step's own name, else what it does."""
        if step.name is not None:
            try:
                return render_text(step.name, self._now.scope)
            except TemplateError:
                return str(step.name)
        return title_of(step, args, conditions)

    # Doing

    def _prepare(self, step: Step) -> tuple[Args, Conditions, Done | None]:
        """The step's values; where they cannot be had, as written, and why."""
        now = self._now
        if now.stop is not None:
            return step.args, step.conditions, None
        try:
            args = rendered_args(step, now.scope)
            conditions = tuple(each.render(now.scope) for each in step.conditions)
            if now.flag(step.secret):
                self._hide(step.verb, args)
        except (TemplateError, ValueError) as error:
            return step.args, step.conditions, Done(fault=of_exception(error))
        return args, conditions, None

    def _hide(self, verb: Verb, args: Args) -> None:
        names = args if verb.open else ("text", "value", "expression")
        self._now.stage.redactor.add(texts_in([args.get(name) for name in names]))

    async def _guarded(self, step: Step, step_id: str, args: Args, conditions: Conditions) -> Done:
        try:
            if step.when is not None:
                skipped = await self._now.why_not(step.when)
                if skipped is not None:
                    return Done(reason=skipped)
            return await self._do(step, step_id, args, conditions)
        except Exception as error:
            now = self._now
            pictures = now.observer.goldens.take()
            beside = now.stage.beside(step.place)
            found = of_exception(error)
            found = await with_proposal(found, step, args, now.observer.locator, beside)
            return Done(fault=found, pictures=pictures)

    async def _do(self, step: Step, step_id: str, args: Args, conditions: Conditions) -> Done:
        now = self._now
        timeout = self._timeout(step)
        if step.verb.name == "expect":
            faults = await now.observer.hold(conditions, timeout)
            return Done(fault=together(faults), pictures=now.observer.goldens.take())
        own = OWN.get(step.verb.name)
        if own is not None:
            done = await own(now, args, timeout)
            if done.kept is not None and now.flag(step.secret):
                now.stage.redactor.add([done.kept])
            return done
        acted = await now.actor.act(step.verb, args, timeout)
        verdict = judge(step.verb, args, acted.answer, step.expect, now.scope)
        if verdict.faults:
            after_all = await set_by_its_control(now.actor, step.verb, args, acted, timeout)
            if after_all is not None:
                acted = after_all
                verdict = judge(step.verb, args, acted.answer, step.expect, now.scope)
        done = Done(
            fault=together(list(verdict.faults)),
            warnings=(*verdict.warnings, *acted.told),
            remarks=verdict.remarks,
            effect=acted.answer.get("effect"),
            matches=acted.matches,
            tries=acted.tries,
        )
        if done.fault is None:
            now.scope.update(saved(step, acted.answer, "the answer"))
            await self._keep(step, step_id, args, acted)
        return done

    def _timeout(self, step: Step) -> float:
        if step.timeout is None:
            return self._now.scenario.timeout
        if isinstance(step.timeout, Template):
            return seconds(step.timeout.render(self._now.scope))
        return step.timeout

    async def _keep(self, step: Step, step_id: str, args: Args, acted: Acted) -> None:
        """The file of a step that names one."""
        name = args.get("path")
        if name is None:
            return
        evidence = self._now.evidence
        if step.verb.name == "screenshot":
            of = acted.matches[0] if acted.matches else None
            await evidence.keep_picture(
                step_id, str(name), acted.answer, of=of, rect=args.get("rect")
            )
        elif step.verb.name == "snap":
            text = str(acted.answer.get("snapshot", ""))
            evidence.keep_text(step_id, "snapshot", str(name), text)
        else:
            evidence.keep_json(step_id, str(name), acted.answer)

    # Weighing

    async def _weigh(self, step: Step, step_id: str, done: Done) -> tuple[Outcome, bool]:
        """What the step's end means for the scenario."""
        now = self._now
        if done.fault is None:
            return (Outcome.SKIPPED if done.reason else Outcome.PASSED), False
        if done.fault.kind is FaultKind.INTERRUPTED:
            return Outcome.ERROR, False
        hard = done.fault.kind in ENDS_ALL
        wrong = done.fault.kind is FaultKind.VALUE  # the scenario is, not the app
        # An error of the app is excused by the list of allowed ones alone.
        broken = done.fault.kind is FaultKind.APP_ERROR
        if not hard and not wrong and not broken and now.is_on(step.optional):
            done.reason = f"optional: {done.fault.message}"
            return Outcome.SKIPPED, False
        soft = not hard and now.is_on(step.soft)
        spared = None if hard or wrong or soft else now.mercy(soft_only=broken)
        if spared is not None and spared.kind != "soft":
            return self._spared(spared, step_id, done)
        now.failures += 1
        if not hard and (not soft or now.failures <= _EVIDENCE_LIMIT):
            await now.evidence.of_failure(step_id, done.fault, done.matches, done.pictures)
        if spared is not None:
            return self._spared(spared, step_id, done)
        if soft:
            now.record(done.fault, step_id)
        else:
            now.end(done.fault, step_id, "an earlier step did not pass")
        return done.fault.kind.outcome, soft

    def _spared(self, block: Mercy, step_id: str, done: Done) -> tuple[Outcome, bool]:
        """A failure that ends with the block around it."""
        now = self._now
        assert done.fault is not None
        now.stop = Stop("an earlier step of the block did not pass", block)
        if block.kind == "soft":
            now.record(done.fault, step_id)
            return done.fault.kind.outcome, True
        done.reason = f"{block.says}: {done.fault.message}"
        return Outcome.SKIPPED, False


def saved(step: Step, answer: Mapping[str, Any], what: str) -> dict[str, Any]:
    """What a step keeps of an answer, by the names of variables.

    Raises:
        StepFault: It has no such part.
    """
    kept = {}
    for name, path in step.save:
        value = value_at(answer, path)
        if value is MISSING:
            raise StepFault(
                fault(
                    FaultKind.ASSERTION,
                    f"{what} has nothing at {'.'.join(path)} to save as {name}",
                    details=[f"it has: {', '.join(answer)}"],
                )
            )
        kept[name] = value
    return kept
