"""The run log on paper: what is written can be read, by us and by the published schema."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from jsonschema import Draft202012Validator

from tapir_replay.engine.events import (
    EVENTS,
    Event,
    Fault,
    FaultKind,
    Note,
    Outcome,
    RunStarted,
    ScenarioStarted,
    StepFinished,
)
from tapir_replay.engine.runlog import RunLog, RunLogError, decode, encode, schema
from tapir_replay.scenario.place import Place
from tests.report import strategies

VALIDATOR = Draft202012Validator(schema())

FAILED = StepFinished(
    t=12.5,
    scenario="login",
    step="steps.3",
    outcome=Outcome.FAILED,
    duration=5,
    fault=Fault(kind=FaultKind.NOT_FOUND, message="no button", details=("a", "b")),
)


def paired(value: Any) -> Any:
    """Joins a high and a low surrogate that stand together, as JSON's own notation does."""
    return json.loads(json.dumps(value))


@settings(deadline=None)
@given(strategies.events)
def test_round_trip(event: Event) -> None:
    """An event of any kind with any text comes back as it was."""
    line = encode(event)
    assert line.isascii()
    assert "\n" not in line
    again = decode(line)
    assert type(again) is type(event)
    assert again is not None
    assert encode(again) == encode(event)
    for name in event.__dataclass_fields__:
        ours, theirs = getattr(event, name), getattr(again, name)
        if isinstance(ours, str | dict):
            assert theirs == paired(ours)
        elif not isinstance(ours, tuple) and not hasattr(ours, "__dataclass_fields__"):
            assert theirs == ours


@settings(deadline=None)
@given(strategies.events)
def test_every_line_is_valid_against_the_schema(event: Event) -> None:
    """What is written is what the published schema says."""
    VALIDATOR.validate(json.loads(encode(event)))


def test_nested_values_come_back_with_their_types() -> None:
    """Places, faults and outcomes are objects again, lists are tuples."""
    begun = ScenarioStarted(
        t=0, scenario="a", title="A", place=Place(file="a.yaml", line=3, column=2), tags=("x",)
    )
    assert decode(encode(begun)) == begun
    assert decode(encode(FAILED)) == FAILED


def test_defaults_are_left_out() -> None:
    """A line holds what is not the default, so it is short and pleasant to read."""
    passed = StepFinished(t=1, scenario="a", step="steps.1", outcome=Outcome.PASSED, duration=2)
    assert encode(passed) == (
        '{"event":"step_finished","t":1,"scenario":"a","step":"steps.1",'
        '"outcome":"passed","duration":2}'
    )


def test_an_empty_effect_is_not_no_effect() -> None:
    """Only a default is left out: what is empty but means something is kept."""
    event = StepFinished(t=1, scenario="a", step="s", outcome=Outcome.PASSED, duration=2, effect={})
    assert decode(encode(event)) == event
    assert decode(encode(Note(t=0, level="", text=""))) == Note(t=0, level="", text="")


def test_the_version_is_always_there() -> None:
    """A reader of a later day can tell which log it has before it."""
    run = RunStarted(t=0, tool="t", run="r", started="", app="demo")
    assert json.loads(encode(run))["version"] == 1


def test_numbers_that_json_does_not_have_are_kept_as_text() -> None:
    """An app may answer NaN; the line stays JSON."""
    event = StepFinished(
        t=1,
        scenario="a",
        step="s",
        outcome=Outcome.PASSED,
        duration=2,
        effect={"value": float("nan"), "all": [float("inf"), 1]},
    )
    again = decode(encode(event))
    assert isinstance(again, StepFinished)
    assert again.effect == {"value": "nan", "all": ["inf", 1]}


def test_what_is_not_known_is_passed_over() -> None:
    """A later version may add fields and events."""
    assert decode('{"event":"note","t":1,"text":"x","mood":"good"}') == Note(t=1, text="x")
    assert decode('{"event":"tea_time","t":1}') is None


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("", "not a JSON object: Expecting value: line 1 column 1 (char 0)"),
        ("[1]", "should be a JSON object, not [1]"),
        ("{}", '"event" should name the event, not be null'),
        ('{"event":"note","t":1}', "note has no text"),
        ('{"event":"note","t":"1","text":""}', 'note.t should be a number, not "1"'),
        ('{"event":"note","t":true,"text":""}', "note.t should be a number, not true"),
        ('{"event":"note","t":NaN,"text":""}', "not a JSON object: NaN is not JSON"),
        ('{"event":"note","t":1e999,"text":""}', "note.t should be a number, not Infinity"),
        ('{"event":"note","t":1,"text":null}', "note.text should be text, not null"),
        (
            encode(FAILED).replace("not_found", "bad_mood"),
            "step_finished.fault.kind should be one of assertion, unmatched, unverified, not_found,"
            " ambiguous, not_actionable, refused, app_error, app_unreachable, app_gone, timeout,"
            ' unavailable, protocol, value, interrupted, internal, not "bad_mood"',
        ),
        (
            encode(FAILED).replace('["a","b"]', '["a",2]'),
            "step_finished.fault.details[1] should be text, not 2",
        ),
        (
            encode(FAILED).replace('["a","b"]', '"ab"'),
            'step_finished.fault.details should be a list, not "ab"',
        ),
        ("[" * 100_000, "nested too deep to be a line of a run log"),
    ],
)
def test_a_line_that_is_none(line: str, message: str) -> None:
    """The error says which field is wrong, what it should be, and what it is."""
    with pytest.raises(RunLogError) as caught:
        decode(line)
    assert str(caught.value).startswith(message)


def test_a_line_is_in_the_file_at_once(tmp_path: Path) -> None:
    """A run that is killed has all that it told."""
    path = tmp_path / "runs" / "1" / "run.jsonl"
    with RunLog(path) as log:
        log.append(FAILED)
        assert path.read_text("ascii") == encode(FAILED) + "\n"
        log.append(Note(t=13, text="\ud800"))
        assert [decode(line) for line in path.read_text("ascii").splitlines()] == [
            FAILED,
            Note(t=13, text="\ud800"),
        ]


def test_a_log_is_of_one_run(tmp_path: Path) -> None:
    """An older log of the same name does not get into the report of the new run."""
    path = tmp_path / "run.jsonl"
    for text in ("old", "new"):
        with RunLog(path) as log:
            log.append(Note(t=0, text=text))
    assert path.read_text("ascii").count("\n") == 1


def test_the_schema_tells_what_is_written_beside_the_fields() -> None:
    """The schema is also the log's documentation."""
    Draft202012Validator.check_schema(schema())
    definitions = schema()["$defs"]
    assert set(EVENTS) <= set(definitions)
    finished = definitions["step_finished"]
    assert finished["properties"]["duration"] == {"description": "Milliseconds.", "type": "number"}
    assert finished["properties"]["tries"]["default"] == 1
    assert finished["required"] == ["event", "t", "scenario", "step", "outcome", "duration"]
    hint = definitions["Fault"]["properties"]["hint"]
    assert hint == {"description": "What to do about it.", "type": "string"}
    assert "count from 1" in definitions["Place"]["description"]


def test_the_schema_refuses_what_is_no_line() -> None:
    """A field of the wrong type and an event of no name are told apart from a line."""
    assert not VALIDATOR.is_valid({"event": "note", "t": 1})
    assert not VALIDATOR.is_valid({"event": "tea_time", "t": 1})
