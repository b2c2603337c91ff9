"""A person at the app, and a recording of what they do."""

from __future__ import annotations

import contextlib
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tests.support.rpc import WireError

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.contract.driver import Driver

QUERY = "ext.tapir_replay.query"
PERSON = "ext.demo.person"
START = "ext.tapir_replay.record_start"
STOP = "ext.tapir_replay.record_stop"
PICK = "ext.tapir_replay.record_pick"
KIND = "tapir_replay.record"

HOLD = 0.55
"""Seconds that are a long press."""


class Person:
    """Hands on the app, below the verbs."""

    def __init__(self, app: Driver) -> None:
        self.app = app

    def does(self, what: str, **params: Any) -> None:
        assert self.app.call(PERSON, do=what, **params) == {}

    def place(self, text: str | None = None, **predicates: str) -> tuple[float, float]:
        """The middle of the one widget with that text, or with those traits."""
        if text is not None:
            predicates["text"] = text
        reply = self.app.call(QUERY, **predicates)
        assert reply["count"] == 1, (predicates, reply)
        bounds = reply["nodes"][0]["bounds"]
        return bounds["x"] + bounds["w"] / 2, bounds["y"] + bounds["h"] / 2

    def press(self, x: float, y: float, **params: Any) -> None:
        self.does("down", x=x, y=y, **params)
        self.does("up", x=x, y=y, **params)

    def tap(self, text: str | None = None, **predicates: str) -> tuple[float, float]:
        place = self.place(text, **predicates)
        self.press(*place)
        return place

    def hold(self, text: str) -> None:
        x, y = self.place(text)
        self.does("down", x=x, y=y)
        time.sleep(HOLD)
        self.does("up", x=x, y=y)

    def drag(self, start: tuple[float, float], end: tuple[float, float]) -> None:
        self.does("down", x=start[0], y=start[1])
        for part in (0.25, 0.5, 0.75, 1):
            x = start[0] + (end[0] - start[0]) * part
            y = start[1] + (end[1] - start[1]) * part
            self.does("move", x=x, y=y)
        self.does("up", x=end[0], y=end[1])

    def key(self, key: str, modifiers: str = "") -> None:
        self.does("key", key=key, modifiers=modifiers)

    def type(self, text: str) -> None:
        self.does("type", text=text)


@dataclass
class Entry:
    """An action that counts, and the last that was told of it."""

    action: dict[str, Any]
    after: dict[str, Any] | None = None

    @property
    def name(self) -> str:
        return str(self.action["action"])

    @property
    def target(self) -> dict[str, Any]:
        """What was touched; it has to be known."""
        target = self.action["target"]
        assert isinstance(target, dict)
        return target

    @property
    def came(self) -> dict[str, Any]:
        """What came of it; that has to be known."""
        assert self.after is not None, f"nothing was told of {self.name}"
        return self.after

    def texts(self, which: str) -> list[str]:
        return [each["text"] for each in self.came[which]]


class Recording:
    """What is told from now on, until `stop`."""

    def __init__(self, app: Driver, **params: Any) -> None:
        self.app = app
        with contextlib.suppress(WireError):  # it listens already
            app.request("streamListen", streamId="Extension")
        reply = app.call(START, **params)
        assert reply.keys() == {"run", "seq"}
        assert reply["seq"] == 0
        self.run: str = reply["run"]
        assert isinstance(self.run, str)
        self.events: list[dict[str, Any]] = []

    def next(self) -> dict[str, Any]:
        """The next event of this recording; those of others are none of ours."""
        while True:
            event = self.app.run(self.app.rpc.next_event("Extension", "Extension"))
            data = dict(event["extensionData"])
            data.pop("__destinationStream", None)  # which a real VM adds
            if event["extensionKind"] == KIND and data["run"] == self.run:
                self._check(data)
                self.events.append(data)
                return data

    def until(self, holds: Callable[[dict[str, Any]], object]) -> dict[str, Any]:
        """The first event from here on of which it holds."""
        while True:
            event = self.next()
            if holds(event):
                return event

    def until_after(self, holds: Callable[[dict[str, Any]], object]) -> dict[str, Any]:
        return self.until(lambda event: event["kind"] == "after" and holds(event))

    def stop(self) -> list[Entry]:
        """End it; what counts of all that was told, in order."""
        reply = self.app.call(STOP)
        assert reply["run"] == self.run
        while len(self.events) < reply["seq"]:
            self.next()
        return self.entries()

    def entries(self) -> list[Entry]:
        """What counts of what came so far."""
        found: dict[int, Entry] = {}
        for event in self.events:
            if event["kind"] == "action":
                for seq in event.get("replaces", ()):
                    del found[seq]
                found[event["seq"]] = Entry(event)
            else:
                found[event["of"]].after = event  # one that was replaced gets none any more
        return list(found.values())

    def _check(self, data: dict[str, Any]) -> None:
        """No gap, and nothing that the page does not have."""
        assert data["seq"] == len(self.events) + 1
        if data["kind"] == "after":
            known = {"run", "seq", "kind", "of", "route", "appeared", "gone", "target"}
            assert {"of", "appeared", "gone", "target"} <= data.keys() <= known, data
            return
        assert data["kind"] == "action"
        assert data["by"] in {"person", "tool"}
        assert {"action", "target"} <= data.keys()
        for name in ("target", "to"):
            if data.get(name) is not None:
                check_target(data[name])


ALWAYS = frozenset(
    {"role", "label", "value", "text", "key", "type", "bounds", "isEnabled", "candidates"}
)
FLAGS = frozenset({"obscured", "radio", "dropdown", "multiline"})
NAMES = frozenset({"identifier", "tooltip", "hint"})


def check_target(target: dict[str, Any]) -> None:
    assert target.keys() - FLAGS - NAMES - {"checked"} == ALWAYS, target
    assert all(target[name] for name in NAMES & target.keys())
    assert all(target[name] is True for name in FLAGS & target.keys())
    for candidate in target["candidates"]:
        assert candidate.keys() - {"within"} == {"by", "count", "index"}
        assert 0 <= candidate["index"] < candidate["count"]


def ways(target: dict[str, Any]) -> list[tuple[Any, ...]]:
    """The candidates, short: how, inside what, how many, which."""
    return [
        (each["by"], each.get("within"), each["count"], each["index"])
        for each in target["candidates"]
    ]
