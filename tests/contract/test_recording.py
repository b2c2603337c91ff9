"""What a person does is told as docs/extended-protocol.md has it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.contract.conftest import RICH_BACKENDS
from tests.contract.recording import PERSON, PICK, QUERY, START, STOP, Person, Recording, ways

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tests.contract.driver import Driver
    from tests.contract.recording import Entry

rich = pytest.mark.parametrize("session", RICH_BACKENDS, indirect=True)
plain = pytest.mark.parametrize("session", ["demo-plain"], indirect=True)

FAMILY, TONE, COMBINED, CJK = "👩‍💻", "👍🏽", "e\u0301", "日本語"


@pytest.fixture
def person(app: Driver) -> Person:
    return Person(app)


@pytest.fixture
def recording(app: Driver) -> Iterator[Callable[..., Recording]]:
    """Begins one when the screen is ready; it ends with the test at the latest."""
    yield lambda **params: Recording(app, **params)
    app.call(STOP)


if TYPE_CHECKING:
    Start = Callable[..., Recording]


def names(entries: list[Entry]) -> list[str]:
    return [entry.name for entry in entries]


# --- starting and stopping ---------------------------------------------------------------------


@rich
def test_it_is_offered(app: Driver) -> None:
    assert "record" in app.call("ext.tapir_replay.info")["capabilities"]


@plain
def test_a_plain_app_does_not_know_it(app: Driver) -> None:
    for name in (START, STOP, PICK, PERSON):
        assert app.refuses(name).code == -32601


@rich
def test_without_a_recording_there_is_nothing_to_stop_or_to_pick(app: Driver) -> None:
    assert app.call(STOP) == {"run": None, "seq": 0}
    assert app.refuses(PICK)


@rich
def test_only_the_one_that_is_named_is_stopped(app: Driver, recording: Start) -> None:
    on = recording()
    assert app.call(STOP, run="another") == {"run": None, "seq": 0}
    assert app.call(STOP, run=on.run) == {"run": on.run, "seq": 0}


@rich
def test_a_recording_of_nothing(recording: Start) -> None:
    assert recording().stop() == []


@rich
def test_one_that_begins_ends_the_one_before(person: Person, recording: Start) -> None:
    first = recording()
    person.tap("Remember me")
    second = recording()
    assert second.run != first.run
    person.tap("Email")
    assert [each.target["label"] for each in second.stop()] == ["Email"]
    assert person.app.call(STOP) == {"run": None, "seq": 0}


@rich
def test_after_the_end_nothing_is_told(person: Person, recording: Start) -> None:
    first = recording()
    first.stop()
    person.tap("Remember me")
    second = recording()
    assert second.stop() == []


@rich
def test_the_end_tells_what_is_pending(person: Person, recording: Start) -> None:
    told = recording()
    person.tap("Forgot password?")
    (entry,) = told.stop()
    assert entry.came["route"] == {"from": "/login", "to": "/forgot"}
    assert [event["kind"] for event in told.events][:1] == ["action"]
    assert told.events[-1]["kind"] == "after"


# --- presses -----------------------------------------------------------------------------------


@rich
def test_a_tap(person: Person, recording: Start) -> None:
    told = recording()
    x, y = person.tap("Remember me")
    event = told.next()
    assert event["point"] == {"x": x, "y": y}
    assert (event["seq"], event["kind"], event["by"], event["action"]) == (
        1, "action", "person", "tap",
    )  # fmt: skip
    assert "replaces" not in event or event["replaces"] == []
    target = event["target"]
    assert (target["role"], target["label"], target["key"]) == (
        "checkbox", "Remember me", "remember",
    )  # fmt: skip
    assert target["checked"] is False
    assert target["value"] is None
    assert isinstance(target["type"], str)
    assert target["isEnabled"] is True
    assert set(target["bounds"]) == {"x", "y", "w", "h"}
    (entry,) = told.stop()
    assert entry.came["target"] == {"value": None, "checked": True, "isEnabled": True}
    assert "route" not in entry.came
    assert (entry.came["appeared"], entry.came["gone"]) == ([], [])


@rich
def test_a_slip_of_the_finger_is_still_a_tap(person: Person, recording: Start) -> None:
    told = recording()
    x, y = person.place("Remember me")
    person.does("down", x=x, y=y)
    person.does("move", x=x + 10, y=y + 5)
    person.does("up", x=x + 10, y=y + 5)
    assert names(told.stop()) == ["tap"]
    assert person.app.state("Remember me") is True


@rich
def test_two_taps_are_a_double_click(person: Person, recording: Start) -> None:
    person.app.go("/gestures")
    told = recording()
    x, y = person.place("Pad")
    person.press(x, y)
    person.press(x + 5, y + 5)
    (entry,) = told.stop()
    assert entry.name == "dblclick"
    assert entry.action["replaces"] == [1]
    assert entry.target["key"] == "pad"
    assert "Last gesture: double tap" in entry.texts("appeared")
    # Of before the first tap, which had changed the text already.
    assert entry.texts("gone") == ["Last gesture: none"]


@rich
def test_a_third_tap_is_a_tap_again(person: Person, recording: Start) -> None:
    person.app.go("/gestures")
    told = recording()
    place = person.place("Pad")
    for _ in range(3):
        person.press(*place)
    assert names(told.stop()) == ["dblclick", "tap"]
    assert person.app.sees("Last gesture: triple tap")


@rich
def test_two_taps_on_two_targets_are_two(person: Person, recording: Start) -> None:
    person.app.go("/list")
    first, second = person.place(key="item-1"), person.place(key="item-2")
    told = recording()
    person.press(*first)
    person.press(*second)
    entries = told.stop()
    assert [(each.name, each.target["key"]) for each in entries] == [
        ("tap", "item-1"),
        ("tap", "item-2"),
    ]
    assert person.app.sees("Selected: Item 2")


@rich
def test_a_double_click_where_only_taps_are_heard(person: Person, recording: Start) -> None:
    told = recording()
    place = person.place("Remember me")
    person.press(*place)
    person.press(*place)
    (entry,) = told.stop()
    assert entry.name == "dblclick"
    assert entry.target["checked"] is False
    assert entry.came["target"]["checked"] is False


@rich
def test_a_long_press(person: Person, recording: Start) -> None:
    person.app.go("/gestures")
    told = recording()
    person.hold("Pad")
    (entry,) = told.stop()
    assert (entry.name, entry.target["label"]) == ("long_press", "Pad")
    assert set(entry.action["point"]) == {"x", "y"}
    assert entry.texts("appeared") == ["Last gesture: long press"]


@rich
def test_the_secondary_button(person: Person, recording: Start) -> None:
    person.app.go("/gestures")
    told = recording()
    person.press(*person.place("Pad"), kind="mouse", secondary=True)
    (entry,) = told.stop()
    assert (entry.name, entry.target["label"]) == ("right_click", "Pad")
    assert set(entry.action["point"]) == {"x", "y"}
    assert entry.texts("appeared") == ["Last gesture: secondary tap"]


@rich
def test_hovering_is_nothing_to_tell(person: Person, recording: Start) -> None:
    person.app.go("/gestures")
    told = recording()
    x, y = person.place("Pad")
    person.does("hover", x=x, y=y, kind="mouse")
    assert person.app.sees("Last gesture: hover")
    assert told.stop() == []


@rich
def test_a_drag_and_a_drop(person: Person, recording: Start) -> None:
    person.app.go("/gestures")
    told = recording()
    start, end = person.place("Card"), person.place(role="image", label="Basket")
    person.drag(start, end)
    (entry,) = told.stop()
    assert entry.name == "drag"
    assert entry.target["label"] == "Card"
    assert (entry.action["to"]["role"], entry.action["to"]["label"]) == ("image", "Basket")
    assert entry.action["dx"] == pytest.approx(end[0] - start[0])
    assert entry.action["dy"] == pytest.approx(end[1] - start[1])
    assert entry.texts("appeared") == ["Basket: 1"]
    assert entry.texts("gone") == ["Basket: 0"]


@rich
def test_a_drag_to_nowhere(person: Person, recording: Start) -> None:
    person.app.go("/gestures")
    told = recording()
    x, y = person.place("Card")
    person.drag((x, y), (x, 4))
    (entry,) = told.stop()
    assert entry.name == "drag"
    assert entry.action["dy"] == pytest.approx(4 - y)
    assert entry.came["appeared"] == []


@rich
def test_a_pull_that_scrolls_nothing_is_a_drag(person: Person, recording: Start) -> None:
    person.app.go("/inbox")
    told = recording()
    x, y = person.place("Message 3")
    person.drag((x, y), (x, y + 176))
    told.until_after(lambda after: "Message 4" in [each["text"] for each in after["appeared"]])
    (entry,) = told.stop()
    assert entry.name == "drag"
    assert entry.target["label"] == "Message 3"
    assert entry.action["to"]["label"] == "Message 1"
    assert person.app.sees("Message 4")


# --- scrolling ---------------------------------------------------------------------------------


@rich
def test_a_drag_that_scrolls(person: Person, recording: Start) -> None:
    person.app.go("/list")
    told = recording()
    x, y = person.place(key="item-6")
    person.drag((x, y), (x, y - 120))
    (entry,) = told.stop()
    assert (entry.name, entry.target["key"]) == ("scroll", "items")
    assert (entry.action["dx"], entry.action["dy"]) == (0, 120)


@rich
def test_scrolls_of_one_view_are_one(person: Person, recording: Start) -> None:
    person.app.go("/list")
    told = recording()
    x, y = person.place(key="item-6")
    person.does("wheel", x=x, y=y, dy=100)
    person.does("wheel", x=x, y=y, dy=200)
    person.drag((x, y), (x, y - 60))
    person.does("wheel", x=x, y=y, dy=-50)
    (entry,) = told.stop()
    assert (entry.name, entry.action["dy"]) == ("scroll", 310)
    assert "Item 1" in entry.texts("gone")
    scrolled = person.app.call("scroll", dy=0, includeSnapshot=False)
    assert scrolled["finalOffset"] == 310


@rich
def test_a_scroll_after_something_else_is_another(person: Person, recording: Start) -> None:
    person.app.go("/list")
    told = recording()
    x, y = person.place(key="item-6")
    person.does("wheel", x=x, y=y, dy=100)
    person.press(x, y)
    person.does("wheel", x=x, y=y, dy=100)
    assert names(told.stop()) == ["scroll", "tap", "scroll"]


@rich
def test_only_what_moved_is_told(person: Person, recording: Start) -> None:
    person.app.go("/list")
    told = recording()
    x, y = person.place(key="item-6")
    person.does("wheel", x=x, y=y, dy=-100)
    assert told.stop() == []
    told = recording()
    person.does("wheel", x=x, y=y, dy=30)
    person.does("wheel", x=x, y=y, dy=-100)
    (entry,) = told.stop()
    assert (entry.name, entry.action["dy"]) == ("scroll", 0)


@rich
def test_a_wheel_over_nothing_that_scrolls(person: Person, recording: Start) -> None:
    told = recording()
    x, y = person.place("Email")
    person.does("wheel", x=x, y=y, dy=100)
    assert told.stop() == []


# --- typing ------------------------------------------------------------------------------------


@rich
def test_typing_is_one_fill(person: Person, recording: Start) -> None:
    told = recording()
    person.tap("Email")
    person.type("ada")
    first = told.until(lambda event: event.get("action") == "fill" and event["text"] == "ada")
    person.type("@example.com")
    entries = told.stop()
    assert names(entries) == ["tap", "fill"]
    fill = entries[1]
    assert fill.action["text"] == "ada@example.com"
    assert "obscured" not in fill.action
    assert first["seq"] in [
        seq for event in told.events for seq in event.get("replaces", ())
    ]  # fmt: skip
    assert (fill.target["role"], fill.target["key"]) == ("textbox", "email")
    assert fill.target["value"] is None  # before the first letter
    assert fill.came["target"]["value"] == "ada@example.com"


@rich
def test_a_fill_after_something_else_is_another(person: Person, recording: Start) -> None:
    told = recording()
    person.tap("Email")
    person.type("a")
    person.tap("Remember me")
    person.type("b")
    person.tap("Password")
    person.type("c")
    entries = told.stop()
    assert names(entries) == ["tap", "fill", "tap", "fill", "tap", "fill"]
    texts = [entry.action["text"] for entry in entries if entry.name == "fill"]
    assert texts == ["a", "ab", "c"]


@rich
def test_a_hidden_text_is_told_as_hidden(person: Person, recording: Start) -> None:
    told = recording()
    person.tap("Password")
    person.type("secret")
    fill = told.stop()[1]
    assert (fill.action["text"], fill.action["obscured"]) == ("secret", True)
    assert fill.target["obscured"] is True
    assert fill.came["target"]["value"] == "••••••"


@rich
@pytest.mark.parametrize(
    ("field", "typed", "held"),
    [
        ("Quantity", "1a2b3", "123"),
        ("Code", "abcdefgh", "abcdef"),
        ("Country", "Peru", "PERU"),
        ("Notes", "one\ntwo", "one\ntwo"),
        ("Notes", f"{FAMILY}{TONE}{CJK}{COMBINED}", f"{FAMILY}{TONE}{CJK}{COMBINED}"),
        ("Notes", "@€~\\|{[]}ß", "@€~\\|{[]}ß"),
        ("Country", "a\nb", "AB"),
    ],
)
@pytest.mark.parametrize("how", ["type", "paste"])
def test_the_rules_of_a_field_apply(
    person: Person, recording: Start, field: str, typed: str, held: str, how: str
) -> None:
    person.app.go("/form")
    told = recording()
    person.tap(label=field, role="textbox")
    person.does(how, text=typed)
    entries = told.stop()
    assert names(entries) == ["tap", "fill"]
    assert entries[1].action["text"] == held
    assert person.app.candidate(field)["value"] == held


@rich
def test_what_the_rules_refuse_is_no_fill(person: Person, recording: Start) -> None:
    person.app.go("/form")
    told = recording()
    person.tap("Quantity")
    person.type("abc")
    assert names(told.stop()) == ["tap"]


@rich
def test_a_full_field_takes_no_more(person: Person, recording: Start) -> None:
    person.app.go("/form")
    person.app.fill("Code", "abcdef")
    told = recording()
    person.tap("Code")
    person.type("g")
    assert names(told.stop()) == ["tap"]
    assert person.app.candidate("Code")["value"] == "abcdef"


@rich
def test_typing_goes_where_the_caret_is(person: Person, recording: Start) -> None:
    told = recording()
    person.tap("Email")
    person.type("ac")
    person.key("ArrowLeft")
    person.type("b")
    entries = told.stop()
    assert names(entries) == ["tap", "fill", "key", "fill"]
    assert entries[3].action["text"] == "abc"


@rich
def test_a_key_that_would_edit_and_has_nothing_to_is_not_told(
    person: Person, recording: Start
) -> None:
    told = recording()
    person.tap("Email")
    for key in ("Backspace", "Delete", "S"):
        person.key(key)
    assert names(told.stop()) == ["tap"]


@rich
def test_where_no_text_is_edited_an_arrow_is_a_key(person: Person, recording: Start) -> None:
    person.app.call("focus", ref=person.app.find("Remember me"))
    told = recording()
    person.key("ArrowDown")
    person.key("Space")
    entries = told.stop()
    assert [(e.name, e.action["key"], e.target["key"]) for e in entries] == [
        ("key", "ArrowDown", "remember"),
        ("key", "Space", "remember"),
    ]
    assert entries[1].came["target"]["checked"] is True


@rich
def test_deleting_is_a_fill(person: Person, recording: Start) -> None:
    told = recording()
    person.tap("Email")
    person.type("ab")
    person.key("Backspace")
    entries = told.stop()
    assert names(entries) == ["tap", "fill"]
    assert entries[1].action["text"] == "a"


@rich
def test_typing_without_a_field_is_nothing(person: Person, recording: Start) -> None:
    told = recording()
    person.type("lost")
    assert told.stop() == []


@rich
def test_a_multiline_field_says_so(person: Person, recording: Start) -> None:
    person.app.go("/form")
    told = recording()
    person.tap(label="Notes", role="textbox")
    person.type("one")
    person.key("Enter")
    person.type("two")
    entries = told.stop()
    assert names(entries) == ["tap", "fill"]
    assert entries[1].target["multiline"] is True
    assert entries[1].action["text"] == "one\ntwo"


# --- keys --------------------------------------------------------------------------------------


@rich
def test_enter_in_a_field_of_one_line(person: Person, recording: Start) -> None:
    person.app.call("focus", ref=person.app.find("Email"))
    told = recording()
    person.key("Enter")
    (entry,) = told.stop()
    assert (entry.name, entry.action["key"], entry.action["modifiers"]) == ("key", "Enter", [])
    assert entry.target["key"] == "email"
    assert entry.came["appeared"] == [
        {"text": "Enter your email", "role": "", "key": "login-error", "count": 1}
    ]


@rich
def test_tab_is_of_the_widget_that_had_the_focus(person: Person, recording: Start) -> None:
    told = recording()
    person.tap("Email")
    person.key("Tab")
    person.key("tab", "shift")
    entries = told.stop()
    assert [(e.name, e.action.get("key"), e.action.get("modifiers")) for e in entries[1:]] == [
        ("key", "Tab", []),
        ("key", "Tab", ["shift"]),
    ]
    assert [each.target["key"] for each in entries] == ["email", "email", "password"]


@rich
def test_escape_closes_a_dialog(person: Person, recording: Start) -> None:
    person.app.go("/overlays")
    person.app.tap("Open dialog")
    told = recording()
    person.key("Escape")
    (entry,) = told.stop()
    assert entry.action["key"] == "Escape"
    assert entry.action["target"] is None
    assert entry.texts("gone") == [
        "Delete everything?", "This cannot be undone.", "Cancel", "Delete all",
    ]  # fmt: skip
    assert "Result: none" in entry.texts("appeared")


@rich
def test_keys_with_others_held(person: Person, recording: Start) -> None:
    person.app.go("/gestures")
    told = recording()
    person.tap("Note")
    person.key("s", "shift,control")
    entries = told.stop()
    assert names(entries) == ["tap", "key"]
    assert (entries[1].action["key"], entries[1].action["modifiers"]) == (
        "S",
        ["control", "shift"],
    )
    assert entries[1].texts("appeared") == ["Last key: Control+Shift+S"]


# --- dropdowns, the platform, picking ----------------------------------------------------------


@rich
@pytest.mark.parametrize(("option", "held"), [("L", "L"), ("XL", "M")])
def test_a_choice_in_a_dropdown(person: Person, recording: Start, option: str, held: str) -> None:
    person.app.go("/form")
    told = recording()
    person.tap("Size")
    assert [n["label"] for n in person.app.call(QUERY, role="button")["nodes"]] == [
        "S", "M", "L", "XL",
    ]  # fmt: skip
    person.tap(option)
    (entry,) = told.stop()
    assert (entry.name, entry.action["value"]) == ("select", option)
    assert (entry.target["key"], entry.target["value"]) == ("size", "M")
    assert entry.target["dropdown"] is True
    assert entry.came["target"]["value"] == held
    assert person.app.candidate("Size")["value"] == held


@rich
def test_a_menu_that_is_left_alone(person: Person, recording: Start) -> None:
    person.app.go("/form")
    told = recording()
    person.tap("Size")
    person.press(380, 20)
    entries = told.stop()
    assert names(entries) == ["tap", "tap"]
    assert entries[0].texts("appeared") == ["S", "M", "L", "XL"]
    assert entries[0].came["target"] is None
    assert entries[1].action["target"] is None
    assert person.app.candidate("Size")["value"] == "M"


@rich
def test_the_back_button(person: Person, recording: Start) -> None:
    person.app.tap("Forgot password?")
    told = recording()
    person.does("back")
    (entry,) = told.stop()
    assert (entry.name, entry.action["target"]) == ("back", None)
    assert entry.came["route"] == {"from": "/forgot", "to": "/login"}
    assert entry.came["target"] is None


@rich
def test_the_back_button_closes_a_popup_first(person: Person, recording: Start) -> None:
    person.app.go("/overlays")
    person.app.tap("Open sheet")
    told = recording()
    person.does("back")
    (entry,) = told.stop()
    assert "route" not in entry.came
    assert entry.texts("gone") == ["Share", "Copy link"]


@rich
def test_the_back_button_is_of_the_innermost_pages(app: Driver, recording: Start) -> None:
    app.sign_in()
    app.tap("Menu")
    app.tap("Account")
    app.tap("Orders")
    app.tap("Order 7")
    told = recording()
    Person(app).does("back")
    (entry,) = told.stop()
    assert entry.came["route"] == {"from": "/account/orders/7", "to": "/account/orders"}


@rich
def test_a_pick_is_kept_from_the_app(person: Person, recording: Start) -> None:
    told = recording()
    assert person.app.call(PICK) == {}
    person.tap("Remember me")
    event = told.next()
    assert event["action"] == "pick"
    assert event["target"]["key"] == "remember"
    assert set(event["point"]) == {"x", "y"}
    assert person.app.state("Remember me") is False
    person.tap("Forgot password?")
    assert names(told.stop()) == ["pick", "tap"]
    assert person.app.sees("We sent you a link")


@rich
def test_all_of_a_touch_is_kept(person: Person, recording: Start) -> None:
    person.app.go("/list")
    told = recording()
    person.app.call(PICK)
    x, y = person.place(key="item-6")
    person.drag((x, y), (x, y - 120))
    (entry,) = told.stop()
    assert (entry.name, entry.target["key"]) == ("pick", "item-6")
    assert person.place(key="item-6") == (x, y)


@rich
def test_a_pick_ends_with_its_recording(person: Person, recording: Start) -> None:
    first = recording()
    person.app.call(PICK)
    first.stop()
    told = recording()
    person.tap("Remember me")
    assert names(told.stop()) == ["tap"]


# --- what is touched ---------------------------------------------------------------------------


def touched(person: Person, told: Recording, x: float, y: float) -> Any:
    """What a pick at a place says, which changes nothing."""
    person.app.call(PICK)
    person.press(x, y)
    return told.until(lambda event: event.get("action") == "pick")["target"]


@rich
def test_the_innermost_that_can_be_used(person: Person, recording: Start) -> None:
    person.app.go("/inbox")
    told = recording()
    archive = person.place(key="archive-2")
    assert touched(person, told, *archive)["key"] == "archive-2"
    # The text says something, the row around it has only a key.
    assert touched(person, told, *person.place("Message 2"))["label"] == "Message 2"
    beside = (archive[0] - 80, archive[1])
    assert touched(person, told, *beside)["key"] == "message-2"


@rich
def test_a_heading_is_only_said(person: Person, recording: Start) -> None:
    told = recording()
    target = touched(person, told, *person.place("Tapir Demo"))
    assert (target["role"], target["label"]) == ("heading", "Tapir Demo")


@rich
def test_of_a_merged_row_it_is_the_row(person: Person, recording: Start) -> None:
    person.app.go("/settings")
    owner = person.app.candidate("Notifications")["tapOwner"]
    told = recording()
    x, y = owner["x"] + owner["w"] / 2, owner["y"] + owner["h"] / 2
    target = touched(person, told, x, y)
    assert (target["key"], target["checked"]) == ("notifications", False)


@rich
def test_flags(person: Person, recording: Start) -> None:
    person.app.go("/form")
    told = recording()
    radio = touched(person, told, *person.place("Card"))
    assert (radio["radio"], radio["checked"], radio["role"]) == (True, True, "checkbox")
    field = touched(person, told, *person.place("Code"))
    assert not field.keys() & {"radio", "dropdown", "multiline", "obscured", "checked"}
    size = touched(person, told, *person.place("Size"))
    assert (size["dropdown"], size["value"]) == (True, "M")
    person.app.go("/settings")
    mixed = touched(person, told, *person.place("Everything"))
    assert mixed["checked"] is None
    managed = touched(person, told, *person.place("Managed by your company"))
    assert managed["isEnabled"] is False


# --- how it is found again ---------------------------------------------------------------------


@rich
def test_candidates(app: Driver, recording: Start) -> None:
    app.sign_in()
    person = Person(app)
    told = recording()
    target = touched(person, told, *person.place(key="delete-2"))
    task = {"key": "task-2"}
    assert ways(target) == [
        ({"key": "delete-2"}, None, 1, 0),
        ({"role": "button", "label": "Delete"}, None, 3, 1),
        ({"label": "Delete"}, None, 3, 1),
        ({"role": "button"}, None, 5, 1),
        ({"role": "button", "label": "Delete"}, task, 1, 0),
        ({"role": "button"}, task, 1, 0),
    ]


@rich
def test_candidates_of_a_container(person: Person, recording: Start) -> None:
    person.app.go("/inbox")
    told = recording()
    archive = person.place(key="archive-2")
    target = touched(person, told, archive[0] - 80, archive[1])
    # Its first line leads to the text inside it, so that is no way to find the row.
    assert ways(target) == [({"key": "message-2"}, None, 1, 0)]


@rich
def test_candidates_by_value_and_of_fields(person: Person, recording: Start) -> None:
    person.app.go("/form")
    person.app.fill("Code", "x1")
    told = recording()
    form = {"key": "form-scroll"}
    size = touched(person, told, *person.place("Size"))
    found = ways(size)
    assert found[:4] == [
        ({"key": "size"}, None, 1, 0),
        ({"role": "button", "label": "Size"}, None, 1, 0),
        ({"label": "Size"}, None, 1, 0),
        ({"role": "button", "value": "M"}, None, 1, 0),
    ]
    assert ({"role": "button", "label": "Size"}, form, 1, 0) in found
    code = touched(person, told, *person.place("Code"))
    assert not any("value" in by for by, *_ in ways(code))
    assert ({"role": "textbox"}, None, 4, 1) in ways(code)


@rich
def test_candidates_by_other_names(person: Person, recording: Start) -> None:
    person.app.go("/search")
    told = recording()
    clear = touched(person, told, *person.place(tooltip="Clear"))
    assert (clear["label"], clear["tooltip"]) == ("", "Clear")
    assert ways(clear)[0] == ({"role": "button", "tooltip": "Clear"}, None, 1, 0)
    field = touched(person, told, *person.place("Search fruit"))
    assert field["hint"] == "Type a fruit"
    assert ways(field) == [
        ({"key": "search"}, None, 1, 0),
        ({"role": "textbox", "label": "Search fruit"}, None, 1, 0),
        ({"label": "Search fruit"}, None, 1, 0),
        ({"role": "textbox", "hint": "Type a fruit"}, None, 1, 0),
        ({"role": "textbox"}, None, 1, 0),
    ]
    person.app.go("/settings")
    box = touched(person, told, *person.place("Managed by your company"))
    assert box["identifier"] == "managed-box"
    assert ways(box)[:3] == [
        ({"key": "managed"}, None, 1, 0),
        ({"identifier": "managed-box"}, None, 1, 0),
        ({"role": "checkbox", "label": "Managed by your company"}, None, 1, 0),
    ]


SCREENS = (
    "/login", "/form", "/overlays", "/settings", "/inbox", "/gestures", "/list", "/covered",
    "/search",
)  # fmt: skip


@rich
@pytest.mark.parametrize("route", SCREENS)
def test_every_candidate_finds_what_it_says(person: Person, recording: Start, route: str) -> None:
    app = person.app
    app.go(route)
    told = recording()
    for node in app.call(QUERY, limit=12)["nodes"]:
        if node["occluded"] or not node["isVisible"]:
            continue
        bounds = node["bounds"]
        x, y = bounds["x"] + bounds["w"] / 2, bounds["y"] + bounds["h"] / 2
        target = touched(person, told, x, y)
        assert (target["label"], target["role"]) == (node["label"], node["role"])
        assert target["candidates"]
        for by, within, count, index in ways(target):
            scope = {}
            if within is not None:
                anchor = app.call(QUERY, **within)
                assert anchor["count"] == 1
                scope = {"within": anchor["nodes"][0]["ref"]}
            reply = app.call(QUERY, **by, **scope, limit=500)
            assert reply["count"] == count
            assert reply["nodes"][index]["ref"] == node["ref"]


@rich
def test_the_target_is_as_it_was_before(person: Person, recording: Start) -> None:
    person.app.go("/inbox")
    told = recording()
    person.tap(key="archive-2")
    (entry,) = told.stop()
    assert ways(entry.target)[0] == ({"key": "archive-2"}, None, 1, 0)
    assert entry.came["target"] is None
    assert entry.came["gone"] == [{"text": "Message 2", "role": "", "count": 0, "alike": 3}]


# --- what came of it ---------------------------------------------------------------------------


@rich
def test_a_sign_in(person: Person, recording: Start) -> None:
    told = recording()
    person.tap("Email")
    person.type("ada@example.com")
    person.tap("Password")
    person.type("correct-horse")
    person.tap("Sign in")
    after = told.until_after(lambda event: "route" in event)
    entries = told.stop()
    assert names(entries) == ["tap", "fill", "tap", "fill", "tap"]
    assert after["of"] == entries[-1].action["seq"]
    came = entries[-1].came
    assert came["route"] == {"from": "/login", "to": "/home"}
    assert came["target"] is None
    assert came["appeared"][:3] == [
        {"text": "Welcome back", "role": "heading", "count": 1},
        {"text": "Signed in as ada@example.com", "role": "", "key": "user", "count": 1},
        {"text": "3 tasks", "role": "", "key": "task-count", "count": 1, "alike": 1},
    ]
    delete = next(each for each in came["appeared"] if each["text"] == "Delete")
    assert (delete["role"], delete["count"]) == ("button", 3)
    assert "Sign in" in entries[-1].texts("gone")


@rich
def test_texts_that_are_alike_but_for_numbers_are_counted(person: Person, recording: Start) -> None:
    person.app.go("/loading")
    told = recording()
    person.tap("Load orders")
    told.until_after(lambda after: len(after["appeared"]) == 4)
    (entry,) = told.stop()
    assert [(each["text"], each.get("alike")) for each in entry.came["appeared"]] == [
        ("Order 1", 3),
        ("Order 2", 3),
        ("Order 3", 3),
        ("3 orders", 1),
    ]


@rich
def test_it_is_told_again_when_more_comes_of_it(person: Person, recording: Start) -> None:
    person.app.go("/loading")
    told = recording()
    person.tap("Load orders")
    first = told.until_after(lambda _: True)
    assert [each["text"] for each in first["appeared"]] == ["Loading"]
    then = told.until_after(lambda event: event["appeared"] != first["appeared"])
    assert [each["text"] for each in then["appeared"]] == [
        "Order 1", "Order 2", "Order 3", "3 orders",
    ]  # fmt: skip
    assert then["of"] == first["of"] == 1
    told.stop()


@rich
def test_what_came_of_it_is_told_before_the_next_action(person: Person, recording: Start) -> None:
    person.app.go("/list")
    first, second = person.place(key="item-1"), person.place(key="item-4")
    told = recording()
    person.press(*first)
    person.press(*second)
    entries = told.stop()
    assert entries[0].texts("appeared") == ["Selected: Item 1"]
    assert entries[0].texts("gone") == ["Nothing selected"]
    assert entries[1].texts("appeared") == ["Selected: Item 4"]
    assert entries[1].texts("gone") == ["Selected: Item 1"]
    assert entries[0].came["seq"] < entries[1].action["seq"]


@rich
def test_an_action_of_which_nothing_comes(person: Person, recording: Start) -> None:
    told = recording()
    person.tap("Tapir Demo")
    after = told.until_after(lambda _: True)
    assert (after["appeared"], after["gone"]) == ([], [])
    assert after["target"] == {"value": None, "isEnabled": True}
    assert len(told.stop()) == 1


@rich
def test_the_value_of_what_has_no_label_is_seen(person: Person, recording: Start) -> None:
    """A value beside a label is no text of its own: it is what the target holds."""
    person.app.go("/form")
    told = recording()
    person.tap("Code")
    person.type("abc")
    entries = told.stop()
    assert entries[1].came["appeared"] == []
    assert entries[1].came["target"]["value"] == "abc"


@rich
def test_long_lists_are_cut(person: Person, recording: Start) -> None:
    person.app.go("/menu")
    told = recording()
    person.tap("List")
    (entry,) = told.stop()
    assert len(entry.came["appeared"]) <= 20
    assert entry.texts("appeared")[:4] == ["Back", "Items", "Nothing selected", "Item 1"]


# --- what is not told, and what is only if asked for -------------------------------------------


@rich
def test_what_the_app_does_by_itself_is_not_told(app: Driver, recording: Start) -> None:
    app.go("/loading")
    app.tap("Load orders")
    told = recording()
    assert app.sees("3 orders")
    assert told.stop() == []


def use_verbs(app: Driver) -> None:
    app.fill("Email", "a@b.c")
    app.tap("Remember me")
    app.call("press_key", key="Tab", includeSnapshot=False)
    app.go("/gestures")
    app.call("drag", startRef=app.find("Card"), endRef=app.find("Basket"), includeSnapshot=False)
    app.refuses("tap", ref="e999999")


@rich
def test_verbs_are_not_told(app: Driver, recording: Start) -> None:
    told = recording()
    use_verbs(app)
    assert told.stop() == []


@rich
def test_verbs_are_told_to_who_asks_for_them(app: Driver, recording: Start) -> None:
    told = recording(tools=True)
    use_verbs(app)
    fill, tap, key, route, drag = told.stop()
    assert names([fill, tap, key, route, drag]) == [
        "fill", "tap", "press_key", "navigate", "drag",
    ]  # fmt: skip
    assert {entry.action["by"] for entry in (fill, tap, key, route, drag)} == {"tool"}
    assert fill.action["params"] == {"text": "a@b.c", "includeSnapshot": "false"}
    assert fill.target["key"] == "email"
    assert fill.target["value"] is None
    assert fill.came["target"]["value"] == "a@b.c"
    assert tap.target["checked"] is False
    assert tap.came["target"]["checked"] is True
    assert key.action["target"] is None
    assert key.action["params"]["key"] == "Tab"
    assert route.came["route"] == {"from": "/login", "to": "/gestures"}
    assert (drag.target["label"], drag.action["to"]["label"]) == ("Card", "Basket")
    assert not drag.action["params"].keys() & {"ref", "startRef", "endRef"}
    assert drag.texts("appeared") == ["Basket: 1"]


@rich
@pytest.mark.parametrize("tools", [True, False])
def test_what_verbs_do_did_not_come_of_a_person(
    person: Person, recording: Start, tools: bool
) -> None:
    told = recording(tools=tools)
    person.tap("Email")
    person.type("a")
    person.app.fill("Email", "b")
    person.app.go("/inbox")
    entries = told.stop()
    assert names(entries) == ["tap", "fill", *(["fill", "navigate"] if tools else [])]
    assert entries[1].came["target"]["value"] == "a"
    assert "route" not in entries[1].came


@rich
def test_after_a_verb_a_fill_is_another(person: Person, recording: Start) -> None:
    told = recording()
    person.tap("Email")
    person.type("a")
    person.app.fill("Email", "b")
    person.type("c")
    assert [each.action.get("text") for each in told.stop()] == [None, "a", "bc"]


@rich
def test_a_verb_of_ours_is_told_by_its_name(app: Driver, recording: Start) -> None:
    app.go("/gestures")
    told = recording(tools=True)
    ref = app.find("Pad")
    app.call("ext.tapir_replay.long_press", ref=ref, requestId="of a recording", snapshot="none")
    app.call("ext.tapir_replay.long_press", ref=ref, requestId="of a recording", snapshot="none")
    (entry,) = told.stop()
    assert (entry.name, entry.action["params"]) == ("long_press", {"snapshot": "none"})
    assert entry.target["key"] == "pad"


@rich
def test_persons_and_verbs_in_turn(person: Person, recording: Start) -> None:
    told = recording(tools=True)
    person.tap("Email")
    person.type("a")
    person.app.fill("Email", "b")
    person.type("c")
    entries = told.stop()
    assert [(each.name, each.action["by"]) for each in entries] == [
        ("tap", "person"),
        ("fill", "person"),
        ("fill", "tool"),
        ("fill", "person"),
    ]
    assert entries[3].action["text"] == "bc"


# --- the app does not notice -------------------------------------------------------------------


def live(person: Person) -> None:
    person.app.go("/form")
    person.tap("Quantity")
    person.type("3x")
    person.key("Tab")
    person.type("abcdefg")
    person.tap("Express delivery")
    person.tap("Size")
    person.tap("L")
    person.hold("Gift wrap")
    x, y = person.place("Notes")
    person.drag((x, y), (x, y - 40))
    person.does("wheel", x=x, y=y, dy=15)


@rich
def test_the_app_behaves_as_without(person: Person, recording: Start) -> None:
    live(person)
    without = person.app.lines()
    recording(tools=True)
    live(person)
    assert person.app.lines() == without
    assert '- text "$27.50"' in without
