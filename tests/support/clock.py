"""The demo's time, owned by a test."""

from __future__ import annotations

import heapq
import itertools
from collections.abc import Callable

from tapir_replay.demo.clock import Timer


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
