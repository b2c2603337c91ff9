"""What a run's end means to a shell."""

from __future__ import annotations

from collections.abc import Iterable
from enum import IntEnum

from tapir_replay.engine.events import FaultKind


class Exit(IntEnum):
    """Exit codes; the greatest that applies is given."""

    PASSED = 0
    FAILED = 1
    """A scenario failed."""
    WRONG_INPUT = 2
    """A scenario, a project file or the command line is wrong."""
    APP_UNREACHABLE = 3
    """The app could not be reached, went away, or does not tell what was asked."""
    INTERNAL = 4
    """Our own fault, or a report could not be written."""
    INTERRUPTED = 130


_OF_KIND = {
    FaultKind.VALUE: Exit.WRONG_INPUT,
    FaultKind.APP_UNREACHABLE: Exit.APP_UNREACHABLE,
    FaultKind.APP_GONE: Exit.APP_UNREACHABLE,
    FaultKind.TIMEOUT: Exit.APP_UNREACHABLE,
    FaultKind.UNAVAILABLE: Exit.APP_UNREACHABLE,
    FaultKind.PROTOCOL: Exit.APP_UNREACHABLE,
    FaultKind.INTERRUPTED: Exit.INTERRUPTED,
    FaultKind.INTERNAL: Exit.INTERNAL,
}


def exit_of(faults: Iterable[FaultKind]) -> Exit:
    """The exit code of a run with these faults, one a scenario."""
    return max((_OF_KIND.get(kind, Exit.FAILED) for kind in faults), default=Exit.PASSED)
