"""What a scenario is played with."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from tapir_replay.engine.artifacts import ArtifactStore
from tapir_replay.engine.clock import Clock
from tapir_replay.engine.events import Event
from tapir_replay.engine.redact import Redactor
from tapir_replay.engine.scope import RunValues


@dataclass(slots=True, kw_only=True)
class Stage:
    """What all scenarios of a run share.

    Attributes:
        listen: Called with every event, which has passed the redactor.
        environ: The environment, env files included.
        overrides: Variables from the command line.
    """

    listen: Callable[[Event], None]
    clock: Clock
    redactor: Redactor
    artifacts: ArtifactStore
    run: RunValues
    environ: Mapping[str, str]
    overrides: Mapping[str, str]
    started: float = 0.0

    def begin(self) -> None:
        self.started = self.clock.now()

    @property
    def t(self) -> float:
        """Milliseconds since the run began."""
        return round((self.clock.now() - self.started) * 1000, 3)

    def emit(self, event: Event) -> None:
        self.listen(self.redactor.value(event))
