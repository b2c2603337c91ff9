"""What counts of the events of a recording: actions in order, each with what came of it."""

from __future__ import annotations

from dataclasses import dataclass

from tapir_replay.recorder.wire import Action, After

_Id = tuple[str, int]


@dataclass(slots=True)
class Entry:
    """An action, and the last that was told of it.

    Attributes:
        at: When it was told, in milliseconds.
        took: Until what came of it was as it is now, in milliseconds.
    """

    action: Action
    at: int = 0
    after: After | None = None
    took: int = 0

    @property
    def id(self) -> _Id:
        return self.action.run, self.action.seq


class Timeline:
    """Takes events one by one.

    Attributes:
        entries: What was recorded so far.
        aside: What was done but is no part of the recording: in a pause, or taken back.
        missed: How many events never came.
        paused: While it is on, what is done is not kept.
    """

    def __init__(self) -> None:
        self.entries: list[Entry] = []
        self.aside: list[Entry] = []
        self.missed = 0
        self.paused = False
        self._last: dict[str, int] = {}

    def feed(self, event: Action | After, at: int = 0) -> bool:
        """Take an event; whether anything is different now.

        Args:
            event: What was told.
            at: When, in milliseconds of the app's clock.
        """
        last = self._last.get(event.run, 0)
        self.missed += max(0, event.seq - last - 1)
        self._last[event.run] = max(last, event.seq)
        return self._action(event, at) if isinstance(event, Action) else self._after(event, at)

    def undo(self) -> Entry | None:
        """Take the last action back; None when there is none."""
        if not self.entries:
            return None
        entry = self.entries.pop()
        self.aside.append(entry)
        return entry

    def _action(self, event: Action, at: int) -> bool:
        entry = Entry(event, at)
        if not event.replaces:
            (self.aside if self.paused else self.entries).append(entry)
            return not self.paused
        replaced = {(event.run, seq) for seq in event.replaces}
        kept = [each for each in self.entries if each.id not in replaced]
        # What was begun before a pause goes on to grow. What was begun in a pause, or was taken
        # back, and grows after that is there again: it is what the app holds now.
        grows = len(kept) < len(self.entries)
        self.aside = [each for each in self.aside if each.id not in replaced]
        if self.paused and not grows:
            self.aside.append(entry)
            return False
        self.entries = [*kept, entry]
        return True

    def _after(self, event: After, at: int) -> bool:
        for entry in reversed(self.entries):
            if entry.id == (event.run, event.of):
                before, entry.after = entry.after, event
                if before is None or before.seen != event.seen:
                    entry.took = max(0, at - entry.at)
                return before is None or before.seen != event.seen or before.holds != event.holds
        return False
