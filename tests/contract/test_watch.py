"""Waiting, the console, reported errors, evaluate, boot_id."""

from __future__ import annotations

import re
import time
from datetime import datetime
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.contract.driver import Driver


def test_what_is_there_is_an_immediate_match(app: Driver) -> None:
    app.go("/overlays")
    reply = app.call("wait_for", text="Result: none")
    assert reply == {"matched": True, "elapsedMs": reply["elapsedMs"]}
    assert reply["elapsedMs"] < 100


def test_what_comes_is_waited_for(app: Driver) -> None:
    app.go("/loading")
    app.tap("Load orders")
    reply = app.call("wait_for", text="3 orders", timeoutMs=3000)
    assert reply["matched"] is True
    assert isinstance(reply["elapsedMs"], int)
    assert 500 < reply["elapsedMs"] < 2500


def test_what_does_not_come_is_an_answer(app: Driver) -> None:
    started = time.monotonic()
    reply = app.call("wait_for", text="never", timeoutMs=120)
    assert reply == {"matched": False, "reason": "timeout"}
    assert time.monotonic() - started >= 0.1


def test_a_timeout_of_nothing_does_not_look(app: Driver) -> None:
    reply = app.call("wait_for", textGone="never", timeoutMs=0)
    assert reply == {"matched": False, "reason": "timeout"}


def test_text_gone(app: Driver) -> None:
    app.go("/covered")
    app.tap("Ask me later")
    assert app.call("wait_for", textGone="Cookies")["matched"] is True
    assert app.call("wait_for", textGone="Nothing bought", timeoutMs=50)["matched"] is False


def test_a_text_below_a_popup_is_not_gone(app: Driver) -> None:
    app.go("/overlays")
    app.tap("Open dialog")
    assert app.call("wait_for", textGone="Result: none", timeoutMs=50)["matched"] is False


def test_a_text_off_the_screen_is_there(app: Driver) -> None:
    app.go("/form")
    assert app.call("wait_for", text="Place order", timeoutMs=1000)["matched"] is True


def test_an_expression_is_text(app: Driver) -> None:
    app.go("/overlays")
    assert app.call("wait_for", expression="Result: none")["matched"] is True
    assert app.call("wait_for", expression="1 == 1", timeoutMs=50)["matched"] is False


def test_the_first_condition_wins(app: Driver) -> None:
    app.go("/overlays")
    reply = app.call("wait_for", text="Result: none", textGone="Result: none", expression="x")
    assert reply["matched"] is True
    reply = app.call("wait_for", textGone="Result: none", expression="Result: none", timeoutMs=50)
    assert reply["matched"] is False


def test_an_empty_text_is_a_condition(app: Driver) -> None:
    assert app.call("wait_for", text="", timeoutMs=50)["matched"] is False
    assert app.call("wait_for", textGone="")["matched"] is True


def test_no_condition_is_refused(app: Driver) -> None:
    error = app.refuses("wait_for", timeoutMs=50)
    assert error.type == "missing_param"
    assert error.message == (
        "ext.tapir.wait_for: at least one of text, textGone, or expression is required"
    )


def test_only_whole_texts_count(app: Driver) -> None:
    app.go("/overlays")
    for text in ("Result", "result: none", " Result: none"):
        assert app.call("wait_for", text=text, timeoutMs=40)["matched"] is False


def test_labels_are_no_text(app: Driver) -> None:
    app.go("/loading")
    app.tap("Load orders")
    assert app.is_there(text="Loading")
    assert app.call("wait_for", text="Loading", timeoutMs=40)["matched"] is False


def test_another_call_can_make_it_true(app: Driver) -> None:
    app.go("/overlays")
    share = ("wait_for", {"text": "Share", "timeoutMs": "3000"})
    opened = ("tap", {"ref": app.find("Open sheet")})
    assert app.together(share, opened)[0]["matched"] is True


# --- network -----------------------------------------------------------------------------------


def test_idle_time_is_counted_in_whole_polls(app: Driver) -> None:
    reply = app.call("wait_for_network_idle")
    assert reply == {"matched": True, "idleAchievedMs": 600}
    reply = app.call("wait_for_network_idle", idleMs=100, pollIntervalMs=100)
    assert reply == {"matched": True, "idleAchievedMs": 100}


def test_a_pending_request_is_waited_for(app: Driver) -> None:
    app.go("/loading")
    app.tap("Load orders")
    reply = app.call("wait_for_network_idle", idleMs=100, pollIntervalMs=100)
    assert reply["matched"] is True
    assert app.is_there(text="3 orders")


def test_never_idle_is_an_error(app: Driver) -> None:
    app.go("/loading")
    app.tap("Load orders")
    error = app.refuses("wait_for_network_idle", timeoutMs=300, idleMs=200, pollIntervalMs=100)
    assert (error.code, error.type) == (-32000, "timeout")
    assert "max in-flight count observed: 1" in error.message
    assert app.sees("3 orders")


