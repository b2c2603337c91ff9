"""What a person does, as steps."""

from __future__ import annotations

from pathlib import Path
from typing import Any, ClassVar

import pytest

from tapir_replay.recorder.document import Document, NewFile, Start
from tapir_replay.recorder.secrets import Secrets
from tapir_replay.recorder.steps import Writer
from tapir_replay.scenario.load import load_bytes
from tapir_replay.scenario.templates import Template, render_text
from tests.recorder.events import App, shown, widget

EMAIL = widget("textbox", "Email", "email")
PASSWORD = widget("textbox", "Password", "password", obscured=True)
SUBMIT = widget("button", "Sign in", "submit")


def one(action: str, target: dict[str, Any] | None = None, **fields: Any) -> str:
    """The steps of one action."""
    app = App()
    app.act(action, target, **fields)
    return app.steps()


OR = "  # or: {role: button, label: Sign in}"
BASKET = widget("image", "Basket")


@pytest.mark.parametrize(
    ("action", "fields", "step"),
    [
        ("tap", {}, f"tap: {{target: {{key: submit}}}}{OR}"),
        ("dblclick", {}, f"dblclick: {{target: {{key: submit}}}}{OR}"),
        ("long_press", {}, f"long_press: {{target: {{key: submit}}}}{OR}"),
        ("right_click", {}, f"right_click: {{target: {{key: submit}}}}{OR}"),
        ("select", {"value": "L"}, f"select_option: {{target: {{key: submit}}, value: L}}{OR}"),
        ("scroll", {"dy": 120.4}, "scroll: {target: {key: submit}, dy: 120}"),
        ("scroll", {"dy": 0.2}, ""),
        (
            "drag",
            {"to": BASKET, "dx": 1, "dy": 2},
            "drag: {from: {key: submit}, to: {role: image, label: Basket}}",
        ),
        (
            "drag",
            {"to": None, "dx": -3.2, "dy": 160},
            "drag: {from: {key: submit}, dx: -3, dy: 160}",
        ),
        ("drag", {"to": SUBMIT, "dx": 40, "dy": 0}, "drag: {from: {key: submit}, dx: 40, dy: 0}"),
    ],
)
def test_pointers(action: str, fields: dict[str, Any], step: str) -> None:
    """Each gesture is the verb that does it, on the widget's best name."""
    assert one(action, SUBMIT, **fields) == (f"  - {step}\n" if step else "")


@pytest.mark.parametrize(
    ("action", "fields", "steps"),
    [
        ("back", {}, "  - press_back\n"),
        ("route", {"route": "/home?tab=1"}, "  - navigate: /home?tab=1\n"),
        ("key", {"key": "Escape"}, "  - press_key: Escape\n"),
        (
            "key",
            {"key": "S", "modifiers": "control,shift"},
            "  - press_key: {key: S, modifiers: [control, shift]}\n",
        ),
        ("scroll", {"dy": -50}, "  - scroll: {dy: -50}\n"),
    ],
)  # fmt: skip
def test_without_a_widget(action: str, fields: dict[str, Any], steps: str) -> None:
    """What goes to the app as a whole needs no target."""
    assert one(action, None, **fields) == steps


def test_typing_is_one_step() -> None:
    """A text that grows replaces itself; the tap that only put the cursor there is left out."""
    app = App()
    tap = app.act("tap", EMAIL)
    app.after(tap)
    last = app.act("fill", EMAIL, text="a")
    for text in ("ad", "ada", "ada 👩‍🚀", "ada 👩‍🚀 €@ 漢字"):
        last = app.act("fill", EMAIL, text=text, replaces=[last])
    app.after(last)
    assert app.steps() == (
        "  - fill: {target: {key: email}, text: ada 👩‍🚀 €@ 漢字}"
        "  # or: {role: textbox, label: Email}\n"
    )


def test_going_back_to_mend_a_word_is_the_same_step() -> None:
    """Keys that move the cursor, taps that put it elsewhere, and the text that there was before."""
    app = App()
    app.act("fill", EMAIL, text="adda")
    app.act("key", EMAIL, key="ArrowLeft")
    app.act("key", EMAIL, key="Home", modifiers=["shift"])
    app.act("tap", EMAIL)
    app.act("fill", EMAIL, text="ada")
    app.act("key", EMAIL, key="End")
    assert app.steps() == (
        "  - fill: {target: {key: email}, text: ada}  # or: {role: textbox, label: Email}\n"
    )


