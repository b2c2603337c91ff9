"""The result model: what a log comes to, however much of it there is."""

from __future__ import annotations

import tracemalloc
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tapir_replay.engine.events import (
    Event,
    FaultKind,
    Note,
    Outcome,
    RunStarted,
    ScenarioFinished,
    ScenarioStarted,
)
from tapir_replay.engine.runlog import RunLog, encode
from tapir_replay.report.fold import Fold
from tapir_replay.report.model import ScenarioResult
from tapir_replay.report.results import Results, read
from tests.report import runs, strategies


def results(events: list[Event], **options: int) -> tuple[list[ScenarioResult], Results]:
    told = Results.of_events(events, **options)
    return list(told), told


def test_scenarios_come_as_they_end() -> None:
    """Each has its outcome, its steps in order, and what decided."""
    (login, cart, pay), told = results(runs.mixed().events)
    assert (login.outcome, cart.outcome, pay.outcome) == ("failed", "passed", "error")
    assert [step.outcome for step in login.steps] == [
        "passed",
        "passed",
        "passed",
        "failed",
        "skipped",
    ]
    assert login.fault == runs.NOT_WELCOME
    assert login.step is login.steps[3]
    assert login.step.number == 4
    assert [note.text for note in cart.notes] == ["RenderFlex overflowed by 12 pixels"]
    assert pay.place.file == "scenarios/shop/pay.yaml"
    assert told.run.counts == {Outcome.FAILED: 1, Outcome.PASSED: 1, Outcome.ERROR: 1}
    assert told.run.exit_code == 1
    assert not told.run.cut_off


def test_artifacts_belong_to_their_step() -> None:
    """Those that were told after the end of the step as well."""
    login = results(runs.mixed().events)[0][0]
    assert [artifact.path for artifact in login.steps[3].artifacts] == [
        "login/steps.3/failure.png",
        "login/steps.3/tree.yaml",
    ]


def test_attempts_belong_to_their_scenario() -> None:
    """Each scenario is told once, with the attempts before the last."""
    (login, cart, later, gone), told = results(runs.again().events)
    assert [each.outcome for each in (login, cart, later, gone)] == [
        "flaky",
        "passed",
        "failed",
        "flaky",
    ]
    assert [[each.outcome for each in one.attempts] for one in (login, cart, later, gone)] == [
        ["failed"],
        [],
        ["failed"],
        ["error"],
    ]
    assert (login.round, later.round) == (1, 2)
    assert told.run.counts == {Outcome.FLAKY: 2, Outcome.PASSED: 1, Outcome.FAILED: 1}
    assert (told.run.shard, told.run.profile, told.run.seed) == ("1/3", "ci", "7")


def test_killed_between_two_attempts() -> None:
    """What was seen last counts."""
    events = runs.again().events
    first = next(
        index
        for index, each in enumerate(events)
        if isinstance(each, ScenarioFinished) and each.again
    )
    (login, *others), told = results(events[: first + 1])
    assert (login.outcome, login.attempts) == (Outcome.FAILED, ())
    assert login.fault == runs.NOT_WELCOME
    assert {each.outcome for each in others} == {Outcome.SKIPPED}
    assert told.run.cut_off


def test_a_killed_run() -> None:
    """An open scenario ended in an error, a planned one was skipped, and there is a note."""
    (login, cart, pay), told = results(runs.killed())
    assert login.outcome is Outcome.ERROR
    assert login.fault is not None
    assert login.fault.kind is FaultKind.INTERRUPTED
    assert login.fault.message == (
        'the run ended before this scenario did (last step: expect visible "Welcome back")'
    )
    assert login.step is not None
    assert login.step.outcome is Outcome.ERROR
    assert login.duration == pytest.approx(437.4)
    assert [each.outcome for each in (cart, pay)] == ["skipped", "skipped"]
    assert cart.reason == "the run ended before this scenario began"
    assert told.run.cut_off
    assert [note.text for note in told.run.notes] == ["The log ends before the run does."]


def test_a_run_that_was_stopped() -> None:
    """What the run says of its end is why the rest was skipped."""
    script = runs.Script()
    script.run(runs.SIGN_IN)
    script.over(Outcome.ERROR, reason="interrupted")
    (login,), told = results(script.events)
    assert (login.outcome, login.reason) == (Outcome.SKIPPED, "interrupted")
    assert not told.run.notes


def test_results_can_be_told_again() -> None:
    """A second pass gives the same: a report can be made from what another was made from."""
    told = Results.of_events(runs.mixed())
    assert list(told) == list(told)
    assert told.run.counts.total() == 3


