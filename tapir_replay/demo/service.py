"""The Dart VM Service as a client meets it: methods, streams, events, and its ways of refusing."""

from __future__ import annotations

import asyncio
import base64
import contextlib
import json
import time
from collections import deque
from typing import TYPE_CHECKING, Any

from websockets.exceptions import ConnectionClosed

from tapir_replay.demo.faults import INVALID_PARAMS, Fault
from tapir_replay.demo.repeats import Repeats
from tapir_replay.demo.verbs import ACTIONS, EXTENDED, HANDLERS, Context, call

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping

    from tapir_replay.demo.verbs.common import Handler

ISOLATE = "isolates/4820157066231"
GROUP = "isolateGroups/7714309921"
ROOT_LIBRARY = "libraries/@1034129"
ROOT_URI = "package:tapir_demo/main.dart"

STREAMS = frozenset(
    {"VM", "Isolate", "Debug", "Profiler", "GC", "Extension", "Timeline", "Logging", "Service",
     "HeapSnapshot", "Stdout", "Stderr", "ToolEvent"}
)  # fmt: skip

METHOD_NOT_FOUND = -32601
INTERNAL_ERROR = -32603
ALREADY_SUBSCRIBED = 103
NOT_SUBSCRIBED = 104
COMPILE_ERROR = 113

_MESSAGES = {
    INVALID_PARAMS: "Invalid params",
    METHOD_NOT_FOUND: "Method not found",
    INTERNAL_ERROR: "Internal error",
    ALREADY_SUBSCRIBED: "Stream already subscribed",
    NOT_SUBSCRIBED: "Stream not subscribed",
    COMPILE_ERROR: "Expression compilation error",
}

GONE = {"type": "Sentinel", "kind": "Collected", "valueAsString": "<collected>"}


if TYPE_CHECKING:
    Method = Callable[["Client", Mapping[str, Any]], Any]


class RpcError(Exception):
    """An error answer of the service itself."""

    def __init__(self, code: int, details: str | None = None, data: Any = None) -> None:
        super().__init__(details)
        self.code = code
        self.data = {"details": details} if details is not None else data

    def as_json(self) -> dict[str, Any]:
        error: dict[str, Any] = {
            "code": self.code,
            "message": _MESSAGES.get(self.code, "Server error"),
        }
        if self.data is not None:
            error["data"] = self.data
        return error


class Client:
    """One connection: where its events go, and which streams it listens to."""

    def __init__(self, send: Callable[[str], Awaitable[None]]) -> None:
        self._send = send
        self._lock = asyncio.Lock()
        self._frames: deque[str] = deque()
        self._tasks: set[asyncio.Task[None]] = set()
        self.streams: set[str] = set()

    async def send(self, frame: str) -> None:
        """Send, after everything that was posted before."""
        self._frames.append(frame)
        await self._flush()

    async def _flush(self) -> None:
        async with self._lock:
            while self._frames:
                await self._send(self._frames.popleft())

    async def _flush_quietly(self) -> None:
        with contextlib.suppress(ConnectionClosed):
            await self._flush()

    def post(self, frame: str) -> None:
        """Send without waiting. What an action causes arrives before its answer."""
        self._frames.append(frame)
        task = asyncio.get_running_loop().create_task(self._flush_quietly())
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


