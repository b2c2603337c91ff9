"""The questions behind `q<N>` handles: by key, label, text, part of a text, or place in a list."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tapir_replay.demo import semantics

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tapir_replay.demo.app import App
    from tapir_replay.demo.refs import Refs
    from tapir_replay.demo.tree import Node


def key_matches(node: Node, key: str) -> bool:
    """A key goes by its value, and by what its `toString` prints."""
    return node.key is not None and key in (node.key, f"[<'{node.key}'>]")


@dataclass(frozen=True)
class Finding:
    node: Node
    count: int


@dataclass(frozen=True)
class Predicates:
    """The parameters of `find`. The first that is set decides; only a key goes with a text."""

    key: str = ""
    label: str = ""
    text: str = ""
    contains: str = ""
    within: str = ""

    @property
    def is_empty(self) -> bool:
        return not (self.key or self.label or self.text or self.contains)

    def find(self, app: App, refs: Refs) -> Finding | None:
        scope = refs.scope(self.within) if self.within else None
        if self.within and scope is None:
            return None
        elements = app.elements if scope is None else list(scope.walk())
        if self.key:
            return _one(node for node in elements if self._keyed(node))
        spoken = [n for n in semantics.nodes(app) if scope is None or n.is_inside(scope)]
        if self.label or self.text:
            wanted = self.label or self.text
            alike = [node for node in spoken if node.label == wanted]
            if alike or self.label:
                return _preferred(alike)
            return _one(node for node in elements if node.data == wanted)
        labelled = _one(node for node in spoken if self.contains in node.label)
        return labelled or _one(n for n in elements if n.data and self.contains in n.data)

    def _keyed(self, node: Node) -> bool:
        if not key_matches(node, self.key):
            return False
        return not self.text or any(inner.data == self.text for inner in node.texts())

    def answer(self, app: App, refs: Refs, /) -> Node | None:
        finding = self.find(app, refs)
        return finding.node if finding is not None else None


def _one(found: Iterable[Node]) -> Finding | None:
    node = next(iter(found), None)
    return Finding(node, 1) if node is not None else None


def _preferred(alike: list[Node]) -> Finding | None:
    """Of several with the same label the first that can be used, else simply the first."""
    if not alike:
        return None
    return Finding(next(filter(semantics.is_control, alike), alike[0]), len(alike))


@dataclass(frozen=True)
class Placed:
    """A candidate of `observe`: the n-th node with a label. It is a place, not an identity."""

    label: str
    position: int

    def answer(self, app: App, _refs: Refs, /) -> Node | None:
        alike = [node for node in semantics.nodes(app) if node.label == self.label]
        return alike[self.position] if self.position < len(alike) else None


@dataclass(frozen=True)
class Valued:
    """An unlabelled candidate of `observe`: all there is to go by is what it shows."""

    value: str

    def answer(self, app: App, _refs: Refs, /) -> Node | None:
        if not self.value:
            return None
        found = (node for node in semantics.nodes(app) if semantics.value_of(node) == self.value)
        return next(found, None)
