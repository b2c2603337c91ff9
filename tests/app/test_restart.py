"""Hot restarts: on a real Dart VM, where another client offers the service as the tool does."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator

import pytest
from websockets.asyncio.client import connect

from tapir_replay.app.errors import AppError, ResetFailed, VerbUnavailable
from tapir_replay.app.restart import boot_of, hot_restart
from tapir_replay.app.vm_app import Timeouts, VmApp
from tests.app.conftest import PROBE
from tests.support.dart_vm import DartVm
from tests.support.fake_service import ISOLATE, FakeService, Fault

QUICK = Timeouts(quiet=0.02)


@contextlib.asynccontextmanager
async def tool(uri: str) -> AsyncIterator[None]:
    """A client that registers `hotRestart`, and has the probe restart when it is asked to."""
    async with connect(uri, compression=None, proxy=None, ping_interval=None) as socket:

        async def serve() -> None:
            supervisor = ""
            async for text in socket:
                message = json.loads(text)
                if message.get("id") == "vm":
                    for entry in message["result"]["isolates"]:
                        await ask(f"isolate {entry['id']}", "getIsolate", isolateId=entry["id"])
                elif str(message.get("id", "")).startswith("isolate"):
                    body = message["result"]
                    if "ext.probe.restart" in (body.get("extensionRPCs") or ()):
                        supervisor = body["id"]
                        ready.set()
                elif message.get("method") == "hotRestart":
                    await ask("restart", "ext.probe.restart", isolateId=supervisor)
                    reply = {"jsonrpc": "2.0", "id": message["id"], "result": {"type": "Success"}}
                    await socket.send(json.dumps(reply))

        async def ask(number: str, method: str, **params: str) -> None:
            request = {"jsonrpc": "2.0", "id": number, "method": method, "params": params}
            await socket.send(json.dumps(request))

        ready = asyncio.Event()
        task = asyncio.create_task(serve())
        await ask("service", "registerService", service="hotRestart", alias="a test")
        while not ready.is_set():
            await ask("vm", "getVM")
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(ready.wait(), 0.1)
        yield
        task.cancel()


async def service_of(app: VmApp) -> None:
    """Wait until the app is known to have the service."""
    known = asyncio.Event()
    with contextlib.ExitStack() as stack:
        stack.callback(app.service.subscribe(lambda _: known.set()))
        while app.service_method("hotRestart") is None:
            known.clear()
            await known.wait()


async def test_by_the_service_that_the_tool_registers() -> None:
    async with (
        DartVm(PROBE, "--supervised") as vm,
        await VmApp.connect(vm.uri) as app,
        tool(vm.ws_uri),
    ):
        await service_of(app)
        before = await boot_of(app)
        await hot_restart(app, timeout=10)
        assert await boot_of(app) != before
        assert await app.call("find", {"text": "x"})


def boots(*ids: str) -> FakeService:
    """An app that tells one boot id after the other; the last one for ever."""
    left = list(ids)
    return FakeService(
        {
            "ext.tapir.boot_id": lambda _: {"bootId": left.pop(0) if len(left) > 1 else left[0]},
            "s0.hotRestart": {"type": "Success"},
        }
    )


async def registered(fake: FakeService, app: VmApp) -> None:
    await fake.report(
        "Service", "ServiceRegistered", service="hotRestart", method="s0.hotRestart", alias="x"
    )
    await service_of(app)


async def test_it_is_waited_for_until_another_start_shows() -> None:
    fake = boots("1", "1", "1", "1", "2")
    async with fake, await VmApp.connect(fake.uri, timeouts=QUICK) as app:
        await registered(fake, app)
        await hot_restart(app, timeout=5)
        assert len(fake.asked("s0.hotRestart")) == 1
        assert await boot_of(app) == f"{ISOLATE} 2"


async def test_a_restart_that_never_comes() -> None:
    async with boots("1") as fake, await VmApp.connect(fake.uri, timeouts=QUICK) as app:
        await registered(fake, app)
        with pytest.raises(ResetFailed, match=r"did not begin anew within 0\.2 s"):
            await hot_restart(app, timeout=0.2)


async def test_a_program_that_does_not_compile() -> None:
    async with boots("1") as fake, await VmApp.connect(fake.uri, timeouts=QUICK) as app:
        fake.answers["s0.hotRestart"] = Fault(-32000, data={"details": "lib/main.dart:3: Error"})
        await registered(fake, app)
        with pytest.raises(ResetFailed, match=r"did not restart: lib/main\.dart:3: Error"):
            await hot_restart(app, timeout=5)
        fake.answers["s0.hotRestart"] = {"code": 1, "message": "Try again"}
        with pytest.raises(AppError, match="did not restart the app: Try again"):
            await hot_restart(app, timeout=5)


async def test_by_the_tool_where_there_is_no_service() -> None:
    asked: list[float] = []

    async def restart(timeout: float) -> None:
        asked.append(timeout)

    async with boots("1", "1", "2") as fake, await VmApp.connect(fake.uri, timeouts=QUICK) as app:
        await hot_restart(app, timeout=5, tool=restart)
    assert asked == [5]


async def test_nobody_can_restart_it() -> None:
    async with boots("1") as fake, await VmApp.connect(fake.uri, timeouts=QUICK) as app:
        with pytest.raises(VerbUnavailable, match="nobody can restart") as caught:
            await hot_restart(app, timeout=5)
    assert "flutter run" in caught.value.hint


async def test_an_app_that_tells_no_boot_id_is_known_by_its_isolate() -> None:
    fake = FakeService({"ext.tapir.boot_id": None})
    isolate = fake.answers["getIsolate"]
    fake.answers["getIsolate"] = {**isolate, "extensionRPCs": ["ext.tapir.snap"]}  # type: ignore[dict-item]
    async with fake, await VmApp.connect(fake.uri, timeouts=QUICK) as app:
        assert await boot_of(app) == ISOLATE
