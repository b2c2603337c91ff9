"""What the verbs share: the state they act on, the gate, and the snapshot after an action."""

from __future__ import annotations

import asyncio
import uuid
from typing import TYPE_CHECKING, Any

from tapir_replay.demo import gate
from tapir_replay.demo.perf import Perf
from tapir_replay.demo.person import Person
from tapir_replay.demo.recorder import Recorder
from tapir_replay.demo.refs import Refs, Target
from tapir_replay.demo.snapshot import Snapshots

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from tapir_replay.demo.app import App
    from tapir_replay.demo.verbs.params import Params

Reply = dict[str, Any]


class Context:
    """One run of the app, with everything that is remembered on behalf of its callers."""

    def __init__(
        self, app: App, *, plain: bool = False, close_app: Callable[[], None] | None = None
    ) -> None:
        self.app = app
        self.plain = plain
        self.refs = Refs(app, scope_by_question=not plain)
        self.snapshots = Snapshots(app, self.refs)
        self.perf = Perf(app.frames)
        self.recorder = Recorder(app)
        self.person = Person(app, self.recorder)
        self.boot_id = uuid.uuid4().hex
        self.close_app = close_app or (lambda: None)
        # Two actions at once would each see the other's changes as their own effect.
        self.acting = asyncio.Lock()


if TYPE_CHECKING:
    Handler = Callable[[Context, Params], Awaitable[Reply]]


def target_reply(target: Target) -> Reply:
    """The start of most answers: the handle, and whether it had to be found anew."""
    reply: Reply = {"ref": target.ref}
    if target.reresolved:
        reply["reresolved"] = [target.ref]
    return reply


async def gated(ctx: Context, params: Params, target: Target) -> Reply:
    """Run the gate; the answer is what a reply has to say about it, usually nothing."""
    checks = await gate.check(
        ctx.app,
        target,
        stable=params.flag("checkStable", True),
        receives=params.flag("checkReceivesEvents", True),
    )
    return {} if checks is None else {"checks": checks}


def with_snapshot(ctx: Context, params: Params, reply: Reply) -> Reply:
    """Add the screen after the action, as far as it is wanted."""
    mode = params.text("snapshot")
    if mode not in {"full", "diff", "none"}:
        mode = "full" if params.flag("includeSnapshot", True) else "none"
    if mode == "full":
        reply["snapshot"] = ctx.snapshots.full()
    elif mode == "diff":
        reply["snapshot"], is_diff = ctx.snapshots.diff()
        if is_diff:
            reply["snapshotMode"] = "diff"
    return reply


def with_optional_snapshot(ctx: Context, params: Params, reply: Reply) -> Reply:
    """The same for the verbs that show the screen only when asked to, and never as a diff."""
    if params.flag("includeSnapshot", False):
        reply["snapshot"] = ctx.snapshots.full()
    return reply
