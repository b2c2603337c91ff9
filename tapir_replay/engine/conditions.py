"""Conditions on the app: a table of small functions with one signature, polled until they hold."""

from __future__ import annotations

from collections import Counter
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from tapir_replay.app.interface import App
from tapir_replay.engine.answers import headline, identity_of, recorded, route_of
from tapir_replay.engine.clock import Clock, Deadline
from tapir_replay.engine.events import Fault, FaultKind
from tapir_replay.engine.faults import StepFault, fault
from tapir_replay.engine.goldens import Goldens, Update, screenshot, snapshot
from tapir_replay.engine.locate import Locator, resolve
from tapir_replay.engine.screen import UNKNOWN, Match
from tapir_replay.engine.seen import Renewal, Seen
from tapir_replay.scenario.matchers import Matcher, show
from tapir_replay.scenario.model import Condition, Target

LogCounts = dict[tuple[str, str, str, str], int]


@dataclass(slots=True)
class Baseline:
    """What the app had recorded before the scenario began, which does not count.

    Attributes:
        taken: Errors of the scenario that were taken out of the app's list, newest first.
    """

    exceptions: set[tuple[str, str, str]] = field(default_factory=set)
    taken: list[Mapping[str, Any]] = field(default_factory=list)
    logs: LogCounts = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Observer:
    """Looks at one app."""

    app: App
    locator: Locator
    clock: Clock
    baseline: Baseline
    goldens: Goldens = field(default_factory=Goldens)

    async def look(self, condition: Condition) -> Seen:
        """One look at one rendered condition.

        Raises:
            StepFault: It cannot be told; `passing` when that may change.
            AppError: The app cannot be asked.
        """
        return await _KINDS[condition.kind](self, condition)

    async def hold(self, conditions: tuple[Condition, ...], timeout: float) -> list[Fault]:
        """Look until all conditions hold at once; the faults of the last look if they do not."""
        deadline = Deadline(self.clock, timeout)
        update = Update(self.clock) if self.goldens.update else None
        while True:
            deadline.looks += 1
            faults, renewals = [], []
            for each in conditions:
                found = await self._fault(each, deadline)
                if isinstance(found, Renewal):
                    renewals.append(found)
                elif found is not None:
                    faults.append(found)
            if not faults and not renewals:
                return []
            # With nothing else wrong, what the screen is compared with may be brought up to date.
            if update is not None and not faults and update.may_write(renewals, deadline.left):
                return []
            if not await deadline.again():
                return faults

    async def _fault(self, condition: Condition, deadline: Deadline) -> Fault | Renewal | None:
        subject = f" of {condition.target}" if condition.kind in _CHECKS else ""
        try:
            seen = await self.look(condition)
        except StepFault as stopped:
            found = replace(stopped.fault, place=condition.place)
            if not stopped.passing:
                raise StepFault(found) from None
            return found
        if seen.holds:
            return None
        if seen.renewal is not None and self.goldens.update:
            return seen.renewal
        return fault(
            FaultKind.ASSERTION,
            seen.message or f"{condition.kind}{subject}: {seen.seen}",
            expected=seen.expected,
            seen=seen.seen,
            details=(*seen.details, str(deadline)),
            hint=seen.hint,
            place=condition.place,
        )

    async def take_baseline(self) -> None:
        """Remember what is recorded already, so that only what comes later counts."""
        answer = await self.app.call("exceptions", {"limit": "1000", "clear": "true"})
        self.baseline.exceptions = {identity_of(each) for each in recorded(answer, "exceptions")}
        self.baseline.logs = await self.count_logs()

    async def new_exceptions(self) -> list[Mapping[str, Any]]:
        """Errors recorded since the baseline, newest first."""
        answer = await self.app.call("exceptions", {"limit": "1000"})
        return [*self._fresh(answer), *self.baseline.taken]

    async def take_exceptions(self) -> list[Mapping[str, Any]]:
        """Errors recorded since they were taken last, newest first.

        They are taken out of the app's list, which does not list an error again that it holds.
        """
        answer = await self.app.call("exceptions", {"limit": "1000", "clear": "true"})
        fresh = self._fresh(answer)
        if fresh:
            self.baseline.exceptions |= {identity_of(each) for each in fresh}
            self.baseline.taken[:0] = fresh
        return fresh

    def _fresh(self, answer: Mapping[str, Any]) -> list[Mapping[str, Any]]:
        known = self.baseline.exceptions
        return [each for each in recorded(answer, "exceptions") if identity_of(each) not in known]

    async def count_logs(self) -> LogCounts:
        """How often each line is there, to tell later which are new."""
        answer = await self.app.call("console", {"limit": "1000"})
        return Counter(map(_log_identity, recorded(answer, "logs")))

    async def new_logs(self, before: LogCounts | None = None) -> list[Mapping[str, Any]]:
        """Log lines written since the baseline, or since they were counted; newest first."""
        answer = await self.app.call("console", {"limit": "1000"})
        old = dict(self.baseline.logs if before is None else before)
        fresh = []
        for each in reversed(recorded(answer, "logs")):
            identity = _log_identity(each)
            if old.get(identity, 0) > 0:
                old[identity] -= 1
            else:
                fresh.append(each)
        return fresh[::-1]


