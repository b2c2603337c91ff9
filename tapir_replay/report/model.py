"""What a run came to, as the reports tell it: scenarios, their steps, and the facts of the run."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from tapir_replay.engine.events import Artifact, Fault, FaultKind, Note, Outcome, Planned
from tapir_replay.scenario.place import Place

FAULTY = (Outcome.FAILED, Outcome.ERROR)
"""The outcomes that have a fault."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StepResult:
    """A step that was begun.

    Attributes:
        number: Counts the steps of the scenario from 1, those that were not kept included.
    """

    number: int
    id: str
    phase: str
    title: str
    verb: str
    place: Place
    outcome: Outcome
    started: float
    duration: float
    fault: Fault | None = None
    soft: bool = False
    reason: str | None = None
    warnings: tuple[str, ...] = ()
    effect: dict[str, object] | None = None
    target: str | None = None
    tries: int = 1
    artifacts: tuple[Artifact, ...] = ()

    @property
    def faulty(self) -> bool:
        return self.outcome in FAULTY


@dataclass(frozen=True, slots=True, kw_only=True)
class ScenarioResult:
    """A scenario that ended, was cut off by the end of the run, or was never begun.

    Attributes:
        started: Milliseconds since the start of the run.
        fault: What decided the outcome; there whenever the outcome is failed or error.
        step: The step of that fault, if it was one's.
        steps: The steps that were kept, in order; their numbers tell of those left out.
        steps_played: How many were begun.
        steps_planned: How many it has.
        artifacts: Those that belong to no kept step.
        notes_left_out: How many notes were too many.
        attempts: The attempts before this one, none of which passed.
    """

    id: str
    name: str
    place: Place
    outcome: Outcome
    started: float
    duration: float
    tags: tuple[str, ...] = ()
    app: str = ""
    reason: str | None = None
    fault: Fault | None = None
    step: StepResult | None = None
    steps: tuple[StepResult, ...] = ()
    steps_played: int = 0
    steps_planned: int = 0
    artifacts: tuple[Artifact, ...] = ()
    notes: tuple[Note, ...] = ()
    notes_left_out: int = 0
    round: int = 1
    attempts: tuple[ScenarioResult, ...] = ()

    @property
    def soft_faults(self) -> tuple[StepResult, ...]:
        """The faulty steps besides the one that decided."""
        return tuple(step for step in self.steps if step.faulty and step is not self.step)


@dataclass(slots=True, kw_only=True)
class RunFacts:
    """What is known of the run as a whole so far.

    Attributes:
        outcome: None until the run is known to have ended.
        counts: Scenarios by outcome, as they were told here.
        notes: What belongs to no scenario, and what was wrong with the log.
    """

    run: str = ""
    tool: str = ""
    app: str = ""
    host: str = ""
    started: str = ""
    duration: float = 0.0
    outcome: Outcome | None = None
    exit_code: int | None = None
    reason: str | None = None
    plan: tuple[Planned, ...] = ()
    rounds: int = 1
    retries: int = 0
    project: str = ""
    profile: str = ""
    shard: str = ""
    seed: str = ""
    counts: Counter[Outcome] = field(default_factory=Counter)
    notes: list[Note] = field(default_factory=list)

    @property
    def cut_off(self) -> bool:
        """The log has no end: the run was killed, or is still on."""
        return self.outcome is None


def untold(outcome: Outcome, reason: str | None = None) -> Fault:
    """The fault of what did not pass, when the log does not tell why."""
    kind = FaultKind.INTERNAL if outcome is Outcome.ERROR else FaultKind.ASSERTION
    return Fault(kind=kind, message=reason or "it did not pass; the log does not tell why")
