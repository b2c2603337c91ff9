"""Which screen shows: addresses, the guard, and the way back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tapir_replay.demo.navigator import Navigator
from tapir_replay.demo.screens import make_screen, redirect

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tapir_replay.demo.app import App


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
        target = redirect(self.app, route)
        screen = make_screen(self.app, target)
        if screen is None:
            return
        self.navigator.clear()
        self.navigator.open(screen)
        self.report()

    def push(self, route: str) -> None:
        target = redirect(self.app, route)
        if target != route:
            self.go(target)
            return
        screen = make_screen(self.app, route, opened_over=True)
        if screen is not None:
            self.navigator.open(screen)
            self.report()

    def back(self) -> bool:
        """What an app that is sent back does: the outermost Navigator that can pop does so."""
        return self._pop_first(self.navigators())

    def leave(self) -> bool:
        """What the platform's back button does: the innermost Navigator that can pop does so.

        Returns whether there was one.
        """
        return self._pop_first(reversed(self.navigators()))

    def _pop_first(self, navigators: Iterable[Navigator]) -> bool:
        for navigator in navigators:
            if navigator.can_pop:
                was_popup = navigator.top is not None and navigator.top.is_popup
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
            if navigator.top is not None and navigator.top.is_popup:
                navigator.pop()
                return True
        return False

    def report(self) -> None:
        self.app.console.print(f"route: {self.uri}")
        self.app.set_focus(None)
