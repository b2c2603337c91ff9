"""An app behind a VM Service: calls, what can happen to them, and finding the app again."""

from __future__ import annotations

import asyncio
import contextlib
import json
import signal
from collections.abc import AsyncIterator
from typing import TYPE_CHECKING, Any

import pytest

from tapir_replay.app.dialects import DUSK, TAPIR
from tapir_replay.app.errors import (
    AmbiguousIsolate,
    AppPaused,
    AppRestarted,
    CallTimeout,
    ConnectionLost,
    ProtocolError,
    VerbRefused,
    VerbsNotRegistered,
    VerbUnavailable,
)
from tapir_replay.app.interface import App, AppEvent
from tapir_replay.app.vm_app import Timeouts, VmApp
from tapir_replay.app.vm_service import VmService
from tests.app.conftest import PROBE
from tests.support.dart_vm import DartVm
from tests.support.fake_service import ISOLATE, SILENCE, FakeService, Fault

if TYPE_CHECKING:
    from collections.abc import Callable

QUICK = Timeouts(open=2.0, close=0.2, diagnosis=0.3, quiet=0.02)

SENTINEL = {"type": "Sentinel", "kind": "Collected", "valueAsString": "<collected>"}


@contextlib.asynccontextmanager
async def app_at(uri: str, **options: Any) -> AsyncIterator[VmApp]:
    async with await VmApp.connect(uri, **{"timeouts": QUICK, "timeout": 10.0, **options}) as app:
        yield app


class Heard:
    """The events of an app, and waiting for one."""

    def __init__(self, app: VmApp) -> None:
        self.events: list[AppEvent] = []
        self._news = asyncio.Event()
        self.end = app.subscribe(self._take)

    def _take(self, event: AppEvent) -> None:
        self.events.append(event)
        self._news.set()

    async def until(self, holds: Callable[[AppEvent], bool]) -> AppEvent:
        async with asyncio.timeout(5):
            while not any(map(holds, self.events)):
                self._news.clear()
                await self._news.wait()
        return next(filter(holds, self.events))


async def test_a_verb_is_called_by_its_name_alone(probe: DartVm) -> None:
    async with app_at(probe.uri) as app:
        assert await app.call("find", {"text": "absent"}) == {"ref": None, "matched": False}
        assert app.dialect is TAPIR
        engine_side: App = app
        assert engine_side.capabilities == frozenset()


async def test_reports_call_the_app_by_place_or_by_the_given_name(probe: DartVm) -> None:
    async with app_at(probe.uri) as app:
        assert app.name == probe.uri.split("/")[2]
        assert app.uri == probe.ws_uri
    async with app_at(probe.uri, name="customer app") as app:
        assert app.name == "customer app"


async def test_parameters_arrive_as_they_were_sent(probe: DartVm) -> None:
    params = {"text": 'é😀"\\\n\u2028', "empty": "", "null": "\u0000", "half": "\ud800"}
    async with app_at(probe.uri) as app:
        answer = await app.call("ext.probe.echo", params)
        assert answer["params"] == {**params, "isolateId": app.isolate}


async def test_a_parameter_that_is_no_text_is_a_mistake_of_the_caller(probe: DartVm) -> None:
    wrong: Any = {"limit": 3}
    async with app_at(probe.uri) as app:
        with pytest.raises(TypeError, match="exceptions: parameter limit is no text: 3"):
            await app.call("exceptions", wrong)


@pytest.mark.parametrize(
    ("verb", "params", "kind", "text"),
    [
        ("nosuch", {}, VerbUnavailable, "The app has no verb `nosuch`"),
        ("ext.probe.error", {}, VerbRefused, "plain detail"),
        ("ext.probe.throw", {"message": "ouch"}, VerbRefused, "Bad state: ouch"),
        ("ext.probe.throw_later", {"message": "ouch"}, VerbRefused, "Bad state: ouch"),
        ("ext.probe.raw", {"text": "oops"}, ProtocolError, "ext.probe.raw: the answer is not JSON"),
        ("ext.probe.raw", {"text": ""}, ProtocolError, "ext.probe.raw: the answer is not JSON"),
        ("ext.probe.raw", {"text": "[1]"}, ProtocolError, "ext.probe.raw: the answer is no object"),
        (
            "ext.probe.raw",
            {"text": "null"},
            ProtocolError,
            "ext.probe.raw: the answer is no object",
        ),
    ],
)
async def test_each_bad_answer_has_its_exception(
    probe: DartVm, verb: str, params: dict[str, str], kind: type[Exception], text: str
) -> None:
    async with app_at(probe.uri) as app:
        with pytest.raises(kind) as caught:
            await app.call(verb, params)
        assert type(caught.value) is kind
        assert str(caught.value).startswith(text)
        assert await app.call("find")


