"""Single keys from the terminal, without Enter."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def keys(loop: asyncio.AbstractEventLoop, pressed: Callable[[str], None]) -> Iterator[None]:
    """Call `pressed` with each key while the block runs; never where there is no terminal."""
    try:
        import termios  # noqa: PLC0415
        import tty  # noqa: PLC0415

        descriptor = sys.stdin.fileno()
        before = termios.tcgetattr(descriptor)
    except (ImportError, OSError, ValueError, termios.error):
        yield
        return

    def read() -> None:
        for key in os.read(descriptor, 64).decode("utf-8", "ignore"):
            pressed(key)

    tty.setcbreak(descriptor)  # Ctrl-C still interrupts
    loop.add_reader(descriptor, read)
    try:
        yield
    finally:
        loop.remove_reader(descriptor)
        termios.tcsetattr(descriptor, termios.TCSADRAIN, before)
