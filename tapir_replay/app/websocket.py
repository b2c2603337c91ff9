"""A WebSocket as callbacks: what arrives is handed over at once, with no task or queue between.

`websockets` knows the protocol (its `ClientProtocol` does no I/O); here are the socket and the
timeouts. With the library's own connection a reading task has to wake before the one that waits.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable
from typing import cast
from urllib.parse import urljoin

from websockets.client import ClientProtocol
from websockets.exceptions import ConnectionClosed, InvalidState, InvalidStatus, SecurityError
from websockets.frames import CloseCode, Frame, Opcode
from websockets.protocol import State
from websockets.uri import WebSocketURI, parse_uri

_MAX_REDIRECTS = 10


async def open_websocket(
    uri: str, *, open_timeout: float = 5.0, close_timeout: float = 1.0
) -> WebSocket:
    """Connect in a way that suits a debugging service on this machine or a forwarded port.

    A proxy of the environment is not asked: it would be for loopback too. Messages may have any
    size, and are not compressed, which costs far more than it saves. There are no keepalive pings:
    they would end a session that is merely stopped, where a deadline can say what is the matter.

    Raises:
        TimeoutError: No connection and handshake in time.
        OSError: No connection.
        InvalidStatus: A web server that says something else.
        InvalidHandshake: No web server, or one with an odd handshake.
        InvalidURI: `uri`, or the target of a redirect, is no address of a WebSocket.
    """
    try:
        async with asyncio.timeout(open_timeout):
            for _ in range(_MAX_REDIRECTS):
                try:
                    return await _open(parse_uri(uri), close_timeout)
                except InvalidStatus as answer:
                    uri = _target(uri, answer)
            raise SecurityError(f"more than {_MAX_REDIRECTS} redirects")
    except TimeoutError as error:
        raise TimeoutError("timed out during opening handshake") from error


class WebSocket(asyncio.Protocol):
    """One connection. Made by `open_websocket`, of use once `start` is called."""

    transport: asyncio.Transport

    def __init__(self, uri: WebSocketURI, close_timeout: float) -> None:
        self._loop = asyncio.get_running_loop()
        self._protocol = ClientProtocol(uri, max_size=None)
        self._close_timeout = close_timeout
        self._opened: asyncio.Future[None] = self._loop.create_future()
        self._lost: asyncio.Future[None] = self._loop.create_future()
        self._fragments: list[Frame] = []
        self._on_message: Callable[[str | bytes], None] | None = None
        self._on_close: Callable[[ConnectionClosed], None] | None = None
        self._last_resort: asyncio.TimerHandle | None = None

    def start(
        self,
        on_message: Callable[[str | bytes], None],
        on_close: Callable[[ConnectionClosed], None],
    ) -> None:
        """Say who is told; what has come since the handshake is told at once.

        Args:
            on_message: Gets each message. It must not raise.
            on_close: Gets the reason, once, when nothing more will come.
        """
        self._on_message, self._on_close = on_message, on_close
        self._deliver()
        self._flush()
        if self._lost.done():
            on_close(self._protocol.close_exc)

    def send(self, text: str) -> None:
        """Send a message; dropped when the connection is about to end, as `on_close` will tell.

        Never waits. What the peer does not take yet is kept, in order, like the caller's own copy.
        """
        try:
            self._protocol.send_text(text.encode())
        except InvalidState:
            return
        for data in self._protocol.data_to_send():
            self.transport.write(data)

    async def close(self) -> None:
        """Close as the protocol wants it, or else by force after the close timeout."""
        with contextlib.suppress(InvalidState):
            self._protocol.send_close(CloseCode.NORMAL_CLOSURE)
        self._flush()
        await asyncio.shield(self._lost)

    async def handshake(self) -> None:
        """Wait until the connection is open.

        Raises:
            InvalidHandshake: It will not be.
        """
        await self._opened
        if self._protocol.handshake_exc is not None:
            raise self._protocol.handshake_exc

    # What asyncio calls.

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast("asyncio.Transport", transport)
        self._protocol.send_request(self._protocol.connect())
        self._flush()

    def data_received(self, data: bytes) -> None:
        self._protocol.receive_data(data)
        self._tell()
        self._flush()

    def eof_received(self) -> None:
        self._protocol.receive_eof()
        self._tell()
        self._flush()
        self._expect_end()  # the transport waits for the peer to take what is still to be sent

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002 - asyncio's signature
        self._protocol.receive_eof()
        self._tell()
        self._lost.set_result(None)
        if self._last_resort is not None:
            self._last_resort.cancel()
        if self._on_close is not None:
            self._on_close(self._protocol.close_exc)

    # What follows from it.

    def _tell(self) -> None:
        if self._on_message is not None:
            self._deliver()
        elif not self._opened.done() and (
            self._protocol.state is not State.CONNECTING or self._protocol.handshake_exc is not None
        ):
            self._opened.set_result(None)

    def _deliver(self) -> None:
        for event in self._protocol.events_received():
            if not isinstance(event, Frame) or event.opcode not in _DATA:
                continue  # the handshake's response; a ping or a close, both answered already
            if not event.fin:
                self._fragments.append(event)
                continue
            try:
                message = self._message(event)
            except UnicodeDecodeError as error:
                if self._protocol.state is State.OPEN:
                    self._protocol.fail(CloseCode.INVALID_DATA, f"{error.reason} at {error.start}")
                return
            assert self._on_message is not None
            self._on_message(message)

    def _message(self, last: Frame) -> str | bytes:
        opcode, data = last.opcode, last.data
        if opcode is Opcode.CONT:
            opcode = self._fragments[0].opcode
            data = b"".join([*(each.data for each in self._fragments), data])
            self._fragments.clear()
        return str(data, "utf-8") if opcode is Opcode.TEXT else bytes(data)

    def _flush(self) -> None:
        writes = self._protocol.data_to_send()
        for data in writes:
            if data:
                self.transport.write(data)
            elif self.transport.can_write_eof():
                self.transport.write_eof()
            else:  # TLS
                self.transport.close()
        # The protocol has something to say whenever it begins to end.
        if writes and self._protocol.close_expected():
            self._expect_end()

    def _expect_end(self) -> None:
        """The peer is to close the connection now; see to it that it ends in any case."""
        if self._last_resort is None and not self._lost.done():
            self._last_resort = self._loop.call_later(self._close_timeout, self.transport.abort)


_DATA = frozenset({Opcode.TEXT, Opcode.BINARY, Opcode.CONT})


async def _open(uri: WebSocketURI, close_timeout: float) -> WebSocket:
    _, socket = await asyncio.get_running_loop().create_connection(
        lambda: WebSocket(uri, close_timeout), uri.host, uri.port, ssl=uri.secure
    )
    try:
        await socket.handshake()
    except BaseException:
        socket.transport.abort()
        raise
    return socket


def _target(uri: str, answer: InvalidStatus) -> str:
    """Where a redirect leads; whatever else was answered is raised again."""
    response = answer.response
    if response.status_code not in _REDIRECTS or "Location" not in response.headers:
        raise answer
    target = urljoin(uri, response.headers["Location"])
    if parse_uri(uri).secure and not parse_uri(target).secure:
        raise SecurityError(f"cannot follow redirect to non-secure URI {target}") from answer
    return target


_REDIRECTS = frozenset({300, 301, 302, 303, 307, 308})