async def test_an_error_of_the_app_keeps_its_code_kind_and_suggestions(probe: DartVm) -> None:
    envelope = {"type": "not_found", "suggestions": ["Sign in"]}
    details = json.dumps({"message": 'nothing has the label "Sing in"', "envelope": envelope})
    async with app_at(probe.uri) as app:
        with pytest.raises(VerbRefused, match="nothing has the label") as caught:
            await app.call("ext.probe.error", {"details": details, "code": "-32016"})
    error = caught.value
    assert (error.code, error.kind, error.suggestions) == (-32016, "not_found", ("Sign in",))


async def test_a_screenshot_may_be_large(probe: DartVm) -> None:
    async with app_at(probe.uri) as app:
        answer = await app.call("ext.probe.big", {"bytes": "5000000"})
        assert len(answer["data"]) == 5_000_000


@pytest.mark.parametrize("verb", ["ext.probe.never", "ext.probe.silent"])
async def test_a_call_that_never_completes_is_told_from_a_busy_app(
    probe: DartVm, verb: str
) -> None:
    async with app_at(probe.uri) as app:
        with pytest.raises(CallTimeout) as caught:
            await app.call(verb, timeout=0.05)
        assert type(caught.value) is CallTimeout
        assert str(caught.value) == (
            f"`{verb}` was not answered within 0.05 s; "
            "the app does answer other calls, this one never completed"
        )


async def test_a_busy_app_is_said_to_be_busy(probe: DartVm) -> None:
    async with app_at(probe.uri) as app:
        with pytest.raises(CallTimeout, match="the app is busy") as caught:
            await app.call("ext.probe.busy", {"ms": "800"}, timeout=0.05)
        assert type(caught.value) is CallTimeout
        assert await app.call("find", timeout=5.0)


async def test_a_late_answer_is_dropped_and_the_call_was_made_once(probe: DartVm) -> None:
    async with app_at(probe.uri) as app:
        before = (await app.call("ext.probe.calls"))["calls"]
        with pytest.raises(CallTimeout):
            await app.call("ext.probe.count", {"ms": "150"}, timeout=0.05)
        await app.call("ext.probe.slow", {"ms": "200"})
        assert app.service.late_answers == 1
        assert (await app.call("ext.probe.calls"))["calls"] == before + 1


async def test_a_paused_app_is_said_to_be_paused_and_goes_on_afterwards(probe: DartVm) -> None:
    async with app_at(probe.uri) as app:
        await app.ask("pause", timeout=1.0)
        with pytest.raises(AppPaused, match=r"the app is paused \(Pause") as caught:
            await app.call("ext.probe.count", timeout=0.2)
        assert "Resume" in caught.value.hint
        await app.ask("resume", timeout=1.0)
        assert await app.call("find")


async def test_an_app_that_is_paused_before_its_verbs_answer_is_said_to_be_paused(
    probe: DartVm,
) -> None:
    async with app_at(probe.uri) as app:
        await app.ask("pause", timeout=1.0)
        try:
            with pytest.raises(AppPaused, match="`boot_id`"):
                await VmApp.connect(probe.uri, timeout=0.3, timeouts=QUICK)
        finally:
            await app.ask("resume", timeout=1.0)


async def test_a_frozen_process_is_told_from_a_busy_app() -> None:
    async with DartVm(PROBE) as vm, app_at(vm.uri) as app:
        vm.process.send_signal(signal.SIGSTOP)
        try:
            with pytest.raises(CallTimeout) as caught:
                await app.call("find", timeout=0.1)
        finally:
            vm.process.send_signal(signal.SIGCONT)
        assert type(caught.value) is CallTimeout
        assert str(caught.value) == (
            "`find` was not answered within 0.1 s, "
            "and the VM Service itself does not answer either: the process is frozen"
        )
        assert await app.call("find")


