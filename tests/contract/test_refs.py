"""What becomes of a handle when the app moves on."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.contract.driver import Driver

NEED_REF = (
    "tap", "fill", "clear", "focus", "hover", "dblclick", "right_click", "triple_click", "type",
    "select_option", "set_checkbox",
)  # fmt: skip


@pytest.mark.parametrize("verb", NEED_REF)
def test_a_missing_ref(app: Driver, verb: str) -> None:
    error = app.refuses(verb, text="x", value="true")
    assert (error.code, error.type) == (-32000, "missing_param")
    assert error.message == f'ext.tapir.{verb}: missing required param "ref"'
    assert error.raw["message"] == "Server error"


@pytest.mark.parametrize("verb", NEED_REF)
@pytest.mark.parametrize("ref", ["e999999", "q999999", "nonsense"])
def test_an_unknown_ref(app: Driver, verb: str, ref: str) -> None:
    error = app.refuses(verb, ref=ref, text="x", value="true")
    assert (error.code, error.type) == (-32000, "not_found")
    assert error.message == f'ext.tapir.{verb}: ref "{ref}" not found in registry'
    assert error.envelope["widget_path"] == ref
    assert len(error.envelope["suggestions"]) <= 3


def test_a_q_handle_without_a_match_is_stale(app: Driver) -> None:
    ref = app.find("Sign in")
    app.go("/overlays")
    error = app.refuses("tap", ref=ref)
    assert (error.code, error.type) == (-32000, "stale")
    assert error.message == (
        f"Query handle ref={ref} is stale: no live match for stored predicates"
    )
    assert error.envelope["widget_path"] == ref
    app.go("/login")
    assert app.tap(ref=ref)["ref"] == ref


@pytest.mark.parametrize("verb", [each for each in NEED_REF if each != "fill"])
def test_a_stale_q_handle_is_told_by_every_verb(app: Driver, verb: str) -> None:
    ref = app.find("Email")
    app.go("/overlays")
    error = app.refuses(verb, ref=ref, text="x", value="true")
    assert (error.code, error.type) == (-32000, "stale")
    assert error.message == (
        f"Query handle ref={ref} is stale: no live match for stored predicates"
    )


def test_a_scroll_does_not_fall_back_to_another_view(app: Driver) -> None:
    app.go("/form")
    gone = app.find("Notes")
    error = app.refuses("scroll", ref="e999999")
    assert (error.type, error.message) == (
        "not_found",
        'ext.tapir.scroll: ref "e999999" not found in registry',
    )
    app.go("/list")
    assert app.refuses("scroll", ref=gone).type == "stale"
    assert app.call("scroll", pixels=0)["finalOffset"] == 0


def test_what_was_observed_without_words_cannot_be_found_again(app: Driver) -> None:
    app.go("/search")
    (clear,) = [each for each in app.candidates(roles="button") if each["label"] == ""]
    assert app.refuses("tap", ref=clear["ref"]).type == "stale"


def test_an_e_handle_of_a_gone_screen_is_defunct(app: Driver) -> None:
    ref = app.ref('button "Sign in"')
    app.go("/overlays")
    error = app.refuses("tap", ref=ref)
    assert (error.code, error.type) == (-32000, "stale")
    assert error.message == (
        f"Widget ref={ref} is not actionable: defunct (element no longer mounted)"
    )


def test_an_e_handle_is_relocated_on_the_same_route(app: Driver) -> None:
    app.go("/form")
    ref = app.ref('checkbox "Gift wrap"')
    app.go("/form")
    reply = app.tap(ref=ref)
    assert reply["reresolved"] == [ref]
    assert reply["ref"] == ref
    assert app.state("Gift wrap") is True
    assert "reresolved" not in app.tap("Gift wrap")


def test_no_relocation_when_the_count_changed(app: Driver) -> None:
    app.go("/inbox")
    ref = app.ref('button "Archive"')
    app.go("/inbox")
    app.tap("Archive")
    assert app.refuses("tap", ref=ref).type == "stale"


def test_every_acting_verb_relocates(app: Driver) -> None:
    app.go("/form")
    field, size = app.ref('textbox "Code"'), app.ref('button "Size"')
    gift = app.ref('checkbox "Gift wrap"')
    app.go("/form")
    assert app.call("fill", ref=field, text="a")["reresolved"] == [field]
    app.go("/form")
    assert app.call("type", ref=field, text="a")["reresolved"] == [field]
    app.go("/form")
    assert app.call("select_option", ref=size, value="L")["reresolved"] == [size]
    app.go("/form")
    assert app.call("set_checkbox", ref=gift, value=True)["reresolved"] == [gift]
    for verb in ("clear", "focus", "scroll", "hover", "dblclick", "right_click", "triple_click"):
        app.go("/form")
        assert app.call(verb, ref=field)["reresolved"] == [field]
    app.go("/form")
    assert app.call("drag", startRef=field, endRef=gift)["reresolved"] == [field, gift]
    assert "reresolved" not in app.call("drag", startRef=app.find("Code"), endRef=app.find("Code"))


def test_an_e_handle_stays_with_its_node(app: Driver) -> None:
    """Rows come above it, and it still means the same row."""
    app.go("/inbox")
    lines = app.call("snap")["snapshot"].splitlines()
    at = next(i for i, line in enumerate(lines) if "Message 3" in line)
    ref = lines[at + 1].split("[ref=")[1].rstrip("]")
    app.tap("Refresh")
    assert app.sees("Message 4")
    app.tap(ref=ref)
    assert not app.is_there(text="Message 3")
    assert app.is_there(text="Message 4")


def test_an_observed_handle_slides_when_a_row_is_inserted(app: Driver) -> None:
    app.go("/inbox")
    first = next(c["ref"] for c in app.candidates() if c["label"] == "Archive")
    app.tap("Refresh")
    assert app.sees("Message 4")
    app.tap(ref=first)
    assert app.is_there(text="Message 3")
    assert not app.is_there(text="Message 4")


def test_a_handle_under_a_popup_is_obscured(app: Driver) -> None:
    app.go("/overlays")
    ref = app.ref('button "Open sheet"')
    app.tap("Open dialog")
    error = app.refuses("tap", ref=ref)
    assert error.type == "obscured"
    assert "obscured by other widget (top=" in error.message
