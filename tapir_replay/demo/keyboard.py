"""Hardware keys: their names, the modifiers held with them, and where they go."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tapir_replay.demo import semantics
from tapir_replay.demo.faults import Fault

if TYPE_CHECKING:
    from tapir_replay.demo.app import App

NAMED = (
    "Enter", "Tab", "Escape", "Backspace", "Delete", "Space", "ArrowUp", "ArrowDown", "ArrowLeft",
    "ArrowRight", "Home", "End", "PageUp", "PageDown", *(f"F{number}" for number in range(1, 13)),
)  # fmt: skip

MODIFIERS = {
    "control": "Control",
    "ctrl": "Control",
    "shift": "Shift",
    "alt": "Alt",
    "meta": "Meta",
}

_BY_NAME = {name.lower(): name for name in NAMED}


def parse_key(text: str) -> str:
    """The key's proper name."""
    if len(text) == 1 and text.isascii() and text.isalnum():
        return text.upper()
    name = _BY_NAME.get(text.lower())
    if name is None:
        known = ", ".join(NAMED)
        raise Fault(f'ext.tapir.press_key: unknown key "{text}"; a letter, a digit, or {known}')
    return name


def parse_modifiers(text: str) -> list[str]:
    """The modifiers by their proper names, in the order they are pressed."""
    held = set()
    for name in filter(None, (part.strip() for part in text.split(","))):
        proper = MODIFIERS.get(name.lower())
        if proper is None:
            raise Fault(
                f'ext.tapir.press_key: unknown modifier "{name}"; one of control, shift, alt, meta'
            )
        held.add(proper)
    return [name for name in ("Control", "Shift", "Alt", "Meta") if name in held]


def press(app: App, key: str, held: list[str]) -> None:
    """The focused node hears the key first, then it does what the key does everywhere."""
    focus = app.focus
    if focus is not None and focus.on_key is not None:
        focus.on_key("+".join([*held, key]))
    if key == "Escape":
        app.router.close_top_popup()
    elif key == "Tab":
        _move_focus(app, -1 if "Shift" in held else 1)
    elif focus is not None and not set(held) - {"Shift"}:
        if focus.edit is not None:
            focus.edit.press(key)
            focus.changed()
        elif key in {"Enter", "Space"} and focus.on_tap is not None and focus.is_enabled:
            focus.on_tap()


def _move_focus(app: App, step: int) -> None:
    stops = [n for n in semantics.nodes(app) if semantics.is_control(n) and n.is_enabled]
    if not stops:
        return
    at = stops.index(app.focus) if app.focus in stops else -1 if step > 0 else 0
    app.set_focus(stops[(at + step) % len(stops)])
