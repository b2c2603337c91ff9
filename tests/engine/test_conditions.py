"""Conditions on the app: what holds, what is told when it does not, and how long is looked."""

from __future__ import annotations

from typing import Any

import pytest

from tapir_replay.app.errors import ConnectionLost
from tapir_replay.engine.conditions import Baseline, Observer
from tapir_replay.engine.events import FaultKind
from tapir_replay.engine.faults import StepFault
from tapir_replay.engine.screen import Match
from tapir_replay.scenario.matchers import Matcher
from tapir_replay.scenario.model import Condition, Target
from tapir_replay.scenario.place import Place
from tests.engine.scripted import (
    Answer,
    FakeClock,
    ScriptedApp,
    ScriptedLocator,
    button,
    run,
)

HERE = Place(file="a.yaml", line=7, column=3)
SAVE = Target(text="Save")


def condition(kind: str, target: Target | None = SAVE, **more: Any) -> Condition:
    matchers = tuple(Matcher(name, wanted) for name, wanted in more.pop("must", {}).items())
    return Condition(kind=kind, place=HERE, target=target, matchers=matchers, **more)


def observer(*looks: list[Match], **answers: Answer | list[Answer]) -> tuple[Observer, FakeClock]:
    clock = FakeClock()
    app = ScriptedApp(clock, **answers)
    return Observer(app, ScriptedLocator(*(looks or ([],))), clock, Baseline()), clock


ON = button("Save", checked=True, enabled=True)
OFF = button("Save", checked=False, enabled=False)
MIXED = button("Save", checked=None)
HIDDEN = button("Save", visible=False)


@pytest.mark.parametrize(
    ("kind", "matches", "holds"),
    [
        ("visible", [ON], True),
        ("visible", [HIDDEN], False),
        ("visible", [HIDDEN, ON], True),
        ("visible", [], False),
        ("gone", [], True),
        ("gone", [HIDDEN], True),
        ("gone", [ON], False),
        ("enabled", [ON], True),
        ("enabled", [OFF], False),
        ("disabled", [OFF], True),
        ("disabled", [ON], False),
        ("checked", [ON], True),
        ("checked", [OFF], False),
        ("checked", [MIXED], False),
        ("unchecked", [OFF], True),
        ("unchecked", [MIXED], False),
    ],
)
def test_widgets(kind: str, matches: list[Match], holds: bool) -> None:
    watcher, _ = observer(matches)
    assert run(watcher.look(condition(kind))).holds is holds


def test_visible_of_the_nth() -> None:
    watcher, _ = observer([ON, HIDDEN])
    assert run(watcher.look(condition("visible", Target(text="Save", nth=0)))).holds
    assert not run(watcher.look(condition("visible", Target(text="Save", nth=1)))).holds
    assert run(watcher.look(condition("gone", Target(text="Save", nth=2)))).holds


@pytest.mark.parametrize(
    ("kind", "match", "must", "seen"),
    [
        ("value", button("Save", value="a"), {"is": "b"}, '"a"'),
        ("value", button("Save"), {"is": "b"}, '""'),
        ("text", button("Save", text="one"), {"contains": "x"}, '"one"'),
        ("text", button("Save"), {"matches": "^x"}, '"Save"'),
        ("count", button("Save"), {"gt": 1}, "1"),
    ],
)
def test_compared(kind: str, match: Match, must: dict[str, Any], seen: str) -> None:
    watcher, _ = observer([match])
    told = run(watcher.look(condition(kind, must=must)))
    assert (told.holds, told.seen) == (False, seen)


@pytest.mark.parametrize("kind", ["enabled", "disabled", "checked", "unchecked"])
def test_what_is_not_told_is_no_answer(kind: str) -> None:
    watcher, clock = observer([button("Save")])
    with pytest.raises(StepFault) as stopped:
        run(watcher.hold((condition(kind),), 5.0))
    fault = stopped.value.fault
    assert (fault.kind, fault.place) == (FaultKind.UNAVAILABLE, HERE)
    assert clock.time == 0


