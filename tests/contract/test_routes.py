"""Getting about: routes, the guard, going back, popups."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.contract.driver import Driver


def uri(app: Driver) -> str:
    return str(app.call("get_routes")["uri"])


def test_get_routes(app: Driver) -> None:
    assert app.call("get_routes") == {"location": "", "title": "", "uri": "/login"}


def test_navigate(app: Driver) -> None:
    reply = app.call("navigate", route="/form")
    assert set(reply) == {"navigated", "route", "exactPath", "snapshot"}
    assert (reply["navigated"], reply["route"], reply["exactPath"]) == (True, "/form", True)
    assert '- heading "Order form"' in reply["snapshot"]
    assert uri(app) == "/form"


def test_navigate_wants_a_route(app: Driver) -> None:
    error = app.refuses("navigate")
    assert (error.type, error.message) == (
        "missing_param",
        'ext.tapir.navigate: missing required param "route"',
    )


def test_a_route_nobody_knows_is_an_answer(app: Driver) -> None:
    reply = app.call("navigate", route="/nowhere", includeSnapshot=False)
    assert (reply["navigated"], reply["exactPath"]) == (False, False)
    assert reply["reason"]
    assert uri(app) == "/login"


def test_the_query_does_not_count(app: Driver) -> None:
    reply = app.call("navigate", route="/list?page=2", includeSnapshot=False)
    assert (reply["navigated"], reply["exactPath"]) == (True, True)
    assert uri(app) == "/list?page=2"


def test_not_every_page_is_below_the_root(app: Driver) -> None:
    reply = app.call("navigate", route="/", includeSnapshot=False)
    assert (reply["navigated"], reply["exactPath"]) == (False, False)
    assert reply["reason"]


def test_a_route_that_only_begins_alike_is_another(app: Driver) -> None:
    app.sign_in()
    app.go("/account")
    reply = app.call("navigate", route="/acc", includeSnapshot=False)
    assert (reply["navigated"], reply["exactPath"]) == (False, False)


def test_the_screen_after_a_navigation_may_be_a_difference(app: Driver) -> None:
    app.call("snap")
    reply = app.call("navigate", route="/overlays", snapshot="diff")
    assert reply["snapshotMode"] == "diff"
    assert '+ - heading "Overlays"' in reply["snapshot"]
    assert "snapshot" not in app.call("navigate_back", snapshot="none")


@pytest.mark.parametrize("route", ["/home", "/account", "/account/orders"])
def test_the_guard_sends_to_login(app: Driver, route: str) -> None:
    app.go("/form")
    reply = app.call("navigate", route=route, includeSnapshot=False)
    assert (reply["navigated"], reply["exactPath"]) == (False, False)
    assert reply["reason"]
    assert uri(app) == "/login"


def test_a_page_below_the_route_counts(app: Driver) -> None:
    app.sign_in()
    reply = app.call("navigate", route="/account", includeSnapshot=False)
    assert (reply["navigated"], reply["exactPath"]) == (True, False)
    assert "reason" not in reply
    assert uri(app) == "/account/profile"


def test_navigate_makes_the_screen_anew(app: Driver) -> None:
    app.go("/form")
    app.fill("Notes", "something")
    app.go("/form")
    assert app.candidate("Notes")["value"] is None


def test_navigate_closes_popups_first(app: Driver) -> None:
    app.go("/overlays")
    app.tap("Open dialog")
    app.go("/overlays")
    assert app.call("dismiss_modals") == {"popped": 0}
    assert '- button "Open dialog"' in app.lines()


def test_going_to_login_signs_out(app: Driver) -> None:
    app.sign_in()
    app.go("/home")
    app.go("/login")
    assert app.call("navigate", route="/home", includeSnapshot=False)["navigated"] is False


def test_navigate_back(app: Driver) -> None:
    app.tap("Forgot password?")
    assert uri(app) == "/forgot"
    reply = app.call("navigate_back")
    assert set(reply) == {"navigatedBack", "popped", "snapshot"}
    assert (reply["navigatedBack"], reply["popped"]) == (True, True)
    assert uri(app) == "/login"


def test_nothing_to_go_back_to_is_an_answer(app: Driver) -> None:
    reply = app.call("navigate_back", includeSnapshot=False)
    assert reply == {"navigatedBack": False, "popped": False}


def test_what_one_goes_back_to_kept_its_state(app: Driver) -> None:
    app.fill("Email", "kept")
    app.tap("Forgot password?")
    app.tap("Back")
    assert app.candidate("Email")["value"] == "kept"


def test_a_page_inside_a_shell_is_left_first(app: Driver) -> None:
    app.sign_in()
    app.go("/account/orders")
    app.tap("Order 7")
    assert uri(app) == "/account/orders/7"
    assert app.call("navigate_back", includeSnapshot=False)["popped"] is True
    assert uri(app) == "/account/orders"
    assert app.call("navigate_back", includeSnapshot=False)["popped"] is False


def test_route_changes_are_written_to_the_console(app: Driver) -> None:
    app.go("/form")
    app.go("/list")
    messages = [entry["message"] for entry in app.call("console")["logs"]]
    assert messages[:2] == ["route: /list", "route: /form"]


# --- popups ------------------------------------------------------------------------------------


def test_dismiss_modals(app: Driver) -> None:
    app.go("/overlays")
    app.tap("Open dialog")
    assert app.call("dismiss_modals") == {"popped": 1}
    assert app.call("dismiss_modals") == {"popped": 0}
    assert app.is_there(text="Result: none")


def test_reset_overlays(app: Driver) -> None:
    assert app.call("reset_overlays") == {"popped": 0, "escaped": False, "dismissTapped": False}
    app.go("/overlays")
    app.tap("Open sheet")
    reply = app.call("reset_overlays")
    assert reply["popped"] == 1
    assert set(reply) == {"popped", "escaped", "dismissTapped"}
    assert '- button "Open sheet"' in app.lines()


def test_a_popup_hides_what_is_below(app: Driver) -> None:
    app.go("/overlays")
    app.tap("Open dialog")
    lines = app.lines()
    assert '- heading "Delete everything?"' in lines
    assert '- text "This cannot be undone."' in lines
    assert '- button "Open dialog"' not in lines
    assert app.sees("Result: none")  # its Text is still mounted


@pytest.mark.parametrize(
    ("opens", "presses", "result"),
    [
        ("Open dialog", "Cancel", "cancelled"),
        ("Open dialog", "Delete all", "deleted"),
        ("Open sheet", "Share", "shared"),
        ("Open sheet", "Copy link", "copied"),
    ],
)
def test_popups_answer(app: Driver, opens: str, presses: str, result: str) -> None:
    app.go("/overlays")
    app.tap(opens)
    app.tap(presses)
    assert app.sees(f"Result: {result}")
    assert '- button "Open dialog"' in app.lines()


def test_escape_closes_a_popup(app: Driver) -> None:
    app.go("/overlays")
    app.tap("Open dialog")
    app.call("press_key", key="Escape")
    assert '- button "Open dialog"' in app.lines()
    assert app.is_there(text="Result: none")


def test_a_press_on_the_barrier_closes_a_popup(app: Driver) -> None:
    app.go("/overlays")
    app.tap("Open dialog")
    app.call("tap", x=10, y=140, includeSnapshot=False)
    assert '- button "Open dialog"' in app.lines()


def test_back_closes_a_popup(app: Driver) -> None:
    app.go("/overlays")
    app.tap("Open dialog")
    assert app.call("navigate_back", includeSnapshot=False)["popped"] is True
    assert uri(app) == "/overlays"
