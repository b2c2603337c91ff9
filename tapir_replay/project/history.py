"""What earlier runs were like: how long each scenario took, and how it ended.

The file (`.history.json` among the results) is a help, never a condition: one that cannot be read
counts as none, entries that are odd are passed over.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tapir_replay.files import replace

NAME = ".history.json"
_VERSION = 1
_KEPT = 20_000
"""Scenarios that are remembered; those that were played longest ago go first."""


@dataclass(frozen=True, slots=True)
class Past:
    """What is known of one scenario.

    Attributes:
        duration: Milliseconds that it takes, more or less; None where that is not known.
        outcome: How it ended when it was last played.
    """

    duration: float | None
    outcome: str

    @property
    def failed(self) -> bool:
        return self.outcome in ("failed", "error")


@dataclass(frozen=True, slots=True)
class History:
    """What is known of scenarios by their keys."""

    scenarios: Mapping[str, Past] = field(default_factory=dict)

    def duration(self, key: str) -> float | None:
        past = self.scenarios.get(key)
        return None if past is None else past.duration

    def failed(self, key: str) -> bool:
        past = self.scenarios.get(key)
        return past is not None and past.failed

    def with_played(self, played: Iterable[tuple[str, Past]]) -> History:
        """The same, with what a run came to on top.

        A duration moves half of the way to the new one; that of a failure, which may have ended
        early or waited long, counts only where no other is known.
        """
        known = dict(self.scenarios)
        for key, now in played:
            before = known.pop(key, None)
            known[key] = Past(_moved(before, now), now.outcome)
        surplus = len(known) - _KEPT
        for key in list(known)[: max(0, surplus)]:
            del known[key]
        return History(known)


def _moved(before: Past | None, now: Past) -> float | None:
    if before is None or before.duration is None:
        return now.duration
    if now.duration is None or now.failed:
        return before.duration
    return round((before.duration + now.duration) / 2, 3)


def read_history(path: Path) -> History:
    """The history in a file; an empty one where there is none that can be read."""
    try:
        data = json.loads(path.read_bytes())
    except (OSError, ValueError, RecursionError):
        return History()
    if not isinstance(data, dict) or data.get("version") != _VERSION:
        return History()
    entries = data.get("scenarios")
    found = {}
    for key, each in entries.items() if isinstance(entries, dict) else ():
        past = _past(each)
        if past is not None:
            found[key] = past
    return History(found)


def _past(entry: Any) -> Past | None:
    if not isinstance(entry, dict):
        return None
    duration, outcome = entry.get("duration"), entry.get("outcome")
    if not isinstance(outcome, str):
        return None
    if duration is None:
        return Past(None, outcome)
    if not isinstance(duration, int | float):
        return None
    try:
        took = float(duration)
    except OverflowError:
        return None
    return Past(took, outcome) if math.isfinite(took) and took >= 0 else None


def write_history(path: Path, history: History) -> None:
    """Write the file whole or not at all.

    Raises:
        OSError: It cannot be written.
    """
    data = {
        "version": _VERSION,
        "scenarios": {
            key: {"duration": past.duration, "outcome": past.outcome}
            for key, past in history.scenarios.items()
        },
    }
    replace(path, f"{json.dumps(data, indent=1)}\n".encode("ascii"))
