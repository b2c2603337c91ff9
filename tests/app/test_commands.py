"""Verbs that are carried out from here: evaluate and hot reload. The browser's are in test_cdp."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from tapir_replay.app.errors import AppRestarted, ProtocolError, VerbRefused, VerbUnavailable
from tapir_replay.app.interface import AppEvent
from tapir_replay.app.vm_app import Timeouts, VmApp
from tests.app.conftest import PROBE
from tests.support.dart_vm import DartVm
from tests.support.fake_service import ISOLATE, FakeService, Fault

QUICK = Timeouts(open=2.0, close=0.2, diagnosis=0.3, quiet=0.02)


@pytest.mark.parametrize(
    ("expression", "result", "kind"),
    [
        ("41 + 1", "42", "Int"),
        ("'x' * 5000", "x" * 5000, "String"),
        ("null", "null", "Null"),
        ("true", "true", "Bool"),
        ("[1, 'a']", "[1, a]", "List"),
        ("Uri.parse('a:b')", "a:b", "PlainInstance"),
        ("(){ var q = 1; return q; }()", "1", "Int"),
        ("await Future.value(3)", "Instance of 'Future<int>'", "PlainInstance"),
        ("'awaits'", "awaits", "String"),
    ],
)
async def test_an_expression_has_a_whole_text(
    probe: DartVm, expression: str, result: str, kind: str
) -> None:
    async with await VmApp.connect(probe.uri, allow_evaluate=True) as app:
        answer = await app.call("evaluate", {"expression": expression})
        assert answer == {"expression": expression, "result": result, "kind": kind}


@pytest.mark.parametrize(
    ("expression", "text", "code"),
    [
        ("throw StateError('on purpose')", "Bad state: on purpose", -32000),
        ("nosuch", "Undefined name 'nosuch'", 113),
        ("", "expression param is required", -32602),
    ],
)
async def test_an_expression_that_fails_is_refused(
    probe: DartVm, expression: str, text: str, code: int
) -> None:
    async with await VmApp.connect(probe.uri, allow_evaluate=True) as app:
        with pytest.raises(VerbRefused, match=text) as caught:
            await app.call("evaluate", {"expression": expression})
        assert caught.value.code == code
        assert "#0" not in caught.value.message


async def test_nothing_is_evaluated_unless_it_was_allowed(probe: DartVm) -> None:
    async with await VmApp.connect(probe.uri) as app:
        with pytest.raises(VerbUnavailable, match="is switched off") as caught:
            await app.call("evaluate", {"expression": "1"})
    assert caught.value.hint


@contextlib.asynccontextmanager
async def played(**answers: Any) -> AsyncIterator[tuple[VmApp, FakeService]]:
    verbs = {"snap": {"snapshot": "tree"}, "screenshot": {"base64": "AAAA"}}
    named: dict[str, Any] = {f"ext.tapir.{verb}": answer for verb, answer in verbs.items()}
    named["ext.tapir.exceptions"] = {"exceptions": [{"type": "overflow"}], "count": 1}
    async with (
        FakeService({**named, **answers}) as fake,
        await VmApp.connect(fake.uri, timeouts=QUICK, allow_evaluate=True) as app,
    ):
        yield app, fake


GOOD = {"type": "ReloadReport", "success": True}


async def test_a_reload_is_followed_by_a_look_at_the_app() -> None:
    async with played(reloadSources=GOOD) as (app, fake):
        answer = await app.call("hot_reload_and_snap")
        assert answer.pop("durationMs") >= 0
        assert answer == {
            "reloaded": True,
            "snapshot": "tree",
            "screenshot": "AAAA",
            "recentExceptions": [{"type": "overflow"}],
        }
        assert fake.asked("reloadSources") == [{"isolateId": ISOLATE}]
        assert not fake.asked("ext.flutter.reassemble")


async def test_no_picture_is_taken_unless_wanted() -> None:
    async with played(reloadSources=GOOD) as (app, fake):
        answer = await app.call("hot_reload_and_snap", {"screenshot": "false"})
        assert answer["screenshot"] is None
        assert not fake.asked("ext.tapir.screenshot")


async def test_a_picture_that_fails_does_not_spoil_the_reload() -> None:
    refusal = Fault(-32000, data={"details": "no surface"})
    async with played(reloadSources=GOOD, **{"ext.tapir.screenshot": refusal}) as (app, _):
        answer = await app.call("hot_reload_and_snap")
        assert answer["reloaded"] is True
        assert (answer["screenshot"], answer["screenshotError"]) == (None, "no surface")


async def test_a_reload_past_the_flutter_tool_rebuilds_the_widgets() -> None:
    extensions = ["ext.tapir.boot_id", "ext.flutter.reassemble"]
    described = {"id": ISOLATE, "name": "main", "extensionRPCs": extensions}
    answers: dict[str, Any] = {
        "getIsolate": described,
        "reloadSources": GOOD,
        "ext.flutter.reassemble": {"type": "_extensionType"},
    }
    async with played(**answers) as (app, fake):
        await app.call("hot_reload_and_snap")
        assert len(fake.asked("ext.flutter.reassemble")) == 1


async def test_the_flutter_tool_reloads_where_it_is_there() -> None:
    async with played(**{"s0.reloadSources": {"type": "Success"}}) as (app, fake):
        service = {"service": "reloadSources", "method": "s0.reloadSources"}
        await fake.report("Service", "ServiceRegistered", **service)
        await app.call("boot_id")
        answer = await app.call("hot_reload_and_snap")
        assert answer["reloaded"] is True
        assert fake.asked("s0.reloadSources") == [{"isolateId": ISOLATE}]
        assert not fake.asked("reloadSources")


NOTICES = [{"type": "ReasonForCancelling", "message": "app.dart:68:9: Error: …"}]


@pytest.mark.parametrize(
    ("answer", "text"),
    [
        ({"success": False, "notices": NOTICES}, "app.dart:68:9: Error: …"),
        ({"success": False, "details": {"notices": NOTICES}}, "app.dart:68:9: Error: …"),
        ({"success": False}, "the sources were refused without a reason"),
        (Fault(-32000, data={"details": "Hot reload failed"}), "Hot reload failed"),
        (None, "Method not found"),
    ],
)
async def test_a_failed_reload_is_an_answer_that_says_why(answer: Any, text: str) -> None:
    async with played(reloadSources=answer) as (app, fake):
        found = await app.call("hot_reload_and_snap")
        assert found.pop("durationMs") >= 0
        assert found == {
            "reloaded": False,
            "error": text,
            "recentExceptions": [{"type": "overflow"}],
        }
        assert not fake.asked("ext.tapir.snap")


async def test_an_app_without_an_exception_log_has_none() -> None:
    async with played(reloadSources=GOOD, **{"ext.tapir.exceptions": None}) as (app, _):
        assert (await app.call("hot_reload_and_snap"))["recentExceptions"] == []


async def test_a_restart_meanwhile_is_not_taken_for_a_failed_reload() -> None:
    sentinel = {"type": "Sentinel", "kind": "Collected", "valueAsString": "<collected>"}
    async with played(reloadSources=sentinel) as (app, _):
        with pytest.raises(AppRestarted):
            await app.call("hot_reload_and_snap")
        with pytest.raises(AppRestarted):
            await app.call("evaluate", {"expression": "1"})


async def test_an_object_that_expired_is_not_taken_for_a_restart() -> None:
    cut: dict[str, Any] = {
        "type": "@Instance",
        "kind": "String",
        "id": "objects/1",
        "valueAsString": "c",
    }
    answers: dict[str, Any] = {
        "evaluate": {**cut, "valueAsStringIsTruncated": True},
        "getObject": {"type": "Sentinel", "kind": "Expired", "valueAsString": "<expired>"},
    }
    async with played(**answers) as (app, _):
        with pytest.raises(ProtocolError, match="expired"):
            await app.call("evaluate", {"expression": "1"})
        assert await app.call("snap")


async def test_an_isolate_without_a_program_cannot_evaluate() -> None:
    described = {"id": ISOLATE, "name": "main", "extensionRPCs": ["ext.tapir.boot_id"]}
    async with played(getIsolate=described) as (app, _):
        with pytest.raises(VerbUnavailable, match="has not loaded its program"):
            await app.call("evaluate", {"expression": "1"})


async def test_an_instance_without_a_text_is_named_by_its_class() -> None:
    plain = {"type": "@Instance", "kind": "PlainInstance", "id": "o/1", "class": {"name": "Money"}}
    async with played(evaluate=plain, invoke={"type": "@Error"}) as (app, _):
        answer = await app.call("evaluate", {"expression": "price"})
        assert answer["result"] == "Instance of 'Money'"


async def test_changed_sources_reach_a_running_program(tmp_path: Path) -> None:
    program = tmp_path / "probe.dart"
    source = PROBE.read_text(encoding="utf-8")
    program.write_text(source, encoding="utf-8")
    async with (
        DartVm(program, from_source=True) as vm,
        await VmApp.connect(vm.uri, timeouts=QUICK) as app,
    ):
        heard: list[AppEvent] = []
        app.subscribe(heard.append)
        broken = source.replace("'probe ready'", "nosuch")
        program.write_text(broken, encoding="utf-8")
        failed = await app.call("hot_reload_and_snap")
        assert failed["reloaded"] is False
        assert "nosuch" in failed["error"]
        program.write_text(source.replace("'probe ready'", "'changed'"), encoding="utf-8")
        with pytest.raises(VerbUnavailable, match="no verb `snap`"):  # reloaded; nothing to look at
            await app.call("hot_reload_and_snap")
        reloads = [event.data["status"] for event in heard if event.kind == "reload"]
        assert reloads == ["failure", "success"]