def test_two_fields_by_turns() -> None:
    """Each step stays: what the other field says may come of it."""
    app = App()
    for field, text in ((EMAIL, "a"), (widget("textbox", "Name"), "b"), (EMAIL, "ab")):
        app.act("tap", field)
        app.after(app.act("fill", field, text=text))
    texts = [line.partition("text: ")[2].partition("}")[0] for line in app.steps().splitlines()]
    assert texts == ["a", "b", "ab"]


def test_what_comes_between_two_texts_of_a_field_parts_them() -> None:
    """A drag in it, for one."""
    app = App()
    app.act("fill", EMAIL, text="a")
    app.act("drag", EMAIL, dx=20, dy=0)
    app.act("fill", EMAIL, text="ab")
    assert app.steps().count("- fill:") == 2


def test_what_the_selectors_leave_out() -> None:
    """The reason is told: the app need not be changed."""
    app = App()
    app.act("tap", SUBMIT)
    app.act("tap", widget())
    one, other = app.steps(Writer(order=("text",))).splitlines()
    assert one.endswith("on Button: none of the selectors in the project file tells it from others")
    assert other.endswith("nothing tells it from others; give it a key in the app")


def test_a_key_that_shows_something_stays() -> None:
    """A list of suggestions that opens, for one."""
    app = App()
    app.act("fill", EMAIL, text="ad")
    key = app.act("key", EMAIL, key="ArrowDown")
    app.after(key, appeared=[shown("Suggestions")])
    assert "press_key: ArrowDown" in app.steps()


def test_a_tap_on_a_field_that_shows_something_stays() -> None:
    """It did more than to put the cursor there."""
    app = App()
    tap = app.act("tap", EMAIL)
    app.after(tap, appeared=[shown("We never share it")])
    app.act("fill", EMAIL, text="x")
    assert app.steps().startswith("  - tap: {target: {key: email}}")
    assert "visible: We never share it" in app.steps()


def test_two_fields_of_one_role_are_two() -> None:
    """Told from one another by what they have, be it a hint alone."""
    app = App()
    for hint in ("Town", "Street"):
        by = {"role": "textbox", "hint": hint}
        field = widget("textbox", hint=hint, candidates=[{"by": by, "count": 1, "index": 0}])
        tap = app.act("tap", field)
        app.after(tap)
        app.after(app.act("fill", field, text=hint.lower()))
    assert app.steps() == (
        "  - fill: {target: {role: textbox, hint: Town}, text: town}\n"
        "  - fill: {target: {role: textbox, hint: Street}, text: street}\n"
    )


def test_an_obscured_field_may_be_named_by_its_hint() -> None:
    """What was typed has to have a name."""
    by = {"role": "textbox", "hint": "Pass word"}
    field = widget(
        "textbox", hint="Pass word", obscured=True,
        candidates=[{"by": by, "count": 1, "index": 0}],
    )  # fmt: skip
    app, writer = App(), Writer()
    app.act("fill", field, text="s3cret", obscured=True)
    assert 'text: "{{ PASS_WORD }}"' in app.text(writer)


def test_an_emptied_field_is_cleared() -> None:
    """The language has a verb for that."""
    assert one("fill", EMAIL, text="").startswith("  - clear: {target: {key: email}}")


def test_keys_go_where_the_focus_was() -> None:
    """A step that fills leaves the focus alone, so a key says where it goes."""
    assert one("key", EMAIL, key="Enter") == (
        "  - focus: {target: {key: email}}  # or: {role: textbox, label: Email}\n"
        "  - press_key: Enter\n"
    )


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("{{ name }}", "\"{{ '{{' }} name }}\""),
        ("0123", '"0123"'),
        ("yes", '"yes"'),
        ("a: b", '"a: b"'),
        ("- x", '"- x"'),
        ("two\nlines", None),
        ("tab\there", '"tab\\there"'),
        ("lone \ud800", None),
    ],
)
def test_what_is_typed_comes_back(text: str, written: str | None) -> None:
    """Whatever a person types is a text in the file, and no expression."""
    app = App()
    app.act("fill", EMAIL, text=text)
    if written is not None:
        assert written in app.steps() or written.strip('"') in app.steps()
    loaded = load_bytes(app.text().encode(), "a.yaml", Path("a.yaml"))
    assert loaded.ok, loaded.diagnostics
    assert loaded.scenario is not None
    held = loaded.scenario.steps[0].args["text"]
    assert (render_text(held, {}) if isinstance(held, Template) else held) == text


