"""Getting a connection to a VM Service, and keeping it."""

from __future__ import annotations

import asyncio
import contextlib
import signal
import socket
from collections.abc import AsyncIterator
from typing import Any

import pytest
from websockets.http11 import Response

from tapir_replay.app.errors import (
    AppError,
    AppRestarted,
    AppUnreachable,
    CallTimeout,
    ConnectError,
    ConnectionLost,
    NotAVmService,
    ProtocolError,
    WrongAuthCode,
    WrongPath,
)
from tapir_replay.app.jsonrpc import Event, RpcError
from tapir_replay.app.uri import normalise
from tapir_replay.app.vm_service import VmService
from tests.app.conftest import PROBE
from tests.support.dart_vm import DartVm
from tests.support.fake_service import SILENCE, FakeService, Fault, Frame


@contextlib.asynccontextmanager
async def connected(address: str) -> AsyncIterator[VmService]:
    service = await VmService.connect(address, open_timeout=2.0, close_timeout=0.3)
    try:
        yield service
    finally:
        await service.close()


@contextlib.asynccontextmanager
async def raw_peer(reply: bytes | None) -> AsyncIterator[int]:
    """Something that is no web server: it says `reply` and hangs up, or nothing at all (None)."""

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read(1)
        if reply is None:
            await reader.read()
        else:
            writer.write(reply)
        writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    yield server.sockets[0].getsockname()[1]
    server.close()
    await server.wait_closed()


def unused_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


FORMS = ["{}", "{}ws", "{}ws/", "{}/ws", "{} \n", "http://127.0.0.1:9101/#/?uri={}"]


@pytest.mark.parametrize("form", FORMS)
async def test_a_vm_is_reached_by_every_form_of_its_address(probe: DartVm, form: str) -> None:
    async with connected(form.format(probe.uri)) as service:
        assert set(service.protocols) == {"VM Service"}


async def test_a_vm_is_reached_with_an_escaped_code_and_by_the_websocket_scheme(
    probe: DartVm,
) -> None:
    async with connected(probe.ws_uri.replace("=", "%3D")) as service:
        assert service.uri == normalise(probe.uri)


async def test_a_proxy_of_the_environment_is_not_asked(
    probe: DartVm, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("http_proxy", "https_proxy", "all_proxy", "socks_proxy", "ws_proxy"):
        monkeypatch.setenv(name, f"http://127.0.0.1:{unused_port()}")
    async with connected(probe.uri) as service:
        assert service.protocols


async def refusal(address: str, kind: type[AppError], **timeouts: float) -> AppError:
    with pytest.raises(kind) as caught:
        await VmService.connect(address, **timeouts)
    assert type(caught.value) is kind
    return caught.value


async def test_a_wrong_code_is_told_from_a_wrong_path(probe: DartVm) -> None:
    place = probe.uri.split("/")[2]
    wrong = await refusal(f"http://{place}/notTheCode=/", WrongAuthCode)
    assert wrong.message == (
        f"The VM Service at {place} refuses the address "
        "(403: missing or invalid authentication code)"
    )
    assert "new at every start" in wrong.hint
    await refusal(f"http://{place}/", WrongAuthCode)
    path = await refusal(f"{probe.uri}elsewhere", WrongPath)
    assert path.message == (f"{place} answers, but not as a WebSocket at this path (HTTP 200)")


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "[::1]"])
async def test_nothing_at_the_address_is_said_plainly(host: str) -> None:
    port = unused_port()
    error = await refusal(f"http://{host}:{port}/a=/", AppUnreachable)
    assert error.message.startswith(f"Nothing answers at {host}:{port} (")
    if host != "[::1]":  # a machine may have no IPv6 at all
        assert error.message.endswith("(connection refused)")


async def test_an_unknown_host_is_said_plainly() -> None:
    error = await refusal("http://no-such-host.invalid:1/a=/", AppUnreachable)
    assert error.message.startswith("Nothing answers at no-such-host.invalid:1 (")


@pytest.mark.parametrize("reply", [b"SSH-2.0-OpenSSH_9\r\n", b""])
async def test_a_peer_that_is_no_web_server_is_no_vm_service(reply: bytes) -> None:
    async with raw_peer(reply) as port:
        error = await refusal(f"http://127.0.0.1:{port}/", NotAVmService)
    assert error.message.startswith(f"127.0.0.1:{port} does not speak HTTP")


async def test_a_peer_that_never_shakes_hands_is_given_up() -> None:
    async with raw_peer(None) as port:
        error = await refusal(f"http://127.0.0.1:{port}/", AppUnreachable, open_timeout=0.1)
    assert error.message == (
        f"127.0.0.1:{port} accepts the connection but does not answer within 0.1 s"
    )


