"""The client drives the demo app as it drives any other."""

from __future__ import annotations

import asyncio

import pytest

from tapir_replay.app.errors import ConnectionLost, VerbRefused, VerbUnavailable
from tapir_replay.app.interface import QUERY, AppEvent
from tapir_replay.app.vm_app import VmApp
from tapir_replay.demo.server import DemoServer


async def test_a_form_is_found_filled_and_sent() -> None:
    async with DemoServer() as demo, await VmApp.connect(demo.uri) as app:
        for key, text in (("email", "ada@example.com"), ("password", "correct-horse")):
            field = await app.call("find", {"key": key})
            filled = await app.call("fill", {"ref": field["ref"], "text": text})
            assert filled["effect"]["verified"] is True
        button = await app.call("find", {"text": "Sign in"})
        await app.call("tap", {"ref": button["ref"]})
        await app.call("wait_for", {"text": "Welcome back", "timeoutMs": "5000"})
        assert "Welcome back" in (await app.call("snap"))["snapshot"]


async def test_all_predicates_at_once_are_offered_unless_the_demo_is_plain() -> None:
    async with DemoServer() as demo, await VmApp.connect(demo.uri) as app:
        own = {QUERY, "query.more", "requestId", "find.within", "longPress", "pressBack", "record"}
        assert app.capabilities == own
        found = await app.call("query", {"role": "button", "label": "Sign in"})
        assert found["count"] == 1
    async with DemoServer(plain=True) as demo, await VmApp.connect(demo.uri) as app:
        assert app.capabilities == frozenset()
        with pytest.raises(VerbUnavailable):
            await app.call("query", {"role": "button"})


async def test_a_long_press_is_there_unless_the_demo_is_plain() -> None:
    async with DemoServer() as demo, await VmApp.connect(demo.uri) as app:
        await app.call("navigate", {"route": "/gestures"})
        pad = await app.call("find", {"key": "pad"})
        held = await app.call("long_press", {"ref": pad["ref"]})
        assert "Last gesture: long press" in held["snapshot"]
    async with DemoServer(plain=True) as demo, await VmApp.connect(demo.uri) as app:
        with pytest.raises(VerbUnavailable, match="`long_press`") as caught:
            await app.call("long_press", {"ref": "e1"})
        assert "install the tapir_replay plugin" in caught.value.hint


async def test_a_refusal_of_the_demo_has_its_kind() -> None:
    async with DemoServer() as demo, await VmApp.connect(demo.uri) as app:
        with pytest.raises(VerbRefused) as caught:
            await app.call("tap", {"ref": "e999"})
        assert caught.value.kind == "not_found"


async def test_the_demo_can_be_closed_by_a_verb() -> None:
    async with DemoServer() as demo, await VmApp.connect(demo.uri) as app:
        assert await app.call("close_app") == {"closed": True}
        async with asyncio.timeout(5):
            await demo.wait_closed()
        with pytest.raises(ConnectionLost):
            await app.call("snap")


async def test_what_the_demo_prints_is_heard() -> None:
    lines: list[str] = []
    came = asyncio.Event()

    def listen(event: AppEvent) -> None:
        lines.append(str(event.data.get("text", event.data)))
        came.set()

    async with DemoServer() as demo, await VmApp.connect(demo.uri) as app:
        app.subscribe(listen)
        await app.call("navigate", {"route": "/forgot"})
        async with asyncio.timeout(5):
            await came.wait()
        assert any("route: /forgot" in line for line in lines)
