"""The results of a run, from its log: what every report is made from.

    log --read--> events --Fold--> ScenarioResult, ScenarioResult, ...
                                   RunFacts, complete once the events are over

A log may stop anywhere: what was open then ended in an error, what was planned was skipped.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path

from tapir_replay.engine.events import Event, Note
from tapir_replay.engine.runlog import RunLogError, decode
from tapir_replay.report.fold import Fold
from tapir_replay.report.model import RunFacts, ScenarioResult

_NOTED_LINES = 20
"""A file that is no log at all should not make a note of each of its lines."""


def read(path: str | Path) -> Iterator[Event]:
    """The events of a log. A line that cannot be read becomes a `Note` that says so.

    Raises:
        OSError: There is no such file, or it may not be read.
    """
    path, unreadable, t = Path(path), 0, 0.0
    with path.open("rb") as lines:
        for number, line in enumerate(lines, 1):
            if line.isspace():
                continue
            try:
                event = decode(line.decode("utf-8-sig", "replace"))
            except RunLogError as error:
                unreadable += 1
                if unreadable <= _NOTED_LINES:
                    why = "it is cut off" if not line.endswith(b"\n") else str(error)
                    yield Note(t=t, text=f"{path.name}:{number} was passed over: {why}")
            else:
                if event is not None:
                    t = event.t
                    yield event
    if unreadable > _NOTED_LINES:
        more = unreadable - _NOTED_LINES
        yield Note(t=t, text=f"{path.name}: {more} more lines were passed over")


class Results:
    """The results of one run. Each pass over it makes them anew, one scenario at a time.

    `run` holds the facts of the latest pass, and is complete when that is over.
    """

    def __init__(self, events: Callable[[], Iterable[Event]], *, ends: int = 200) -> None:
        self.run = RunFacts()
        self._events = events
        self._ends = ends

    @classmethod
    def of_log(cls, path: str | Path, *, ends: int = 200) -> Results:
        return cls(partial(read, path), ends=ends)

    @classmethod
    def of_events(cls, events: Iterable[Event], *, ends: int = 200) -> Results:
        kept = tuple(events)
        return cls(lambda: kept, ends=ends)

    def __iter__(self) -> Iterator[ScenarioResult]:
        fold = Fold(ends=self._ends)
        self.run = fold.run
        for event in self._events():
            scenario = fold.add(event)
            if scenario is not None:
                yield scenario
        yield from fold.close()
