"""Looking things up: find, find_by_text, find_by_label, observe."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.contract.driver import Driver


def test_a_match_is_a_fresh_q_handle(app: Driver) -> None:
    first, second = app.call("find", text="Sign in"), app.call("find", text="Sign in")
    assert first["matched"] is True
    assert re.fullmatch(r"q\d+", first["ref"])
    assert first["ref"] != second["ref"]


def test_no_match_is_an_answer(app: Driver) -> None:
    assert app.call("find", text="Sign up") == {"ref": None, "matched": False}


@pytest.mark.parametrize("params", [{}, {"text": ""}, {"within": "e1"}, {"text": "", "key": ""}])
def test_without_a_predicate_it_refuses(app: Driver, params: dict[str, str]) -> None:
    error = app.refuses("find", **params)
    assert (error.code, error.type) == (-32000, "missing_param")
    assert error.message == (
        'ext.tapir.find: at least one of "text", "contains", "semanticsLabel", or "key" is required'
    )
    assert "widget_path" not in error.envelope
    assert error.envelope["suggestions"] == []


def test_text_is_a_label_first_and_a_text_after(app: Driver) -> None:
    assert app.is_there(text="Email")  # a label only
    app.go("/overlays")
    assert app.is_there(text="Result: none")  # a Text with a label of its own
    assert not app.is_there(text="Result")


def test_semantics_label_is_exact(app: Driver) -> None:
    assert app.is_there(semanticsLabel="Sign in")
    assert not app.is_there(semanticsLabel="Sign")


def test_contains_is_case_sensitive(app: Driver) -> None:
    assert app.is_there(contains="Forgot")
    assert not app.is_there(contains="forgot p")


def test_key_by_value(app: Driver) -> None:
    ref = app.find(key="email")
    assert app.call("fill", ref=ref, text="x", includeSnapshot=False)["effect"]["value"] == "x"
    assert not app.is_there(key="mail")


def test_key_as_it_is_printed(app: Driver) -> None:
    assert app.is_there(key="[<'email'>]")
    assert not app.is_there(key="<'email'>")


def test_what_is_off_the_screen_is_found(app: Driver) -> None:
    app.go("/form")
    assert app.is_there(text="Place order")


def test_matches_are_counted_for_labels_only(app: Driver) -> None:
    app.go("/inbox")
    for predicates in ({"text": "Archive"}, {"semanticsLabel": "Archive"}):
        reply = app.call("find", **predicates)
        assert reply["matchCount"] == 3
        assert "3" in reply["diagnostic"]
        assert '"Archive"' in reply["diagnostic"]
    for predicates in (
        {"contains": "Archive"},
        {"key": "archive-2"},
        {"key": "archive-2", "text": "Archive"},
        {"text": "Message 1"},
    ):
        reply = app.call("find", **predicates)
        assert (reply["matchCount"], "diagnostic" in reply) == (1, False)


def test_a_part_of_a_label_takes_the_first_whatever_it_is(app: Driver) -> None:
    app.sign_in()
    app.go("/account")  # a heading of that name, and below it a tab
    assert app.is_there(contains="Profil")
    app.go("/account/orders")
    app.go("/account")
    app.tap("Orders")
    assert app.sees("Your orders")
    app.go("/account")
    app.tap(ref=app.find(contains="Profil"))
    assert app.candidates(roles="heading")[0]["label"] == "Profile"


def test_key_wins_over_the_others(app: Driver) -> None:
    assert app.is_there(key="submit", contains="nothing like it")
    assert not app.is_there(key="nothing", semanticsLabel="Sign in")
    assert app.is_there(semanticsLabel="Sign in", text="nothing like it")
    assert app.is_there(text="Sign in", contains="nothing like it")


def test_key_with_text_needs_the_text_inside(app: Driver) -> None:
    app.go("/inbox")
    assert app.is_there(key="message-2", text="Message 2")
    assert not app.is_there(key="message-2", text="Message 3")


def test_of_several_the_first_that_can_be_used(app: Driver) -> None:
    app.sign_in()
    app.go("/account")
    ref = app.find("Profile")  # a heading, and below it the tab
    assert app.call("tap", ref=ref, includeSnapshot=False)["ref"] == ref
    app.go("/account/orders")
    app.call("tap", ref=ref, includeSnapshot=False)
    assert app.sees("Ada Lovelace")


def test_within_bounds_the_search(app: Driver) -> None:
    app.go("/inbox")
    scope = app.call("find_by_text", text="Message 1")["refs"][0]
    assert app.is_there(text="Message 1", within=scope)
    assert not app.is_there(text="Archive", within=scope)


def test_within_that_is_gone_is_said(app: Driver) -> None:
    reply = app.call("find", text="Sign in", within="e999999")
    assert (reply["ref"], reply["matched"]) == (None, False)
    assert "e999999" in reply["diagnostic"]
    gone = app.ref('button "Sign in"')
    app.go("/overlays")
    reply = app.call("find", text="Open sheet", within=gone)
    assert (reply["ref"], reply["matched"]) == (None, False)
    assert gone in reply["diagnostic"]


def test_within_another_find(app: Driver) -> None:
    app.go("/inbox")
    row = app.find(key="message-2")
    reply = app.call("find", text="Archive", within=row)
    if app.is_plain:  # an e handle it has to be
        assert (reply["ref"], reply["matched"]) == (None, False)
        assert row in reply["diagnostic"]
        return
    assert "find.within" in app.call("ext.tapir_replay.info")["capabilities"]
    assert (reply["matched"], reply["matchCount"]) == (True, 1)
    assert app.is_there(text="Message 2", within=row)
    assert not app.is_there(text="Message 1", within=row)
    assert app.is_there(contains="Message", within=app.find(text="Message 2", within=row))
    app.tap("Refresh")  # the rows are other ones now; the questions stay the same
    assert app.sees("Message 4")
    app.tap(ref=reply["ref"])
    assert not app.is_there(text="Message 2")
    assert app.is_there(text="Message 1")
    gone = app.call("find", text="Archive", within=row)
    assert (gone["ref"], gone["matched"]) == (None, False)
    assert row in gone["diagnostic"]
    assert app.refuses("tap", ref=reply["ref"]).type == "stale"


def test_texts_of_covered_routes_are_found(app: Driver) -> None:
    app.go("/overlays")
    app.tap("Open dialog")
    assert app.is_there(text="Open sheet")  # the Text inside the button
    assert app.is_there(contains="pen shee")
    assert not app.is_there(semanticsLabel="Open sheet")  # the label is gone


def test_find_by_text_lists_every_text(app: Driver) -> None:
    app.go("/inbox")
    refs = app.call("find_by_text", text="Archive")["refs"]
    assert len(refs) == 3
    assert all(re.fullmatch(r"e\d+", ref) for ref in refs)
    assert len(set(refs)) == 3
    assert set(refs).isdisjoint(app.call("find_by_text", text="Archive")["refs"])
    assert app.call("find_by_text", text="Message")["refs"] == []
    assert len(app.call("find_by_text", text="Message", exact=False)["refs"]) == 3
    for exact in ("0", "no", "False", ""):
        assert app.call("find_by_text", text="Message", exact=exact)["refs"] == []


def test_a_text_handle_can_be_tapped(app: Driver) -> None:
    app.go("/inbox")
    second = app.call("find_by_text", text="Archive")["refs"][1]
    app.tap(ref=second)
    assert not app.is_there(text="Message 2")


def test_observe_describes_each_candidate(app: Driver) -> None:
    app.fill("Email", "a@b.c")
    reply = app.call("observe", intent="login", roles="textbox,button")
    assert set(reply) == {"candidates", "count"}
    assert [(c["role"], c["label"], c["value"]) for c in reply["candidates"]] == [
        ("textbox", "Email", "a@b.c"),
        ("textbox", "Password", None),
        ("button", "Sign in", None),
    ]
    assert reply["count"] == 3
    candidate = reply["candidates"][0]
    assert set(candidate) >= {
        "ref", "role", "label", "value", "bounds", "isEnabled", "isVisible", "inViewport",
        "occluded",
    }  # fmt: skip
    assert set(candidate["bounds"]) == {"x", "y", "w", "h"}
    assert candidate["isEnabled"] is True
    assert candidate["isVisible"] is True
    assert candidate["inViewport"] is True
    assert candidate["occluded"] is False
    assert "tapOwner" not in candidate


def test_observe_takes_every_role_and_stops_at_the_limit(app: Driver) -> None:
    roles = [c["role"] for c in app.candidates()]
    assert roles == ["heading", "textbox", "textbox", "checkbox", "button", "link"]
    assert app.call("observe", limit=2)["count"] == 2
    assert app.call("observe", limit="x")["count"] == 6
    assert app.call("observe", roles=" link , ,heading")["count"] == 2
    assert app.call("observe", roles="nothing") == {"candidates": [], "count": 0}


def test_observe_tells_where_things_are(app: Driver) -> None:
    app.go("/form")
    hidden = app.candidate("Place order")
    assert (hidden["isVisible"], hidden["inViewport"], hidden["occluded"]) == (False, False, False)
    assert hidden["isEnabled"] is False
    app.go("/covered")
    assert app.candidate("Buy")["occluded"] is True


def test_observe_shows_the_owner_of_a_merged_row(app: Driver) -> None:
    app.go("/settings")
    row = app.candidate("Notifications")
    owner, bounds = row["tapOwner"], row["bounds"]
    assert set(owner) == {"x", "y", "w", "h"}
    assert owner["x"] > bounds["x"] + bounds["w"] / 2
    assert "retargets" not in row


def test_observed_rows_are_places(app: Driver) -> None:
    app.go("/inbox")
    rows = [c for c in app.candidates() if c["label"] == "Archive"]
    assert len(rows) == 3
    app.tap(ref=rows[2]["ref"])
    assert not app.is_there(text="Message 1")
    stale = app.refuses("tap", ref=rows[2]["ref"])
    assert stale.type == "stale"


def test_find_by_label_with_a_role(app: Driver) -> None:
    assert app.call("find_by_label", label="No such label")["refs"] == []
    refs = app.call("find_by_label", label="Email", role="textField")["refs"]
    if not app.is_dart:  # the reference never finds anything in a running app
        assert len(refs) == 1
    assert app.refuses("find_by_label").type == "missing_param"
    assert app.refuses("find_by_text").type == "missing_param"
