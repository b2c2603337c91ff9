"""A merged row speaks for the one control inside of it, and may be missed by who taps its middle.

`set_checkbox` taps the middle, as the wire has it; `tap` goes to the control. So where a row stays
as it was, the runner taps it, and looks what came of it. Only an app that tells whether a control
is on is treated so: what cannot be read back is not claimed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from tapir_replay.app.errors import VerbRefused, VerbUnavailable
from tapir_replay.app.interface import QUERY
from tapir_replay.engine.acting import Acted, Actor
from tapir_replay.engine.clock import Deadline
from tapir_replay.engine.faults import StepFault
from tapir_replay.engine.locate import resolve
from tapir_replay.engine.screen import Match, bounds_of
from tapir_replay.scenario.model import Target
from tapir_replay.scenario.values import as_text
from tapir_replay.verbs.catalogue import BY_NAME
from tapir_replay.verbs.model import Verb

_GRACE = 0.5
"""Seconds in which the first tap may still show: a second one would undo it."""

_SETTLES = 1.0
"""Seconds in which the tap on the control has to show."""

LATE = "the row changed a moment after it was tapped"
ON_CONTROL = "a tap in the middle of the row changed nothing, so its control was tapped"


async def set_by_its_control(
    actor: Actor, verb: Verb, args: Mapping[str, Any], acted: Acted, timeout: float
) -> Acted | None:
    """What came of it after all, where a merged row was not set; None where that is not the case.

    Args:
        actor: Acts on the app.
        verb: What was done.
        args: Its rendered parameters.
        acted: What came of it.
        timeout: Seconds until the row can be tapped.

    Raises:
        AppError: The app is gone.
    """
    effect = acted.answer.get("effect")
    missed = isinstance(effect, Mapping) and effect.get("verified") is False
    if verb.name != "set_checkbox" or not missed or QUERY not in actor.app.capabilities:
        return None
    try:
        if not await _is_merged(actor, acted.matches[0]):
            return None
        return await _tapped(actor, args, acted, timeout)
    except (StepFault, VerbRefused, VerbUnavailable):
        return None  # then it is as it was


async def _tapped(
    actor: Actor, args: Mapping[str, Any], acted: Acted, timeout: float
) -> Acted | None:
    target, wanted = args["target"], as_text(args["value"]) == "true"
    after = await _comes_to(actor, target, wanted, _GRACE)
    if after is wanted:
        return _with_effect(acted, {}, after, wanted, LATE)
    until = {name: args[name] for name in ("until", "untilTimeoutMs") if name in args}
    tapped = await actor.act(BY_NAME["tap"], {"target": target, **until}, timeout)
    after = await _comes_to(actor, target, wanted, _SETTLES)
    return _with_effect(acted, tapped.answer, after, wanted, ON_CONTROL)


def _with_effect(
    acted: Acted, tapped: Mapping[str, Any], after: Any, wanted: bool, told: str
) -> Acted:
    effect = {**acted.answer["effect"], "verified": after is wanted, "after": after}
    until = {name: tapped[name] for name in ("untilMatched",) if name in tapped}
    return replace(acted, answer={**acted.answer, **until, "effect": effect}, told=(told,))


async def _is_merged(actor: Actor, row: Match) -> bool:
    """Whether it has a control that is not in its middle, and that a tap would go to."""
    if row.bounds is None:
        return False
    answer = await actor.app.call("observe", {"limit": "1000", "includeEnrichers": "false"})
    for each in answer.get("candidates", ()):
        bounds = bounds_of(each.get("bounds"))
        if bounds is not None and bounds.near(row.bounds) and "tapOwner" in each:
            return each.get("retargets") is not False
    return False


async def _comes_to(actor: Actor, target: Target, wanted: bool, seconds: float) -> Any:
    """Whether it is on, as soon as that is as wanted, or at the end of the time."""
    deadline = Deadline(actor.clock, seconds)
    while True:
        state = (await resolve(actor.locator, target)).checked
        if state is wanted or not await deadline.again():
            return state
