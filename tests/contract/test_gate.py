"""What can be acted on: the checks, their order, their words."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.contract.driver import Driver

GATED = ("tap", "hover", "dblclick", "right_click", "triple_click")


@pytest.mark.parametrize("verb", GATED)
def test_disabled(app: Driver, verb: str) -> None:
    app.go("/form")
    ref = app.find("Place order")
    error = app.refuses(verb, ref=ref)
    assert (error.code, error.type) == (-32000, "disabled")
    assert error.message == f"Widget ref={ref} is not actionable: not enabled"
    assert error.envelope == {"type": "disabled", "suggestions": [], "widget_path": ref}


def test_no_switch_turns_the_enabled_check_off(app: Driver) -> None:
    app.go("/form")
    ref = app.find("Place order")
    error = app.refuses("tap", ref=ref, checkStable=False, checkReceivesEvents=False)
    assert error.type == "disabled"


@pytest.mark.parametrize("verb", GATED)
def test_obscured(app: Driver, verb: str) -> None:
    app.go("/covered")
    ref = app.find("Buy")
    error = app.refuses(verb, ref=ref)
    assert (error.code, error.type) == (-32000, "obscured")
    assert error.message == (
        f"Widget ref={ref} is not actionable: obscured by other widget (top=CookieBanner)"
    )


def test_the_obscured_check_can_be_skipped(app: Driver) -> None:
    app.go("/covered")
    reply = app.tap("Buy", checkReceivesEvents=False)
    assert reply["checks"]["gate"] == "skipped"
    assert isinstance(reply["checks"]["why"], str)
    assert app.is_there(text="Nothing bought")  # the banner took the touch


@pytest.mark.parametrize("value", ["false", "0"])
def test_a_flag_is_off_for_two_spellings(app: Driver, value: str) -> None:
    app.go("/covered")
    assert "checks" in app.tap("Buy", checkReceivesEvents=value)


@pytest.mark.parametrize("value", ["", "true", "no", "False"])
def test_a_flag_is_on_for_any_other(app: Driver, value: str) -> None:
    app.go("/covered")
    assert app.refuses("tap", ref=app.find("Buy"), checkReceivesEvents=value).type == "obscured"


def test_a_confirmed_gate_says_nothing(app: Driver) -> None:
    assert "checks" not in app.tap("Remember me")


@pytest.mark.parametrize("verb", GATED)
def test_moving(app: Driver, verb: str) -> None:
    app.go("/motion")
    ref = app.find("Catch me")
    error = app.refuses(verb, ref=ref)
    assert (error.code, error.type) == (-32000, "not_stable")
    assert re.fullmatch(
        rf"Widget ref={ref} is not actionable: not stable \(rect changed by \d+\.\dpx\)",
        error.message,
    )


def test_the_moving_check_can_be_skipped(app: Driver) -> None:
    app.go("/motion")
    assert app.tap("Catch me", checkStable=False)["effect"]["kind"] == "treeChanged"


def test_both_ends_of_a_drag_are_checked_the_start_first(app: Driver) -> None:
    app.go("/covered")
    buy, fine = app.find("Buy"), app.find("Accept cookies")
    for params in ({"startRef": buy, "endRef": fine}, {"startRef": fine, "endRef": buy}):
        error = app.refuses("drag", **params)
        assert (error.type, error.envelope["widget_path"]) == ("obscured", buy)
    again = app.find("Buy")
    assert app.refuses("drag", startRef=again, endRef=buy).envelope["widget_path"] == again


@pytest.mark.parametrize("verb", ["type", "fill", "clear"])
def test_text_goes_through_the_gate(app: Driver, verb: str) -> None:
    app.go("/form")
    ref = app.ref('textbox "Notes"')
    app.tap("Size")  # its menu lies above all
    error = app.refuses(verb, ref=ref, text="1")
    assert (error.code, error.type) == (-32000, "obscured")
    assert error.message.startswith(f"Widget ref={ref} is not actionable: obscured by other widget")


@pytest.mark.parametrize("verb", ["type", "fill"])
def test_the_gate_of_a_text_can_be_told_to_look_less(app: Driver, verb: str) -> None:
    app.go("/form")
    ref = app.ref('textbox "Notes"')
    app.tap("Size")
    reply = app.call(verb, ref=ref, text="1", checkReceivesEvents=False)
    assert reply["checks"]["gate"] == "skipped"
    assert reply["effect"]["value"] == "1"


def test_what_is_below_the_fold_is_scrolled_in(app: Driver) -> None:
    app.go("/form")
    assert '- button "Place order" [offscreen]' in app.lines()
    app.tap("I accept the terms")
    app.eventually(lambda: app.candidate("Place order")["isEnabled"])
    app.tap("Place order")
    assert app.sees("Order placed")
    assert app.candidate("Place order")["isVisible"]


def test_a_popup_obscures_what_is_below(app: Driver) -> None:
    app.go("/overlays")
    app.tap("Open dialog")
    error = app.refuses("tap", ref=app.find("Open sheet"))
    assert error.type == "obscured"


def test_lists_without_a_gate(app: Driver) -> None:
    """These do what they do to a control that is covered, disabled or out of sight."""
    app.go("/form")
    place = app.find("Place order")
    assert app.call("focus", ref=place)["focused"] is True
    app.go("/settings")
    reply = app.call("set_checkbox", ref=app.find("Managed by your company"), value=False)
    assert reply["effect"]["verified"] is False
