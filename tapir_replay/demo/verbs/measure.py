"""Verbs that measure: the perf sessions, and the screenshot."""

from __future__ import annotations

import asyncio
import base64
from typing import TYPE_CHECKING

from tapir_replay.demo.faults import Fault
from tapir_replay.demo.geometry import PIXEL_RATIO, SCREEN, Rect

if TYPE_CHECKING:
    from tapir_replay.demo.tree import Node
    from tapir_replay.demo.verbs.common import Context, Reply
    from tapir_replay.demo.verbs.params import Params


async def perf_begin(ctx: Context, params: Params) -> Reply:
    return ctx.perf.begin(params.text("mode", "attribution"), params.flag("phases", False))


async def perf_end(ctx: Context, params: Params) -> Reply:
    return ctx.perf.end(full=params.flag("full", False))


async def perf_insight(ctx: Context, params: Params) -> Reply:
    return ctx.perf.insight(params.text("id"), params.text("token"))


async def perf_trace(ctx: Context, params: Params) -> Reply:
    return ctx.perf.trace(params.text("token"))


async def semantics_hold(ctx: Context, params: Params) -> Reply:
    session = ctx.perf.open
    action = params.text("action", "release")
    if action not in {"release", "acquire"}:
        text = f'ext.tapir.semantics_hold: unknown action "{action}"; use release or acquire'
        raise Fault(text, "missing_param")
    if action == "acquire":
        acquired = session is not None and session.semantics_released
        if session is not None:
            session.semantics_released = False
        return {
            "action": "acquire", "acquired": acquired, "semanticsEnabled": True, "treeReady": True,
        }  # fmt: skip
    if session is None:
        raise Fault("ext.tapir.semantics_hold: release needs an open perf session")
    released = not session.semantics_released
    session.semantics_released = True
    return {
        "action": "release",
        "released": released,
        "semanticsEnabled": False,
        "heldByPlatform": False,
    }


async def screenshot(ctx: Context, params: Params) -> Reply:
    format_ = "png" if params.text("format") == "png" else "jpeg"
    quality = params.int("quality", 70)
    if format_ == "jpeg" and not 0 <= quality <= 100:
        text = f"ext.tapir.screenshot: quality must be between 0 and 100, not {quality}"
        raise Fault(text, "missing_param")
    node, area = _area(ctx, params)
    if params.get("geometry") == "true":
        x, y, width, height = map(float, area)
        rect = {"x": x, "y": y, "width": width, "height": height}
        return {"rect": rect, "devicePixelRatio": PIXEL_RATIO}
    from tapir_replay.demo import paint  # noqa: PLC0415 - Pillow is loaded by the first picture

    picture = paint.paint(ctx.app, area, node)
    # Compressing is slow and needs nothing of the app any more.
    data = await asyncio.to_thread(paint.encode, picture, format_, quality)
    return {
        "format": format_,
        "base64": base64.b64encode(data).decode("ascii"),
        "width": picture.width,
        "height": picture.height,
    }


def _area(ctx: Context, params: Params) -> tuple[Node | None, Rect]:
    ref, part = params.text("ref"), params.text("rect")
    if not ref:
        if part:
            raise Fault(
                'ext.tapir.screenshot: "rect" needs a "ref" to be relative to', "missing_param"
            )
        return None, SCREEN
    node = ctx.refs.resolve(ref, params.method).node
    area = node.live_rect()
    if not part:
        return node, area
    try:
        x, y, w, h = (float(number) for number in part.split(","))
    except ValueError:
        x = y = w = h = -1.0
    if not (x >= 0 and y >= 0 and w > 0 and h > 0):
        raise Fault(
            'ext.tapir.screenshot: rect must be "x,y,w,h": four numbers, x and y not negative, '
            f'w and h positive; got "{part}"',
            "missing_param",
        )
    # Only what the widget covers can be cut out of it.
    w, h = min(w, area.w - x), min(h, area.h - y)
    if w <= 0 or h <= 0:
        raise Fault(f'ext.tapir.screenshot: rect "{part}" lies outside of the widget')
    return node, Rect(area.x + x, area.y + y, w, h)
