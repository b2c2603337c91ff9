"""Ends a process group when the one who started it dies without a word.

Run as a script of its own, with the group's number; standard input is held open by the runner,
which writes `done` when it has ended the group itself.
"""

from __future__ import annotations

import os
import signal
import sys
import time

_GRACE = 5.0
_LOOK = 0.05


def main(group: int) -> None:
    """Wait for the runner's end, then end what it left behind."""
    if sys.stdin.buffer.read():
        return
    if not _signal(group, signal.SIGTERM):
        return
    deadline = time.monotonic() + _GRACE
    while time.monotonic() < deadline:
        if not _signal(group, 0):
            return
        time.sleep(_LOOK)
    _signal(group, signal.SIGKILL)


def _signal(group: int, number: int) -> bool:
    """Whether there is such a group."""
    try:
        os.killpg(group, number)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


if __name__ == "__main__":
    main(int(sys.argv[1]))
