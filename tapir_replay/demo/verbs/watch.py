"""Verbs that wait or read what the app recorded."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tapir_replay.demo.clock import sleep
from tapir_replay.demo.faults import Fault

if TYPE_CHECKING:
    from tapir_replay.demo.verbs.common import Context, Reply
    from tapir_replay.demo.verbs.params import Params

SHORTEST_POLL_MS = 100


async def wait_for(ctx: Context, params: Params) -> Reply:
    app = ctx.app
    name = next((n for n in ("text", "textGone", "expression") if params.get(n) is not None), None)
    if name is None:
        names = "text, textGone, or expression"
        raise Fault(f"ext.tapir.wait_for: at least one of {names} is required", "missing_param")
    wanted = params.get(name) or ""
    started = app.clock.now()
    matched = await app.until(
        lambda: app.has_text(wanted) is (name != "textGone"),
        params.int("timeoutMs", 5000) / 1000,
    )
    if not matched:
        return {"matched": False, "reason": "timeout"}
    return {"matched": True, "elapsedMs": int((app.clock.now() - started) * 1000)}


async def wait_for_network_idle(ctx: Context, params: Params) -> Reply:
    """Idle time is counted in whole polls, and the first poll counts."""
    app = ctx.app
    timeout, idle = params.int("timeoutMs", 5000), params.int("idleMs", 500)
    poll = params.int("pollIntervalMs", 200)
    if poll < SHORTEST_POLL_MS:
        text = (
            f"ext.tapir.wait_for_network_idle: pollIntervalMs must be at least {SHORTEST_POLL_MS}"
        )
        raise Fault(text)
    deadline = app.clock.now() + timeout / 1000
    most = quiet = 0
    while True:
        most = max(most, app.pending_requests)
        quiet = 0 if app.pending_requests else quiet + poll
        if quiet >= idle:
            return {"matched": True, "idleAchievedMs": quiet}
        if app.clock.now() + poll / 1000 > deadline:
            text = (
                f"ext.tapir.wait_for_network_idle: timeout after {timeout}ms "
                f"(max in-flight count observed: {most})"
            )
            raise Fault(text, "timeout")
        await sleep(app.clock, poll / 1000)


async def console(ctx: Context, params: Params) -> Reply:
    logs = ctx.app.console.read(params.int("limit", 50), params.text("minLevel"))
    return {"logs": logs, "count": len(logs)}


async def exceptions(ctx: Context, params: Params) -> Reply:
    found = ctx.app.exceptions.read(params.int("limit", 20), params.time("since"))
    if params.flag("clear", False):
        ctx.app.exceptions.clear()
    return {"exceptions": found, "count": len(found)}


async def evaluate(_ctx: Context, params: Params) -> Reply:
    """The extension never evaluates: it says who would."""
    expression = params.text("expression")
    if not expression:
        raise Fault("expression param is required", "missing_param")
    return {"expression": expression, "result": f"<eval-via-vm-service: {expression}>"}
