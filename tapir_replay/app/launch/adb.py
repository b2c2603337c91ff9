"""Ports of an Android device made ports of this machine.

A forward outlives the app and its tools, so whoever makes one takes it away again.
"""

from __future__ import annotations

import asyncio
import contextlib
import shutil
from types import TracebackType
from typing import Self
from urllib.parse import urlsplit, urlunsplit

from tapir_replay.app.errors import ForwardFailed
from tapir_replay.app.uri import normalise

_TIMEOUT = 20.0
"""Seconds; the first call starts adb's own server."""


class Forward:
    """A device's port on this machine, for as long as it is open.

        async with Forward("emulator-5554", "ws://127.0.0.1:8181/code=/ws") as forward:
            await VmApp.connect(forward.uri)

    Args:
        serial: The device, as `adb devices` calls it.
        uri: The address as the device has it.
    """

    def __init__(self, serial: str, uri: str, *, adb: str | None = None) -> None:
        self._serial = serial
        self._device_uri = normalise(uri)
        self._adb = adb or shutil.which("adb")
        self._port: int | None = None

    @property
    def uri(self) -> str:
        """The address for use from here."""
        assert self._port is not None, "nothing is forwarded"
        parts = urlsplit(self._device_uri)
        return urlunsplit(parts._replace(netloc=f"127.0.0.1:{self._port}"))

    async def __aenter__(self) -> Self:
        if self._adb is None:
            raise ForwardFailed(
                f"the app runs on {self._serial}, and there is no `adb` to reach it by",
                hint="install Android's platform-tools, and put them on the PATH",
            )
        port = urlsplit(self._device_uri).port
        if port is None:
            raise ForwardFailed("the address of the app on the device has no port")
        said = await self._run("-s", self._serial, "forward", "tcp:0", f"tcp:{port}")
        if not said.isdigit():
            raise ForwardFailed(f"adb was asked to forward a port, and said {said[:200]!r}")
        self._port = int(said)
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._port is not None:
            port, self._port = self._port, None
            # The device may be gone, and its forwards with it.
            with contextlib.suppress(ForwardFailed):
                await self._run("-s", self._serial, "forward", "--remove", f"tcp:{port}")

    async def _run(self, *arguments: str) -> str:
        assert self._adb is not None
        try:
            process = await asyncio.create_subprocess_exec(
                self._adb,
                *arguments,
                stdin=asyncio.subprocess.DEVNULL,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.PIPE,
            )
        except OSError as error:
            raise ForwardFailed(f"adb cannot be started: {error.strerror}") from error
        try:
            async with asyncio.timeout(_TIMEOUT):
                out, err = await process.communicate()
        except TimeoutError:
            process.kill()
            await process.wait()
            raise ForwardFailed(f"adb did not answer within {_TIMEOUT:g} s") from None
        if process.returncode != 0:
            said = (err or out).decode("utf-8", "replace").strip().removeprefix("adb: ")
            raise ForwardFailed(
                f"adb cannot forward a port of {self._serial}: {said or process.returncode}",
                hint="`adb devices` lists the devices that there are",
            )
        return out.decode("utf-8", "replace").strip()
