"""Errors of the app. Dusk forgets none, and records none twice."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from tapir_replay.app.commands import Host
from tapir_replay.app.interface import AppEvent

Answer = dict[str, Any]

_ERROR = "Flutter.Error"
_AGAIN = "Another exception was thrown: "


class Exceptions:
    """Remembers what was cleared, and hears what is thrown again."""

    def __init__(self) -> None:
        self._cleared: set[tuple[str, str, str]] = set()
        self._again: dict[str, str] = {}
        self._hears = False

    async def exceptions(self, host: Host, params: Mapping[str, str], timeout: float) -> Answer:
        """Those since the last time that they were cleared, the newest first."""
        if not self._hears:
            self._hears = True
            host.subscribe(self._hear)
        sent = {name: value for name, value in params.items() if name != "clear"}
        answer = await host.extension("exceptions", sent, timeout=timeout)
        listed = [each for each in answer.get("exceptions", ()) if isinstance(each, dict)]
        fresh = [each for each in map(self._fresh, listed) if each is not None]
        fresh.sort(key=lambda each: str(each.get("time", "")), reverse=True)
        if params.get("clear", "false") not in {"false", "0", ""}:
            self._cleared.update(map(_identity, listed))
            self._again.clear()
        return {**answer, "exceptions": fresh, "count": len(fresh)}

    def _fresh(self, error: Answer) -> Answer | None:
        if _identity(error) not in self._cleared:
            return error
        first, _, _ = str(error.get("message", "")).strip().partition("\n")
        again = self._again.get(first.strip())
        return {**error, "time": again} if again else None

    def _hear(self, event: AppEvent) -> None:
        """Flutter posts each error with its first line, all but the first one since a start."""
        if event.kind != "extension" or event.data.get("name") != _ERROR:
            return
        told = event.data.get("data")
        text = str(told.get("renderedErrorText", "")) if isinstance(told, Mapping) else ""
        if text.startswith(_AGAIN):
            at = datetime.fromtimestamp(event.timestamp / 1000, UTC)
            self._again[text.removeprefix(_AGAIN).strip()] = at.isoformat().replace("+00:00", "Z")


def _identity(error: Mapping[str, Any]) -> tuple[str, str, str]:
    return str(error.get("type")), str(error.get("message")), str(error.get("time"))
