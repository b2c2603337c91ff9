"""Text, choices, ticks, focus, keys."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from tests.contract.driver import Driver


def _text_effect(reply: dict[str, Any]) -> tuple[bool, str]:
    effect = reply["effect"]
    assert effect["kind"] == "text"
    return effect["verified"], effect["value"]


def test_fill_answers_with_what_the_field_holds(app: Driver) -> None:
    ref = app.find("Email")
    reply = app.call("fill", ref=ref, text="ada@example.com")
    assert set(reply) == {"ref", "text", "filled", "effect", "snapshot"}
    assert (reply["ref"], reply["text"], reply["filled"]) == (ref, "ada@example.com", True)
    assert _text_effect(reply) == (True, "ada@example.com")
    target = reply["effect"]["target"]
    assert set(target) == {"matchKind", "label", "rect"}
    assert target["label"] == "Email"
    assert target["matchKind"] in {"element", "overlap"}


def test_type_replaces_and_has_no_ref(app: Driver) -> None:
    ref = app.find("Email")
    app.call("type", ref=ref, text="one")
    reply = app.call("type", ref=ref, text="two")
    assert set(reply) == {"text", "effect", "snapshot"}
    assert _text_effect(reply) == (True, "two")
    assert _text_effect(app.call("type", ref=ref)) == (True, "")


def test_fill_needs_a_text_that_may_be_empty(app: Driver) -> None:
    ref = app.find("Email")
    error = app.refuses("fill", ref=ref)
    assert (error.type, error.message) == (
        "missing_param",
        'ext.tapir.fill: missing required param "text"',
    )
    app.call("fill", ref=ref, text="x")
    assert _text_effect(app.call("fill", ref=ref, text="")) == (True, "")


def test_clear(app: Driver) -> None:
    app.fill("Email", "x")
    ref = app.find("Email")
    reply = app.call("clear", ref=ref)
    assert set(reply) == {"ref", "text", "effect"}
    assert reply["text"] == ""
    assert _text_effect(reply) == (True, "")
    assert "snapshot" in app.call("clear", ref=ref, includeSnapshot=True)


@pytest.mark.parametrize(
    ("label", "text", "kept"),
    [
        ("Quantity", "12 pieces", "12"),
        ("Quantity", "none", ""),
        ("Code", "ABCDEFGH", "ABCDEF"),
        ("Country", "Norge", "NORGE"),
    ],
)
def test_a_field_may_keep_something_else(app: Driver, label: str, text: str, kept: str) -> None:
    app.go("/form")
    reply = app.fill(label, text)
    assert reply["filled"] is True
    assert reply["text"] == text
    assert _text_effect(reply) == (False, kept)


def test_several_lines(app: Driver) -> None:
    app.go("/form")
    assert _text_effect(app.fill("Notes", "one\ntwo")) == (True, "one\ntwo")
    assert '- textbox "Notes": "one' in app.lines()


@pytest.mark.parametrize("text", ["😀 日本語 עברית e\u0301", "\u0000\u001b", '<b>&"</b>', " x "])
def test_any_text_comes_back_as_it_was(app: Driver, text: str) -> None:
    assert _text_effect(app.fill("Email", text)) == (True, text)


def test_a_password_is_hidden_on_the_screen_only(app: Driver) -> None:
    reply = app.fill("Password", "secret")
    assert _text_effect(reply) == (True, "secret")
    assert app.candidate("Password")["value"] == "••••••"


@pytest.mark.parametrize(
    ("label", "control"),
    [
        ("Gift wrap", "checkbox"),
        ("Express delivery", "switch"),
        ("Cash", "radio"),
        ("Size", "button"),
    ],
)
def test_fill_refuses_other_controls(app: Driver, label: str, control: str) -> None:
    app.go("/form")
    ref = app.find(label)
    error = app.refuses("fill", ref=ref, text="x")
    assert error.code == -32000
    assert f"ref {ref} is a {control}, not a text field" in error.message


def test_a_link_is_no_field_either(app: Driver) -> None:
    ref = app.find("Forgot password?")
    assert f"ref {ref} is a link, not a text field" in app.refuses("fill", ref=ref, text="").message


def test_a_label_stands_for_the_field_beside_it(app: Driver) -> None:
    app.go("/gestures")
    reply = app.fill("Note: not focused", "hello")
    assert reply["effect"]["target"]["matchKind"] == "nearest"
    assert reply["effect"]["target"]["label"] == "Note"
    assert _text_effect(reply) == (True, "hello")


def test_clear_and_type_want_a_field(app: Driver) -> None:
    ref = app.find("Tapir Demo")
    for verb in ("clear", "type"):
        error = app.refuses(verb, ref=ref, text="x")
        assert (error.code, error.type) == (-32000, "unexpected")
        assert error.message == f'ext.tapir.{verb}: no EditableText under ref "{ref}"'


def test_a_fill_that_finds_nothing_twice_says_so(app: Driver) -> None:
    ref = app.find("Email")
    app.go("/overlays")
    error = app.refuses("fill", ref=ref, text="x")
    assert (error.code, error.type) == (-32000, "stale")
    assert error.message == (f'ext.tapir.fill: ref "{ref}" went stale during fill (retried once)')
    assert error.envelope["widget_path"] == ref


def test_a_fill_of_a_node_that_is_gone_is_not_tried_again(app: Driver) -> None:
    ref = app.ref('textbox "Email"')
    app.go("/overlays")
    assert app.refuses("fill", ref=ref, text="x").message == (
        f"Widget ref={ref} is not actionable: defunct (element no longer mounted)"
    )


def test_fields_tell_the_app_of_each_change(app: Driver) -> None:
    app.go("/form")
    app.fill("Quantity", "3")
    assert app.sees("$22.50")
    app.tap("Express delivery")
    assert app.sees("$27.50")
    app.call("clear", ref=app.find("Quantity"))
    assert app.sees("$0.00")


# --- choices -----------------------------------------------------------------------------------


def test_select_option(app: Driver) -> None:
    app.go("/form")
    ref = app.find("Size")
    reply = app.call("select_option", ref=ref, value="L")
    assert reply == {
        "selected": True,
        "value": "L",
        "effect": {"kind": "selected", "verified": True, "value": "L"},
    }
    assert app.candidate("Size")["value"] == "L"


def test_a_refused_option_is_not_verified(app: Driver) -> None:
    app.go("/form")
    reply = app.call("select_option", ref=app.find("Size"), value="XL")
    assert reply["selected"] is True
    assert reply["value"] == "XL"
    assert reply["effect"] == {"kind": "selected", "verified": False, "value": "M"}


def test_an_option_nobody_offers_is_handed_over_all_the_same(app: Driver) -> None:
    app.go("/form")
    for value in ("", "XXL"):
        reply = app.call("select_option", ref=app.find("Size"), value=value)
        assert (reply["selected"], reply["value"]) == (True, value)
        assert reply["effect"]["verified"] is False


def test_select_option_goes_through_no_gate(app: Driver) -> None:
    """Nothing is opened or touched, so a cover does not matter."""
    app.go("/form")
    ref = app.ref('button "Size"')
    app.tap("Size")
    assert app.refuses("tap", ref=ref).type == "obscured"
    assert app.call("select_option", ref=ref, value="L")["effect"]["verified"] is True
    assert app.call("dismiss_modals")["popped"] == 1


def test_select_option_wants_a_value_and_a_dropdown(app: Driver) -> None:
    app.go("/form")
    error = app.refuses("select_option", ref=app.find("Size"))
    assert (error.type, error.message) == ("missing_param", "Missing required parameter: value.")
    ref = app.find("Gift wrap")
    error = app.refuses("select_option", ref=ref, value="L")
    assert (error.type, error.message) == (
        "not_found",
        f"No selectable widget found for ref={ref} value=L.",
    )
    (size,) = error.envelope["suggestions"]
    assert app.call("select_option", ref=size, value="L")["effect"]["verified"] is True


def test_set_checkbox_taps_only_when_it_differs(app: Driver) -> None:
    ref = app.find("Remember me")
    assert app.call("set_checkbox", ref=ref, value=True) == {
        "ref": ref,
        "previousValue": False,
        "value": True,
        "toggled": True,
        "effect": {"kind": "checked", "verified": True, "before": False, "after": True},
    }
    again = app.call("set_checkbox", ref=ref, value=True)
    assert (again["previousValue"], again["toggled"]) == (True, False)
    assert again["effect"] == {"kind": "checked", "verified": True, "before": True, "after": True}
    assert app.call("set_checkbox", ref=ref, value="0")["effect"]["after"] is False


def test_set_checkbox_on_a_switch_and_a_radio(app: Driver) -> None:
    app.go("/form")
    for label in ("Express delivery", "Cash"):
        effect = app.call("set_checkbox", ref=app.find(label), value=True)["effect"]
        assert (effect["before"], effect["after"]) == (False, True)
    card = app.call("set_checkbox", ref=app.find("Card"), value=True)
    assert card["previousValue"] is False  # choosing Cash turned it off
    # A radio that is on cannot be turned off by touching it.
    assert app.call("set_checkbox", ref=app.find("Card"), value=False)["effect"] == {
        "kind": "checked", "verified": False, "before": True, "after": True,
    }  # fmt: skip


def test_a_mixed_box_is_tapped_once(app: Driver) -> None:
    app.go("/settings")
    reply = app.call("set_checkbox", ref=app.find("Everything"), value=True)
    assert reply["previousValue"] is None
    assert reply["toggled"] is True
    effect = reply["effect"]
    assert effect["before"] is None
    assert effect["after"] in {True, False}
    assert effect["verified"] is (effect["after"] is True)


@pytest.mark.parametrize(("value", "wanted"), [("no", True), ("1", True), ("false", False)])
def test_a_box_is_off_for_two_spellings(app: Driver, value: str, wanted: bool) -> None:
    reply = app.call("set_checkbox", ref=app.find("Remember me"), value=value)
    assert (reply["value"], reply["effect"]["after"]) == (wanted, wanted)


def test_a_box_that_cannot_be_touched_is_not_verified(app: Driver) -> None:
    """No gate and no scrolling: what is covered or off the screen is missed, and that is told."""
    app.go("/form")
    ref = app.ref('checkbox "Gift wrap"')
    app.tap("Size")  # its menu lies above all
    reply = app.call("set_checkbox", ref=ref, value=True)
    assert (reply["previousValue"], reply["toggled"]) == (False, True)
    assert reply["effect"] == {
        "kind": "checked", "verified": False, "before": False, "after": False,
    }  # fmt: skip
    app.call("dismiss_modals")
    assert app.state("Gift wrap") is False


def test_a_merged_row_is_touched_in_its_middle(app: Driver) -> None:
    """Only a tap goes to the control beside the middle."""
    app.go("/settings")
    effect = app.call("set_checkbox", ref=app.find("Notifications"), value=True)["effect"]
    assert (effect["before"], effect["verified"]) == (False, False)


def test_set_checkbox_shows_the_screen_when_asked(app: Driver) -> None:
    ref = app.find("Remember me")
    reply = app.call("set_checkbox", ref=ref, value=True, includeSnapshot=True)
    assert '- checkbox "Remember me"' in reply["snapshot"]


def test_a_disabled_box_keeps_its_state(app: Driver) -> None:
    app.go("/settings")
    reply = app.call("set_checkbox", ref=app.find("Managed by your company"), value=False)
    assert reply["previousValue"] is True
    assert reply["effect"] == {
        "kind": "checked", "verified": False, "before": True, "after": True,
    }  # fmt: skip


def test_set_checkbox_refuses_to_guess(app: Driver) -> None:
    assert app.refuses("set_checkbox", ref=app.find("Sign in"), value=True).code == -32000
    error = app.refuses("set_checkbox", ref=app.find("Remember me"))
    assert error.type == "missing_param"
    assert app.refuses("set_checkbox", ref=app.find("Remember me"), value="").type == error.type
    app.go("/form")
    assert app.refuses("set_checkbox", ref=app.find(key="form-scroll"), value=True).code == -32000


# --- focus and keys ----------------------------------------------------------------------------


def test_focus_and_blur(app: Driver) -> None:
    app.go("/gestures")
    assert app.call("blur") == {"blurred": True, "hadFocus": False}
    ref = app.find("Note")
    assert app.call("focus", ref=ref) == {"ref": ref, "focused": True}
    assert app.sees("Note: focused")
    reply = app.call("blur", includeSnapshot=True)
    assert (reply["blurred"], reply["hadFocus"]) == (True, True)
    assert '- text "Note: not focused"' in reply["snapshot"]


def test_focus_shows_the_screen_when_asked(app: Driver) -> None:
    assert "snapshot" in app.call("focus", ref=app.find("Email"), includeSnapshot=True)
    assert "snapshot" not in app.call("focus", ref=app.find("Email"), includeSnapshot="")


def test_press_key_echoes_the_key(app: Driver) -> None:
    assert app.call("press_key", key="escape", includeSnapshot=False) == {
        "ok": True,
        "key": "escape",
    }


@pytest.mark.parametrize(
    ("params", "seen"),
    [
        ({"key": "S", "modifiers": "control"}, "Control+S"),
        ({"key": "s", "modifiers": "ctrl"}, "Control+S"),
        ({"key": "7"}, "7"),
        ({"key": "F5"}, "F5"),
        ({"key": "arrowdown"}, "ArrowDown"),
        ({"key": "a", "modifiers": "META, Alt,shift,Control"}, "Control+Shift+Alt+Meta+A"),
        ({"key": "Enter", "modifiers": ""}, "Enter"),
        *(
            ({"key": key.lower()}, key)
            for key in (
                "Backspace",
                "Delete",
                "Space",
                "ArrowUp",
                "ArrowLeft",
                "ArrowRight",
                "Home",
                "End",
                "PageUp",
                "PageDown",
                "F1",
                "F12",
                "Z",
                "0",
            )
        ),
    ],
)
def test_the_focused_field_hears_keys(app: Driver, params: dict[str, str], seen: str) -> None:
    app.go("/gestures")
    app.call("focus", ref=app.find("Note"))
    app.call("press_key", **params)
    assert app.sees(f"Last key: {seen}")


def test_without_focus_nobody_hears_a_key(app: Driver) -> None:
    app.go("/gestures")
    app.call("press_key", key="S")
    assert app.is_there(text="Last key: none")


def test_a_key_types_nothing(app: Driver) -> None:
    app.go("/gestures")
    ref = app.find("Note")
    app.call("fill", ref=ref, text="note")
    app.call("press_key", key="S")
    assert app.candidate("Note")["value"] == "note"


def test_keys_that_are_not_known(app: Driver) -> None:
    for params in ({}, {"key": ""}):
        error = app.refuses("press_key", **params)
        assert (error.type, error.message) == (
            "missing_param",
            'ext.tapir.press_key: missing required param "key"',
        )
    for key in ("F13", "ab", "é", "+"):
        assert app.refuses("press_key", key=key).type == "unexpected"
    error = app.refuses("press_key", key="Hyper")
    assert error.type == "unexpected"
    assert "Hyper" in error.message
    assert "ArrowUp" in error.message


def test_an_unknown_modifier_presses_nothing(app: Driver) -> None:
    app.go("/gestures")
    app.call("focus", ref=app.find("Note"))
    error = app.refuses("press_key", key="S", modifiers="control,hyper")
    assert "hyper" in error.message
    assert app.is_there(text="Last key: none")


def test_enter_submits(app: Driver) -> None:
    app.call("focus", ref=app.find("Email"))
    app.call("press_key", key="Enter")
    assert app.sees("Enter your email")


def test_tab_moves_the_focus(app: Driver) -> None:
    app.go("/gestures")
    app.call("focus", ref=app.find("Note"))
    app.call("press_key", key="Tab")
    assert app.sees("Note: not focused")
    app.call("press_key", key="Tab", modifiers="shift")
    assert app.sees("Note: focused")
