"""How a scenario stands while it is played: what it is played with, its values, what went wrong."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from tapir_replay.engine.acting import Actor
from tapir_replay.engine.conditions import Observer
from tapir_replay.engine.events import Fault, FaultKind, Outcome
from tapir_replay.engine.evidence import Evidence
from tapir_replay.engine.faults import fault
from tapir_replay.engine.goldens import Picture
from tapir_replay.engine.scope import Common
from tapir_replay.engine.screen import Match
from tapir_replay.engine.stage import Stage
from tapir_replay.scenario.matchers import show
from tapir_replay.scenario.model import ExceptionPolicy, Scenario, When, parse_duration
from tapir_replay.scenario.place import Place
from tapir_replay.scenario.templates import Template, TemplateError
from tapir_replay.scenario.values import as_text

ENDS_ALL = frozenset(
    {
        FaultKind.APP_UNREACHABLE,
        FaultKind.APP_GONE,
        FaultKind.TIMEOUT,
        FaultKind.PROTOCOL,
        FaultKind.INTERRUPTED,
        FaultKind.INTERNAL,
    }
)
"""Faults that nothing softens: there is no app to go on with."""


@dataclass(frozen=True, slots=True)
class Where:
    """Where in a scenario a step is done.

    Attributes:
        id: What its id starts with: `steps`, `steps.3`, `steps.3(2)`.
        within: The blocks around it, as people read them: `repeat, round 2`.
        chain: Where these stand, outermost first.
    """

    id: str
    within: tuple[str, ...] = ()
    chain: tuple[tuple[Place, str], ...] = ()

    @property
    def phase(self) -> str:
        return self.id.partition(".")[0]

    def inside(self, step_id: str, title: str, place: Place) -> Where:
        """Inside of a block that stands here."""
        return Where(step_id, (*self.within, title), (*self.chain, (place, title)))


@dataclass(frozen=True, slots=True)
class Mercy:
    """A block that a failure inside of it does not go beyond.

    Attributes:
        kind: `retry` (it is tried again), `optional` (it counts as skipped) or `soft`.
        says: What the failed step is told to be.
    """

    kind: str
    says: str


@dataclass(frozen=True, slots=True)
class Stop:
    """Why no further step is done, and up to which block; None for the whole scenario."""

    reason: str
    block: Mercy | None = None


@dataclass(slots=True)
class Done:
    """What came of a step, before it is told; `kept` is a text that it has read."""

    fault: Fault | None = None
    reason: str | None = None
    warnings: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()
    effect: dict[str, Any] | None = None
    matches: tuple[Match, ...] = ()
    tries: int = 1
    kept: str | None = None
    pictures: tuple[Picture, ...] = ()


@dataclass(slots=True, kw_only=True)
class Situation:
    """What all steps of a scenario share.

    Attributes:
        exceptions: What errors of the app mean.
        scope: What templates can use now, and `common` what those of fragments can.
        strict: An error of the app fails the step it happens in.
    """

    scenario: Scenario
    id: str
    stage: Stage
    actor: Actor
    observer: Observer
    evidence: Evidence
    exceptions: ExceptionPolicy
    scope: dict[str, Any] = field(default_factory=dict)
    common: Common = field(default_factory=Common)
    fault: Fault | None = None
    fault_step: str | None = None
    stop: Stop | None = None
    app_gone: bool = False
    failures: int = 0
    mercies: list[Mercy] = field(default_factory=list)
    strict: bool = field(init=False)

    def __post_init__(self) -> None:
        self.strict = self.exceptions.policy == "fail"

    @property
    def outcome(self) -> Outcome:
        return Outcome.PASSED if self.fault is None else self.fault.kind.outcome

    def mercy(self, *, soft_only: bool = False) -> Mercy | None:
        """The innermost block that a failure here does not go beyond."""
        kinds = (each for each in reversed(self.mercies) if not soft_only or each.kind == "soft")
        return next(kinds, None)

    def record(self, found: Fault, step: str | None) -> None:
        """The first fault counts, but an error counts more than a failure."""
        worse = found.kind.outcome is Outcome.ERROR
        if self.fault is None or (worse and self.fault.kind.outcome is not Outcome.ERROR):
            self.fault, self.fault_step = found, step

    def end(self, found: Fault, step: str | None, reason: str) -> None:
        """A fault that ends the scenario."""
        self.record(found, step)
        self.stop = Stop(reason)
        if found.kind in ENDS_ALL and found.kind is not FaultKind.INTERRUPTED:
            self.app_gone = True

    def go_on(self) -> None:
        """Do the next step although one before it ended the scenario, if there is an app."""
        if not self.app_gone:
            self.stop = None

    @contextmanager
    def merciful(self, mercy: Mercy | None) -> Iterator[None]:
        """While inside of a block; a failure in it ends with the block."""
        if mercy is None:
            yield
            return
        self.mercies.append(mercy)
        try:
            yield
        finally:
            self.mercies.pop()
            if self.stop is not None and self.stop.block is mercy:
                self.stop = None

    # Values

    def flag(self, value: bool | Template) -> bool:
        """A modifier's truth value."""
        if isinstance(value, bool):
            return value
        rendered = value.render(self.scope)
        if isinstance(rendered, bool):
            return rendered
        raise TemplateError(f"{value} is {show(rendered)}, neither true nor false")

    def is_on(self, value: bool | Template) -> bool:
        """The same where a value that cannot be told is no reason to stop."""
        try:
            return self.flag(value)
        except TemplateError:
            return False

    async def why_not(self, when: When, name: str = "when") -> str | None:
        """Why a condition does not hold now; None when it does.

        Raises:
            TemplateError: It cannot be told.
            StepFault: The same, for a condition on the app.
        """
        if isinstance(when, Template):
            value = when.render(self.scope)
            if not isinstance(value, bool):
                raise TemplateError(
                    f"{name}: {when} is {show(value)}, neither true nor false",
                    hint="compare it: {{ name == 'value' }}",
                )
            return None if value else f"{name}: {when} is false"
        for condition in when:
            seen = await self.observer.look(condition.render(self.scope))
            if not seen.holds:
                return f"{name}: {condition.kind} does not hold: {seen.seen}"
        return None


def interrupted() -> Fault:
    return fault(FaultKind.INTERRUPTED, "the run was interrupted")


def whole(name: str, value: Any, least: int = 0) -> int:
    """A whole number that a template gave.

    Raises:
        ValueError: It is none, or too small.
    """
    text = as_text(value).strip()
    if not re.fullmatch("-?[0-9]{1,18}", text):
        raise ValueError(f"{name}: expected a whole number, found {show(value)}")
    if int(text) < least:
        raise ValueError(f"{name} must be at least {least}, found {text}")
    return int(text)


def seconds(value: Any) -> float:
    """Seconds of a number, or of a text such as `300ms`."""
    if isinstance(value, int | float) and not isinstance(value, bool):
        return float(value)
    return parse_duration(str(value))
