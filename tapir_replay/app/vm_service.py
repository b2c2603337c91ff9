"""The Dart VM Service: getting a connection, and what it tells by itself.

Never ask it for `…/ws` by plain HTTP, and never send it a malformed frame: either ends the service
for every client until the app is started again.
"""

from __future__ import annotations

import asyncio
import contextlib
import errno
from collections.abc import Callable, Mapping
from typing import Any

from websockets.exceptions import (
    ConnectionClosed,
    InvalidHandshake,
    InvalidMessage,
    InvalidStatus,
    InvalidURI,
)

from tapir_replay.app.connection import Connection
from tapir_replay.app.errors import (
    AppError,
    AppUnreachable,
    CallTimeout,
    ConnectError,
    ConnectionLost,
    NotAVmService,
    ProtocolError,
    WrongAuthCode,
    WrongPath,
)
from tapir_replay.app.jsonrpc import Event, RpcError, build
from tapir_replay.app.uri import normalise, place
from tapir_replay.app.websocket import WebSocket, open_websocket

STREAMS = ("Isolate", "Service", "Extension", "Stdout", "Stderr", "Logging")
"""All that a runner listens to. (Profiler is left alone: it has crashed a VM.)"""

ALREADY_SUBSCRIBED = 103
METHOD_NOT_FOUND = -32601
SERVICE_DISAPPEARED = 112

_HANDOVER = "DartDevelopmentServiceConnected"


class VmService:
    """One connection to a VM Service, or to the Dart Development Service (DDS) in front of it."""

    def __init__(self, uri: str, socket: WebSocket) -> None:
        self.uri = uri
        self.protocols: dict[str, str] = {}
        self.services: dict[str, str] = {}
        self.moved_to: str | None = None
        self._listeners: list[Callable[[Event], None]] = []
        self._connection = Connection(
            socket,
            peer=f"the VM Service at {place(uri)}",
            build=build,
            on_event=self._dispatch,
        )

    @classmethod
    async def connect(
        cls, address: str, *, open_timeout: float = 5.0, close_timeout: float = 1.0
    ) -> VmService:
        """Connect to `address`, in any form, and make sure of what answers there.

        Raises:
            ConnectError: Which one says what is wrong.
        """
        uri, socket = await _open(normalise(address), open_timeout, close_timeout)
        service = cls(uri, socket)
        try:
            service.protocols = await service._identify(open_timeout)
        except BaseException:
            await service.close()
            raise
        return service

    @property
    def lost(self) -> str | None:
        """Why the connection is of no use any more; None while it is."""
        return self._connection.lost

    @property
    def late_answers(self) -> int:
        """How many answers came after their request had been given up."""
        return self._connection.late_answers

    async def request(
        self,
        method: str,
        params: Mapping[str, str] | None = None,
        *,
        isolate: str | None = None,
        timeout: float = 5.0,
    ) -> Any:
        """Ask any method; `isolate` goes along as its `isolateId`. See `Connection.request`."""
        sent = params or {}
        if isolate is not None:
            sent = {**sent, "isolateId": isolate}
        return await self._connection.request(method, sent, timeout=timeout, isolate=isolate)

    async def listen(self, stream: str, *, timeout: float = 5.0) -> bool:
        """Ask for the events of a stream; False when this service does not have it."""
        try:
            await self.request("streamListen", {"streamId": stream}, timeout=timeout)
        except RpcError as error:
            return error.failure.code == ALREADY_SUBSCRIBED
        except CallTimeout:
            return False
        return True

    async def listen_to_all(self) -> None:
        """Ask for every stream of `STREAMS`, at once."""
        await asyncio.gather(*(self.listen(stream) for stream in STREAMS))

    def subscribe(self, listener: Callable[[Event], None]) -> Callable[[], None]:
        """Call `listener` for every event of the streams listened to."""
        self._listeners.append(listener)

        def unsubscribe() -> None:
            with contextlib.suppress(ValueError):
                self._listeners.remove(listener)

        return unsubscribe

    def fail_isolate(self, isolate: str, reason: Callable[[], AppError]) -> None:
        self._connection.fail_isolate(isolate, reason)

    async def close(self) -> None:
        await self._connection.close()

    def _dispatch(self, event: Event) -> None:
        if event.stream == "Service":
            self._take_service_event(event)
        for listener in tuple(self._listeners):
            listener(event)

    def _take_service_event(self, event: Event) -> None:
        service, method = event.body.get("service"), event.body.get("method")
        if event.kind == "ServiceRegistered" and isinstance(service, str):
            self.services[service] = str(method)
        elif event.kind == "ServiceUnregistered" and isinstance(service, str):
            if self.services.get(service) == method:
                del self.services[service]
        elif event.kind == _HANDOVER:
            self.moved_to = str(event.body.get("uri", ""))
            self._connection.expect_loss(
                "A Dart Development Service took over and closed this direct connection; "
                f"it is now to be reached at {self.moved_to}"
            )

    async def _identify(self, timeout: float) -> dict[str, str]:
        try:
            answer = await self._ask_for_identity(timeout)
        except CallTimeout:
            raise NotAVmService(
                f"{place(self.uri)} opens a WebSocket but answers no question within {timeout:g} s:"
                " the process is frozen, or it is not a VM Service"
            ) from None
        except ProtocolError as error:
            raise NotAVmService(f"{place(self.uri)} is not a VM Service: {error}") from error
        except ConnectionLost as error:
            if self.moved_to is not None:
                raise
            raise NotAVmService(
                f"{place(self.uri)} closed the connection at the first question: {error}"
            ) from error
        return answer

    async def _ask_for_identity(self, timeout: float) -> dict[str, str]:
        """The protocols spoken, by name, from the one question or (older services) the other."""
        with contextlib.suppress(RpcError):
            answer = await self.request("getSupportedProtocols", timeout=timeout)
            listed = answer.get("protocols") if isinstance(answer, dict) else None
            found = {
                str(entry.get("protocolName")): f"{entry.get('major')}.{entry.get('minor')}"
                for entry in listed or ()
                if isinstance(entry, dict)
            }
            if "VM Service" in found:
                return found
        try:
            version = await self.request("getVersion", timeout=timeout)
        except RpcError as error:
            hint = (
                "A Dart Tooling Daemon has a ws:// address too; "
                "use the one that `flutter run` calls the Dart VM Service."
            )
            raise NotAVmService(
                f"{place(self.uri)} is not a VM Service: it has no `getVersion` "
                f"(error {error.failure.code})",
                hint=hint if error.failure.code == METHOD_NOT_FOUND else "",
            ) from error
        if not isinstance(version, dict) or version.get("type") != "Version":
            raise NotAVmService(f"{place(self.uri)} is not a VM Service: odd `getVersion`")
        return {"VM Service": f"{version.get('major')}.{version.get('minor')}"}


