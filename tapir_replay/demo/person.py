"""The hands of a person: what they do to the app, and that somebody may watch them."""

from __future__ import annotations

import math
import unicodedata
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tapir_replay.demo import keyboard, pointer
from tapir_replay.demo.describe import touched

if TYPE_CHECKING:
    from tapir_replay.demo.app import App
    from tapir_replay.demo.geometry import Point
    from tapir_replay.demo.recorder import Moment, Recorder, Told
    from tapir_replay.demo.tree import Node

SLOP = 18.0
"""Pixels a finger may slip and still tap."""

LONG_PRESS_SECONDS = 0.5
AGAIN_SECONDS = 0.3
AGAIN_PIXELS = 100.0

_CLICKS: dict[int, pointer.Gesture] = {1: "tap", 2: "double_tap", 3: "triple_tap"}

ZERO_WIDTH_JOINER = "\u200d"


def _apart(one: Point, other: Point) -> float:
    return math.hypot(one.x - other.x, one.y - other.y)


@dataclass
class _Press:
    """A finger or a button that is down."""

    point: Point
    since: float
    secondary: bool
    moved: bool = False


@dataclass(frozen=True)
class _Click:
    """A tap that is over; `count` is 2 for the second in a row."""

    point: Point
    until: float
    node: Node | None
    count: int
    told: Told | None


