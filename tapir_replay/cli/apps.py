"""Apps of the command line: the demo, or a VM Service address."""

from __future__ import annotations

import argparse
from contextlib import AsyncExitStack

from tapir_replay.app.errors import AppError, AppUnreachable, ConnectError
from tapir_replay.app.interface import App
from tapir_replay.app.vm_app import VmApp

DEMO = "demo"


class Apps:
    """Connects to apps as scenarios name them, and keeps the connections.

        async with Apps(options) as apps:
            app = await apps.app_for("demo")

    Args:
        options: Of `cli.options.add_app_options`; --uri and --app win over what a scenario says.
    """

    def __init__(self, options: argparse.Namespace) -> None:
        self._options = options
        self._connected: dict[str, VmApp] = {}
        self._stack = AsyncExitStack()

    @property
    def default(self) -> str | None:
        """What scenarios without an app are played on."""
        chosen: str | None = self._options.uri or self._options.app
        return chosen

    async def app_for(self, name: str | None) -> App:
        wanted = self.default or name
        if wanted is None:
            raise ConnectError(
                "which app? the scenario names none, and neither does the command line",
                hint="give --uri with the VM Service address, or --app demo",
            )
        app = self._connected.get(wanted)
        if app is None:
            app = self._connected[wanted] = await self._connect(wanted)
        else:
            await self._make_sure(app)
        return app

    async def _connect(self, wanted: str) -> VmApp:
        uri = await self._start_demo() if wanted == DEMO else wanted
        if "://" not in uri:
            raise AppUnreachable(
                f'there is no app "{wanted}"',
                hint="an app is `demo`, or the address of a VM Service (http://127.0.0.1:...)",
            )
        app = await VmApp.connect(
            uri,
            name=DEMO if wanted == DEMO else None,
            isolate=self._options.isolate,
            timeout=self._options.connect_timeout,
            cdp_port=self._options.cdp_port,
            allow_evaluate=self._options.allow_evaluate,
        )
        self._stack.push_async_callback(app.close)
        return app

    async def _start_demo(self) -> str:
        from tapir_replay.demo.server import DemoServer  # noqa: PLC0415

        return (await self._stack.enter_async_context(DemoServer())).uri

    async def _make_sure(self, app: VmApp) -> None:
        """After an app went away in an earlier scenario, find it again or say that it is gone."""
        try:
            await app.call("get_routes", timeout=self._options.connect_timeout)
        except AppError:
            await app.reattach(self._options.connect_timeout)

    async def __aenter__(self) -> Apps:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._stack.aclose()