async def test_a_killed_process_fails_the_call_and_all_later_ones() -> None:
    async with DartVm(PROBE) as vm, app_at(vm.uri) as app:
        waiting = asyncio.create_task(app.call("ext.probe.never"))
        await app.call("find")
        vm.process.send_signal(signal.SIGKILL)
        with pytest.raises(ConnectionLost):
            await waiting
        with pytest.raises(ConnectionLost):
            await app.call("find")


async def test_a_call_whose_isolate_ends_does_not_wait_for_its_deadline() -> None:
    async with DartVm(PROBE) as vm, app_at(vm.uri) as app:
        with pytest.raises((AppRestarted, ConnectionLost)):
            await app.call("ext.probe.exit_isolate", timeout=20.0)


async def test_an_isolate_that_ends_alone_ends_its_calls_only() -> None:
    async with DartVm(PROBE, "--supervised") as vm, app_at(vm.uri) as app:
        supervisor = await _supervisor(app)
        with pytest.raises(AppRestarted):
            await app.call("ext.probe.exit_isolate", timeout=20.0)
        assert app.service.lost is None
        await app.service.request("getIsolate", {}, isolate=supervisor)


async def test_a_program_that_exits_loses_the_connection() -> None:
    async with DartVm(PROBE) as vm, app_at(vm.uri) as app:
        with pytest.raises((AppRestarted, ConnectionLost)):
            await app.call("ext.probe.exit", {"code": "3"}, timeout=20.0)


@pytest.mark.parametrize("order", ["newFirst", "oldFirst"])
async def test_a_hot_restart_fails_what_waits_and_the_app_can_be_found_again(order: str) -> None:
    async with DartVm(PROBE, "--supervised") as vm, app_at(vm.uri) as app:
        old, supervisor = app.isolate, await _supervisor(app)
        waiting = asyncio.create_task(app.call("ext.probe.never", timeout=20.0))
        await app.call("find")
        await app.service.request("ext.probe.restart", {"order": order}, isolate=supervisor)
        with pytest.raises(AppRestarted, match="the app was restarted, or it ended"):
            await waiting
        with pytest.raises(AppRestarted):
            await app.call("find")
        await app.reattach(5.0)
        assert app.isolate != old
        assert await app.call("find")


@pytest.mark.parametrize("order", ["newFirst", "oldFirst"])
async def test_an_app_that_is_restarting_is_waited_for(order: str) -> None:
    async with DartVm(PROBE, "--supervised", "--late=150") as vm, app_at(vm.uri) as app:
        params = {"order": order, "ms": "100"}
        supervisor = await _supervisor(app)
        restarting = asyncio.create_task(
            app.service.request("ext.probe.restart", params, isolate=supervisor)
        )
        with pytest.raises(AppRestarted):
            await app.call("ext.probe.never", timeout=20.0)
        await app.reattach(5.0)
        assert await app.call("find")
        await restarting


async def test_an_isolate_chosen_by_its_id_is_found_again_by_its_name() -> None:
    async with DartVm(PROBE, "--supervised") as vm:
        async with app_at(vm.uri) as app:
            chosen = app.isolate
        async with app_at(vm.uri, isolate=chosen) as app:
            supervisor = await _supervisor(app)
            await app.service.request("ext.probe.restart", isolate=supervisor)
            await app.reattach(5.0)
            assert app.isolate != chosen


async def test_an_isolate_that_starts_anew_under_its_id_was_restarted() -> None:
    async with FakeService({"ext.tapir.tap": SILENCE}) as fake, app_at(fake.uri) as app:
        waiting = asyncio.create_task(app.call("tap"))
        await fake.until_asked("ext.tapir.tap")
        await fake.report("Isolate", "IsolateStart", isolate={"id": ISOLATE, "name": "main"})
        with pytest.raises(AppRestarted):
            await waiting
        await app.reattach(2.0)
        assert await app.call("boot_id")


