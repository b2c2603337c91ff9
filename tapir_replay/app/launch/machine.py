"""What `flutter run --machine` says: arrays of messages, a line each, among ordinary lines.

Only what a launch needs is read; unknown messages are left alone, as new ones are added often.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from tapir_replay.app.errors import ConnectError
from tapir_replay.app.uri import normalise


@dataclass(frozen=True, slots=True)
class Message:
    """An event (`event` and its `params`), or the answer to a request (`id`)."""

    event: str = ""
    params: Mapping[str, Any] = field(default_factory=dict)
    id: int | None = None
    result: Any = None
    error: str | None = None


def messages(line: str) -> list[Message]:
    """The messages of a line; none when it is ordinary output."""
    text = line.strip()
    if not text.startswith("[{"):
        return []
    try:
        decoded = json.loads(text)
    except (ValueError, RecursionError):
        return []
    if not isinstance(decoded, list):
        return []
    found = [_message(each) for each in decoded if isinstance(each, dict)]
    return [each for each in found if each is not None]


def request(number: int, method: str, params: Mapping[str, Any] | None = None) -> str:
    """The line that asks for something."""
    return json.dumps([{"id": number, "method": method, "params": dict(params or {})}]) + "\n"


@dataclass(slots=True)
class Progress:
    """What the messages so far tell of the launch.

    Attributes:
        app: The id under which the app is to be named.
        uri: Where its VM Service is.
        complaints: What went wrong, in the tool's words, oldest first.
        started: The app runs; its address comes before that, if it has one.
        stopped: The app ended, or never started.
        spoken: There was a message at all.
    """

    app: str | None = None
    uri: str | None = None
    complaints: list[str] = field(default_factory=list)
    started: bool = False
    stopped: bool = False
    spoken: bool = False

    def take(self, message: Message) -> None:
        """Follow one message."""
        self.spoken = True
        params = message.params
        name = params.get("appId")
        match message.event:
            case "app.start":
                self.app = str(name) if name else self.app
                self.stopped = False
            case "app.debugPort":
                self.app = self.app or (str(name) if name else None)
                self.uri = self.uri or _service_of(params)
            case "app.started":
                self.started = True
            case "app.stop":
                self.stopped = True
                self._complain(params.get("error"))
            case "daemon.logMessage" if params.get("level") == "error":
                self._complain(params.get("message"))
            case "app.log" if params.get("error") is True:
                self._complain(params.get("log"))

    def _complain(self, text: object) -> None:
        if isinstance(text, str) and text.strip() and text.strip() not in self.complaints:
            self.complaints.append(text.strip())


def _service_of(params: Mapping[str, Any]) -> str | None:
    """The address in `app.debugPort`; absent where the build has no service."""
    for name in ("wsUri", "baseUri"):
        address = params.get(name)
        if isinstance(address, str) and "://" in address and not address.startswith("file:"):
            try:
                return normalise(address)
            except ConnectError:
                continue
    return None


def _message(decoded: Mapping[str, Any]) -> Message | None:
    event, params = decoded.get("event"), decoded.get("params")
    if isinstance(event, str):
        return Message(event=event, params=params if isinstance(params, dict) else {})
    number = decoded.get("id")
    if isinstance(number, str) and number.isdigit():
        number = int(number)
    if type(number) is not int or "method" in decoded:
        return None
    error = decoded.get("error")
    return Message(
        id=number,
        result=decoded.get("result"),
        error=None if error is None else str(error),
    )
