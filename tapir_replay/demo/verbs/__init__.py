"""The verbs by the name of their extension. Adding one is writing a handler and an entry here."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tapir_replay.demo.verbs import entry, extended, look, measure, moves, recording, touch, watch
from tapir_replay.demo.verbs.common import Context
from tapir_replay.demo.verbs.params import Params

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tapir_replay.demo.verbs.common import Handler, Reply

HANDLERS: dict[str, Handler] = {
    "ext.tapir.blur": entry.blur,
    "ext.tapir.boot_id": moves.boot_id,
    "ext.tapir.clear": entry.clear,
    "ext.tapir.close_app": moves.close_app,
    "ext.tapir.console": watch.console,
    "ext.tapir.dblclick": touch.gesture("double_tap"),
    "ext.tapir.dismiss_modals": moves.dismiss_modals,
    "ext.tapir.drag": touch.drag,
    "ext.tapir.evaluate": watch.evaluate,
    "ext.tapir.exceptions": watch.exceptions,
    "ext.tapir.fill": entry.fill,
    "ext.tapir.find": look.find,
    "ext.tapir.find_by_label": look.find_by_label,
    "ext.tapir.find_by_text": look.find_by_text,
    "ext.tapir.focus": entry.focus,
    "ext.tapir.get_routes": moves.get_routes,
    "ext.tapir.hover": touch.gesture("hover"),
    "ext.tapir.navigate": moves.navigate,
    "ext.tapir.navigate_back": moves.navigate_back,
    "ext.tapir.observe": look.observe,
    "ext.tapir.perf_begin": measure.perf_begin,
    "ext.tapir.perf_end": measure.perf_end,
    "ext.tapir.perf_insight": measure.perf_insight,
    "ext.tapir.perf_trace": measure.perf_trace,
    "ext.tapir.press_key": touch.press_key,
    "ext.tapir.reset_overlays": moves.reset_overlays,
    "ext.tapir.right_click": touch.gesture("secondary_tap"),
    "ext.tapir.screenshot": measure.screenshot,
    "ext.tapir.scroll": touch.scroll,
    "ext.tapir.select_option": entry.select_option,
    "ext.tapir.semantics_hold": measure.semantics_hold,
    "ext.tapir.set_checkbox": entry.set_checkbox,
    "ext.tapir.snap": look.snap,
    "ext.tapir.tap": touch.tap,
    "ext.tapir.triple_click": touch.gesture("triple_tap"),
    "ext.tapir.type": entry.type_,
    "ext.tapir.wait_for": watch.wait_for,
    "ext.tapir.wait_for_network_idle": watch.wait_for_network_idle,
}

EXTENDED: dict[str, Handler] = {
    "ext.demo.person": recording.person,
    "ext.tapir_replay.info": extended.info,
    "ext.tapir_replay.long_press": touch.gesture("long_press"),
    "ext.tapir_replay.press_back": moves.press_back,
    "ext.tapir_replay.query": extended.query,
    "ext.tapir_replay.record_pick": recording.record_pick,
    "ext.tapir_replay.record_start": recording.record_start,
    "ext.tapir_replay.record_stop": recording.record_stop,
}

ACTIONS = frozenset(
    f"ext.tapir.{verb}"
    for verb in (
        "blur", "clear", "close_app", "dblclick", "dismiss_modals", "drag", "fill", "focus",
        "hover", "navigate", "navigate_back", "perf_begin", "perf_end", "press_key",
        "reset_overlays", "right_click", "scroll", "select_option", "semantics_hold",
        "set_checkbox", "tap", "triple_click", "type",
    )
) | {"ext.tapir_replay.long_press", "ext.tapir_replay.press_back"}  # fmt: skip
"""Verbs that change something, so that doing one twice is not the same as doing it once."""

NEVER_WAKES = frozenset(
    f"ext.tapir.{verb}"
    for verb in (
        "boot_id", "close_app", "console", "exceptions", "semantics_hold", "evaluate",
        "perf_begin", "perf_end", "perf_insight", "perf_trace",
    )
)  # fmt: skip
"""Verbs that work without frames, and so say nothing about there being none."""

HINT = (
    "The app draws no frames: its window is hidden, minimised or covered, or the display sleeps. "
    "Bring it to the front and try again."
)


async def call(ctx: Context, method: str, handler: Handler, values: Mapping[str, str]) -> Reply:
    """Run one verb."""
    params = Params(method, values)
    acted = recording.watch(ctx, params, values) if method in ACTIONS else None
    reply = await handler(ctx, params)
    if acted is not None:
        acted()
    if not ctx.app.frames_enabled and method not in NEVER_WAKES:
        reply["warnings"] = {
            "framesEnabled": False,
            "lifecycleState": ctx.app.lifecycle,
            "platform": "linux",
            "hint": HINT,
        }
    return reply


__all__ = ["ACTIONS", "EXTENDED", "HANDLERS", "Context", "call"]
