"""What a person sees of the app at one moment, and what is different a while later."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from tapir_replay.demo import query, semantics
from tapir_replay.demo.geometry import SCREEN

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tapir_replay.demo.app import App
    from tapir_replay.demo.tree import Node

LISTED = 20
LONGEST = 200


@dataclass(frozen=True)
class Seen:
    """Where a text was read."""

    node: Node = field(compare=False)
    role: str
    key: str | None


@dataclass(frozen=True)
class Sight:
    """The address, and the texts in the viewport in tree order."""

    route: str
    texts: Mapping[str, Seen]


def look(app: App) -> Sight:
    texts: dict[str, Seen] = {}
    for node in semantics.nodes(app):
        said = node.label or ("" if node.edit is not None else semantics.value_of(node))
        if said and len(said) <= LONGEST and node.live_rect().overlaps(SCREEN):
            texts.setdefault(said, Seen(node, semantics.of(node).role, node.key))
    return Sight(app.router.uri, texts)


def difference(app: App, before: Sight, target: Node | None) -> dict[str, Any]:
    """What came of something: the body of an `after`."""
    now = look(app)
    body: dict[str, Any] = {}
    if now.route != before.route:
        body["route"] = {"from": before.route, "to": now.route}
    appeared = [text for text in _only_in(now, before) if not _is_covered(app, now.texts[text])]
    body["appeared"] = [_told(app, text, now) for text in appeared[:LISTED]]
    body["gone"] = [_told(app, text, before) for text in _only_in(before, now)[:LISTED]]
    body["target"] = _held(app, target)
    return body


def _only_in(one: Sight, other: Sight) -> list[str]:
    return [text for text in one.texts if text not in other.texts]


def _is_covered(app: App, seen: Seen) -> bool:
    return semantics.is_occluded(app, seen.node, seen.node.live_rect())


def _told(app: App, text: str, sight: Sight) -> dict[str, Any]:
    seen = sight.texts[text]
    told: dict[str, Any] = {"text": text, "role": seen.role}
    if seen.key is not None:
        told["key"] = seen.key
    told["count"] = len(query.find(app, {"text": text}))
    if (shape := _shape(text)) != text:
        told["alike"] = sum(_shape(each) == shape for each in sight.texts)
    return told


def _shape(text: str) -> str:
    """The text with its numbers made one and the same."""
    return re.sub(r"[0-9]+", "\0", text)


def _held(app: App, node: Node | None) -> dict[str, Any] | None:
    if node is None or node not in app.reachable:
        return None
    traits = query.traits(node)
    return {name: traits[name] for name in ("value", "checked", "isEnabled") if name in traits}
