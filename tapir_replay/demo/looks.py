"""How each kind of control looks. A look that answers True drew what is inside as well."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Protocol

from tapir_replay.demo import semantics
from tapir_replay.demo.canvas import Canvas, Colour, colour, mixed
from tapir_replay.demo.geometry import SCREEN, Rect
from tapir_replay.demo.layout import FONT_SIZES
from tapir_replay.demo.palette import (
    DIVIDER,
    ERROR,
    HIGH,
    INK,
    ON_PRIMARY,
    ON_TONAL,
    OUTLINE,
    PRIMARY,
    RAISED,
    SCRIM,
    SOFT_INK,
    SURFACE,
    TONAL,
    WARNING,
    faded,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from tapir_replay.demo.app import App
    from tapir_replay.demo.tree import Node


class Brush(Protocol):
    """What a look draws with."""

    app: App
    canvas: Canvas


if TYPE_CHECKING:
    Look = Callable[[Brush, Node, Rect], bool]


def plain_text(brush: Brush, node: Node, rect: Rect) -> None:
    size = FONT_SIZES.get(node.style, 16.0)
    ink = {"error": ERROR, "small": SOFT_INK}.get(node.style, INK)
    strong = node.style in {"heading", "display", "title"}
    x = rect.x
    if node.style == "display":
        x = rect.centre.x - brush.canvas.text_width(node.data or "", size) / 2
    lines = (node.data or "").split("\n")
    for index, line in enumerate(lines):
        middle = rect.y + (index + 0.5) * rect.h / len(lines)
        room = SCREEN.right - 12 - x if rect.x < SCREEN.right else None
        brush.canvas.text(line, (x, middle), size, ink, strong=strong, room=room)


def _page(brush: Brush, node: Node, rect: Rect) -> bool:
    canvas = brush.canvas
    canvas.box(rect, SURFACE)
    if node.parent is not None and node.parent.parent is not None and rect.y == 0:
        canvas.text("9:41", (24, 16), 13, INK, strong=True)
        canvas.box(Rect(344, 10, 22, 11), radius=3, outline=INK, width=1)
        canvas.box(Rect(346, 12, 15, 7), INK, radius=1.5)
        canvas.box(Rect(367, 13, 2, 5), INK, radius=1)
    return False


def _button(brush: Brush, node: Node, rect: Rect) -> bool:
    looks: dict[str, tuple[Colour | None, Colour]] = {
        "filled": (PRIMARY, ON_PRIMARY),
        "tonal": (TONAL, ON_TONAL),
        "outlined": (None, PRIMARY),
        "plain": (None, PRIMARY),
        "link": (None, PRIMARY),
    }
    style = node.style.partition(" ")[0]
    fill, ink = looks[style]
    if not node.is_enabled:
        fill = mixed(INK, SURFACE, 0.12) if fill is not None else None
        ink = faded(INK)
    outline = OUTLINE if style == "outlined" else None
    if fill is not None or outline is not None:
        brush.canvas.box(rect, fill, radius=rect.h / 2, outline=outline)
    width = brush.canvas.text_width(node.label, 15)
    x = rect.x + 8 if style == "link" else rect.centre.x - width / 2
    brush.canvas.text(node.label, (x, rect.centre.y), 15, ink, strong=True)
    if style == "link":
        y = rect.centre.y + 10
        brush.canvas.line([(x, y), (x + width, y)], ink)
    return True


def _back(brush: Brush, _node: Node, rect: Rect) -> bool:
    x, y = rect.centre
    brush.canvas.line([(x - 7, y), (x + 8, y)], INK, 2)
    brush.canvas.line([(x, y - 7), (x - 7, y), (x, y + 7)], INK, 2)
    return True


def _clear(brush: Brush, _node: Node, rect: Rect) -> bool:
    x, y = rect.centre
    brush.canvas.line([(x - 6, y - 6), (x + 6, y + 6)], SOFT_INK, 2)
    brush.canvas.line([(x - 6, y + 6), (x + 6, y - 6)], SOFT_INK, 2)
    return True


def _row(brush: Brush, node: Node, rect: Rect) -> bool:
    canvas = brush.canvas
    canvas.text(node.label, (rect.x + 16, rect.centre.y), 16, INK)
    if node.style == "link-row":
        x, y = rect.right - 22, rect.centre.y
        canvas.line([(x - 3, y - 5), (x + 2, y), (x - 3, y + 5)], SOFT_INK, 1.6)
    canvas.line([(rect.x + 16, rect.bottom - 0.5), (rect.right, rect.bottom - 0.5)], DIVIDER)
    return True


def _tab(brush: Brush, node: Node, rect: Rect) -> bool:
    active = node.label.lower() in brush.app.router.uri
    x, y = rect.centre
    if active:
        brush.canvas.box(Rect(x - 32, rect.y + 6, 64, 30), TONAL, radius=15)
    ink = ON_TONAL if active else SOFT_INK
    if node.label == "Profile":
        brush.canvas.circle(x, rect.y + 17, 4, ink)
        brush.canvas.box(Rect(x - 8, rect.y + 23, 16, 8), ink, radius=4)
    else:
        for index in range(3):
            brush.canvas.box(Rect(x - 9, rect.y + 13 + 6 * index, 18, 2.4), ink, radius=1)
    width = brush.canvas.text_width(node.label, 12)
    brush.canvas.text(node.label, (x - width / 2, y + 17), 12, ink, strong=active)
    return True


def _tabs(brush: Brush, _node: Node, rect: Rect) -> bool:
    brush.canvas.box(rect, RAISED)
    return False


def _framed_label(brush: Brush, rect: Rect, label: str, ink: Colour) -> None:
    """The small label that sits in a gap of the outline."""
    width = brush.canvas.text_width(label, 12)
    brush.canvas.box(Rect(rect.x + 12, rect.y - 6, width + 8, 12), SURFACE)
    brush.canvas.text(label, (rect.x + 16, rect.y), 12, ink)


def _field(brush: Brush, node: Node, rect: Rect) -> bool:
    canvas, edit = brush.canvas, node.edit
    assert edit is not None
    focused = brush.app.focus is node
    canvas.box(rect, radius=6, outline=PRIMARY if focused else OUTLINE, width=2 if focused else 1)
    floats = focused or bool(edit.text)
    if floats:
        _framed_label(brush, rect, node.label, PRIMARY if focused else SOFT_INK)
    middle = rect.centre.y if edit.lines == 1 else rect.y + 28
    if not floats:
        canvas.text(node.label, (rect.x + 16, middle), 16, SOFT_INK)
        return True
    room = rect.w - 32
    caret = rect.x + 16
    if edit.obscured:
        for index in range(min(len(edit.text), int(room // 10))):
            canvas.circle(rect.x + 20 + 10 * index, middle, 3.4, INK)
        caret += 10 * min(edit.caret, int(room // 10))
        line = 0
    else:
        for number, part in enumerate(edit.text.split("\n")[: edit.lines]):
            canvas.text(part, (rect.x + 16, middle + 24 * number), 16, INK, room=room)
        before = edit.text[: edit.caret].split("\n")
        line = min(len(before), edit.lines) - 1
        caret += min(room, canvas.text_width(before[-1], 16))
    if focused:
        y = middle + 24 * line
        canvas.line([(caret + 1, y - 10), (caret + 1, y + 10)], PRIMARY, 2)
    return True


def _dropdown(brush: Brush, node: Node, rect: Rect) -> bool:
    canvas = brush.canvas
    canvas.box(rect, radius=6, outline=OUTLINE)
    _framed_label(brush, rect, node.label, SOFT_INK)
    canvas.text(semantics.value_of(node), (rect.x + 16, rect.centre.y), 16, INK)
    x, y = rect.right - 24, rect.centre.y
    canvas.polygon([(x - 5, y - 2.5), (x + 5, y - 2.5), (x, y + 3)], SOFT_INK)
    return True


def _checkbox(brush: Brush, node: Node, rect: Rect) -> bool:
    canvas, on = brush.canvas, semantics.of(node).on
    accent, ink = (PRIMARY, INK) if node.is_enabled else (faded(INK), faded(INK))
    x, y = rect.x + 4, rect.centre.y - 9
    box = Rect(x, y, 18, 18)
    if on is False:
        canvas.box(box, radius=3, outline=SOFT_INK if node.is_enabled else accent, width=2)
    else:
        canvas.box(box, accent, radius=3)
    if on:
        canvas.line([(x + 4, y + 9.5), (x + 7.5, y + 13), (x + 14, y + 5.5)], ON_PRIMARY, 2)
    elif on is None:
        canvas.line([(x + 4.5, y + 9), (x + 13.5, y + 9)], ON_PRIMARY, 2)
    canvas.text(node.label, (rect.x + 36, rect.centre.y), 16, ink)
    return True


def _radio(brush: Brush, node: Node, rect: Rect) -> bool:
    on = semantics.of(node).on
    x, y = rect.x + 13, rect.centre.y
    brush.canvas.circle(x, y, 10, outline=PRIMARY if on else SOFT_INK, width=2)
    if on:
        brush.canvas.circle(x, y, 5.2, PRIMARY)
    brush.canvas.text(node.label, (rect.x + 36, y), 16, INK)
    return True


def _knob(brush: Brush, right: float, y: float, on: bool) -> None:
    track = Rect(right - 52, y - 16, 52, 32)
    if on:
        brush.canvas.box(track, PRIMARY, radius=16)
        brush.canvas.circle(right - 16, y, 12, ON_PRIMARY)
    else:
        brush.canvas.box(track, HIGH, radius=16, outline=OUTLINE, width=2)
        brush.canvas.circle(right - 36, y, 8, OUTLINE)


def _switch(brush: Brush, node: Node, rect: Rect) -> bool:
    brush.canvas.text(node.label, (rect.x + 4, rect.centre.y), 16, INK)
    _knob(brush, rect.right, rect.centre.y, bool(semantics.of(node).on))
    return True


def _bare_switch(brush: Brush, node: Node, rect: Rect) -> bool:
    _knob(brush, rect.right, rect.centre.y, bool(semantics.of(node).on))
    return True


def _surface(fill: Colour, radius: float, outline: Colour | None = None) -> Look:
    def draw(brush: Brush, _node: Node, rect: Rect) -> bool:
        brush.canvas.box(rect, fill, radius=radius, outline=outline)
        return False

    return draw


def _card_row(brush: Brush, _node: Node, rect: Rect) -> bool:
    y = rect.bottom - 0.5
    brush.canvas.line([(rect.x + 16, y), (rect.right - 16, y)], DIVIDER)
    return False


def _scrim(brush: Brush, _node: Node, rect: Rect) -> bool:
    brush.canvas.dim(rect, SCRIM)
    return True


def _sheet(brush: Brush, _node: Node, rect: Rect) -> bool:
    brush.canvas.box(rect, RAISED, radius=28)
    brush.canvas.box(Rect(rect.x, rect.bottom - 40, rect.w, 40), RAISED)
    brush.canvas.box(Rect(rect.centre.x - 16, rect.y + 14, 32, 4), OUTLINE, radius=2)
    return False


def _banner(brush: Brush, _node: Node, rect: Rect) -> bool:
    for step in range(4):
        shade = mixed(INK, SURFACE, 0.10 - 0.022 * step)
        brush.canvas.box(Rect(rect.x, rect.bottom, rect.w, 4 - step), shade)
    brush.canvas.box(rect, colour("#fff4d6"))
    brush.canvas.box(Rect(rect.x, rect.y, rect.w, 3), colour("#e0a100"))
    return False


def _spinner(brush: Brush, _node: Node, rect: Rect) -> bool:
    turn = brush.app.clock.now() * 270 % 360
    x, y = rect.centre
    brush.canvas.circle(x, y, 20, outline=TONAL, width=4)
    brush.canvas.arc(Rect(x - 20, y - 20, 40, 40), (turn, turn + 110), PRIMARY, 4)
    return True


def _dashed(canvas: Canvas, rect: Rect) -> None:
    canvas.box(rect, RAISED, radius=16)
    for x in range(int(rect.x) + 18, int(rect.right) - 22, 12):
        canvas.line([(x, rect.y + 1), (x + 6, rect.y + 1)], OUTLINE)
        canvas.line([(x, rect.bottom - 1), (x + 6, rect.bottom - 1)], OUTLINE)
    for y in range(int(rect.y) + 18, int(rect.bottom) - 20, 12):
        canvas.line([(rect.x + 1, y), (rect.x + 1, y + 6)], OUTLINE)
        canvas.line([(rect.right - 1, y), (rect.right - 1, y + 6)], OUTLINE)


def _pad(brush: Brush, node: Node, rect: Rect) -> bool:
    _dashed(brush.canvas, rect)
    width = brush.canvas.text_width(node.label, 18)
    place = (rect.centre.x - width / 2, rect.centre.y)
    brush.canvas.text(node.label, place, 18, SOFT_INK, strong=True)
    return True


def _basket(brush: Brush, node: Node, rect: Rect) -> bool:
    canvas = brush.canvas
    _dashed(canvas, rect)
    x, y = rect.centre.x, rect.centre.y - 8
    canvas.arc(Rect(x - 16, y - 22, 32, 40), (180, 360), SOFT_INK, 2.5)
    canvas.polygon([(x - 26, y - 2), (x + 26, y - 2), (x + 19, y + 22), (x - 19, y + 22)], PRIMARY)
    for offset in (-10, 0, 10):
        canvas.line([(x + offset, y + 3), (x + offset * 0.8, y + 17)], TONAL, 2)
    width = canvas.text_width(node.label, 13)
    canvas.text(node.label, (x - width / 2, y + 36), 13, SOFT_INK)
    return True


def _logo(brush: Brush, _node: Node, rect: Rect) -> bool:
    """A tapir, more or less: dark in front and behind, light between, with a short trunk."""
    canvas = brush.canvas
    x, y = rect.centre
    dark, light = PRIMARY, TONAL
    canvas.box(Rect(x - 46, y - 22, 84, 46), dark, radius=23)
    canvas.box(Rect(x - 18, y - 22, 40, 46), light)
    for leg in (-36, -24, 18, 29):
        canvas.box(Rect(x + leg, y + 12, 10, 26), dark, radius=4)
    canvas.circle(x + 44, y - 12, 20, dark)
    canvas.polygon([(x + 40, y - 30), (x + 50, y - 42), (x + 56, y - 26)], dark)
    canvas.box(Rect(x + 54, y - 14, 16, 12), dark, radius=6)
    canvas.box(Rect(x + 61, y - 10, 9, 20), dark, radius=4.5)
    canvas.circle(x + 50, y - 16, 2.6, ON_PRIMARY)
    return True


def overflow_marks(canvas: Canvas, rect: Rect) -> None:
    """The marks of a layout that did not fit."""
    edge = Rect(rect.right - 10, rect.y, 10, rect.h)
    canvas.box(edge, WARNING)
    for step in range(math.ceil(edge.h / 10)):
        top = edge.y + 10 * step
        canvas.polygon(
            [(edge.x, top + 5), (edge.right, top), (edge.right, top + 5), (edge.x, top + 10)], INK
        )


LOOKS: dict[str, Look] = {
    "page": _page,
    "filled": _button,
    "tonal": _button,
    "outlined": _button,
    "plain": _button,
    "link": _button,
    "back": _back,
    "clear": _clear,
    "row": _row,
    "link-row": _row,
    "tab": _tab,
    "tabs": _tabs,
    "field": _field,
    "dropdown": _dropdown,
    "checkbox": _checkbox,
    "radio": _radio,
    "switch": _switch,
    "bare-switch": _bare_switch,
    "card": _surface(RAISED, 14),
    "card-row": _card_row,
    "dialog": _surface(HIGH, 28),
    "menu": _surface(HIGH, 6, OUTLINE),
    "merged-row": _surface(SURFACE, 0),
    "scrim": _scrim,
    "sheet": _sheet,
    "banner": _banner,
    "spinner": _spinner,
    "pad": _pad,
    "basket": _basket,
    "logo": _logo,
}
