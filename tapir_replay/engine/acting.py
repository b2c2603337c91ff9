"""From a step to the app's answer: look the targets up, act, look again while it may still work.

Nothing here decides whether the answer is good (`verdict`) and nothing is repeated that might have
taken effect: only a refusal, which comes before the action, or a missing widget is tried again.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from tapir_replay.app.errors import VerbRefused
from tapir_replay.app.interface import App
from tapir_replay.engine.clock import Clock, Deadline
from tapir_replay.engine.events import Fault, FaultKind
from tapir_replay.engine.faults import StepFault, is_passing, of_exception
from tapir_replay.engine.locate import Locator, resolve
from tapir_replay.engine.screen import Match
from tapir_replay.scenario.model import Target
from tapir_replay.scenario.values import as_text
from tapir_replay.verbs.model import Type, Verb

CALL_MARGIN = 10.0
"""Seconds an answer may take beyond what the verb itself waits."""

FIRST_SLICE_MS = 50
LAST_SLICE_MS = 500
"""How long the app waits for a text before the screen is looked at again; it doubles."""

MAX_WAIT_MS = 5000
"""The longest a single call waits in the app: web debugging gives up on a call after 10 s."""

AMBIGUOUS_GRACE = 1.0
"""Seconds during which two matches may still become one: a page that slides in over another."""


@dataclass(frozen=True, slots=True)
class Acted:
    """What came of it: the answer, what was acted on, and how often it was tried.

    `told` is what a person has to know of how it was done.
    """

    answer: dict[str, Any]
    matches: tuple[Match, ...] = ()
    tries: int = 1
    told: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Actor:
    """Acts on one app."""

    app: App
    locator: Locator
    clock: Clock

    async def act(self, verb: Verb, args: Mapping[str, Any], timeout: float) -> Acted:
        """Carry a verb out.

        Args:
            verb: The verb.
            args: Its rendered parameters; targets as `Target`.
            timeout: Seconds to look for the targets, and until they can be acted on.

        Raises:
            StepFault: A target was not found, or could not be acted on, within the time.
            AppError: The app refused, or is gone.
        """
        if verb.name in ("wait_for", "wait_for_network_idle"):
            return Acted(await self._wait(verb, args))
        if args.get("until") is None:
            return await self._with_targets(verb, args, timeout)
        limit_ms = int(args.get("untilTimeoutMs", 3000))
        # The wire's own `until` gets the first slice; it knows less than a look at the screen.
        first = {**args, "untilTimeoutMs": min(limit_ms, FIRST_SLICE_MS)}
        acted = await self._with_targets(verb, first, timeout)
        if acted.answer.get("untilMatched") is True:
            return acted
        spent = FIRST_SLICE_MS if "untilMatched" in acted.answer else 0
        matched = await self._text_shows(
            str(args["until"]), gone=False, seconds=max(0, limit_ms - spent) / 1000
        )
        return Acted({**acted.answer, "untilMatched": matched}, acted.matches, acted.tries)

    async def look_up(
        self, target: Target, timeout: float, *, detailed: bool = False
    ) -> tuple[Match, int]:
        """The one widget that a rendered target stands for, and how often it was looked for.

        Raises:
            StepFault: It was not found within the time.
        """
        deadline = Deadline(self.clock, timeout)
        while True:
            deadline.looks += 1
            try:
                return await resolve(self.locator, target, detailed=detailed), deadline.looks
            except StepFault as stopped:
                if not await _worth_waiting(stopped.fault.kind, stopped.passing, deadline):
                    raise _after(stopped.fault, deadline) from None

    async def _with_targets(self, verb: Verb, args: Mapping[str, Any], timeout: float) -> Acted:
        params = wire_params(verb, args)
        targets = [each for each in verb.targets if isinstance(args.get(each.name), Target)]
        deadline = Deadline(self.clock, timeout)
        matches: list[Match] = []
        while True:
            deadline.looks += 1
            matches.clear()
            try:
                for param in targets:
                    match = await resolve(self.locator, args[param.name])
                    params[param.wire_name] = match.ref
                    matches.append(match)
                answer = await self.app.call(verb.name, params, timeout=CALL_MARGIN)
            except StepFault as stopped:
                if not await _worth_waiting(stopped.fault.kind, stopped.passing, deadline):
                    raise _after(stopped.fault, deadline) from None
            except VerbRefused as refused:
                passing = bool(targets) and is_passing(refused)
                found = of_exception(refused)
                if not passing or not await _worth_waiting(found.kind, passing, deadline):
                    named = zip(matches, (args[param.name] for param in targets), strict=False)
                    raise _after(_named(found, named), deadline) from refused
            else:
                return Acted(answer, tuple(matches), deadline.looks)

    async def _wait(self, verb: Verb, args: Mapping[str, Any]) -> dict[str, Any]:
        """The verbs that wait inside the app, in slices that no transport gives up on."""
        total = float(args.get("timeoutMs", 5000)) / 1000
        if verb.name == "wait_for":
            gone = "text" not in args and "textGone" in args
            text = args.get("text", args.get("textGone", args.get("expression")))
            started = self.clock.now()
            if await self._text_shows(str(text), gone=gone, seconds=total):
                elapsed = round((self.clock.now() - started) * 1000)
                return {"matched": True, "elapsedMs": elapsed}
            return {"matched": False, "reason": "timeout"}
        params = wire_params(verb, args)
        deadline = Deadline(self.clock, total)
        while True:
            left = max(0, round(deadline.left * 1000))
            params["timeoutMs"] = str(min(left, MAX_WAIT_MS))
            try:
                return await self.app.call(verb.name, params, timeout=CALL_MARGIN)
            except VerbRefused as refused:
                if refused.kind != "timeout":
                    raise
                if not await deadline.again():
                    # The app tells of the last slice; what counts is the whole.
                    told = re.sub(r"\b\d+ ?ms", f"{total * 1000:.0f}ms", refused.message, count=1)
                    raise VerbRefused(verb.name, told, kind=refused.kind) from refused

    async def _text_shows(self, text: str, *, gone: bool, seconds: float) -> bool:
        """Whether a text comes to show, or to be gone, in time.

        The app's own `wait_for` is woken by the change itself but knows `Text` widgets only, and
        counts those that a covered page keeps; a look at the screen in between makes up for it.
        """
        deadline = Deadline(self.clock, seconds)
        name = "textGone" if gone else "text"
        slice_ms = FIRST_SLICE_MS
        while True:
            found = await self.locator.find(Target(text=text))
            showing = any(each.visible for each in found.matches)
            if showing is not gone:
                return True
            left = deadline.left
            if left <= 0:
                return False
            wait_ms = max(1, min(round(left * 1000), slice_ms))
            slice_ms = min(slice_ms * 2, LAST_SLICE_MS)
            answer = await self.app.call(
                "wait_for", {name: text, "timeoutMs": str(wait_ms)}, timeout=CALL_MARGIN
            )
            if answer.get("matched"):
                if not gone:
                    return True
                await deadline.again()


async def _worth_waiting(kind: FaultKind, passing: bool, deadline: Deadline) -> bool:
    if not passing or (kind is FaultKind.AMBIGUOUS and deadline.elapsed > AMBIGUOUS_GRACE):
        return False
    return await deadline.again()


def _named(fault: Fault, found: Iterable[tuple[Match, Target]]) -> Fault:
    """The fault with targets where the app says refs, which mean nothing to a person."""
    message = fault.message
    for match, target in found:
        if match.ref:
            ref = rf'\bref[= ]"?{re.escape(match.ref)}\b"?'
            message = re.sub(ref, str(target).replace("\\", r"\\"), message)
    return replace(fault, message=message)


def _after(fault: Fault, deadline: Deadline) -> StepFault:
    """The fault with how long it was tried."""
    if deadline.looks == 1 and deadline.elapsed < 0.5:
        return StepFault(fault)
    return StepFault(replace(fault, details=(*fault.details, f"{deadline}")))


def wire_params(verb: Verb, args: Mapping[str, Any]) -> dict[str, str]:
    """Parameters as the wire wants them: texts only, targets left out.

    An action's snapshot is not asked for unless the step does: it is the costly part of an answer.
    """
    params: dict[str, str] = {}
    for name, value in args.items():
        param = verb.param(name)
        if param is None or not param.wire_name or param.type is Type.TARGET or value is None:
            continue
        params[param.wire_name] = (
            ",".join(map(as_text, value)) if isinstance(value, list) else as_text(value)
        )
    if verb.param("includeSnapshot") and "snapshot" not in params:
        params.setdefault("includeSnapshot", "false")
    if verb.name == "screenshot":
        params.setdefault("format", _format_of(args.get("path")))
    return params


def _format_of(path: Any) -> str:
    return "jpeg" if str(path or "").lower().endswith((".jpg", ".jpeg")) else "png"