def test_polls_have_a_shortest_interval(app: Driver) -> None:
    assert app.refuses("wait_for_network_idle", pollIntervalMs=50).type == "unexpected"


# --- console -----------------------------------------------------------------------------------


def test_console_is_newest_first(app: Driver) -> None:
    app.go("/errors")
    app.tap("Log a line")
    reply = app.call("console")
    assert set(reply) == {"logs", "count"}
    assert reply["count"] == len(reply["logs"])
    entry = reply["logs"][0]
    assert (entry["level"], entry["logger"], entry["message"]) == (
        "INFO",
        "debugPrint",
        "a line from the app",
    )
    assert entry["levelValue"] == 800
    assert datetime.fromisoformat(entry["time"]).tzinfo is not None
    assert reply["logs"][1]["message"] == "route: /errors"


def test_a_repeated_line_shows_once(app: Driver) -> None:
    app.go("/errors")
    app.tap("Log a line")
    app.tap("Log a line")
    messages = [entry["message"] for entry in app.call("console")["logs"]]
    assert messages.count("a line from the app") == 1


def test_console_limit_and_level(app: Driver) -> None:
    app.go("/errors")
    app.tap("Log a line")
    assert app.call("console", limit=1)["count"] == 1
    assert app.call("console", limit="some")["count"] >= 1
    assert app.call("console", minLevel="INFO")["count"] >= 1
    for level in ("WARNING", "error", "Severe", "SHOUT", "off"):
        assert app.call("console", minLevel=level) == {"logs": [], "count": 0}
    for level in ("", "fine", "All", "nothing like it"):
        assert app.call("console", minLevel=level)["count"] >= 1
    assert app.call("console", limit=0) == {"logs": [], "count": 0}


# --- exceptions --------------------------------------------------------------------------------


def test_an_exception_is_reported(app: Driver) -> None:
    app.go("/errors")
    assert app.call("exceptions") == {"exceptions": [], "count": 0}
    app.tap("Raise an error")
    reply = app.call("exceptions")
    assert reply["count"] == 1
    entry = reply["exceptions"][0]
    assert set(entry) == {"type", "message", "stackHead", "library", "fatal", "time"}
    assert entry["type"] == "StateError"
    assert entry["message"] == "Bad state: Something broke on purpose"
    assert entry["library"] == "tapir demo"
    assert entry["fatal"] is False
    assert len(entry["stackHead"].splitlines()) <= 3
    assert datetime.fromisoformat(entry["time"]).tzinfo is not None


def test_newest_first_and_a_limit(app: Driver) -> None:
    app.go("/errors")
    app.tap("Raise an error")
    app.tap("Overflow")
    types = [entry["type"] for entry in app.call("exceptions")["exceptions"]]
    assert types == ["overflow", "StateError"]
    assert app.call("exceptions", limit=1)["exceptions"][0]["type"] == "overflow"


def test_a_repeat_keeps_its_first_time(app: Driver) -> None:
    app.go("/errors")
    app.tap("Raise an error")
    first = app.call("exceptions")["exceptions"][0]["time"]
    app.tap("Raise an error")
    reply = app.call("exceptions")
    assert (reply["count"], reply["exceptions"][0]["time"]) == (1, first)


def test_since_is_strictly_after(app: Driver) -> None:
    app.go("/errors")
    app.tap("Raise an error")
    first = app.call("exceptions")["exceptions"][0]["time"]
    assert app.call("exceptions", since=first)["count"] == 0
    app.tap("Overflow")
    assert app.call("exceptions", since=first)["count"] == 1
    assert app.call("exceptions", since="2024-01-01T10:00:00.000Z")["count"] == 2
    assert app.call("exceptions", since="yesterday")["count"] == 2


def test_clear_comes_after_the_read(app: Driver) -> None:
    app.go("/errors")
    app.tap("Raise an error")
    assert app.call("exceptions", clear=True)["count"] == 1
    assert app.call("exceptions")["count"] == 0
    app.tap("Raise an error")
    assert app.call("exceptions")["count"] == 1


# --- the rest ----------------------------------------------------------------------------------


def test_evaluate_never_evaluates(app: Driver) -> None:
    reply = app.call("evaluate", expression="1 + 1")
    assert reply == {"expression": "1 + 1", "result": "<eval-via-vm-service: 1 + 1>"}


@pytest.mark.parametrize("params", [{}, {"expression": ""}])
def test_evaluate_wants_an_expression(app: Driver, params: dict[str, str]) -> None:
    error = app.refuses("evaluate", **params)
    assert (error.type, error.message) == ("missing_param", "expression param is required")


def test_boot_id_stays_while_the_app_runs(app: Driver) -> None:
    first = app.call("boot_id")
    assert set(first) == {"bootId"}
    assert re.fullmatch(r"\S+", first["bootId"])
    assert app.call("boot_id") == first
