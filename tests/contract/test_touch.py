"""Taps, other gestures, drags, scrolling."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.contract.driver import Driver


def test_tap_answers_with_its_effect_and_the_screen(app: Driver) -> None:
    ref = app.find("Remember me")
    reply = app.call("tap", ref=ref)
    assert set(reply) == {"ref", "effect", "snapshot"}
    assert reply["ref"] == ref
    assert reply["effect"] == {"kind": "treeChanged", "changed": True}


def test_a_tap_that_does_nothing_says_so(app: Driver) -> None:
    assert app.tap("Tapir Demo")["effect"]["changed"] is False


def test_a_tap_that_changes_something_else_did_not_change_its_target(app: Driver) -> None:
    app.go("/gestures")
    assert app.tap("Pad")["effect"] == {"kind": "treeChanged", "changed": False}
    assert app.sees("Last gesture: tap")


def test_half_a_point_is_none(app: Driver) -> None:
    error = app.refuses("tap", x=5)
    assert (error.type, error.message) == (
        "missing_param",
        'ext.tapir.tap: missing required param "ref"',
    )
    assert app.refuses("drag", x=5, y=5, toX=5).type == "missing_param"


def test_a_tap_that_leaves_the_screen_changed_it(app: Driver) -> None:
    assert app.tap("Forgot password?")["effect"]["changed"] is True


def test_a_tap_on_a_field_gives_it_the_focus(app: Driver) -> None:
    app.go("/gestures")
    app.tap("Note")
    assert app.sees("Note: focused")


def test_until_confirms_what_comes_later(app: Driver) -> None:
    app.fill("Email", "someone@example.com")
    started = time.monotonic()
    reply = app.tap("Sign in", until="Wrong email or password")
    assert reply["untilMatched"] is True
    assert 0.25 < time.monotonic() - started < 2


def test_until_that_does_not_come_is_an_answer(app: Driver) -> None:
    reply = app.tap("Remember me", until="never", untilTimeoutMs=60)
    assert reply["untilMatched"] is False
    assert reply["effect"]["changed"] is True


def test_without_until_there_is_no_word_of_it(app: Driver) -> None:
    assert "untilMatched" not in app.tap("Remember me")
    assert "untilMatched" not in app.tap("Remember me", until="")


def test_a_merged_row_is_tapped_at_its_control(app: Driver) -> None:
    app.go("/settings")
    owner = app.candidate("Notifications")["tapOwner"]
    reply = app.tap("Notifications")
    to, rect = reply["retargeted"]["to"], reply["retargeted"]["ownerRect"]
    assert set(reply["retargeted"]) >= {"from", "to", "ownerRect"}
    assert rect == {
        "left": owner["x"], "top": owner["y"], "width": owner["w"], "height": owner["h"],
    }  # fmt: skip
    assert to == {"x": owner["x"] + owner["w"] / 2, "y": owner["y"] + owner["h"] / 2}
    assert reply["retargeted"]["from"] != to
    assert reply["effect"]["changed"] is True
    assert app.sees("Notifications: on")


def test_retargeting_can_be_turned_off(app: Driver) -> None:
    app.go("/settings")
    reply = app.tap("Notifications", retarget=False)
    assert "retargeted" not in reply
    assert reply["effect"]["changed"] is False
    assert app.is_there(text="Notifications: off")


def test_coordinates_need_no_handle(app: Driver) -> None:
    bounds = app.candidate("Remember me")["bounds"]
    x, y = bounds["x"] + bounds["w"] / 2, bounds["y"] + bounds["h"] / 2
    reply = app.call("tap", x=x, y=y, reportPoint=True)
    assert reply["checks"]["gate"] == "skipped"
    assert reply["point"] == {"x": x, "y": y}
    assert "ref" not in reply
    assert app.state("Remember me") is True


def test_a_ref_goes_before_coordinates(app: Driver) -> None:
    reply = app.tap("Remember me", x=1, y=1, reportPoint=True)
    assert "checks" not in reply
    assert reply["point"] != {"x": 1, "y": 1}
    assert reply["effect"]["changed"] is True


def test_report_point(app: Driver) -> None:
    bounds = app.candidate("Remember me")["bounds"]
    reply = app.tap("Remember me", reportPoint=True)
    assert reply["point"] == {
        "x": bounds["x"] + bounds["w"] / 2, "y": bounds["y"] + bounds["h"] / 2,
    }  # fmt: skip
    assert "point" not in app.tap("Remember me")
    app.go("/gestures")
    assert set(app.call("hover", ref=app.find("Pad"), reportPoint=True)["point"]) == {"x", "y"}


@pytest.mark.parametrize(
    ("verb", "seen"),
    [
        ("tap", "tap"),
        ("dblclick", "double tap"),
        ("triple_click", "triple tap"),
        ("right_click", "secondary tap"),
        ("hover", "hover"),
    ],
)
def test_each_gesture_is_heard(app: Driver, verb: str, seen: str) -> None:
    app.go("/gestures")
    ref = app.find("Pad")
    reply = app.call(verb, ref=ref)
    assert reply["ref"] == ref
    assert isinstance(reply["snapshot"], str)
    if verb != "tap":
        assert "effect" not in reply
    assert app.sees(f"Last gesture: {seen}")


def test_taps_in_a_row_are_taps_where_nothing_else_listens(app: Driver) -> None:
    app.call("dblclick", ref=app.find("Remember me"))
    assert app.state("Remember me") is False
    app.call("triple_click", ref=app.find("Remember me"))
    assert app.state("Remember me") is True


def test_drag_and_drop(app: Driver) -> None:
    app.go("/gestures")
    card, basket = app.find("Card"), app.find("Basket")
    reply = app.call("drag", startRef=card, endRef=basket, reportPoint=True)
    assert (reply["startRef"], reply["endRef"]) == (card, basket)
    assert set(reply["from"]) == set(reply["to"]) == {"x", "y"}
    assert "effect" not in reply
    assert app.sees("Basket: 1")
    assert "from" not in app.call("drag", startRef=card, endRef=basket)
    assert app.sees("Basket: 2")


def test_drag_by_an_offset(app: Driver) -> None:
    app.go("/gestures")
    reply = app.call("drag", startRef=app.find("Card"), dx=60, dy=80, reportPoint=True)
    assert reply["to"]["x"] - reply["from"]["x"] == 60
    assert reply["to"]["y"] - reply["from"]["y"] == 80
    assert app.sees("Basket: 1")
    reply = app.call("drag", startRef=app.find("Card"), dx=60, reportPoint=True)
    assert reply["to"] == {"x": reply["from"]["x"] + 60, "y": reply["from"]["y"]}


def test_drag_between_points(app: Driver) -> None:
    app.go("/gestures")
    card, basket = app.candidate("Card")["bounds"], app.candidate("Basket")["bounds"]
    reply = app.call(
        "drag",
        x=card["x"] + 10,
        y=card["y"] + 10,
        toX=basket["x"] + 50,
        toY=basket["y"] + 50,
    )
    assert reply["checks"]["gate"] == "skipped"
    assert reply["checks"]["semantics"] in {"held", "released"}
    assert app.sees("Basket: 1")


def test_drag_names_the_missing_and_the_unknown_end(app: Driver) -> None:
    ref = app.find("Email")
    assert app.refuses("drag").type == "missing_param"
    assert 'missing required param "endRef"' in app.refuses("drag", startRef=ref).message
    error = app.refuses("drag", startRef="e999999", endRef=ref)
    assert error.message == 'ext.tapir.drag: startRef "e999999" not found in registry'
    error = app.refuses("drag", startRef=ref, endRef="e999999")
    assert error.message == 'ext.tapir.drag: endRef "e999999" not found in registry'
    assert error.type == "not_found"


def test_scroll_moves_and_clamps(app: Driver) -> None:
    app.go("/list")
    reply = app.call("scroll", pixels=500)
    assert set(reply) == {"scrolled", "finalOffset", "effect", "snapshot"}
    assert reply["scrolled"] is True
    assert reply["finalOffset"] == 500
    assert reply["effect"] == {"kind": "scrollOffset", "changed": True, "before": 0, "after": 500}
    end = app.call("scroll", pixels=100000, includeSnapshot=False)["finalOffset"]
    again = app.call("scroll", pixels=100, includeSnapshot=False)
    assert again["scrolled"] is False
    assert again["effect"] == {
        "kind": "scrollOffset", "changed": False, "before": end, "after": end,
    }  # fmt: skip
    assert app.is_there(text="Item 200")
    top = app.call("scroll", direction="up", pixels=100000, includeSnapshot=False)
    assert top["finalOffset"] == 0


def test_scroll_defaults_to_300_down(app: Driver) -> None:
    app.go("/list")
    assert app.call("scroll", includeSnapshot=False)["finalOffset"] == 300
    assert app.call("scroll", pixels="many", includeSnapshot=False)["finalOffset"] == 600
    assert app.call("scroll", dy=-50, pixels=999, includeSnapshot=False)["finalOffset"] == 550
    reply = app.call("scroll", direction="away", pixels=50, includeSnapshot=False)
    assert reply["finalOffset"] == 600
    assert app.call("scroll", dx=50, includeSnapshot=False)["finalOffset"] == 600


def test_scroll_sideways_moves_nothing_here(app: Driver) -> None:
    app.go("/list")
    assert app.call("scroll", direction="right", includeSnapshot=False)["scrolled"] is False


def test_scroll_from_an_inner_handle(app: Driver) -> None:
    app.go("/form")
    ref = app.find("Gift wrap")
    assert app.call("scroll", ref=ref, pixels=20)["finalOffset"] == 20


def test_scroll_into_view(app: Driver) -> None:
    app.go("/form")
    place = app.find("Place order")
    assert app.call("scroll", ref=place, intoView=True)["scrolled"] is True
    assert app.candidate("Place order")["isVisible"] is True
    app.go("/overlays")
    reply = app.call("scroll", ref=app.find("Open dialog"), intoView=True)
    assert reply["scrolled"] is False
    assert reply["effect"]["changed"] is False
    assert app.refuses("scroll", intoView=True).type == "missing_param"


def test_into_view_is_on_for_two_spellings_only(app: Driver) -> None:
    app.go("/form")
    place = app.find("Place order")
    # Any other value scrolls by the default delta, as far as there is something to scroll.
    assert app.call("scroll", ref=place, intoView="yes", dy=1)["finalOffset"] == 1


def test_nothing_to_scroll(app: Driver) -> None:
    app.go("/overlays")
    error = app.refuses("scroll")
    assert (error.type, error.message) == ("not_found", "No scrollable found in the widget tree.")


def test_rows_exist_only_near_the_viewport(app: Driver) -> None:
    app.go("/list")
    assert app.is_there(text="Item 14")
    assert not app.is_there(text="Item 40")
    app.call("scroll", pixels=40 * 56, includeSnapshot=False)
    assert app.is_there(text="Item 40")
    assert not app.is_there(text="Item 1")


def test_a_row_that_scrolled_away_is_defunct(app: Driver) -> None:
    app.go("/list")
    ref = app.ref('button "Item 1"')
    app.call("scroll", pixels=5000, includeSnapshot=False)
    assert app.refuses("tap", ref=ref).type == "stale"


def test_actions_sent_at_once_do_not_mix(app: Driver) -> None:
    ref = app.find("Remember me")
    replies = app.together(*[("tap", {"ref": ref})] * 7)
    assert all(reply["effect"]["changed"] for reply in replies)
    assert app.state("Remember me") is True
