"""What a scenario is played with."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from tapir_replay.engine.artifacts import ArtifactStore
from tapir_replay.engine.clock import Clock
from tapir_replay.engine.events import Event
from tapir_replay.engine.redact import Redactor
from tapir_replay.engine.scope import RunValues
from tapir_replay.scenario.model import Target
from tapir_replay.scenario.place import Place


@dataclass(slots=True, kw_only=True)
class Stage:
    """What all scenarios of a run share.

    Attributes:
        listen: Called with every event, in order; each has passed the redactor.
        environ: The environment, env files included.
        overrides: Variables from the command line.
        update_goldens: Write files that the screen is compared with instead of failing.
        golden_suffix: Whose files win over those that all have.
        beside: What the recorder wrote beside the step at a place: another name of its widget.
    """

    listen: Callable[[Event], None]
    clock: Clock
    redactor: Redactor
    artifacts: ArtifactStore
    run: RunValues
    environ: Mapping[str, str]
    overrides: Mapping[str, str]
    update_goldens: bool = False
    golden_suffix: str | None = None
    beside: Callable[[Place], Target | None] = lambda _: None
    started: float = 0.0
    _untold: deque[Callable[[], Event]] = field(default_factory=deque)

    def begin(self) -> None:
        self.started = self.clock.now()

    @property
    def t(self) -> float:
        """Milliseconds since the run began."""
        return round((self.clock.now() - self.started) * 1000, 3)

    def emit(self, event: Event) -> None:
        """Tell of an event now, after all that was not told yet."""
        self._untold.append(lambda: event)
        self.tell()

    def emit_soon(self, event: Callable[[], Event]) -> None:
        """Tell of an event a moment later, while the app works on the next call.

        Making the event and writing the log then costs a run no time of its own.
        """
        self._untold.append(event)
        if len(self._untold) == 1:
            asyncio.get_running_loop().call_soon(self.tell)

    def tell(self) -> None:
        """Tell now of all that was not told yet."""
        while self._untold:
            event = self._untold.popleft()()
            self.listen(self.redactor.value(event))
