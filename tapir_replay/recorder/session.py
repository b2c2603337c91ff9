"""A recording while it runs: an app that tells, and a timeline that grows."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable, Mapping
from types import TracebackType
from typing import Any, Self

from tapir_replay.app.errors import AppError, AppGone, VerbUnavailable
from tapir_replay.app.interface import App, AppEvent
from tapir_replay.recorder.timeline import Timeline
from tapir_replay.recorder.wire import KIND, read_event

CAPABILITY = "record"
_PREFIX = "ext.tapir_replay."


class Recording:
    """Attaches to an app and follows what is done to it.

        async with Recording(app, timeline, changed, again=reach) as recording:
            await recording.ended.wait()

    Args:
        app: An app with the capability.
        timeline: Takes what is told.
        changed: Called when the timeline is different.
        again: Reaches the app again after it was restarted.
        tools: Whether what verbs do is recorded too.
        pulse: Seconds between two looks whether the app is still the one that records.

    Attributes:
        ended: Set when the app is gone, or tells somebody else.
        lost: Whether another recording of the app began, which ends this one.
        restarts: How often it began anew meanwhile.
    """

    def __init__(
        self,
        app: App,
        timeline: Timeline,
        changed: Callable[[], None],
        *,
        again: Callable[[], Awaitable[App]],
        tools: bool = False,
        pulse: float = 2.0,
    ) -> None:
        self.ended = asyncio.Event()
        self.lost = False
        self.restarts = 0
        self._app = app
        self._timeline = timeline
        self._changed = changed
        self._tools = tools
        self._interval = pulse
        self._again = again
        self._run: str | None = None
        self._early: list[tuple[Mapping[str, Any], int]] = []
        self._unsubscribe: Callable[[], None] = lambda: None
        self._pulse: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Self:
        await self._attach(self._app)
        self._pulse = asyncio.create_task(self._watch())
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._pulse is not None:
            self._pulse.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._pulse
        if not self.lost:  # else it would end the one of somebody else
            with contextlib.suppress(AppError):
                await self._app.call(f"{_PREFIX}record_stop", {"run": self._run or ""})
                await asyncio.sleep(0)  # what came before the answer is heard before it
        self._unsubscribe()

    async def pick(self) -> None:
        """Have the next touch told instead of done."""
        await self._app.call(f"{_PREFIX}record_pick")

    async def _attach(self, app: App) -> None:
        self._unsubscribe()
        self._app = app
        if CAPABILITY not in app.capabilities:
            raise VerbUnavailable(
                "record",
                "this app cannot tell what a person does",
                hint="It needs our Flutter plugin (dart_plugin/), and no other that registered the"
                " Tapir verbs before it.",
            )
        self._unsubscribe = app.subscribe(self._hear)
        try:
            await self._start()
        except BaseException:
            self._unsubscribe()
            raise

    async def _start(self) -> None:
        self._run = None
        params = {"tools": "true"} if self._tools else {}
        answer = await self._app.call(f"{_PREFIX}record_start", params)
        self._run = str(answer.get("run"))
        early, self._early = self._early, []
        for data, at in early:
            if data.get("run") == self._run:  # else it is the end of one before
                self._take(data, at)

    def _hear(self, event: AppEvent) -> None:
        if event.kind != "extension" or event.data.get("name") != KIND:
            return
        data = event.data.get("data")
        if not isinstance(data, Mapping):
            return
        if self._run is None:
            self._early.append((data, event.timestamp))
        else:
            self._take(data, event.timestamp)

    def _take(self, data: Mapping[str, Any], at: int) -> None:
        if data.get("run") != self._run:
            # The app has one recording at a time, and tells of it to all: this is another's first.
            if data.get("seq") == 1:
                self.lost = True
                self.ended.set()
            return
        event = read_event(data)
        if event is not None and self._timeline.feed(event, at):
            self._changed()

    async def _watch(self) -> None:
        """An app that is restarted records no more, and says nothing of it."""
        while True:
            await asyncio.sleep(self._interval)
            try:
                await self._app.call("boot_id")
            except AppGone:
                try:
                    await self._attach(await self._again())
                except AppError:
                    self.ended.set()
                    return
                self.restarts += 1
            except AppError:
                continue  # busy, or held by a debugger
