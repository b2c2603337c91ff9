"""The steps of a recording as they come."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import TextIO

from tapir_replay.recorder.timeline import Entry
from tapir_replay.report.terminal import Terminal
from tapir_replay.scenario.writing import Step, write_step


class Live:
    """Shows each step when nothing about it can change any more; the last one until then.

    Args:
        stream: Where to.
        mask: All text passes it.
    """

    def __init__(self, stream: TextIO, mask: Callable[[str], str]) -> None:
        self._terminal = Terminal(stream, env=os.environ)
        self._mask = mask
        self._shown: dict[tuple[str, int], bool] = {}
        """The actions that were shown, and whether each had a step to show."""
        self._last: tuple[Entry, Sequence[Step]] | None = None

    def begin(self, app: str, file: str) -> None:
        self._terminal.line(f"recording {app} into {file}")
        self._terminal.line(self._terminal.dim("p pause · u undo · a check a widget · Ctrl-C ends"))
        self._terminal.gap()

    def show(self, entries: Sequence[Entry], steps: Sequence[Sequence[Step]]) -> None:
        """What was recorded so far, and the steps of each action."""
        ids = {each.id for each in entries}
        gone = sum(had_steps for each, had_steps in self._shown.items() if each not in ids)
        self._shown = {each: had for each, had in self._shown.items() if each in ids}
        if gone:
            what = (
                "the last action above does" if gone == 1 else f"the last {gone} actions above do"
            )
            self._terminal.line(self._terminal.dim(f"  ({what} not count any more)"))
        *final, last = zip(entries, steps, strict=True) if entries else [(None, ())]
        for entry, made in final:
            if entry is not None and entry.id not in self._shown:
                self._print(entry, made)
        self._last = None if last[0] is None else (last[0], last[1])
        first = self._lines(last[1])[:1]
        self._terminal.status(first[0] if first else "")

    def tell(self, text: str) -> None:
        self._terminal.line(self._terminal.dim(self._mask(text)))

    def end(self) -> None:
        """Nothing changes any more."""
        if self._last is not None and self._last[0].id not in self._shown:
            self._print(*self._last)
        self._terminal.gap()

    def _print(self, entry: Entry, steps: Sequence[Step]) -> None:
        self._shown[entry.id] = bool(steps)
        for line in self._lines(steps):
            self._terminal.line(line)

    def _lines(self, steps: Sequence[Step]) -> list[str]:
        text = "".join(write_step(each, 2) for each in steps)
        return self._mask(text).splitlines()
