"""What the app remembers of its own output: console lines and reported errors."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

RING = 50

LEVELS = {
    "all": 0, "finest": 300, "finer": 400, "fine": 500, "config": 700, "info": 800, "warning": 900,
    "severe": 1000, "error": 1000, "shout": 1200, "off": 2000,
}  # fmt: skip


def utc_text(moment: datetime) -> str:
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")


@dataclass(frozen=True)
class LogLine:
    message: str
    time: datetime

    def as_json(self) -> dict[str, Any]:
        return {
            "level": "INFO",
            "message": self.message,
            "time": utc_text(self.time),
            "logger": "debugPrint",
            "levelValue": LEVELS["info"],
        }


class Console:
    """The last lines that went through `debugPrint`, newest first."""

    def __init__(self) -> None:
        self._lines: deque[LogLine] = deque(maxlen=RING)
        self.listeners: list[Callable[[str], None]] = []

    def print(self, message: str) -> None:
        self._lines.appendleft(LogLine(message, datetime.now(UTC)))
        for tell in self.listeners:
            tell(message)

    def read(self, limit: int, min_level: str) -> list[dict[str, Any]]:
        """A repeated line shows once, where its newest copy is."""
        if LEVELS["info"] < LEVELS.get(min_level.lower(), LEVELS["info"] if min_level else 0):
            return []
        seen = dict.fromkeys(line.message for line in self._lines)
        newest = {line.message: line for line in reversed(self._lines)}
        return [newest[message].as_json() for message in seen][: max(0, limit)]


@dataclass(frozen=True)
class Report:
    type: str
    message: str
    stack: tuple[str, ...]
    library: str
    time: datetime

    @property
    def stack_head(self) -> str:
        return "\n".join([line for line in self.stack if line.strip()][:3])

    def as_json(self) -> dict[str, Any]:
        return {
            "type": self.type,
            "message": self.message,
            "stackHead": self.stack_head,
            "library": self.library,
            "fatal": False,
            "time": utc_text(self.time),
        }


class Exceptions:
    """The errors the framework reported, newest first. A repeat of one that is kept is dropped."""

    def __init__(self) -> None:
        self._reports: deque[Report] = deque(maxlen=RING)

    def __len__(self) -> int:
        return len(self._reports)

    def __iter__(self) -> Iterator[Report]:
        return iter(self._reports)

    def record(self, type_: str, message: str, library: str, stack: tuple[str, ...]) -> None:
        report = Report(type_, message, stack, library, datetime.now(UTC))
        known = {(other.message, other.stack_head) for other in self._reports}
        if (report.message, report.stack_head) not in known:
            self._reports.appendleft(report)

    def read(self, limit: int, since: datetime | None) -> list[dict[str, Any]]:
        chosen = [r for r in self._reports if since is None or r.time > since]
        return [report.as_json() for report in chosen[: max(0, limit)]]

    def clear(self) -> None:
        self._reports.clear()
