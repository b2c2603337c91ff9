"""A real Chromium for the tests, headless, with its debugging port open.

It is looked for in the environment variable ``TAPIR_REPLAY_CHROMIUM``, then under its usual names
on the PATH and on macOS, and at last installed by ``apt-get`` when that is possible. A test that
needs it fails when none can be had: it is never skipped.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from types import TracebackType

CHROMIUM_VARIABLE = "TAPIR_REPLAY_CHROMIUM"

NAMES = (
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "chrome",
    "msedge",
)

MAC_APPS = (
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
)

START_TIMEOUT_S = 30.0


class ChromiumUnavailableError(RuntimeError):
    """No Chromium can be had here, or it did not start; the message says what to do about it."""


def find_chromium() -> Path:
    """The browser to use, installed first if need be."""
    named = os.environ.get(CHROMIUM_VARIABLE)
    if named:
        if not Path(named).is_file():
            raise ChromiumUnavailableError(
                f"{CHROMIUM_VARIABLE} names {named!r}, which is not a file"
            )
        return Path(named)
    found = _installed()
    if found is None:
        _install()
        found = _installed()
    if found is None:
        raise ChromiumUnavailableError(
            "The tests need a Chromium. Put `chromium` or `google-chrome` on the PATH, "
            f"or set {CHROMIUM_VARIABLE} to one."
        )
    return found


def _installed() -> Path | None:
    for name in NAMES:
        on_path = shutil.which(name)
        if on_path:
            return Path(on_path)
    return next((Path(app) for app in MAC_APPS if Path(app).is_file()), None)


def _install() -> None:
    if not hasattr(os, "geteuid") or os.geteuid() != 0 or shutil.which("apt-get") is None:
        return
    # One broken source among several must not stop it: the installation is what counts.
    subprocess.run(["apt-get", "update"], check=False, capture_output=True)
    done = subprocess.run(
        ["apt-get", "install", "--yes", "--no-install-recommends", "chromium"],
        check=False,
        capture_output=True,
        text=True,
        env={**os.environ, "DEBIAN_FRONTEND": "noninteractive"},
    )
    if done.returncode != 0:
        raise ChromiumUnavailableError(f"Chromium cannot be installed: {done.stderr.strip()}")


class Chromium:
    """A headless browser that shows one page, for as long as the context lasts."""

    def __init__(self, url: str = "about:blank") -> None:
        self.url = url
        self.port = 0
        self._process: asyncio.subprocess.Process | None = None
        self._profile = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)

    async def __aenter__(self) -> Self:
        browser = await asyncio.to_thread(find_chromium)
        as_root = hasattr(os, "geteuid") and os.geteuid() == 0
        self._process = await asyncio.create_subprocess_exec(
            browser,
            "--headless=new",
            "--remote-debugging-port=0",
            f"--user-data-dir={self._profile.name}",
            "--disable-gpu",
            "--disable-dev-shm-usage",
            "--no-first-run",
            "--window-size=800,600",
            *(["--no-sandbox"] if as_root else []),
            self.url,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.DEVNULL,
            stderr=asyncio.subprocess.PIPE,
            start_new_session=True,
        )
        try:
            async with asyncio.timeout(START_TIMEOUT_S):
                self.port = await self._announced_port(self._process)
        except BaseException:
            await self.stop()
            raise
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.stop()

    async def stop(self) -> None:
        """End the browser and all its processes. Also safe when it has ended already."""
        process = self._process
        if process is not None and process.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, 9)
        if process is not None:
            await process.communicate()
        self._profile.cleanup()

    async def _announced_port(self, process: asyncio.subprocess.Process) -> int:
        """The port that the system chose, from the line `DevTools listening on ws://…`."""
        assert process.stderr is not None
        said: list[str] = []
        while line := await process.stderr.readline():
            said.append(line.decode("utf-8", "replace").rstrip())
            _, found, address = said[-1].partition("DevTools listening on ws://")
            if found:
                return int(address.split("/")[0].rpartition(":")[2])
        raise ChromiumUnavailableError("Chromium did not start:\n" + "\n".join(said))
