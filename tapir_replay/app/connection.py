"""A WebSocket that answers numbered requests: what the VM Service and Chrome DevTools share.

The reading survives whatever arrives; one timer serves the deadlines of all requests.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from typing import Any

from websockets.exceptions import ConnectionClosed

from tapir_replay.app.errors import AppError, CallTimeout, ConnectionLost, ProtocolError
from tapir_replay.app.jsonrpc import (
    Answer,
    Event,
    Failure,
    Garbled,
    Incoming,
    Pending,
    PendingTable,
    RpcError,
    parse,
)
from tapir_replay.app.waiter import Waiter
from tapir_replay.app.websocket import WebSocket

Params = Mapping[str, Any]


class Connection:
    """Requests and their answers over one socket.

    Args:
        socket: Open; owned from now on.
        peer: Who is at the other end, for messages ("the VM Service at 127.0.0.1:1234").
        build: Makes a request's text from its id, method and parameters.
        on_event: Called for each event, in order, before any answer that came after it.
    """

    def __init__(
        self,
        socket: WebSocket,
        *,
        peer: str,
        build: Callable[[int, str, Params], str],
        on_event: Callable[[Event], None] | None = None,
    ) -> None:
        self._socket = socket
        self._peer = peer
        self._build = build
        self._on_event = on_event
        self._loop = asyncio.get_running_loop()
        self._pending: PendingTable[Waiter] = PendingTable()
        self._last_id = 0
        self._timer: asyncio.TimerHandle | None = None
        self._lost: str | None = None
        self._closing = False
        self.late_answers = 0
        socket.start(self._read, self._ended)

    @property
    def lost(self) -> str | None:
        """Why nothing more can be asked; None while it can."""
        return self._lost

    async def request(
        self, method: str, params: Params, *, timeout: float, isolate: str | None = None
    ) -> Any:
        """Ask and wait for the result.

        Args:
            method: Its full name.
            params: Sent as they are.
            timeout: Seconds.
            isolate: The isolate that has to answer; see `fail_isolate`.

        Raises:
            RpcError: An error answer.
            CallTimeout: None in time. The peer goes on working at it.
            ConnectionLost: The socket closed, before or while waiting.
            ProtocolError: The answer is not JSON.
        """
        if self._lost is not None:
            raise ConnectionLost(self._lost)
        number = self._last_id = self._last_id + 1
        waiter = Waiter(self._loop)
        deadline = self._loop.time() + timeout
        frame = self._build(number, method, params)
        self._pending.add(Pending(number, method, isolate, timeout, deadline, waiter))
        self._arm(deadline)
        self._socket.send(frame)
        return await waiter

    def fail_isolate(self, isolate: str, reason: Callable[[], AppError]) -> None:
        """Fail what waits for an isolate that ended: the service stays silent about it."""
        for entry in self._pending.fail_isolate(isolate):
            _fail(entry, reason())

    def expect_loss(self, reason: str) -> None:
        """The peer announced that it will close: what will be said when it does."""
        self._give_up(reason)

    async def close(self) -> None:
        """Close the socket and fail what is under way. Takes at most the close timeout."""
        self._closing = True
        await self._socket.close()

    def _read(self, message: str | bytes) -> None:
        try:
            self._take(parse(message))
        except Exception as error:
            self._loop.call_exception_handler(
                {"message": f"a listener of {self._peer} failed", "exception": error}
            )

    def _ended(self, closed: ConnectionClosed) -> None:
        self._give_up(_why_closed(self._peer, closed))

    def _take(self, incoming: Incoming) -> None:
        match incoming:
            case Answer():
                if entry := self._entry(incoming.id):
                    _succeed(entry, incoming.result)
            case Failure():
                if entry := self._entry(incoming.id):
                    _fail(entry, RpcError(entry.method, incoming))
            case Event():
                if self._on_event is not None:
                    self._on_event(incoming)
            case Garbled(number, text) if number is not None:
                if entry := self._entry(number):
                    excerpt = text if len(text) <= 120 else f"{text[:80]} … {text[-40:]}"
                    _fail(
                        entry, ProtocolError(f"{entry.method}: the answer is not JSON: {excerpt}")
                    )
            case _:
                pass  # nobody waits for it

    def _entry(self, number: int) -> Pending[Waiter] | None:
        entry = self._pending.take(number)
        if entry is None:
            self.late_answers += 1
        return entry

    def _give_up(self, why: str) -> None:
        if self._lost is None:
            self._lost = f"{self._peer} was closed here" if self._closing else why
        for entry in self._pending.fail_all():
            _fail(entry, ConnectionLost(self._lost))
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _arm(self, deadline: float) -> None:
        """See to it that the timer goes off in time. An early one costs nothing but a look."""
        if self._timer is not None:
            if self._timer.when() <= deadline:
                return
            self._timer.cancel()
        self._timer = self._loop.call_at(deadline, self._expire)

    def _expire(self) -> None:
        self._timer = None
        # The loop's clock may wake us a hair early.
        for entry in self._pending.expire(self._loop.time() + 0.001):
            _fail(entry, CallTimeout(f"{entry.method} was not answered within {entry.timeout:g} s"))
        following = self._pending.next_deadline()
        if following is not None:
            self._arm(following)


def _succeed(entry: Pending[Waiter], result: Any) -> None:
    if not entry.waiter.done():
        entry.waiter.set_result(result)


def _fail(entry: Pending[Waiter], error: Exception) -> None:
    if not entry.waiter.done():
        entry.waiter.set_exception(error)


def _why_closed(peer: str, closed: ConnectionClosed) -> str:
    frame = closed.rcvd
    if frame is None:
        return (
            f"The connection to {peer} broke off: the process was killed or crashed, "
            "or its port is no longer forwarded"
        )
    said = f" ({frame.code} {frame.reason})" if frame.reason else f" ({frame.code})"
    return f"{peer} closed the connection{said}: the app ended, or its service was switched off"