class Person:
    """Does to the app what a person can. What a press sets off happens when it is let go."""

    def __init__(self, app: App, recorder: Recorder) -> None:
        self._app = app
        self._recorder = recorder
        self._press: _Press | None = None
        self._last: _Click | None = None
        self._opened: tuple[Node, Told] | None = None
        """The dropdown whose menu was opened last, and the tap that did it."""

    # --- pointers ------------------------------------------------------------------------------

    def down(self, point: Point, *, secondary: bool = False) -> None:
        self._press = None
        if not self._recorder.takes(point):
            self._press = _Press(point, self._app.clock.now(), secondary)

    def move(self, point: Point) -> None:
        press = self._press
        if press is not None and _apart(press.point, point) >= SLOP:
            press.moved = True

    def up(self, point: Point) -> None:
        self.move(point)
        press, self._press = self._press, None
        if press is None:
            return
        held = self._app.clock.now() - press.since
        if press.moved:
            self._drag(press.point, point)
        elif press.secondary:
            self._gesture(press.point, "right_click", "secondary_tap")
        elif held >= LONG_PRESS_SECONDS:
            self._gesture(press.point, "long_press", "long_press")
        else:
            self._click(press)

    def hover(self, point: Point) -> None:
        pointer.perform(self._app, point, "hover")

    def wheel(self, point: Point, dy: float) -> None:
        found = pointer.hit(self._app, point)
        view = found.scrollable if found is not None else None
        if view is None:
            return
        moment, before = self._recorder.look(view), _offset(view)
        pointer.scroll_to(view, before + dy)
        self._tell_scroll(moment, _offset(view) - before)

    def _gesture(self, point: Point, action: str, gesture: pointer.Gesture) -> None:
        moment = self._recorder.look(touched(self._app, point))
        self._recorder.tell(action, moment, point=point.as_json())
        pointer.perform(self._app, point, gesture)

    def _click(self, press: _Press) -> None:
        node = touched(self._app, press.point)
        moment = self._recorder.look(node)
        count, before = 1, self._last
        if before is not None and self._follows(before, press, node):
            count = before.count % len(_CLICKS) + 1
        told = self._recorder.tell(
            "dblclick" if count == 2 else "tap",
            moment,
            replaces=(before.told,) if before is not None and count == 2 else (),
            point=press.point.as_json(),
        )
        self._last = _Click(press.point, self._app.clock.now(), node, count, told)
        menu_of, was_open = _menu_around(node), self._menu_owner()
        # What only knows taps heard the ones before already.
        pointer.perform(self._app, press.point, _CLICKS[count], taps=1)
        now_open = self._menu_owner()
        if now_open is not None and now_open is not was_open and told is not None:
            self._opened = (now_open, told)
        if menu_of is not None and node is not None and now_open is not menu_of:
            self._tell_choice(menu_of, node.label, told)

    def _follows(self, before: _Click, press: _Press, node: Node | None) -> bool:
        return (
            node is before.node
            and press.since - before.until <= AGAIN_SECONDS
            and _apart(press.point, before.point) <= AGAIN_PIXELS
        )

    def _menu_owner(self) -> Node | None:
        """The dropdown whose menu is open."""
        top = self._app.router.navigator.top
        return top.route.menu_of if top is not None and top.route is not None else None

    def _tell_choice(self, dropdown: Node, option: str, told: Told | None) -> None:
        if self._opened is None or self._opened[0] is not dropdown or dropdown.choice is None:
            return
        opening = self._opened[1]
        if option in dropdown.choice.options:
            self._recorder.tell("select", opening.moment, replaces=(opening, told), value=option)

    def _drag(self, start: Point, end: Point) -> None:
        app, recorder = self._app, self._recorder
        view = pointer.grip(app, start)
        before = _offset(view)
        scrolling, dragging = recorder.look(view), recorder.look(touched(app, start))
        to = recorder.describe(touched(app, end))
        pointer.drag(app, start, end)
        if _offset(view) != before:
            self._tell_scroll(scrolling, _offset(view) - before)
        else:
            recorder.tell("drag", dragging, to=to, dx=end.x - start.x, dy=end.y - start.y)

    def _tell_scroll(self, moment: Moment | None, moved: float) -> None:
        if moved:
            self._recorder.tell("scroll", moment, dx=0.0, dy=moved)

    # --- the keyboard --------------------------------------------------------------------------

    def type(self, text: str) -> None:
        """One character after the other into the field that has the focus."""
        for character in characters(text):
            self.paste(character)

    def paste(self, text: str) -> None:
        field = self._app.focus
        if field is None or field.edit is None:
            return
        moment, before = self._recorder.look(field), field.edit.text
        field.edit.insert(text)
        field.changed()
        if field.edit.text != before:
            self._tell_fill(field, moment)

    def key(self, key: str, held: list[str]) -> None:
        field = self._app.focus
        edit = field.edit if field is not None else None
        if edit is None or field is None or set(held) - {"Shift"} or not edit.is_written_by(key):
            modifiers = [name.lower() for name in held]
            self._recorder.tell("key", self._recorder.look(field), key=key, modifiers=modifiers)
            keyboard.press(self._app, key, held)
        elif key == "Enter":
            self.paste("\n")
        else:
            moment, before = self._recorder.look(field), edit.text
            keyboard.press(self._app, key, held)
            if edit.text != before:
                self._tell_fill(field, moment)

    def _tell_fill(self, field: Node, moment: Moment | None) -> None:
        assert field.edit is not None
        hidden: dict[str, Any] = {"obscured": True} if field.edit.obscured else {}
        self._recorder.tell("fill", moment, text=field.edit.text, **hidden)

    # --- the platform --------------------------------------------------------------------------

    def back(self) -> None:
        """The back button."""
        self._recorder.tell("back", self._recorder.look(None))
        self._app.router.leave()


def _offset(view: Node | None) -> float:
    """How far it is scrolled, if it can be."""
    return view.scrolling.offset if view is not None and view.scrolling is not None else 0.0


def _menu_around(node: Node | None) -> Node | None:
    """The dropdown whose menu the node is in."""
    around = node.ancestors() if node is not None else ()
    return next((n.route.menu_of for n in around if n.route is not None), None)


def characters(text: str) -> list[str]:
    """The text cut into what a person would call a character, near enough."""
    found: list[str] = []
    for letter in text:
        joined = found and (
            letter == ZERO_WIDTH_JOINER
            or unicodedata.category(letter).startswith("M")
            or "\U0001f3fb" <= letter <= "\U0001f3ff"  # the colour of a skin
            or found[-1].endswith(ZERO_WIDTH_JOINER)
        )
        if joined:
            found[-1] += letter
        else:
            found.append(letter)
    return found
