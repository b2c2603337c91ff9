"""Which time a scenario is played: the round of `--repeat`, and the attempt of `--retries`."""

from __future__ import annotations

from dataclasses import dataclass, replace

from tapir_replay.engine.events import Fault, FaultKind, Outcome

_THE_SAME_AGAIN = frozenset(
    {FaultKind.VALUE, FaultKind.UNAVAILABLE, FaultKind.INTERRUPTED, FaultKind.INTERNAL}
)
"""Faults that no further attempt could do anything about."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """One time that a scenario is played.

    Attributes:
        round: Counts the rounds of the run from 1.
        attempt: Counts the attempts of this round from 1.
        left: How many attempts may follow this one.
    """

    round: int = 1
    attempt: int = 1
    left: int = 0

    def again(self, fault: Fault | None) -> bool:
        """Whether the scenario is played again after this fault."""
        return fault is not None and self.left > 0 and fault.kind not in _THE_SAME_AGAIN

    def outcome(self, outcome: Outcome) -> Outcome:
        """What an attempt that ended so means for the scenario."""
        late = self.attempt > 1 and outcome is Outcome.PASSED
        return Outcome.FLAKY if late else outcome

    def following(self) -> Turn:
        return replace(self, attempt=self.attempt + 1, left=self.left - 1)


ONCE = Turn()