@pytest.mark.parametrize("action", ["fill", "select", "route", "key", "drag", "scroll", "tap"])
@pytest.mark.parametrize("odd", [None, 5, "x", [], {}, [1], float("nan"), float("inf"), True])
def test_an_event_that_says_odd_things(action: str, odd: Any) -> None:
    """It is written as if it did not say them; the recording goes on."""
    names = ("text", "value", "route", "key", "modifiers", "dx", "dy", "params", "to")
    app = App()
    app.act(action, EMAIL, **dict.fromkeys(names, odd))
    app.act(action, None, **dict.fromkeys(names, odd), point={"x": odd, "y": odd})
    text = app.text(Writer(Secrets({"TOKEN": "s3cret"}), coordinates=True))
    assert "steps:\n" in text


class TestControls:
    """Boxes, switches, radios."""

    BOX = widget("checkbox", "Remember me", "remember", checked=False)

    def test_a_box_is_set(self) -> None:
        """Not tapped: that would do the opposite where it is on already."""
        app = App()
        app.after(app.act("tap", self.BOX), target={"checked": True, "value": None})
        assert app.steps() == (
            "  - set_checkbox: {target: {key: remember}, value: true}"
            "  # or: {role: checkbox, label: Remember me}\n"
        )

    def test_a_box_that_stayed_is_tapped(self) -> None:
        """A radio that was on already, or a box that its owner holds."""
        app = App()
        app.after(app.act("tap", self.BOX), target={"checked": False, "value": None})
        assert app.steps().startswith("  - tap: {target: {key: remember}}")

    def test_a_switch_is_tapped_and_checked(self) -> None:
        """It has the role of a button; what it came to is told beside."""
        app = App()
        switch = widget("button", "Wifi", "wifi", checked=False)
        app.after(app.act("tap", switch), target={"checked": True, "value": None})
        assert app.steps() == (
            "  - tap: {target: {key: wifi}}  # or: {role: button, label: Wifi}\n"
            "  - expect: {checked: {key: wifi}}\n"
        )


