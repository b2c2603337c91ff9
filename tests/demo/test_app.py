"""The app by itself, on a clock that only moves when told to."""

from __future__ import annotations

import asyncio

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tapir_replay.demo import gate, semantics
from tapir_replay.demo.app import App
from tapir_replay.demo.clock import FRAME
from tapir_replay.demo.faults import Fault
from tapir_replay.demo.geometry import SCREEN, Rect
from tapir_replay.demo.layout import lay_out, text_width
from tapir_replay.demo.pointer import hit, perform, scroll_to, show_on_screen
from tapir_replay.demo.refs import Target
from tapir_replay.demo.screens import SCREENS
from tapir_replay.demo.screens.lists import SEARCH_SECONDS
from tapir_replay.demo.tree import Box, Node, Semantics
from tests.support.clock import FakeClock


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


@pytest.fixture
def app(clock: FakeClock) -> App:
    return App(clock=clock)


def labelled(app: App, label: str) -> Node:
    return next(node for node in semantics.nodes(app) if node.label == label)


def tap(app: App, label: str) -> None:
    perform(app, labelled(app, label).live_rect().centre, "tap")


def sign_in(app: App, clock: FakeClock) -> None:
    for label, text in (("Email", "ada@example.com"), ("Password", "correct-horse")):
        edit = labelled(app, label).edit
        assert edit is not None
        edit.enter(text)
    tap(app, "Sign in")
    clock.advance(0.299)
    assert app.router.uri == "/login"
    clock.advance(0.002)
    assert app.router.uri == "/home"


def test_signing_in_takes_300_ms(app: App, clock: FakeClock) -> None:
    sign_in(app, clock)


def test_timers_end_with_their_screen(app: App, clock: FakeClock) -> None:
    app.router.go("/form")
    tap(app, "I accept the terms")
    app.router.go("/list")
    before = app.version
    clock.advance(5)
    assert app.version == before


def test_the_order_button_waits_700_ms(app: App, clock: FakeClock) -> None:
    app.router.go("/form")
    tap(app, "I accept the terms")
    clock.advance(0.69)
    assert not labelled(app, "Place order").is_enabled
    clock.advance(0.02)
    assert labelled(app, "Place order").is_enabled


def test_terms_that_are_taken_back_in_time_enable_nothing(app: App, clock: FakeClock) -> None:
    app.router.go("/form")
    tap(app, "I accept the terms")
    clock.advance(0.3)
    tap(app, "I accept the terms")
    clock.advance(1)
    assert not labelled(app, "Place order").is_enabled


def test_the_search_waits_for_the_last_letter(app: App, clock: FakeClock) -> None:
    app.router.go("/search")
    edit = labelled(app, "Search fruit").edit
    assert edit is not None
    for typed in ("g", "gr", "grape"):
        edit.enter(typed)
        clock.advance(SEARCH_SECONDS * 0.9)
        assert labelled(app, "Type to search")
    clock.advance(SEARCH_SECONDS * 0.2)
    assert not any(node.label == "Type to search" for node in semantics.nodes(app))
    assert labelled(app, "Grapefruit")


def test_a_request_is_pending_until_it_is_answered(app: App, clock: FakeClock) -> None:
    app.router.go("/loading")
    tap(app, "Load orders")
    assert app.pending_requests == 1
    app.router.go("/login")  # the answer comes all the same
    clock.advance(0.91)
    assert app.pending_requests == 0


@settings(deadline=None, max_examples=200)
@given(st.floats(0, 100))
def test_what_moves_is_somewhere_else_a_frame_later(moment: float) -> None:
    clock = FakeClock()
    app = App(clock=clock)
    app.router.go("/motion")
    app.refresh()
    clock.advance(moment)
    prey = labelled(app, "Catch me")
    before = prey.live_rect()
    clock.advance(FRAME)
    after = prey.live_rect()
    assert max(abs(before.x - after.x), abs(before.y - after.y)) > gate.TOLERANCE
    assert after.x >= 0
    assert after.right <= SCREEN.right


def test_what_slid_in_stands_still(app: App, clock: FakeClock) -> None:
    app.router.go("/motion")
    slider = labelled(app, "Slide in")
    app.refresh()
    assert slider.live_rect().x > slider.rect.x
    clock.advance(0.5)
    assert slider.live_rect() == slider.rect
    assert not slider.is_animated


def test_every_screen_lies_within_the_width_of_the_view(app: App, clock: FakeClock) -> None:
    sign_in(app, clock)
    for route in [*SCREENS, "/account/orders/7"]:
        app.router.go(route)
        clock.advance(1)
        for node in semantics.nodes(app):
            assert node.rect.x >= 0, (route, node)
            assert node.rect.right <= SCREEN.right, (route, node)
            assert not node.rect.is_empty, (route, node)


def test_no_two_controls_of_a_screen_overlap(app: App, clock: FakeClock) -> None:
    sign_in(app, clock)
    for route in [*SCREENS, "/account"]:
        if route in {"/covered", "/motion"}:
            continue
        app.router.go(route)
        controls = [n for n in semantics.nodes(app) if semantics.is_control(n)]
        for index, node in enumerate(controls):
            for other in controls[index + 1 :]:
                assert not node.rect.overlaps(other.rect), (route, node, other)


