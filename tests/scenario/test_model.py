"""The model of a scenario."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tapir_replay.scenario.model import Target, parse_duration, rendered_args
from tapir_replay.scenario.templates import compile_text
from tests.scenario.documents import GOOD, scenario, step


@pytest.mark.parametrize(
    ("written", "text"),
    [
        ("Sign in", '"Sign in"'),
        ("{label: Email}", 'label "Email"'),
        (
            "{role: button, text: Delete, nth: 1, within: {key: task-2}}",
            'button "Delete" (nth 1) within key "task-2"',
        ),
        ("{role: button}", "button"),
        ("{contains: Sign, matches: '^S'}", 'contains "Sign" matches "^S"'),
        ("{ref: e5}", 'ref "e5"'),
        ("'{{ name }}'", '"{{ name }}"'),
        ("{text: a, within: {text: b, within: c}}", '"a" within "b" within "c"'),
        ("{value: ''}", 'value ""'),
        ("{role: button, tooltip: Clear}", 'button tooltip "Clear"'),
        ("{hint: a, identifier: b}", 'hint "a" identifier "b"'),
    ],
)
def test_targets_read_well(written: str, text: str) -> None:
    """A target in a message says all that was asked for."""
    assert str(step(f"hover: {{target: {written}}}", names=["name"]).args["target"]) == text


def test_rendering_a_target() -> None:
    """Every part is rendered, also within; without templates it is the same object."""
    target = Target(
        text=compile_text("{{ a }}"),
        nth=compile_text("{{ n }}"),
        within=Target(key=compile_text("k-{{ n }}")),
    )
    rendered = target.render({"a": 7, "n": "2"})
    assert rendered == Target(text="7", nth=2, within=Target(key="k-2"))
    assert rendered.predicates() == {"text": "7"}
    plain = Target(label="a")
    assert plain.render({}) is plain


@pytest.mark.parametrize("value", ["x", True, 1.5, None, "-1"])
def test_nth_must_be_a_number(value: object) -> None:
    """A template for `nth` that gives no whole number is refused."""
    with pytest.raises(ValueError, match="whole number"):
        Target(text="a", nth=compile_text("{{ n }}")).render({"n": value})


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("5s", 5),
        ("300ms", 0.3),
        ("1.5m", 90),
        ("0s", 0),
        (" 2 s ", 2),
        ("0.5s", 0.5),
        ("10ms", 0.01),
    ],
)
def test_durations(text: str, seconds: float) -> None:
    """A number and a unit."""
    assert parse_duration(text) == pytest.approx(seconds)
    assert step(f"tap: a\n    timeout: '{text}'").timeout == pytest.approx(seconds)


@pytest.mark.parametrize(
    "text", ["5", "", "s", "1.2.3s", "-1s", "1h", "²s", "٣s", ".5s", "5.s", "5 sec", "1e3s", "5S"]
)
def test_no_durations(text: str) -> None:
    """Anything else is refused, in words."""
    with pytest.raises(ValueError, match="is not a duration such as 5s or 300ms"):
        parse_duration(text)


@given(st.text("0123456789.smh e\n", max_size=8))
@settings(deadline=None)
def test_durations_are_what_the_schema_takes(text: str) -> None:
    """What can be parsed is what a file may hold, and the other way round."""
    try:
        good = parse_duration(text) >= 0
    except ValueError:
        good = False
    written = text.replace("\n", "\\n")
    try:
        step(f'tap: a\n    timeout: "{written}"')
        accepted = True
    except AssertionError:
        accepted = False
    assert accepted is good


def test_the_whole() -> None:
    """A scenario holds what its file says."""
    found = scenario(GOOD)
    assert found.name == "Everything [first]"
    assert (found.description, found.app) == ("One of each", "demo")
    assert (found.tags, found.secrets) == (("smoke", "auth"), ("PASSWORD",))
    assert found.vars == {"email": "ada@example.com", "count": 3, "rows": ["a", {"b": "c"}]}
    assert found.timeout == 10
    assert found.step_count == 0  # how many there are shows while it is played
    assert [each.id for each in found.setup] == ["setup.1", "setup.2"]
    assert [each.id for each in found.steps] == [f"steps.{n}" for n in range(1, 17)]
    assert found.teardown[0].id == "teardown.1"
    assert found.source == GOOD
    assert found.case == {"size": "M"}
    assert found.budget == 60
    assert found.exceptions.policy == "fail"
    assert found.exceptions.allow[0].until == date(2099, 12, 31)


def test_how_many_steps() -> None:
    """All steps of a scenario without blocks are counted."""
    text = "setup: [get_routes]\nsteps: [get_routes, get_routes]\nteardown: [get_routes]\n"
    assert scenario(text).step_count == 4


def test_modifiers() -> None:
    """Modifiers are on the step."""
    first, second, third, find, fifth, *_ = scenario(GOOD).steps
    assert (first.name, first.secret, first.timeout) == ("The address", True, 3)
    assert isinstance(second.when, tuple)
    assert [each.kind for each in second.when] == ["visible", "route"]
    assert third.soft is True
    assert [str(each) for each in third.expect] == ["effect.changed", "untilMatched"]
    assert find.save == (("button", ("ref",)), ("matched", ("matched",)))
    assert fifth.optional not in (True, False)


def test_conditions() -> None:
    """A list of targets is a condition each; every condition knows its place."""
    conditions = scenario(GOOD).steps[5].conditions
    assert [each.kind for each in conditions] == [
        *("visible", "visible", "gone", "enabled", "checked", "value", "count", "text"),
        *("route", "exceptions", "log"),
    ]
    by_kind = {each.kind: each for each in conditions}
    assert by_kind["exceptions"].allow == ("overflow",)
    assert by_kind["log"].level == "INFO"
    assert [str(each) for each in by_kind["count"].matchers] == ["at least 3", "less than 9"]
    assert by_kind["log"].place.line > by_kind["visible"].place.line
    rendered = by_kind["value"].render({})
    assert str(rendered.target) == 'label "Email"'


def test_arguments_are_rendered() -> None:
    """Arguments are rendered when they are used."""
    found = step('fill: {target: {key: "{{ k }}"}, text: "{{ t }}"}', names=["k", "t"])
    assert rendered_args(found, {"k": "email", "t": 5}) == {
        "target": Target(key="email"),
        "text": 5,
    }


def test_the_name_of_the_file_is_the_name() -> None:
    """A scenario without a name has that of its file."""
    assert scenario("steps: [dismiss_modals]").name == "test"


def test_steps_of_all_shapes() -> None:
    """A bare verb, a verb with nothing and a verb with an empty map are the same."""
    for written in ("dismiss_modals", "dismiss_modals:", "dismiss_modals: {}"):
        assert step(written).args == {}
