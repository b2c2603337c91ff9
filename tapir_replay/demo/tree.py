"""The widget tree: nodes that know what they are, what they say to assistive technology, and
what they do when touched.

The tree is retained: a screen builds its nodes once and changes them afterwards, so a node's
identity is what an element's is in Flutter. Every change is reported upwards with `changed`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, Protocol

from tapir_replay.demo.geometry import SCREEN, Rect

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tapir_replay.demo.fields import TextEdit

Role = Literal["textbox", "checkbox", "link", "heading", "image", "button", ""]


@dataclass
class Semantics:
    """What a node tells assistive technology, in the terms of Flutter's flags."""

    label: str = ""
    value: str = ""
    identifier: str = ""
    tooltip: str = ""
    hint: str = ""
    button: bool = False
    link: bool = False
    header: bool = False
    image: bool = False
    text_field: bool = False
    state: Literal["checked", "toggled"] | None = None
    on: bool | None = False
    """With `state`: None is mixed."""
    radio: bool = False
    enabled: bool | None = None
    """None: the node says nothing about it."""
    tap: bool = False
    obscured: bool = False

    @property
    def role(self) -> Role:
        """The order of the tests decides: a link that can be tapped is a link."""
        if self.text_field:
            return "textbox"
        if self.state == "checked":
            return "checkbox"
        if self.link:
            return "link"
        if self.header:
            return "heading"
        if self.image:
            return "image"
        if self.button or self.tap:
            return "button"
        return ""

    @property
    def control(self) -> str:
        """The role as a person would name it in a message."""
        if self.radio:
            return "radio"
        if self.state == "toggled":
            return "switch"
        return self.role


@dataclass
class Choice:
    """A dropdown's options; `accepts` may refuse one, as a parent that keeps the old value does."""

    options: tuple[str, ...]
    value: str
    accepts: Callable[[str], bool]


@dataclass
class Scrolling:
    """The position of a scroll view. `row_height` makes it lazy: rows exist only when near."""

    offset: float = 0.0
    extent: float = 0.0
    """The greatest offset, known after layout."""
    row_height: float = 0.0
    row_count: int = 0
    make_row: Callable[[int], Node] | None = None
    on_pull: Callable[[float], None] | None = None

    def clamp(self, offset: float) -> float:
        return min(max(0.0, offset), self.extent)


@dataclass(frozen=True)
class RouteInfo:
    """A route of a Navigator; `popup` lets what is below be seen, not reached."""

    name: str
    popup: bool = False
    on_removed: Callable[[], None] | None = None
    menu_of: Node | None = None
    """The dropdown that a popup lists the options of."""


@dataclass(frozen=True)
class Box:
    """How a node is laid out; see `layout.py`."""

    kind: Literal["leaf", "column", "row", "stack", "scroll"] = "leaf"
    width: float | None = None
    height: float | None = None
    padding: tuple[float, float, float, float] = (0, 0, 0, 0)
    """Left, top, right, bottom."""
    gap: float = 0
    fill: bool = False
    """Takes what its siblings leave of the main axis."""
    at: tuple[float, float] | None = None
    """Its place in a stack; without one it fills it."""
    from_bottom: bool = False


class Owner(Protocol):
    """What hears of changes: the app."""

    def tree_changed(self) -> None: ...


