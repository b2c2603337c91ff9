"""Where everything is: boxes in columns, rows, stacks and scroll views.

Much simpler than Flutter's constraints, and enough for screens that look like an app: a parent
gives a width, a child answers with a height.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import TYPE_CHECKING

from tapir_replay.demo.geometry import Rect

if TYPE_CHECKING:
    from tapir_replay.demo.tree import Node, Scrolling

CACHE_EXTENT = 250.0
"""Rows of a lazy list exist this far outside its viewport."""

FONT_SIZES = {"display": 28.0, "heading": 22.0, "title": 18.0, "body": 16.0, "small": 13.0}

_NARROW = frozenset("iljtfrI.,:;'!|()[] ")
_WIDE = frozenset("mwMW@%")


@lru_cache(maxsize=2048)
def text_width(data: str, size: float) -> float:
    """An estimate, so that layout needs no font: painting uses the real one."""
    units = 0.0
    for letter in data:
        if letter in _NARROW:
            units += 0.3
        elif letter in _WIDE:
            units += 0.85
        elif ord(letter) > 0x2E7F:
            units += 1.0
        else:
            units += 0.64 if letter.isupper() else 0.54
    return units * size


def lay_out(root: Node, area: Rect) -> None:
    """Give every node below `root` its rectangle."""
    _place(root, area.x, area.y, area.w, area.h)


def intrinsic_width(node: Node) -> float:
    """The width a node would like where nobody gives it one."""
    box = node.box
    if box.width is not None:
        return box.width
    side = box.padding[0] + box.padding[2]
    if node.data is not None and not node.children:
        return math.ceil(text_width(node.data, FONT_SIZES.get(node.style, 16.0))) + side
    widths = [intrinsic_width(child) for child in node.children]
    if box.kind == "row":
        return sum(widths) + box.gap * max(0, len(widths) - 1) + side
    return max(widths, default=0.0) + side


def _text_height(node: Node) -> float:
    size = FONT_SIZES.get(node.style, 16.0)
    return round(size * 1.5) * ((node.data or "").count("\n") + 1)


def _place(node: Node, x: float, y: float, width: float, height: float | None) -> float:
    box = node.box
    if box.width is not None:
        width = min(box.width, width) if box.kind != "leaf" else box.width
    if box.height is not None:
        height = box.height
    place = _PLACERS[box.kind]
    used = place(node, x, y, width, height)
    node.rect = Rect(x, y, width, used)
    return used


def _leaf(node: Node, x: float, y: float, width: float, height: float | None) -> float:
    outer = height or 0.0
    for child in node.children:  # what a control shows of itself: centred
        wanted = intrinsic_width(child)
        tall = _place(child, 0, 0, wanted, None)
        _place(child, x + (width - wanted) / 2, y + (outer - tall) / 2, wanted, None)
    if height is None or (node.data is not None and node.box.height is None):
        return _text_height(node) if node.data is not None else height or 0.0
    return height


def _column(node: Node, x: float, y: float, width: float, height: float | None) -> float:
    left, top, right, bottom = node.box.padding
    inner = max(0.0, width - left - right)
    rest = 0.0
    fillers = [child for child in node.children if child.box.fill]
    if fillers and height is not None:
        fixed = sum(
            _place(child, x + left, 0, inner, None) for child in node.children if not child.box.fill
        )
        gaps = node.box.gap * (len(node.children) - 1)
        rest = max(0.0, height - top - bottom - fixed - gaps) / len(fillers)
    cursor = y + top
    for child in node.children:
        cursor += _place(child, x + left, cursor, inner, rest if child.box.fill else None)
        cursor += node.box.gap
    if node.children:
        cursor -= node.box.gap
    used = cursor + bottom - y
    return used if height is None else height


def _row(node: Node, x: float, y: float, width: float, height: float | None) -> float:
    left, top, right, bottom = node.box.padding
    gaps = node.box.gap * max(0, len(node.children) - 1)
    wanted = {id(c): intrinsic_width(c) for c in node.children if not c.box.fill}
    fillers = len(node.children) - len(wanted)
    rest = max(0.0, width - left - right - gaps - sum(wanted.values())) / max(1, fillers)
    sizes = []
    for child in node.children:
        child_width = wanted.get(id(child), rest)
        sizes.append((child, child_width, _place(child, 0, 0, child_width, None)))
    inner = max((used for _, _, used in sizes), default=0.0)
    outer = inner + top + bottom if height is None else height
    cursor = x + left
    for child, child_width, used in sizes:
        _place(child, cursor, y + top + (outer - top - bottom - used) / 2, child_width, None)
        cursor += child_width + node.box.gap
    return outer


def _stack(node: Node, x: float, y: float, width: float, height: float | None) -> float:
    tall = 0.0
    for child in node.children:
        if child.box.at is None:
            tall = max(tall, _place(child, x, y, width, height))
            continue
        dx, dy = child.box.at
        child_width = child.box.width if child.box.width is not None else width - dx
        if child.box.from_bottom and height is not None:
            used = _place(child, x + dx, y, child_width, None)
            _place(child, x + dx, y + height - used - dy, child_width, None)
        else:
            tall = max(tall, dy + _place(child, x + dx, y + dy, child_width, None))
    return tall if height is None else height


def _scroll(node: Node, x: float, y: float, width: float, height: float | None) -> float:
    scrolling = node.scrolling
    assert scrolling is not None
    height = 0.0 if height is None else height
    if scrolling.make_row is not None:
        content = scrolling.row_height * scrolling.row_count
        scrolling.extent = max(0.0, content - height)
        scrolling.offset = scrolling.clamp(scrolling.offset)
        _build_rows(node, scrolling, height)
        for row in node.children:
            top = y + scrolling.row_height * _row_index(row) - scrolling.offset
            _place(row, x, top, width, None)
        return height
    content = _column(node, x, y, width, None)
    scrolling.extent = max(0.0, content - height)
    scrolling.offset = scrolling.clamp(scrolling.offset)
    if scrolling.offset:
        _column(node, x, y - scrolling.offset, width, None)
    return height


def _row_index(row: Node) -> int:
    assert row.key is not None
    return int(row.key.rpartition("-")[2]) - 1


def _build_rows(node: Node, scrolling: Scrolling, height: float) -> None:
    """Keep the rows near the viewport, drop those far from it, make those that are missing."""
    assert scrolling.make_row is not None
    first = int(max(0.0, scrolling.offset - CACHE_EXTENT) // scrolling.row_height)
    last = int((scrolling.offset + height + CACHE_EXTENT) // scrolling.row_height) + 1
    wanted = range(first, min(scrolling.row_count, last))
    kept = {_row_index(row): row for row in node.children}
    for index, row in kept.items():
        if index not in wanted:
            row.parent = None
    node.children = []
    for index in wanted:
        row = kept.get(index) or scrolling.make_row(index)
        row.parent = node
        node.children.append(row)


_PLACERS = {"leaf": _leaf, "column": _column, "row": _row, "stack": _stack, "scroll": _scroll}
