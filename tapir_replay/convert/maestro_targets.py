"""Selectors of Maestro as our targets."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from tapir_replay.convert.maestro_texts import Names
from tapir_replay.convert.model import Left, Notes
from tapir_replay.convert.source import Node
from tapir_replay.scenario import suggest

_MAX_DEPTH = 8

_PLACES = ("below", "above", "leftOf", "rightOf")
_CHILDREN = ("containsChild", "containsDescendants")
_SIZE = ("width", "height", "tolerance")
_STATES = {("enabled", True): "enabled", ("enabled", False): "disabled"} | {
    ("checked", True): "checked",
    ("checked", False): "unchecked",
}

BESIDE = (
    "label", "optional", "repeat", "delay", "retryTapIfNoChange", "waitUntilVisible",
    "waitToSettleTimeoutMs",
)  # fmt: skip
"""What stands among a selector's keys and belongs to the command."""

_KNOWN = (
    *("text", "id", "index", "childOf", "point", "traits", "css", "enabled", "checked"),
    *("selected", "focused", *_PLACES, *_CHILDREN, *_SIZE, *BESIDE),
)


@dataclass(slots=True)
class Sought:
    """What a selector names.

    Attributes:
        target: Ours.
        states: `enabled`, `checked` and so on, as it has to be.
        missing: What could not be carried over, to be told at its place.
    """

    target: Any
    states: list[str] = field(default_factory=list)
    missing: list[Left] = field(default_factory=list)


class Selectors:
    """Reads the selectors of one file."""

    def __init__(self, notes: Notes, names: Names) -> None:
        self._notes = notes
        self._names = names
        self._depth = 0

    def read(self, node: Node) -> Sought:
        """What a selector names.

        Raises:
            Left: Nothing is left of it.
        """
        if node.text is not None:
            self._case(node)
            return Sought(_short(self._names.sought(node.text, node)))
        entries = node.entries
        if entries is None:
            raise Left("a selector is a text or a map", node)
        sought = Sought({})
        for name, each in entries.items():
            read = _READ.get(name)
            if read is not None:
                read(self, each, sought)
            elif name not in BESIDE:
                sought.missing.append(_no_such(name, each))
        if not set(sought.target) - {"nth", "within"}:
            if sought.missing:
                first = sought.missing[0]
                raise Left(first.why, first.node, hint=first.hint)
            raise Left(
                "a selector without a text or an id", node, hint="name the widget by key or text"
            )
        sought.target = _short(sought.target)
        return sought

    def exact(self, node: Node) -> Sought:
        """The same where nothing may be missing, since a check would mean something else.

        Raises:
            Left: Something of it cannot be carried over.
        """
        sought = self.read(node)
        for each in sought.missing:
            raise each
        return sought

    def _case(self, node: Node) -> None:
        self._notes.differs_once(
            "case", node.value_span, "upper and lower case count here; in Maestro they do not"
        )

    def by_text(self, node: Node, sought: Sought) -> None:
        if node.text is None:
            raise Left("a text is expected", node)
        self._case(node)
        sought.target |= self._names.sought(node.text, node)

    def by_id(self, node: Node, sought: Sought) -> None:
        if not node.text:
            raise Left("a text is expected", node)
        if any(each in node.text for each in "*+?[]()|\\^"):
            raise Left(
                "an id with a regular expression",
                node,
                hint="name it in full; or name the widget by its text, with matches",
            )
        sought.target["identifier"] = self._names.filled(node.text, node)

    def by_index(self, node: Node, sought: Sought) -> None:
        text = node.text or ""
        if "${" in text:
            sought.target["nth"] = self._names.one(text, node)
        elif node.whole is not None and node.whole >= 0:
            sought.target["nth"] = node.whole
        else:
            why = "an index that counts from the end" if text.startswith("-") else "no such index"
            sought.missing.append(Left(why, node, hint="nth counts from 0, top to bottom"))

    def by_child_of(self, node: Node, sought: Sought) -> None:
        self._depth += 1
        try:
            if self._depth > _MAX_DEPTH:
                raise Left(f"childOf in childOf, more than {_MAX_DEPTH} deep", node)
            inner = self.read(node)
        finally:
            self._depth -= 1
        sought.missing += inner.missing
        sought.target["within"] = inner.target

    def by_state(self, node: Node, sought: Sought) -> None:
        name = node.key.value if node.key is not None else ""
        state = _STATES.get((name, node.flag)) if node.flag is not None else None
        if state is None:
            self.by_never(node, sought)
        else:
            sought.states.append(state)

    def by_never(self, node: Node, sought: Sought) -> None:
        name = node.key.value if node.key is not None else ""
        why, hint = _WHY[name]
        sought.missing.append(Left(f"{name}: {why}", node, hint=hint))


def _no_such(name: str, node: Node) -> Left:
    guess = suggest.nearest(name, _KNOWN)
    hint = f'did you mean "{guess}"?' if guess else ""
    return Left(f"a selector of Maestro has no {name}", node, hint=hint)


_Read = Callable[[Selectors, Node, Sought], None]

_WITHIN = "name the widget by key, or by what it stands within"
_WHY: dict[str, tuple[str, str]] = {
    **dict.fromkeys(_PLACES, ("targets know no places beside others", _WITHIN)),
    **dict.fromkeys(
        _CHILDREN, ("targets do not look at what is inside", "name the inner widget, or a key")
    ),
    **dict.fromkeys(_SIZE, ("targets know no sizes", "name the widget by key or text")),
    "point": ("nothing is done at a place of the screen", "name the widget that is there"),
    "traits": ("targets know no traits", "name the widget by key, text or role"),
    "css": ("an app has no CSS", "name the widget by key or text"),
    "selected": ("nobody tells whether a widget is selected", "check what shows instead"),
    "focused": ("nobody tells whether a widget has the focus", "check what shows instead"),
    "enabled": ("true or false is expected", ""),
    "checked": ("true or false is expected", ""),
}

_READ: Mapping[str, _Read] = {
    "text": Selectors.by_text,
    "id": Selectors.by_id,
    "index": Selectors.by_index,
    "childOf": Selectors.by_child_of,
    "enabled": Selectors.by_state,
    "checked": Selectors.by_state,
    **dict.fromkeys(
        (*_PLACES, *_CHILDREN, *_SIZE, "point", "traits", "css", "selected", "focused"),
        Selectors.by_never,
    ),
}


def _short(target: Mapping[str, Any]) -> Any:
    return target["text"] if list(target) == ["text"] else dict(target)