class TestSecrets:
    """What must not stand in a file."""

    def test_an_obscured_field_gives_a_name(self) -> None:
        """The value is nowhere in the file, which says that it needs one."""
        app = App()
        app.act("fill", PASSWORD, text="hunter2", obscured=True)
        writer = Writer()
        text = app.text(writer)
        assert "hunter2" not in text
        assert 'text: "{{ PASSWORD }}"' in text
        assert "secrets: [PASSWORD]" in text
        assert writer.secrets.used == {"PASSWORD": "hunter2"}
        assert load_bytes(text.encode(), "a.yaml", Path("a.yaml")).ok

    def test_two_of_one_label_have_two_names(self) -> None:
        """Another value is another secret; the same value is the same."""
        app = App()
        for place, text in enumerate(("one", "two", "one")):
            field = widget("textbox", "Password", f"field-{place}", obscured=True)
            app.act("fill", field, text=text, obscured=True)
        found = [line for line in app.steps().splitlines() if "fill" in line]
        names = [line.partition("{{ ")[2].partition(" }}")[0] for line in found]
        assert names == ["PASSWORD", "PASSWORD_2", "PASSWORD"]

    def test_known_secrets_are_replaced_anywhere(self) -> None:
        """Also inside of a text, and in what appeared."""
        app = App()
        tap = app.act("fill", EMAIL, text="mail s3cret now")
        app.after(tap, appeared=[shown("Hello s3cret")])
        writer = Writer(Secrets({"TOKEN": "s3cret", "OTHER": "unused"}))
        text = app.text(writer)
        assert "s3cret" not in text
        assert text.count("{{ TOKEN }}") == 2
        assert "secrets: [TOKEN]" in text

    def test_a_field_without_a_name_is_no_other(self) -> None:
        """What is typed into another one without a name is no secret."""
        app = App()
        app.act("fill", widget("textbox", obscured=True), text="hidden", obscured=True)
        app.act("fill", widget("textbox"), text="plain")
        writer = Writer()
        app.steps(writer)
        assert "hidden" in writer.secrets.values
        assert "plain" not in writer.secrets.values

    def test_a_field_that_hid_its_text_once_is_secret_after_it_showed_it(self) -> None:
        """Somebody pressed the eye, and typed on, and had it checked."""
        app = App()
        app.act("fill", PASSWORD, text="abc", obscured=True)
        app.act("tap", widget(label="Show"))
        field = widget("textbox", "Password", "password")
        app.act("fill", field, text="xyzzy")
        app.act("pick", {**field, "value": "xyzzy"})
        text = app.text()
        assert "xyzzy" not in text
        assert text.count("{{ PASSWORD_2 }}") == 2

    def test_what_was_taken_back_is_secret_all_the_same(self) -> None:
        """It may still be shown; the first name is for what is kept."""
        app = App()
        app.act("fill", PASSWORD, text="wrong one", obscured=True)
        app.timeline.undo()
        tap = app.act("fill", PASSWORD, text="right one", obscured=True)
        app.after(tap, appeared=[shown("Not: wrong one")])
        document = Document(Writer(), NewFile(Start(name="a")))
        text = document.text(app.timeline.entries, app.timeline.aside)
        assert "wrong one" not in text
        assert 'text: "{{ PASSWORD }}"' in text

    def test_a_secret_is_no_part_of_an_expression(self) -> None:
        """There it would be escaped, and its numbers would be any: nothing would replace it."""
        app = App()
        app.act("fill", PASSWORD, text="horse-22.battery", obscured=True)
        tap = app.act("tap", SUBMIT)
        app.after(tap, appeared=[shown("Typed horse-22.battery now, 7")])
        assert "horse" not in app.text()

    def test_a_short_secret_is_replaced_as_a_word(self) -> None:
        """It may be a part of any other."""
        app = App()
        pin = app.act("fill", PASSWORD, text="123", obscured=True)
        app.after(pin, appeared=[shown("Is 123 right?"), shown("Room x123")])
        text = app.text()
        assert "Is {{ PASSWORD }} right?" in text
        assert "x123" in text

    @pytest.mark.parametrize("value", ["button", "text", "role", "home", "key", "[", "{{", "\\"])
    def test_a_secret_may_be_any_text(self, value: str) -> None:
        """The scenario is valid, and the words of the language stay."""
        app = App()
        tap = app.act("tap", widget("button", f"Go {value} home", within="text"))
        app.after(tap, appeared=[shown("{" + value + "} key")], route={"from": "/", "to": "/home"})
        text = app.text(Writer(Secrets({"TOKEN": value})))
        loaded = load_bytes(text.encode(), "a.yaml", Path("a.yaml"))
        assert loaded.ok, (text, loaded.diagnostics)
        assert "role: button" in text

    def test_braces_beside_a_secret_stay_braces(self) -> None:
        """What stands before its name is no part of the expression."""
        app = App()
        app.act("fill", EMAIL, text="{s3cret}-}}")
        text = app.text(Writer(Secrets({"TOKEN": "s3cret"})))
        loaded = load_bytes(text.encode(), "a.yaml", Path("a.yaml"))
        assert loaded.scenario is not None, (text, loaded.diagnostics)
        held = loaded.scenario.steps[0].args["text"]
        assert isinstance(held, Template)
        assert render_text(held, {"TOKEN": "s3cret"}) == "{s3cret}-}}"

    @pytest.mark.parametrize("label", ["Contraseña", "пароль", "1st", ""])
    def test_any_label_makes_a_name(self, label: str) -> None:
        """A name that a template can hold."""
        app = App()
        app.act("fill", {**PASSWORD, "label": label, "key": None}, text="x y", obscured=True)
        text = app.text()
        assert "x y" not in text
        assert load_bytes(text.encode(), "a.yaml", Path("a.yaml")).ok


