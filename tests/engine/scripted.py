"""An app that answers by script, and time that passes only when somebody waits."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Iterable, Mapping
from typing import Any, TypeVar

from tapir_replay.app.errors import VerbRefused
from tapir_replay.app.interface import AppEvent
from tapir_replay.engine.locate import Found
from tapir_replay.engine.screen import Match
from tapir_replay.scenario.model import Target

Answer = Mapping[str, Any] | Exception
Params = dict[str, str]

T = TypeVar("T")


def run(work: Coroutine[Any, Any, T]) -> T:
    return asyncio.run(work)


class FakeClock:
    def __init__(self) -> None:
        self.time = 0.0
        self.slept: list[float] = []

    def now(self) -> float:
        return self.time

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.time += seconds


class ScriptedApp:
    """Answers each verb with the next of its answers; the last one for ever.

    `wait_for` that is not scripted takes as long as it may, and sees nothing.
    """

    name = "scripted"

    def __init__(self, clock: FakeClock, **answers: Answer | list[Answer]) -> None:
        self.clock = clock
        self.capabilities: frozenset[str] = frozenset()
        self.calls: list[tuple[str, Params]] = []
        self.seconds = 0.0
        """How long each call takes."""
        self._answers = {
            verb: list(each) if isinstance(each, list) else [each] for verb, each in answers.items()
        }

    async def call(
        self, verb: str, params: Mapping[str, str] | None = None, *, timeout: float = 10.0
    ) -> dict[str, Any]:
        asked = dict(params or {})
        self.calls.append((verb, asked))
        assert all(isinstance(each, str) for each in asked.values()), asked
        self.clock.time += self.seconds
        script = self._answers.get(verb)
        if script is None and verb == "wait_for":
            self.clock.time += int(asked["timeoutMs"]) / 1000
            return {"matched": False, "reason": "timeout"}
        assert script, f"{verb} is not scripted"
        answer = script.pop(0) if len(script) > 1 else script[0]
        if isinstance(answer, Exception):
            raise answer
        return dict(answer)

    def times(self, verb: str) -> int:
        return sum(1 for each, _ in self.calls if each == verb)

    def subscribe(self, listener: Callable[[AppEvent], None]) -> Callable[[], None]:
        return lambda: None

    async def close(self) -> None: ...


class ScriptedLocator:
    """Finds what the script says, look by look; the last for ever."""

    def __init__(self, *looks: Iterable[Match], shown: Iterable[Match] = ()) -> None:
        self._looks = [tuple(each) for each in looks]
        self._shown = tuple(shown)
        self.asked: list[Target] = []

    async def find(self, target: Target, *, detailed: bool = True) -> Found:
        self.asked.append(target)
        matches = self._looks.pop(0) if len(self._looks) > 1 else self._looks[0]
        return Found(len(matches), matches)

    async def listing(self) -> tuple[Match, ...]:
        return self._shown


def button(label: str, ref: str = "e1", **more: Any) -> Match:
    return Match(ref=ref, role="button", label=label, **more)


def refused(kind: str, message: str = "no") -> VerbRefused:
    return VerbRefused("tap", message, kind=kind)
