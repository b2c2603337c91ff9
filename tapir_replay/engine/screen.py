"""What the app shows: widgets as the verbs report them, and the text of a snapshot."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tapir_replay.app.snapshot_text import Node, nodes_of

UNKNOWN = "unknown"
"""The app does not tell this."""


@dataclass(frozen=True, slots=True)
class Bounds:
    """A rectangle in logical pixels."""

    x: float
    y: float
    w: float
    h: float

    def holds(self, other: Bounds) -> bool:
        """Whether the other's centre is inside, and it is not larger."""
        x, y = other.x + other.w / 2, other.y + other.h / 2
        inside = self.x <= x <= self.x + self.w and self.y <= y <= self.y + self.h
        return inside and other.w <= self.w + 1 and other.h <= self.h + 1

    def near(self, other: Bounds) -> bool:
        """Whether they are the same, give or take rounding."""
        pairs = ((self.x, other.x), (self.y, other.y), (self.w, other.w), (self.h, other.h))
        return all(abs(one - two) <= 0.6 for one, two in pairs)


@dataclass(frozen=True, slots=True, kw_only=True)
class Match:
    """A widget that was found.

    Attributes:
        ref: What an action is given.
        text: The texts it shows, joined by line breaks; None when there are none, or not told.
        key: None when it has none, or the app does not tell; as `identifier`, `tooltip`, `hint`.
        visible: Has an area, lies in the view, and nothing covers it.
        enabled: None when not told.
        checked: True, False, None when mixed, `UNKNOWN` when it has no such state or none is told.
    """

    ref: str
    role: str = ""
    label: str = ""
    value: str | None = None
    text: str | None = None
    key: str | None = None
    identifier: str | None = None
    tooltip: str | None = None
    hint: str | None = None
    bounds: Bounds | None = None
    visible: bool = True
    in_view: bool = True
    enabled: bool | None = None
    checked: bool | str | None = UNKNOWN

    def __str__(self) -> str:
        """`button "Delete" (key delete-1) at 320,180`."""
        words = [self.role or "text", self._named()]
        if self.value:
            words.append(f'holding "{self.value}"')
        if self.key:
            words.append(f"(key {self.key})")
        if self.bounds is not None:
            words.append(f"at {self.bounds.x:.0f},{self.bounds.y:.0f}")
        if not self.in_view:
            words.append("[offscreen]")
        elif not self.visible:
            words.append("[covered]")
        return " ".join(words)

    def _named(self) -> str:
        """By its words, else by what a target can name it by instead."""
        if said := self.label or self.text:
            return f'"{said}"'
        names = {"hint": self.hint, "tooltip": self.tooltip, "identifier": self.identifier}
        return " ".join(f'{name} "{value}"' for name, value in names.items() if value) or '""'


def match_of(node: Mapping[str, Any]) -> Match:
    """A node of `query`, or a candidate of `observe`, which tells less of it."""
    visible = bool(node.get("isVisible", True)) and not node.get("occluded", False)
    return Match(
        ref=str(node.get("ref", "")),
        role=node.get("role") or "",
        label=node.get("label") or "",
        value=node.get("value"),
        text=node.get("text"),
        key=node.get("key"),
        identifier=node.get("identifier"),
        tooltip=node.get("tooltip"),
        hint=node.get("hint"),
        bounds=bounds_of(node.get("bounds")),
        visible=visible,
        in_view=bool(node.get("inViewport", node.get("isVisible", True))),
        enabled=node.get("isEnabled"),
        checked=node.get("checked", UNKNOWN),
    )


def bounds_of(rect: Any) -> Bounds | None:
    """A rectangle in any of the wire's spellings."""
    if not isinstance(rect, Mapping):
        return None
    x, y = rect.get("x", rect.get("left", 0)), rect.get("y", rect.get("top", 0))
    return Bounds(x, y, rect.get("w", rect.get("width", 0)), rect.get("h", rect.get("height", 0)))


def texts_of(snapshot: str) -> list[Match]:
    """The nodes of a snapshot text, plain texts among them, in order."""
    return [_match_of_line(each) for each in nodes_of(snapshot)]


def _match_of_line(node: Node) -> Match:
    text = node.role == "text"
    return Match(
        ref=node.ref,
        role="" if text else node.role,
        label=node.label,
        value=node.value,
        text=node.label if text else None,
        visible=not node.marks,
        in_view="offscreen" not in node.marks,
    )
