"""JSON-RPC 2.0 as the VM Service speaks it, without a socket: text in, values out.

Frames are read leniently, since a handler's own text is spliced into them unchecked; they are
written strictly, since a malformed one ends the service for every client it has.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

_encode = json.JSONEncoder(separators=(",", ":")).encode
"""ASCII only: a lone surrogate goes out escaped instead of failing in the socket."""

_decode = json.JSONDecoder().raw_decode
"""`json.loads` spends more than half its time on a small answer looking for blanks around it."""

_BLANKS = " \t\n\r"

_ID_AT_THE_END = re.compile(r'"id"\s*:\s*"?(\d{1,15})"?\s*\}\s*\Z')
_ID_AT_THE_START = re.compile(
    r'\A\s*\{\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?"id"\s*:\s*"?(\d{1,15})"?'
)


@dataclass(frozen=True, slots=True)
class Answer:
    """A result; whether it is the hoped-for one is not known here (a Sentinel is a result too)."""

    id: int
    result: Any


@dataclass(frozen=True, slots=True)
class Failure:
    """An error answer. `message` is only as good as its writer: decide by `code`."""

    id: int
    code: int
    message: str
    data: Any = None

    @property
    def details(self) -> Any:
        """What the handler itself said: `data.details`, or `data` when a bare text stands there."""
        if isinstance(self.data, dict):
            return self.data.get("details")
        return self.data


@dataclass(frozen=True, slots=True)
class Event:
    """Something a stream reports. Not every event says of which isolate."""

    stream: str
    kind: str
    body: Mapping[str, Any]

    @property
    def isolate(self) -> str | None:
        reference = self.body.get("isolate")
        found = reference.get("id") if isinstance(reference, dict) else None
        return found if isinstance(found, str) else None

    @property
    def timestamp(self) -> int:
        found = self.body.get("timestamp")
        return int(found) if isinstance(found, (int, float)) else 0


@dataclass(frozen=True, slots=True)
class Garbled:
    """A frame that is not JSON, with the id that could be rescued from it."""

    id: int | None
    text: str


@dataclass(frozen=True, slots=True)
class Unknown:
    """A frame of no use to us: binary, no object, a request, a notification of another protocol."""

    text: str


Incoming = Answer | Failure | Event | Garbled | Unknown


def build(number: int, method: str, params: Mapping[str, str]) -> str:
    """The text of a request; `params` is an object of strings even when empty."""
    # Encoding text by text costs less than half of encoding an object.
    sent = ",".join([f"{_encode(str(name))}:{_encode(value)}" for name, value in params.items()])
    return f'{{"jsonrpc":"2.0","id":{number},"method":{_encode(method)},"params":{{{sent}}}}}'


def parse(frame: str | bytes) -> Incoming:
    """What a frame says. Never raises."""
    if isinstance(frame, bytes):
        return Unknown(repr(frame[:200]))
    text = frame.strip(_BLANKS)
    try:
        message, end = _decode(text)
    except (ValueError, RecursionError):
        end = -1
    if end != len(text):
        return Garbled(_rescued_id(frame), frame)
    known = _message(message) if isinstance(message, dict) else None
    return known or Unknown(frame)


def _message(message: Mapping[str, Any]) -> Answer | Failure | Event | None:
    number = _number(message.get("id"))
    if number is not None:
        if "result" in message:
            return Answer(number, message["result"])
        if isinstance(message.get("error"), dict):
            return _failure(number, message["error"])
    return _event(message.get("params")) if message.get("method") == "streamNotify" else None


def _number(value: object) -> int | None:
    if type(value) is int:
        return value
    if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) < 16:
        return int(value)
    return None


def _rescued_id(frame: str) -> int | None:
    found = _ID_AT_THE_END.search(frame[-80:]) or _ID_AT_THE_START.match(frame[:80])
    return int(found[1]) if found else None


def _failure(number: int, error: Mapping[str, Any]) -> Failure:
    code, message = error.get("code"), error.get("message")
    return Failure(
        number,
        code if type(code) is int else 0,
        message if isinstance(message, str) else "",
        error.get("data"),
    )


def _event(params: object) -> Event | None:
    if not isinstance(params, dict):
        return None
    stream, body = params.get("streamId"), params.get("event")
    if not isinstance(stream, str) or not isinstance(body, dict):
        return None
    return Event(stream, str(body.get("kind", "")), body)


class RpcError(Exception):
    """An error answer, before it is known what it means for the one who asked."""

    def __init__(self, method: str, failure: Failure) -> None:
        super().__init__(method, failure)
        self.method = method
        self.failure = failure

    def __str__(self) -> str:
        failure = self.failure
        said = failure.details if isinstance(failure.details, str) else failure.message
        return f"{self.method}: error {failure.code}: {said or 'without a text'}"


W = TypeVar("W")


@dataclass(slots=True, eq=False)
class Pending(Generic[W]):
    """A request under way. `waiter` is whatever the shell wants to wake."""

    id: int
    method: str
    isolate: str | None
    timeout: float
    deadline: float
    waiter: W


class PendingTable(Generic[W]):
    """The requests under way, by id. Each leaves it exactly once."""

    def __init__(self) -> None:
        self._entries: dict[int, Pending[W]] = {}

    def __len__(self) -> int:
        return len(self._entries)

    def add(self, entry: Pending[W]) -> None:
        self._entries[entry.id] = entry

    def take(self, number: int) -> Pending[W] | None:
        """The request with that id; None for a late answer, whose request was given up."""
        return self._entries.pop(number, None)

    def fail_isolate(self, isolate: str) -> list[Pending[W]]:
        """The requests to an isolate that is no more: they would never be answered."""
        return self._take(entry for entry in self._entries.values() if entry.isolate == isolate)

    def fail_all(self) -> list[Pending[W]]:
        return self._take(self._entries.values())

    def expire(self, now: float) -> list[Pending[W]]:
        return self._take(entry for entry in self._entries.values() if entry.deadline <= now)

    def next_deadline(self) -> float | None:
        return min((entry.deadline for entry in self._entries.values()), default=None)

    def _take(self, entries: Iterable[Pending[W]]) -> list[Pending[W]]:
        taken = list(entries)
        for entry in taken:
            del self._entries[entry.id]
        return taken
