"""The apps of a run: which one is meant, how it is reached, and what is left of it."""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import os
import sys
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest

from tapir_replay.app.errors import (
    AppError,
    AppUnreachable,
    ForwardFailed,
    LaunchFailed,
    NoSession,
    ResetFailed,
)
from tapir_replay.app.interface import App
from tapir_replay.app.launch.group import group_lives
from tapir_replay.app.launch.session import session_name
from tapir_replay.cli.apps import Apps
from tapir_replay.cli.options import add_app_options
from tapir_replay.demo.server import DemoServer
from tapir_replay.project.model import AppSpec
from tapir_replay.scenario.place import Place

ROOT = Path(__file__).parents[2]
PLACE = Place(file="tapir-replay.yaml", line=2)


def run(work: Coroutine[Any, Any, None]) -> None:
    async def in_time() -> None:
        async with asyncio.timeout(25):
            await work

    asyncio.run(in_time())


def options(*arguments: str) -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    add_app_options(parser)
    return parser.parse_args(arguments)


def spec(name: str = "shop", kind: Any = "launch", **more: Any) -> AppSpec:
    return AppSpec(name=name, kind=kind, place=PLACE, **more)


def launch(*arguments: str, **more: Any) -> AppSpec:
    command = (sys.executable, "-m", "tests.support.flutter_like", *arguments)
    return spec(command=command, cwd=ROOT, **{"ready_timeout": 20.0, **more})


def specs(*given: AppSpec) -> dict[str, AppSpec]:
    return {each.name: each for each in given}


async def boot(app: App) -> str:
    return str((await app.call("boot_id"))["bootId"])


async def page(app: App) -> str:
    return str((await app.call("get_routes"))["uri"])


# Which one is meant


@pytest.mark.parametrize(
    ("arguments", "name", "default", "meant"),
    [
        ((), "one", None, "one"),
        ((), None, "one", "one"),
        ((), "two", "one", "two"),
        (("--app", "two"), "one", "one", "two"),
        (("--app", "demo"), "one", None, "demo"),
        ((), "demo", None, "demo"),
    ],
)
def test_the_command_line_goes_before_the_scenario_and_that_before_the_project(
    arguments: tuple[str, ...], name: str | None, default: str | None, meant: str
) -> None:
    async def test() -> None:
        given = specs(spec("one", "demo"), spec("two", "demo"))
        async with Apps(options(*arguments), given, default) as apps:
            app = await apps.app_for(name)
            assert app.name == meant
            assert await apps.app_for(name) is app

    run(test())


def test_an_address_on_the_command_line_wins_over_everything() -> None:
    async def test() -> None:
        async with DemoServer() as server:
            given = specs(spec("one", "uri", uri="http://127.0.0.1:1/none=/"))
            async with Apps(options("--uri", server.http_uri), given, "one") as apps:
                assert (await apps.app_for("one")).name == server.uri.split("/")[2]

    run(test())


def test_the_address_of_the_project_may_come_from_the_environment() -> None:
    async def test() -> None:
        async with DemoServer() as server:
            given = specs(spec("one", "uri", uri="{{ env.APP_URI }}"))
            environ = {"APP_URI": server.http_uri}
            async with Apps(options(), given, environ=environ) as apps:
                assert (await apps.app_for("one")).name == "one"

    run(test())


def test_an_app_that_is_not_known() -> None:
    async def test() -> None:
        async with Apps(options(), specs(spec("shop", "demo"))) as apps:
            with pytest.raises(AppUnreachable, match='there is no app "shpo"') as caught:
                await apps.app_for("shpo")
            assert "shop" in caught.value.hint
        async with Apps(options()) as apps:
            with pytest.raises(AppUnreachable) as caught:
                await apps.app_for("shop")
            assert "`demo`" in caught.value.hint

    run(test())


# Sessions


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.delenv("DOWEL_STATE_FILE", raising=False)
    monkeypatch.delenv("ARTISAN_STATE_FILE", raising=False)
    project = tmp_path / "project"
    project.mkdir()
    (project / "pubspec.yaml").touch()
    monkeypatch.chdir(project)
    return tmp_path / "home"


def state(home: Path, **more: Any) -> Path:
    root = Path.cwd()
    folder = home / ".dowel" / "sessions" / session_name(root)
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / "state.json"
    values = {"projectRoot": str(root), "pid": os.getpid(), **more}
    file.write_text(json.dumps(values))
    return file


