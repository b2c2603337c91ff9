"""Verbs that touch: tap and its relatives, hover, drag, keys."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tapir_replay.demo import keyboard, pointer, semantics
from tapir_replay.demo.clock import sleep
from tapir_replay.demo.faults import Fault, missing
from tapir_replay.demo.geometry import Point
from tapir_replay.demo.verbs.common import gated, target_reply, with_snapshot

if TYPE_CHECKING:
    from tapir_replay.demo.refs import Target
    from tapir_replay.demo.tree import Node
    from tapir_replay.demo.verbs.common import Context, Handler, Reply
    from tapir_replay.demo.verbs.params import Params

UNTIL_MS = 3000
HOLD_SECONDS = 0.6


async def tap(ctx: Context, params: Params) -> Reply:
    async with ctx.acting:
        reply = await (_tap_ref(ctx, params) if params.text("ref") else _tap_point(ctx, params))
    until = params.text("until")
    if until:  # outside of the lock: what is waited for may be another caller's doing
        seconds = params.int("untilTimeoutMs", UNTIL_MS) / 1000
        reply["untilMatched"] = await ctx.app.until(lambda: ctx.app.has_text(until), seconds)
    return with_snapshot(ctx, params, reply)


async def _tap_ref(ctx: Context, params: Params) -> Reply:
    target = ctx.refs.resolve(params.get("ref"), params.method)
    checks = await gated(ctx, params, target)
    before = semantics.digest(ctx.app, target.node)
    point, extra = _where(ctx, target, retarget=params.flag("retarget", True))
    pointer.perform(ctx.app, point, "tap")
    changed = semantics.digest(ctx.app, target.node) != before
    reply = target_reply(target)
    reply["effect"] = {"kind": "treeChanged", "changed": changed}
    reply |= extra | checks
    if params.flag("reportPoint", False):
        reply["point"] = point.as_json()
    return reply


def _where(ctx: Context, target: Target, *, retarget: bool) -> tuple[Point, Reply]:
    """The centre, or for a merged row the control that owns what it does."""
    centre = target.node.live_rect().centre
    owner = semantics.tap_owner(ctx.app, target.node) if retarget else None
    if owner is None:
        return centre, {}
    rect = owner.rect.as_owner_json()
    if not owner.reachable:
        return centre, {"tapPointOutsideOwner": {"ownerRect": rect, "point": centre.as_json()}}
    to = owner.rect.centre
    moved = {"from": centre.as_json(), "to": to.as_json(), "ownerRect": rect}
    return to, {"retargeted": moved}


async def _tap_point(ctx: Context, params: Params) -> Reply:
    x, y = params.number("x"), params.number("y")
    if x is None or y is None:
        raise missing(params.method, "ref")
    point = Point(x, y)
    before = ctx.app.version
    pointer.perform(ctx.app, point, "tap")
    reply: Reply = {"effect": {"kind": "treeChanged", "changed": ctx.app.version != before}}
    reply["checks"] = ungated("a tap at coordinates has no target to check")
    if params.flag("reportPoint", False):
        reply["point"] = point.as_json()
    return reply


def ungated(why: str) -> Reply:
    return {"gate": "skipped", "semantics": "held", "why": why}


def gesture(name: pointer.Gesture) -> Handler:
    """A verb that delivers one gesture at the centre of its target."""

    async def handle(ctx: Context, params: Params) -> Reply:
        async with ctx.acting:
            target = ctx.refs.resolve(params.get("ref"), params.method)
            checks = await gated(ctx, params, target)
            point = target.node.live_rect().centre
            if name == "long_press":
                await sleep(ctx.app.clock, HOLD_SECONDS)
            pointer.perform(ctx.app, point, name)
            reply = target_reply(target) | checks
            if name == "hover" and params.flag("reportPoint", False):
                reply["point"] = point.as_json()
            return with_snapshot(ctx, params, reply)

    return handle


async def drag(ctx: Context, params: Params) -> Reply:
    async with ctx.acting:
        reply: Reply = {}
        dx, dy = params.number("dx"), params.number("dy")
        if params.text("startRef"):
            start_target = ctx.refs.resolve(params.get("startRef"), params.method, "startRef")
            by_offset = not params.text("endRef") and (dx is not None or dy is not None)
            found = [start_target]
            if not by_offset:
                found.append(ctx.refs.resolve(params.get("endRef"), params.method, "endRef"))
            for target in found:
                reply |= await gated(ctx, params, target)
            start = start_target.node.live_rect().centre
            reply["startRef"] = start_target.ref
            if by_offset:
                end = Point(start.x + (dx or 0), start.y + (dy or 0))
            else:
                end = found[1].node.live_rect().centre
                reply["endRef"] = found[1].ref
            again = [target.ref for target in found if target.reresolved]
            if again:
                reply["reresolved"] = again
        else:
            start, end = _drag_points(params)
            reply["checks"] = ungated("a drag between coordinates has no target to check")
        pointer.drag(ctx.app, start, end)
        if params.flag("reportPoint", False):
            reply |= {"from": start.as_json(), "to": end.as_json()}
        return with_snapshot(ctx, params, reply)


def _drag_points(params: Params) -> tuple[Point, Point]:
    x, y, to_x, to_y = (params.number(name) for name in ("x", "y", "toX", "toY"))
    if x is None or y is None or to_x is None or to_y is None:
        raise missing(params.method, "startRef")
    return Point(x, y), Point(to_x, to_y)


async def scroll(ctx: Context, params: Params) -> Reply:
    async with ctx.acting:
        target = ctx.refs.resolve(params.get("ref"), params.method) if params.text("ref") else None
        into_view = params.is_on("intoView")
        if into_view and target is None:
            raise missing(params.method, "ref")
        around = _scrollable(ctx, target)
        if around is None:
            if not into_view:
                raise Fault("No scrollable found in the widget tree.", "not_found")
            effect: Reply = {"kind": "scrollOffset", "changed": False, "before": 0.0, "after": 0.0}
            reply: Reply = {"scrolled": False, "finalOffset": 0.0, "effect": effect}
            return with_snapshot(ctx, params, reply)
        scrolling = around.scrolling
        assert scrolling is not None
        before = scrolling.offset
        if into_view and target is not None:
            pointer.show_on_screen(target.node, alignment=0.5)
        else:
            pointer.scroll_to(around, before + _delta(params))
        ctx.app.refresh()
        after = scrolling.offset
        moved = after != before
        reply = {"scrolled": moved, "finalOffset": after}
        reply["effect"] = {
            "kind": "scrollOffset", "changed": moved, "before": before, "after": after,
        }  # fmt: skip
        if target is not None and target.reresolved:
            reply["reresolved"] = [target.ref]
        return with_snapshot(ctx, params, reply)


def _scrollable(ctx: Context, target: Target | None) -> Node | None:
    """The one the target is, is in, or holds; without a target the first on the screen."""
    ctx.app.refresh()
    if target is None:
        return next((node for node in ctx.app.reachable if node.scrolling is not None), None)
    node = target.node
    return node.scrollable or next((n for n in node.walk() if n.scrolling is not None), None)


def _delta(params: Params) -> float:
    """Along the one axis there is. Positive goes down; explicit deltas win over a direction."""
    dx, dy = params.number("dx"), params.number("dy")
    if dx is not None or dy is not None:
        return dy or 0.0
    pixels = params.number("pixels")
    distance = 300.0 if pixels is None else pixels
    return {"up": -distance, "left": 0.0, "right": 0.0}.get(params.text("direction"), distance)


async def press_key(ctx: Context, params: Params) -> Reply:
    async with ctx.acting:
        name = params.required("key")
        key = keyboard.parse_key(name)
        held = keyboard.parse_modifiers(params.text("modifiers"))
        keyboard.press(ctx.app, key, held)
        return with_snapshot(ctx, params, {"ok": True, "key": name})
