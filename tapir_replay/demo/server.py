"""The demo app on a socket."""

from __future__ import annotations

import asyncio
import contextlib
import http
import json
import secrets
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

from websockets.asyncio.server import Server, ServerConnection, serve
from websockets.exceptions import ConnectionClosed

from tapir_replay.demo.app import App
from tapir_replay.demo.service import Client, VmService
from tapir_replay.demo.verbs import Context

if TYPE_CHECKING:
    from types import TracebackType

    from websockets.http11 import Request, Response

    from tapir_replay.demo.clock import Clock

HOST = "127.0.0.1"

PAGE = Path(__file__).with_name("page.html")
"""A window to the app, for people."""


class DemoServer:
    """The demo, served as a Flutter app in debug mode is: the VM Service on loopback.

        async with DemoServer() as server:
            ...  # any VM Service client can connect to server.uri

    With `plain` it offers the Tapir verbs alone. With a `lifecycle` in which an app draws no frames
    (`hidden`, `paused`, `detached`) the answers carry the warning of that.
    """

    def __init__(
        self,
        *,
        plain: bool = False,
        clock: Clock | None = None,
        lifecycle: str = "resumed",
        port: int = 0,
    ) -> None:
        self._code = f"{secrets.token_urlsafe(8)}="
        self._port = port
        self._server: Server | None = None
        self._closing: asyncio.Task[None] | None = None
        self._closed = asyncio.Event()
        self._calls: set[asyncio.Task[None]] = set()
        self.app = App(clock=clock, lifecycle=lifecycle)
        self._service = VmService(Context(self.app, plain=plain, close_app=self._close_soon))

    async def start(self) -> None:
        """Begin to listen, at a free port unless one was asked for."""
        self._server = await serve(
            self._talk,
            HOST,
            self._port,
            process_request=self._look_at_path,
            compression=None,
            max_size=None,
            ping_interval=None,
            close_timeout=1,
        )
        self._port = next(iter(self._server.sockets)).getsockname()[1]

    async def close(self) -> None:
        """Cut every connection and stop listening."""
        if self._server is not None:
            self._server.close()
            await self._server.wait_closed()
            self._server = None
        for call in self._calls:
            call.cancel()
        self._closed.set()

    async def wait_closed(self) -> None:
        """Until the server is closed, be it by `close` or because a client closed the app."""
        await self._closed.wait()

    async def __aenter__(self) -> DemoServer:
        await self.start()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.close()

    @property
    def uri(self) -> str:
        return f"ws://{HOST}:{self._port}/{self._code}/ws"

    @property
    def http_uri(self) -> str:
        return f"http://{HOST}:{self._port}/{self._code}/"

    @property
    def page_uri(self) -> str:
        """Where a person can see and use the app in a browser."""
        return page_at(self.uri)

    def _close_soon(self) -> None:
        """After the answer to `close_app` had its chance to leave."""

        async def later() -> None:
            await asyncio.sleep(0.02)
            await self.close()

        self._closing = asyncio.get_running_loop().create_task(later())

    def _look_at_path(self, connection: ServerConnection, request: Request) -> Response | None:
        """Refuse as the VM does: 403 without the right code, else 200 with a text."""
        path = unquote(request.path.partition("?")[0])
        code, _, rest = path.removeprefix("/").partition("/")
        if code != self._code:
            text = "missing or invalid authentication code"
            return connection.respond(http.HTTPStatus.FORBIDDEN, text)
        if rest == "ws":
            return None
        if rest == "app":
            page = connection.respond(http.HTTPStatus.OK, PAGE.read_text(encoding="utf-8"))
            del page.headers["Content-Type"]
            page.headers["Content-Type"] = "text/html; charset=utf-8"
            return page
        if not rest.strip("/"):
            text = (
                "This VM does not have a registered Dart Development Service (DDS) instance and "
                "is not currently serving Dart DevTools."
            )
            return connection.respond(http.HTTPStatus.OK, text)
        error = {"code": -32601, "message": "Method not found"}
        body: dict[str, Any] = {"jsonrpc": "2.0", "error": error, "id": ""}
        return connection.respond(http.HTTPStatus.OK, json.dumps(body))

    async def _talk(self, connection: ServerConnection) -> None:
        client = Client(connection.send)
        self._service.add(client)
        try:
            async for message in connection:
                refused = _refusal(message)
                if refused is not None:
                    await connection.close(*refused)
                    break
                # As in the VM, what was asked for is done even if the asker has gone by then.
                task = asyncio.create_task(self._answer(client, str(message)))
                self._calls.add(task)
                task.add_done_callback(self._calls.discard)
        except ConnectionClosed:
            pass
        finally:
            self._service.remove(client)

    async def _answer(self, client: Client, message: str) -> None:
        with contextlib.suppress(ConnectionClosed):
            await self._service.answer(client, message)


def page_at(uri: str) -> str:
    """The page of the demo whose WebSocket is at this address."""
    return f"{uri.replace('ws:', 'http:', 1).removesuffix('ws')}app"


def _refusal(message: str | bytes) -> tuple[int, str] | None:
    """Why a frame is no request. The real VM's service dies of some of these; this one does not."""
    if isinstance(message, bytes):
        return 4001, "Message must be a string."
    try:
        request = json.loads(message)
    except ValueError:
        return 4000, "Message parse error"
    if not isinstance(request, dict):
        return 4002, "Message must be a JSON map."
    params = request.get("params") or {}
    if not isinstance(request.get("method"), str) or not isinstance(params, dict):
        return 4002, "Message must be a request."
    return None