async def test_a_restart_that_went_unnoticed_shows_in_the_next_answer() -> None:
    async with FakeService({"ext.tapir.tap": SENTINEL}) as fake, app_at(fake.uri) as app:
        with pytest.raises(AppRestarted):
            await app.call("tap")
        with pytest.raises(AppRestarted):
            await app.call("tap")
        assert len(fake.asked("ext.tapir.tap")) == 1


async def test_an_isolate_that_is_gone_when_asked_why_it_is_silent_was_restarted() -> None:
    async with FakeService({"ext.tapir.tap": SILENCE}) as fake, app_at(fake.uri) as app:
        fake.answers["getIsolate"] = SENTINEL
        with pytest.raises(AppRestarted):
            await app.call("tap", timeout=0.05)


async def test_an_isolate_that_cannot_be_asked_why_it_is_silent_timed_out() -> None:
    async with FakeService({"ext.tapir.tap": SILENCE}) as fake, app_at(fake.uri) as app:
        fake.answers["getIsolate"] = Fault(-32603, "Internal error")
        with pytest.raises(CallTimeout, match="getIsolate: error -32603: Internal error"):
            await app.call("tap", timeout=0.05)


async def test_late_verbs_are_waited_for() -> None:
    async with DartVm(PROBE, "--late=300") as vm, app_at(vm.uri) as app:
        assert await app.call("find")


async def test_verbs_that_never_come_are_reported_with_what_is_there() -> None:
    async with DartVm(PROBE, "--late=60000") as vm:
        await vm.wait_for_line("probe ready")
        with pytest.raises(VerbsNotRegistered, match=r"main \[isolates/\d+\] has .*ext\.probe\.\*"):
            await VmApp.connect(vm.uri, timeout=0.2, timeouts=QUICK)


async def test_of_two_isolates_with_verbs_one_has_to_be_named() -> None:
    async with DartVm(PROBE) as vm:
        async with app_at(vm.uri) as app:
            await app.call("ext.probe.spawn", {"name": "worker"})
            main = app.isolate
        with pytest.raises(AmbiguousIsolate, match="worker"):
            await VmApp.connect(vm.uri, timeout=5.0, timeouts=QUICK)
        async with app_at(vm.uri, isolate="worker") as app:
            assert app.isolate != main
            assert await app.call("find")
        async with app_at(vm.uri, isolate=main) as app:
            assert app.isolate == main


async def test_an_isolate_without_verbs_does_not_matter() -> None:
    async with DartVm(PROBE) as vm:
        async with app_at(vm.uri) as app:
            main = app.isolate
            await app.call("ext.probe.spawn", {"name": "main", "empty": "true"})
        async with app_at(vm.uri) as app:
            assert app.isolate == main


async def test_the_verb_registered_last_has_to_answer_first() -> None:
    async with FakeService() as fake, app_at(fake.uri) as app:
        assert fake.asked("ext.tapir.boot_id") == [{"isolateId": ISOLATE}]
        assert app.isolate == ISOLATE


async def test_verbs_that_are_listed_but_do_not_work_yet_are_waited_for() -> None:
    replies: list[Any] = [Fault(-32603, "Internal error"), Fault(-32601), {"bootId": "1"}]
    answers = {"ext.tapir.boot_id": lambda _: replies.pop(0)}
    async with FakeService(answers) as fake, app_at(fake.uri):
        assert not replies


async def test_verbs_that_are_listed_but_never_work_are_reported() -> None:
    async with FakeService({"ext.tapir.boot_id": Fault(-32601)}) as fake:
        with pytest.raises(VerbsNotRegistered, match="The app's verbs do not work"):
            await VmApp.connect(fake.uri, timeout=0.1, timeouts=QUICK)


async def test_an_app_that_waits_to_be_started_is_reported_and_then_found() -> None:
    async with DartVm(PROBE, vm_flags=["--pause-isolates-on-start"]) as vm:
        service = await VmService.connect(vm.uri)
        main = await _paused_isolate(service)
        with pytest.raises(VerbsNotRegistered, match=r"\(PauseStart\)") as caught:
            await VmApp.connect(vm.uri, timeout=0.2, timeouts=QUICK)
        assert "resume" in caught.value.hint
        connecting = asyncio.create_task(VmApp.connect(vm.uri, timeout=10.0, timeouts=QUICK))
        await service.request("resume", isolate=main)
        await service.close()
        async with await connecting as app:
            assert await app.call("find")


