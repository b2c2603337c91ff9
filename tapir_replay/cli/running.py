"""One app of a run: how it is reached, reached again, and let go of."""

from __future__ import annotations

import argparse
import asyncio
import os
from collections.abc import Callable
from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path

from tapir_replay.app.errors import (
    AppError,
    AppUnreachable,
    LaunchFailed,
    NotAVmService,
    ResetFailed,
    VerbUnavailable,
)
from tapir_replay.app.launch.adb import Forward
from tapir_replay.app.launch.launched import Launched
from tapir_replay.app.launch.session import Session, find_session
from tapir_replay.app.launch.uri_scan import By
from tapir_replay.app.restart import hot_restart
from tapir_replay.app.vm_app import VmApp
from tapir_replay.project.model import READY_TIMEOUT, AppSpec

_LOOK = 0.2
"""Seconds between two tries to reach an app that is starting."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ways:
    """What all apps of a run have in common.

    Attributes:
        options: Of `cli.options.add_app_options`.
        render: Fills in the templates of a project file's texts.
        keep_line: Called for each line that a launched app prints, with the app's name.
        tell: Called with what a person who waits wants to know.
    """

    options: argparse.Namespace
    render: Callable[[str], str]
    keep_line: Callable[[str, str], None] | None = None
    tell: Callable[[str], None] | None = None


class Running:
    """An app, from its spec. `fresh` until something was played on it."""

    def __init__(self, spec: AppSpec, ways: Ways) -> None:
        self.spec = spec
        self.fresh = False
        self._ways = ways
        self._stack = AsyncExitStack()
        self._app: VmApp | None = None
        self._launched: Launched | None = None
        self._made_sure = False
        self._failed: LaunchFailed | None = None

    async def app(self) -> VmApp:
        """The app, connected and alive.

        Raises:
            AppError: It cannot be reached.
        """
        if self._app is None:
            return await self._connect()
        if self._made_sure:
            self._made_sure = False
        else:
            await self._make_sure(self._app)
        return self._app

    def begin(self) -> None:
        """The app is at its beginning, and is about to be played on."""
        self.fresh = False
        self._made_sure = True

    async def restart(self) -> None:
        """Have the app begin anew.

        Raises:
            ResetFailed: It cannot be restarted.
        """
        app = await self.app()
        if self.fresh:
            return
        tool = self._launched.restart if self._launched and self._launched.machine else None
        try:
            await hot_restart(app, timeout=self.spec.ready_timeout, tool=tool)
        except VerbUnavailable as error:
            if self.spec.kind not in OURS:
                raise ResetFailed(error.message, hint=error.hint) from error
            await self._connect()

    async def close(self) -> None:
        """Let go of it; what was started here is ended."""
        self._app, self._launched, self._made_sure = None, None, False
        await self._stack.aclose()

    async def _make_sure(self, app: VmApp) -> None:
        """After an app went away in an earlier scenario, find it or start it again."""
        patience: float = self._ways.options.connect_timeout
        try:
            await app.call("get_routes", timeout=patience)
        except AppError:
            try:
                await app.reattach(patience)
            except AppError:
                if self.spec.kind == "uri":
                    raise
                await self._connect()

    async def _connect(self) -> VmApp:
        if self._failed is not None:
            # A build takes minutes, and would fail again for each scenario.
            raise self._failed
        await self.close()
        try:
            match self.spec.kind:
                case "demo":
                    self._app = await self._demo()
                case "launch":
                    self._app = await self._launch()
                case "session":
                    self._app = await self._session()
                case _:
                    self._app = await self._at(self._ways.render(self.spec.uri or ""))
        except BaseException as error:
            await self.close()
            if isinstance(error, LaunchFailed):
                self._failed = error
            raise
        self.fresh = self.spec.kind in OURS
        return self._app

    async def _demo(self) -> VmApp:
        from tapir_replay.demo.server import DemoServer  # noqa: PLC0415

        server = await self._stack.enter_async_context(DemoServer())
        return await self._attach(server.uri)

    async def _at(self, uri: str) -> VmApp:
        if self.spec.device is not None:
            uri = await self._forwarded(self.spec.device, uri)
        own = self.spec.ready_timeout != READY_TIMEOUT
        return await self._attach(uri, timeout=self.spec.ready_timeout if own else None)

    async def _launch(self) -> VmApp:
        spec, ways = self.spec, self._ways
        if ways.tell is not None:
            ways.tell(f"starting {spec.name}: {' '.join(spec.command or ())}")
        keep = ways.keep_line
        launched = await Launched.start(
            [ways.render(each) for each in spec.command or ()],
            cwd=spec.cwd,
            env={name: ways.render(value) for name, value in spec.env.items()},
            on_line=None if keep is None else lambda line: keep(spec.name, line),
        )
        await self._stack.enter_async_context(launched)
        self._launched = launched
        loop = asyncio.get_running_loop()
        deadline = loop.time() + spec.ready_timeout
        sighting = await launched.address(spec.ready_timeout)
        uri = sighting.uri
        if spec.device is not None and sighting.by is By.VM:
            uri = await self._forwarded(spec.device, uri)
        # However long the build took, the verbs get their time.
        deadline = max(deadline, loop.time() + ways.options.connect_timeout)
        return await launched.alongside(self._attach_until(uri, deadline))

    async def _session(self) -> VmApp:
        loop = asyncio.get_running_loop()
        deadline = loop.time() + self.spec.ready_timeout
        session = self._find_session()
        while session.uri is None:
            if loop.time() >= deadline:
                raise AppUnreachable(
                    f"the session {session} has no address after {self.spec.ready_timeout:g} s"
                )
            await asyncio.sleep(_LOOK)
            session = self._find_session()
        until = max(deadline if session.booting else 0.0, self._soon())
        return await self._attach_until(session.uri, until, cdp_port=session.cdp_port)

    def _find_session(self) -> Session:
        return find_session(self.spec.cwd or Path(), os.environ, _runs)

    async def _forwarded(self, serial: str, uri: str) -> str:
        forward = await self._stack.enter_async_context(Forward(serial, uri))
        return forward.uri

    async def _attach_until(
        self, uri: str, deadline: float, *, cdp_port: int | None = None
    ) -> VmApp:
        """Connect to an app that is starting: its address may be told before it can be used."""
        loop = asyncio.get_running_loop()
        while True:
            try:
                left = max(1.0, deadline - loop.time())
                return await self._attach(uri, timeout=left, cdp_port=cdp_port)
            except (AppUnreachable, NotAVmService):
                if loop.time() >= min(deadline, self._soon()) or not self.spec.kind == "launch":
                    raise
            await asyncio.sleep(_LOOK)

    async def _attach(
        self, uri: str, *, timeout: float | None = None, cdp_port: int | None = None
    ) -> VmApp:
        options = self._ways.options
        app = await VmApp.connect(
            uri,
            name=self.spec.name or None,
            isolate=options.isolate,
            timeout=options.connect_timeout if timeout is None else timeout,
            cdp_port=options.cdp_port or cdp_port,
            allow_evaluate=options.allow_evaluate,
        )
        self._stack.push_async_callback(app.close)
        return app

    def _soon(self) -> float:
        patience: float = self._ways.options.connect_timeout
        return asyncio.get_running_loop().time() + patience


OURS = frozenset({"demo", "launch"})
"""Kinds that are started here, so that they may be started again."""


def _runs(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True
