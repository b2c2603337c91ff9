"""Contracts of steps on the stage's own clock, and what they cost in calls."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tapir_replay.engine.artifacts import ArtifactStore
from tapir_replay.engine.contracts import over_budget
from tapir_replay.engine.events import Event, Fault, Note, ScenarioFinished, StepFinished
from tapir_replay.engine.play import play
from tapir_replay.engine.redact import Redactor
from tapir_replay.engine.scope import RunValues
from tapir_replay.engine.stage import Stage
from tapir_replay.scenario.load import load_bytes
from tapir_replay.scenario.model import ExceptionPolicy
from tests.engine.scripted import Answer, FakeClock, ScriptedApp, run

QUIET: dict[str, Answer] = {
    "exceptions": {"exceptions": []},
    "console": {"logs": []},
    "snap": {},
    "screenshot": {},
}


class Played:
    """A scenario played on a scripted app, in no time but that of the script."""

    def __init__(
        self,
        folder: Path,
        text: str,
        seconds: float = 0.0,
        default: str | None = None,
        **answers: Answer | list[Answer],
    ) -> None:
        self.clock = FakeClock()
        routes: Answer = {"uri": "/"}
        script: dict[str, Any] = {**QUIET, "get_routes": routes, **answers}
        self.app = ScriptedApp(self.clock, **script)
        self.app.seconds = seconds
        self.events: list[Event] = []
        redactor = Redactor()
        stage = Stage(
            listen=self.events.append,
            clock=self.clock,
            redactor=redactor,
            artifacts=ArtifactStore(folder, redactor),
            run=RunValues("run", str(folder)),
            environ={},
            overrides={},
        )
        loaded = load_bytes(text.encode(), "t.yaml", Path("t.yaml"))
        assert loaded.scenario is not None, loaded.diagnostics
        policy = loaded.scenario.exceptions.over(ExceptionPolicy(policy=default))
        run(play(replace(loaded.scenario, exceptions=policy), "1", self.app, stage))

    @property
    def faults(self) -> list[Fault | None]:
        return [each.fault for each in self.events if isinstance(each, StepFinished)]

    @property
    def ended(self) -> ScenarioFinished:
        (ended,) = (each for each in self.events if isinstance(each, ScenarioFinished))
        return ended

    def calls(self, verb: str) -> int:
        return self.app.times(verb)


STEP = "steps:\n  - get_routes:\n"


@pytest.mark.parametrize(
    ("budget", "says"),
    [
        ("251ms", None),
        ("250ms", None),
        ("0.2s", "the step took 250 ms; its budget is 200 ms"),
        ("249.9999ms", "the step took 250 ms; its budget is 249.9999 ms"),
    ],
)
def test_a_budget_to_the_millisecond(tmp_path: Path, budget: str, says: str | None) -> None:
    played = Played(tmp_path, f"{STEP}    budget: {budget}\n", seconds=0.25)
    (fault,) = played.faults
    assert (fault and fault.message) == says


def test_both_numbers_are_told_so_that_they_differ() -> None:
    assert over_budget(1.0, 1.0, "it", None) is None
    assert over_budget(2.0, None, "it", None) is None
    for spent, budget, seen in ((2.5, 2.0, "2.5 s"), (2.0001, 2.0, "2.0001 s"), (0.5, 0, "500 ms")):
        fault = over_budget(spent, budget, "it", None)
        assert fault is not None
        assert fault.seen == seen
        assert fault.expected == f"at most {budget:g} s" or budget == 0


def test_a_block_has_a_budget_for_all_its_steps(tmp_path: Path) -> None:
    block = (
        "steps:\n  - repeat: {times: 3, steps: [get_routes]}\n    budget: 700ms\n    soft: true\n"
    )
    played = Played(tmp_path, f"{block}  - get_routes\n", seconds=0.25)
    *inside, fault, _ = played.faults
    assert inside == [None] * 3
    assert fault is not None
    assert fault.message == "the step took 750 ms; its budget is 700 ms"


def test_the_scenario_s_budget_leaves_the_teardown_out(tmp_path: Path) -> None:
    text = "budget: 1s\nsteps: [get_routes, get_routes]\nteardown: [get_routes, get_routes]\n"
    # The baseline takes two calls, and the two steps one each.
    assert Played(tmp_path, text, seconds=0.25).ended.fault is None
    fault = Played(tmp_path, text, seconds=0.26).ended.fault
    assert fault is not None
    assert fault.message == "the scenario took 1.04 s; its budget is 1 s"
    assert fault.place is not None
    assert fault.place.line == 1


def test_a_plain_step_costs_no_call(tmp_path: Path) -> None:
    """With the default policy nothing is asked beside the baseline and the look at the end."""
    played = Played(tmp_path, "steps: [get_routes, get_routes, get_routes]\n")
    assert played.calls("exceptions") == 2
    assert played.calls("console") == 1
    played = Played(tmp_path, "exceptions: ignore\nsteps: [get_routes, get_routes]\n")
    assert played.calls("exceptions") == 1


def test_the_strict_policy_costs_one_call_a_step(tmp_path: Path) -> None:
    played = Played(tmp_path, "steps: [get_routes, get_routes, get_routes]\n", default="fail")
    assert played.calls("exceptions") == 1 + 3 + 1
    assert played.calls("console") == 1
    assert (
        Played(tmp_path, "exceptions: warn\nsteps: [get_routes]\n", default="fail").calls(
            "exceptions"
        )
        == 2
    )


BROKE = {"type": "E", "message": "it broke", "time": "1", "stackHead": "#0 a\n#1 b"}
NONE: Answer = {"exceptions": []}


def test_an_error_after_the_last_step(tmp_path: Path) -> None:
    """What comes late is nobody's step, and fails the scenario all the same."""
    played = Played(
        tmp_path,
        "exceptions: fail\nsteps: [get_routes]\n",
        exceptions=[NONE, NONE, {"exceptions": [BROKE]}],
    )
    assert played.faults == [None]
    assert played.ended.fault is not None
    assert played.ended.fault.message == "the app failed after the last step: E: it broke"
    assert played.ended.step is None


