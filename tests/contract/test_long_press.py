"""The verb that presses and holds."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import pytest

from tests.contract.conftest import RICH_BACKENDS

if TYPE_CHECKING:
    from tests.contract.driver import Driver

LONG_PRESS = "ext.tapir_replay.long_press"

rich = pytest.mark.parametrize("session", RICH_BACKENDS, indirect=True)
plain = pytest.mark.parametrize("session", ["demo-plain"], indirect=True)


@rich
def test_it_is_offered(app: Driver) -> None:
    assert "longPress" in app.call("ext.tapir_replay.info")["capabilities"]


@plain
def test_a_plain_app_does_not_know_it(app: Driver) -> None:
    assert app.refuses(LONG_PRESS, ref=app.find("Remember me")).code == -32601


@rich
def test_it_holds_for_600_ms(app: Driver) -> None:
    app.go("/gestures")
    ref = app.find("Pad")
    started = time.monotonic()
    reply = app.call(LONG_PRESS, ref=ref)
    assert time.monotonic() - started >= 0.55
    assert set(reply) == {"ref", "snapshot"}
    assert reply["ref"] == ref
    assert app.sees("Last gesture: long press")
    assert set(app.call(LONG_PRESS, ref=ref, snapshot="none")) == {"ref"}


@rich
def test_where_nothing_hears_it_it_is_a_tap(app: Driver) -> None:
    before = app.state("Remember me")
    app.call(LONG_PRESS, ref=app.find("Remember me"))
    assert app.state("Remember me") is not before


@rich
def test_it_is_refused_as_other_gestures_are(app: Driver) -> None:
    assert app.refuses(LONG_PRESS).type == "missing_param"
    assert app.refuses(LONG_PRESS, ref="e999999").type == "not_found"
    app.go("/settings")
    managed = app.find("Managed by your company")
    assert app.refuses(LONG_PRESS, ref=managed).type == "disabled"
    app.go("/covered")
    assert app.refuses(LONG_PRESS, ref=app.find("Buy")).type == "obscured"


@rich
def test_it_is_an_action_and_so_done_once_a_request(app: Driver) -> None:
    before, ref = app.state("Remember me"), app.find("Remember me")
    first = app.call(LONG_PRESS, ref=ref, requestId="a long press")
    assert app.call(LONG_PRESS, ref=ref, requestId="a long press") == first
    assert app.state("Remember me") is not before
