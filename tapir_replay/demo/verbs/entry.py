"""Verbs that put something into a control: text, a choice, a tick, the focus."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tapir_replay.demo import pointer, semantics, widgets
from tapir_replay.demo.faults import Fault, missing
from tapir_replay.demo.verbs.common import (
    gated,
    target_reply,
    with_optional_snapshot,
    with_snapshot,
)

if TYPE_CHECKING:
    from tapir_replay.demo.fields import TextEdit
    from tapir_replay.demo.refs import Target
    from tapir_replay.demo.tree import Node
    from tapir_replay.demo.verbs.common import Context, Reply
    from tapir_replay.demo.verbs.params import Params

NO_TEXT_CONTROLS = ("button", "checkbox", "radio", "switch", "slider", "link")


class Written:
    """The field a text goes to, and how it was found from the handle."""

    def __init__(self, ctx: Context, target: Target, verb: str) -> None:
        self.node, self.match_kind = _field_for(ctx, target, verb)

    @property
    def edit(self) -> TextEdit:
        assert self.node.edit is not None
        return self.node.edit

    def effect(self, wanted: str) -> Reply:
        return {
            "kind": "text",
            "verified": self.edit.text == wanted,
            "value": self.edit.text,
            "target": {
                "matchKind": self.match_kind,
                "label": self.node.label,
                "rect": self.node.live_rect().as_json(),
            },
        }


def _field_for(ctx: Context, target: Target, verb: str) -> tuple[Node, str]:
    node = target.node
    inside = next((n for n in node.walk() if n.edit is not None), None)
    if inside is not None:
        return inside, "element"
    if node.semantics is not None and node.semantics.control in NO_TEXT_CONTROLS:
        control = node.semantics.control
        text = f"ext.tapir.{verb}: ref {target.ref} is a {control}, not a text field"
        raise Fault(text, ref=target.ref)
    if verb == "fill":  # a label stands for the field beside it
        fields = [n for n in ctx.app.reachable if n.edit is not None]
        if fields:
            return min(fields, key=lambda n: n.rect.distance_to(node.rect)), "nearest"
    raise Fault(f'ext.tapir.{verb}: no EditableText under ref "{target.ref}"', ref=target.ref)


async def type_(ctx: Context, params: Params) -> Reply:
    async with ctx.acting:
        target = ctx.refs.resolve(params.get("ref"), params.method)
        written = Written(ctx, target, "type")
        text = params.text("text")
        checks = await gated(ctx, params, target)
        _enter(ctx, written, text)
        reply: Reply = {"text": text, "effect": written.effect(text), **checks}
        if target.reresolved:
            reply["reresolved"] = [target.ref]
        return with_snapshot(ctx, params, reply)


async def fill(ctx: Context, params: Params) -> Reply:
    async with ctx.acting:
        ref, text = params.required("ref"), params.given("text")
        target = _for_a_fill(ctx, params, ref)
        written = Written(ctx, target, "fill")
        checks = await gated(ctx, params, target)
        written.edit.enter("")
        _enter(ctx, written, text)
        reply = target_reply(target) | {"text": text, "filled": True}
        reply |= {"effect": written.effect(text), **checks}
        return with_snapshot(ctx, params, reply)


def _for_a_fill(ctx: Context, params: Params, ref: str) -> Target:
    """A description that fits nothing is tried once more; in this app no time would help it."""
    try:
        return ctx.refs.resolve(ref, params.method)
    except Fault as fault:
        if fault.type != "stale" or not ref.startswith("q"):
            raise
        text = f'{params.method}: ref "{ref}" went stale during fill (retried once)'
        raise Fault(text, "stale", ref=ref) from fault


async def clear(ctx: Context, params: Params) -> Reply:
    async with ctx.acting:
        target = ctx.refs.resolve(params.get("ref"), params.method)
        written = Written(ctx, target, "clear")
        await gated(ctx, params, target)
        written.edit.enter("")
        written.node.changed()
        reply = target_reply(target) | {"text": "", "effect": written.effect("")}
        return with_optional_snapshot(ctx, params, reply)


def _enter(ctx: Context, written: Written, text: str) -> None:
    ctx.app.set_focus(written.node)
    written.edit.enter(text)
    written.node.changed()


async def focus(ctx: Context, params: Params) -> Reply:
    async with ctx.acting:
        target = ctx.refs.resolve(params.get("ref"), params.method)
        ctx.app.set_focus(_focusable(target))
        return with_optional_snapshot(ctx, params, target_reply(target) | {"focused": True})


def _focusable(target: Target) -> Node:
    """The nearest thing at or around the target that takes the focus, else a field inside it."""
    for node in target.node.ancestors():
        if semantics.is_control(node):
            return node
    inside = next((n for n in target.node.walk() if semantics.is_control(n)), None)
    if inside is None:
        text = f'ext.tapir.focus: no Focus ancestor or descendant for ref "{target.ref}"'
        raise Fault(text, ref=target.ref)
    return inside


async def blur(ctx: Context, params: Params) -> Reply:
    async with ctx.acting:
        had = ctx.app.focus is not None
        ctx.app.set_focus(None)
        return with_optional_snapshot(ctx, params, {"blurred": True, "hadFocus": had})


async def select_option(ctx: Context, params: Params) -> Reply:
    async with ctx.acting:
        target = ctx.refs.resolve(params.get("ref"), params.method)
        value = params.get("value")
        if value is None:
            raise Fault("Missing required parameter: value.", "missing_param")
        node = next((n for n in target.node.walk() if n.choice is not None), None)
        if node is None or node.choice is None:
            text = f"No selectable widget found for ref={target.ref} value={value}."
            others = [ctx.refs.token(n) for n in ctx.app.reachable if n.choice is not None]
            raise Fault(text, "not_found", ref=target.ref, suggestions=others[:3])
        widgets.choose(node, value)
        held = node.choice.value
        effect: Reply = {"kind": "selected", "verified": held == value, "value": held}
        reply: Reply = {"selected": True, "value": value, "effect": effect}
        if target.reresolved:
            reply["reresolved"] = [target.ref]
        return with_optional_snapshot(ctx, params, reply)


async def set_checkbox(ctx: Context, params: Params) -> Reply:
    async with ctx.acting:
        target = ctx.refs.resolve(params.get("ref"), params.method)
        text = params.get("value")
        if not text:
            raise missing(params.method, "value")
        wanted = text not in {"false", "0"}
        node = _stateful(target)
        before = semantics.of(node).on
        if before is not wanted:
            # No gate here: a control that is covered or off the screen is simply missed.
            pointer.perform(ctx.app, node.live_rect().centre, "tap")
        after = semantics.of(node).on
        effect: dict[str, Any] = {
            "kind": "checked", "verified": after is wanted, "before": before, "after": after,
        }  # fmt: skip
        reply = target_reply(target) | {
            "previousValue": before,
            "value": wanted,
            "toggled": before is not wanted,
            "effect": effect,
        }
        return with_optional_snapshot(ctx, params, reply)


def _stateful(target: Target) -> Node:
    """The node whose checked or toggled state is meant; never a guess among several."""
    node = target.node
    if _has_state(node):
        return node
    if target.nodeless:
        around = next((n for n in node.ancestors() if n.semantics is not None), None)
        if around is not None and _has_state(around):
            return around
    inside = [n for n in node.walk() if _has_state(n) and not n.merged]
    if len(inside) == 1:
        return inside[0]
    why = (
        f'{len(inside)} controls with a checked state below ref "{target.ref}"; '
        "pass the ref of one of them"
        if inside
        else f'no checked or toggled state found at or below ref "{target.ref}"'
    )
    raise Fault(f"ext.tapir.set_checkbox: {why}", ref=target.ref)


def _has_state(node: Node) -> bool:
    return node.semantics is not None and node.semantics.state is not None