class Node:
    """One element: type name, key, text, semantics, behaviour, box, children."""

    __slots__ = (
        "__weakref__", "box", "children", "choice", "data", "draggable", "edit", "hits", "key",
        "merged", "merges", "motion", "on_double_tap", "on_drop", "on_focus", "on_hover", "on_key",
        "on_long_press", "on_secondary_tap", "on_tap", "on_triple_tap", "overflowing", "owner",
        "parent", "rect", "route", "scrolling", "semantics", "style", "type",
    )  # fmt: skip

    def __init__(
        self,
        type: str,  # noqa: A002 - Flutter's word for it, and what an error message prints
        *children: Node,
        key: str | None = None,
        data: str | None = None,
        style: str = "",
        semantics: Semantics | None = None,
        box: Box = Box(),
        hits: bool = False,
        on_tap: Callable[[], None] | None = None,
    ) -> None:
        self.type = type
        self.key = key
        self.data = data
        self.style = style
        self.semantics = semantics
        self.merges = False
        self.merged = False
        self.box = box
        self.hits = hits
        self.on_tap = on_tap
        self.on_double_tap: Callable[[], None] | None = None
        self.on_triple_tap: Callable[[], None] | None = None
        self.on_secondary_tap: Callable[[], None] | None = None
        self.on_hover: Callable[[], None] | None = None
        self.on_drop: Callable[[], None] | None = None
        self.on_long_press: Callable[[], None] | None = None
        self.on_focus: Callable[[bool], None] | None = None
        self.on_key: Callable[[str], None] | None = None
        self.draggable = False
        self.edit: TextEdit | None = None
        self.choice: Choice | None = None
        self.scrolling: Scrolling | None = None
        self.route: RouteInfo | None = None
        self.motion: Callable[[], tuple[float, float]] | None = None
        self.overflowing = False
        self.owner: Owner | None = None
        self.parent: Node | None = None
        self.rect: Rect = SCREEN
        self.children: list[Node] = list(children)
        for child in children:
            child.parent = self

    def __repr__(self) -> str:
        return f"<{self.type} {self.key or self.data or ''}>"

    @property
    def root(self) -> Node:
        node = self
        while node.parent is not None:
            node = node.parent
        return node

    @property
    def is_mounted(self) -> bool:
        return self.root.owner is not None

    @property
    def label(self) -> str:
        return self.semantics.label if self.semantics else ""

    @property
    def is_popup(self) -> bool:
        return self.route is not None and self.route.popup

    @property
    def is_enabled(self) -> bool:
        return self.semantics is None or self.semantics.enabled is not False

    def changed(self) -> None:
        """Something about this node is different now."""
        owner = self.root.owner
        if owner is not None:
            owner.tree_changed()

    def insert(self, index: int, child: Node) -> None:
        child.parent = self
        self.children.insert(index, child)
        self.changed()

    def add(self, *children: Node) -> None:
        for child in children:
            child.parent = self
            self.children.append(child)
        self.changed()

    def remove(self, child: Node) -> None:
        if child in self.children:
            self.children.remove(child)
            child.parent = None
            self.changed()

    def replace(self, *children: Node) -> None:
        """Put other children in the place of all there are."""
        for child in self.children:
            child.parent = None
        self.children = []
        self.add(*children)

    def set_text(self, data: str) -> None:
        """A `Text` shows something else; what it says to assistive technology follows."""
        if data == self.data:
            return
        self.data = data
        if self.semantics is not None:
            self.semantics.label = data
        self.changed()

    def set_enabled(self, enabled: bool) -> None:
        if self.semantics is not None and self.semantics.enabled != enabled:
            self.semantics.enabled = enabled
            self.changed()

    def set_on(self, on: bool | None) -> None:
        if self.semantics is not None and self.semantics.on is not on:
            self.semantics.on = on
            self.changed()

    def ancestors(self) -> Iterator[Node]:
        """From the node itself up to the root."""
        node: Node | None = self
        while node is not None:
            yield node
            node = node.parent

    def walk(self) -> Iterator[Node]:
        """The node and everything below it, in tree order."""
        stack = [self]
        while stack:
            node = stack.pop()
            yield node
            stack.extend(reversed(node.children))

    def is_inside(self, other: Node) -> bool:
        return any(node is other for node in self.ancestors())

    def live_rect(self) -> Rect:
        """Where the node is at this moment: its place, moved by what is animated around it."""
        rect = self.rect
        for node in self.ancestors():
            if node.motion is not None:
                rect = rect.moved(*node.motion())
        return rect

    @property
    def is_animated(self) -> bool:
        return any(node.motion is not None for node in self.ancestors())

    @property
    def route_name(self) -> str:
        """The name of the route the node sits on."""
        for node in self.ancestors():
            if node.route is not None:
                return node.route.name
        return ""

    @property
    def scrollable(self) -> Node | None:
        """The nearest scroll view at or above the node."""
        return next((node for node in self.ancestors() if node.scrolling is not None), None)

    def texts(self) -> Iterator[Node]:
        """The `Text`s at or below the node, in tree order."""
        return (node for node in self.walk() if node.data is not None)
