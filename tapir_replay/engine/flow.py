"""Steps that hold steps: a table of small functions with one signature.

A block is no step of the reports: its steps are, each with the blocks around it. What is told of
the block itself is only that nothing of it was done, that it could not begin or end, or what broke
its contract. A function of the table gives the reason when nothing was done.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from tapir_replay.engine.contracts import watched
from tapir_replay.engine.events import Fault, FaultKind
from tapir_replay.engine.faults import StepFault, fault, of_exception
from tapir_replay.engine.leaf import Leaf, saved
from tapir_replay.engine.scope import fragment_scope
from tapir_replay.engine.situation import Done, Mercy, Situation, Where, whole
from tapir_replay.engine.titles import short
from tapir_replay.scenario.matchers import show
from tapir_replay.scenario.model import Fragment, Step
from tapir_replay.scenario.templates import Scope, TemplateError, render

Args = Mapping[str, Any]


class Flow:
    """Plays the steps of one scenario."""

    def __init__(self, situation: Situation) -> None:
        self.now = situation
        self._leaf = Leaf(situation)

    async def steps(self, steps: Sequence[Step], where: Where) -> None:
        """Do steps in order."""
        for number, step in enumerate(steps, start=1):
            stop = self.now.stop
            if stop is not None and stop.block is not None and stop.block.kind == "retry":
                return  # they are done again, from the first
            await self.step(step, f"{where.id}.{number}", where)

    async def step(self, step: Step, step_id: str, where: Where) -> None:
        """Do one step, with all that is in it."""
        block = _BLOCKS.get(step.verb.name)
        if block is None or self.now.stop is not None:
            await self._leaf.play(step, step_id, where)
            return
        try:
            args = {
                name: value if name == "while" else render(value, self.now.scope)
                for name, value in step.args.items()
            }
            skipped = None if step.when is None else await self.now.why_not(step.when)
            mercy = self._mercy(step)
        except Exception as error:
            await self._tell(step, step_id, where, Done(fault=of_exception(error)))
            return
        if skipped is not None:
            await self._tell(step, step_id, where, Done(reason=skipped))
            return
        inside = where.inside(step_id, self._leaf.title(step, args), step.place)
        with self.now.merciful(mercy):
            done = await self._done(step, lambda: block(self, step, args, inside))
            if done.fault is not None or done.reason is not None:
                await self._tell(step, step_id, where, done)

    async def _done(self, step: Step, work: Callable[[], Awaitable[str | None]]) -> Done:
        """What came of a block itself; what came of its steps is told already."""

        async def guarded() -> Done:
            try:
                reason = await work()
            except Exception as error:
                return Done(fault=of_exception(error))
            return Done(reason=reason)

        async def unless_stopped() -> Done:
            done = await guarded()
            # Where a step inside did not pass, nothing more is asked of the block.
            return replace(done, reason="") if self.now.stop is not None else done

        if step.contract is None:
            return await guarded()
        done = await watched(self.now, step.contract, unless_stopped)
        return replace(done, reason=None) if done.reason == "" else done

    def _mercy(self, step: Step) -> Mercy | None:
        if self.now.flag(step.optional):
            return Mercy("optional", "optional")
        return Mercy("soft", "") if self.now.flag(step.soft) else None

    async def _tell(self, step: Step, step_id: str, where: Where, done: Done) -> None:
        """Tell of the block itself, as of a step."""
        title = self._leaf.title(step, step.args)
        began = self._leaf.tell_started(step, step_id, where, lambda: title)
        await self._leaf.finish(step, step_id, where, done, began)

    async def round(
        self, step: Step, inside: Where, number: int, of: str, *, word: str = "round"
    ) -> None:
        """Do the steps of a block once more."""
        title = f"{word} {number}" + (f" of {of}" if of else "")
        within = (*inside.within[:-1], f"{inside.within[-1]}, {title}")
        place, name = inside.chain[-1]
        chain = (*inside.chain[:-1], (place, f"{name}, {title}"))
        await self.steps(step.body, Where(f"{inside.id}({number})", within, chain))


async def _group(flow: Flow, step: Step, _: Args, inside: Where) -> None:
    await flow.steps(step.body, inside)


async def _use(flow: Flow, step: Step, _: Args, inside: Where) -> None:
    assert step.fragment is not None
    outer = flow.now.scope
    scope, secrets = fragment_scope(step.fragment, render(step.given, outer), flow.now.common)
    flow.now.stage.redactor.add(secrets)
    flow.now.scope = scope
    try:
        await flow.steps(step.fragment.steps, inside)
        kept = _given_back(step, step.fragment, scope) if flow.now.stop is None else {}
    finally:
        flow.now.scope = outer
    outer.update(kept)


def _given_back(step: Step, fragment: Fragment, scope: Scope) -> dict[str, Any]:
    """What the step keeps of what a fragment gives back; only that is made."""
    wanted = {path[0] for _, path in step.save}
    answer = {}
    here = f"in {step.place}: use {fragment.file}"
    for each in fragment.returns:
        if each.name in wanted:
            try:
                answer[each.name] = render(each.value, scope)
            except TemplateError as error:
                found = of_exception(error)
                details = (*found.details, here)
                raise StepFault(replace(found, details=details, place=each.place)) from None
    return saved(step, answer, f"what {fragment.file} gives back")


async def _repeat(flow: Flow, step: Step, args: Args, inside: Where) -> str | None:
    times, condition = args.get("times"), args.get("while")
    counted = times is not None
    rounds = whole("times", times) if counted else whole("max", args.get("max", 100), 1)
    for number in range(1, rounds + 1):
        if condition is not None:
            ended = await flow.now.why_not(condition, "while")
            if ended is not None:
                return ended if number == 1 else None
        await flow.round(step, inside, number, f"{rounds}" if counted else "")
        if flow.now.stop is not None:
            return None
    if condition is not None and not counted and await flow.now.why_not(condition, "while") is None:
        raise StepFault(_endless(rounds))
    return None if rounds else "times is 0"


async def _for_each(flow: Flow, step: Step, args: Args, inside: Where) -> str | None:
    items, name = args["in"], args.get("as", "item")
    if not isinstance(items, list | tuple):
        raise TemplateError(
            f"for_each: in is {show(items)}, not a list",
            hint="write [a, b], or one {{ expression }} that is a list",
        )
    scope = flow.now.scope
    hidden = {name: scope[name]} if name in scope else {}
    try:
        for number, item in enumerate(items, start=1):
            scope[name] = item
            told = f": {short(item)}" if isinstance(item, str | int | float) else ""
            await flow.round(step, inside, number, f"{len(items)}{told}", word=name)
            if flow.now.stop is not None:
                break
    finally:
        scope.pop(name, None)
        scope.update(hidden)
    return None if items else "the list is empty"


async def _retry(flow: Flow, step: Step, args: Args, inside: Where) -> None:
    attempts = whole("attempts", args.get("attempts", 3), 1)
    for number in range(1, attempts + 1):
        mercy = None
        if number < attempts:
            mercy = Mercy("retry", f"attempt {number} of {attempts}, tried again")
        with flow.now.merciful(mercy):
            await flow.round(step, inside, number, f"{attempts}", word="attempt")
            again = flow.now.stop is not None and flow.now.stop.block is mercy
        if mercy is None or not again:
            return


_BLOCKS: dict[str, Callable[[Flow, Step, Args, Where], Awaitable[str | None]]] = {
    "group": _group,
    "use": _use,
    "repeat": _repeat,
    "for_each": _for_each,
    "retry": _retry,
}


def _endless(rounds: int) -> Fault:
    return fault(
        FaultKind.UNMATCHED,
        f"repeat: `while` still holds after {rounds} rounds",
        hint="raise max if that is right; a loop without an end is a mistake more often",
    )
