"""The semantics tree as assistive technology, and so a verb, sees it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tapir_replay.demo.geometry import SCREEN, Rect
from tapir_replay.demo.pointer import reaches

if TYPE_CHECKING:
    from tapir_replay.demo.app import App
    from tapir_replay.demo.tree import Node, Semantics


def nodes(app: App) -> list[Node]:
    """Reachable nodes with semantics, in tree order; what a merged row absorbs is not listed."""
    return [node for node in app.reachable if node.semantics is not None and not node.merged]


def of(node: Node) -> Semantics:
    assert node.semantics is not None
    return node.semantics


def value_of(node: Node) -> str:
    """The semantics value; a field's is its content as shown."""
    if node.edit is not None:
        return node.edit.shown
    return node.semantics.value if node.semantics is not None else ""


def is_control(node: Node) -> bool:
    """Whether a person can do something with it (a heading or an image is only looked at)."""
    semantics = node.semantics
    return semantics is not None and (
        semantics.tap
        or semantics.text_field
        or semantics.link
        or semantics.button
        or semantics.state is not None
    )


def has_line(node: Node) -> bool:
    """Whether a snapshot gives the node a ref."""
    return node.semantics is not None and node.semantics.role != ""


def is_visible(rect: Rect) -> bool:
    return not rect.is_empty and rect.overlaps(SCREEN)


def is_occluded(app: App, node: Node, rect: Rect) -> bool:
    """Whether something painted above takes what is aimed at the node's centre."""
    if not is_visible(rect) or not SCREEN.contains(rect.centre):
        return False
    return not reaches(app, node, rect.centre)


@dataclass(frozen=True)
class TapOwner:
    """The control inside a merged row, where it is not under the row's centre."""

    node: Node
    rect: Rect
    reachable: bool
    """Whether a tap may go there instead."""


def tap_owner(app: App, node: Node) -> TapOwner | None:
    """The one labelled control of a merged row, unless the row's centre is on it anyway."""
    if not node.merges:
        return None
    owners = [
        inner
        for inner in node.walk()
        if inner.merged and inner.on_tap is not None and inner.label == node.label
    ]
    if len(owners) != 1:
        return None
    owner = owners[0]
    rect = owner.live_rect()
    if rect.contains(node.live_rect().centre):
        return None
    safe = SCREEN.contains(rect.centre) and reaches(app, owner, rect.centre)
    return TapOwner(owner, rect, safe)


def digest(app: App, node: Node) -> object:
    """What of a node and below it a tap could have changed; None when it is not there any more."""
    if not node.is_mounted or node not in app.reachable:
        return None
    said = [
        (inner.label, value_of(inner), inner.semantics.enabled, inner.semantics.on)
        for inner in node.walk()
        if inner.semantics is not None
    ]
    return node.route_name, said
