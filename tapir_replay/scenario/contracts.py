"""What a file says of errors of the app: whether they count, and which are known."""

from __future__ import annotations

from datetime import date
from typing import Any

from tapir_replay.scenario.assertions import Assertions
from tapir_replay.scenario.diagnostics import Severity
from tapir_replay.scenario.model import Allowance, ExceptionPolicy
from tapir_replay.scenario.reading import At, Reader
from tapir_replay.scenario.templates import has_template


def exception_policy(written: Any, read: Reader, at: At = ("exceptions",)) -> ExceptionPolicy:
    """Read the checked value of `exceptions`; faults go to the reader's file."""
    if not isinstance(written, dict):
        return ExceptionPolicy(policy=written)
    return ExceptionPolicy(
        policy=written.get("policy"),
        allow=tuple(
            _allowance(each, read, (*at, "allow", index))
            for index, each in enumerate(written.get("allow", ()))
        ),
    )


def _allowance(written: dict[str, Any], read: Reader, at: At) -> Allowance:
    wanted = {name: each for name, each in written.items() if name in ("contains", "matches")}
    if not wanted:
        read.error("missing-key", "an allowed error needs contains or matches", at)
    for name in [name for name, each in wanted.items() if has_template(each)]:
        message = f"{name} of allow cannot hold {{{{ }}}}"
        read.error("wrong-form", message, (*at, name), "write the text of the error itself")
        del wanted[name]
    return Allowance(
        matchers=Assertions(read).matchers(wanted, at) if wanted else (),
        reason=written["reason"],
        until=_date(written.get("until"), read, (*at, "until")),
        place=read.place(at),
    )


def _date(text: str | None, read: Reader, at: At) -> date | None:
    try:
        last = None if text is None else date.fromisoformat(text)
    except ValueError:
        read.error("wrong-form", f"there is no day {text}", at, "year-month-day: 2026-12-31")
        return None
    if last is not None and last < date.today():
        message = f"the last day was {last}: the error counts again"
        hint = "take the entry out, or give it another day"
        read.report(Severity.WARNING, "expired", message, read.span(at, key=False), hint)
    return last