@pytest.mark.parametrize(
    ("answer", "route"),
    [
        ({"location": "", "uri": "/home"}, "/home"),
        ({"location": "/home", "uri": None}, "/home"),
        ({"location": "/home"}, "/home"),
    ],
)
def test_route(answer: dict[str, Any], route: str) -> None:
    watcher, _ = observer(get_routes=answer)
    assert run(watcher.look(condition("route", None, must={"is": route}))).holds


@pytest.mark.parametrize("answer", [{}, {"location": "", "uri": None}])
def test_a_route_that_is_not_told_is_no_route(answer: dict[str, Any]) -> None:
    watcher, _ = observer(get_routes=answer)
    with pytest.raises(StepFault) as stopped:
        run(watcher.look(condition("route", None, must={"is": ""})))
    assert (stopped.value.fault.kind, stopped.value.passing) == (FaultKind.UNAVAILABLE, True)


def test_polled_until_all_hold_at_once() -> None:
    watcher, clock = observer([], [], [ON], get_routes={"uri": "/home"})
    wanted = (condition("visible"), condition("route", None, must={"is": "/home"}))
    assert run(watcher.hold(wanted, 5.0)) == []
    assert clock.time < 0.2


def test_the_last_look_is_told() -> None:
    watcher, clock = observer(get_routes=[{"uri": "/a"}, {"uri": "/b"}])
    (fault,) = run(watcher.hold((condition("route", None, must={"is": "/c"}),), 1.0))
    assert (fault.expected, fault.seen, fault.place) == ('"/c"', '"/b"', HERE)
    assert fault.details[-1].endswith("times in 1.0 s")
    assert clock.time == pytest.approx(1.0)


def test_an_app_that_is_gone_is_no_false_condition() -> None:
    watcher, _ = observer(get_routes=ConnectionLost("gone"))
    with pytest.raises(ConnectionLost):
        run(watcher.hold((condition("route", None, must={"is": "/"}),), 1.0))


def error(message: str, time: str = "1") -> dict[str, str]:
    return {"type": "StateError", "message": message, "time": time, "stackHead": "#0 a\n#1 b"}


def test_exceptions() -> None:
    old, new = error("old"), error("Bad state\nmore", "2")
    watcher, _ = observer(
        exceptions=[{"exceptions": [old]}, {"exceptions": [new, old]}],
        console={"logs": []},
    )
    run(watcher.take_baseline())
    told = run(watcher.look(condition("exceptions", None)))
    assert (told.holds, told.seen) == (False, "1, the first StateError: Bad state")
    assert told.details == ("#0 a", "#1 b")
    assert run(watcher.look(condition("exceptions", None, allow=("Bad",)))).holds


def test_an_exception_without_a_word() -> None:
    watcher, _ = observer(exceptions={"exceptions": [{"type": "E", "message": ""}]})
    assert run(watcher.look(condition("exceptions", None))).seen == "1, the first E: "


def line(message: str, level: str = "INFO", time: str = "1") -> dict[str, str]:
    return {"message": message, "level": level, "logger": "x", "time": time}


def test_log_lines_of_before_do_not_count() -> None:
    before = [line("tick"), line("old")]
    watcher, _ = observer(
        exceptions={"exceptions": []},
        console=[{"logs": before}, {"logs": [line("new", time="2"), line("tick"), *before]}],
    )
    run(watcher.take_baseline())
    assert [each["message"] for each in run(watcher.new_logs())] == ["new", "tick"]
    assert not run(watcher.look(condition("log", None, must={"is": "old"}))).holds
    assert run(watcher.look(condition("log", None, must={"is": "tick"}))).holds


@pytest.mark.parametrize(
    ("level", "holds"), [(None, True), ("INFO", True), ("WARNING", True), ("ERROR", False)]
)
def test_levels(level: str | None, holds: bool) -> None:
    watcher, _ = observer(console={"logs": [line("careful", "WARNING")]})
    wanted = condition("log", None, must={"contains": "careful"}, level=level)
    assert run(watcher.look(wanted)).holds is holds
