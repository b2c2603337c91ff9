"""The server: its life, and frames no client should send."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys

import pytest
from websockets.asyncio.client import connect as open_websocket
from websockets.exceptions import ConnectionClosed

from tapir_replay.demo import DemoServer
from tests.support.rpc import connect


def test_it_says_where_it_is() -> None:
    async def use() -> tuple[str, str]:
        async with DemoServer() as server:
            return server.uri, server.http_uri

    ws, http = asyncio.run(use())
    assert ws.startswith("ws://127.0.0.1:")
    assert ws.endswith("=/ws")
    assert ws.removeprefix("ws").removesuffix("ws") == http.removeprefix("http")


def test_two_servers_are_two_apps() -> None:
    async def use() -> None:
        async with DemoServer() as one, DemoServer() as two:
            assert one.uri != two.uri
            async with connect(one.uri) as first, connect(two.uri) as second:
                await first.call("navigate", route="/list")
                assert (await second.call("get_routes"))["uri"] == "/login"

    asyncio.run(use())


def test_close_ends_the_wait_and_can_be_repeated() -> None:
    async def use() -> None:
        server = DemoServer()
        await server.start()
        async with connect(server.uri) as rpc:
            pending = asyncio.create_task(rpc.call("wait_for", text="never"))
            await asyncio.sleep(0)
            await rpc.call("boot_id")
            await server.close()
            await server.wait_closed()
            await server.close()
            with pytest.raises(ConnectionError):
                await pending

    asyncio.run(use())


@pytest.mark.parametrize(
    ("frame", "code"),
    [("no json", 4000), ("[]", 4002), (b"{}", 4001), ("{}", 4002), ('{"method": 5}', 4002)],
)
def test_a_bad_frame_closes_its_own_connection_only(frame: str | bytes, code: int) -> None:
    async def use() -> None:
        async with DemoServer() as server, connect(server.uri) as other:
            async with open_websocket(server.uri, proxy=None) as socket:
                await socket.send(frame)
                with pytest.raises(ConnectionClosed) as closed:
                    await socket.recv()
                assert closed.value.rcvd is not None
                assert closed.value.rcvd.code == code
            await other.call("boot_id")

    asyncio.run(use())


def test_an_id_comes_back_as_it_was_and_a_notification_has_no_answer() -> None:
    async def use() -> list[object]:
        async with DemoServer() as server, open_websocket(server.uri, proxy=None) as socket:
            for number in (None, 7, "7", 7.5):
                request: dict[str, object] = {"id": number, "method": "getVersion", "params": {}}
                await socket.send(json.dumps(request))
            return [json.loads(await socket.recv())["id"] for _ in range(3)]

    assert asyncio.run(use()) == [7, "7", 7.5]


def test_what_was_asked_for_is_done_though_the_asker_has_gone() -> None:
    async def use() -> None:
        async with DemoServer() as server, connect(server.uri) as watcher:
            async with connect(server.uri) as rpc:
                ref = (await rpc.call("find", text="Remember me"))["ref"]
                tap = asyncio.create_task(rpc.call("tap", ref=ref, until="never"))
                await watcher.call("boot_id")
            with pytest.raises(ConnectionError):
                await tap
            reply = await watcher.call("set_checkbox", ref=ref, value=True)
            assert reply["previousValue"] is True

    asyncio.run(use())


def test_the_server_needs_no_pillow_until_a_picture_is_asked_for() -> None:
    code = "import sys, tapir_replay.demo; print('PIL' in sys.modules)"
    result = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert result.stdout.strip() == "False"
