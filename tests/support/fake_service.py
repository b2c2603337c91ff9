"""A peer on loopback that does what a test tells it to: for what a real VM cannot be made to do.

async with FakeService(answers={"ext.tapir.snap": Frame("not json")}) as fake:
    app = await VmApp.connect(fake.uri)
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

from websockets.asyncio.server import Server, ServerConnection, serve
from websockets.exceptions import ConnectionClosed

if TYPE_CHECKING:
    from types import TracebackType

    from websockets.http11 import Request, Response

ISOLATE = "isolates/1"


@dataclass(frozen=True)
class Fault:
    """An error answer."""

    code: int
    message: str | None = "Server error"
    data: Any = None


@dataclass(frozen=True)
class Frame:
    """Sent as it is; `%d` stands for the request's id."""

    text: str | bytes


class Silence:
    """No answer at all."""


SILENCE = Silence()

Answer = Callable[[dict[str, Any]], Any] | Any
"""A result, or what makes one of the request's parameters."""

DEFAULTS: dict[str, Answer] = {
    "getSupportedProtocols": {
        "type": "ProtocolList",
        "protocols": [{"protocolName": "VM Service", "major": 4, "minor": 16}],
    },
    "getVersion": {"type": "Version", "major": 4, "minor": 16},
    "streamListen": {"type": "Success"},
    "getVM": {"type": "VM", "isolates": [{"type": "@Isolate", "id": ISOLATE, "name": "main"}]},
    "getIsolate": {
        "type": "Isolate",
        "id": ISOLATE,
        "name": "main",
        "pauseEvent": {"type": "Event", "kind": "Resume"},
        "extensionRPCs": ["ext.tapir.snap", "ext.tapir.tap", "ext.tapir.boot_id"],
        "rootLib": {"type": "@Library", "id": "libraries/1"},
    },
    "ext.tapir.boot_id": {"bootId": "1"},
}


class FakeService:
    """A service with one isolate that has a few verbs, unless told otherwise.

    Args:
        answers: By method; they go before the default ones. None takes a default one away.
        before: Answers the handshake instead of a WebSocket.
    """

    def __init__(
        self,
        answers: Mapping[str, Answer] | None = None,
        *,
        before: Callable[[ServerConnection, Request], Response | None] | None = None,
    ) -> None:
        self.answers: dict[str, Answer] = {**DEFAULTS, **(answers or {})}
        self.requests: list[dict[str, Any]] = []
        self.connections: list[ServerConnection] = []
        self._before = before
        self._news = asyncio.Event()
        self._server: Server

    @property
    def port(self) -> int:
        port: int = self._server.sockets[0].getsockname()[1]
        return port

    @property
    def uri(self) -> str:
        return f"ws://127.0.0.1:{self.port}/code=/ws"

    def asked(self, method: str) -> list[dict[str, Any]]:
        """The parameters of each request for `method`."""
        return [request["params"] for request in self.requests if request["method"] == method]

    async def until_asked(self, method: str, times: int = 1) -> dict[str, Any]:
        """Wait for that request; the whole of it."""
        while len(self.asked(method)) < times:
            self._news.clear()
            await self._news.wait()
        return [request for request in self.requests if request["method"] == method][times - 1]

    async def send(self, message: Any) -> None:
        """Something that nobody asked for: a text or bytes as they are, else as JSON."""
        frame = message if isinstance(message, (str, bytes)) else json.dumps(message)
        for connection in self.connections:
            await connection.send(frame)

    async def report(self, stream: str, kind: str, **body: Any) -> None:
        """An event."""
        event = {"type": "Event", "kind": kind, "timestamp": 1, **body}
        params = {"streamId": stream, "event": event}
        await self.send({"jsonrpc": "2.0", "method": "streamNotify", "params": params})

    async def __aenter__(self) -> Self:
        self._server = await serve(
            self._serve, "127.0.0.1", 0, process_request=self._before, compression=None
        )
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._server.close()
        await self._server.wait_closed()

    async def _serve(self, connection: ServerConnection) -> None:
        self.connections.append(connection)
        try:
            async for frame in connection:
                await self._answer(connection, json.loads(frame))
        except ConnectionClosed:
            pass
        finally:
            self.connections.remove(connection)

    async def _answer(self, connection: ServerConnection, request: dict[str, Any]) -> None:
        self.requests.append(request)
        self._news.set()
        answer = self.answers.get(request["method"])
        if callable(answer):
            answer = answer(request["params"])
        reply: dict[str, Any] = {"jsonrpc": "2.0", "id": request["id"]}
        match answer:
            case Silence():
                return
            case Frame(text):
                frame = text % request["id"] if "%d" in str(text) else text
                await connection.send(frame)
                return
            case Fault(code, message, data):
                reply["error"] = {"code": code, "message": message, "data": data}
            case None:
                reply["error"] = {"code": -32601, "message": "Method not found"}
            case _:
                reply["result"] = answer
        await connection.send(json.dumps(reply))
