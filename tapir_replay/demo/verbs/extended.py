"""The verbs beyond Tapir's: what this server can do, a lookup by all of several traits."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tapir_replay.demo.query import PREDICATES, find, place, traits

if TYPE_CHECKING:
    from tapir_replay.demo.tree import Node
    from tapir_replay.demo.verbs.common import Context, Reply
    from tapir_replay.demo.verbs.params import Params

PROTOCOL = 1
CAPABILITIES = (
    "query", "query.more", "requestId", "find.within", "longPress", "pressBack", "record",
)  # fmt: skip
LIMIT = 20


async def info(_ctx: Context, _params: Params) -> Reply:
    return {"protocol": PROTOCOL, "server": "tapir_replay demo", "capabilities": CAPABILITIES}


async def query(ctx: Context, params: Params) -> Reply:
    given = {name: params.get(name) for name in PREDICATES}
    wanted = {name: value for name, value in given.items() if value is not None}
    found = find(ctx.app, wanted, _scope(ctx, params))
    limit = params.int("limit", LIMIT)
    return {"count": len(found), "nodes": [_described(ctx, node) for node in found[:limit]]}


def _scope(ctx: Context, params: Params) -> Node | None:
    token = params.get("within")
    if token is None:
        return None
    if not token:  # here an empty handle is as unknown as a wrong one
        raise ctx.refs.unknown(token, params.method, "within")
    return ctx.refs.resolve(token, params.method, "within").node


def _described(ctx: Context, node: Node) -> dict[str, Any]:
    described = {"ref": ctx.refs.token(node)} | traits(node) | place(ctx.app, node)
    if ctx.app.focus is node:
        described["focused"] = True
    described["path"] = f"{node.route_name} {node.type}"
    return described