class VmService:
    """Answers frames. Extensions run against the app, everything else is made up here."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._repeats = Repeats()
        self._clients: set[Client] = set()
        self._extensions: dict[str, Handler] = HANDLERS if context.plain else HANDLERS | EXTENDED
        # Name -> whether it is about an isolate, and what answers.
        self._methods: dict[str, tuple[bool, Method]] = {
            "getVersion": (False, lambda *_: _VERSION),
            "getSupportedProtocols": (False, lambda *_: _PROTOCOLS),
            "getVM": (False, self._get_vm),
            "getIsolate": (True, self._get_isolate),
            "streamListen": (False, self._listen),
            "streamCancel": (False, self._cancel),
            "evaluate": (True, self._evaluate),
            "reloadSources": (True, self._reload),
        }
        self._started = int(time.time() * 1000)
        context.app.console.listeners.append(self._printed)
        context.recorder.listeners.append(self._recorded)

    # --- connections ---------------------------------------------------------------------------

    def add(self, client: Client) -> None:
        self._clients.add(client)

    def remove(self, client: Client) -> None:
        self._clients.discard(client)

    async def answer(self, client: Client, text: str) -> None:
        """Answer one request frame; a notification gets no answer."""
        request = json.loads(text)
        params = request.get("params") or {}
        number = request.get("id")
        try:
            body = f'"result":{await self._result(client, request["method"], params)}'
        except RpcError as error:
            body = f'"error":{json.dumps(error.as_json())}'
        if number is not None:
            await client.send(f'{{"jsonrpc":"2.0",{body},"id":{json.dumps(number)}}}')

    async def _result(self, client: Client, method: str, params: dict[str, Any]) -> str:
        """The result as JSON text."""
        extension = self._extensions.get(method)
        if extension is not None and "isolateId" in params:
            if not self._is_ours(method, params):
                return json.dumps(GONE)
            return await self._extend(method, extension, params)
        own = self._methods.get(method)
        if own is None:
            request = {"method": method, "params": params}
            raise RpcError(METHOD_NOT_FOUND, data={"request": request})
        needs_isolate, handle = own
        if needs_isolate:
            if "isolateId" not in params:
                raise RpcError(INVALID_PARAMS, f"{method} expects the 'isolateId' parameter")
            if not self._is_ours(method, params):
                return json.dumps(GONE)
        return json.dumps(handle(client, params))

    def _is_ours(self, method: str, params: Mapping[str, Any]) -> bool:
        isolate = params["isolateId"]
        if not isinstance(isolate, str):
            raise RpcError(INTERNAL_ERROR, f"type '{dart_text(isolate)}' is not a String")
        kind, _, number = isolate.partition("/")
        if kind != "isolates" or not number.isdigit():
            raise RpcError(INVALID_PARAMS, f"{method}: invalid 'isolateId' parameter: {isolate}")
        return isolate == ISOLATE

    async def _extend(self, method: str, handler: Handler, params: dict[str, Any]) -> str:
        texts = {
            name: value if isinstance(value, str) else dart_text(value)
            for name, value in params.items()
        }
        request_id = texts.get("requestId", "")
        if self._context.plain or method not in ACTIONS or not request_id:
            return await self._run(method, handler, texts)
        return await self._repeats.once(
            method, request_id, lambda: self._run(method, handler, texts)
        )

    async def _run(self, method: str, handler: Handler, texts: dict[str, str]) -> str:
        try:
            return json.dumps(await call(self._context, method, handler, texts))
        except Fault as fault:
            raise RpcError(fault.code, fault.details()) from fault
        except Exception as error:  # a mistake of a handler's is an answer, not the end
            wrong = Fault(f"{method}: {type(error).__name__}: {error}")
            raise RpcError(wrong.code, wrong.details()) from error

    # --- events --------------------------------------------------------------------------------

    def _printed(self, line: str) -> None:
        data = base64.b64encode(f"{line}\n".encode(errors="replace")).decode("ascii")
        self.post_event("Stdout", "WriteEvent", {"bytes": data})

    def _recorded(self, data: Mapping[str, Any]) -> None:
        fields = {"extensionKind": "tapir_replay.record", "extensionData": data}
        self.post_event("Extension", "Extension", fields)

    def post_event(self, stream: str, kind: str, fields: Mapping[str, Any]) -> None:
        """Tell every client that listens."""
        listening = [client for client in self._clients if stream in client.streams]
        if not listening:
            return
        event = {
            "type": "Event",
            "kind": kind,
            "isolateGroup": _GROUP_REF,
            "isolate": _ISOLATE_REF,
            "timestamp": int(time.time() * 1000),
            **fields,
        }
        params = {"streamId": stream, "event": event}
        frame = json.dumps({"jsonrpc": "2.0", "method": "streamNotify", "params": params})
        for client in listening:
            client.post(frame)

    # --- the service's own methods -------------------------------------------------------------

    def _get_vm(self, _client: Client, _params: Mapping[str, Any]) -> Any:
        return {
            "type": "VM",
            "name": "vm",
            "architectureBits": 64,
            "hostCPU": "demo",
            "operatingSystem": "linux",
            "targetCPU": "x64",
            "version": "3.13.0 (stable) (tapir_replay demo)",
            "pid": 0,
            "startTime": self._started,
            "isolates": [_ISOLATE_REF],
            "isolateGroups": [_GROUP_REF],
            "systemIsolates": [],
            "systemIsolateGroups": [],
        }

    def _get_isolate(self, _client: Client, _params: Mapping[str, Any]) -> Any:
        return {
            **_ISOLATE_REF,
            "type": "Isolate",
            "startTime": self._started,
            "runnable": True,
            "livePorts": 1,
            "pauseOnExit": False,
            "pauseEvent": {
                "type": "Event",
                "kind": "Resume",
                "isolate": _ISOLATE_REF,
                "timestamp": self._started,
            },
            "rootLib": _LIBRARY_REF,
            "libraries": [_LIBRARY_REF],
            "breakpoints": [],
            "exceptionPauseMode": "None",
            "extensionRPCs": list(self._extensions),
        }

    def _listen(self, client: Client, params: Mapping[str, Any]) -> Any:
        stream = self._stream("streamListen", params)
        if stream in client.streams:
            raise RpcError(ALREADY_SUBSCRIBED)
        client.streams.add(stream)
        return {"type": "Success"}

    def _cancel(self, client: Client, params: Mapping[str, Any]) -> Any:
        stream = self._stream("streamCancel", params)
        if stream not in client.streams:
            raise RpcError(NOT_SUBSCRIBED)
        client.streams.discard(stream)
        return {"type": "Success"}

    def _stream(self, method: str, params: Mapping[str, Any]) -> str:
        stream = params.get("streamId")
        if not isinstance(stream, str):
            raise RpcError(INTERNAL_ERROR, f"type '{dart_text(stream)}' is not a String")
        if stream not in STREAMS:
            raise RpcError(INVALID_PARAMS, f"{method}: invalid 'streamId' parameter: {stream}")
        return stream

    def _evaluate(self, _client: Client, params: Mapping[str, Any]) -> Any:
        """Not Dart: constants answer with themselves, all else is an error as Dart reports it."""
        expression = str(params.get("expression", "")).strip()
        kinds = {"true": "Bool", "false": "Bool", "null": "Null"}
        kind = kinds.get(expression) or ("Int" if expression.lstrip("-").isdigit() else None)
        if kind is None and len(expression) > 1 and expression[0] == expression[-1] in "'\"":
            kind, expression = "String", expression[1:-1]
        if kind is None:
            return {
                "type": "@Error",
                "kind": "UnhandledException",
                "id": "objects/0",
                "message": "Unhandled exception:\nUnsupported operation: the demo is no Dart "
                f"program, it cannot evaluate: {expression}",
            }
        return {
            "type": "@Instance",
            "kind": kind,
            "id": f"objects/{kind.lower()}",
            "class": {"type": "@Class", "id": f"classes/{kind}", "name": kind},
            "valueAsString": expression,
        }

    def _reload(self, _client: Client, _params: Mapping[str, Any]) -> Any:
        details = {
            "savedLibraryCount": 1,
            "loadedLibraryCount": 0,
            "finalLibraryCount": 1,
            "receivedLibraryCount": 0,
        }
        return {"type": "ReloadReport", "success": True, "details": details}


_ISOLATE_REF = {
    "type": "@Isolate",
    "id": ISOLATE,
    "number": ISOLATE.rpartition("/")[2],
    "name": "main",
    "isSystemIsolate": False,
    "isolateGroupId": GROUP,
}
_GROUP_REF = {
    "type": "@IsolateGroup",
    "id": GROUP,
    "number": GROUP.rpartition("/")[2],
    "name": "main",
    "isSystemIsolateGroup": False,
}
_LIBRARY_REF = {
    "type": "@Library",
    "id": ROOT_LIBRARY,
    "fixedId": True,
    "name": "",
    "uri": ROOT_URI,
}

_VERSION = {"type": "Version", "major": 4, "minor": 16, "_privateMajor": 0, "_privateMinor": 0}
_PROTOCOLS = {
    "type": "ProtocolList",
    "protocols": [{"protocolName": "VM Service", "major": 4, "minor": 16}],
}


def dart_text(value: object) -> str:
    """What Dart's `toString` makes of a JSON value."""
    match value:
        case None:
            return "null"
        case bool():
            return "true" if value else "false"
        case dict():
            inner = ", ".join(f"{dart_text(k)}: {dart_text(v)}" for k, v in value.items())
            return f"{{{inner}}}"
        case list():
            return f"[{', '.join(map(dart_text, value))}]"
        case _:
            return str(value)
