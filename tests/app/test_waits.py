"""Waits in a web app: no call asks for more than its debugger has patience for."""

from __future__ import annotations

from typing import Any

import pytest

from tapir_replay.app.errors import VerbRefused
from tapir_replay.app.vm_app import Timeouts, VmApp
from tapir_replay.app.waits import on_the_web
from tests.support.fake_service import DEFAULTS, FakeService, Fault

QUICK = Timeouts(quiet=0.02)
NEVER = {"matched": False, "reason": "timeout"}
BUSY = Fault(-32000, data={"details": '{"message": "busy", "envelope": {"type": "timeout"}}'})


def web(**answers: Any) -> FakeService:
    """A web app: its isolate is the debugger's, and has a short number."""
    isolate: Any = DEFAULTS["getIsolate"]
    return FakeService(
        {
            "getVM": {"type": "VM", "isolates": [{"type": "@Isolate", "id": "1", "name": "main"}]},
            "getIsolate": {**isolate, "id": "1"},
            **{f"ext.tapir.{verb}": answer for verb, answer in answers.items()},
        }
    )


def script(*answers: Any) -> Any:
    left = list(answers)
    return lambda _: left.pop(0)


def limits(fake: FakeService, verb: str, name: str = "timeoutMs") -> list[str]:
    return [each[name] for each in fake.asked(f"ext.tapir.{verb}")]


@pytest.mark.parametrize(
    ("isolate", "expected"), [("1", True), ("isolates/123", False), ("", False)]
)
def test_where_an_app_runs(isolate: str, expected: bool) -> None:
    assert on_the_web(isolate) is expected


async def test_a_long_wait_is_cut_into_pieces() -> None:
    answers = script(NEVER, NEVER, {"matched": True, "elapsedMs": 200})
    async with web(wait_for=answers) as fake, await VmApp.connect(fake.uri, timeouts=QUICK) as app:
        answer = await app.call("wait_for", {"text": "x", "timeoutMs": "12000"})
        assert answer == {"matched": True, "elapsedMs": 10200}
        assert limits(fake, "wait_for") == ["5000", "5000", "2000"]


async def test_a_wait_for_nothing_ends() -> None:
    async with web(wait_for=NEVER) as fake, await VmApp.connect(fake.uri, timeouts=QUICK) as app:
        assert await app.call("wait_for", {"text": "x", "timeoutMs": "6000"}) == NEVER
        assert limits(fake, "wait_for") == ["5000", "1000"]


async def test_a_short_wait_is_one_call() -> None:
    async with web(wait_for=NEVER) as fake, await VmApp.connect(fake.uri, timeouts=QUICK) as app:
        await app.call("wait_for", {"text": "x"})
        assert fake.asked("ext.tapir.wait_for") == [{"text": "x", "isolateId": "1"}]


async def test_an_app_that_is_no_web_app_waits_as_long_as_it_is_asked_to() -> None:
    fake = FakeService({"ext.tapir.wait_for": NEVER})
    async with fake, await VmApp.connect(fake.uri, timeouts=QUICK) as app:
        await app.call("wait_for", {"text": "x", "timeoutMs": "60000"}, timeout=70)
        assert limits(fake, "wait_for") == ["60000"]


async def test_a_silence_of_the_network() -> None:
    verb = "wait_for_network_idle"
    answers = script(BUSY, {"matched": True, "idleAchievedMs": 600}, BUSY, BUSY)
    fake = web(**{verb: answers})
    async with fake, await VmApp.connect(fake.uri, timeouts=QUICK) as app:
        params = {"timeoutMs": "7000", "idleMs": "600"}
        assert (await app.call(verb, params))["matched"] is True
        assert limits(fake, verb) == ["5000", "2000"]
        with pytest.raises(VerbRefused) as caught:
            await app.call(verb, params)
        assert caught.value.kind == "timeout"
        with pytest.raises(VerbRefused, match="a silence of 5000ms at most"):
            await app.call(verb, {"timeoutMs": "20000", "idleMs": "6000"})


async def test_a_tap_is_done_once_however_long_it_waits() -> None:
    fake = web(
        tap={"ref": "e1", "untilMatched": False},
        wait_for=script(NEVER, {"matched": True, "elapsedMs": 0}),
    )
    async with fake, await VmApp.connect(fake.uri, timeouts=QUICK) as app:
        params = {"ref": "e1", "until": "Done", "untilTimeoutMs": "12000"}
        assert await app.call("tap", params) == {"ref": "e1", "untilMatched": True}
        assert limits(fake, "tap", "untilTimeoutMs") == ["5000"]
        assert limits(fake, "wait_for") == ["5000", "2000"]


async def test_a_tap_that_was_answered_early_waits_no_more() -> None:
    fake = web(tap={"ref": "e1", "untilMatched": True})
    async with fake, await VmApp.connect(fake.uri, timeouts=QUICK) as app:
        params = {"ref": "e1", "until": "Done", "untilTimeoutMs": "12000"}
        assert (await app.call("tap", params))["untilMatched"] is True
        await app.call("tap", {"ref": "e1"})
        assert fake.asked("ext.tapir.wait_for") == []
