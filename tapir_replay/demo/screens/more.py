"""Settings, errors, gestures."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from tapir_replay.demo import widgets
from tapir_replay.demo.fields import TextEdit
from tapir_replay.demo.screens.base import Screen, padded
from tapir_replay.demo.tree import Box, Node, Semantics

if TYPE_CHECKING:
    from collections.abc import Callable

ODD_TEXT = (
    'Odd: 👩‍💻🎉 日本語 العربية עברית e\u0301a\u0308 <b>&"quotes"</b> '
    "nul:\x00 esc:\x1b end:\uffff half:\ud83d"
)


STACK = (
    "#0      ErrorsScreen.breakOnPurpose (package:tapir_demo/screens/errors.dart:21:5)",
    "#1      ErrorsScreen.build.<anonymous closure> (package:tapir_demo/screens/errors.dart:34:28)",
    "#2      _InkResponseState.handleTap (package:flutter/src/material/ink_well.dart:1224:21)",
    "#3      GestureRecognizer.invokeCallback (package:flutter/src/gestures/recognizer.dart:345)",
)


class Settings(Screen):
    title = "Settings"

    def body(self) -> list[Node]:
        self.state = widgets.text("Notifications: off", key="notifications-state", style="small")
        return [
            padded(
                self.notifications(),
                self.state,
                widgets.checkbox("Dark mode", key="dark"),
                widgets.checkbox(
                    "Managed by your company",
                    key="managed",
                    identifier="managed-box",
                    on=True,
                    enabled=False,
                ),
                widgets.checkbox("Everything", key="everything", on=None, tristate=True),
            )
        ]

    def notifications(self) -> Node:
        """A merged row: it speaks for the switch at its end, and only the switch can be tapped."""
        control = Node(
            "Switch",
            style="bare-switch",
            semantics=Semantics("Notifications", state="toggled", on=False, tap=True, enabled=True),
            box=Box(width=60, height=40),
            hits=True,
        )
        control.merged = True
        words = widgets.text("Notifications")
        words.semantics = None
        merged = widgets.row(words, widgets.spacer(), control, height=56)
        merged.type = "MergeSemantics"
        merged.key = "notifications"
        merged.merges = True
        merged.hits = True
        merged.style = "merged-row"
        merged.semantics = Semantics(
            "Notifications", button=True, state="toggled", on=False, tap=True, enabled=True
        )

        def toggled(on: bool) -> None:
            merged.set_on(on)
            self.state.set_text(f"Notifications: {'on' if on else 'off'}")

        control.on_tap = lambda: widgets.flip(control, toggled)
        return merged


class Errors(Screen):
    title = "Errors"

    def body(self) -> list[Node]:
        self.column = padded(
            widgets.button("Raise an error", self.raise_error),
            widgets.button("Overflow", self.overflow, style="tonal"),
            widgets.button("Log a line", partial(self.app.console.print, "a line from the app")),
            widgets.button("Odd text", self.odd_text, style="outlined"),
        )
        return [self.column]

    def raise_error(self) -> None:
        self.app.exceptions.record(
            "StateError",
            "Bad state: Something broke on purpose",
            "tapir demo",
            STACK,
        )

    def overflow(self) -> None:
        self.app.exceptions.record(
            "overflow",
            "A RenderFlex overflowed by 42 pixels on the right.",
            "rendering library",
            ("#0      RenderFlex.paint (package:flutter/src/rendering/flex.dart:1190:7)",),
        )
        if any(node.label == "Wide row" for node in self.column.children):
            return
        wide = widgets.button("Wide row", style="row", wide=True)
        wide.overflowing = True
        self.column.add(wide)

    def odd_text(self) -> None:
        if not any(node.key == "odd" for node in self.column.children):
            self.column.add(widgets.text(ODD_TEXT, key="odd"))


class Gestures(Screen):
    title = "Gestures"

    def body(self) -> list[Node]:
        self.gesture = widgets.text("Last gesture: none", key="gesture")
        self.focus = widgets.text("Note: not focused", key="note-focus")
        self.last_key = widgets.text("Last key: none", key="last-key")
        self.basket = widgets.text("Basket: 0", key="basket")
        self.drops = 0
        note = widgets.field("Note", TextEdit(), key="note")
        note.on_key = lambda key: self.last_key.set_text(f"Last key: {key}")
        note.on_focus = lambda on: self.focus.set_text(f"Note: {'' if on else 'not '}focused")
        draggable = widgets.button("Card", lambda: None, style="tonal")
        draggable.draggable = True
        target = widgets.image("Basket", style="basket", height=110)
        target.on_drop = self.dropped
        return [
            padded(
                self.gesture,
                self.pad(),
                note,
                self.focus,
                self.last_key,
                draggable,
                target,
                self.basket,
            )
        ]

    def pad(self) -> Node:
        node = widgets.button("Pad", self.saw("tap"), key="pad", style="pad", wide=True, height=110)
        node.on_double_tap = self.saw("double tap")
        node.on_triple_tap = self.saw("triple tap")
        node.on_long_press = self.saw("long press")
        node.on_secondary_tap = self.saw("secondary tap")
        node.on_hover = self.saw("hover")
        return node

    def saw(self, gesture: str) -> Callable[[], None]:
        return partial(self.gesture.set_text, f"Last gesture: {gesture}")

    def dropped(self) -> None:
        self.drops += 1
        self.basket.set_text(f"Basket: {self.drops}")
