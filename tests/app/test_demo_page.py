"""The demo in a real browser: a person sees and uses it there."""

from __future__ import annotations

import asyncio
from typing import Any

from tapir_replay.app.cdp import Page
from tapir_replay.app.vm_app import VmApp
from tapir_replay.demo.server import DemoServer
from tests.support.chromium import Chromium


async def _until(page: Page, expression: str) -> None:
    while True:
        answer = await page.send("Runtime.evaluate", {"expression": expression})
        if answer["result"].get("value") is True:
            return
        await asyncio.sleep(0.05)


async def _press(page: Page, x: float, y: float) -> None:
    where = {"x": x, "y": y, "button": "left", "clickCount": 1}
    await page.send("Input.dispatchMouseEvent", {"type": "mousePressed", **where})
    await page.send("Input.dispatchMouseEvent", {"type": "mouseReleased", **where})


async def _key(page: Page, key: str, **more: Any) -> None:
    await page.send("Input.dispatchKeyEvent", {"type": "keyDown", "key": key, **more})
    await page.send("Input.dispatchKeyEvent", {"type": "keyUp", "key": key})


async def test_a_person_uses_the_app_in_a_browser() -> None:
    """Pictures come, clicks and keys arrive, and scrolling scrolls."""
    async with DemoServer() as server, Chromium(server.page_uri) as browser:
        app = await VmApp.connect(server.uri)
        page = await Page.connect(browser.port)
        await _until(page, "document.title === 'Tapir Demo' && screen_.naturalWidth === 780")
        box = (
            await page.send(
                "Runtime.evaluate",
                {
                    "expression": "(r => ({x: r.left, y: r.top}))(screen_.getBoundingClientRect())",
                    "returnByValue": True,
                },
            )
        )["result"]["value"]

        async def middle(**predicates: str) -> tuple[float, float]:
            bounds = (await app.call("query", predicates))["nodes"][0]["bounds"]
            return (
                box["x"] + bounds["x"] + bounds["w"] / 2,
                box["y"] + bounds["y"] + bounds["h"] / 2,
            )

        async def comes(key: str, value: str | None) -> None:
            while True:
                nodes = (await app.call("query", {"key": key}))["nodes"]
                if nodes and nodes[0]["value"] == value:
                    return
                await asyncio.sleep(0.02)

        await _press(page, *await middle(key="email"))
        for letter in "aä":
            await _key(page, letter, text=letter)
        await comes("email", "aä")
        await _key(page, "Backspace")
        await comes("email", "a")
        await app.call("navigate", {"route": "/list"})
        x, y = await middle(key="item-5")
        wheel = {"type": "mouseWheel", "x": x, "y": y, "deltaX": 0, "deltaY": 700}
        await page.send("Input.dispatchMouseEvent", wheel)
        await comes("item-20", None)
        await page.close()
        await app.close()
