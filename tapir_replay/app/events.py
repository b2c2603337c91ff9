"""The service's events as the engine wants them: lines of text, log records, named events."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Iterator, Mapping
from typing import Any

from tapir_replay.app.interface import AppEvent
from tapir_replay.app.jsonrpc import Event

_LONGEST_LINE = 1 << 20
"""Bytes without a line break after which a line is reported all the same."""

_OUTPUT = {"Stdout": "stdout", "Stderr": "stderr"}


class Lines:
    """Bytes in, whole lines out: a print and its line break may come apart."""

    def __init__(self) -> None:
        self._rest = b""

    def feed(self, data: bytes) -> list[str]:
        *lines, self._rest = (self._rest + data).split(b"\n")
        if len(self._rest) > _LONGEST_LINE:
            lines.append(self._rest)
            self._rest = b""
        return [_text(line) for line in lines]

    def end(self) -> list[str]:
        """The line that was never ended."""
        rest, self._rest = self._rest, b""
        return [_text(rest)] if rest else []


class EventReader:
    """Translates events. Keeps the unfinished lines of each isolate."""

    def __init__(self) -> None:
        self._lines: dict[tuple[str, str], Lines] = {}

    def read(self, event: Event) -> Iterator[AppEvent]:
        """What `event` means to a listener; often nothing."""
        if event.stream in _OUTPUT and event.kind == "WriteEvent":
            yield from self._output(event)
        elif event.kind == "Extension":
            yield AppEvent("extension", _extension(event.body), event.timestamp)
        elif event.kind == "Logging":
            record = event.body.get("logRecord")
            if isinstance(record, Mapping):
                yield AppEvent("log", _log(record), event.timestamp)
        elif event.kind == "IsolateReload":
            yield AppEvent("reload", _reload(event.body), event.timestamp)
        elif event.kind == "IsolateExit":
            yield from self._last_words(event)

    def _output(self, event: Event) -> Iterator[AppEvent]:
        try:
            data = base64.b64decode(event.body.get("bytes", ""))
        except (binascii.Error, TypeError, ValueError):
            return
        lines = self._lines.setdefault((event.isolate or "", event.stream), Lines())
        for text in lines.feed(data):
            yield AppEvent(_OUTPUT[event.stream], {"text": text}, event.timestamp)

    def _last_words(self, event: Event) -> Iterator[AppEvent]:
        for stream, kind in _OUTPUT.items():
            lines = self._lines.pop((event.isolate or "", stream), None)
            for text in lines.end() if lines else ():
                yield AppEvent(kind, {"text": text}, event.timestamp)


def truncated_text(event: Event) -> str | None:
    """The object that holds the whole message of a log event whose text was cut short."""
    record = event.body.get("logRecord")
    message = record.get("message") if isinstance(record, Mapping) else None
    if isinstance(message, Mapping) and message.get("valueAsStringIsTruncated"):
        found = message.get("id")
        return found if isinstance(found, str) else None
    return None


def _extension(body: Mapping[str, Any]) -> dict[str, Any]:
    data = body.get("extensionData")
    shown = dict(data) if isinstance(data, Mapping) else {}
    shown.pop("__destinationStream", None)
    return {"name": str(body.get("extensionKind", "")), "data": shown}


def _log(record: Mapping[str, Any]) -> dict[str, Any]:
    level = record.get("level")
    data: dict[str, Any] = {
        "text": _value(record.get("message")),
        "level": level if isinstance(level, int) else 0,
        "logger": _value(record.get("loggerName")),
    }
    error = _value(record.get("error"))
    return {**data, "error": error} if error else data


def _value(reference: object) -> str:
    """The text of an instance; empty for null and for what has none."""
    if not isinstance(reference, Mapping) or reference.get("kind") == "Null":
        return ""
    return str(reference.get("valueAsString") or "")


def _reload(body: Mapping[str, Any]) -> dict[str, Any]:
    data = {"status": str(body.get("status", ""))}
    reason = body.get("reloadFailureReason")
    if isinstance(reason, Mapping):
        reason = reason.get("valueAsString")
    return {**data, "reason": str(reason)} if reason else data


def _text(line: bytes) -> str:
    return line.removesuffix(b"\r").decode("utf-8", "replace")
