"""Screens made of rows: a long lazy list, a search, an inbox that is pulled down."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from tapir_replay.demo import widgets
from tapir_replay.demo.fields import TextEdit
from tapir_replay.demo.screens.base import Screen, padded
from tapir_replay.demo.tree import Box

if TYPE_CHECKING:
    from tapir_replay.demo.clock import Timer
    from tapir_replay.demo.tree import Node

ROWS = 200
ROW_HEIGHT = 56.0
SEARCH_SECONDS = 0.3
REFRESH_SECONDS = 0.3
PULL = 100.0
FRUITS = ("Apple", "Apricot", "Banana", "Cherry", "Grape", "Grapefruit", "Lemon", "Orange")


class Items(Screen):
    title = "Items"

    def body(self) -> list[Node]:
        self.selected = widgets.text("Nothing selected", key="selected")
        header = widgets.column(self.selected, padding=16)
        return [header, widgets.lazy_list(self.item, ROWS, ROW_HEIGHT, key="items")]

    def item(self, index: int) -> Node:
        name = f"Item {index + 1}"
        press = partial(self.selected.set_text, f"Selected: {name}")
        node = widgets.button(name, press, key=f"item-{index + 1}", style="row", wide=True)
        node.box = Box(height=ROW_HEIGHT)
        return node


class Search(Screen):
    title = "Search"

    def body(self) -> list[Node]:
        self.edit = TextEdit(on_changed=self.typed)
        self.waiting: Timer | None = None
        self.results = widgets.column(widgets.text("Type to search"), gap=4)
        self.field = widgets.field(
            "Search fruit", self.edit, key="search", hint="Type a fruit", fill=True
        )
        clear = widgets.icon_button("Clear", self.clear, style="clear")
        return [padded(widgets.row(self.field, clear), self.results)]

    def clear(self) -> None:
        self.edit.enter("")
        self.field.changed()

    def typed(self) -> None:
        if self.waiting is not None:
            self.waiting.cancel()
        self.waiting = self.after(SEARCH_SECONDS, self.show)

    def show(self) -> None:
        wanted = self.edit.text.lower()
        found = [fruit for fruit in FRUITS if wanted in fruit.lower()]
        count = "No results" if not found else f"{len(found)} result{'s' * (len(found) > 1)}"
        title = widgets.text(count, key="result-count", style="title")
        self.results.replace(title, *map(widgets.text, found))


class Inbox(Screen):
    title = "Inbox"

    def body(self) -> list[Node]:
        self.newest = 3
        self.spinner: Node | None = None
        rows = [self.message(number) for number in (3, 2, 1)]
        self.scroll = widgets.scroll_view(*rows, key="inbox", gap=0, pad=0)
        assert self.scroll.scrolling is not None
        self.scroll.scrolling.on_pull = self.pulled
        refresh = widgets.button("Refresh", self.refresh, style="tonal")
        return [widgets.column(refresh, padding=16), self.scroll]

    def message(self, number: int) -> Node:
        node = widgets.card(key=f"message-{number}", height=88, style="card-row")
        archive = partial(self.archive, node)
        node.add(
            widgets.text(f"Message {number}"),
            widgets.spacer(),
            widgets.button("Archive", archive, key=f"archive-{number}", style="plain"),
        )
        return node

    def archive(self, node: Node) -> None:
        self.scroll.remove(node)

    def pulled(self, distance: float) -> None:
        if distance >= PULL:
            self.refresh()

    def refresh(self) -> None:
        if self.spinner is not None:
            return
        self.spinner = widgets.image("Refreshing")
        self.scroll.insert(0, self.spinner)
        self.after(REFRESH_SECONDS, self.refreshed)

    def refreshed(self) -> None:
        assert self.spinner is not None
        self.scroll.remove(self.spinner)
        self.spinner = None
        self.newest += 1
        self.scroll.insert(0, self.message(self.newest))
