"""Fingers and mice: what lies under a point, and what a gesture there sets off."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from tapir_replay.demo.tree import Node

if TYPE_CHECKING:
    from collections.abc import Callable

    from tapir_replay.demo.app import App
    from tapir_replay.demo.geometry import Point

Gesture = Literal["tap", "double_tap", "triple_tap", "long_press", "secondary_tap", "hover"]


def hit(app: App, point: Point) -> Node | None:
    """The topmost node that takes what is aimed at the point."""
    app.refresh()
    return _hit(app.root, point, 0.0, 0.0)


def _hit(node: Node, point: Point, dx: float, dy: float) -> Node | None:
    if node.motion is not None:
        mx, my = node.motion()
        dx, dy = dx + mx, dy + my
    x, y, w, h = node.rect
    if not (x + dx <= point[0] < x + dx + w and y + dy <= point[1] < y + dy + h):
        return None
    for child in reversed(node.children):
        found = _hit(child, point, dx, dy)
        if found is not None:
            return found
    return node if node.hits else None


def reaches(app: App, node: Node, point: Point) -> bool:
    """Whether a touch at the point gets to the node, or to something inside it."""
    found = hit(app, point)
    return found is not None and found.is_inside(node)


def what_covers(target: Node, found: Node) -> str:
    """The name of what was hit instead of the target: the whole thing, not the word on it."""
    above_target = set(target.ancestors())
    branch: list[Node] = []  # from what was hit up to where the two paths part
    for node in found.ancestors():
        if node in above_target:
            break
        branch.append(node)
    if not branch:
        return found.type
    top = branch.pop()
    if top.route is not None and branch:
        top = branch.pop()
    return top.type


_TAPS: dict[Gesture, int] = {"double_tap": 2, "triple_tap": 3, "long_press": 1}
"""What a gesture is to a node that only knows taps."""


def perform(app: App, point: Point, gesture: Gesture, *, taps: int | None = None) -> None:
    """Deliver a gesture: the innermost node that listens to it takes it.

    A node that has no handler for it, and one for taps, gets as many `taps` instead.
    """
    if taps is None:
        taps = _TAPS.get(gesture, 0)
    found = hit(app, point)
    if found is None:
        return
    for node in found.ancestors():
        handlers = _handlers(node, gesture, taps)
        if not handlers and node.edit is None:
            continue
        if not node.is_enabled:
            return
        if node.edit is not None and gesture != "hover":
            node.edit.caret = len(node.edit.text)
            app.set_focus(node)
        for handle in handlers:
            handle()
        return


def _handlers(node: Node, gesture: Gesture, taps: int) -> list[Callable[[], None]]:
    """What a node does on a gesture."""
    own = getattr(node, f"on_{gesture}")
    if own is not None:
        return [own]
    return [node.on_tap] * taps if node.on_tap is not None else []


def grip(app: App, point: Point) -> Node | None:
    """What a drag from the point moves: the innermost thing that can be dragged or scrolled."""
    found = hit(app, point)
    around = found.ancestors() if found is not None else ()
    return next((node for node in around if node.draggable or node.scrolling is not None), None)


def drag(app: App, start: Point, end: Point) -> None:
    """Press at one point, move, let go at the other."""
    node = grip(app, start)
    if node is None:
        return
    if node.draggable:
        _drop(app, end)
    elif node.scrolling is not None:
        pulled = end.y - start.y
        if pulled > 0 and node.scrolling.offset == 0 and node.scrolling.on_pull is not None:
            node.scrolling.on_pull(pulled)
        scroll_to(node, node.scrolling.offset - pulled)


def _drop(app: App, end: Point) -> None:
    found = hit(app, end)
    for node in found.ancestors() if found is not None else ():
        if node.on_drop is not None:
            node.on_drop()
            return


def scroll_to(node: Node, offset: float) -> None:
    """Move a scroll view, as far as it goes."""
    scrolling = node.scrolling
    assert scrolling is not None
    offset = scrolling.clamp(offset)
    if offset != scrolling.offset:
        scrolling.offset = offset
        node.changed()


def show_on_screen(node: Node, *, alignment: float | None = None) -> bool:
    """Scroll what is around the node until it can be seen; True when something moved.

    Without an `alignment` no further than needed; with one, to that place of the viewport.
    """
    moved = False
    for around in node.ancestors():
        scrolling = around.scrolling
        if scrolling is None or around is node:
            continue
        view, rect = around.rect, node.rect
        if alignment is not None:
            wanted = view.y + (view.h - rect.h) * alignment
            offset = scrolling.offset + rect.y - wanted
        elif rect.y < view.y:
            offset = scrolling.offset + rect.y - view.y
        elif rect.bottom > view.bottom:
            offset = scrolling.offset + rect.bottom - view.bottom
        else:
            continue
        before = scrolling.offset
        scroll_to(around, offset)
        moved = moved or scrolling.offset != before
    return moved
