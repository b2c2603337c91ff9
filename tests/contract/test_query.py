"""The verbs beyond Tapir's: info and query."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.contract.conftest import RICH_BACKENDS

if TYPE_CHECKING:
    from tests.contract.driver import Driver

QUERY = "ext.tapir_replay.query"


pytestmark = pytest.mark.parametrize("session", RICH_BACKENDS, indirect=True)


def nodes(app: Driver, **params: Any) -> list[dict[str, Any]]:
    reply = app.call(QUERY, **params)
    assert set(reply) == {"count", "nodes"}
    found = reply["nodes"]
    assert isinstance(found, list)
    return found


def labels(app: Driver, **params: Any) -> list[str]:
    return [node["label"] for node in nodes(app, **params)]


def test_info(app: Driver) -> None:
    reply = app.call("ext.tapir_replay.info")
    assert reply["protocol"] == 1
    assert isinstance(reply["server"], str)
    assert "query" in reply["capabilities"]


def test_a_node(app: Driver) -> None:
    app.go("/inbox")
    node = nodes(app, key="archive-2")[0]
    assert set(node) - {"path"} == {
        "ref", "role", "label", "value", "text", "key", "bounds", "isEnabled", "isVisible",
        "inViewport", "occluded",
    }  # fmt: skip
    assert (node["role"], node["label"], node["text"], node["key"], node["value"]) == (
        "button",
        "Archive",
        "Archive",
        "archive-2",
        None,
    )
    assert node["ref"].startswith("e")
    assert set(node["bounds"]) == {"x", "y", "w", "h"}


def test_all_predicates_must_hold(app: Driver) -> None:
    app.go("/inbox")
    assert len(nodes(app, role="button", label="Archive")) == 3
    assert nodes(app, role="link", label="Archive") == []
    assert len(nodes(app, label="Archive", key="archive-1")) == 1


def test_count_is_the_true_number(app: Driver) -> None:
    app.go("/list")
    reply = app.call(QUERY, role="button", limit=2)
    assert len(reply["nodes"]) == 2
    assert reply["count"] > 10


def test_text_goes_by_label_first(app: Driver) -> None:
    assert [n["role"] for n in nodes(app, text="Sign in")] == ["button"]
    app.go("/overlays")
    assert [n["role"] for n in nodes(app, text="Result: none")] == [""]


def test_text_falls_back_to_the_innermost_text(app: Driver) -> None:
    app.go("/inbox")
    found = nodes(app, text="Message 1")
    assert len(found) == 1
    assert (found[0]["label"], found[0]["key"]) == ("Message 1", None)


def test_with_a_key_the_keyed_one(app: Driver) -> None:
    app.go("/inbox")
    found = nodes(app, key="message-1", text="Message 1")
    assert [n["key"] for n in found] == ["message-1"]
    assert found[0]["text"] == "Message 1\nArchive"
    assert (found[0]["role"], found[0]["label"]) == ("", "")
    assert nodes(app, key="message-1", text="Message 2") == []


def test_contains_and_matches(app: Driver) -> None:
    assert labels(app, contains="Forgot") == ["Forgot password?"]
    assert labels(app, matches="^S.*n$") == ["Sign in"]
    assert nodes(app, contains="forgot") == []
    error = app.refuses(QUERY, matches="(")
    assert error.type == "missing_param"
    assert "matches" in error.message


def test_value_and_flags(app: Driver) -> None:
    app.fill("Password", "abc")
    (node,) = nodes(app, value="•••")
    assert (node["label"], node["obscured"], node["focused"]) == ("Password", True, True)
    (box,) = nodes(app, role="checkbox")
    assert box["checked"] is False
    assert "focused" not in box
    app.go("/settings")
    assert nodes(app, label="Everything")[0]["checked"] is None
    assert nodes(app, label="Notifications")[0]["checked"] is False
    assert "checked" not in nodes(app, label="Settings")[0]


def test_an_empty_label_is_a_predicate(app: Driver) -> None:
    assert nodes(app, label="", role="button") == []


def test_names_beside_the_label(app: Driver) -> None:
    assert "query.more" in app.call("ext.tapir_replay.info")["capabilities"]
    app.go("/search")
    (clear,) = nodes(app, tooltip="Clear")
    assert (clear["role"], clear["label"], clear["tooltip"]) == ("button", "", "Clear")
    assert "hint" not in clear
    assert "identifier" not in clear
    (field,) = nodes(app, hint="Type a fruit")
    assert (field["label"], field["hint"]) == ("Search fruit", "Type a fruit")
    assert [n["ref"] for n in nodes(app, tooltip="Clear", role="button")] == [clear["ref"]]
    assert nodes(app, tooltip="Clear", role="textbox") == []
    assert nodes(app, tooltip="clear") == []
    app.go("/settings")
    (box,) = nodes(app, identifier="managed-box")
    assert (box["key"], box["identifier"]) == ("managed", "managed-box")


def test_a_node_without_such_a_name_is_not_found(app: Driver) -> None:
    app.go("/search")
    for name in ("identifier", "tooltip", "hint"):
        assert nodes(app, **{name: ""}) == []
        assert nodes(app, **{name: "nothing"}) == []
        assert nodes(app, role="heading", **{name: ""}) == []


def test_what_has_a_tooltip_alone_is_listed(app: Driver) -> None:
    app.go("/search")
    assert [node.get("tooltip") or node["label"] for node in nodes(app)] == [
        "Search", "Search fruit", "Clear", "Type to search",
    ]  # fmt: skip


def test_no_predicate_lists_what_says_something(app: Driver) -> None:
    assert labels(app) == [
        "Tapir Demo", "Email", "Password", "Remember me", "Sign in", "Forgot password?",
    ]  # fmt: skip


def test_within_is_inside_and_not_itself(app: Driver) -> None:
    app.go("/inbox")
    scope = nodes(app, key="message-2")[0]["ref"]
    assert labels(app, within=scope, role="button") == ["Archive"]
    assert nodes(app, within=scope, key="message-2") == []
    (inside,) = nodes(app, within=scope, text="Archive")
    assert inside["key"] == "archive-2"
    q = app.find(key="message-3")
    assert [n["key"] for n in nodes(app, within=q, label="Archive")] == ["archive-3"]
    for unknown in ("e999999", "q999999", ""):
        assert app.refuses(QUERY, within=unknown).type == "not_found"


def test_covered_routes_are_out_of_reach(app: Driver) -> None:
    app.go("/overlays")
    app.tap("Open dialog")
    assert nodes(app, text="Open sheet") == []
    assert nodes(app, text="Result: none") == []
    assert len(nodes(app, text="Cancel")) == 1


def test_the_handle_is_bound_to_the_node(app: Driver) -> None:
    app.go("/inbox")
    ref = nodes(app, key="archive-2")[0]["ref"]
    app.tap("Refresh")
    assert app.sees("Message 4")
    assert nodes(app, key="archive-2")[0]["ref"] == ref
    app.tap(ref=ref)
    assert nodes(app, key="archive-2") == []
    app.go("/inbox")
    ref = nodes(app, key="archive-2")[0]["ref"]
    app.tap(ref=ref)
    assert app.refuses("tap", ref=ref).type == "stale"


def test_occluded_is_told(app: Driver) -> None:
    app.go("/covered")
    assert nodes(app, label="Buy")[0]["occluded"] is True
