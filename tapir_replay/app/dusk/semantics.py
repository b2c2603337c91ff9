"""Controls in Flutter's own print of the semantics tree: Dusk does not tell what is on.

Pure. What the print leaves open is not told: a mixed state, one of several of the same label.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

DUMP = "ext.flutter.debugDumpSemanticsTreeInTraversalOrder"

_NODE = re.compile(r"^([ │├└─]*)SemanticsNode#\d+")
_LINE = re.compile(r"^([ │├└─╎]*)(.*)$")
_NUMBER = r"(-?[\d.]+)"
_RECT = re.compile(rf"Rect\.fromLTRB\({', '.join([_NUMBER] * 4)}\)$")
_STATES = (("hasCheckedState", "isChecked"), ("hasToggledState", "isToggled"))
_HAVING = {has for has, _ in _STATES}
_MIXED = "isCheckStateMixed"


@dataclass(frozen=True, slots=True)
class Control:
    """What is on or off.

    Attributes:
        on: Which of them; None for neither.
        hears: Whether a tap in the middle of its row can reach it.
    """

    on: bool | None
    hears: bool


@dataclass(slots=True)
class _Node:
    depth: int
    label: str = ""
    flags: set[str] = field(default_factory=set)
    actions: set[str] = field(default_factory=set)
    rect: tuple[float, ...] = ()
    merged: bool = False

    @property
    def on(self) -> bool | None:
        if _MIXED in self.flags:
            return None
        return next((on in self.flags for has, on in _STATES if has in self.flags), None)


def controls(dump: str) -> dict[str, Control]:
    """Controls by their labels, those that are the only one of their label.

    A row that is merged into one has the state of the control inside of it.
    """
    nodes = list(_nodes(dump))
    found: dict[str, list[Control]] = {}
    for index, node in enumerate(nodes):
        if node.merged:
            continue
        row = [node, *_merged_into(nodes, index)]
        label = plain(" ".join(each.label for each in row))
        stateful = [each for each in row if each.flags & _HAVING]
        if label and len(stateful) == 1:
            control = stateful[0]
            found.setdefault(label, []).append(Control(control.on, _hears(node, control)))
    return {label: same[0] for label, same in found.items() if len(same) == 1}


def plain(label: str) -> str:
    """A label without line breaks: where it was broken, the print does not tell."""
    return " ".join(label.split())


def _merged_into(nodes: list[_Node], index: int) -> Iterator[_Node]:
    for each in nodes[index + 1 :]:
        if each.depth <= nodes[index].depth or not each.merged:
            return
        yield each


def _hears(row: _Node, control: _Node) -> bool:
    """What has no place that is told in plain numbers is taken to hear."""
    if "tap" in row.actions or not (row.rect and control.rect):
        return True
    left, top, right, bottom = row.rect
    x, y = (right - left) / 2, (bottom - top) / 2
    return control.rect[0] <= x <= control.rect[2] and control.rect[1] <= y <= control.rect[3]


def _nodes(dump: str) -> Iterator[_Node]:
    node: _Node | None = None
    told, at = "", 0
    for line in dump.splitlines():
        begins = _NODE.match(line)
        if begins is not None:
            if node is not None:
                _take(node, told)
                yield node
            node, told, at = _Node(len(begins[1])), "", 0
            continue
        found = _LINE.match(line)
        if node is None or found is None or not found[2]:
            continue
        at = at or len(found[1])
        if len(found[1]) > at:
            told = f"{told} {found[2]}"
        else:
            _take(node, told)
            told = found[2]
    if node is not None:
        _take(node, told)
        yield node


def _take(node: _Node, told: str) -> None:
    """One property, its lines put together."""
    name, _, value = told.partition(": ")
    if name == "flags":
        node.flags.update(value.replace(" ", "").split(","))
    elif name == "actions":
        node.actions.update(value.replace(" ", "").split(","))
    elif name == "label":
        text = value.strip()
        node.label = plain(text[1:-1] if text[:1] == text[-1:] == '"' else text)
    elif told.startswith("merged up"):
        node.merged = True
    elif place := _RECT.match(told):
        node.rect = tuple(map(float, place.groups()))