async def test_an_app_without_that_verb_is_complete_when_nothing_more_is_registered() -> None:
    old = {"id": ISOLATE, "name": "main", "extensionRPCs": ["ext.dusk.snap"]}
    answers = {"getIsolate": old, "ext.dusk.snap": {"snapshot": "s"}}
    async with FakeService(answers) as fake, app_at(fake.uri) as app:
        assert app.dialect is DUSK
        assert await app.call("snap") == {"snapshot": "s"}


async def test_what_the_app_offers_beyond_the_verbs_is_asked_once() -> None:
    extensions = ["ext.tapir.boot_id", "ext.tapir_replay.info", "ext.tapir_replay.query"]
    answers = {
        "getIsolate": {"id": ISOLATE, "name": "main", "extensionRPCs": extensions},
        "ext.tapir_replay.info": {"protocol": 1, "capabilities": ["query", "future"]},
        "ext.tapir_replay.query": {"count": 0, "nodes": []},
    }
    async with FakeService(answers) as fake, app_at(fake.uri) as app:
        assert app.capabilities == {"query", "future"}
        assert await app.call("query", {"label": ""}) == {"count": 0, "nodes": []}
        assert len(fake.asked("ext.tapir_replay.info")) == 1


@pytest.mark.parametrize("answer", [Fault(-32000), {"capabilities": "query"}, []])
async def test_an_odd_answer_about_capabilities_means_none(answer: Any) -> None:
    extensions = ["ext.tapir.boot_id", "ext.tapir_replay.info"]
    answers = {
        "getIsolate": {"id": ISOLATE, "name": "main", "extensionRPCs": extensions},
        "ext.tapir_replay.info": answer,
    }
    async with FakeService(answers) as fake, app_at(fake.uri) as app:
        assert app.capabilities == frozenset()


COLLECTED = Fault(-32603, "Promise was collected")


@pytest.mark.parametrize(("verb", "times"), [("snap", 2), ("tap", 1)])
async def test_an_answer_lost_on_the_web_is_asked_for_again_by_reads_only(
    verb: str, times: int
) -> None:
    async with FakeService({f"ext.tapir.{verb}": COLLECTED}) as fake, app_at(fake.uri) as app:
        with pytest.raises(VerbRefused, match="Promise was collected"):
            await app.call(verb)
        assert len(fake.asked(f"ext.tapir.{verb}")) == times


async def test_a_read_that_was_lost_once_succeeds() -> None:
    replies = [COLLECTED, {"snapshot": "s"}]
    answers = {"ext.tapir.snap": lambda _: replies.pop(0)}
    async with FakeService(answers) as fake, app_at(fake.uri) as app:
        assert await app.call("snap") == {"snapshot": "s"}


async def test_a_dds_that_takes_over_while_connecting_is_followed() -> None:
    async with FakeService() as dds:
        target = dds.uri.replace("ws:", "http:").removesuffix("ws")
        async with FakeService({"getVM": SILENCE}) as vm:
            connecting = asyncio.create_task(VmApp.connect(vm.uri, timeout=5.0, timeouts=QUICK))
            await vm.until_asked("getVM")
            await vm.report("Service", "DartDevelopmentServiceConnected", uri=target)
            async with await connecting as app:
                assert app.uri == dds.uri


async def test_a_lost_connection_is_made_again_on_request_only() -> None:
    async with FakeService() as fake, app_at(fake.uri) as app:
        await fake.connections[0].close()
        with pytest.raises(ConnectionLost):
            await app.call("boot_id")
        with pytest.raises(ConnectionLost):
            await app.call("boot_id")
        await app.reattach(2.0)
        assert await app.call("boot_id") == {"bootId": "1"}


async def test_an_app_that_was_let_go_of_stays_so() -> None:
    async with FakeService() as fake:
        async with app_at(fake.uri) as app:
            pass
        with pytest.raises(ConnectionLost):
            await app.call("snap")
        with pytest.raises(ConnectionLost):
            await app.reattach()
        await app.close()


