"""Ctrl-C, or being asked to stop, as something that work can end itself by."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager

_SIGNALS = (signal.SIGINT, signal.SIGTERM)


@contextmanager
def on_stop(stop: Callable[[], object]) -> Iterator[None]:
    """Call `stop` when somebody wants the work inside of the block to end."""
    loop = asyncio.get_running_loop()
    try:
        for each in _SIGNALS:
            loop.add_signal_handler(each, stop)
    except (NotImplementedError, RuntimeError):  # Windows, or no main thread: KeyboardInterrupt
        yield
        return
    try:
        yield
    finally:
        for each in _SIGNALS:
            loop.remove_signal_handler(each)