def test_several_errors_of_one_step(tmp_path: Path) -> None:
    more = {**BROKE, "message": "then this\nwith details", "time": "2"}
    played = Played(
        tmp_path,
        "exceptions: fail\nsteps: [get_routes]\n",
        exceptions=[NONE, {"exceptions": [more, BROKE]}, NONE],
    )
    (fault,) = played.faults
    assert fault is not None
    assert fault.seen == "E: it broke, and 1 more"
    assert fault.details == ("#0 a", "#1 b", "also: E: then this")


def test_what_other_packages_keep_counts_once(tmp_path: Path) -> None:
    """Some errors stay listed although the list was cleared."""
    played = Played(
        tmp_path,
        "exceptions: fail\nsteps:\n  - get_routes:\n    soft: true\n  - get_routes\n",
        exceptions=[NONE, {"exceptions": [BROKE]}],
    )
    first, second = played.faults
    assert first is not None
    assert second is None


def test_a_list_without_a_policy_has_that_of_the_project(tmp_path: Path) -> None:
    allow = "exceptions: {allow: [{contains: it broke, reason: known}]}\n"
    script: list[Answer] = [NONE, {"exceptions": [BROKE]}, NONE]
    played = Played(tmp_path, f"{allow}steps: [get_routes]\n", default="fail", exceptions=script)
    assert played.calls("exceptions") == 3
    assert played.ended.fault is None
    other = allow.replace("it broke", "something else")
    played = Played(tmp_path, f"{other}steps: [get_routes]\n", default="fail", exceptions=script)
    assert played.ended.fault is not None


def test_a_late_error_of_a_scenario_that_failed_is_a_remark(tmp_path: Path) -> None:
    played = Played(
        tmp_path,
        "exceptions: fail\nsteps:\n  - expect: {route: /nowhere}\n    timeout: 0s\n",
        exceptions=[NONE, NONE, NONE, {"exceptions": [BROKE]}],
    )
    assert played.ended.fault is not None
    assert played.ended.fault.message.startswith("route:")
    notes = [each.text for each in played.events if isinstance(each, Note)]
    assert notes == ["the app recorded 1 exception(s), the first: it broke"]
