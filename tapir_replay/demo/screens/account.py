"""A shell: two tabs above a Navigator of its own."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from tapir_replay.demo import widgets
from tapir_replay.demo.navigator import Navigator
from tapir_replay.demo.screens.base import Screen, padded
from tapir_replay.demo.tree import Box, Node

if TYPE_CHECKING:
    from collections.abc import Callable

    from tapir_replay.demo.app import App

PROFILE = "/account/profile"
ORDERS = "/account/orders"
NUMBERS = ("7", "8")


def shell_stack(path: str) -> tuple[str, ...]:
    """The pages the shell shows for an address, bottom first; none for an unknown one."""
    if path in ("/account", PROFILE):
        return (PROFILE,)
    if path == ORDERS:
        return (ORDERS,)
    if path.removeprefix(f"{ORDERS}/") in NUMBERS:
        return (ORDERS, path)
    return ()


class Account(Screen):
    """The frame. Its address is that of the page inside it."""

    def __init__(self, app: App, route: str, *, opened_over: bool = False) -> None:
        super().__init__(app, route, opened_over=opened_over)
        self.inner = Navigator()

    @property
    def location(self) -> str:
        screen = self.inner.top_screen
        return screen.location if screen is not None else self.route

    def page(self, *, can_pop: bool) -> Node:  # noqa: ARG002 - the pages inside have the app bar
        self.show(self.route)
        tabs = widgets.row(
            widgets.button("Profile", partial(self.switch_to, PROFILE), style="tab", wide=True),
            widgets.button("Orders", partial(self.switch_to, ORDERS), style="tab", wide=True),
            gap=0,
            height=64,
        )
        for tab in tabs.children:
            tab.box = Box(height=64, fill=True)
        tabs.style = "tabs"
        return self.framed(self.inner, tabs)

    def show(self, route: str) -> None:
        path = route.partition("?")[0]
        self.inner.clear()
        for inner in shell_stack(path):
            self.open(inner)

    def open(self, route: str) -> None:
        if route == ORDERS:
            screen: Screen = Orders(self.app, route, self.push, opened_over=self.opened_over)
        else:
            page = Profile if route == PROFILE else Order
            screen = page(self.app, route, opened_over=self.opened_over)
        self.inner.open(screen)

    def push(self, route: str) -> None:
        self.open(route)
        self.app.router.report()

    def switch_to(self, route: str) -> None:
        self.show(route)
        self.app.router.report()

    def close(self) -> None:
        self.inner.clear()
        super().close()


class Profile(Screen):
    title = "Profile"

    def body(self) -> list[Node]:
        return [padded(widgets.text("Ada Lovelace"))]


class Orders(Screen):
    title = "Your orders"

    def __init__(
        self, app: App, route: str, open_order: Callable[[str], None], *, opened_over: bool
    ) -> None:
        super().__init__(app, route, opened_over=opened_over)
        self.open_order = open_order

    def body(self) -> list[Node]:
        return [padded(*[self.order(number) for number in NUMBERS])]

    def order(self, number: str) -> Node:
        press = partial(self.open_order, f"{ORDERS}/{number}")
        return widgets.button(f"Order {number}", press, style="row", wide=True, height=56)


class Order(Screen):
    @property
    def heading(self) -> str:
        return f"Order {self.route.rpartition('/')[2]}"

    def body(self) -> list[Node]:
        return [padded(widgets.text("Shipped"))]
