"""A widget as a person would tell of it, and the ways in which it could be found again."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Any

from tapir_replay.demo import query, semantics
from tapir_replay.demo.pointer import hit

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tapir_replay.demo.app import App
    from tapir_replay.demo.geometry import Point
    from tapir_replay.demo.tree import Node

ANCHORS = 2
"""How many ancestors with a key a widget is looked for in."""


def touched(app: App, point: Point) -> Node | None:
    """What a person would say is there: from the innermost node outwards the first that can be
    used, else the first that says something, else the first with a key or an identifier.
    """
    found = hit(app, point)
    around = [node for node in found.ancestors() if not node.merged] if found is not None else []
    for holds in (semantics.is_control, _speaks, _has_key):
        for node in around:
            if holds(node):
                return node
    return None


def _speaks(node: Node) -> bool:
    names = query.names_of(node)
    return bool(node.label or semantics.value_of(node) or "tooltip" in names or "hint" in names)


def _has_key(node: Node) -> bool:
    return node.key is not None or "identifier" in query.names_of(node)


def described(app: App, node: Node) -> dict[str, Any]:
    """The widget as it is now."""
    app.refresh()
    found = query.traits(node)
    found["type"] = node.type
    if node.semantics is not None and node.semantics.radio:
        found["radio"] = True
    if node.choice is not None:
        found["dropdown"] = True
    if node.edit is not None and node.edit.lines > 1:
        found["multiline"] = True
    found["candidates"] = list(_candidates(app, node))
    return found


def _candidates(app: App, node: Node) -> Iterator[dict[str, Any]]:
    by_label, *by_names, text, role = _inner_ways(node)
    identifier = query.names_of(node).get("identifier")
    value = semantics.value_of(node) if role and role["role"] != "textbox" else ""
    ways = (
        {"key": node.key} if node.key is not None else {},
        {"identifier": identifier} if identifier else {},
        by_label,
        {"label": node.label} if node.label else {},
        *by_names,
        text,
        role | {"value": value} if value else {},
        role,
    )
    yield from _tried(app, node, ways)
    for anchor in islice(_anchors(app, node), ANCHORS):
        yield from _tried(app, node, (by_label, *by_names, text, role), anchor)


def _inner_ways(node: Node) -> tuple[dict[str, str], ...]:
    """By role and label, hint, tooltip; by text; by role; empty with nothing to go by."""
    role: dict[str, str] = (
        {"role": node.semantics.role} if node.semantics and node.semantics.role else {}
    )
    by_label = role | {"label": node.label} if role and node.label else {}
    names = query.names_of(node)
    by_names = (role | {name: names[name]} if name in names else {} for name in ("hint", "tooltip"))
    text = next((t.data.partition("\n")[0] for t in node.texts() if t.data), "")
    return by_label, *by_names, {"text": text} if text and text != node.label else {}, role


def _anchors(app: App, node: Node) -> Iterator[Node]:
    """The ancestors with a key that nothing else has, the nearest first."""
    for around in node.ancestors():
        if around is node or around.key is None:
            continue
        if query.find(app, {"key": around.key}) == [around]:
            yield around


def _tried(
    app: App, node: Node, ways: tuple[dict[str, str], ...], anchor: Node | None = None
) -> Iterator[dict[str, Any]]:
    for by in filter(None, ways):
        found = query.find(app, by, anchor)
        if node in found:
            inside = {} if anchor is None else {"within": {"key": anchor.key}}
            yield {"by": by, **inside, "count": len(found), "index": found.index(node)}
