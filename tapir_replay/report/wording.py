"""The words that every report for people shares: durations, counts, and the parts of a fault."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import NamedTuple

from tapir_replay.engine.events import Fault, Outcome


class Part(NamedTuple):
    """A part of a fault below its message: `label` may be empty."""

    label: str
    text: str


def parts(fault: Fault) -> list[Part]:
    """What there is to say of a fault besides its message, in the order to say it."""
    found = []
    if fault.expected is not None:
        found.append(Part("expected", fault.expected))
    if fault.seen is not None:
        found.append(Part("seen", fault.seen))
    if fault.details:
        found.append(Part("", "\n".join(fault.details)))
    if fault.hint:
        found.append(Part("hint", fault.hint))
    if (proposal := fault.proposal) is not None:
        text = f"{proposal.param}: {proposal.target}  ({proposal.because})"
        found.append(Part("proposal", text))
    return found


def duration(milliseconds: float) -> str:
    """A duration as one says it: `85ms`, `5.4s`, `2m 05s`, `1h 02m`."""
    if not math.isfinite(milliseconds) or milliseconds < 0:
        return "0ms"
    if milliseconds < 999.5:
        return f"{milliseconds:.0f}ms"
    if milliseconds < 59_950:
        return f"{milliseconds / 1000:.1f}s"
    seconds = round(milliseconds / 1000)
    if seconds < 3600:
        return f"{seconds // 60}m {seconds % 60:02d}s"
    minutes = round(seconds / 60)
    return f"{minutes // 60}h {minutes % 60:02d}m"


def tally(counts: Mapping[Outcome, int]) -> list[tuple[Outcome, str]]:
    """The outcomes that occurred, the gravest first: `1 failed`, `3 passed`."""
    plural = {Outcome.ERROR: "errors"}
    order = (Outcome.FAILED, Outcome.ERROR, Outcome.FLAKY, Outcome.PASSED, Outcome.SKIPPED)
    return [
        (outcome, f"{count} {plural.get(outcome, outcome) if count != 1 else outcome}")
        for outcome in order
        if (count := counts.get(outcome, 0))
    ]


def quantity(count: int, noun: str) -> str:
    """A number with its noun: `1 step`, `4 steps`."""
    return f"{count:,} {noun}{'' if count == 1 else 's'}"