async def _open(
    uri: str, open_timeout: float, close_timeout: float, *, redirected: bool = False
) -> tuple[str, WebSocket]:
    """A socket and the address that it was got from: a VM that has a DDS sends clients there."""
    try:
        return uri, await open_websocket(
            uri, open_timeout=open_timeout, close_timeout=close_timeout
        )
    except InvalidURI as error:
        target = getattr(error, "uri", uri)
        if target == uri or redirected:
            raise ConnectError(f"{place(uri)}: {error}") from error
    except InvalidStatus as error:
        raise _refused(uri, error) from error
    except TimeoutError as error:
        raise AppUnreachable(
            f"{place(uri)} accepts the connection but does not answer within {open_timeout:g} s",
            hint="The process may be frozen, or stopped by a native debugger.",
        ) from error
    except (InvalidMessage, EOFError, ConnectionClosed) as error:
        raise NotAVmService(
            f"{place(uri)} does not speak HTTP: the port belongs to something else, "
            "or to an app that is only just starting",
        ) from error
    except InvalidHandshake as error:
        raise NotAVmService(f"{place(uri)} refuses the WebSocket: {error}") from error
    except OSError as error:
        raise AppUnreachable(
            f"Nothing answers at {place(uri)} ({_reason(error)})",
            hint="Is the app running, and the port forwarded? Every start has a new address.",
        ) from error
    return await _open(normalise(target), open_timeout, close_timeout, redirected=True)


def _reason(error: OSError) -> str:
    """The system's own words, without asyncio's around them."""
    if isinstance(error, ConnectionRefusedError) or f"[Errno {errno.ECONNREFUSED}]" in str(error):
        return "connection refused"  # the latter when a name has several addresses
    return error.strerror or str(error)


def _refused(uri: str, error: InvalidStatus) -> ConnectError:
    status = error.response.status_code
    said = (error.response.body or b"").decode("utf-8", "replace").strip()
    if status == 403:
        return WrongAuthCode(
            f"The VM Service at {place(uri)} refuses the address (403: {said or 'forbidden'})",
            hint="The code in the address is new at every start: take it from the current run.",
        )
    if status < 400:
        return WrongPath(
            f"{place(uri)} answers, but not as a WebSocket at this path (HTTP {status})",
            hint="The path is the code of the address followed by /ws.",
        )
    return NotAVmService(f"{place(uri)} answers HTTP {status}: that is not a VM Service")
