"""The verb that presses the platform's back button."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.contract.conftest import RICH_BACKENDS

if TYPE_CHECKING:
    from tests.contract.driver import Driver

PRESS_BACK = "ext.tapir_replay.press_back"

rich = pytest.mark.parametrize("session", RICH_BACKENDS, indirect=True)
plain = pytest.mark.parametrize("session", ["demo-plain"], indirect=True)


@rich
def test_it_is_offered(app: Driver) -> None:
    assert "pressBack" in app.call("ext.tapir_replay.info")["capabilities"]


@plain
def test_a_plain_app_does_not_know_it(app: Driver) -> None:
    assert app.refuses(PRESS_BACK).code == -32601


@rich
def test_it_leaves_what_a_person_would_leave(app: Driver) -> None:
    """A page that was pushed, a dialog; and when nothing takes it, that is told."""
    app.go("/overlays")
    app.call("tap", ref=app.find("Open dialog"))
    assert app.sees("Delete everything?")
    reply = app.call(PRESS_BACK)
    assert set(reply) == {"handled", "snapshot"}
    assert reply["handled"] is True
    assert not app.call("ext.tapir.find", text="Delete everything?")["matched"]
    app.go("/login")
    app.call("tap", ref=app.find("Forgot password?"))
    assert app.call(PRESS_BACK, includeSnapshot="false") == {"handled": True}
    assert app.call("get_routes")["uri"] == "/login"
    assert app.call(PRESS_BACK, includeSnapshot="false") == {"handled": False}
