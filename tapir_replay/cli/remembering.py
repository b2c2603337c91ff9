"""Listens to a run for what later runs want to know: how long each scenario took, what failed."""

from __future__ import annotations

from collections.abc import Sequence

from tapir_replay.engine.events import Event, FaultKind, Outcome, ScenarioFinished
from tapir_replay.project.history import Past


class Remembering:
    """Takes the events of a run.

    Args:
        keys: What the scenarios are known by, in the order of the plan.
        durations: Whether to keep them. Not of a shard: the next shard on this machine would be
            balanced by other durations than the one before, and they would no longer be parts of
            one whole.
    """

    def __init__(self, keys: Sequence[str], *, durations: bool) -> None:
        self._keys = keys
        self._durations = durations
        self._played: dict[str, Past] = {}

    def add(self, event: Event) -> None:
        if not isinstance(event, ScenarioFinished) or event.again:
            return
        interrupted = event.fault is not None and event.fault.kind is FaultKind.INTERRUPTED
        if event.outcome is Outcome.SKIPPED or interrupted:
            return
        key = self._keys[int(event.scenario) - 1]
        took = event.duration if self._durations else None
        now, before = Past(took, event.outcome.value), self._played.get(key)
        if before is None or now.failed or not before.failed:  # one bad round of several counts
            self._played[key] = now

    @property
    def played(self) -> list[tuple[str, Past]]:
        """The scenarios that were played to their end, with how that was."""
        return list(self._played.items())