def _log_identity(entry: Mapping[str, Any]) -> tuple[str, str, str, str]:
    names = ("level", "message", "logger", "time")
    return tuple(str(entry.get(name)) for name in names)  # type: ignore[return-value]


# The kinds


async def _visible(observer: Observer, condition: Condition) -> Seen:
    target = _target(condition)
    found = await observer.locator.find(target)
    shown = [each for each in _chosen(found.matches, target) if each.visible]
    if shown:
        return Seen(True, f"{target} shows", str(shown[0]))
    if found.matches:
        seen = f"{found.matches[0]} is there, but does not show"
        return Seen(False, f"{target} shows", seen)
    missing = await _why_missing(observer, target)
    return Seen(False, f"{target} shows", f"nothing on screen matches {target}", missing)


async def _gone(observer: Observer, condition: Condition) -> Seen:
    target = _target(condition)
    found = await observer.locator.find(target)
    shown = [each for each in _chosen(found.matches, target) if each.visible]
    seen = f"{shown[0]} still shows" if shown else "it does not show"
    return Seen(not shown, f"{target} does not show", seen)


def _chosen(matches: tuple[Match, ...], target: Target) -> tuple[Match, ...]:
    if target.nth is None:
        return matches
    index = int(str(target.nth))
    return matches[index : index + 1]


async def _why_missing(observer: Observer, target: Target) -> tuple[str, ...]:
    try:
        await resolve(observer.locator, target)
    except StepFault as stopped:
        return stopped.fault.details
    return ()


def _enabled(wanted: bool) -> _Look:
    async def look(observer: Observer, condition: Condition) -> Seen:
        match = await _one(observer, condition)
        if match.enabled is None:
            raise _not_told("whether this is enabled", match)
        words = {True: "enabled", False: "disabled"}
        return Seen(
            match.enabled is wanted,
            f"{condition.target} is {words[wanted]}",
            f"{match} is {words[match.enabled]}",
        )

    return look


def _checked(wanted: bool) -> _Look:
    async def look(observer: Observer, condition: Condition) -> Seen:
        match = await _one(observer, condition)
        if match.checked == UNKNOWN:
            raise _not_told("whether this is on or off", match)
        state = {True: "on", False: "off", None: "neither on nor off"}
        now = state[match.checked]  # type: ignore[index]
        return Seen(
            match.checked is wanted,
            f"{condition.target} is {state[wanted]}",
            f"{match} is {now}",
        )

    return look


async def _value(observer: Observer, condition: Condition) -> Seen:
    match = await _one(observer, condition)
    return _compared(condition, match.value or "")


async def _text(observer: Observer, condition: Condition) -> Seen:
    match = await _one(observer, condition)
    return _compared(condition, match.label if match.text is None else match.text)