async def test_a_web_server_that_has_no_such_page_is_no_vm_service() -> None:
    async with FakeService(before=lambda peer, request: peer.respond(404, "no")) as fake:
        error = await refusal(fake.uri, NotAVmService)
    assert "answers HTTP 404" in error.message


def redirect(target: str) -> Any:
    def answer(peer: Any, request: Any) -> Response:
        response: Response = peer.respond(302, "")
        response.headers["Location"] = target
        return response

    return answer


async def test_a_vm_that_has_a_dds_sends_us_there() -> None:
    dds_answer = {
        "protocols": [
            {"protocolName": "VM Service", "major": 4, "minor": 16},
            {"protocolName": "DDS", "major": 2, "minor": 0},
        ]
    }
    async with FakeService({"getSupportedProtocols": dds_answer}) as dds:
        target = dds.uri.replace("ws:", "http:").removesuffix("ws")
        async with (
            FakeService(before=redirect(target)) as vm,
            connected(vm.uri) as service,
        ):
            assert service.uri == dds.uri
            assert "DDS" in service.protocols


async def test_a_second_redirect_is_not_followed() -> None:
    async with FakeService(before=redirect("http://127.0.0.1:1/b=/")) as second:
        target = second.uri.replace("ws:", "http:")
        async with FakeService(before=redirect(target)) as first:
            await refusal(first.uri, ConnectError)


async def test_a_tooling_daemon_is_recognised() -> None:
    none = {"getSupportedProtocols": None, "getVersion": None}
    async with FakeService(none) as daemon:
        error = await refusal(daemon.uri, NotAVmService)
    assert "it has no `getVersion` (error -32601)" in error.message
    assert "Dart Tooling Daemon" in error.hint


async def test_an_older_service_is_known_by_its_version() -> None:
    async with FakeService({"getSupportedProtocols": None}) as old, connected(old.uri) as service:
        assert service.protocols == {"VM Service": "4.16"}


async def test_a_peer_that_answers_nothing_is_no_vm_service() -> None:
    async with FakeService({"getSupportedProtocols": SILENCE}) as mute:
        error = await refusal(mute.uri, NotAVmService, open_timeout=0.1)
    assert "answers no question within 0.1 s" in error.message


async def test_a_peer_that_hangs_up_at_the_first_question_is_no_vm_service() -> None:
    async with FakeService() as fake:
        fake.answers["getSupportedProtocols"] = lambda _: fake.connections[0].transport.abort()
        error = await refusal(fake.uri, NotAVmService)
    assert "closed the connection at the first question" in error.message


async def test_odd_answers_do_not_pass_for_a_vm_service() -> None:
    for answer in ({"type": "Pong"}, "hello"):
        async with FakeService({"getSupportedProtocols": None, "getVersion": answer}) as odd:
            await refusal(odd.uri, NotAVmService)
    async with FakeService({"getSupportedProtocols": Frame('{"id":%d,"result":oops}')}) as odd:
        await refusal(odd.uri, NotAVmService)


async def test_the_reader_survives_whatever_arrives() -> None:
    heard: list[Event] = []
    async with FakeService() as fake, connected(fake.uri) as service:
        service.subscribe(heard.append)
        for frame in ("not json", b"\x00\xff", "[]", "7", '{"id":999,"result":{}}', '{"id":"x"}'):
            await fake.send(frame)
        await fake.report("Isolate", "IsolateReload")
        await service.request("getVersion")
        assert [event.kind for event in heard] == ["IsolateReload"]


async def test_a_failing_listener_deafens_nobody(caplog: pytest.LogCaptureFixture) -> None:
    def fail(event: Event) -> None:
        raise ZeroDivisionError

    async with FakeService() as fake, connected(fake.uri) as service:
        end = service.subscribe(fail)
        await fake.report("Isolate", "IsolateReload")
        await service.request("getVersion")
        assert "a listener of the VM Service" in caplog.text
        end()
        end()
        caplog.clear()
        await fake.report("Isolate", "IsolateReload")
        await service.request("getVersion")
        assert not caplog.text


async def test_an_answer_that_is_not_json_fails_its_own_call() -> None:
    odd = Frame('{"result":oops,"id":%d}')
    async with FakeService({"odd": odd}) as fake, connected(fake.uri) as service:
        with pytest.raises(ProtocolError, match=r"^odd: the answer is not JSON: \{\"result"):
            await service.request("odd")
        await service.request("getVersion")


