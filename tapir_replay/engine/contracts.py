"""What must hold besides what a step does itself: errors of the app, log lines, and its time.

A window is the time between a step's beginning and its end. Only where something is asked for is
anything looked at: a plain step costs nothing.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any

from tapir_replay.app.errors import AppError
from tapir_replay.engine.answers import first_line, headline
from tapir_replay.engine.clock import Deadline
from tapir_replay.engine.conditions import LogCounts, find_line, wanted_line
from tapir_replay.engine.events import Fault, FaultKind, Note
from tapir_replay.engine.faults import fault, of_exception, together
from tapir_replay.engine.situation import ENDS_ALL, Done, Situation, seconds
from tapir_replay.scenario.model import Allowance, Condition, Contract, ExceptionPolicy
from tapir_replay.scenario.place import Place
from tapir_replay.scenario.templates import Template

_LOG_PATIENCE = 1.0
"""Seconds in which a line that a step causes may still come."""


@dataclass(frozen=True, slots=True)
class Terms:
    """The rendered contract of a step."""

    wanted: tuple[Condition, ...]
    forbidden: tuple[Condition, ...]
    budget: float | None
    place: Place
    before: LogCounts | None
    began: float


async def watched(
    now: Situation, contract: Contract | None, work: Callable[[], Awaitable[Done]]
) -> Done:
    """Do a step, or a block of steps, and hold what happened meanwhile against its contract.

    Args:
        now: The scenario.
        contract: Of the step.
        work: Does it; raises nothing but cancellation.
    """
    try:
        terms = None if contract is None else await _terms(now, contract)
    except Exception as error:
        return Done(fault=of_exception(error))
    done = await work()
    if done.reason is not None or (done.fault is not None and done.fault.kind in ENDS_ALL):
        return done
    try:
        faults = [] if done.fault is not None or terms is None else await _broken(now, terms)
        errors = await _app_errors(now)
    except Exception as error:
        faults, errors = [of_exception(error)], []
    # An error of the app is more often the cause of what else is wrong than the other way round.
    own = [done.fault] if done.fault is not None else []
    done.fault = together([*errors, *own, *faults])
    return done


async def _terms(now: Situation, contract: Contract) -> Terms:
    budget = contract.budget
    if isinstance(budget, Template):
        budget = seconds(budget.render(now.scope))
    wanted = tuple(each.render(now.scope) for each in contract.log)
    forbidden = tuple(each.render(now.scope) for each in contract.forbid_log)
    before = await now.observer.count_logs() if wanted or forbidden else None
    return Terms(wanted, forbidden, budget, contract.place, before, now.stage.clock.now())


async def _broken(now: Situation, terms: Terms) -> list[Fault]:
    spent = now.stage.clock.now() - terms.began
    faults = []
    if terms.before is not None:
        faults += await _lines(now, terms, terms.before)
    late = over_budget(spent, terms.budget, "the step", terms.place)
    return [*faults, *([late] if late is not None else [])]


def over_budget(spent: float, budget: float | None, what: str, place: Place | None) -> Fault | None:
    """The fault of what took longer than it may."""
    if budget is None or spent <= budget:
        return None
    return fault(
        FaultKind.ASSERTION,
        f"{what} took {_time(spent, budget)}; its budget is {_time(budget, spent)}",
        expected=f"at most {_time(budget, spent)}",
        seen=_time(spent, budget),
        place=place,
    )


def _time(value: float, other: float) -> str:
    """`1.25 s`, or `340 ms`; as exact as it has to be to tell the two apart."""
    for digits in (0, 3, 6):
        shown = round(value * 1000, digits)
        if shown != round(other * 1000, digits):
            break
    number, unit = (shown, "ms") if shown < 1000 else (shown / 1000, "s")
    text = f"{number:.{digits + 3}f}".rstrip("0").rstrip(".")
    return f"{text} {unit}"


# Log lines


async def _lines(now: Situation, terms: Terms, before: LogCounts) -> list[Fault]:
    deadline = Deadline(now.stage.clock, _LOG_PATIENCE)
    while True:
        deadline.looks += 1
        lines = await now.observer.new_logs(before)
        missing = [
            (each, seen) for each in terms.wanted if not (seen := find_line(each, lines)).holds
        ]
        if not missing or not await deadline.again():
            break
    faults = [
        fault(
            FaultKind.ASSERTION,
            f"log: the app wrote no such line: {wanted_line(each)}",
            expected=seen.expected,
            seen=seen.seen,
            details=(*seen.details, str(deadline)),
            place=each.place,
        )
        for each, seen in missing
    ]
    for each in terms.forbidden:
        seen = find_line(each, lines)
        if seen.holds:
            faults.append(
                fault(
                    FaultKind.ASSERTION,
                    f"forbid_log: the app wrote such a line: {wanted_line(each)}",
                    expected=f"no log line: {wanted_line(each)}",
                    seen=seen.seen,
                    place=each.place,
                )
            )
    return faults


# Errors of the app


async def _app_errors(now: Situation) -> list[Fault]:
    """What the app reported since the last step, where that counts."""
    if not now.strict:
        return []
    counted = that_count(await now.observer.take_exceptions(), now.exceptions)
    return [app_error(counted, "during this step", now.exceptions)] if counted else []


def that_count(
    entries: Iterable[Mapping[str, Any]], policy: ExceptionPolicy
) -> list[Mapping[str, Any]]:
    """The errors that the scenario does not allow."""
    today = date.today()
    valid = [each for each in policy.allow if each.until is None or today <= each.until]
    return [each for each in entries if not any(_covers(allowed, each) for allowed in valid)]


def _covers(allowed: Allowance, error: Mapping[str, Any]) -> bool:
    text = f"{error.get('type')}: {error.get('message', '')}"
    return all(each.holds(text) for each in allowed.matchers)


def app_error(entries: list[Mapping[str, Any]], when: str, policy: ExceptionPolicy) -> Fault:
    """The fault of errors, newest first; the first of them is told with its stack."""
    first, *others = reversed(entries)
    _, *more = str(first.get("message", "")).splitlines() or [""]
    expired = [each for each in policy.allow if _covers(each, first)]
    return fault(
        FaultKind.APP_ERROR,
        f"the app failed {when}: {headline(first)}",
        expected="no error of the app",
        seen=headline(first) + (f", and {len(others)} more" if others else ""),
        details=(
            *(f"it was allowed until {each.until}: {each.reason}" for each in expired),
            *more,
            *str(first.get("stackHead", "")).splitlines(),
            *(f"also: {headline(each)}" for each in others),
        ),
        hint="a known error can be allowed: exceptions: {allow: [{contains: ..., reason: ...}]}",
        place=expired[0].place if expired else None,
    )


async def late_errors(now: Situation) -> None:
    """At the end of a scenario: what the app reported that no step has failed of."""
    policy = now.exceptions
    if now.app_gone or not now.scope or policy.policy == "ignore":
        return
    try:
        strict = now.strict
        found = await (now.observer.take_exceptions() if strict else now.observer.new_exceptions())
    except AppError:
        return
    entries = that_count(found, policy)
    if not entries:
        return
    if strict and now.fault is None:
        now.record(app_error(entries, "after the last step", policy), None)
        return
    first = first_line(entries[-1])
    text = f"the app recorded {len(entries)} exception(s), the first: {first}"
    ended = next((each for each in policy.allow if _covers(each, entries[-1])), None)
    if ended is not None:
        text += f" (it was allowed until {ended.until}: {ended.reason})"
    now.stage.emit(Note(t=now.stage.t, scenario=now.id, text=text))
