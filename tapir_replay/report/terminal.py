"""A stream for people: colours where they are wanted, and one line that is rewritten in place."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Mapping
from typing import NamedTuple, TextIO

from tapir_replay.engine.events import Outcome
from tapir_replay.report.clean import shortened


class Marks(NamedTuple):
    """The signs that stand for an outcome, and a few more that not every encoding has."""

    passed: str
    failed: str
    error: str
    skipped: str
    flaky: str
    running: str
    dot: str
    bar: str


FINE = Marks("✓", "✗", "!", "-", "~", "›", "·", "│")
PLAIN = Marks("ok   ", "FAIL ", "ERROR", "skip ", "FLAKY", ">", "-", "|")

_COLOR = {
    Outcome.PASSED: "32",
    Outcome.FAILED: "31",
    Outcome.ERROR: "31",
    Outcome.SKIPPED: "2",
    Outcome.FLAKY: "33",
}


class Terminal:
    """Writes lines to a stream of any encoding; what it cannot encode is written as an escape."""

    def __init__(
        self,
        stream: TextIO,
        *,
        env: Mapping[str, str],
        width: Callable[[], int] | None = None,
        color: bool | None = None,
    ) -> None:
        self._stream = stream
        self._encoding = _known(getattr(stream, "encoding", None) or "utf-8")
        self._width = width or (lambda: shutil.get_terminal_size().columns)
        dumb = env.get("TERM") == "dumb"
        tty = stream.isatty()
        self._live = tty and not dumb
        self._color = _wants_color(env, tty=tty, dumb=dumb) if color is None else color
        self._status = ""
        self._blank = True
        self.marks = FINE if self._can("".join(FINE)) else PLAIN

    def line(self, text: str = "") -> None:
        """A line that stays."""
        self.status("")
        self._write(f"{text.rstrip()}\n")
        self._blank = not text

    def gap(self) -> None:
        """An empty line, unless there is one, or nothing yet to stand apart from."""
        if not self._blank:
            self.line()

    def status(self, text: str) -> None:
        """Rewrites the line in place; an empty one clears it. Only a terminal has it."""
        if not self._live or text == self._status:
            return
        # Shorter than the line is wide: a terminal that has wrapped cannot be rewritten.
        shown = self.dim(shortened(text, self._width() - 1)) if text else ""
        self._write(f"\r\x1b[2K{shown}")
        self._status = text

    def mark(self, outcome: Outcome) -> str:
        return self.paint(outcome, getattr(self.marks, outcome.value))

    def paint(self, outcome: Outcome, text: str) -> str:
        return self._painted(_COLOR[outcome], text)

    def bold(self, text: str) -> str:
        return self._painted("1", text)

    def dim(self, text: str) -> str:
        return self._painted("2", text)

    def red(self, text: str) -> str:
        return self._painted("31", text)

    def yellow(self, text: str) -> str:
        return self._painted("33", text)

    def _painted(self, code: str, text: str) -> str:
        return f"\x1b[{code}m{text}\x1b[0m" if self._color and text else text

    def _write(self, text: str) -> None:
        if not self._can(text):
            text = text.encode(self._encoding, "backslashreplace").decode(self._encoding)
        self._stream.write(text)
        self._stream.flush()

    def _can(self, text: str) -> bool:
        try:
            text.encode(self._encoding)
        except UnicodeEncodeError:
            return False
        return True


def _known(encoding: str) -> str:
    try:
        "".encode(encoding)
    except LookupError:
        return "ascii"
    return encoding


def _wants_color(env: Mapping[str, str], *, tty: bool, dumb: bool) -> bool:
    """NO_COLOR beats FORCE_COLOR beats what the stream is, see no-color.org and force-color.org."""
    if env.get("NO_COLOR"):
        return False
    if env.get("FORCE_COLOR") not in (None, "", "0"):
        return True
    return tty and not dumb