def test_rows_and_columns() -> None:
    left, right = (
        Node("Box", box=Box(width=40, height=10)),
        Node("Box", box=Box(fill=True, height=20)),
    )
    row = Node("Row", left, right, box=Box("row", gap=10))
    below = Node("Box", box=Box(height=5))
    lay_out(Node("Column", row, below, box=Box("column", gap=4)), Rect(0, 0, 100, 100))
    assert left.rect == Rect(0, 5, 40, 10)
    assert right.rect == Rect(50, 0, 50, 20)
    assert below.rect == Rect(0, 24, 100, 5)


def test_text_widths_are_plausible() -> None:
    assert text_width("iii", 16) < text_width("mmm", 16)
    assert text_width("", 16) == 0


def test_a_scroll_view_stops_at_its_ends(app: App) -> None:
    app.router.go("/list")
    items = next(node for node in app.reachable if node.key == "items")
    assert items.scrolling is not None
    scroll_to(items, 1e9)
    app.refresh()
    assert items.children[-1].key == "item-200"
    assert items.children[-1].rect.bottom == SCREEN.bottom
    scroll_to(items, -5)
    assert items.scrolling.offset == 0


def test_show_on_screen_moves_no_more_than_needed(app: App) -> None:
    app.router.go("/form")
    place = labelled(app, "Place order")
    app.refresh()
    assert show_on_screen(place)
    app.refresh()
    assert place.rect.bottom == SCREEN.bottom
    assert not show_on_screen(place)


def test_only_what_is_on_top_is_hit(app: App) -> None:
    app.router.go("/covered")
    app.refresh()
    found = hit(app, labelled(app, "Buy").rect.centre)
    assert found is not None
    assert not found.is_inside(labelled(app, "Buy"))
    tap(app, "Accept cookies")
    found = hit(app, labelled(app, "Buy").rect.centre)
    assert found is not None
    assert found.is_inside(labelled(app, "Buy"))


def refusal(app: App, node: Node) -> Fault:
    with pytest.raises(Fault) as caught:
        asyncio.run(gate.check(app, Target("e1", node)))
    return caught.value


def stray(app: App, **box: float) -> Node:
    """A node outside of every column, where the screens have none."""
    node = Node("Box", semantics=Semantics("Stray", button=True, tap=True), hits=True)
    app.root.add(node)
    app.refresh()
    node.rect = Rect(box["x"], box["y"], box["w"], box["h"])
    return node


def test_nothing_to_aim_at(app: App) -> None:
    fault = refusal(app, stray(app, x=10, y=10, w=0, h=20))
    assert (fault.type, fault.message) == (
        "zero_rect",
        "Widget ref=e1 is not actionable: zero rect",
    )


def test_out_of_the_viewport(app: App) -> None:
    fault = refusal(app, stray(app, x=10, y=900, w=20, h=20))
    assert fault.type == "off_viewport"
    assert fault.message == (
        "Widget ref=e1 is not actionable: off-viewport "
        "(rect=Rect.fromLTRB(10.0, 900.0, 30.0, 920.0), "
        "viewport=Rect.fromLTRB(0.0, 0.0, 390.0, 844.0))"
    )


def test_until_hears_of_changes(app: App) -> None:
    async def use() -> tuple[bool, bool]:
        waiting = asyncio.create_task(app.until(lambda: app.has_text("Cookies"), 100))
        gone = asyncio.create_task(app.until(lambda: app.has_text("never"), 0.5))
        await asyncio.sleep(0)
        app.router.go("/covered")
        clock = app.clock
        assert isinstance(clock, FakeClock)
        clock.advance(1)
        return await waiting, await gone

    assert asyncio.run(use()) == (True, False)


def test_a_popup_is_alone_reachable(app: App) -> None:
    app.router.go("/overlays")
    tap(app, "Open dialog")
    assert {node.label for node in semantics.nodes(app)} == {
        "Delete everything?", "This cannot be undone.", "Cancel", "Delete all",
    }  # fmt: skip
    assert app.has_text("Open dialog")


def test_the_back_button_of_an_inner_page_leaves_that_page(app: App, clock: FakeClock) -> None:
    sign_in(app, clock)
    for label in ("Menu", "Account", "Orders", "Order 8"):
        tap(app, label)
    tap(app, "Back")
    assert app.router.uri == "/account/orders"
    tap(app, "Back")
    assert app.router.uri == "/menu"


def test_the_system_leaves_the_outermost_page_first(app: App, clock: FakeClock) -> None:
    sign_in(app, clock)
    for label in ("Menu", "Account", "Orders", "Order 8"):
        tap(app, label)
    assert app.router.back()
    assert app.router.uri == "/menu"


def test_a_merged_row_is_missed_at_its_centre(app: App) -> None:
    app.router.go("/settings")
    row = labelled(app, "Notifications")
    owner = semantics.tap_owner(app, row)
    assert owner is not None
    assert owner.reachable
    tap(app, "Notifications")
    assert app.has_text("Notifications: off")
    perform(app, owner.rect.centre, "tap")
    assert app.has_text("Notifications: on")
