"""A row that was missed: when its control is tapped instead, when not, and what is claimed."""

from __future__ import annotations

from typing import Any

import pytest

from tapir_replay.app.errors import AppGone, VerbRefused
from tapir_replay.app.interface import QUERY
from tapir_replay.engine.acting import Acted, Actor
from tapir_replay.engine.merged_row import LATE, ON_CONTROL, set_by_its_control
from tapir_replay.engine.screen import Bounds, Match
from tapir_replay.scenario.model import Target
from tapir_replay.verbs.catalogue import BY_NAME
from tests.engine.scripted import Answer, FakeClock, ScriptedApp, ScriptedLocator, refused, run

ROW = Target(text="Row")
BOUNDS = {"x": 16, "y": 104, "w": 358, "h": 56}
OWNER = {"x": 314, "y": 112, "w": 60, "h": 40}
MERGED: dict[str, Any] = {"candidates": [{"bounds": BOUNDS, "tapOwner": OWNER}]}
EFFECT = {"kind": "checked", "verified": False, "before": False, "after": False}
MISSED: dict[str, Any] = {"value": True, "toggled": True, "effect": EFFECT}
TAPPED: dict[str, Any] = {"effect": {"changed": True}, "retargeted": {}}


def row(checked: bool | str | None) -> list[Match]:
    return [Match(ref="e1", role="button", label="Row", bounds=Bounds(16, 104, 358, 56.2),
                  checked=checked)]  # fmt: skip


class Scene:
    def __init__(self, *states: bool | None, capable: bool = True, **answers: Any) -> None:
        self.clock = FakeClock()
        script: dict[str, Answer | list[Answer]] = {"observe": MERGED, "tap": TAPPED, **answers}
        self.app = ScriptedApp(self.clock, **script)
        self.app.capabilities = frozenset({QUERY} if capable else ())
        self.actor = Actor(self.app, ScriptedLocator(*map(row, states or (False,))), self.clock)

    def after(
        self, answer: dict[str, Any] = MISSED, verb: str = "set_checkbox", value: Any = True
    ) -> Acted | None:
        acted = Acted(answer, tuple(row(False)), 3)
        args = {"target": ROW, "value": value}
        return run(set_by_its_control(self.actor, BY_NAME[verb], args, acted, 1.0))


@pytest.mark.parametrize("value", [True, "true"])
def test_its_control_is_tapped(value: Any) -> None:
    """After the first tap had its time, and not before the state is read back."""
    scene = Scene(*[False] * 12, True)
    acted = scene.after(value=value)
    assert acted is not None
    assert acted.told == (ON_CONTROL,)
    assert acted.answer["effect"] == {**EFFECT, "verified": True, "after": True}
    assert acted.tries == 3
    assert scene.app.times("tap") == 1
    assert scene.clock.time > 0.5


def test_turned_off() -> None:
    on = {**MISSED, "effect": {**EFFECT, "before": True, "after": True}}
    scene = Scene(*[True] * 12, False)
    acted = scene.after(on, value=False)
    assert acted is not None
    assert acted.answer["effect"]["after"] is False


def test_a_row_that_takes_its_time_is_not_tapped_again() -> None:
    """A second tap would undo the first."""
    scene = Scene(False, False, True)
    acted = scene.after()
    assert acted is not None
    assert acted.told == (LATE,)
    assert acted.answer["effect"]["verified"] is True
    assert scene.app.times("tap") == 0


@pytest.mark.parametrize("state", [False, None])
def test_a_row_that_stays_as_it_is(state: bool | None) -> None:
    """Nothing is claimed; that its control was tapped is told."""
    scene = Scene(state)
    acted = scene.after()
    assert acted is not None
    assert acted.answer["effect"] == {**EFFECT, "after": state}
    assert acted.told == (ON_CONTROL,)
    assert scene.app.times("tap") == 1


@pytest.mark.parametrize(
    "observed",
    [
        {"candidates": []},
        {"candidates": [{"bounds": BOUNDS}]},
        {"candidates": [{"bounds": {**BOUNDS, "y": 160}, "tapOwner": OWNER}]},
        {"candidates": [{"bounds": BOUNDS, "tapOwner": OWNER, "retargets": False}]},
        VerbRefused("observe", "no", kind="x"),
    ],
)
def test_what_is_no_such_row_is_left_alone(observed: Answer) -> None:
    scene = Scene(observe=observed)
    assert scene.after() is None
    assert scene.app.times("tap") == 0


def test_a_row_that_cannot_be_tapped_ends_as_it_was() -> None:
    assert Scene(tap=refused("obscured")).after() is None


def test_what_cannot_be_read_back_is_not_done() -> None:
    """The public verbs do not tell whether a control is on."""
    scene = Scene(capable=False)
    assert scene.after() is None
    assert scene.app.calls == []


@pytest.mark.parametrize(
    ("answer", "verb"),
    [
        ({"effect": {**EFFECT, "verified": True}}, "set_checkbox"),
        ({}, "set_checkbox"),
        ({"effect": {"verified": False}}, "fill"),
    ],
)
def test_other_answers(answer: dict[str, Any], verb: str) -> None:
    scene = Scene()
    assert scene.after(answer, verb) is None
    assert scene.app.calls == []


def test_an_app_that_is_gone() -> None:
    with pytest.raises(AppGone):
        Scene(tap=AppGone("gone")).after()
