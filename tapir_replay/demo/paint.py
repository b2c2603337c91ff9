"""Pictures of the app. This module and those it draws with are the ones that need Pillow."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

from tapir_replay.demo.canvas import Canvas
from tapir_replay.demo.geometry import SCREEN, Rect
from tapir_replay.demo.looks import LOOKS, overflow_marks, plain_text
from tapir_replay.demo.palette import PRIMARY, SURFACE

if TYPE_CHECKING:
    from PIL import Image

    from tapir_replay.demo.app import App
    from tapir_replay.demo.tree import Node


def paint(app: App, area: Rect, node: Node | None = None) -> Image.Image:
    """A picture of a part of the screen; with a `node` it may lie outside of what is shown."""
    app.refresh()
    canvas = Canvas(area, SURFACE)
    brush = _Brush(app, canvas)
    if node is None:
        brush.draw(app.root, 0.0, 0.0)
    else:
        start = _surroundings(node)
        moved = start.parent.live_rect() if start.parent is not None else SCREEN
        still = start.parent.rect if start.parent is not None else SCREEN
        brush.draw(start, moved.x - still.x, moved.y - still.y)
    return canvas.finished()


def encode(picture: Image.Image, format_: str, quality: int) -> bytes:
    data = io.BytesIO()
    if format_ == "png":
        picture.save(data, "PNG", compress_level=4)
    else:
        picture.save(data, "JPEG", quality=max(1, quality))
    return data.getvalue()


def _surroundings(node: Node) -> Node:
    """The largest part of the page around the node that is not cut by a scroll view."""
    found = node
    for around in node.ancestors():
        if around.scrolling is not None and around is not node:
            break
        found = around
        if around.route is not None:
            break
    return found


class _Brush:
    """Walks the tree and draws each node by its style. A painter that answers True did the
    children's part too.
    """

    def __init__(self, app: App, canvas: Canvas) -> None:
        self.app = app
        self.canvas = canvas

    def draw(self, node: Node, dx: float, dy: float) -> None:
        if node.motion is not None:
            mx, my = node.motion()
            dx, dy = dx + mx, dy + my
        rect = node.rect.moved(dx, dy)
        look = LOOKS.get(node.style.partition(" ")[0])
        done = look(self, node, rect) if look is not None else False
        if look is None and node.data is not None:
            plain_text(self, node, rect)
        if not done:
            self._children(node, rect, dx, dy)
        if node is self.app.focus and node.edit is None:
            ring = Rect(rect.x - 3, rect.y - 3, rect.w + 6, rect.h + 6)
            round_ = node.style in {"filled", "tonal", "outlined", "plain"}
            radius = ring.h / 2 if round_ else 10
            self.canvas.box(ring, radius=radius, outline=PRIMARY, width=2)
        if node.overflowing:
            overflow_marks(self.canvas, rect)

    def _children(self, node: Node, rect: Rect, dx: float, dy: float) -> None:
        if node.scrolling is None:
            children = node.children
            if node.type == "Navigator":  # an opaque page hides those below it
                pages = [i for i, c in enumerate(children) if c.route and not c.route.popup]
                children = children[pages[-1] :] if pages else children
            for child in children:
                self.draw(child, dx, dy)
            return
        outer, self.canvas = self.canvas, Canvas(rect, SURFACE)
        for child in node.children:
            if child.rect.moved(dx, dy).overlaps(rect):
                self.draw(child, dx, dy)
        inner, self.canvas = self.canvas, outer
        self.canvas.paste(inner)
