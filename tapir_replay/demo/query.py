"""Which nodes have all of several traits, among what a person could reach, and what each is."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from tapir_replay.demo import semantics
from tapir_replay.demo.faults import Fault
from tapir_replay.demo.geometry import SCREEN
from tapir_replay.demo.lookup import key_matches

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from tapir_replay.demo.app import App
    from tapir_replay.demo.tree import Node

NAMES = ("identifier", "tooltip", "hint")
"""What a node may be called beside its label."""

PREDICATES = ("key", "label", "role", "value", *NAMES, "text", "contains", "matches")


def find(app: App, wanted: Mapping[str, str], within: Node | None = None) -> list[Node]:
    """The nodes that every predicate holds of, in tree order; without one, all that say anything.

    With `within` only those inside it, which it is not itself.
    """
    nodes = [node for node in app.reachable if not node.merged]
    if within is not None:
        nodes = [node for node in nodes if node is not within and node.is_inside(within)]
    if not wanted:
        return [n for n in nodes if n.semantics is not None and _says_something(n)]
    for name, holds in _PLAIN.items():
        if name in wanted:
            nodes = [node for node in nodes if holds(node, wanted[name])]
    for name in ("text", "contains", "matches"):
        if name in wanted:
            nodes = _by_words(app, nodes, _test(name, wanted[name]), keyed="key" in wanted)
    return nodes


def _says_something(node: Node) -> bool:
    return bool(semantics.of(node).role or node.label or semantics.value_of(node) or names_of(node))


def names_of(node: Node) -> dict[str, str]:
    """What a node is called beside its label."""
    if node.semantics is None:
        return {}
    return {name: said for name in NAMES if (said := getattr(node.semantics, name))}


def _named(name: str) -> Callable[[Node, str], bool]:
    """An empty name fits nothing."""
    return lambda node, wanted: names_of(node).get(name) == wanted


_PLAIN: dict[str, Callable[[Node, str], bool]] = {
    "key": key_matches,
    "label": lambda node, wanted: node.semantics is not None and node.label == wanted,
    "role": lambda node, wanted: node.semantics is not None and node.semantics.role == wanted,
    "value": lambda node, wanted: node.semantics is not None
    and semantics.value_of(node) == wanted,
    **{name: _named(name) for name in NAMES},
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
    app: App, nodes: list[Node], holds: Callable[[str], bool], *, keyed: bool
) -> list[Node]:
    """By label; where no label fits, by a `Text` at or inside: the innermost node around it."""
    labelled = [n for n in nodes if n.semantics is not None and holds(n.label)]
    if labelled:
        return labelled
    texts = [n for n in app.reachable if n.data is not None and holds(n.data)]
    holding = {node for text in texts for node in text.ancestors()}
    around = [node for node in nodes if node in holding]
    if keyed:
        return around
    outer = {parent for node in around for parent in node.ancestors() if parent is not node}
    return [node for node in around if node not in outer]


def traits(node: Node) -> dict[str, Any]:
    """What a node is and says, whoever asks."""
    texts = [text.data for text in node.texts() if text.data is not None]
    said = node.semantics
    found: dict[str, Any] = {
        "role": said.role if said is not None else "",
        "label": node.label,
        "value": semantics.value_of(node) or None,
        "text": "\n".join(texts) if texts else None,
        "key": node.key,
        **names_of(node),
        "bounds": node.live_rect().as_json(),
        "isEnabled": node.is_enabled,
    }
    if said is not None and said.state is not None:
        found["checked"] = said.on
    if said is not None and said.obscured:
        found["obscured"] = True
    return found


def place(app: App, node: Node) -> dict[str, Any]:
    """Whether a person can see the node where it is."""
    rect = node.live_rect()
    return {
        "isVisible": semantics.is_visible(rect),
        "inViewport": rect.overlaps(SCREEN),
        "occluded": semantics.is_occluded(app, node, rect),
    }
