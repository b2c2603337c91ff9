"""Steps that hold steps: a table of small functions with one signature.

A block is no step of the reports: its steps are, each with the blocks around it. What is told of
the block itself is only that it was skipped, or that it could not begin or end.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any

from tapir_replay.engine.events import Fault, FaultKind
from tapir_replay.engine.faults import StepFault, fault, of_exception
from tapir_replay.engine.leaf import Leaf
from tapir_replay.engine.scope import fragment_scope
from tapir_replay.engine.situation import Done, Mercy, Situation, Where
from tapir_replay.scenario.matchers import show
from tapir_replay.scenario.model import Step
from tapir_replay.scenario.templates import TemplateError, render

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
        title = self._leaf.title(step, args)
        with self.now.merciful(mercy):
            try:
                await block(self, step, args, where.inside(step_id, title, step.place))
            except (StepFault, TemplateError, ValueError) as error:
                await self._tell(step, step_id, where, Done(fault=of_exception(error)))

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
    scope, secrets = fragment_scope(step.fragment, render(step.given, outer), outer)
    flow.now.stage.redactor.add(secrets)
    flow.now.scope = scope
    try:
        await flow.steps(step.fragment.steps, inside)
    finally:
        flow.now.scope = outer


async def _repeat(flow: Flow, step: Step, args: Args, inside: Where) -> None:
    times = args.get("times")
    rounds = int(times) if times is not None else int(args.get("max", 100))
    for number in range(1, rounds + 1):
        if "while" in args and await flow.now.why_not(args["while"], "while") is not None:
            return
        await flow.round(step, inside, number, f"{rounds}" if times is not None else "")
        if flow.now.stop is not None:
            return
    if times is None and await flow.now.why_not(args["while"], "while") is None:
        raise StepFault(_endless(rounds))


async def _for_each(flow: Flow, step: Step, args: Args, inside: Where) -> None:
    items, name = args["in"], args.get("as", "item")
    if not isinstance(items, list | tuple):
        raise TemplateError(
            f"for_each: in is {show(items)}, not a list",
            hint="write [a, b], or one {{ expression }} that is a list",
        )
    scope = flow.now.scope
    hidden = {name: scope[name]} if name in scope else {}
    for number, item in enumerate(items, start=1):
        scope[name] = item
        await flow.round(step, inside, number, f"{len(items)}")
        if flow.now.stop is not None:
            break
    scope.pop(name, None)
    scope.update(hidden)


async def _retry(flow: Flow, step: Step, args: Args, inside: Where) -> None:
    attempts = int(args.get("attempts", 3))
    for number in range(1, attempts + 1):
        mercy = None
        if number < attempts:
            mercy = Mercy("retry", f"attempt {number} of {attempts}, tried again")
        with flow.now.merciful(mercy):
            await flow.round(step, inside, number, f"{attempts}", word="attempt")
            again = flow.now.stop is not None and flow.now.stop.block is mercy
        if mercy is None or not again:
            return


_BLOCKS: dict[str, Callable[[Flow, Step, Args, Where], Awaitable[None]]] = {
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
