"""Which screen shows: the stack of routes, the guard, and the address that names the top."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tapir_replay.demo.tree import Box, Node, RouteInfo

if TYPE_CHECKING:
    from tapir_replay.demo.app import App
    from tapir_replay.demo.screens.base import Screen


class Navigator(Node):
    """A stack of routes. Only the top one is reachable; a popup lets those below be seen."""

    __slots__ = ("screens",)

    def __init__(self) -> None:
        super().__init__("Navigator", box=Box("stack", fill=True))
        self.screens: dict[Node, Screen] = {}

    @property
    def can_pop(self) -> bool:
        return len(self.children) > 1

    @property
    def top(self) -> Node | None:
        return self.children[-1] if self.children else None

    @property
    def top_screen(self) -> Screen | None:
        """The screen of the topmost page, popups aside."""
        for node in reversed(self.children):
            if node in self.screens:
                return self.screens[node]
        return None

    def open(self, screen: Screen) -> None:
        page = screen.page(can_pop=bool(self.children) or screen.opened_over)
        self.screens[page] = screen
        self.add(page)

    def open_popup(self, popup: Node) -> None:
        self.add(popup)

    def pop(self) -> None:
        """Leave the top route, whatever it is."""
        node = self.top
        if node is None:
            return
        self.remove(node)
        screen = self.screens.pop(node, None)
        if screen is not None:
            screen.close()
        if node.route is not None and node.route.on_removed is not None:
            node.route.on_removed()

    def close_popups(self) -> int:
        popped = 0
        while self.top is not None and self.top.route is not None and self.top.route.popup:
            self.pop()
            popped += 1
        return popped

    def clear(self) -> None:
        while self.children:
            self.pop()


class Router:
    """Paths to screens. `go` replaces the whole stack, `push` adds to it."""

    def __init__(self, app: App) -> None:
        self.app = app
        self.navigator = Navigator()

    @property
    def uri(self) -> str:
        screen = self.navigator.top_screen
        return screen.location if screen is not None else ""

    def navigators(self) -> list[Navigator]:
        """Those a person can see, outermost first."""
        return [node for node in self.app.reachable if isinstance(node, Navigator)]

    def all_navigators(self) -> list[Navigator]:
        return [node for node in self.app.elements if isinstance(node, Navigator)]

    def go(self, route: str) -> None:
        """Show a route alone and anew. An unknown one changes nothing, the guard may redirect."""
        from tapir_replay.demo.screens import make_screen, redirect  # noqa: PLC0415 - they need us

        target = redirect(self.app, route)
        screen = make_screen(self.app, target)
        if screen is None:
            return
        self.navigator.clear()
        self.navigator.open(screen)
        self.report()

    def push(self, route: str) -> None:
        from tapir_replay.demo.screens import make_screen, redirect  # noqa: PLC0415 - they need us

        target = redirect(self.app, route)
        if target != route:
            self.go(target)
            return
        screen = make_screen(self.app, route, opened_over=True)
        if screen is not None:
            self.navigator.open(screen)
            self.report()

    def back(self) -> bool:
        """What the system's back button does: the outermost Navigator that can pop does so."""
        for navigator in self.navigators():
            if navigator.can_pop:
                was_popup = bool(
                    navigator.top and navigator.top.route and navigator.top.route.popup
                )
                navigator.pop()
                if not was_popup:
                    self.report()
                return True
        return False

    def close_popups(self) -> int:
        return sum(navigator.close_popups() for navigator in reversed(self.all_navigators()))

    def close_top_popup(self) -> bool:
        """What Escape does: the innermost popup that is open closes."""
        for navigator in reversed(self.navigators()):
            top = navigator.top
            if top is not None and top.route is not None and top.route.popup:
                navigator.pop()
                return True
        return False

    def report(self) -> None:
        self.app.console.print(f"route: {self.uri}")
        self.app.set_focus(None)


def popup_route(*children: Node, name: str) -> Node:
    """A route node for a popup."""
    node = Node("PopupRoute", *children, box=Box("stack"))
    node.route = RouteInfo(name, popup=True)
    return node
