"""The screens, by address."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tapir_replay.demo.screens.account import Account, shell_stack
from tapir_replay.demo.screens.form import Form
from tapir_replay.demo.screens.home import Home, Menu
from tapir_replay.demo.screens.layers import Covered, Overlays
from tapir_replay.demo.screens.lists import Inbox, Items, Search
from tapir_replay.demo.screens.more import Errors, Gestures, Settings
from tapir_replay.demo.screens.moving import Loading, Motion
from tapir_replay.demo.screens.sign_in import Forgot, Login

if TYPE_CHECKING:
    from tapir_replay.demo.app import App
    from tapir_replay.demo.screens.base import Screen

SCREENS: dict[str, type[Screen]] = {
    "/login": Login,
    "/forgot": Forgot,
    "/home": Home,
    "/menu": Menu,
    "/form": Form,
    "/list": Items,
    "/overlays": Overlays,
    "/loading": Loading,
    "/motion": Motion,
    "/covered": Covered,
    "/settings": Settings,
    "/errors": Errors,
    "/search": Search,
    "/inbox": Inbox,
    "/gestures": Gestures,
}


def redirect(app: App, route: str) -> str:
    """The guard: where an address leads for whoever is (or is not) signed in."""
    path = route.partition("?")[0]
    guarded = path in {"/home", "/account"} or path.startswith("/account/")
    return "/login" if guarded and app.signed_in is None else route


def make_screen(app: App, route: str, *, opened_over: bool = False) -> Screen | None:
    """A fresh screen for an address, or None where there is none."""
    path = route.partition("?")[0]
    if shell_stack(path):
        return Account(app, route, opened_over=opened_over)
    screen = SCREENS.get(path)
    return screen(app, route, opened_over=opened_over) if screen is not None else None
