"""Single keys from the terminal, without Enter."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress


@contextmanager
def keys(loop: asyncio.AbstractEventLoop, pressed: Callable[[str], None]) -> Iterator[None]:
    """Call `pressed` with each key while the block runs.

    Never where there is no terminal, or where another process has it: in the background of a
    shell, whoever changes how a terminal works is stopped.
    """
    try:
        import termios  # noqa: PLC0415
        import tty  # noqa: PLC0415

        descriptor = sys.stdin.fileno()
        before = termios.tcgetattr(descriptor)
        is_ours = os.tcgetpgrp(descriptor) == os.getpgrp()
    except (ImportError, OSError, ValueError, termios.error):
        is_ours = False
    if not is_ours:
        yield
        return

    def read() -> None:
        try:
            data = os.read(descriptor, 64)
        except OSError:
            data = b""
        if not data:  # the terminal is gone
            loop.remove_reader(descriptor)
        elif not data.startswith(b"\x1b"):  # an arrow and the like come as several characters
            for key in data.decode("utf-8", "ignore"):
                pressed(key)

    tty.setcbreak(descriptor)  # Ctrl-C still interrupts
    loop.add_reader(descriptor, read)
    try:
        yield
    finally:
        loop.remove_reader(descriptor)
        with suppress(termios.error):
            termios.tcsetattr(descriptor, termios.TCSADRAIN, before)
