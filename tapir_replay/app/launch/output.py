"""What a launched program prints: bytes in; lines, addresses and messages out. No I/O."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from tapir_replay.app.events import Lines
from tapir_replay.app.launch.machine import Message, messages
from tapir_replay.app.launch.uri_scan import Sighting, UriScanner

_ENDS = re.compile(r"[\r\n]+")


@dataclass(frozen=True, slots=True)
class Said:
    """One line, and what it means: how the bytes were cut does not matter."""

    line: str
    messages: tuple[Message, ...] = ()
    sighting: Sighting | None = None


class Output:
    """Reads one stream of a program."""

    def __init__(self) -> None:
        self._lines = Lines()
        self._scanner = UriScanner()

    def feed(self, data: bytes) -> list[Said]:
        return list(self._read(self._lines.feed(data)))

    def end(self) -> list[Said]:
        """The line that was never ended."""
        return list(self._read(self._lines.end()))

    def _read(self, lines: list[str]) -> Iterator[Said]:
        for whole in lines:
            # A progress line is written over with a bare carriage return.
            for line in _ENDS.split(whole):
                if line:
                    yield self._say(line)

    def _say(self, line: str) -> Said:
        found = messages(line)
        if found:
            return Said(line, tuple(found))
        return Said(line, (), self._scanner.take(line))