def test_without_a_name_it_is_the_session_of_this_folder(home: Path) -> None:
    async def test() -> None:
        async with DemoServer() as server:
            state(home, vmServiceUri=server.uri, cdpPort=9333)
            async with Apps(options()) as apps:
                app = await apps.app_for(None)
                assert app.name == server.uri.split("/")[2]
                assert app._cdp_port == 9333  # type: ignore[attr-defined]

    run(test())


def test_a_session_of_the_project_file_is_that_of_its_folder(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def test() -> None:
        async with DemoServer() as server:
            state(home, vmServiceUri=server.uri)
            project = Path.cwd()
            monkeypatch.chdir(tmp_path)
            async with Apps(options(), specs(spec("shop", "session", cwd=project))) as apps:
                assert (await apps.app_for("shop")).name == "shop"

    run(test())


def test_a_session_that_starts_is_waited_for(home: Path) -> None:
    async def test() -> None:
        async with DemoServer() as server:
            file = state(home, vmServiceUri=None, booting=True)
            async with Apps(options()) as apps:
                waiting = asyncio.create_task(apps.app_for(None))
                await asyncio.sleep(0)
                log = file.with_name("flutter-dev.log")
                log.write_text(f"Debug service listening on {server.uri}\n")
                assert (await waiting).name

    run(test())


def test_nothing_is_named_and_nothing_runs(home: Path) -> None:
    async def test() -> None:
        async with Apps(options()) as apps:
            with pytest.raises(NoSession, match="which app") as caught:
                await apps.app_for(None)
        assert f"no session of {Path.cwd()} runs" in caught.value.message
        assert "--uri" in caught.value.hint

    run(test())


# Apps that start themselves


def test_a_launched_app_is_played_on_and_ended() -> None:
    lines: list[tuple[str, str]] = []
    told: list[str] = []

    async def test() -> None:
        async with Apps(
            options(),
            specs(launch("machine", "--machine", env={"SHOWN": "{{ env.WORD }}"})),
            environ={"WORD": "x"},
            keep_line=lambda name, line: lines.append((name, line)),
            tell=told.append,
        ) as apps:
            app = await apps.app_for("shop")
            assert app.name == "shop"
            assert await page(app) == "/login"
            group = apps._running["shop"]._launched._group.process.pid  # type: ignore[union-attr]
        assert not group_lives(group)

    run(test())
    assert ("shop", "Resolving dependencies...") in lines
    assert lines[-1] == ("shop", "shut down in order")
    assert told[0].startswith("starting shop: ")


def test_an_address_that_is_told_before_it_can_be_used() -> None:
    async def test() -> None:
        async with Apps(options(), specs(launch("early"))) as apps:
            assert await boot(await apps.app_for("shop"))

    run(test())


def test_an_app_that_went_away_is_started_again() -> None:
    async def test() -> None:
        async with Apps(options(), specs(launch("vm"))) as apps:
            app = await apps.app_for("shop")
            before = await boot(app)
            await app.call("close_app")
            with contextlib.suppress(AppError):
                while True:
                    await app.call("get_routes")
            again = await apps.app_for("shop")
            assert await boot(again) != before

    run(test())


def test_a_launch_that_fails_says_why_and_leaves_nothing() -> None:
    told: list[str] = []

    async def test() -> None:
        async with Apps(options(), specs(launch("broken")), tell=told.append) as apps:
            with pytest.raises(LaunchFailed, match="unable to find a pubspec"):
                await apps.app_for("shop")
            assert apps._running["shop"]._launched is None
            with pytest.raises(LaunchFailed):
                await apps.prepare("shop")
        assert len(told) == 1, "a build that fails is not done again for each scenario"

    run(test())


# Devices


@pytest.fixture
def adb(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[], list[str]]:
    """What it was asked: an adb that forwards to the port itself: the device is this machine."""
    path = tmp_path / "adb"
    path.write_text(f"""#!{sys.executable}
import sys
with open({str(tmp_path / "calls")!r}, "a") as calls:
    calls.write(" ".join(sys.argv[1:]) + "\\n")
if sys.argv[2] != "emulator-5554":
    sys.exit("error: no such device")
if "--remove" not in sys.argv:
    print(sys.argv[-1].removeprefix("tcp:"))
""")
    path.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    calls = tmp_path / "calls"
    return lambda: calls.read_text().splitlines() if calls.exists() else []


def test_the_port_of_a_device_is_forwarded_while_it_is_used(adb: Callable[[], list[str]]) -> None:
    async def test() -> None:
        async with DemoServer() as server:
            port = server.uri.split(":")[2].split("/")[0]
            given = specs(spec("phone", "uri", uri=server.http_uri, device="emulator-5554"))
            async with Apps(options(), given) as apps:
                assert await boot(await apps.app_for("phone"))
                assert adb() == [f"-s emulator-5554 forward tcp:0 tcp:{port}"]
            assert adb()[1:] == [f"-s emulator-5554 forward --remove tcp:{port}"]

    run(test())


def test_a_launch_that_tells_the_devices_own_address_is_forwarded(
    adb: Callable[[], list[str]],
) -> None:
    async def test() -> None:
        async with Apps(options(), specs(launch("vm", device="emulator-5554"))) as apps:
            assert await boot(await apps.app_for("shop"))
        first, last = adb()
        assert " forward tcp:0 tcp:" in first
        assert " forward --remove tcp:" in last

    run(test())


def test_what_the_flutter_tool_tells_is_not_forwarded_again(adb: Callable[[], list[str]]) -> None:
    async def test() -> None:
        given = specs(launch("machine", "--machine", device="emulator-5554"))
        async with Apps(options(), given) as apps:
            assert await boot(await apps.app_for("shop"))
        assert adb() == []

    run(test())


def test_a_device_that_is_not_there(adb: Callable[[], list[str]]) -> None:
    async def test() -> None:
        given = specs(spec("phone", "uri", uri="http://127.0.0.1:1/a=/", device="pixel"))
        async with Apps(options(), given) as apps:
            with pytest.raises(ForwardFailed, match="error: no such device"):
                await apps.app_for("phone")

    run(test())


# Resets


def test_without_a_reset_nothing_is_done() -> None:
    async def test() -> None:
        async with Apps(options(), specs(spec("shop", "demo"))) as apps:
            assert await apps.prepare("shop") == ()
            app = await apps.app_for("shop")
            await app.call("navigate", {"route": "/form"})
            await apps.prepare("shop")
            assert await page(app) == "/form"

    run(test())


def test_a_route_is_gone_to_before_each_scenario_wherever_the_app_is_reached() -> None:
    async def test() -> None:
        given = specs(spec("shop", "demo", reset="route", route="/login"))
        async with DemoServer() as server:
            for arguments in ((), ("--uri", server.http_uri)):
                async with Apps(options(*arguments), given) as apps:
                    app = await apps.app_for("shop")
                    await app.call("navigate", {"route": "/form"})
                    assert await apps.prepare("shop") == ()
                    assert await page(app) == "/login"

    run(test())


def test_a_route_that_is_not_there_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tapir_replay.engine.reset._ARRIVAL", 0.1)

    async def test() -> None:
        given = specs(spec("shop", "demo", reset="route", route="/nowhere"))
        async with Apps(options(), given) as apps:
            with pytest.raises(ResetFailed, match="it did not go to /nowhere, it is at /login"):
                await apps.prepare("shop")

    run(test())


@pytest.mark.parametrize("arguments", [("machine", "--machine"), ("vm",)])
def test_a_restart_is_one_start_a_scenario(arguments: tuple[str, ...]) -> None:
    async def test() -> None:
        given = specs(launch(*arguments, reset="restart"))
        async with Apps(options(), given) as apps:
            first = await apps.app_for("shop")
            started = await boot(first)
            await apps.prepare("shop")
            assert await boot(await apps.app_for("shop")) == started
            await (await apps.app_for("shop")).call("navigate", {"route": "/form"})
            await apps.prepare("shop")
            again = await apps.app_for("shop")
            assert await boot(again) != started
            assert await page(again) == "/login"

    run(test())


def test_an_app_of_others_that_cannot_be_restarted_is_an_error() -> None:
    async def test() -> None:
        async with DemoServer() as server:
            given = specs(spec("shop", "uri", uri=server.http_uri, reset="restart"))
            async with Apps(options(), given) as apps:
                with pytest.raises(ResetFailed, match="nobody can restart this app"):
                    await apps.prepare("shop")

    run(test())