async def test_a_connection_that_fails_leaves_nothing_behind() -> None:
    before = asyncio.all_tasks()
    async with FakeService({"getVM": {"isolates": []}}) as fake:
        with pytest.raises(VerbsNotRegistered):
            await VmApp.connect(fake.uri, timeout=0.05, timeouts=QUICK)
    assert asyncio.all_tasks() == before


async def test_what_the_app_prints_comes_in_lines(probe: DartVm) -> None:
    async with app_at(probe.uri) as app:
        heard = Heard(app)
        for text in ("raw no new", "line é\nsecond\n"):
            await app.call("ext.probe.print", {"text": text})
        await heard.until(lambda event: event.data == {"text": "second"})
        assert [event.data["text"] for event in heard.events] == ["raw no newline é", "second"]


async def test_an_event_of_the_app_comes_before_the_answer(probe: DartVm) -> None:
    async with app_at(probe.uri) as app:
        heard = Heard(app)
        await app.call("ext.probe.post_event", {"kind": "t.tick", "data": '{"a":[1,null]}'})
        (event,) = heard.events
        assert event.kind == "extension"
        assert event.data == {"name": "t.tick", "data": {"a": [1, None]}}
        assert event.timestamp > 1_700_000_000_000


async def test_log_records_are_whole_and_in_order(probe: DartVm) -> None:
    async with app_at(probe.uri) as app:
        heard = Heard(app)
        texts = ["first", "x" * 5000, "third"]
        for text in texts:
            await app.call("ext.probe.log", {"text": text, "level": "900", "name": "net"})
        await heard.until(lambda event: event.data.get("text") == "third")
        assert [event.data["text"] for event in heard.events] == texts
        assert {
            (event.kind, event.data["level"], event.data["logger"]) for event in heard.events
        } == {("log", 900, "net")}


async def test_a_log_record_that_cannot_be_completed_is_shown_as_cut() -> None:
    message = {"valueAsString": "begin", "valueAsStringIsTruncated": True, "id": "objects/1"}
    sentinel = {"type": "Sentinel", "kind": "Expired", "valueAsString": "<expired>"}
    async with FakeService({"getObject": sentinel}) as fake, app_at(fake.uri) as app:
        heard = Heard(app)
        record = {"level": 1, "message": message}
        await fake.report("Logging", "Logging", isolate={"id": ISOLATE}, logRecord=record)
        await heard.until(lambda event: event.data["text"] == "begin…")


async def test_a_listener_is_called_until_it_is_taken_off(
    probe: DartVm, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(event: AppEvent) -> None:
        raise ZeroDivisionError

    async with app_at(probe.uri) as app:
        app.subscribe(fail)
        heard = Heard(app)
        await app.call("ext.probe.post_event")
        assert len(heard.events) == 1
        assert "a listener of 127.0.0.1" in caplog.text
        heard.end()
        heard.end()
        await app.call("ext.probe.post_event")
        assert len(heard.events) == 1


async def test_many_calls_at_once_are_answered_each_by_its_own(probe: DartVm) -> None:
    async with app_at(probe.uri) as app:
        answers = await asyncio.gather(
            *(app.call("ext.probe.echo", {"n": str(number)}) for number in range(500))
        )
        assert [answer["params"]["n"] for answer in answers] == [str(n) for n in range(500)]


async def _paused_isolate(service: VmService) -> str:
    """The program's isolate, once it has come to its start and waits there."""
    while True:
        for reference in (await service.request("getVM"))["isolates"]:
            found = await service.request("getIsolate", isolate=reference["id"])
            if found["pauseEvent"]["kind"] == "PauseStart":
                name: str = found["id"]
                return name


async def _supervisor(app: VmApp) -> str:
    """The isolate that restarts the other one."""
    for reference in (await app.service.request("getVM"))["isolates"]:
        found = await app.service.request("getIsolate", isolate=reference["id"])
        if "ext.probe.restart" in found.get("extensionRPCs", ()):
            name: str = found["id"]
            return name
    raise AssertionError("nobody supervises")
