"""The verbs that the engine carries out itself: a table of functions with one signature."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from tapir_replay.engine.clock import Deadline
from tapir_replay.engine.events import FaultKind, Note
from tapir_replay.engine.faults import StepFault, fault
from tapir_replay.engine.locate import resolve
from tapir_replay.engine.situation import Done, Situation, seconds, whole
from tapir_replay.scenario.model import Target
from tapir_replay.scenario.values import as_text
from tapir_replay.verbs.catalogue import BY_NAME

Args = Mapping[str, Any]


async def _wait(now: Situation, args: Args, _: float) -> Done:
    await now.stage.clock.sleep(seconds(args["for"]))
    return Done()


async def _set(now: Situation, args: Args, _: float) -> Done:
    now.scope.update(args)
    return Done()


async def _log(now: Situation, args: Args, _: float) -> Done:
    stage = now.stage
    text = as_text(args["text"])
    stage.emit(Note(t=stage.t, scenario=now.id, level="info", text=text))
    return Done()


async def _read(now: Situation, args: Args, timeout: float) -> Done:
    match, looks = await now.actor.look_up(args["target"], timeout, detailed=True)
    shown = match.text if match.text is not None else match.label
    holds = match.value or match.role == "textbox"
    kept = now.scope[args["as"]] = (match.value or "") if holds else shown
    return Done(matches=(match,), tries=looks, kept=kept)


async def _scroll_until(now: Situation, args: Args, timeout: float) -> Done:
    target: Target = args["target"]
    scroll = {
        "direction": args.get("direction", "down"),
        "pixels": args.get("pixels", 300),
        **({"target": args["within"]} if "within" in args else {}),
    }
    limit = whole("max", args.get("max", 50), 1)
    deadline = Deadline(now.stage.clock, timeout)
    scrolled = 0
    while True:
        deadline.looks += 1
        found = await now.observer.locator.find(target)
        shown = [each for each in found.matches if each.visible]
        if shown:
            await resolve(now.observer.locator, target)
            return Done(matches=(shown[0],), tries=deadline.looks)
        if scrolled == limit:
            message = f"{target} did not show after scrolling {limit} times {scroll['direction']}"
            hint = "more with max, or further at a time with pixels"
            raise StepFault(fault(FaultKind.NOT_FOUND, message, hint=hint))
        acted = await now.actor.act(BY_NAME["scroll"], scroll, timeout)
        if acted.answer.get("scrolled") is not False:
            scrolled += 1
        elif not await deadline.again():  # what is still loading may make it longer
            message = f"{target} did not show, and there is no more to scroll"
            details = [f"scrolled {scrolled} times {scroll['direction']}", str(deadline)]
            raise StepFault(fault(FaultKind.NOT_FOUND, message, details=details))


OWN: dict[str, Callable[[Situation, Args, float], Awaitable[Done]]] = {
    "wait": _wait,
    "set": _set,
    "log": _log,
    "read": _read,
    "scroll_until": _scroll_until,
}
