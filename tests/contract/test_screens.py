"""Each screen does what its page says."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.contract.driver import Driver

MENU = (
    "Form", "List", "Overlays", "Loading", "Motion", "Covered", "Settings", "Account", "Errors",
    "Search", "Inbox", "Gestures",
)  # fmt: skip


def test_login_wants_an_address_first(app: Driver) -> None:
    app.tap("Sign in")
    assert app.sees("Enter your email")
    assert app.is_there(key="login-error")


def test_login_refuses_after_a_while(app: Driver) -> None:
    app.fill("Email", "ada@example.com")
    app.fill("Password", "wrong")
    assert app.tap("Sign in")["effect"]["changed"] is True
    assert app.candidate("Sign in")["isEnabled"] is False
    assert app.sees("Wrong email or password")
    assert app.candidate("Sign in")["isEnabled"] is True
    assert app.call("get_routes")["uri"] == "/login"


def test_login(app: Driver) -> None:
    app.sign_in()
    assert app.call("get_routes")["uri"] == "/home"
    assert app.lines() == [
        '- heading "Welcome back"',
        '- text "Signed in as ada@example.com"',
        '- text "3 tasks"',
        '- text "Buy milk"',
        '- button "Delete"',
        '- text "Call the bank"',
        '- button "Delete"',
        '- text "Water the plants"',
        '- button "Delete"',
        '- button "Log out"',
        '- button "Menu"',
    ]
    messages = [entry["message"] for entry in app.call("console", limit=2)["logs"]]
    assert set(messages) == {"signed in as ada@example.com", "route: /home"}
    assert app.call("navigate_back", includeSnapshot=False)["popped"] is False


def test_enter_signs_in(app: Driver) -> None:
    app.fill("Email", "ada@example.com")
    app.fill("Password", "correct-horse")
    app.call("press_key", key="Enter")
    assert app.sees("Welcome back")


def test_tasks_can_be_deleted(app: Driver) -> None:
    app.sign_in()
    for left in ("2 tasks", "1 task", "No tasks"):
        assert app.tap("Delete", until=left)["untilMatched"]
    assert not app.is_there(text="Delete")
    app.go("/home")
    assert app.is_there(text="3 tasks")


def test_log_out(app: Driver) -> None:
    app.sign_in()
    app.tap("Log out")
    assert app.call("get_routes")["uri"] == "/login"


def test_the_menu_leads_everywhere(app: Driver) -> None:
    app.sign_in()
    app.tap(key="menu")
    for name in MENU:
        app.tap(name)
        uri = app.call("get_routes")["uri"]
        assert uri == ("/account/profile" if name == "Account" else f"/{name.lower()}")
        assert app.call("navigate_back", includeSnapshot=False)["popped"] is True
        assert app.call("get_routes")["uri"] == "/menu"


def test_the_menu_has_links(app: Driver) -> None:
    app.go("/menu")
    assert [c["label"] for c in app.candidates(roles="link")] == list(MENU)


def test_form(app: Driver) -> None:
    app.go("/form")
    assert app.lines() == [
        '- heading "Order form"',
        '- textbox "Quantity"',
        "  typeable: true",
        '- textbox "Code"',
        "  typeable: true",
        '- textbox "Country"',
        "  typeable: true",
        '- textbox "Notes"',
        "  typeable: true",
        '- button "Size": "M"',
        '- checkbox "Gift wrap"',
        '- button "Express delivery"',
        '- checkbox "Card"',
        '- checkbox "Cash"',
        '- checkbox "Invoice"',
        '- text "$0.00"',
        '- checkbox "I accept the terms"',
        '- button "Place order" [offscreen]',
    ]


def test_an_order_can_be_placed_once_the_terms_are_accepted(app: Driver) -> None:
    app.go("/form")
    app.tap(key="terms")
    assert app.candidate("Place order")["isEnabled"] is False
    app.eventually(lambda: app.candidate("Place order")["isEnabled"])
    app.tap(key="terms")
    assert app.candidate("Place order")["isEnabled"] is False
    app.tap(key="terms")
    app.eventually(lambda: app.candidate("Place order")["isEnabled"])
    assert app.tap(key="place-order", until="Order placed")["untilMatched"]
    assert app.call("console", limit=1)["logs"][0]["message"] == "order saved"


def test_list(app: Driver) -> None:
    app.go("/list")
    app.tap(key="item-7")
    assert app.sees("Selected: Item 7")
    app.call("scroll", pixels=100000, includeSnapshot=False)
    app.tap("Item 200")
    assert app.sees("Selected: Item 200")


def test_loading(app: Driver) -> None:
    app.go("/loading")
    app.tap(key="load")
    assert '- image "Loading"' in app.lines()
    assert app.sees("3 orders")
    lines = app.lines()
    assert '- image "Loading"' not in lines
    assert [line for line in lines if "Order " in line] == [
        f'- text "Order {number}"' for number in (1, 2, 3)
    ]


def test_motion(app: Driver) -> None:
    app.go("/motion")
    assert app.refuses("tap", ref=app.find("Slide in")).type == "not_stable"
    assert app.refuses("tap", ref=app.find("Catch me")).type == "not_stable"
    app.eventually(lambda: _slid(app))
    assert app.sees("Slid: yes")
    app.tap("Stop")
    app.tap("Catch me")
    assert app.sees("Caught: 1")


def _slid(app: Driver) -> bool:
    try:
        app.tap("Slide in")
    except Exception:
        return False
    return True


def test_covered(app: Driver) -> None:
    app.go("/covered")
    app.tap("Accept cookies")
    app.tap("Buy")
    assert app.sees("Bought")
    app.go("/covered")
    app.tap("Ask me later")
    assert app.candidate("Buy")["occluded"] is True
    app.eventually(lambda: not app.candidate("Buy")["occluded"])


def test_account(app: Driver) -> None:
    app.sign_in()
    app.go("/account")
    assert app.sees("Ada Lovelace")
    app.tap("Orders")
    assert app.call("get_routes")["uri"] == "/account/orders"
    app.tap("Order 8")
    assert '- heading "Order 8"' in app.lines()
    assert app.sees("Shipped")
    app.tap("Back")
    assert '- heading "Your orders"' in app.lines()


def test_search(app: Driver) -> None:
    app.go("/search")
    assert app.sees("Type to search")
    app.fill("Search fruit", "Grape")
    assert not app.is_there(text="2 results")
    assert app.sees("2 results")
    assert app.is_there(text="Grapefruit")
    app.fill("Search fruit", "Lemon")
    assert app.sees("1 result")
    app.fill("Search fruit", "Durian")
    assert app.sees("No results")


def test_search_can_be_cleared(app: Driver) -> None:
    app.go("/search")
    assert '- button ""' in app.lines()
    app.fill("Search fruit", "Lemon")
    assert app.sees("1 result")
    (clear,) = [each for each in app.candidates(roles="button") if each["label"] == ""]
    bounds = clear["bounds"]
    assert (bounds["w"], bounds["h"]) == (48, 48)
    ref = next(
        line.partition("[ref=")[2].partition("]")[0]
        for line in app.call("snap")["snapshot"].splitlines()
        if line.startswith('- button ""')
    )
    app.tap(ref=ref)
    assert app.candidate("Search fruit")["value"] is None
    assert app.sees("8 results")


def test_inbox(app: Driver) -> None:
    app.go("/inbox")
    app.tap(key="archive-2")
    assert not app.is_there(text="Message 2")
    app.tap("Refresh")
    assert '- image "Refreshing"' in app.lines()
    assert app.sees("Message 4")
    messages = [line for line in app.lines() if "Message" in line]
    assert messages == ['- text "Message 4"', '- text "Message 3"', '- text "Message 1"']


def test_inbox_is_pulled_down(app: Driver) -> None:
    app.go("/inbox")
    app.call("drag", startRef=app.find(key="message-3"), endRef=app.find(key="message-1"))
    assert app.sees("Message 4")
    # A shorter pull does nothing.
    app.call("drag", startRef=app.find(key="message-4"), endRef=app.find(key="message-3"))
    assert not app.is_there(text="Refreshing")


def test_forgot(app: Driver) -> None:
    app.tap(key="forgot")
    assert app.sees("We sent you a link")
    app.tap(key="back")
    assert app.call("get_routes")["uri"] == "/login"
