"""A person who walks through the screens of the demo, one action after the other."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from tapir_replay.app.vm_app import VmApp

HOLD = 0.55
"""Seconds that are a long press."""

APART = 0.35
"""Seconds after which two taps are no double click."""


class Person:
    """Hands on an app, below the verbs, and eyes on its screen."""

    def __init__(self, app: VmApp) -> None:
        self.app = app
        self._last: tuple[float, float] | None = None

    async def does(self, what: str, **params: Any) -> None:
        given = {name: str(value) for name, value in params.items()}
        await self.app.call("ext.demo.person", {"do": what, **given})

    async def tap(self, text: str | None = None, **predicates: str) -> None:
        await self._press(*await self.place(text, **predicates))

    async def double_tap(self, text: str) -> None:
        x, y = await self.place(text)
        await self._press(x, y)
        await self._press(x, y, soon=True)

    async def right_tap(self, text: str) -> None:
        x, y = await self.place(text)
        await self._press(x, y, secondary="true", kind="mouse")

    async def hold(self, text: str) -> None:
        x, y = await self.place(text)
        await self.does("down", x=x, y=y)
        await asyncio.sleep(HOLD)
        await self.does("up", x=x, y=y)

    async def drag(self, start: tuple[float, float], end: tuple[float, float]) -> None:
        await self.does("down", x=start[0], y=start[1])
        for part in (0.25, 0.5, 0.75, 1.0):
            x = start[0] + (end[0] - start[0]) * part
            y = start[1] + (end[1] - start[1]) * part
            await self.does("move", x=x, y=y)
        await self.does("up", x=end[0], y=end[1])

    async def type(self, text: str) -> None:
        await self.does("type", text=text)

    async def fill(self, key: str, text: str) -> None:
        await self.tap(key=key)
        await self.type(text)

    async def key(self, key: str, modifiers: str = "") -> None:
        await self.does("key", key=key, modifiers=modifiers)

    async def sees(self, text: str | None = None, **predicates: str) -> None:
        """Wait until it shows."""
        await self.place(text, **predicates)

    async def place(self, text: str | None = None, **predicates: str) -> tuple[float, float]:
        """The middle of a widget, once it shows and can be used."""
        if text is not None:
            predicates["text"] = text
        async with asyncio.timeout(10):
            while True:
                reply = await self.app.call("query", predicates)
                for node in reply["nodes"]:
                    if (
                        node["isVisible"]
                        and not node["occluded"]
                        and node["isEnabled"] is not False
                    ):
                        bounds = node["bounds"]
                        return bounds["x"] + bounds["w"] / 2, bounds["y"] + bounds["h"] / 2
                await asyncio.sleep(0.02)

    async def _press(self, x: float, y: float, *, soon: bool = False, **params: Any) -> None:
        if self._last == (x, y) and not soon:
            await asyncio.sleep(APART)
        self._last = (x, y)
        await self.does("down", x=x, y=y, **params)
        await self.does("up", x=x, y=y, **params)


@dataclass(frozen=True)
class Walk:
    """Where a person begins, and what they do."""

    start: str
    goes: Callable[[Person], Awaitable[None]]


async def sign_in(person: Person) -> None:
    await person.fill("email", "ada@example.com")
    await person.fill("password", "correct-horse")
    await person.tap("Sign in")
    await person.sees("Welcome back")


async def _login(person: Person) -> None:
    await person.fill("email", "ada@example.com")
    await person.fill("password", "wrong")
    await person.key("Enter")
    await person.sees("Wrong email or password")
    await person.tap("Remember me")
    await person.tap("Forgot password?")
    await person.sees("Reset password")
    await person.tap(key="back")
    await person.sees("Tapir Demo")


async def _home(person: Person) -> None:
    await sign_in(person)
    await person.tap(key="delete-2")
    await person.sees("2 tasks")
    await person.tap(key="delete-1")
    await person.sees("1 task")
    await person.tap("Log out")
    await person.sees("Tapir Demo")


async def _form(person: Person) -> None:
    await person.fill("quantity", "a3b")
    await person.fill("code", "ABC-12345")
    await person.fill("country", "österreich")
    await person.fill("notes", "two\nlines: 👩‍🚀 é 漢字 €@{}[]\\~| {{ no }}")
    await person.tap("Size")
    await person.tap(role="button", label="L")
    await person.tap("Gift wrap")
    await person.tap("Express delivery")
    await person.sees("$27.50")
    await person.tap("Cash")
    x, y = await person.place("Cash")
    await person.drag((x, y), (x, y - 300))
    await person.tap("I accept the terms")
    await person.tap("Place order")
    await person.sees("Order placed")


async def _list(person: Person) -> None:
    await person.tap("Item 3")
    x, y = await person.place("Item 5")
    await person.does("wheel", x=x, y=y, dy=700)
    await person.sees("Item 20")
    await person.drag((x, 700), (x, 300))
    await person.tap("Item 22")
    await person.sees("Selected: Item 22")


async def _overlays(person: Person) -> None:
    await person.tap("Open dialog")
    await person.tap("Cancel")
    await person.sees("Result: cancelled")
    await person.tap("Open dialog")
    await person.sees("Delete everything?")
    await person.key("Escape")
    await person.tap("Open sheet")
    await person.tap("Copy link")
    await person.sees("Result: copied")
    await person.tap("Open dialog")
    await person.sees("Delete everything?")
    await person.does("back")
    await person.tap("Open dialog")
    await person.tap("Delete all")
    await person.sees("Result: deleted")


async def _loading(person: Person) -> None:
    await person.tap("Load orders")
    await person.sees("3 orders")


async def _motion(person: Person) -> None:
    await person.tap("Stop")
    await person.tap("Catch me")
    await person.sees("Caught: 1")
    await asyncio.sleep(0.5)  # until it stands still
    await person.tap("Slide in")
    await person.sees("Slid: yes")


async def _covered(person: Person) -> None:
    await person.tap("Accept cookies")
    await person.tap("Buy")
    await person.sees("Bought")


async def _settings(person: Person) -> None:
    reply = await person.app.call("query", {"key": "notifications"})
    bounds = reply["nodes"][0]["bounds"]
    await person._press(bounds["x"] + bounds["w"] - 30, bounds["y"] + bounds["h"] / 2)
    await person.sees("Notifications: on")
    await person.tap("Dark mode")
    await person.tap("Everything")
    await person.tap("Dark mode")


async def _account(person: Person) -> None:
    await sign_in(person)
    await person.tap("Menu")
    await person.tap("Account")
    await person.sees("Ada Lovelace")
    await person.tap(role="button", label="Orders")
    await person.tap("Order 7")
    await person.sees("Shipped")
    await person.does("back")
    await person.sees("Your orders")


async def _errors(person: Person) -> None:
    await person.tap("Log a line")
    await person.tap("Overflow")
    await person.tap("Odd text")
    await person.sees(key="odd")


async def _search(person: Person) -> None:
    await person.fill("search", "ap")
    await person.sees("Grapefruit")
    await person.type("p")
    await person.sees("1 result")
    await person.tap(tooltip="Clear")
    await person.sees("8 results")


async def _inbox(person: Person) -> None:
    await person.tap(key="archive-2")
    await person.drag(await person.place(key="message-3"), await person.place(key="message-1"))
    x, y = await person.place(key="message-3")
    await person.drag((x, y), (x + 2, y + 150))
    await person.sees("Message 4")
    await person.tap("Refresh")
    await person.sees("Message 5")


async def _gestures(person: Person) -> None:
    await person.tap("Pad")
    await person.sees("Last gesture: tap")
    await asyncio.sleep(APART)
    await person.double_tap("Pad")
    await person.sees("Last gesture: double tap")
    await person.hold("Pad")
    await person.sees("Last gesture: long press")
    await person.right_tap("Pad")
    await person.sees("Last gesture: secondary tap")
    await person.drag(await person.place("Card"), await person.place("Basket"))
    await person.sees("Basket: 1")
    await person.tap("Note")
    await person.sees("Note: focused")
    await person.key("S", "control")
    await person.sees("Last key: Control+S")


WALKS = {
    "login": Walk("/login", _login),
    "home": Walk("/login", _home),
    "form": Walk("/form", _form),
    "list": Walk("/list", _list),
    "overlays": Walk("/overlays", _overlays),
    "loading": Walk("/loading", _loading),
    "motion": Walk("/motion", _motion),
    "covered": Walk("/covered", _covered),
    "settings": Walk("/settings", _settings),
    "account": Walk("/login", _account),
    "errors": Walk("/errors", _errors),
    "search": Walk("/search", _search),
    "inbox": Walk("/inbox", _inbox),
    "gestures": Walk("/gestures", _gestures),
}
"""One for each screen; what is behind the door begins before it."""
