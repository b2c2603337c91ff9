"""Pictures: nothing an app can hold makes painting fail."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tapir_replay.demo.app import App
from tapir_replay.demo.canvas import Canvas, drawable
from tapir_replay.demo.geometry import SCREEN, Rect
from tapir_replay.demo.paint import encode, paint
from tapir_replay.demo.palette import INK, SURFACE
from tapir_replay.demo.pointer import perform
from tapir_replay.demo.screens import SCREENS
from tests.support.clock import FakeClock

ANY_TEXT = st.text(st.characters(codec=None, exclude_categories=()), max_size=40)


def test_every_screen_has_a_picture_of_its_own() -> None:
    app = App(clock=FakeClock())
    app.signed_in = "ada@example.com"
    pictures = {}
    for route in SCREENS:
        app.router.go(route)
        app.signed_in = "ada@example.com"
        picture = paint(app, SCREEN)
        assert picture.size == (780, 1688)
        pictures[route] = picture.tobytes()
    assert len(set(pictures.values())) == len(SCREENS)


def test_what_a_text_says_can_be_seen() -> None:
    """Two words of the same length differ in the picture: letters are drawn, not boxes."""
    pictures = set()
    for word in ("Delete", "Select", "delete", "eteleD"):
        canvas = Canvas(Rect(0, 0, 120, 40), SURFACE)
        canvas.text(word, (4, 20), 16, INK)
        pictures.add(canvas.finished().tobytes())
    assert len(pictures) == 4


def test_a_spinner_turns() -> None:
    clock = FakeClock()
    app = App(clock=clock)
    app.router.go("/loading")
    for node in app.reachable:
        if node.label == "Load orders":
            perform(app, node.live_rect().centre, "tap")
            break
    first = paint(app, SCREEN).tobytes()
    clock.advance(0.1)
    assert paint(app, SCREEN).tobytes() != first


@settings(deadline=None, max_examples=150)
@given(ANY_TEXT, st.one_of(st.none(), st.floats(1, 200)))
def test_any_text_can_be_drawn(text: str, room: float | None) -> None:
    canvas = Canvas(Rect(0, 0, 120, 40), SURFACE)
    canvas.text(text, (4, 20), 16, INK, room=room, strong=True)
    canvas.finished()


@settings(deadline=None, max_examples=40)
@given(ANY_TEXT)
def test_any_text_can_be_in_a_field(text: str) -> None:
    app = App(clock=FakeClock())
    for node in app.reachable:
        if node.edit is not None:
            node.edit.enter(text)
            app.set_focus(node)
    paint(app, Rect(0, 200, 390, 200))


def test_letters_the_font_does_not_have() -> None:
    assert drawable("A") == "A"
    assert drawable("é") == "e"
    assert drawable("日") is None
    assert drawable("\ud83d") == drawable("\x00") == drawable("\u0301") == ""


def test_a_part_is_the_same_as_in_the_whole() -> None:
    app = App(clock=FakeClock())
    app.router.go("/form")
    area = Rect(16, 100, 200, 100)
    whole = paint(app, SCREEN).crop((32, 200, 432, 400))
    assert paint(app, area).tobytes() == whole.tobytes()


def test_a_widget_below_the_fold_has_a_picture() -> None:
    app = App(clock=FakeClock())
    app.router.go("/form")
    node = next(node for node in app.reachable if node.key == "place-order")
    picture = paint(app, node.live_rect(), node)
    colours = picture.getcolors(100000)
    assert colours is not None
    assert len(colours) > 1


@pytest.mark.parametrize("quality", [0, 1, 70, 100])
def test_encoding(quality: int) -> None:
    picture = paint(App(clock=FakeClock()), SCREEN)
    assert encode(picture, "jpeg", quality).startswith(b"\xff\xd8")
    assert encode(picture, "png", quality).startswith(b"\x89PNG")