class TestChecks:
    """What is checked after an action."""

    def steps(self, action: str = "tap", **after: Any) -> str:
        app = App()
        app.after(app.act(action, SUBMIT, text="", value=""), **after)
        return app.steps().partition("\n")[2]

    def test_a_route_and_its_heading(self) -> None:
        """Where the app went, and what tells that it is there."""
        found = self.steps(
            route={"from": "/login", "to": "/home"},
            appeared=[shown("Menu", "button"), shown("Welcome back", "heading"), shown("Hi")],
            gone=[shown("Tapir Demo", "heading")],
        )
        assert found == "  - expect: {route: /home, visible: Welcome back}\n"

    @pytest.mark.parametrize(
        ("route", "written"),
        [
            ("/orders/918273/lines", "{matches: '^/orders/[^/?&=#]+/lines$'}"),
            ("/a?id=0d9f3c1e-77aa-4bd2&v=2.x", "{matches: '^/a\\?id=[^/?&=#]+&v=2\\.x$'}"),
            ("/v2/step2", "/v2/step2"),
        ],
    )
    def test_what_an_app_makes_up_in_an_address(self, route: str, written: str) -> None:
        """An order that was made has another number the next time."""
        found = self.steps(route={"from": "/", "to": route})
        assert found.strip().removeprefix("- expect:").strip() in (
            f"{{route: {written}}}",
            f"{{route: {written.replace(chr(39), chr(34))}}}",
        )

    def test_a_number_of_an_address_that_was_touched(self) -> None:
        """It is the same the next time."""
        app = App()
        tap = app.act("tap", widget("button", "Order 7", "order"))
        app.after(tap, route={"from": "/", "to": "/orders/7"})
        assert "{route: /orders/7}" in app.steps()

    def test_two_texts_where_it_stayed(self) -> None:
        """Keyed texts first, controls last."""
        found = self.steps(
            appeared=[shown("Undo", "button"), shown("Saved"), shown("Done", key="state")]
        )
        assert found == "  - expect: {visible: [Done, Saved]}\n"

    @pytest.mark.parametrize(
        "text",
        [
            "12:30",
            "2026-11-30",
            "id a1b2c3",
            " padded",
            "x",
            "y" * 90,
            "two\nlines",
            "\0z",
        ],
    )
    def test_texts_that_change_are_no_check(self, text: str) -> None:
        """Counts, times, made up names, and what nobody would write down."""
        assert self.steps(appeared=[shown(text)]) == ""

    def test_a_number_that_is_another_next_time(self) -> None:
        """Any number will do where there is nothing better to wait for."""
        count = [shown("Row 1"), shown("3 orders (new)", key="count")]
        assert self.steps(appeared=count) == (
            "  - expect: {visible: {matches: '^[0-9]+ orders \\(new\\)$'}}\n"
        )
        assert self.steps(appeared=[shown("Row 3", alike=2)]) == ""
        assert self.steps(appeared=[shown("3 tasks")], gone=[shown("12 tasks")]) == ""
        assert "gone: Milk" in self.steps(appeared=[shown("3 tasks")], gone=[shown("Milk")])

    def test_a_number_that_was_touched_is_stable(self) -> None:
        """`Selected: Item 5` after a tap on `Item 5`."""
        app = App()
        tap = app.act("tap", widget("button", "Item 5", "item-5"))
        app.after(tap, appeared=[shown("Selected: Item 5"), shown("7 left")])
        assert (
            "visible: 'Selected: Item 5'" in app.steps()
            or 'visible: "Selected: Item 5"' in app.steps()
        )

    def test_several_of_one_text_are_no_check(self) -> None:
        """It would not be clear which one is meant."""
        assert self.steps(appeared=[shown("Delete", "button", count=3)]) == ""

    def test_what_went_is_checked_when_nothing_came(self) -> None:
        """A row that was deleted, a dialog that was closed."""
        assert self.steps(gone=[shown("Buy milk")]) == "  - expect: {gone: Buy milk}\n"

    def test_what_took_long_may_take_long(self) -> None:
        """A check waits twice as long as the person did; what changed nothing does not count."""
        app = App()
        tap = app.act("tap", SUBMIT)
        app.now = 7300
        app.after(tap, appeared=[shown("Report ready")])
        app.now = 60_000
        app.after(tap, appeared=[shown("Report ready")], target={"value": "x"})
        assert app.steps().endswith("  - expect: {visible: Report ready}\n    timeout: 16s\n")

    @pytest.mark.parametrize(
        ("took", "timeout"), [(2500, ""), (2501, "6s"), (40_000, "80s"), (400_000, "120s")]
    )
    def test_how_long_is_long(self, took: int, timeout: str) -> None:
        """More than half of what a check has by itself; and nobody waits for minutes."""
        app = App()
        tap = app.act("tap", SUBMIT)
        writer = Writer()
        app.after(tap, appeared=[shown("Report")])
        app.steps(writer)
        app.now = took
        app.after(tap, appeared=[shown("Report ready")])
        assert app.steps(writer).partition("timeout: ")[2].strip() == timeout

    def test_other_places_are_no_losses(self) -> None:
        """What is gone where the app went back tells nothing; nor do numbers."""
        app = App()
        app.after(app.act("back"), gone=[shown("Milk")], appeared=[shown("3 orders")])
        assert app.steps() == "  - press_back\n"

    def test_a_secret_in_an_address(self) -> None:
        """By its name, and the rest of it as it is."""
        app = App()
        tap = app.act("tap", SUBMIT)
        app.after(tap, route={"from": "/", "to": "/of/t0ken/918273"})
        found = app.text(Writer(Secrets({"TOKEN": "t0ken"})))
        assert "{route: '/of/{{ TOKEN }}/918273'}" in found.replace('"', "'")

    def test_scrolling_is_not_checked(self) -> None:
        """Other rows show, and others are gone: that is what scrolling is."""
        app = App()
        scroll = app.act("scroll", SUBMIT, dy=100)
        app.after(scroll, appeared=[shown("Row")], gone=[shown("Head")])
        assert "expect" not in app.steps()

    def test_the_last_word_counts(self) -> None:
        """What a spinner hid until the person went on."""
        app = App()
        tap = app.act("tap", SUBMIT)
        app.after(tap, appeared=[shown("Loading")])
        app.after(tap, appeared=[shown("Orders", "heading")])
        assert app.steps().endswith("  - expect: {visible: Orders}\n")


