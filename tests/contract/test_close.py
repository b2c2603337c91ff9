"""The end of an app, and an app that draws nothing. These have an app of their own each."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from websockets.exceptions import InvalidHandshake

from tapir_replay.demo import DemoServer
from tests.contract.conftest import BACKENDS, start_backend
from tests.support.rpc import WireError, connect

if TYPE_CHECKING:
    from tests.contract.driver import Loop


@pytest.mark.parametrize("backend", BACKENDS)
def test_close_app_answers_and_goes(loop: Loop, backend: str) -> None:
    async def use() -> None:
        async with start_backend(backend) as uri:
            async with connect(uri) as rpc:
                assert await rpc.call("close_app") == {"closed": True}
                await rpc.socket.wait_closed()
            with pytest.raises((OSError, InvalidHandshake)):
                async with connect(uri):
                    pass

    loop.run(use())


@pytest.mark.parametrize("lifecycle", ["hidden", "paused", "detached"])
def test_a_hidden_app_says_so(loop: Loop, lifecycle: str) -> None:
    async def use() -> None:
        async with DemoServer(lifecycle=lifecycle) as server, connect(server.uri) as rpc:
            warnings = (await rpc.call("snap"))["warnings"]
            assert warnings["framesEnabled"] is False
            assert warnings["lifecycleState"] == lifecycle
            assert set(warnings) == {"framesEnabled", "lifecycleState", "platform", "hint"}
            ref = (await rpc.call("find", text="Sign in"))["ref"]
            assert "warnings" in await rpc.call("tap", ref=ref)
            for verb in ("boot_id", "console", "exceptions", "perf_begin", "perf_end"):
                assert "warnings" not in await rpc.call(verb)

    loop.run(use())


def test_handles_start_at_one(loop: Loop) -> None:
    async def use() -> None:
        async with DemoServer() as server, connect(server.uri) as rpc:
            assert "[ref=e1]" in (await rpc.call("snap"))["snapshot"]
            assert (await rpc.call("find", text="Sign in"))["ref"] == "q1"
            reply = await rpc.call("press_key", key="F5", snapshot="diff")
            assert reply["snapshotMode"] == "diff"

    loop.run(use())


def test_a_diff_without_a_baseline_is_the_whole_text(loop: Loop) -> None:
    async def use() -> None:
        async with DemoServer() as server, connect(server.uri) as rpc:
            reply = await rpc.call("press_key", key="F5", snapshot="diff")
            assert "snapshotMode" not in reply
            assert '- button "Sign in"' in reply["snapshot"]

    loop.run(use())


def test_suggestions_are_near(loop: Loop) -> None:
    async def use() -> None:
        async with DemoServer() as server, connect(server.uri) as rpc:
            with pytest.raises(WireError) as refused:
                await rpc.call("tap", ref="Sign im")
            assert refused.value.envelope["suggestions"] == ["Sign in"]

    loop.run(use())
