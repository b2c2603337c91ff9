"""Stacks of routes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tapir_replay.demo.tree import Box, Node, RouteInfo

if TYPE_CHECKING:
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
        screen.navigator = self
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
        while self.top is not None and self.top.is_popup:
            self.pop()
            popped += 1
        return popped

    def clear(self) -> None:
        while self.children:
            self.pop()


def popup_route(*children: Node, name: str, menu_of: Node | None = None) -> Node:
    """A route node for a popup."""
    node = Node("PopupRoute", *children, box=Box("stack"))
    node.route = RouteInfo(name, popup=True, menu_of=menu_of)
    return node
