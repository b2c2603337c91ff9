"""The app's time: delays, deadlines and animations all ask here, so that a test can own it."""

from __future__ import annotations

import asyncio
import heapq
import itertools
import time
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable

FRAME = 0.016
"""Seconds between two frames of an animation."""


class Timer(Protocol):
    """Something that will happen, unless it is cancelled."""

    def cancel(self) -> None: ...


class Clock(Protocol):
    """Monotonic seconds, and a way to be called after some of them."""

    def now(self) -> float: ...

    def call_later(self, seconds: float, action: Callable[[], None]) -> Timer: ...


class RealClock:
    """The event loop's own time."""

    def now(self) -> float:
        return time.monotonic()

    def call_later(self, seconds: float, action: Callable[[], None]) -> Timer:
        return asyncio.get_running_loop().call_later(seconds, action)


class _FakeTimer:
    def __init__(self, action: Callable[[], None]) -> None:
        self.action: Callable[[], None] | None = action

    def cancel(self) -> None:
        self.action = None


class FakeClock:
    """Time that stands still until `advance` is called; timers due on the way run in order."""

    def __init__(self) -> None:
        self._now = 0.0
        self._order = itertools.count()
        self._queue: list[tuple[float, int, _FakeTimer]] = []

    def now(self) -> float:
        return self._now

    def call_later(self, seconds: float, action: Callable[[], None]) -> Timer:
        timer = _FakeTimer(action)
        heapq.heappush(self._queue, (self._now + seconds, next(self._order), timer))
        return timer

    def advance(self, seconds: float) -> None:
        end = self._now + seconds
        while self._queue and self._queue[0][0] <= end:
            self._now, _, timer = heapq.heappop(self._queue)
            if timer.action is not None:
                timer.action()
        self._now = end


async def sleep(clock: Clock, seconds: float) -> None:
    """Wait by this clock."""
    done = asyncio.Event()
    timer = clock.call_later(seconds, done.set)
    try:
        await done.wait()
    finally:
        timer.cancel()
