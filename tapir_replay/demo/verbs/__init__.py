"""The verbs by name. Adding one is writing a handler and an entry here."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tapir_replay.demo.verbs import entry, extended, look, measure, moves, touch, watch
from tapir_replay.demo.verbs.common import Context
from tapir_replay.demo.verbs.params import Params

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tapir_replay.demo.verbs.common import Handler, Reply

HANDLERS: dict[str, Handler] = {
    "blur": entry.blur,
    "boot_id": moves.boot_id,
    "clear": entry.clear,
    "close_app": moves.close_app,
    "console": watch.console,
    "dblclick": touch.gesture("double_tap"),
    "dismiss_modals": moves.dismiss_modals,
    "drag": touch.drag,
    "evaluate": watch.evaluate,
    "exceptions": watch.exceptions,
    "fill": entry.fill,
    "find": look.find,
    "find_by_label": look.find_by_label,
    "find_by_text": look.find_by_text,
    "focus": entry.focus,
    "get_routes": moves.get_routes,
    "hover": touch.gesture("hover"),
    "navigate": moves.navigate,
    "navigate_back": moves.navigate_back,
    "observe": look.observe,
    "perf_begin": measure.perf_begin,
    "perf_end": measure.perf_end,
    "perf_insight": measure.perf_insight,
    "perf_trace": measure.perf_trace,
    "press_key": touch.press_key,
    "reset_overlays": moves.reset_overlays,
    "right_click": touch.gesture("secondary_tap"),
    "screenshot": measure.screenshot,
    "scroll": touch.scroll,
    "select_option": entry.select_option,
    "semantics_hold": measure.semantics_hold,
    "set_checkbox": entry.set_checkbox,
    "snap": look.snap,
    "tap": touch.tap,
    "triple_click": touch.gesture("triple_tap"),
    "type": entry.type_,
    "wait_for": watch.wait_for,
    "wait_for_network_idle": watch.wait_for_network_idle,
}

EXTENDED: dict[str, Handler] = {"info": extended.info, "query": extended.query}

NEVER_WAKES = frozenset(
    {"boot_id", "close_app", "console", "exceptions", "semantics_hold", "evaluate", "perf_begin",
     "perf_end", "perf_insight", "perf_trace"}
)  # fmt: skip
"""Verbs that work without frames, and so say nothing about there being none."""

HINT = (
    "The app draws no frames: its window is hidden, minimised or covered, or the display sleeps. "
    "Bring it to the front and try again."
)


async def call(ctx: Context, verb: str, handler: Handler, values: Mapping[str, str]) -> Reply:
    """Run one verb."""
    reply = await handler(ctx, Params(verb, values))
    if not ctx.app.frames_enabled and verb not in NEVER_WAKES:
        reply["warnings"] = {
            "framesEnabled": False,
            "lifecycleState": ctx.app.lifecycle,
            "platform": "linux",
            "hint": HINT,
        }
    return reply


__all__ = ["EXTENDED", "HANDLERS", "Context", "call"]
