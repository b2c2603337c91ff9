"""Time, as something a test can hold in its hand."""

from __future__ import annotations

import asyncio
import time
from typing import Protocol


class Clock(Protocol):
    def now(self) -> float:
        """Seconds that only go up; the start is arbitrary."""

    async def sleep(self, seconds: float) -> None:
        """Come back after so many seconds."""


class RealClock:
    def now(self) -> float:
        return time.monotonic()

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds)


class Deadline:
    """A point in time to reach something by, and how long to pause between two looks.

    Pauses grow from 20 to 100 ms: most waits end soon, and a long one should not keep the app busy.
    """

    def __init__(self, clock: Clock, seconds: float) -> None:
        self.clock = clock
        self.seconds = seconds
        self.started = clock.now()
        self.looks = 0
        self._pause = 0.02

    @property
    def left(self) -> float:
        return self.started + self.seconds - self.clock.now()

    @property
    def elapsed(self) -> float:
        return self.clock.now() - self.started

    async def again(self) -> bool:
        """Pause, and say whether there is time for another look."""
        left = self.left
        if left <= 0:
            return False
        await self.clock.sleep(min(self._pause, left))
        self._pause = min(self._pause * 1.6, 0.1)
        return True

    def __str__(self) -> str:
        """`looked 12 times in 5.0 s`."""
        times = "once" if self.looks == 1 else f"{self.looks} times"
        return f"looked {times} in {self.elapsed:.1f} s"
