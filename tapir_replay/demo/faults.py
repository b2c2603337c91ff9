"""How a verb refuses: a message, an envelope that says what kind of refusal it is, and a code."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Iterable

SERVER_ERROR = -32000
INVALID_PARAMS = -32602

FaultType = Literal[
    "timeout", "not_found", "obscured", "disabled", "stale", "zero_rect", "off_viewport",
    "not_stable", "missing_param", "unexpected",
]  # fmt: skip

MAX_LINES = 10
MAX_CHARS = 2048
MAX_POOL = 50
MAX_SUGGESTIONS = 3
MAX_DISTANCE = 3


class Fault(Exception):
    """A refusal as it goes over the wire."""

    def __init__(
        self,
        message: str,
        type_: FaultType = "unexpected",
        *,
        ref: str | None = None,
        suggestions: Iterable[str] = (),
        code: int = SERVER_ERROR,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.type = type_
        self.ref = ref
        self.suggestions = list(suggestions)
        self.code = code

    def details(self) -> str:
        """The text of `error.data.details`: JSON inside JSON."""
        envelope: dict[str, object] = {"type": self.type, "suggestions": self.suggestions}
        if self.ref is not None:
            envelope["widget_path"] = self.ref
        return json.dumps({"message": capped(self.message), "envelope": envelope})


def missing(method: str, name: str) -> Fault:
    return Fault(f'{method}: missing required param "{name}"', "missing_param")


def capped(message: str) -> str:
    """Long messages are cut, first by lines and then by characters, and say so."""
    lines = message.split("\n")
    if len(lines) > MAX_LINES:
        cut = len(lines) - MAX_LINES
        message = "\n".join([*lines[:MAX_LINES], f"... ({cut} more lines)"])
    if len(message) > MAX_CHARS:
        message = f"{message[:MAX_CHARS]}\n... (truncated)"
    return message


def suggest(wanted: str, pool: Iterable[str]) -> list[str]:
    """The nearest of the first candidates, best first; one that starts with `wanted` is near."""
    scored: dict[str, int] = {}
    for index, candidate in enumerate(pool):
        if index >= MAX_POOL:
            break
        if not candidate or candidate in scored:
            continue
        distance = _distance(wanted, candidate)
        if candidate.startswith(wanted):
            distance = min(distance, 1)
        if distance <= MAX_DISTANCE:
            scored[candidate] = distance
    return sorted(scored, key=scored.__getitem__)[:MAX_SUGGESTIONS]


def _distance(a: str, b: str) -> int:
    """Levenshtein's."""
    if abs(len(a) - len(b)) > MAX_DISTANCE:
        return MAX_DISTANCE + 1
    row = list(range(len(b) + 1))
    for i, letter in enumerate(a, 1):
        previous, row[0] = row[0], i
        for j, other in enumerate(b, 1):
            cost = previous + (letter != other)
            previous, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, cost)
    return row[-1]