class TestPicks:
    """A check of what a person points at."""

    @pytest.mark.parametrize(
        ("target", "expected"),
        [
            (widget("checkbox", "Dark", "dark", checked=True), "{checked: {key: dark}}"),
            (widget("checkbox", "Dark", "dark", checked=False), "{unchecked: {key: dark}}"),
            ({**EMAIL, "value": "ada"}, "{value: {of: {key: email}, is: ada}}"),
            ({**PASSWORD, "value": "••"}, "{visible: {key: password}}"),
            (
                widget("", "Total", "total") | {"text": "$5.00"},
                "{text: {of: {key: total}, is: $5.00}}",
            ),
            (widget("heading", "Welcome"), "{visible: {role: heading, label: Welcome}}"),
        ],
    )
    def test_says_what_it_holds(self, target: dict[str, Any], expected: str) -> None:
        assert one("pick", target) == f"  - expect: {expected}\n"


class TestTools:
    """What verbs of others do."""

    def tool(self, verb: str, target: Any = None, **params: str) -> str:
        app = App()
        app.act(verb, target, by="tool", params=params)
        return app.steps()

    def test_as_the_verb_that_it_was(self) -> None:
        assert self.tool("tap", SUBMIT, includeSnapshot="false").startswith(
            "  - tap: {target: {key: submit}}"
        )
        assert self.tool("fill", EMAIL, text="x").startswith(
            "  - fill: {target: {key: email}, text: x}"
        )
        assert self.tool("set_checkbox", TestControls.BOX, value="true") == (
            "  - set_checkbox: {target: {key: remember}, value: true}"
            "  # or: {role: checkbox, label: Remember me}\n"
        )
        assert self.tool("navigate", route="/home") == "  - navigate: /home\n"
        assert self.tool("press_key", key="S", modifiers="control, alt") == (
            "  - press_key: {key: S, modifiers: [control, alt]}\n"
        )
        assert self.tool("scroll", None, direction="down", pixels="50") == (
            "  - scroll: {pixels: 50}\n"
        )
        assert self.tool("navigate_back") == "  - navigate_back\n"

    def test_the_setup_of_a_scenario_is_not_recorded_twice(self) -> None:
        """A scenario that plays while another is recorded begins with its own setup."""
        app = App()
        app.act("reset_overlays", by="tool", params={})
        app.act("navigate", by="tool", params={"route": "/start"})
        app.act("navigate", by="tool", params={"route": "/start"})
        app.act("tap", SUBMIT, by="tool", params={})
        app.act("navigate", by="tool", params={"route": "/start"})
        assert app.steps().splitlines()[0].startswith("  - tap")
        assert app.steps().splitlines()[1] == "  - navigate: /start"


class TestNameless:
    """What cannot be found again."""

    NOTHING: ClassVar = {**widget(), "type": "Icon", "candidates": []}

    def test_is_told_in_the_file(self) -> None:
        found = one("tap", self.NOTHING, point={"x": 10.4, "y": 20})
        assert found == (
            "  # not recorded: tap at (10.4, 20) on Icon: nothing tells it from others;"
            " give it a key in the app\n"
        )

    def test_by_its_place_for_who_asks(self) -> None:
        app = App()
        app.act("tap", self.NOTHING, point={"x": 10.4, "y": 20})
        assert app.steps(Writer(coordinates=True)) == (
            "  - tap: {x: 10, y: 20}  # a place: nothing tells this widget from others\n"
        )
