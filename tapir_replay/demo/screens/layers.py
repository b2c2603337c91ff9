"""Screens about what lies above what: popups, a banner that covers a button."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from tapir_replay.demo import widgets
from tapir_replay.demo.navigator import popup_route
from tapir_replay.demo.screens.base import Screen, padded
from tapir_replay.demo.tree import Box, Node

if TYPE_CHECKING:
    from tapir_replay.demo.navigator import Navigator

LATER_SECONDS = 0.4


class Overlays(Screen):
    title = "Overlays"

    def body(self) -> list[Node]:
        self.result = widgets.text("Result: none", key="result")
        return [
            padded(
                self.result,
                widgets.button("Open dialog", self.open_dialog),
                widgets.button("Open sheet", self.open_sheet, style="tonal"),
            )
        ]

    @property
    def popups(self) -> Navigator:
        return self.app.router.navigator

    def finish(self, result: str) -> None:
        self.popups.pop()
        self.result.set_text(f"Result: {result}")

    def barrier(self) -> Node:
        return Node("ModalBarrier", style="scrim", hits=True, on_tap=self.popups.pop)

    def open_dialog(self) -> None:
        dialog = Node(
            "Dialog",
            widgets.heading("Delete everything?", style="heading"),
            widgets.text("This cannot be undone."),
            widgets.row(
                widgets.spacer(),
                widgets.button("Cancel", partial(self.finish, "cancelled"), style="plain"),
                widgets.button("Delete all", partial(self.finish, "deleted"), style="plain"),
                gap=4,
            ),
            style="dialog",
            box=Box("column", width=310, gap=16, padding=(24, 24, 16, 16), at=(40, 322)),
            hits=True,
        )
        self.popups.open_popup(popup_route(self.barrier(), dialog, name="dialog"))

    def open_sheet(self) -> None:
        sheet = Node(
            "BottomSheet",
            widgets.button("Share", partial(self.finish, "shared"), style="row", wide=True),
            widgets.button("Copy link", partial(self.finish, "copied"), style="row", wide=True),
            style="sheet",
            box=Box("column", gap=4, padding=(0, 36, 0, 28), at=(0, 0), from_bottom=True),
            hits=True,
        )
        for child in sheet.children:
            child.box = Box(height=56)
        self.popups.open_popup(popup_route(self.barrier(), sheet, name="sheet"))


class Covered(Screen):
    title = "Shop"

    def body(self) -> list[Node]:
        self.bought = widgets.text("Nothing bought", key="bought")
        buy = widgets.button("Buy", partial(self.bought.set_text, "Bought"), wide=True, height=48)
        banner = Node(
            "CookieBanner",
            widgets.heading("Cookies", style="title"),
            widgets.row(
                widgets.button("Accept cookies", self.close_banner),
                widgets.button("Ask me later", self.later, style="plain"),
            ),
            style="banner",
            box=Box("column", gap=12, padding=(20, 20, 20, 16), at=(0, 56)),
            hits=True,
        )
        self.banner = banner
        self.stack = Node("Stack", padded(self.bought, buy), banner, box=Box("stack", fill=True))
        return [self.stack]

    def close_banner(self) -> None:
        self.stack.remove(self.banner)

    def later(self) -> None:
        self.after(LATER_SECONDS, self.close_banner)
