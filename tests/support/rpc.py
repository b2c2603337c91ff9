"""A bare JSON-RPC client of the Dart VM Service, with no opinion about the app behind it.

The contract tests speak through it, and measurements take it as the baseline: whatever is slower
than this is our own doing.

    async with connect(uri) as app:
        found = await app.call("find", text="Sign in")
        await app.call("tap", ref=found["ref"], includeSnapshot=False)
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import json
from collections import defaultdict
from typing import TYPE_CHECKING, Any

from websockets.asyncio.client import ClientConnection
from websockets.asyncio.client import connect as open_websocket
from websockets.exceptions import ConnectionClosed

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Mapping

PREFIX = "ext.tapir."


class WireError(Exception):
    """A JSON-RPC error answer.

    `message` is the handler's own text where there is one, `type` the envelope's type, `details`
    what `data.details` decoded to (or an empty dict), `raw` the whole error object.
    """

    def __init__(self, raw: Mapping[str, Any]) -> None:
        self.raw = dict(raw)
        self.code: int = raw["code"]
        self.details = _details(raw)
        self.envelope: dict[str, Any] = self.details.get("envelope") or {}
        self.type: str | None = self.envelope.get("type")
        self.message = str(self.details.get("message") or raw.get("message"))
        super().__init__(f"{self.code} {self.type or ''} {self.message}")


class SentinelError(Exception):
    """The service answered that the isolate is gone."""


def _details(raw: Mapping[str, Any]) -> dict[str, Any]:
    data = raw.get("data")
    text = data.get("details") if isinstance(data, dict) else None
    if not isinstance(text, str):
        return {}
    with contextlib.suppress(ValueError):
        decoded = json.loads(text)
        if isinstance(decoded, dict):
            return decoded
    return {"message": text}


def _wire_text(value: object) -> str:
    """A parameter as the handler is meant to see it: every one arrives there as a string."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (list, tuple)):
        return ",".join(map(str, value))
    return str(value)


class Rpc:
    """One connection: requests by id, events kept by stream in the order they came."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket
        self.isolate = ""
        self.events: defaultdict[str, list[dict[str, Any]]] = defaultdict(list)
        self._ids = itertools.count(1)
        self._pending: dict[str, asyncio.Future[dict[str, Any]]] = {}
        self._event_came = asyncio.Event()
        self._reader = asyncio.create_task(self._read())

    async def request(self, method: str, /, **params: Any) -> Any:
        """Any method of the service; parameters go out as they are."""
        answer = await self.exchange(method, params)
        if "error" in answer:
            raise WireError(answer["error"])
        return answer["result"]

    async def exchange(self, method: str, params: Mapping[str, Any]) -> dict[str, Any]:
        """The whole answer frame, error or not."""
        number = str(next(self._ids))
        future: asyncio.Future[dict[str, Any]] = asyncio.get_running_loop().create_future()
        self._pending[number] = future
        frame = {"jsonrpc": "2.0", "id": number, "method": method, "params": dict(params)}
        await self.socket.send(json.dumps(frame))
        return await future

    async def call(self, verb: str, /, **params: Any) -> dict[str, Any]:
        """A Tapir verb by its short name, or any extension by its full one (`ext.…`)."""
        method = verb if verb.startswith("ext.") else PREFIX + verb
        texts = {name: _wire_text(value) for name, value in params.items()}
        result = await self.request(method, isolateId=self.isolate, **texts)
        assert isinstance(result, dict), result
        if result.get("type") == "Sentinel":
            raise SentinelError(result.get("valueAsString"))
        return result

    async def find_isolate(self, extension: str = "ext.tapir.boot_id") -> str:
        """The first isolate that has registered `extension`; it becomes the one `call` uses."""
        async with asyncio.timeout(10):
            while True:
                for entry in (await self.request("getVM"))["isolates"]:
                    isolate = await self.request("getIsolate", isolateId=entry["id"])
                    if extension in (isolate.get("extensionRPCs") or ()):
                        self.isolate = isolate["id"]
                        return self.isolate
                await asyncio.sleep(0.05)  # a real VM registers them some time after it is up

    async def next_event(self, stream: str, kind: str, timeout: float = 5) -> dict[str, Any]:
        """The first event of `kind` on `stream` that was not handed out before."""
        async with asyncio.timeout(timeout):
            while True:
                for index, event in enumerate(self.events[stream]):
                    if event["kind"] == kind:
                        return self.events[stream].pop(index)
                self._event_came.clear()
                await self._event_came.wait()

    async def close(self) -> None:
        self._reader.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await self._reader
        await self.socket.close()

    async def _read(self) -> None:
        try:
            async for text in self.socket:
                self._take(json.loads(text))
        except ConnectionClosed:
            pass
        finally:
            for future in self._pending.values():
                if not future.done():
                    future.set_exception(ConnectionError("the app closed the connection"))
            self._pending.clear()

    def _take(self, frame: dict[str, Any]) -> None:
        if frame.get("method") == "streamNotify":
            params = frame["params"]
            self.events[params["streamId"]].append(params["event"])
            self._event_came.set()
            return
        future = self._pending.pop(str(frame.get("id")), None)
        if future is not None and not future.done():
            future.set_result(frame)


@contextlib.asynccontextmanager
async def connect(uri: str, *, find_isolate: bool = True) -> AsyncIterator[Rpc]:
    """Open `uri` (`ws://…/ws`) and, unless told otherwise, find the app's isolate."""
    # A screenshot passes the default limit of 1 MiB; a proxy setting would catch loopback too.
    socket = await open_websocket(
        uri, compression=None, max_size=None, proxy=None, ping_interval=None, close_timeout=1
    )
    rpc = Rpc(socket)
    try:
        if find_isolate:
            await rpc.find_isolate()
        yield rpc
    finally:
        await rpc.close()
