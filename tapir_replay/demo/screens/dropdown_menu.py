"""The menu that a dropdown opens: its options in a column over it."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from tapir_replay.demo import widgets
from tapir_replay.demo.geometry import SCREEN
from tapir_replay.demo.navigator import popup_route
from tapir_replay.demo.tree import Box, Node

if TYPE_CHECKING:
    from tapir_replay.demo.navigator import Navigator

ROW_HEIGHT = 48.0
EDGE = 8.0
"""Between the menu and its first option, and between the menu and the edge of the screen."""


def open_menu(navigator: Navigator, dropdown: Node) -> None:
    """Show the options. A press on one chooses it, a press beside them changes nothing."""
    assert dropdown.choice is not None

    def choose(option: str) -> None:
        navigator.pop()
        widgets.choose(dropdown, option)

    rows = [
        widgets.button(option, partial(choose, option), style="row", wide=True, height=ROW_HEIGHT)
        for option in dropdown.choice.options
    ]
    place = dropdown.live_rect()
    height = ROW_HEIGHT * len(rows) + 2 * EDGE
    top = max(EDGE, min(place.y, SCREEN.bottom - EDGE - height))
    menu = Node(
        "DropdownMenu",
        *rows,
        style="menu",
        box=Box("column", width=place.w, padding=(0, EDGE, 0, EDGE), at=(place.x, top)),
        hits=True,
    )
    barrier = Node("ModalBarrier", hits=True, on_tap=navigator.pop)
    navigator.open_popup(popup_route(barrier, menu, name="menu", menu_of=dropdown))