async def test_answers_are_matched_by_id_not_by_order() -> None:
    async with FakeService({"slow": SILENCE}) as fake, connected(fake.uri) as service:
        slow = asyncio.create_task(service.request("slow"))
        request = await fake.until_asked("slow")
        await service.request("getVersion")
        await fake.send({"id": request["id"], "result": {"at": "last"}})
        assert await slow == {"at": "last"}


async def test_a_late_answer_is_dropped_and_its_call_stays_expired() -> None:
    async with FakeService({"slow": SILENCE}) as fake, connected(fake.uri) as service:
        with pytest.raises(CallTimeout, match=r"slow was not answered within 0\.05 s"):
            await service.request("slow", timeout=0.05)
        await fake.send({"id": fake.requests[-1]["id"], "result": {}})
        await service.request("getVersion")
        assert service.late_answers == 1


async def test_deadlines_hold_each_for_itself() -> None:
    async with FakeService({"slow": SILENCE}) as fake, connected(fake.uri) as service:
        order: list[float] = []

        async def ask(timeout: float) -> None:
            with pytest.raises(CallTimeout):
                await service.request("slow", timeout=timeout)
            order.append(timeout)

        await asyncio.gather(ask(0.12), ask(0.04), ask(0.08))
        assert order == [0.04, 0.08, 0.12]


async def test_a_caller_that_stops_waiting_harms_nobody() -> None:
    async with FakeService({"slow": SILENCE}) as fake, connected(fake.uri) as service:
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.02):
                await service.request("slow", timeout=0.04)
        with pytest.raises(CallTimeout):
            await service.request("slow", timeout=0.04)
        await fake.send({"id": fake.requests[-2]["id"], "result": {}})
        await service.request("getVersion")


async def test_an_isolate_that_ends_fails_the_calls_to_it() -> None:
    async with FakeService({"slow": SILENCE}) as fake, connected(fake.uri) as service:
        lost = asyncio.create_task(service.request("slow", isolate="isolates/1"))
        kept = asyncio.create_task(service.request("slow", isolate="isolates/2", timeout=0.05))
        await service.request("getVersion")
        service.fail_isolate("isolates/1", lambda: AppRestarted("gone"))
        with pytest.raises(AppRestarted):
            await lost
        with pytest.raises(CallTimeout):
            await kept


async def test_an_error_answer_is_handed_over_as_it_came() -> None:
    fault = Fault(105, "Not runnable")
    async with FakeService({"no": fault}) as fake, connected(fake.uri) as service:
        with pytest.raises(RpcError) as caught:
            await service.request("no", {"a": "b"}, isolate="isolates/1")
        assert caught.value.failure.code == 105
        assert fake.asked("no") == [{"a": "b", "isolateId": "isolates/1"}]


async def test_listening_twice_is_listening(probe: DartVm) -> None:
    async with connected(probe.uri) as service:
        assert await service.listen("Isolate")
        assert await service.listen("Isolate")
        assert not await service.listen("NoSuchStream")


async def test_a_stream_whose_request_is_not_answered_is_done_without() -> None:
    async with FakeService({"streamListen": SILENCE}) as fake, connected(fake.uri) as service:
        assert not await service.listen("Isolate", timeout=0.02)


async def test_services_of_other_clients_are_known_by_their_method() -> None:
    async with FakeService() as fake, connected(fake.uri) as service:
        for method in ("s0.reloadSources", "s1.reloadSources"):
            await fake.report(
                "Service", "ServiceRegistered", service="reloadSources", method=method
            )
        await fake.report(
            "Service", "ServiceUnregistered", service="reloadSources", method="s0.reloadSources"
        )
        await service.request("getVersion")
        assert service.services == {"reloadSources": "s1.reloadSources"}
        await fake.report(
            "Service", "ServiceUnregistered", service="reloadSources", method="s1.reloadSources"
        )
        await service.request("getVersion")
        assert service.services == {}


async def test_a_dds_that_takes_over_is_named_as_the_reason() -> None:
    async with FakeService({"slow": SILENCE}) as fake, connected(fake.uri) as service:
        waiting = asyncio.create_task(service.request("slow"))
        await service.request("getVersion")
        uri = "http://127.0.0.1:42951/tok=/"
        await fake.report("Service", "DartDevelopmentServiceConnected", uri=uri)
        with pytest.raises(ConnectionLost, match="Dart Development Service took over"):
            await waiting
        assert service.moved_to == uri
        with pytest.raises(ConnectionLost, match=uri):
            await service.request("getVersion")