async def _count(observer: Observer, condition: Condition) -> Seen:
    target = _target(condition)
    found = await observer.locator.find(target)
    seen = _compared(condition, found.count)
    listed = tuple(f"  {each}" for each in found.matches)
    return Seen(seen.holds, seen.expected, seen.seen, listed)


async def _route(observer: Observer, condition: Condition) -> Seen:
    answer = await observer.app.call("get_routes")
    route = route_of(answer)
    if not route:
        found = fault(FaultKind.UNAVAILABLE, "the app does not tell its route")
        raise StepFault(found, passing=True)
    return _compared(condition, route)


async def _exceptions(observer: Observer, condition: Condition) -> Seen:
    entries = [
        each
        for each in await observer.new_exceptions()
        if not any(str(text) in str(each.get("message", "")) for text in condition.allow)
    ]
    if not entries:
        return Seen(True, "no exceptions", "none")
    first = headline(entries[-1])
    stack = str(entries[-1].get("stackHead", "")).splitlines()
    return Seen(False, "no exceptions", f"{len(entries)}, the first {first}", tuple(stack))


async def _log(observer: Observer, condition: Condition) -> Seen:
    return find_line(condition, await observer.new_logs())


def find_line(condition: Condition, lines: Sequence[Mapping[str, Any]]) -> Seen:
    """Whether one of these lines, newest first, is what a condition asks for."""
    lowest = _LEVELS.get(condition.level or "", 0)
    entries = [
        each for each in lines if _LEVELS.get(str(each.get("level", "")).upper(), 800) >= lowest
    ]
    wanted = wanted_line(condition)
    for entry in entries:
        if all(each.holds(str(entry.get("message", ""))) for each in condition.matchers):
            return Seen(True, f"a log line: {wanted}", str(entry.get("message")))
    recent = tuple(f"  {each.get('level')} {each.get('message')}" for each in entries[:5])
    details = ("the last lines:", *recent) if recent else ()
    return Seen(False, f"a log line: {wanted}", f"{len(entries)} lines, none of them it", details)


def wanted_line(condition: Condition) -> str:
    """How messages speak of the line."""
    wanted = " and ".join(str(each) for each in condition.matchers) or "any line"
    return f"{wanted} at {condition.level} or above" if condition.level else wanted


_LEVELS = {
    "FINEST": 300,
    "FINER": 400,
    "FINE": 500,
    "CONFIG": 700,
    "INFO": 800,
    "WARNING": 900,
    "SEVERE": 1000,
    "ERROR": 1000,
    "SHOUT": 1200,
}
"""The levels of `package:logging`, and the wire's ERROR."""

_Look = Callable[[Observer, Condition], Awaitable[Seen]]

_CHECKS = frozenset({"value", "text", "count"})

_KINDS: dict[str, _Look] = {
    "visible": _visible,
    "gone": _gone,
    "enabled": _enabled(wanted=True),
    "disabled": _enabled(wanted=False),
    "checked": _checked(wanted=True),
    "unchecked": _checked(wanted=False),
    "value": _value,
    "text": _text,
    "count": _count,
    "route": _route,
    "exceptions": _exceptions,
    "log": _log,
    "snapshot": snapshot,
    "screenshot": screenshot,
}


def _target(condition: Condition) -> Target:
    assert condition.target is not None
    return condition.target


async def _one(observer: Observer, condition: Condition) -> Match:
    """The one widget a condition is about, with what the app tells of it."""
    return await resolve(observer.locator, _target(condition), detailed=True)


def _not_told(what: str, match: Match) -> StepFault:
    return StepFault(
        fault(
            FaultKind.UNAVAILABLE,
            f"the app does not tell {what}: {match}",
            hint="if it is a control, install the tapir_replay plugin in the app",
        )
    )


def _compared(condition: Condition, actual: Any) -> Seen:
    matchers: tuple[Matcher, ...] = condition.matchers
    expected = " and ".join(str(each) for each in matchers)
    return Seen(all(each.holds(actual) for each in matchers), expected, show(actual))
