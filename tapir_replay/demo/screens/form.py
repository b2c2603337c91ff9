"""An order form with one of every control, longer than the screen."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from tapir_replay.demo import widgets
from tapir_replay.demo.fields import TextEdit, digits_only, upper_case
from tapir_replay.demo.screens.base import Screen
from tapir_replay.demo.screens.dropdown_menu import open_menu
from tapir_replay.demo.tree import Choice

if TYPE_CHECKING:
    from tapir_replay.demo.app import App
    from tapir_replay.demo.clock import Timer
    from tapir_replay.demo.tree import Node

PRICE = 7.5
EXPRESS = 5.0
TERMS_SECONDS = 0.7
PAYMENTS = ("Card", "Cash", "Invoice")


class Form(Screen):
    title = "Order form"

    def __init__(self, app: App, route: str, *, opened_over: bool = False) -> None:
        super().__init__(app, route, opened_over=opened_over)
        self.quantity = TextEdit(formatters=(digits_only,), on_changed=self.add_up)
        self.express = widgets.switch("Express delivery", lambda _on: self.add_up(), key="express")
        self.total = widgets.text("$0.00", key="total", style="title")
        self.place = widgets.button(
            "Place order", self.confirm, key="place-order", wide=True, height=48, enabled=False
        )
        self.pay = [
            widgets.radio(name, partial(self.choose, name), key=f"pay-{name.lower()}", on=not index)
            for index, name in enumerate(PAYMENTS)
        ]
        self.enabling: Timer | None = None
        self.confirmation = widgets.text("Order placed", key="confirmation", style="title")

    def body(self) -> list[Node]:
        # The parent of the dropdown has no XL and keeps what it had.
        size = Choice(("S", "M", "L", "XL"), "M", accepts=lambda option: option != "XL")
        dropdown = widgets.dropdown("Size", size, key="size")
        dropdown.on_tap = partial(open_menu, self.app.router.navigator, dropdown)
        country = TextEdit(formatters=(upper_case,))
        self.scroll = widgets.scroll_view(
            widgets.field("Quantity", self.quantity, key="quantity"),
            widgets.field("Code", TextEdit(max_length=6), key="code"),
            widgets.field("Country", country, key="country"),
            widgets.field("Notes", TextEdit(lines=3), key="notes"),
            dropdown,
            widgets.checkbox("Gift wrap", key="gift"),
            self.express,
            *self.pay,
            self.total,
            widgets.checkbox("I accept the terms", self.accept, key="terms"),
            self.place,
            key="form-scroll",
        )
        return [self.scroll]

    def choose(self, name: str) -> None:
        for node in self.pay:
            node.set_on(node.label == name)

    def add_up(self) -> None:
        count = int(self.quantity.text or 0)
        express = EXPRESS if self.express.semantics and self.express.semantics.on else 0
        self.total.set_text(f"${count * PRICE + express if count else 0:.2f}")

    def accept(self, on: bool | None) -> None:
        if self.enabling is not None:
            self.enabling.cancel()
        if on:
            self.enabling = self.after(TERMS_SECONDS, partial(self.enable_order, True))
        else:
            self.enable_order(False)

    def enable_order(self, on: bool) -> None:
        self.place.set_enabled(on)

    def confirm(self) -> None:
        if self.confirmation.parent is None:
            self.scroll.add(self.confirmation)
        self.app.console.print("order saved")
