"""Apps that start themselves: real processes, told of in every way, and none left behind."""

from __future__ import annotations

import asyncio
import contextlib
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tapir_replay.app.errors import AppError, LaunchFailed, VerbUnavailable
from tapir_replay.app.launch.group import group_lives
from tapir_replay.app.launch.launched import Launched
from tapir_replay.app.launch.uri_scan import By
from tapir_replay.app.vm_app import VmApp

ROOT = Path(__file__).parents[2]
LIKE = [sys.executable, "-m", "tests.support.flutter_like"]
PATIENCE = 15.0


@pytest.fixture
def flutter(tmp_path: Path) -> str:
    """A program that is called flutter."""
    path = tmp_path / "flutter"
    path.write_text(f'#!/bin/sh\nexec {sys.executable} -m tests.support.flutter_like "$@"\n')
    path.chmod(0o755)
    return str(path)


async def boot(uri: str) -> str:
    async with await VmApp.connect(uri) as app:
        return str((await app.call("boot_id"))["bootId"])


@pytest.mark.parametrize("mode", ["vm", "console"])
async def test_the_address_is_found_in_lines(mode: str, flutter: str) -> None:
    command = [*LIKE, mode] if mode == "vm" else [flutter, mode]
    lines: list[str] = []
    async with await Launched.start(command, cwd=ROOT, on_line=lines.append) as launched:
        sighting = await launched.address(PATIENCE)
        assert await boot(sighting.uri)
        group = launched._group.process.pid
    assert sighting.by is (By.VM if mode == "vm" else By.TOOL)
    assert any("is available at:" in each or "listening on" in each for each in lines)
    assert not group_lives(group)


async def test_messages_tell_the_address_and_end_the_app_in_order() -> None:
    lines: list[str] = []
    async with await Launched.start(
        [*LIKE, "machine", "--machine"], cwd=ROOT, on_line=lines.append
    ) as launched:
        sighting = await launched.address(PATIENCE)
        assert sighting.by is By.TOOL
        before = await boot(sighting.uri)
        await launched.restart(PATIENCE)
        assert await boot(sighting.uri) != before
        process = launched._group.process
    assert process.returncode == 0
    assert lines[-1] == "shut down in order"
    assert "careful, this is on stderr" in lines


async def test_a_restart_that_the_tool_refuses() -> None:
    command = [*LIKE, "machine", "--machine", "--no-restart"]
    async with await Launched.start(command, cwd=ROOT) as launched:
        await launched.address(PATIENCE)
        with pytest.raises(AppError, match="did not restart the app: it broke"):
            await launched.restart(PATIENCE)


async def test_without_messages_there_is_no_restart() -> None:
    async with await Launched.start([*LIKE, "vm"], cwd=ROOT) as launched:
        await launched.address(PATIENCE)
        with pytest.raises(VerbUnavailable):
            await launched.restart(PATIENCE)


async def test_a_file_tells_the_address() -> None:
    command = [*LIKE, "file", "--vmservice-out-file={uri_file}"]
    async with await Launched.start(command, cwd=ROOT) as launched:
        sighting = await launched.address(PATIENCE)
        assert sighting.by is By.FILE
        assert await boot(sighting.uri)
        scratch = launched._command.uri_file
    assert scratch is not None
    assert not scratch.parent.exists()


async def test_a_file_of_an_earlier_run_does_not_count(tmp_path: Path) -> None:
    file = tmp_path / "uri"
    file.write_text("ws://127.0.0.1:1/old=/ws")
    command = [*LIKE, "file", f"--vmservice-out-file={file}"]
    async with await Launched.start(command, cwd=ROOT) as launched:
        sighting = await launched.address(PATIENCE)
    assert "old=" not in sighting.uri


async def test_a_devtools_link_will_do_when_nothing_better_comes() -> None:
    async with await Launched.start([*LIKE, "devtools"], cwd=ROOT) as launched:
        sighting = await launched.address(PATIENCE)
        assert sighting.by is By.DEVTOOLS
        assert await boot(sighting.uri)


async def test_an_app_that_a_script_leaves_running_is_found_and_ended() -> None:
    async with await Launched.start([*LIKE, "leaves"], cwd=ROOT) as launched:
        assert await boot((await launched.address(PATIENCE)).uri)
        group = launched._group.process.pid
    assert not group_lives(group)


