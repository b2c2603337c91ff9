"""An app that a command starts: where its VM Service is, what it says, and its end.

async with Launched.start("flutter run -d linux --machine", cwd=Path("app")) as launched:
    app = await VmApp.connect((await launched.address(120)).uri)
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import tempfile
from collections import deque
from collections.abc import Callable, Coroutine, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

from tapir_replay.app.errors import AppError, LaunchFailed, VerbUnavailable
from tapir_replay.app.launch.command import Command
from tapir_replay.app.launch.group import Group
from tapir_replay.app.launch.machine import Message, Progress, request
from tapir_replay.app.launch.output import Output, Said
from tapir_replay.app.launch.uri_scan import By, Sighting, address_in_file
from tapir_replay.files import is_folder, why_refused

_T = TypeVar("_T")

_TOLD = 12
"""Lines of the output that an error repeats."""

_LOOK = 0.05
"""Seconds between two looks at a file."""

_PATIENCE = {By.DEVTOOLS: 2.0, By.VM: 20.0}
"""Seconds in which a better address than such a one may follow."""

_NO_SERVICE = 5.0
"""Seconds after the app's start in which its address may still be told."""

_STOP_GRACE = 5.0
"""Seconds that the app has to end in after each way of asking."""


class Launched:
    """A started command. Made by `start`; `stop` ends it with all that it started."""

    def __init__(
        self, command: Command, group: Group, on_line: Callable[[str], None] | None
    ) -> None:
        self._command = command
        self._group = group
        self._on_line = on_line
        self._progress = Progress()
        self._sightings: dict[By, tuple[float, Sighting]] = {}
        self._tail: deque[str] = deque(maxlen=_TOLD)
        self._asked: dict[int, asyncio.Future[Message]] = {}
        self._last_id = 0
        self._runs_since: float | None = None
        self._news = asyncio.Event()
        self._stale: tuple[int, str] | None = None
        self._stack = contextlib.AsyncExitStack()
        process = group.process
        assert process.stdout is not None
        assert process.stderr is not None
        self._readers = [
            asyncio.create_task(self._read(process.stdout)),
            asyncio.create_task(self._read(process.stderr)),
        ]
        self._end = asyncio.create_task(self._wait())

    @classmethod
    async def start(
        cls,
        command: str | Sequence[str],
        *,
        cwd: Path | None = None,
        env: Mapping[str, str] | None = None,
        on_line: Callable[[str], None] | None = None,
    ) -> Launched:
        """Start a command.

        Args:
            command: The program and its arguments; a text is taken apart as a shell would, and
                run without one. `{uri_file}` stands for a file to write the address into.
            cwd: Where it runs.
            env: Added to the environment.
            on_line: Called for each line that it prints.

        Raises:
            LaunchFailed: It cannot be started.
        """
        folder = (cwd or Path()).absolute()
        if not is_folder(folder):
            raise LaunchFailed(f"the command is to run in {folder}, which is no folder")
        stack = contextlib.AsyncExitStack()
        try:
            scratch = stack.enter_context(
                tempfile.TemporaryDirectory(prefix="tapir-replay-", ignore_cleanup_errors=True)
            )
            made = Command.of(command, Path(scratch), folder)
            stale = _content(made.uri_file)
            try:
                group = await Group.start(made.arguments, folder, {**os.environ, **(env or {})})
            except (OSError, ValueError) as error:  # ValueError: a NUL in an argument
                raise _not_started(made, error) from error
            launched = cls(made, group, on_line)
            launched._stale = stale
            launched._stack = stack
        except BaseException:
            await stack.aclose()
            raise
        return launched

    @property
    def machine(self) -> bool:
        """Whether it can be asked things by messages."""
        return self._command.machine and self._progress.spoken

    async def address(self, timeout: float) -> Sighting:
        """Wait for the address of its VM Service, from wherever it comes first.

        Raises:
            LaunchFailed: None came in time, or the program ended; with what it printed last.
        """
        loop = asyncio.get_running_loop()
        deadline = loop.time() + timeout
        while True:
            self._news.clear()
            now = loop.time()
            found = self._found(now)
            if found is not None:
                return found
            if self._progress.stopped:
                raise self._failed("stopped before its app was there")
            if self._ended():
                raise self._died()
            if self._runs_since is not None and now >= self._runs_since + _NO_SERVICE:
                raise self._failed(
                    "started its app, which has no VM Service",
                    hint="a debug or profile build has one; a release build, or one to wasm, has"
                    " none",
                )
            if now >= deadline:
                if self._sightings:
                    return max(self._sightings.values(), key=lambda each: each[0])[1]
                raise self._failed(
                    f"told no address of a VM Service within {timeout:g} s",
                    hint="give it more time with ready_timeout; a release build has no VM Service",
                )
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout_at(self._next_look(now, deadline)):
                    await self._news.wait()

    async def alongside(self, doing: Coroutine[Any, Any, _T]) -> _T:
        """Await something that needs the program to live.

        Raises:
            LaunchFailed: It ended meanwhile.
        """
        task = asyncio.create_task(doing)
        try:
            await asyncio.wait({task, self._end}, return_when=asyncio.FIRST_COMPLETED)
            if not task.done() and self._ended():
                raise self._died()
            try:
                return await task
            except AppError as error:
                if self._group.process.returncode not in {None, 0}:
                    raise self._died() from error
                raise
        finally:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)

    async def restart(self, timeout: float) -> None:
        """Have the flutter tool restart the app.

        Raises:
            VerbUnavailable: It was not started with `--machine`.
            AppError: The tool refuses.
        """
        if not self.machine or self._progress.app is None:
            raise VerbUnavailable("restart", "the app's tool takes no messages")
        answer = await self._ask(
            "app.restart", {"appId": self._progress.app, "fullRestart": True}, timeout
        )
        result = answer.result if isinstance(answer.result, dict) else {}
        if answer.error is not None or result.get("code", 0) != 0:
            said = answer.error or str(result.get("message") or f"code {result.get('code')}")
            raise AppError(f"the flutter tool did not restart the app: {said}")

    async def stop(self) -> None:
        """End the app: in the tool's own way where it has one, then by signals. Leaves nothing."""
        try:
            if self.machine and self._group.lives:
                await self._ask_to_stop()
        finally:
            await self._group.end(grace=_STOP_GRACE)
            await self._finish_reading()
            await self._stack.aclose()

    async def __aenter__(self) -> Launched:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.stop()

    # Finding the address

    def _found(self, now: float) -> Sighting | None:
        if self._progress.uri is not None:
            return Sighting(self._progress.uri, By.TOOL)
        written = _content(self._command.uri_file)
        if written is not None and written != self._stale:
            found = address_in_file(written[1])
            if found is not None:
                return found
        for by, (seen, sighting) in self._sightings.items():
            if now >= seen + self._patience(by):
                return sighting
        return None

    def _patience(self, by: By) -> float:
        if by is By.VM and not self._command.by_flutter:
            return 0.0
        return _PATIENCE.get(by, 0.0)

    def _next_look(self, now: float, deadline: float) -> float:
        looks = [
            deadline,
            *(seen + self._patience(by) for by, (seen, _) in self._sightings.items()),
        ]
        if self._runs_since is not None:
            looks.append(self._runs_since + _NO_SERVICE)
        if self._command.uri_file is not None or self._end.done():
            looks.append(now + _LOOK)
        return min(looks)

    def _ended(self) -> bool:
        """Nothing more is to come. A script may end before what it started."""
        if not self._end.done():
            return False
        if self._group.process.returncode == 0 and self._group.lives:
            return False
        return all(each.done() for each in self._readers) or not self._group.lives

    # Talking

    async def _ask(self, method: str, params: dict[str, Any], timeout: float) -> Message:
        stdin = self._group.process.stdin
        assert stdin is not None
        number = self._last_id = self._last_id + 1
        waiter: asyncio.Future[Message] = asyncio.get_running_loop().create_future()
        self._asked[number] = waiter
        try:
            stdin.write(request(number, method, params).encode())
            async with asyncio.timeout(timeout):
                return await waiter
        except TimeoutError:
            raise AppError(f"the flutter tool did not answer {method} in {timeout:g} s") from None
        except OSError as error:
            raise AppError(f"the flutter tool is gone: {error}") from error
        finally:
            self._asked.pop(number, None)

    async def _ask_to_stop(self) -> None:
        loop = asyncio.get_running_loop()
        deadline = loop.time() + _STOP_GRACE
        if self._progress.app is not None and not self._progress.stopped:
            with contextlib.suppress(AppError):
                await self._ask("app.stop", {"appId": self._progress.app}, _STOP_GRACE)
        stdin = self._group.process.stdin
        assert stdin is not None
        with contextlib.suppress(OSError):
            stdin.write(request(self._last_id + 1, "daemon.shutdown").encode())
        await self._group.ended_within(max(0.5, deadline - loop.time()))

    # Reading

    async def _read(self, stream: asyncio.StreamReader) -> None:
        output = Output()
        try:
            while data := await stream.read(1 << 16):
                self._take(output.feed(data))
        finally:
            self._take(output.end())

    async def _wait(self) -> None:
        await self._group.process.wait()
        self._news.set()
        # What was printed last may still be in the pipes; a child may hold them open for ever.
        await asyncio.wait(self._readers, timeout=2.0)
        self._news.set()
        for waiter in self._asked.values():
            if not waiter.done():
                waiter.set_exception(AppError("the flutter tool ended"))

    def _take(self, said: list[Said]) -> None:
        now = asyncio.get_running_loop().time()
        for each in said:
            for message in each.messages:
                self._take_message(message)
            if each.sighting is not None:
                self._sightings[each.sighting.by] = (now, each.sighting)
            if not each.messages:
                self._tail.append(each.line)
            if self._on_line is not None:
                self._on_line(each.line)
        if said:
            self._news.set()

    def _take_message(self, message: Message) -> None:
        if message.id is None:
            self._progress.take(message)
            if self._progress.started and self._runs_since is None:
                self._runs_since = asyncio.get_running_loop().time()
            return
        waiter = self._asked.get(message.id)
        if waiter is not None and not waiter.done():
            waiter.set_result(message)

    async def _finish_reading(self) -> None:
        await asyncio.wait([self._end, *self._readers], timeout=2.0)
        for each in (self._end, *self._readers):
            each.cancel()
        await asyncio.gather(self._end, *self._readers, return_exceptions=True)

    def _died(self) -> LaunchFailed:
        code = _code(self._group.process.returncode)
        return self._failed(f"ended with {code} before its app was there")

    def _failed(self, what: str, *, hint: str = "") -> LaunchFailed:
        complaints = self._progress.complaints[-3:]
        lines = [line for each in complaints for line in each.splitlines()]
        lines += [each for each in self._tail if each.strip() not in lines]
        told = [f"  {each}" for each in lines[-_TOLD:]]
        if told:
            told.insert(0, "it said last:")
        return LaunchFailed("\n".join([f"`{self._command}` {what}", *told]), hint=hint)


def _content(file: Path | None) -> tuple[int, str] | None:
    """When a file was written, and what it holds; None when it is not there."""
    if file is None:
        return None
    try:
        return file.stat().st_mtime_ns, file.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return None


def _code(code: int | None) -> str:
    return f"signal {-code}" if code is not None and code < 0 else f"exit code {code}"


def _not_started(command: Command, error: OSError | ValueError) -> LaunchFailed:
    program = command.arguments[0]
    if isinstance(error, FileNotFoundError):
        return LaunchFailed(
            f"there is no program `{program}`", hint="is it installed, and on the PATH?"
        )
    return LaunchFailed(f"`{program}` cannot be started: {why_refused(error)}")
