"""A process with all that it starts in turn, to be ended together."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import subprocess
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import Mapping, Sequence
from pathlib import Path

from tapir_replay.app.launch import guard

_LOOK = 0.02
"""Seconds between two looks at whether a group has ended."""


class Group:
    """One started program. `end` leaves nothing of it behind, whatever it started."""

    def __init__(self, process: Process) -> None:
        self.process = process
        self._guard = _start_guard(process.pid)

    @classmethod
    async def start(cls, arguments: Sequence[str], cwd: Path, env: Mapping[str, str]) -> Group:
        """Start a program, with pipes for all it says.

        Raises:
            OSError: There is no such program or folder.
        """
        process = await asyncio.create_subprocess_exec(
            *arguments,
            cwd=cwd,
            env=dict(env),
            stdin=PIPE,
            stdout=PIPE,
            stderr=PIPE,
            start_new_session=True,
        )
        return cls(process)

    @property
    def lives(self) -> bool:
        """Whether the program, or something that it started, still runs."""
        return self.process.returncode is None or group_lives(self.process.pid)

    async def end(self, *, grace: float) -> None:
        """Ask it to end, insist after `grace` seconds, and wait for it."""
        if self.lives:
            self._signal(signal.SIGTERM)
            if not await self.ended_within(grace):
                self._signal(_KILL)
        await self.process.wait()
        await self.ended_within(1.0)
        # What left the group may hold the pipes open; nobody reads them any more.
        self.process._transport.close()  # type: ignore[attr-defined]  # noqa: SLF001
        self._dismiss_guard()

    async def ended_within(self, seconds: float) -> bool:
        """Wait for the end of all of it; whether it came."""
        loop = asyncio.get_running_loop()
        deadline = loop.time() + seconds
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self.process.wait()
        while self.lives:
            if loop.time() >= deadline:
                return False
            await asyncio.sleep(_LOOK)
        return True

    def _signal(self, number: int) -> bool:
        """Send it to all; whether there was somebody."""
        if sys.platform == "win32":
            return self._signal_one(number)
        try:
            os.killpg(self.process.pid, number)
        except ProcessLookupError:
            return False
        except PermissionError:
            return False
        return True

    def _signal_one(self, number: int) -> bool:
        if self.process.returncode is not None:
            return False
        if number:
            self.process.kill()
        return True

    def _dismiss_guard(self) -> None:
        if self._guard is not None:
            with contextlib.suppress(OSError):
                self._guard.communicate(b"done", timeout=5)
            self._guard = None


def group_lives(group: int) -> bool:
    """Whether a process of the group still runs. Ones that nobody has asked after do not count."""
    if sys.platform == "win32":
        return False
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    except PermissionError:  # macOS says so of a group whose members are all ending
        return False
    states = [_group_and_state(each) for each in Path("/proc").glob("[0-9]*/stat")]
    if not states:
        return True  # no such file system here
    return any(of == group and state not in {"Z", "X"} for of, state in states)


def _group_and_state(file: Path) -> tuple[int, str]:
    try:
        # The name in brackets may hold anything.
        fields = file.read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()
        return int(fields[2]), fields[0]
    except (OSError, IndexError, ValueError):
        return 0, ""


_KILL = getattr(signal, "SIGKILL", signal.SIGTERM)


def _start_guard(group: int) -> subprocess.Popen[bytes] | None:
    """The process that ends the group if this one dies; none where groups are not known."""
    if sys.platform == "win32":
        return None
    return subprocess.Popen(  # noqa: S603 - our own script
        [sys.executable, "-I", "-S", guard.__file__, str(group)],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
