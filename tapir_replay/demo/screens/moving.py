"""Screens about time: something that loads, something that never stands still."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from tapir_replay.demo import widgets
from tapir_replay.demo.screens.base import Screen, padded
from tapir_replay.demo.tree import Box, Node

if TYPE_CHECKING:
    from tapir_replay.demo.app import App

LOAD_SECONDS = 0.9
SLIDE_SECONDS = 0.5
SLIDE_DISTANCE = 180.0
ORDERS = ("Order 1", "Order 2", "Order 3")


class Loading(Screen):
    title = "Orders"

    def body(self) -> list[Node]:
        self.load = widgets.button("Load orders", self.start, key="load")
        self.column = padded(self.load)
        return [self.column]

    def start(self) -> None:
        if any(node.key == "spinner" for node in self.column.children):
            return
        self.column.replace(self.load, widgets.image("Loading", key="spinner", height=120))
        self.app.request(LOAD_SECONDS, self.loaded)

    def loaded(self) -> None:
        count = widgets.text(f"{len(ORDERS)} orders", key="order-count", style="title")
        self.column.replace(self.load, *map(widgets.text, ORDERS), count)


class Motion(Screen):
    title = "Motion"

    def __init__(self, app: App, route: str, *, opened_over: bool = False) -> None:
        super().__init__(app, route, opened_over=opened_over)
        self.opened = app.clock.now()
        self.catches = 0

    def body(self) -> list[Node]:
        self.caught = widgets.text("Caught: 0", key="caught")
        self.slid = widgets.text("Slid: no", key="slid")
        self.prey = widgets.button("Catch me", self.catch)
        self.prey.motion = self.circle
        self.slider = widgets.button(
            "Slide in", lambda: self.slid.set_text("Slid: yes"), style="tonal"
        )
        self.slider.motion = self.slide
        self.after(SLIDE_SECONDS, self.arrived)
        arena = Node("SizedBox", self.prey, box=Box("column", height=240, padding=(110, 90, 0, 0)))
        return [
            padded(
                self.caught,
                arena,
                widgets.button("Stop", self.stop, style="outlined"),
                self.slider,
                self.slid,
            )
        ]

    def circle(self) -> tuple[float, float]:
        """Round and round: unlike a swing, it has no moment of rest."""
        turn = (self.app.clock.now() - self.opened) * math.pi
        return 60 * math.cos(turn), 60 * math.sin(turn)

    def slide(self) -> tuple[float, float]:
        left = 1 - min(1.0, (self.app.clock.now() - self.opened) / SLIDE_SECONDS)
        return SLIDE_DISTANCE * left, 0.0

    def arrived(self) -> None:
        self.slider.motion = None
        self.slider.changed()

    def stop(self) -> None:
        if self.prey.motion is not None:
            resting = self.circle()
            self.prey.motion = lambda: resting
            self.prey.style = "filled still"
            self.prey.changed()

    def catch(self) -> None:
        self.catches += 1
        self.caught.set_text(f"Caught: {self.catches}")
