"""Recording by itself, on a clock that only moves when told to."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tapir_replay.demo import semantics, widgets
from tapir_replay.demo.app import App
from tapir_replay.demo.fields import TextEdit, digits_only, upper_case
from tapir_replay.demo.geometry import SCREEN, Point
from tapir_replay.demo.keyboard import NAMED
from tapir_replay.demo.person import Person, characters
from tapir_replay.demo.recorder import Recorder
from tapir_replay.demo.screens import SCREENS
from tapir_replay.demo.sight import LONGEST, look
from tapir_replay.demo.tree import Node
from tests.support.clock import FakeClock


class Watched:
    """An app, somebody at it, and what is told of that."""

    def __init__(self) -> None:
        self.clock = FakeClock()
        self.app = App(clock=self.clock)
        self.recorder = Recorder(self.app)
        self.person = Person(self.app, self.recorder)
        self.events: list[dict[str, Any]] = []
        self.recorder.listeners.append(self.events.append)

    def place(self, label: str) -> Point:
        found = (node for node in semantics.nodes(self.app) if node.label == label)
        return next(found).live_rect().centre

    def tap(self, label: str) -> None:
        point = self.place(label)
        self.person.down(point)
        self.person.up(point)

    @property
    def kinds(self) -> list[str]:
        return [event.get("action", event["kind"]) for event in self.events]


@pytest.fixture
def watched() -> Watched:
    return Watched()


def test_what_came_of_it_is_told_after_100_quiet_ms(watched: Watched) -> None:
    watched.recorder.start(tools=False)
    watched.tap("Remember me")
    watched.clock.advance(0.09)
    assert watched.kinds == ["tap"]
    watched.clock.advance(0.02)
    assert watched.kinds == ["tap", "after"]
    watched.clock.advance(5)
    assert watched.kinds == ["tap", "after"]


def test_a_change_begins_the_quiet_anew(watched: Watched) -> None:
    watched.recorder.start(tools=False)
    watched.tap("Remember me")
    for _ in range(5):
        watched.clock.advance(0.09)
        watched.app.tree_changed()
    assert watched.kinds == ["tap"]
    watched.clock.advance(0.11)
    assert watched.kinds == ["tap", "after"]


def test_it_is_told_again_only_if_it_differs(watched: Watched) -> None:
    watched.recorder.start(tools=False)
    watched.tap("Remember me")
    watched.clock.advance(1)
    watched.app.tree_changed()
    watched.clock.advance(1)
    assert watched.kinds == ["tap", "after"]
    watched.app.router.go("/inbox")
    watched.clock.advance(1)
    assert watched.kinds == ["tap", "after", "after"]
    assert watched.events[2]["of"] == watched.events[1]["of"] == 1


def test_what_moves_is_not_quiet(watched: Watched) -> None:
    watched.app.router.go("/motion")
    watched.recorder.start(tools=False)
    watched.tap("Catch me")
    watched.clock.advance(3)
    assert watched.kinds == ["tap"]
    watched.tap("Stop")
    assert watched.kinds == ["tap", "after", "tap"]
    watched.clock.advance(0.3)
    assert watched.kinds == ["tap", "after", "tap", "after"]


def test_nothing_is_told_after_the_end(watched: Watched) -> None:
    watched.recorder.start(tools=False)
    watched.tap("Remember me")
    watched.recorder.stop()
    assert watched.kinds == ["tap", "after"]
    watched.app.router.go("/inbox")
    watched.clock.advance(1)
    assert watched.kinds == ["tap", "after"]


def test_a_press_is_long_from_500_ms_on(watched: Watched) -> None:
    watched.app.router.go("/gestures")
    watched.recorder.start(tools=False)
    point = watched.place("Pad")
    for seconds in (0.49, 0.5):
        watched.person.down(point)
        watched.clock.advance(seconds)
        watched.person.up(point)
    assert [kind for kind in watched.kinds if kind != "after"] == ["tap", "long_press"]


@pytest.mark.parametrize(
    ("pause", "apart", "told"),
    [
        (0.29, 0, ["tap", "dblclick"]),
        (0.31, 0, ["tap", "tap"]),
        (0, 99, ["tap", "dblclick"]),
        (0, 101, ["tap", "tap"]),
    ],
)
def test_a_second_tap_counts_by_time_and_place(
    watched: Watched, pause: float, apart: float, told: list[str]
) -> None:
    watched.app.router.go("/gestures")
    watched.recorder.start(tools=False)
    x, y = watched.place("Pad")
    for point in (Point(x, y), Point(x + apart, y)):
        watched.person.down(point)
        watched.person.up(point)
        watched.clock.advance(pause)
    assert [kind for kind in watched.kinds if kind != "after"] == told
    heard = "double tap" if "dblclick" in told else "tap"
    assert watched.app.has_text(f"Last gesture: {heard}")


def test_from_18_pixels_on_it_is_no_tap(watched: Watched) -> None:
    watched.recorder.start(tools=False)
    x, y = watched.place("Remember me")
    for slip in (17.9, 18):
        watched.person.down(Point(x, y))
        watched.person.move(Point(x + slip, y))
        watched.person.up(Point(x, y))
        watched.clock.advance(1)
    assert [kind for kind in watched.kinds if kind != "after"] == ["tap", "drag"]


def test_what_was_told_of_another_recording_is_not_replaced(watched: Watched) -> None:
    watched.recorder.start(tools=False)
    watched.tap("Remember me")
    watched.recorder.start(tools=False)
    watched.tap("Remember me")
    assert watched.kinds == ["tap", "after", "dblclick"]
    assert "replaces" not in watched.events[2]


def test_a_menu_opened_before_the_recording_is_just_tapped(watched: Watched) -> None:
    watched.app.router.go("/form")
    watched.tap("Size")
    watched.recorder.start(tools=False)
    watched.tap("L")
    watched.recorder.stop()
    assert watched.kinds == ["tap", "after"]


def test_a_field_that_empties_itself_when_sent_is_no_fill(watched: Watched) -> None:
    edit = TextEdit()
    edit.on_submitted = lambda: edit.enter("")
    node = widgets.field("Message", edit)
    watched.app.router.navigator.add(node)
    watched.app.set_focus(node)
    watched.recorder.start(tools=False)
    watched.person.type("hi")
    watched.person.key("Enter", [])
    assert edit.text == ""
    assert [event["action"] for event in watched.events if "action" in event][-1] == "key"


def test_long_texts_are_not_listed(watched: Watched) -> None:
    column = Node("Column", widgets.text("x" * LONGEST), widgets.text("y" * (LONGEST + 1)))
    watched.app.router.navigator.add(column)
    assert list(look(watched.app).texts) == ["x" * LONGEST]


def test_a_value_without_a_label_is_a_text(watched: Watched) -> None:
    dial = widgets.image("", height=40)
    assert dial.semantics is not None
    dial.semantics.value = "40 %"
    field = widgets.field("", TextEdit(text="typed"))
    watched.app.router.navigator.add(Node("Column", dial, field))
    assert list(look(watched.app).texts) == ["40 %"]


def test_what_was_told_is_not_kept_for_ever(watched: Watched) -> None:
    watched.recorder.start(tools=False)
    for _ in range(3):
        watched.tap("Remember me")
        watched.tap("Email")
    moment = watched.recorder.look(None)
    assert moment is not None
    assert moment.pending is not None
    assert moment.pending.moment.pending is None


def test_a_character_may_be_several_letters() -> None:
    for character in ("a", "é", "e\u0301", "👩‍💻", "👍🏽", "☺️", "日"):
        assert characters(character) == [character]
    assert characters("ab👩‍💻日") == ["a", "b", "👩‍💻", "日"]
    assert characters("") == []


@given(st.text())
def test_no_letter_is_lost(text: str) -> None:
    assert "".join(characters(text)) == text


@given(st.text(max_size=8), st.text(max_size=8), st.integers(0, 8))
def test_typing_at_a_caret(before: str, typed: str, caret: int) -> None:
    edit = TextEdit(formatters=(upper_case,), max_length=10)
    edit.enter(before)
    edit.caret = min(caret, len(edit.text))
    start, rest = edit.text[: edit.caret], edit.text[edit.caret :]
    edit.insert(typed)
    assert len(edit.text) <= 10
    assert edit.text.startswith(start)
    assert edit.text.endswith(rest)
    assert edit.caret == len(edit.text) - len(rest)


def test_what_is_typed_goes_through_the_rules() -> None:
    edit = TextEdit(formatters=(digits_only,), text="15", caret=1)
    edit.insert("a\n2b34")
    assert (edit.text, edit.caret) == ("12345", 4)


POINT = st.builds(Point, st.floats(-10, 400), st.floats(-10, 860))
DEED = st.one_of(
    st.tuples(st.just("press"), POINT),
    st.tuples(st.just("drag"), POINT, POINT),
    st.tuples(st.just("wheel"), POINT, st.floats(-500, 500)),
    st.tuples(st.just("type"), st.text(max_size=5)),
    st.tuples(st.just("key"), st.sampled_from([*NAMED, "S"])),
    st.tuples(st.just("back")),
    st.tuples(st.just("wait"), st.sampled_from([0.05, 0.2, 0.6])),
)


def do(watched: Watched, deed: tuple[Any, ...]) -> None:
    person = watched.person
    match deed:
        case "press", point:
            person.down(point)
            person.up(point)
        case "drag", start, end:
            person.down(start)
            person.up(end)
        case "wheel", point, dy:
            person.wheel(point, dy)
        case "type", text:
            person.type(text)
        case "key", key:
            person.key(key, [])
        case "wait", seconds:
            watched.clock.advance(seconds)
        case _:
            person.back()


@settings(deadline=None, max_examples=100)
@given(st.sampled_from([*SCREENS]), st.lists(DEED, max_size=12))
def test_whatever_is_done_the_app_does_not_notice(route: str, deeds: list[tuple[Any, ...]]) -> None:
    alone, watched = Watched(), Watched()
    for each in (alone, watched):
        each.app.signed_in = "ada@example.com"
        each.app.router.go(route)
    watched.recorder.start(tools=False)
    for deed in deeds:
        for each in (alone, watched):
            do(each, deed)
    watched.recorder.stop()
    assert look(watched.app) == look(alone.app)
    assert [event["seq"] for event in watched.events] == [*range(1, len(watched.events) + 1)]
    assert alone.events == []
    replaced = set[int]()
    for event in watched.events:
        assert event.get("of") not in replaced
        replaced.update(event.get("replaces", ()))


def test_the_menu_of_a_dropdown_stays_on_the_screen(watched: Watched) -> None:
    watched.app.router.go("/form")
    dropdown = next(node for node in watched.app.elements if node.choice is not None)
    scroll = dropdown.scrollable
    assert scroll is not None
    assert scroll.scrolling is not None
    for offset in (0.0, scroll.scrolling.extent):
        scroll.scrolling.offset = offset
        scroll.changed()
        assert dropdown.on_tap is not None
        dropdown.on_tap()
        watched.app.refresh()
        (menu,) = (node for node in watched.app.reachable if node.type == "DropdownMenu")
        assert SCREEN.y < menu.rect.y < menu.rect.bottom < SCREEN.bottom
        assert menu.rect.x == dropdown.rect.x
        watched.app.router.close_popups()
