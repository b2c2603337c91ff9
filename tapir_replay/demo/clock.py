"""The app's time: delays, deadlines and animations all ask here, so that a test can own it."""

from __future__ import annotations

import asyncio
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


async def sleep(clock: Clock, seconds: float) -> None:
    """Wait by this clock."""
    done = asyncio.Event()
    timer = clock.call_later(seconds, done.set)
    try:
        await done.wait()
    finally:
        timer.cancel()
