"""What every screen has: an app bar, a body, timers that end with it, and its address."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from tapir_replay.demo import widgets
from tapir_replay.demo.tree import Box, Node, RouteInfo

if TYPE_CHECKING:
    from collections.abc import Callable

    from tapir_replay.demo.app import App
    from tapir_replay.demo.clock import Timer
    from tapir_replay.demo.navigator import Navigator


class Screen:
    """One page of the app. Its nodes are made once, by `body`, and changed afterwards."""

    title: ClassVar[str] = ""

    def __init__(self, app: App, route: str, *, opened_over: bool = False) -> None:
        self.app = app
        self.route = route
        self.opened_over = opened_over
        self.navigator: Navigator | None = None
        self._timers: list[Timer] = []

    @property
    def location(self) -> str:
        """The address the Router shows while this screen is on top."""
        return self.route

    @property
    def heading(self) -> str:
        return self.title

    def body(self) -> list[Node]:
        raise NotImplementedError

    def page(self, *, can_pop: bool) -> Node:
        """The route node: what a Navigator holds."""
        bar: list[Node] = []
        if can_pop:
            back = widgets.button("Back", self.go_back, key="back", style="back")
            back.box = Box(width=48, height=48)
            back.children.clear()  # an arrow, not a word
            bar.append(back)
        bar.append(widgets.heading(self.heading))
        app_bar = Node(
            "AppBar",
            *bar,
            style="app-bar",
            box=Box("row", height=88, padding=(16 if not can_pop else 4, 28, 16, 0), gap=4),
            hits=True,
        )
        return self.framed(app_bar, *self.body())

    def framed(self, *children: Node) -> Node:
        node = Node("Scaffold", *children, style="page", box=Box("column"), hits=True)
        node.route = RouteInfo(self.route)
        return node

    def go_back(self) -> None:
        """Leave this page: its own Navigator pops first, then those around it."""
        if self.navigator is not None and self.navigator.can_pop:
            self.navigator.pop()
            self.app.router.report()
        else:
            self.app.router.back()

    def after(self, seconds: float, action: Callable[[], None]) -> Timer:
        """Do something later, unless the screen is gone by then."""
        timer = self.app.clock.call_later(seconds, action)
        self._timers.append(timer)
        return timer

    def close(self) -> None:
        for timer in self._timers:
            timer.cancel()
        self._timers.clear()


def padded(*children: Node, gap: float = 12) -> Node:
    """The usual body of a page."""
    node = widgets.column(*children, gap=gap, padding=16, fill=True)
    node.type = "Padding"
    return node