async def test_a_process_that_is_killed_fails_what_waits() -> None:
    async with DartVm(PROBE) as vm, connected(vm.uri) as service:
        waiting = [
            asyncio.create_task(service.request("ext.probe.never", isolate=await isolate(service)))
            for _ in range(3)
        ]
        await service.request("getVersion")
        vm.process.send_signal(signal.SIGKILL)
        for task in waiting:
            with pytest.raises(ConnectionLost, match="broke off: the process was killed"):
                await task
        with pytest.raises(ConnectionLost, match="broke off"):
            await service.request("getVersion")


async def test_a_program_that_ends_by_itself_closes_cleanly_and_fails_what_waits() -> None:
    async with DartVm(PROBE) as vm, connected(vm.uri) as service:
        with pytest.raises(ConnectionLost, match=r"closed the connection|broke off"):
            await service.request("ext.probe.exit_isolate", isolate=await isolate(service))
        assert service.lost is not None


async def test_a_clean_close_without_a_code_fails_what_waits() -> None:
    async with FakeService({"slow": SILENCE}) as fake, connected(fake.uri) as service:
        waiting = asyncio.create_task(service.request("slow"))
        await service.request("getVersion")
        # 1005: a close frame that holds no code.
        fake.connections[0].transport.write(b"\x88\x00")
        with pytest.raises(ConnectionLost, match=r"closed the connection \(1005\)"):
            await waiting


async def test_a_close_frame_with_a_reason_shows_it() -> None:
    async with FakeService({"slow": SILENCE}) as fake, connected(fake.uri) as service:
        waiting = asyncio.create_task(service.request("slow"))
        await service.request("getVersion")
        await fake.connections[0].close(4000, "Message parse error")
        with pytest.raises(ConnectionLost, match=r"\(4000 Message parse error\)"):
            await waiting


async def test_closing_fails_what_waits_and_what_comes_after() -> None:
    async with FakeService({"slow": SILENCE}) as fake:
        service = await VmService.connect(fake.uri)
        waiting = asyncio.create_task(service.request("slow"))
        await service.request("getVersion")
        await service.close()
        for asking in (waiting, service.request("getVersion")):
            with pytest.raises(ConnectionLost, match="was closed here"):
                await asking
        await service.close()


async def test_a_socket_that_breaks_while_a_request_goes_out_fails_it() -> None:
    async with FakeService() as fake, connected(fake.uri) as service:
        service._connection._socket.transport.abort()
        with pytest.raises(ConnectionLost):
            await service.request("getVersion")
        with pytest.raises(ConnectionLost):
            await service.request("getVersion", {"text": "x" * 100_000})


async def test_no_task_is_left_when_a_connection_is_closed() -> None:
    before = asyncio.all_tasks()
    async with FakeService() as fake, connected(fake.uri) as service:
        await service.request("getVersion")
    assert asyncio.all_tasks() == before


async def test_a_frozen_process_neither_blocks_a_large_request_nor_a_later_small_one() -> None:
    async with DartVm(PROBE) as vm, connected(vm.uri) as service:
        vm.process.send_signal(signal.SIGSTOP)
        try:
            large = {"text": "x" * 20_000_000}
            with pytest.raises(CallTimeout):
                await service.request("ext.probe.echo", large, timeout=0.2)
            with pytest.raises(CallTimeout):
                await service.request("getVersion", timeout=0.05)
        finally:
            vm.process.send_signal(signal.SIGCONT)
        assert (await service.request("getVersion", timeout=10.0))["type"] == "Version"


async def test_a_frozen_process_is_let_go_of_in_time() -> None:
    loop = asyncio.get_running_loop()
    async with DartVm(PROBE) as vm:
        service = await VmService.connect(vm.uri, close_timeout=0.1)
        vm.process.send_signal(signal.SIGSTOP)
        try:
            began = loop.time()
            await service.close()
            assert loop.time() - began < 1.0
            with pytest.raises(AppUnreachable, match=r"does not answer within 0\.1 s"):
                await VmService.connect(vm.uri, open_timeout=0.1)
        finally:
            vm.process.send_signal(signal.SIGCONT)


@pytest.mark.parametrize("size", [1 << 20, 5_000_000])
async def test_a_reply_may_be_large(probe: DartVm, size: int) -> None:
    async with connected(probe.uri) as service:
        answer = await service.request(
            "ext.probe.big", {"bytes": str(size)}, isolate=await isolate(service)
        )
        assert len(answer["data"]) == size


async def isolate(service: VmService) -> str:
    found: str = (await service.request("getVM"))["isolates"][0]["id"]
    return found