async def test_what_does_not_heed_is_killed_with_its_children(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("tapir_replay.app.launch.launched._STOP_GRACE", 0.2)
    lines: list[str] = []
    async with await Launched.start(
        [*LIKE, "stubborn"], cwd=ROOT, on_line=lines.append
    ) as launched:
        await launched.address(PATIENCE)
        group = launched._group.process.pid
    assert lines[0].startswith("child ")
    assert not group_lives(group)


async def test_an_interrupted_wait_leaves_nothing() -> None:
    launched = await Launched.start([*LIKE, "silent"], cwd=ROOT)
    group = launched._group.process.pid

    async def use() -> None:
        async with launched:
            await launched.address(60)

    task = asyncio.create_task(use())
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert not group_lives(group)


# Failures


async def failure(command: list[str], timeout: float = PATIENCE) -> LaunchFailed:
    with pytest.raises(LaunchFailed) as caught:
        async with await Launched.start(command, cwd=ROOT) as launched:
            await launched.address(timeout)
    return caught.value


async def test_a_build_that_fails_is_told_in_the_tools_words() -> None:
    error = await failure([*LIKE, "fail", "--machine"])
    first, *rest = error.message.splitlines()
    assert first.endswith("stopped before its app was there")
    assert rest == [
        "it said last:",
        "  lib/main.dart:3: Expected ';'",
        "  Gradle build failed to produce an .apk file",
    ]


async def test_an_app_without_a_service_is_told_soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tapir_replay.app.launch.launched._NO_SERVICE", 0.1)
    error = await failure([*LIKE, "release", "--machine"])
    assert "started its app, which has no VM Service" in error.message
    assert "release build" in error.hint


async def test_an_exit_is_told_with_the_last_lines() -> None:
    error = await failure([*LIKE, "broken"])
    assert "ended with exit code 1 before its app was there" in error.message
    assert "  Running Gradle task 'assembleDebug'..." in error.message
    assert "  Error: unable to find a pubspec.yaml" in error.message


async def test_silence_is_told_with_what_to_do() -> None:
    error = await failure([*LIKE, "silent"], timeout=0.3)
    assert "told no address of a VM Service within 0.3 s" in error.message
    assert "ready_timeout" in error.hint


async def test_there_is_no_such_program(tmp_path: Path) -> None:
    with pytest.raises(LaunchFailed, match="there is no program `no-such-tool`") as caught:
        await Launched.start("no-such-tool run", cwd=ROOT)
    assert "PATH" in caught.value.hint
    with pytest.raises(LaunchFailed, match="which is no folder"):
        await Launched.start([*LIKE, "vm"], cwd=tmp_path / "nowhere")
    plain = tmp_path / "plain"
    plain.write_text("no program")
    with pytest.raises(LaunchFailed, match="cannot be started: permission denied"):
        await Launched.start([str(plain)], cwd=ROOT)


async def test_an_app_that_ends_while_it_is_connected_to() -> None:
    async with await Launched.start([*LIKE, "dies"], cwd=ROOT) as launched:
        sighting = await launched.address(PATIENCE)

        async def connect() -> VmApp:
            while True:
                with contextlib.suppress(AppError):
                    return await VmApp.connect(sighting.uri, timeout=1)
                await asyncio.sleep(0.02)

        with pytest.raises(LaunchFailed, match="ended with exit code 3"):
            await launched.alongside(connect())


# The guard

RUNNER = """
import asyncio, sys
from pathlib import Path
from tapir_replay.app.launch.group import group_lives
from tapir_replay.app.launch.launched import Launched

async def main():
    launched = await Launched.start(sys.argv[1:], cwd=Path())
    await launched.address(20)
    print(launched._group.process.pid, flush=True)
    await asyncio.Event().wait()

asyncio.run(main())
"""


@pytest.fixture
def runner() -> Iterator[subprocess.Popen[str]]:
    with subprocess.Popen(
        [sys.executable, "-c", RUNNER, *LIKE, "vm"],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as process:
        yield process
        process.kill()


async def test_a_runner_that_is_killed_leaves_no_app(runner: subprocess.Popen[str]) -> None:
    assert runner.stdout is not None
    group = int(await asyncio.to_thread(runner.stdout.readline))
    assert group_lives(group)
    runner.send_signal(signal.SIGKILL)
    while group_lives(group):  # noqa: ASYNC110 - it is another process
        await asyncio.sleep(0.02)
