"""Tells what a person does to the app, and what comes of it, to whoever listens."""

from __future__ import annotations

import uuid
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Literal

from tapir_replay.demo import sight
from tapir_replay.demo.describe import described, touched

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from tapir_replay.demo.app import App
    from tapir_replay.demo.clock import Timer
    from tapir_replay.demo.geometry import Point
    from tapir_replay.demo.tree import Node

QUIET_SECONDS = 0.1
MOMENT = 0.001
"""Less than this is no time: timers and clocks do not agree to the last digit."""

By = Literal["person", "tool"]


@dataclass
class Run:
    """One recording, from its start to its stop."""

    tools: bool
    id: str = field(default_factory=lambda: uuid.uuid4().hex)
    seq: int = 0
    picking: bool = False
    last: Told | None = None
    changed: float = 0.0
    pose: list[tuple[float, float]] = field(default_factory=list)
    timer: Timer | None = None


@dataclass(frozen=True, eq=False)
class Moment:
    """The app just before something was done to it.

    Attributes:
        run: The recording that was on.
        node: What it is done to, with `target`, its description.
        pending: The action before, with `closing`, all that had come of it by then.
    """

    run: Run
    node: Node | None
    target: dict[str, Any] | None
    sight: sight.Sight
    pending: Told | None
    closing: dict[str, Any] | None


@dataclass(eq=False)
class Told:
    """An action that was told."""

    seq: int
    by: By
    action: str
    moment: Moment
    fields: Mapping[str, Any]
    after: dict[str, Any] | None = None


class Recorder:
    """At most one recording at a time. While there is none, looking and telling do nothing."""

    def __init__(self, app: App) -> None:
        self._app = app
        self._run: Run | None = None
        self.listeners: list[Callable[[dict[str, Any]], None]] = []
        app.listeners.append(self._changed)

    # --- asked for by a client -----------------------------------------------------------------

    def start(self, *, tools: bool) -> dict[str, Any]:
        self.stop()
        self._run = Run(tools)
        return {"run": self._run.id, "seq": 0}

    def stop(self, name: str | None = None) -> dict[str, Any]:
        """End the recording; only the one of that name, if one is given."""
        run = self._run
        if run is None or name not in (None, run.id):
            return {"run": None, "seq": 0}
        self.close()
        self._run = None
        if run.timer is not None:
            run.timer.cancel()
        return {"run": run.id, "seq": run.seq}

    def pick(self) -> bool:
        """The next touch is only told; False when nobody records."""
        if self._run is not None:
            self._run.picking = True
        return self._run is not None

    # --- told by whoever acts ------------------------------------------------------------------

    @property
    def hears_tools(self) -> bool:
        return self._run is not None and self._run.tools

    def takes(self, point: Point) -> bool:
        """Whether the touch that begins here is kept from the app, as a pick."""
        if self._run is None or not self._run.picking:
            return False
        self._run.picking = False
        self.tell("pick", self.look(touched(self._app, point)), point=point.as_json())
        return True

    def describe(self, node: Node | None) -> dict[str, Any] | None:
        return described(self._app, node) if self._run is not None and node is not None else None

    def look(self, node: Node | None) -> Moment | None:
        """Remember the app as it is; to be asked before it hears of what is done to `node`."""
        run = self._run
        if run is None:
            return None
        pending = run.last
        closing = self._came_of(pending) if pending is not None else None
        target = self.describe(node)
        return Moment(run, node, target, sight.look(self._app), pending, closing)

    def close(self) -> None:
        """Tell what came of the last action; what comes now is something else's."""
        run = self._run
        if run is not None and run.last is not None:
            self._tell_after(run.last, self._came_of(run.last))
            run.last = None

    def tell(
        self,
        action: str,
        moment: Moment | None,
        *,
        by: By = "person",
        replaces: Sequence[Told | None] = (),
        **fields: Any,
    ) -> Told | None:
        """Tell an action that was seen coming at `moment`.

        A fill or a scroll stands for one of the same node right before it, and adds to it.
        """
        run = self._run
        if run is None or moment is None or moment.run is not run:
            return None
        last = run.last
        if last is not None and _continues(last, by, action, moment.node):
            replaces = (last,)
            if action == "scroll":
                fields = {name: fields[name] + last.fields[name] for name in fields}
        replaced = [told for told in replaces if told is not None and told.moment.run is run]
        if last is not None and last not in replaced:
            came = moment.closing if moment.pending is last else self._came_of(last)
            self._tell_after(last, came)
        if replaced:
            moment = replaced[0].moment
        event: dict[str, Any] = {"by": by, "action": action, "target": moment.target, **fields}
        if replaced:
            event["replaces"] = [told.seq for told in replaced]
        moment = replace(moment, pending=None, closing=None)  # else each would keep all before it
        told = Told(self._emit("action", event), by, action, moment, fields)
        run.last = told
        self._changed()
        return told

    # --- what came of it -----------------------------------------------------------------------

    def _came_of(self, told: Told) -> dict[str, Any]:
        return sight.difference(self._app, told.moment.sight, told.moment.node)

    def _tell_after(self, told: Told, body: dict[str, Any] | None) -> None:
        if body is not None and body != told.after:
            told.after = body
            self._emit("after", {"of": told.seq, **body})

    def _changed(self) -> None:
        run = self._run
        if run is None or run.last is None:
            return
        run.changed = self._app.clock.now()
        if run.timer is None:
            self._wait(run, QUIET_SECONDS)

    def _wait(self, run: Run, seconds: float) -> None:
        run.timer = self._app.clock.call_later(seconds, lambda: self._wake(run))

    def _wake(self, run: Run) -> None:
        run.timer = None
        if run is not self._run or run.last is None:
            return
        left = run.changed + QUIET_SECONDS - self._app.clock.now()
        if left > MOMENT:
            self._wait(run, left)
        elif self._moves(run):
            self._wait(run, QUIET_SECONDS)
        else:
            self._tell_after(run.last, self._came_of(run.last))

    def _moves(self, run: Run) -> bool:
        """Whether anything went elsewhere since the last look; that is no change of the tree."""
        before = run.pose
        run.pose = [node.motion() for node in self._app.reachable if node.motion is not None]
        return run.pose != before

    def _emit(self, kind: str, fields: Mapping[str, Any]) -> int:
        run = self._run
        assert run is not None
        run.seq += 1
        event = {"run": run.id, "seq": run.seq, "kind": kind, **fields}
        for tell in self.listeners:
            tell(event)
        return run.seq


def _continues(last: Told, by: By, action: str, node: Node | None) -> bool:
    return (
        action in {"fill", "scroll"}
        and (last.by, last.action, by) == ("person", action, "person")
        and last.moment.node is node
    )
