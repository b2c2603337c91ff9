"""What the engine tells while it plays: small typed events, one line of the run log each.

The log (`run.jsonl`) is the only thing the engine writes besides artifacts; every report is a
function of it. All text in an event has passed the redactor, all paths are relative: `file` to the
folder the run was started in, with forward slashes; `path` of an artifact to the run's folder.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, ClassVar

from tapir_replay.scenario.place import Place

LOG_VERSION = 1


class Outcome(StrEnum):
    """How a step, a scenario or a run ended."""

    PASSED = "passed"
    FAILED = "failed"
    """The app did not do what the scenario asks for."""
    ERROR = "error"
    """The question could not be asked: the app is unreachable, a tool is at fault."""
    SKIPPED = "skipped"
    FLAKY = "flaky"
    """A scenario passed only when it was played again. Of a run: one did, and none failed."""


class FaultKind(StrEnum):
    """Why a step did not pass. The first group are failures, the second errors."""

    ASSERTION = "assertion"
    UNMATCHED = "unmatched"
    UNVERIFIED = "unverified"
    NOT_FOUND = "not_found"
    AMBIGUOUS = "ambiguous"
    NOT_ACTIONABLE = "not_actionable"
    REFUSED = "refused"
    APP_ERROR = "app_error"
    """The app itself reported an error, and the scenario says that this counts."""

    APP_UNREACHABLE = "app_unreachable"
    APP_GONE = "app_gone"
    TIMEOUT = "timeout"
    UNAVAILABLE = "unavailable"
    PROTOCOL = "protocol"
    VALUE = "value"
    INTERRUPTED = "interrupted"
    INTERNAL = "internal"

    @property
    def outcome(self) -> Outcome:
        return Outcome.ERROR if self in _ERRORS else Outcome.FAILED


_ERRORS = frozenset(
    {
        FaultKind.APP_UNREACHABLE,
        FaultKind.APP_GONE,
        FaultKind.TIMEOUT,
        FaultKind.UNAVAILABLE,
        FaultKind.PROTOCOL,
        FaultKind.VALUE,
        FaultKind.INTERRUPTED,
        FaultKind.INTERNAL,
    }
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """Another way to name a widget that was not found.

    Attributes:
        param: The parameter of the step that it is for.
        target: What to write there, on one line of YAML.
        because: What speaks for it, in words.
    """

    param: str
    target: str
    because: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """Why a step did not pass.

    Attributes:
        kind: Decides between failure and error.
        message: One line that stands for itself.
        expected: What the scenario asks for, as text.
        seen: What was there instead, as text.
        details: More lines: candidates, near labels, a stack.
        hint: What to do about it.
        place: The very line that did not hold, where that is not the step's own.
        proposal: How the scenario could be mended; nothing does it by itself.
    """

    kind: FaultKind
    message: str
    expected: str | None = None
    seen: str | None = None
    details: tuple[str, ...] = ()
    hint: str | None = None
    place: Place | None = None
    proposal: Proposal | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Planned:
    """A scenario that the run is going to play, in order."""

    id: str
    name: str
    place: Place
    tags: tuple[str, ...] = ()
    round: int = 1
    """Which time, when the run plays all of its scenarios several times."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """The common part: `t` is milliseconds since the start of the run."""

    name: ClassVar[str]

    t: float


@dataclass(frozen=True, slots=True, kw_only=True)
class RunStarted(Event):
    name: ClassVar[str] = "run_started"

    version: int = LOG_VERSION
    tool: str
    """Name and version of the runner."""
    run: str
    started: str
    """ISO 8601 with zone."""
    app: str
    host: str = ""
    plan: tuple[Planned, ...] = ()
    rounds: int = 1
    """How often each scenario is played."""
    retries: int = 0
    """How often a scenario that does not pass is played again."""
    project: str = ""
    """The project file."""
    profile: str = ""
    shard: str = ""
    """Which part of the scenarios the run plays: `2/3`."""
    seed: str = ""
    """What the order of the scenarios was made from, if they are shuffled."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ScenarioStarted(Event):
    name: ClassVar[str] = "scenario_started"

    scenario: str
    """The id of its `Planned`."""
    title: str
    place: Place
    tags: tuple[str, ...] = ()
    app: str = ""
    steps: int = 0
    """How many steps it has, hooks included."""
    round: int = 1
    attempt: int = 1
    """Counts how often it is played in this round, until it passes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StepStarted(Event):
    name: ClassVar[str] = "step_started"

    scenario: str
    step: str
    """Unique in the scenario: `setup.1`, `steps.3`, `teardown.1`."""
    phase: str
    """`setup`, `steps`, `on_failure` or `teardown`."""
    title: str
    """The step's own name, else what it does: `tap "Sign in"`."""
    verb: str
    place: Place
    within: tuple[str, ...] = ()
    """The blocks around it, outermost first: `repeat, round 2 of 3`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Artifact(Event):
    """A file that was written beside the log."""

    name: ClassVar[str] = "artifact"

    scenario: str
    step: str
    kind: str
    """`screenshot`, `snapshot`, `exceptions`, `console`, `target`, `file`; where a picture was not
    as it should be, `expected`, `actual` and `difference`."""
    path: str
    media_type: str
    on_failure: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class StepFinished(Event):
    name: ClassVar[str] = "step_finished"

    scenario: str
    step: str
    outcome: Outcome
    duration: float
    """Milliseconds."""
    fault: Fault | None = None
    """Also for a skipped step that was `optional`: what did not hold."""
    soft: bool = False
    """The fault did not end the scenario."""
    reason: str | None = None
    """Why it was skipped."""
    warnings: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()
    """Less than warnings: the console tells them with `-v` only, other reports do not."""
    effect: dict[str, Any] | None = None
    """What the app says the widget holds now."""
    target: str | None = None
    """What was acted on: `button "Sign in" (key submit) at 24,300`."""
    tries: int = 1
    """How often it was looked for or tried."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Note(Event):
    """Something worth telling that belongs to no step: a late exception, a failed artifact."""

    name: ClassVar[str] = "note"

    scenario: str | None = None
    level: str = "warning"
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ScenarioFinished(Event):
    name: ClassVar[str] = "scenario_finished"

    scenario: str
    outcome: Outcome
    duration: float
    """Milliseconds."""
    reason: str | None = None
    """Why it was skipped, or ended before its first step."""
    fault: Fault | None = None
    """The first fault that decided the outcome."""
    step: str | None = None
    """The step of that fault."""
    attempt: int = 1
    again: bool = False
    """It did not pass and is played again: another `scenario_started` of it follows."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunFinished(Event):
    name: ClassVar[str] = "run_finished"

    outcome: Outcome
    exit_code: int
    duration: float
    """Milliseconds."""
    counts: dict[str, int] = field(default_factory=dict)
    """Scenarios by outcome."""
    reason: str | None = None


EVENTS: dict[str, type[Event]] = {
    kind.name: kind
    for kind in (
        RunStarted,
        ScenarioStarted,
        StepStarted,
        Artifact,
        StepFinished,
        Note,
        ScenarioFinished,
        RunFinished,
    )
}