def test_only_the_ends_and_the_faulty_steps_are_kept() -> None:
    """A step's number tells how many are missing before it."""
    told = Results.of_events(runs.long(1000, faulty=(300, 500)), ends=2)
    (scenario,) = told
    assert [step.number for step in scenario.steps] == [1, 2, 300, 500, 999, 1000]
    assert scenario.steps_played == 1000
    assert scenario.step is not None
    assert scenario.step.number == 300
    assert [step.number for step in scenario.soft_faults] == [500]


def test_memory_does_not_grow_with_the_steps() -> None:
    """50,000 steps of one scenario are not kept to count them."""
    fold = Fold(ends=0, faults=20)
    tracemalloc.start()
    for event in runs.long(50_000, faulty=tuple(range(1, 50_000, 10))):
        fold.add(event)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 1_000_000


def test_the_newest_fault_is_kept_when_there_are_too_many() -> None:
    """The one that ends a scenario comes last."""
    fold = Fold(ends=0, faults=3)
    kept = [result for event in runs.long(9, faulty=(1, 2, 3, 4, 9)) if (result := fold.add(event))]
    assert [step.number for step in kept[0].steps] == [1, 2, 9]


def test_a_scenario_whose_end_was_lost() -> None:
    """When it begins again, the first time counts as cut off."""
    begun = ScenarioStarted(t=1, scenario="a", title="A", place=runs.at("a.yaml", 1))
    ended = ScenarioFinished(t=2, scenario="a", outcome=Outcome.PASSED, duration=1)
    scenarios, _ = results([begun, begun, ended])
    assert [each.outcome for each in scenarios] == ["error", "passed"]


def test_a_scenario_nobody_spoke_of() -> None:
    """Even the end of an unknown scenario is told."""
    ended = ScenarioFinished(t=2, scenario="a", outcome=Outcome.FAILED, duration=1)
    (scenario,), _ = results([ended])
    assert (scenario.name, scenario.outcome) == ("a", Outcome.FAILED)
    assert scenario.fault is not None
    assert scenario.fault.message == "it did not pass; the log does not tell why"


def test_a_log_of_a_later_version_is_noted() -> None:
    """Its reports may be less than there is to tell."""
    run = RunStarted(t=0, version=7, tool="t", run="r", started="", app="demo")
    _, told = results([run])
    assert told.run.notes[0].text == "The log is of version 7; version 1 is known here."


@settings(deadline=None)
@given(st.lists(strategies.events, max_size=10))
def test_any_events(events: list[Event]) -> None:
    """No order of events is too odd, and every scenario that did not pass has a fault."""
    for scenario in results(events)[0]:
        assert (scenario.outcome in ("failed", "error")) <= (scenario.fault is not None)


def test_reading_a_log(tmp_path: Path) -> None:
    """What was written is what is read."""
    path = tmp_path / "run.jsonl"
    with RunLog(path) as log:
        for event in runs.mixed():
            log.append(event)
    assert list(read(path)) == runs.mixed().events
    assert list(Results.of_log(path)) == list(Results.of_events(runs.mixed()))


def test_a_line_that_is_cut_off(tmp_path: Path) -> None:
    """A kill in the middle of a line costs that line, and is noted."""
    path, events = tmp_path / "run.jsonl", runs.mixed().events
    path.write_text("\n".join(map(encode, events))[:-20])
    *good, note = read(path)
    assert good == events[:-1]
    assert note == Note(
        t=events[-2].t, text=f"run.jsonl:{len(events)} was passed over: it is cut off"
    )


def test_garbage_is_passed_over(tmp_path: Path) -> None:
    """Each unreadable line is noted with its number, and a file of nothing else only so often."""
    path = tmp_path / "run.jsonl"
    good = encode(Note(t=1, text="good")).encode()
    path.write_bytes(b"\xef\xbb\xbf" + good + b"\n\n\xff\x00{\n" + good + b"\n")
    texts = [event.text for event in read(path) if isinstance(event, Note)]
    assert texts[::2] == ["good", "good"]
    assert texts[1].startswith("run.jsonl:3 was passed over: not a JSON object: ")
    path.write_bytes(b"garbage\n" * 1000)
    notes = [event.text for event in read(path) if isinstance(event, Note)]
    assert len(notes) == 21
    assert notes[-1] == "run.jsonl: 980 more lines were passed over"


def test_no_log(tmp_path: Path) -> None:
    """A file that is not there is no empty run."""
    with pytest.raises(FileNotFoundError):
        list(Results.of_log(tmp_path / "run.jsonl"))
