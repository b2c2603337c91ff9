"""The two verbs beyond Tapir's: what this server can do, and a lookup by all of several traits."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from tapir_replay.demo import semantics
from tapir_replay.demo.faults import Fault
from tapir_replay.demo.geometry import SCREEN
from tapir_replay.demo.lookup import key_matches

if TYPE_CHECKING:
    from collections.abc import Callable

    from tapir_replay.demo.tree import Node
    from tapir_replay.demo.verbs.common import Context, Reply
    from tapir_replay.demo.verbs.params import Params

PROTOCOL = 1
CAPABILITIES = ("query", "requestId", "find.within")
LIMIT = 20


async def info(_ctx: Context, _params: Params) -> Reply:
    return {"protocol": PROTOCOL, "server": "tapir_replay demo", "capabilities": CAPABILITIES}


async def query(ctx: Context, params: Params) -> Reply:
    found = _found(ctx, params)
    limit = params.int("limit", LIMIT)
    return {"count": len(found), "nodes": [_described(ctx, node) for node in found[:limit]]}


def _found(ctx: Context, params: Params) -> list[Node]:
    nodes = [node for node in ctx.app.reachable if not node.merged]
    token = params.get("within")
    if token is not None:
        if not token:  # here an empty handle is as unknown as a wrong one
            raise ctx.refs.unknown(token, params.method, "within")
        scope = ctx.refs.resolve(token, params.method, "within").node
        nodes = [node for node in nodes if node is not scope and node.is_inside(scope)]
    given = False
    for name, holds in _PLAIN.items():
        wanted = params.get(name)
        if wanted is not None:
            given = True
            nodes = [node for node in nodes if holds(node, wanted)]
    keyed = params.get("key") is not None
    for name in ("text", "contains", "matches"):
        wanted = params.get(name)
        if wanted is not None:
            given = True
            nodes = _by_words(ctx, nodes, _test(name, wanted), keyed=keyed)
    if not given:
        nodes = [n for n in nodes if n.semantics is not None and _says_something(n)]
    return nodes


def _says_something(node: Node) -> bool:
    return bool(semantics.of(node).role or node.label or semantics.value_of(node))


_PLAIN: dict[str, Callable[[Node, str], bool]] = {
    "key": key_matches,
    "label": lambda node, wanted: node.semantics is not None and node.label == wanted,
    "role": lambda node, wanted: node.semantics is not None and node.semantics.role == wanted,
    "value": lambda node, wanted: node.semantics is not None
    and semantics.value_of(node) == wanted,
}  # fmt: skip


def _test(name: str, wanted: str) -> Callable[[str], bool]:
    if name == "text":
        return lambda said: said == wanted
    if name == "contains":
        return lambda said: wanted in said
    try:
        search = re.compile(wanted).search
    except re.error as error:
        text = f'ext.tapir_replay.query: "matches" is not a regular expression: {error}'
        raise Fault(text, "missing_param") from error
    return lambda said: search(said) is not None


def _by_words(
    ctx: Context, nodes: list[Node], holds: Callable[[str], bool], *, keyed: bool
) -> list[Node]:
    """By label; where no label fits, by a `Text` at or inside: the innermost node around it."""
    labelled = [n for n in nodes if n.semantics is not None and holds(n.label)]
    if labelled:
        return labelled
    texts = [n for n in ctx.app.reachable if n.data is not None and holds(n.data)]
    holding = {node for text in texts for node in text.ancestors()}
    around = [node for node in nodes if node in holding]
    if keyed:
        return around
    outer = {parent for node in around for parent in node.ancestors() if parent is not node}
    return [node for node in around if node not in outer]


def _described(ctx: Context, node: Node) -> dict[str, Any]:
    rect = node.live_rect()
    texts = [text.data for text in node.texts() if text.data is not None]
    described: dict[str, Any] = {
        "ref": ctx.refs.token(node),
        "role": node.semantics.role if node.semantics is not None else "",
        "label": node.label,
        "value": semantics.value_of(node) or None,
        "text": "\n".join(texts) if texts else None,
        "key": node.key,
        "bounds": rect.as_json(),
        "isEnabled": node.is_enabled,
        "isVisible": semantics.is_visible(rect),
        "inViewport": rect.overlaps(SCREEN),
        "occluded": semantics.is_occluded(ctx.app, node, rect),
    }
    said = node.semantics
    if said is not None and said.state is not None:
        described["checked"] = said.on
    if said is not None and said.obscured:
        described["obscured"] = True
    if ctx.app.focus is node:
        described["focused"] = True
    described["path"] = f"{node.route_name} {node.type}"
    return described
