"""The vocabulary screens are written in: each function makes one kind of control."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from tapir_replay.demo.fields import TextEdit
from tapir_replay.demo.layout import FONT_SIZES, text_width
from tapir_replay.demo.tree import Box, Choice, Node, Scrolling, Semantics

if TYPE_CHECKING:
    from collections.abc import Callable


def text(data: str, *, key: str | None = None, style: str = "body") -> Node:
    """A plain `Text`."""
    return Node("Text", key=key, data=data, style=style, semantics=Semantics(data), hits=True)


def heading(data: str, *, style: str = "heading") -> Node:
    node = text(data, style=style)
    node.semantics = Semantics(data, header=True)
    return node


def _inner_text(data: str, style: str = "body") -> Node:
    """A `Text` whose words are the label of the control around it."""
    return Node("Text", data=data, style=style, hits=True)


def button(
    label: str,
    on_tap: Callable[[], None] | None = None,
    *,
    key: str | None = None,
    style: str = "filled",
    wide: bool = False,
    height: float = 44,
    enabled: bool = True,
) -> Node:
    """A button: `filled`, `tonal`, `outlined`, `plain`, `row` (of a list) or `tab`."""
    kinds = {"filled": "FilledButton", "outlined": "OutlinedButton", "plain": "TextButton"}
    width = None if wide else math.ceil(text_width(label, FONT_SIZES["body"])) + 44
    return Node(
        kinds.get(style, "InkWell"),
        _inner_text(label),
        key=key,
        style=style,
        semantics=Semantics(label, button=True, tap=enabled, enabled=enabled),
        box=Box(width=width, height=height),
        hits=True,
        on_tap=on_tap,
    )


def icon_button(tooltip: str, on_tap: Callable[[], None], *, style: str) -> Node:
    """A button that shows a sign, and has no word but its tooltip."""
    return Node(
        "IconButton",
        style=style,
        semantics=Semantics(tooltip=tooltip, button=True, tap=True, enabled=True),
        box=Box(width=48, height=48),
        hits=True,
        on_tap=on_tap,
    )


def link(
    label: str, on_tap: Callable[[], None], *, key: str | None = None, row: bool = False
) -> Node:
    node = button(label, on_tap, key=key, style="link-row" if row else "link", wide=row)
    node.type = "InkWell"
    node.semantics = Semantics(label, link=True, tap=True)
    if not row:
        node.box = Box(width=math.ceil(text_width(label, FONT_SIZES["body"])) + 16, height=40)
    return node


def field(
    label: str,
    edit: TextEdit | None = None,
    *,
    key: str | None = None,
    hint: str = "",
    fill: bool = False,
) -> Node:
    """A text field with its label; its semantics value is what a person sees of the content."""
    edit = edit or TextEdit()
    node = Node(
        "TextField",
        key=key,
        style="field",
        semantics=Semantics(
            label, hint=hint, text_field=True, tap=True, enabled=True, obscured=edit.obscured
        ),
        box=Box(height=56 if edit.lines == 1 else 24 * edit.lines + 32, fill=fill),
        hits=True,
    )
    node.edit = edit
    return node


def checkbox(
    label: str,
    on_changed: Callable[[bool | None], None] | None = None,
    *,
    key: str | None = None,
    identifier: str = "",
    on: bool | None = False,
    tristate: bool = False,
    enabled: bool = True,
) -> Node:
    """A box with its label, in one node."""
    node = Node(
        "CheckboxListTile",
        key=key,
        style="checkbox",
        semantics=Semantics(
            label, identifier=identifier, state="checked", on=on, tap=enabled, enabled=enabled
        ),
        box=Box(height=44),
        hits=True,
    )

    def toggle() -> None:
        assert node.semantics is not None
        # Off, on, mixed, off: the order a three-state box goes through.
        following = {False: True, True: None if tristate else False, None: False}
        node.set_on(following[node.semantics.on])
        if on_changed is not None:
            on_changed(node.semantics.on)

    node.on_tap = toggle
    return node


def switch(label: str, on_changed: Callable[[bool], None], *, key: str | None = None) -> Node:
    node = Node(
        "SwitchListTile",
        key=key,
        style="switch",
        semantics=Semantics(label, state="toggled", on=False, tap=True, enabled=True),
        box=Box(height=48),
        hits=True,
    )
    node.on_tap = lambda: flip(node, on_changed)
    return node


def flip(node: Node, on_changed: Callable[[bool], None]) -> None:
    """Turn a two-state control to its other state."""
    assert node.semantics is not None
    node.set_on(not node.semantics.on)
    on_changed(bool(node.semantics.on))


def radio(label: str, on_chosen: Callable[[], None], *, key: str, on: bool) -> Node:
    return Node(
        "RadioListTile",
        key=key,
        style="radio",
        semantics=Semantics(label, state="checked", on=on, radio=True, tap=True, enabled=True),
        box=Box(height=40),
        hits=True,
        on_tap=on_chosen,
    )


def dropdown(label: str, choice: Choice, *, key: str) -> Node:
    """A button that shows the option it holds. `select_option` asks it directly."""
    node = Node(
        "DropdownButton<String>",
        key=key,
        style="dropdown",
        semantics=Semantics(label, choice.value, button=True, tap=True, enabled=True),
        box=Box(height=56),
        hits=True,
    )
    node.choice = choice
    return node


def choose(node: Node, value: str) -> None:
    """Hand a dropdown's owner an option; it may keep the old one."""
    choice, semantics = node.choice, node.semantics
    assert choice is not None
    assert semantics is not None
    if value in choice.options and choice.accepts(value):
        choice.value = semantics.value = value
        node.changed()


def image(
    label: str, *, key: str | None = None, style: str = "spinner", height: float = 48
) -> Node:
    return Node(
        "Image" if style != "spinner" else "CircularProgressIndicator",
        key=key,
        style=style,
        semantics=Semantics(label, image=True),
        box=Box(height=height),
        hits=True,
    )


def column(*children: Node, gap: float = 12, padding: float = 0, fill: bool = False) -> Node:
    sides = (padding, padding, padding, padding)
    return Node("Column", *children, box=Box("column", gap=gap, padding=sides, fill=fill))


def row(*children: Node, gap: float = 12, height: float | None = None) -> Node:
    return Node("Row", *children, box=Box("row", gap=gap, height=height))


def spacer() -> Node:
    return Node("Spacer", box=Box(fill=True))


def scroll_view(*children: Node, key: str | None = None, gap: float = 12, pad: float = 16) -> Node:
    node = Node(
        "SingleChildScrollView",
        *children,
        key=key,
        box=Box("scroll", gap=gap, padding=(pad, pad, pad, pad), fill=True),
    )
    node.scrolling = Scrolling()
    return node


def lazy_list(make_row: Callable[[int], Node], count: int, height: float, *, key: str) -> Node:
    node = Node("ListView", key=key, box=Box("scroll", fill=True))
    node.scrolling = Scrolling(row_height=height, row_count=count, make_row=make_row)
    return node


def card(*children: Node, key: str | None = None, height: float = 60, style: str = "card") -> Node:
    """A row with a surface of its own, so that it can be touched beside what it holds."""
    return Node(
        "Card",
        *children,
        key=key,
        style=style,
        box=Box("row", height=height, padding=(16, 0, 12, 0), gap=8),
        hits=True,
    )
