"""Handles: `e<N>` names one node, `q<N>` names a question that is asked again at each use."""

from __future__ import annotations

import weakref
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from tapir_replay.demo import semantics
from tapir_replay.demo.faults import Fault, missing, suggest

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tapir_replay.demo.app import App
    from tapir_replay.demo.tree import Node


class Question(Protocol):
    """A stored predicate: the node it finds now, or None."""

    def answer(self, app: App, refs: Refs, /) -> Node | None: ...


@dataclass(frozen=True)
class Target:
    """What a handle led to."""

    ref: str
    node: Node
    nodeless: bool = False
    """Found as a `Text`: it has no semantics of its own to ask."""
    reresolved: bool = False


@dataclass(frozen=True)
class _Entry:
    """An `e<N>`: the node, and how to look for its replacement once it is gone."""

    node: weakref.ref[Node]
    label: str
    index: int
    count: int
    route: str
    nodeless: bool


class Refs:
    """All handles ever given out. They live as long as the app; nodes are not kept alive."""

    def __init__(self, app: App, *, scope_by_question: bool = False) -> None:
        self._app = app
        self._scope_by_question = scope_by_question
        self._entries: dict[str, _Entry] = {}
        self._tokens: weakref.WeakKeyDictionary[Node, str] = weakref.WeakKeyDictionary()
        self._questions: dict[str, Question] = {}

    def token(self, node: Node) -> str:
        """The node's one handle; made at the first call."""
        token = self._tokens.get(node)
        if token is None:
            token = self._tokens[node] = self._mint(node, nodeless=node.semantics is None)
        return token

    def fresh_token(self, node: Node) -> str:
        """Another handle for a `Text`, as every lookup by text gives."""
        return self._mint(node, nodeless=True)

    def ask(self, question: Question) -> str:
        token = f"q{len(self._questions) + 1}"
        self._questions[token] = question
        return token

    def _mint(self, node: Node, *, nodeless: bool) -> str:
        alike = [] if nodeless or not node.label else self._alike(node.label)
        index = next((i for i, other in enumerate(alike) if other is node), -1)
        token = f"e{len(self._entries) + 1}"
        self._entries[token] = _Entry(
            weakref.ref(node), node.label, index, len(alike), node.route_name, nodeless
        )
        return token

    def _alike(self, label: str) -> list[Node]:
        return [node for node in semantics.nodes(self._app) if node.label == label]

    def find(self, token: str) -> Node | None:
        """The mounted node of an `e<N>`, without relocation; None for anything else."""
        entry = self._entries.get(token)
        node = entry.node() if entry is not None else None
        return node if node is not None and node.is_mounted else None

    def scope(self, token: str) -> Node | None:
        """What a search is bounded by: an `e<N>`, and a `q<N>` where that is offered."""
        question = self._questions.get(token) if self._scope_by_question else None
        return self.find(token) if question is None else question.answer(self._app, self)

    def resolve(self, token: str | None, method: str, name: str = "ref") -> Target:
        """The target of an action, or the fault that says why there is none."""
        if not token:
            raise missing(method, name)
        question = self._questions.get(token)
        if question is not None:
            found = question.answer(self._app, self)
            if found is None:
                text = f"Query handle ref={token} is stale: no live match for stored predicates"
                raise Fault(text, "stale", ref=token)
            return Target(token, found, nodeless=found.semantics is None)
        entry = self._entries.get(token)
        if entry is None:
            raise self.unknown(token, method, name)
        node = self.find(token)
        if node is not None:
            return Target(token, node, nodeless=entry.nodeless)
        return Target(token, self._relocate(token, entry), reresolved=True)

    def unknown(self, token: str, method: str, name: str = "ref") -> Fault:
        return Fault(
            f'{method}: {name} "{token}" not found in registry',
            "not_found",
            ref=token,
            suggestions=suggest(token, self._candidates()),
        )

    def _relocate(self, token: str, entry: _Entry) -> Node:
        """The node that took the place of one that is gone, if nothing speaks against it."""
        alike = self._alike(entry.label) if entry.index >= 0 else []
        if alike and len(alike) == entry.count and alike[entry.index].route_name == entry.route:
            return alike[entry.index]
        reason = "defunct (element no longer mounted)"
        raise Fault(f"Widget ref={token} is not actionable: {reason}", "stale", ref=token)

    def _candidates(self) -> Iterator[str]:
        yield from (token for token in self._entries if self.find(token) is not None)
        yield from self._questions
        yield from (node.label for node in semantics.nodes(self._app))
