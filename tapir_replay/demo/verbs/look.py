"""Verbs that only look: snap, find, observe."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from tapir_replay.demo import semantics
from tapir_replay.demo.faults import Fault
from tapir_replay.demo.geometry import SCREEN
from tapir_replay.demo.lookup import Placed, Predicates, Valued
from tapir_replay.demo.snapshot import Filter, grep_for

if TYPE_CHECKING:
    from tapir_replay.demo.tree import Node
    from tapir_replay.demo.verbs.common import Context, Reply
    from tapir_replay.demo.verbs.params import Params

HINT = "Run tapir:exceptions for full messages + stack traces."


async def snap(ctx: Context, params: Params) -> Reply:
    pattern = params.text("grep")
    grep, literal = grep_for(pattern) if pattern else (None, False)
    depth = params.int("depth", -1)
    wanted = Filter(
        within=_scope(ctx, params),
        depth=depth if depth >= 0 else None,
        interactive_only=params.flag("interactiveOnly", False),
        grep=grep,
    )
    text = ctx.snapshots.full() if wanted.is_empty else ctx.snapshots.filtered(wanted)
    reply: Reply = {"snapshot": text, "groupId": f"snapshot-{time.time_ns() // 1000}"}
    reports = list(ctx.app.exceptions)
    if reports:
        recent = [{"type": r.type, "message": r.message.split("\n")[0]} for r in reports[:3]]
        reply["renderErrors"] = {"count": len(reports), "recent": recent, "hint": HINT}
    if literal:
        reply["grepLiteral"] = True
    return reply


def _scope(ctx: Context, params: Params) -> Node | None:
    token = params.text("within")
    if not token:
        return None
    if token.startswith("q"):
        text = f'{params.method}: within "{token}" must be an e<N> ref, q<N> is not taken'
        raise Fault(text, "not_found", ref=token)
    return ctx.refs.resolve(token, params.method, "within").node


async def find(ctx: Context, params: Params) -> Reply:
    wanted = Predicates(
        key=params.text("key"),
        label=params.text("semanticsLabel"),
        text=params.text("text"),
        contains=params.text("contains"),
        within=params.text("within"),
    )
    if wanted.is_empty:
        names = '"text", "contains", "semanticsLabel", or "key"'
        raise Fault(f"ext.tapir.find: at least one of {names} is required", "missing_param")
    finding = wanted.find(ctx.app, ctx.refs)
    if finding is None:
        reply: Reply = {"ref": None, "matched": False}
        if wanted.within and ctx.refs.scope(wanted.within) is None:
            reply["diagnostic"] = f'within ref "{wanted.within}" does not resolve'
        return reply
    reply = {"ref": ctx.refs.ask(wanted), "matched": True, "matchCount": finding.count}
    if finding.count > 1:
        reply["diagnostic"] = f'{finding.count} nodes are labelled "{finding.node.label}"'
    return reply


async def find_by_text(ctx: Context, params: Params) -> Reply:
    text = params.required("text")
    exact = params.get("exact") != "false"
    found = [
        node
        for node in ctx.app.elements
        if node.data is not None and (node.data == text if exact else text in node.data)
    ]
    return {"refs": [ctx.refs.fresh_token(node) for node in found]}


async def find_by_label(ctx: Context, params: Params) -> Reply:
    label = params.required("label")
    role = {"textField": "textbox"}.get(params.text("role"), params.text("role"))
    found = [
        node
        for node in semantics.nodes(ctx.app)
        if node.label == label and role in {"", semantics.of(node).role}
    ]
    return {"refs": [ctx.refs.token(node) for node in found]}


async def observe(ctx: Context, params: Params) -> Reply:
    roles = {name.strip() for name in params.text("roles").split(",")} - {""}
    limit = params.int("limit", 50)
    seen: dict[str, int] = {}
    candidates: list[dict[str, Any]] = []
    for node in semantics.nodes(ctx.app):
        position = seen.get(node.label, 0)
        seen[node.label] = position + 1
        role = semantics.of(node).role
        if not role or (roles and role not in roles):
            continue
        if len(candidates) >= limit:
            break
        value = semantics.value_of(node)
        question = Placed(node.label, position) if node.label else Valued(value)
        candidates.append({"ref": ctx.refs.ask(question), "role": role, **_described(ctx, node)})
    return {"candidates": candidates, "count": len(candidates)}


def _described(ctx: Context, node: Node) -> dict[str, Any]:
    rect = node.live_rect()
    visible = semantics.is_visible(rect)
    said: dict[str, Any] = {
        "label": node.label,
        "value": semantics.value_of(node) or None,
        "bounds": rect.as_json(),
        "isEnabled": node.is_enabled,
        "isVisible": visible,
        "inViewport": rect.overlaps(SCREEN),
        "occluded": semantics.is_occluded(ctx.app, node, rect),
    }
    owner = semantics.tap_owner(ctx.app, node)
    if owner is not None:
        said["tapOwner"] = owner.rect.as_json()
        if not owner.reachable:
            said["retargets"] = False
    return said
