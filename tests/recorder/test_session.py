"""A recording follows its app."""

from __future__ import annotations

import asyncio
import functools
from collections.abc import Callable, Coroutine, Mapping
from typing import Any

import pytest

from tapir_replay.app.errors import AppRestarted, CallTimeout, ConnectionLost, VerbUnavailable
from tapir_replay.app.interface import AppEvent
from tapir_replay.recorder.session import Recording
from tapir_replay.recorder.timeline import Timeline
from tapir_replay.recorder.wire import KIND


def in_a_loop(test: Callable[[], Coroutine[Any, Any, None]]) -> Callable[[], None]:
    def run() -> None:
        asyncio.run(asyncio.wait_for(test(), 10))

    return functools.update_wrapper(run, test)


class FakeApp:
    """An app that records; its answers can be told beforehand."""

    name = "fake"

    def __init__(self, run: str = "r1", *capabilities: str) -> None:
        self.run = run
        self.capabilities = frozenset(capabilities or ("record",))
        self.calls: list[tuple[str, dict[str, str]]] = []
        self.pulses: list[Exception] = []
        self.listeners: list[Callable[[AppEvent], None]] = []
        self.started = asyncio.Event()
        self.ends_another = False

    async def call(
        self, verb: str, params: Mapping[str, str] | None = None, *, timeout: float = 10.0
    ) -> dict[str, Any]:
        self.calls.append((verb, dict(params or {})))
        if verb == "boot_id" and self.pulses:
            raise self.pulses.pop(0)
        if verb.endswith("record_start"):
            if self.ends_another:
                self.tells(1, "tap", run="one before")
            self.tells(1, "tap")  # before the answer is there
            asyncio.get_running_loop().call_later(0.01, self.started.set)
        return {"run": self.run, "seq": 0}

    def subscribe(self, listener: Callable[[AppEvent], None]) -> Callable[[], None]:
        self.listeners.append(listener)
        return lambda: self.listeners.remove(listener)

    async def close(self) -> None:
        pass

    def tells(self, seq: int, action: str, run: str | None = None, kind: str = KIND) -> None:
        data = {"run": run or self.run, "seq": seq, "kind": "action", "action": action}
        for each in list(self.listeners):
            each(AppEvent("extension", {"name": kind, "data": data}, 5))


def actions(timeline: Timeline) -> list[str]:
    return [each.action.name for each in timeline.entries]


@in_a_loop
async def test_another_recording_of_the_app_ends_this_one() -> None:
    """The app has one at a time; and this one leaves the other alone when it ends."""
    app, timeline = FakeApp(), Timeline()

    async def again() -> FakeApp:
        return app

    async with Recording(app, timeline, lambda: None, again=again) as recording:
        app.tells(2, "back")
        app.tells(9, "tap", run="one before")
        assert not recording.ended.is_set()
        app.tells(1, "tap", run="another")
        await asyncio.wait_for(recording.ended.wait(), 1)
    assert recording.lost
    assert actions(timeline) == ["tap", "back"]
    assert not any(verb.endswith("record_stop") for verb, _ in app.calls)


@in_a_loop
async def test_the_end_of_another_recording_ends_nothing() -> None:
    """A recording that was on ends where this one starts: its last word comes before the answer."""
    app, timeline = FakeApp(), Timeline()
    app.ends_another = True

    async def again() -> FakeApp:
        return app

    async with Recording(app, timeline, lambda: None, again=again) as recording:
        app.tells(2, "back")
    assert not recording.lost
    assert actions(timeline) == ["tap", "back"]


@in_a_loop
async def test_only_its_own_events_count() -> None:
    """Those of its run, also such as come before the answer does; nothing after the end."""
    app, timeline, changes = FakeApp(), Timeline(), []

    async def again() -> FakeApp:
        return app

    async with Recording(app, timeline, lambda: changes.append(1), again=again, tools=True):
        app.tells(2, "back")
        app.tells(3, "fill", run="another")
        app.tells(3, "key", kind="flutter.frame")
        app.tells(3, "scroll")
    app.tells(4, "drag")
    assert actions(timeline) == ["tap", "back", "scroll"]
    assert len(changes) == 3
    assert app.calls[0] == ("ext.tapir_replay.record_start", {"tools": "true"})
    assert app.calls[-1] == ("ext.tapir_replay.record_stop", {"run": "r1"})
    assert app.listeners == []


@in_a_loop
async def test_it_goes_on_after_a_restart() -> None:
    """The app is reached again and records anew; being busy for a while is no restart."""
    first, second, timeline = FakeApp("r1"), FakeApp("r2"), Timeline()
    first.pulses = [CallTimeout("busy"), AppRestarted("gone")]

    async def again() -> FakeApp:
        return second

    recording = Recording(first, timeline, lambda: None, again=again, pulse=0.001)
    async with recording:
        await second.started.wait()
        second.tells(2, "back")
    assert recording.restarts == 1
    assert actions(timeline) == ["tap", "tap", "back"]
    assert timeline.missed == 0
    assert first.listeners == second.listeners == []


@in_a_loop
async def test_an_app_that_is_gone_ends_it() -> None:
    """It says so, once, and keeps what there is."""
    app, timeline = FakeApp(), Timeline()
    app.pulses = [ConnectionLost("gone")]

    async def again() -> FakeApp:
        raise ConnectionLost("still gone")

    recording = Recording(app, timeline, lambda: None, again=again, pulse=0.001)
    async with recording:
        await recording.ended.wait()
    assert actions(timeline) == ["tap"]


@in_a_loop
async def test_an_app_that_cannot_record() -> None:
    """Our plugin is what it takes."""
    app = FakeApp("r1", "query")

    async def again() -> FakeApp:
        return app

    with pytest.raises(VerbUnavailable, match="cannot tell what a person does") as caught:
        await Recording(app, Timeline(), lambda: None, again=again).__aenter__()
    assert "our Flutter plugin" in (caught.value.hint or "")
    assert app.calls == []
