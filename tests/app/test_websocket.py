"""The WebSocket itself, against servers on loopback that behave, and raw ones that do not."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import shutil
import socket
import ssl
import struct
import subprocess
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from websockets.asyncio.server import ServerConnection, serve
from websockets.exceptions import (
    ConnectionClosed,
    InvalidHandshake,
    InvalidMessage,
    InvalidStatus,
    InvalidURI,
    NegotiationError,
    SecurityError,
)
from websockets.frames import Close, Frame, Opcode
from websockets.http11 import Response
from websockets.utils import accept_key

from tapir_replay.app.websocket import WebSocket, open_websocket
from tests.app.test_vm_service import unused_port

TEXT, BINARY, CONT = Opcode.TEXT, Opcode.BINARY, Opcode.CONT
PING, PONG, CLOSE = Opcode.PING, Opcode.PONG, Opcode.CLOSE

Handler = Callable[["Raw"], Awaitable[None]]


class Heard:
    """What a socket told."""

    def __init__(self, websocket: WebSocket) -> None:
        self.messages: list[str | bytes] = []
        self.ends: list[ConnectionClosed] = []
        self._news = asyncio.Event()
        websocket.start(self._message, self._end)

    async def message(self, number: int = 1) -> str | bytes:
        """The last of that many messages."""
        while len(self.messages) < number:
            self._news.clear()
            await self._news.wait()
        return self.messages[number - 1]

    async def end(self) -> ConnectionClosed:
        while not self.ends:
            self._news.clear()
            await self._news.wait()
        assert len(self.ends) == 1
        return self.ends[0]

    def _message(self, message: str | bytes) -> None:
        assert not self.ends
        self.messages.append(message)
        self._news.set()

    def _end(self, closed: ConnectionClosed) -> None:
        self.ends.append(closed)
        self._news.set()


class Raw:
    """The server's side of one connection, frame by frame."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader = reader
        self.writer = writer

    async def request(self) -> dict[str, str]:
        head = (await self.reader.readuntil(b"\r\n\r\n")).decode().splitlines()[1:-1]
        return {name.lower(): value for name, value in (line.split(": ", 1) for line in head)}

    async def accept(self, then: bytes = b"", extra: str = "") -> None:
        """Shake hands, and send what comes `then` in the same packet."""
        key = accept_key((await self.request())["sec-websocket-key"])
        head = f"Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: {key}\r\n"
        self.writer.write(f"HTTP/1.1 101 Switching\r\n{head}{extra}\r\n".encode() + then)

    async def frame(self) -> tuple[Opcode, bytes]:
        """The next frame of the client, which has to mask it and not to split or compress it."""
        first, second = await self.reader.readexactly(2)
        assert first & 0xF0 == 0x80
        assert second & 0x80
        size = second & 0x7F
        if size > 125:
            size = int.from_bytes(await self.reader.readexactly(2 if size == 126 else 8))
        mask = await self.reader.readexactly(4)
        data = int.from_bytes(await self.reader.readexactly(size))
        repeated = int.from_bytes((mask * (size // 4 + 1))[:size])
        return Opcode(first & 0x0F), (data ^ repeated).to_bytes(size)

    def send(self, *frames: bytes) -> None:
        self.writer.write(b"".join(frames))


def frame(opcode: Opcode, data: bytes = b"", *, fin: bool = True, mask: bool = False) -> bytes:
    return Frame(opcode, data, fin).serialize(mask=mask)


@contextlib.asynccontextmanager
async def raw_server(handler: Handler) -> AsyncIterator[str]:
    """A server that does as `handler` does; it hangs up when that returns."""
    failures: list[BaseException] = []
    handling: set[asyncio.Task[Any]] = set()

    async def serve_one(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        handling.add(task)
        try:
            await handler(Raw(reader, writer))
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        except Exception as error:
            failures.append(error)
        finally:
            handling.discard(task)
            writer.close()

    server = await asyncio.start_server(serve_one, "127.0.0.1", 0)
    try:
        yield f"ws://127.0.0.1:{server.sockets[0].getsockname()[1]}/"
    finally:
        server.close()
        for task in tuple(handling):
            task.cancel()
        await asyncio.gather(*handling, return_exceptions=True)
        assert not failures


@contextlib.asynccontextmanager
async def open_to(
    uri: str, *, open_timeout: float = 5.0, close_timeout: float = 0.3
) -> AsyncIterator[tuple[WebSocket, Heard]]:
    websocket = await open_websocket(uri, open_timeout=open_timeout, close_timeout=close_timeout)
    try:
        yield websocket, Heard(websocket)
    finally:
        await websocket.close()


def accepting(*frames: bytes) -> Handler:
    """Shake hands, send these frames and see what the client says, until it hangs up."""

    async def handler(raw: Raw) -> None:
        await raw.accept()
        raw.send(*frames)
        while await raw.frame():
            pass

    return handler


async def deaf(raw: Raw) -> None:
    """Shake hands, and never again do anything."""
    await raw.accept()
    await asyncio.Event().wait()


async def echo(connection: ServerConnection) -> None:
    with contextlib.suppress(ConnectionClosed):
        async for message in connection:
            await connection.send(message)


@contextlib.asynccontextmanager
async def echo_server(host: str = "127.0.0.1", **options: Any) -> AsyncIterator[int]:
    async with serve(echo, host, 0, max_size=None, **options) as server:
        yield server.sockets[0].getsockname()[1]


# Messages.


async def test_messages_come_back_in_order() -> None:
    sent = [f"{n} é \U0001f9a5" * n for n in range(200)]
    async with echo_server() as port, open_to(f"ws://127.0.0.1:{port}/") as (websocket, heard):
        for each in sent:
            websocket.send(each)
        await heard.message(len(sent))
        assert heard.messages == sent


@pytest.mark.parametrize("size", [0, 125, 126, 65_535, 65_536, 1 << 21])
async def test_a_message_may_have_any_size(size: int) -> None:
    async with echo_server() as port, open_to(f"ws://127.0.0.1:{port}/") as (websocket, heard):
        websocket.send("x" * size)
        assert await heard.message() == "x" * size


async def test_fifty_megabytes_are_no_trouble() -> None:
    size = 50_000_000
    async with raw_server(accepting(frame(TEXT, b"x" * size))) as uri, open_to(uri) as (_, heard):
        assert len(await heard.message()) == size


PIECES = st.lists(
    st.tuples(
        st.booleans(),  # text or binary
        st.text(max_size=40),
        st.lists(st.integers(0, 160), max_size=4),  # where it is split
        st.booleans(),  # a ping between the fragments
    ),
    max_size=6,
)


@settings(max_examples=60, deadline=None)
@given(pieces=PIECES, packet=st.integers(1, 50))
def test_a_message_is_whole_however_it_is_split(
    pieces: list[tuple[bool, str, list[int], bool]], packet: int
) -> None:
    stream, expected, pings = b"", list[str | bytes](), 0
    for is_text, text, cuts, ping in pieces:
        data = text.encode()
        expected.append(text if is_text else data)
        edges = [0, *sorted(min(cut, len(data)) for cut in cuts), len(data)]
        for index, (start, stop) in enumerate(itertools.pairwise(edges)):
            opcode = CONT if index else TEXT if is_text else BINARY
            stream += frame(opcode, data[start:stop], fin=index == len(edges) - 2)
            if ping:
                stream += frame(PING, b"?")
                pings += 1

    async def handler(raw: Raw) -> None:
        await raw.accept(stream[:packet])
        for start in range(packet, len(stream), packet):
            await asyncio.sleep(0)
            raw.send(stream[start : start + packet])
        for _ in range(pings):
            assert await raw.frame() == (PONG, b"?")
        raw.send(frame(CLOSE, Close(1000, "").serialize()))
        assert (await raw.frame())[0] is CLOSE

    async def play() -> None:
        async with raw_server(handler) as uri, open_to(uri) as (_, heard):
            assert (await heard.end()).rcvd == Close(1000, "")
            assert heard.messages == expected

    asyncio.run(play())


async def test_what_comes_with_the_handshake_is_not_lost() -> None:
    async def handler(raw: Raw) -> None:
        await raw.accept(frame(TEXT, b"first") + frame(TEXT, b"sec", fin=False))
        raw.send(frame(CONT, b"ond"), frame(CLOSE, Close(4000, "no").serialize()))

    async with raw_server(handler) as uri:
        websocket = await open_websocket(uri)
        await asyncio.sleep(0.02)  # all of it is there before anybody listens
        heard = Heard(websocket)
        assert heard.messages == ["first", "second"]
        assert (await heard.end()).rcvd == Close(4000, "no")
        await websocket.close()


async def test_a_ping_is_answered_with_its_own_payload() -> None:
    answers: list[tuple[Opcode, bytes]] = []

    async def handler(raw: Raw) -> None:
        await raw.accept()
        raw.send(frame(TEXT, b"a", fin=False), frame(PING, b"?" * 125), frame(CONT, b"b"))
        raw.send(frame(PING), frame(PONG, b"unasked"), frame(TEXT, b"c"))
        answers.extend([await raw.frame(), await raw.frame(), await raw.frame()])

    async with raw_server(handler) as uri, open_to(uri) as (websocket, heard):
        assert await heard.message(2) == "c"
        websocket.send("end")
        await heard.end()
    assert answers == [(PONG, b"?" * 125), (PONG, b""), (TEXT, b"end")]
    assert heard.messages == ["ab", "c"]


# Ends.


@pytest.mark.parametrize("code", [1000, 1001, 1002, 1008, 1009, 1011, 3000, 4999])
async def test_a_close_frame_tells_its_code_and_reason(code: int) -> None:
    async def hang_up(connection: ServerConnection) -> None:
        await connection.close(code, "é" * 60)

    async with serve(hang_up, "127.0.0.1", 0) as server:
        port = server.sockets[0].getsockname()[1]
        async with open_to(f"ws://127.0.0.1:{port}/") as (_, heard):
            closed = await heard.end()
    assert closed.rcvd == Close(code, "é" * 60)
    assert closed.sent == closed.rcvd


async def test_a_close_frame_without_a_code_counts_as_1005() -> None:
    async with raw_server(accepting(frame(CLOSE))) as uri, open_to(uri) as (_, heard):
        closed = await heard.end()
        assert closed.rcvd is not None
        assert closed.rcvd.code == 1005


@pytest.mark.parametrize("last", [b"", b"\x81", frame(TEXT, b"cut", fin=False)])
@pytest.mark.parametrize("reset", [False, True])
async def test_an_end_without_a_close_frame_has_no_code(last: bytes, reset: bool) -> None:
    async def handler(raw: Raw) -> None:
        await raw.accept(last)
        await asyncio.sleep(0.01)
        if reset:
            linger = struct.pack("ii", 1, 0)
            raw.writer.get_extra_info("socket").setsockopt(
                socket.SOL_SOCKET, socket.SO_LINGER, linger
            )

    async with raw_server(handler) as uri, open_to(uri) as (_, heard):
        closed = await heard.end()
        assert closed.rcvd is None
        assert closed.sent is None
        assert heard.messages == []


ILL: dict[str, tuple[int, bytes]] = {
    "masked": (1002, frame(TEXT, b"x", mask=True)),
    "reserved bit": (1002, b"\xc1\x01x"),
    "unknown opcode": (1002, b"\x83\x01x"),
    "long ping": (1002, b"\x89\x7e\x00\x80" + b"x" * 128),
    "continuation of nothing": (1002, frame(CONT, b"x")),
    "text inside a text": (1002, frame(TEXT, b"x", fin=False) + frame(TEXT, b"x")),
    "close inside a text": (1002, frame(TEXT, b"x", fin=False) + frame(CLOSE)),
    "close code of one byte": (1002, frame(CLOSE, b"x")),
    "bad UTF-8": (1007, frame(TEXT, b"\xff")),
    "bad UTF-8 in pieces": (1007, frame(TEXT, b"\xf0\x9f", fin=False) + frame(CONT, b"x")),
}


@pytest.mark.parametrize(("code", "frames"), ILL.values(), ids=ILL)
@pytest.mark.parametrize("hangs_up", [True, False])
async def test_an_ill_frame_ends_the_connection(code: int, frames: bytes, hangs_up: bool) -> None:
    said: list[bytes] = []

    async def handler(raw: Raw) -> None:
        await raw.accept()
        raw.send(frame(TEXT, b"well"), frames, frame(TEXT, b"late"))
        opcode, data = await raw.frame()
        assert opcode is CLOSE
        said.append(data[:2])
        if not hangs_up:
            await asyncio.Event().wait()

    async with raw_server(handler) as uri, open_to(uri, close_timeout=0.05) as (_, heard):
        closed = await heard.end()
    assert heard.messages == ["well"]
    assert closed.sent is not None
    assert closed.sent.code == code
    assert said == [code.to_bytes(2)]


async def test_an_ill_message_before_anybody_listens_ends_the_connection_too() -> None:
    async def handler(raw: Raw) -> None:
        await raw.accept(frame(TEXT, b"\xff"))

    async with raw_server(handler) as uri:
        websocket = await open_websocket(uri)
        await asyncio.sleep(0.02)
        heard = Heard(websocket)
        await heard.end()
        assert heard.messages == []


async def test_closing_says_goodbye_and_waits_for_the_peer() -> None:
    said: list[tuple[Opcode, bytes]] = []

    async def handler(raw: Raw) -> None:
        await raw.accept()
        said.append(await raw.frame())
        raw.send(frame(TEXT, b"still"), frame(CLOSE, said[0][1]))

    async with raw_server(handler) as uri:
        websocket = await open_websocket(uri)
        heard = Heard(websocket)
        await asyncio.gather(websocket.close(), websocket.close())
        assert said == [(CLOSE, b"\x03\xe8")]
        assert heard.messages == ["still"]
        closed = await heard.end()
        assert closed.rcvd == closed.sent == Close(1000, "")
        websocket.send("dropped")
        await websocket.close()


async def took(what: Awaitable[object]) -> float:
    began = asyncio.get_running_loop().time()
    await what
    return asyncio.get_running_loop().time() - began


async def test_a_peer_that_never_says_goodbye_is_let_go_of_in_time() -> None:
    async with raw_server(deaf) as uri:
        websocket = await open_websocket(uri, close_timeout=0.1)
        heard = Heard(websocket)
        assert 0.09 < await took(websocket.close()) < 1.0
        closed = await heard.end()
        assert closed.rcvd is None
        assert closed.sent == Close(1000, "")


async def test_a_close_that_is_not_waited_for_ends_all_the_same() -> None:
    async with raw_server(deaf) as uri:
        websocket = await open_websocket(uri, close_timeout=0.05)
        heard = Heard(websocket)
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.01):
                await websocket.close()
        await heard.end()


async def test_a_peer_that_says_goodbye_and_stays_is_let_go_of_in_time() -> None:
    async def handler(raw: Raw) -> None:
        await raw.accept(frame(CLOSE, Close(1001, "").serialize()))
        await asyncio.Event().wait()

    async with raw_server(handler) as uri:
        websocket = await open_websocket(uri, close_timeout=0.05)
        heard = Heard(websocket)
        websocket.send("dropped")
        assert (await heard.end()).rcvd == Close(1001, "")
        await websocket.close()


# What the peer does not take.


async def test_a_slow_peer_gets_everything_in_order_and_nobody_waits() -> None:
    taken: list[bytes] = []
    awake = asyncio.Event()

    async def handler(raw: Raw) -> None:
        await raw.accept(frame(PING, b"!"))
        await awake.wait()
        assert await raw.frame() == (PONG, b"!")
        for _ in range(3):
            opcode, data = await raw.frame()
            assert opcode is TEXT
            taken.append(data)
        raw.send(frame(TEXT, b"done"))
        await raw.frame()

    async with raw_server(handler) as uri, open_to(uri) as (websocket, heard):
        await asyncio.sleep(0.02)
        for text in ("x" * 20_000_000, "small", "y" * 100_000):
            websocket.send(text)
        assert websocket.transport.get_write_buffer_size() > 1_000_000
        awake.set()
        assert await heard.message() == "done"
        assert websocket.transport.get_write_buffer_size() == 0
    assert [(len(each), each[:1]) for each in taken] == [
        (20_000_000, b"x"),
        (5, b"s"),
        (100_000, b"y"),
    ]


async def test_a_peer_that_takes_nothing_is_let_go_of_in_time() -> None:
    async with raw_server(deaf) as uri:
        websocket = await open_websocket(uri, close_timeout=0.1)
        heard = Heard(websocket)
        websocket.send("x" * 20_000_000)
        assert await took(websocket.close()) < 1.0
        assert (await heard.end()).rcvd is None


@pytest.mark.parametrize("goodbye", [b"", frame(CLOSE, Close(1009, "too big").serialize())])
async def test_a_peer_that_ends_while_it_should_take_something_is_heard(goodbye: bytes) -> None:
    async def handler(raw: Raw) -> None:
        await raw.accept()
        await raw.reader.read(1000)
        raw.send(goodbye)
        raw.writer.write_eof()
        await asyncio.Event().wait()

    async with raw_server(handler) as uri, open_to(uri, close_timeout=0.05) as (websocket, heard):
        websocket.send("x" * 20_000_000)
        closed = await heard.end()
        assert closed.rcvd == (Close(1009, "too big") if goodbye else None)


# Handshakes.


@contextlib.asynccontextmanager
async def answering(response: bytes) -> AsyncIterator[str]:
    """A server that answers any handshake with these bytes and leaves the connection open."""

    async def handler(raw: Raw) -> None:
        await raw.request()
        raw.send(response)
        await asyncio.Event().wait()

    async with raw_server(handler) as uri:
        yield uri


@pytest.mark.parametrize("status", [200, 204, 301, 400, 403, 404, 500, 503])
@pytest.mark.parametrize("sized", [True, False])
async def test_a_refusal_tells_its_status_and_its_words(status: int, sized: bool) -> None:
    async def handler(raw: Raw) -> None:
        await raw.request()
        size = "Content-Length: 4\r\n" if sized else ""
        raw.send(f"HTTP/1.1 {status} Word\r\n{size}\r\nsa".encode())
        await asyncio.sleep(0.005)
        raw.send(b"id")

    async with raw_server(handler) as uri:
        with pytest.raises(InvalidStatus) as caught:
            await open_websocket(uri)
    assert caught.value.response.status_code == status
    assert (caught.value.response.body or b"") == (b"" if status == 204 else b"said")


ODD = {
    "not HTTP": (InvalidMessage, b"SSH-2.0-OpenSSH_9\r\n"),
    "an old HTTP": (InvalidMessage, b"HTTP/0.9 200 OK\r\n\r\n"),
    "a long line": (InvalidHandshake, b"HTTP/1.1 101 " + b"x" * 100_000),
    "no upgrade": (InvalidHandshake, b"HTTP/1.1 101 Switching\r\n\r\n"),
    "a wrong key": (
        InvalidHandshake,
        b"HTTP/1.1 101 Switching\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        b"Sec-WebSocket-Accept: AAAAAAAAAAAAAAAAAAAAAAAAAAA=\r\n\r\n",
    ),
}


@pytest.mark.parametrize(("kind", "response"), ODD.values(), ids=ODD)
async def test_an_odd_handshake_is_refused_at_once(
    kind: type[InvalidHandshake], response: bytes
) -> None:
    async with answering(response) as uri:
        with pytest.raises(kind):
            await open_websocket(uri, open_timeout=0.5)


async def test_nothing_is_compressed_even_if_the_peer_wants_to() -> None:
    asked: list[dict[str, str]] = []

    async def handler(raw: Raw) -> None:
        await raw.accept(extra="Sec-WebSocket-Extensions: permessage-deflate\r\n")

    async with raw_server(handler) as uri:
        with pytest.raises(NegotiationError):
            await open_websocket(uri)

    async def note(raw: Raw) -> None:
        asked.append(await raw.request())

    async with raw_server(note) as uri:
        with pytest.raises(InvalidMessage):
            await open_websocket(uri)
    assert asked[0]["upgrade"] == "websocket"
    assert "sec-websocket-extensions" not in asked[0]


@pytest.mark.parametrize("said", [b"", b"HTTP/1.1 101 Swit"])
async def test_a_peer_that_hangs_up_during_the_handshake_is_no_web_server(said: bytes) -> None:
    async def handler(raw: Raw) -> None:
        await raw.request()
        raw.send(said)

    async with raw_server(handler) as uri:
        with pytest.raises(InvalidMessage) as caught:
            await open_websocket(uri)
    assert isinstance(caught.value.__cause__, EOFError)


@pytest.mark.parametrize("said", [b"", b"HTTP/1.1 101 Swit", b"HTTP/1.1 200 OK\r\n\r\nwithout end"])
async def test_a_handshake_that_does_not_end_is_given_up_in_time(said: bytes) -> None:
    hung_up = asyncio.Event()

    async def handler(raw: Raw) -> None:
        await raw.request()
        raw.send(said)
        with contextlib.suppress(ConnectionError):
            await raw.reader.read()
        hung_up.set()

    async with raw_server(handler) as uri:
        with pytest.raises(TimeoutError, match=r"^timed out during opening handshake$"):
            await open_websocket(uri, open_timeout=0.05)
        await hung_up.wait()


async def test_nobody_at_the_port_is_an_error_of_the_system() -> None:
    with pytest.raises(ConnectionRefusedError):
        await open_websocket(f"ws://127.0.0.1:{unused_port()}/")


@pytest.mark.parametrize("uri", ["http://127.0.0.1/", "ws:///x", "ws://127.0.0.1/#x", "nonsense"])
async def test_an_address_of_something_else_is_refused(uri: str) -> None:
    with pytest.raises(InvalidURI) as caught:
        await open_websocket(uri)
    assert caught.value.uri == uri


def redirecting(status: int, target: str) -> Any:
    def answer(peer: Any, request: Any) -> Response | None:
        if request.path == "/there":
            return None
        response: Response = peer.respond(status, "")
        response.headers["Location"] = target
        return response

    return answer


@pytest.mark.parametrize("status", [300, 301, 302, 303, 307, 308])
async def test_a_redirect_to_a_websocket_is_followed(status: int) -> None:
    async with (
        echo_server(process_request=redirecting(status, "/there")) as port,
        open_to(f"ws://127.0.0.1:{port}/here") as (websocket, heard),
    ):
        websocket.send("a")
        assert await heard.message() == "a"


async def test_a_redirect_to_a_page_tells_where_it_leads() -> None:
    target = "http://127.0.0.1:1/code=/"
    async with echo_server(process_request=redirecting(302, target)) as port:
        with pytest.raises(InvalidURI) as caught:
            await open_websocket(f"ws://127.0.0.1:{port}/")
    assert caught.value.uri == target


async def test_a_redirect_in_a_circle_is_given_up() -> None:
    async with echo_server(process_request=redirecting(302, "/round")) as port:
        with pytest.raises(SecurityError, match="more than 10 redirects"):
            await open_websocket(f"ws://127.0.0.1:{port}/")


# Other ways there.


async def test_an_address_may_be_of_the_sixth_version() -> None:
    try:
        socket.create_server(("::1", 0), family=socket.AF_INET6).close()
    except OSError:
        pytest.skip("this machine has no IPv6")
    async with echo_server("::1") as port, open_to(f"ws://[::1]:{port}/") as (websocket, heard):
        websocket.send("a")
        assert await heard.message() == "a"


@pytest.fixture
def certificate(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ssl.SSLContext:
    """A certificate of this machine's own, which clients of this test trust."""
    if (openssl := shutil.which("openssl")) is None:
        pytest.skip("there is no openssl to make a certificate")
    path, key = tmp_path / "certificate.pem", tmp_path / "key.pem"
    command = f"{openssl} req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 1"
    subject = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"]
    subprocess.run(
        [*command.split(), *subject, "-out", path, "-keyout", key], check=True, capture_output=True
    )
    monkeypatch.setenv("SSL_CERT_FILE", str(path))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(path, key)
    return context


async def test_a_connection_may_be_encrypted(certificate: ssl.SSLContext) -> None:
    async with echo_server(ssl=certificate) as port:
        async with open_to(f"wss://localhost:{port}/") as (websocket, heard):
            websocket.send("x" * 3_000_000)
            assert len(await heard.message()) == 3_000_000
        assert (await heard.end()).rcvd == Close(1000, "")


async def test_a_certificate_of_another_host_is_refused(certificate: ssl.SSLContext) -> None:
    async with echo_server(ssl=certificate) as port:
        with pytest.raises(ssl.SSLCertVerificationError):
            await open_websocket(f"wss://127.0.0.1:{port}/")


async def test_a_redirect_does_not_lead_out_of_encryption(certificate: ssl.SSLContext) -> None:
    answer = redirecting(302, "ws://127.0.0.1:1/")
    async with echo_server(ssl=certificate, process_request=answer) as port:
        with pytest.raises(SecurityError, match="non-secure"):
            await open_websocket(f"wss://localhost:{port}/")
