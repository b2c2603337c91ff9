"""What a value is compared with."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tapir_replay.scenario.matchers import MATCHERS, MISSING, Matcher, equal, show
from tapir_replay.scenario.templates import TemplateError
from tests.scenario.documents import step

HOLDS: list[tuple[str, Any, Any]] = [
    ("is", "a", "a"),
    ("is", 5, 5),
    ("is", "5", 5),
    ("is", 5, "5"),
    ("is", 5.0, 5),
    ("is", "5.0", 5),
    ("is", True, True),
    ("is", "true", True),
    ("is", False, "false"),
    ("is", None, None),
    ("is", [1, "2"], ["1", 2]),
    ("is", {"a": 1}, {"a": "1"}),
    ("is", "", ""),
    ("is", "007", "007"),
    ("not", "a", "b"),
    ("not", True, 1),
    ("not", None, ""),
    ("not", MISSING, "a"),
    ("not", 1, True),
    ("not", "007", "7"),
    ("not", "a", Matcher("contains", "b")),
    ("contains", "Welcome back", "back"),
    ("contains", "a5", 5),
    ("contains", [1, 2], "2"),
    ("contains", {"a": 1, "b": 2}, {"a": 1}),
    ("contains", {"a": 1}, "a"),
    ("contains", "true", True),
    ("matches", "$12.50", r"^\$\d+"),
    ("matches", 12, r"^\d+$"),
    ("matches", True, "^true$"),
    ("gt", 2, 1),
    ("gt", "2", 1),
    ("gt", 1.5, "1"),
    ("gte", 1, 1),
    ("lt", -1, 0),
    ("lte", 0, 0.0),
    ("in", 1, [1, 2]),
    ("in", "1", [1, 2]),
    ("in", "a", ("a",)),
    ("exists", 0, True),
    ("exists", "", True),
    ("exists", False, True),
    ("exists", None, False),
    ("exists", MISSING, False),
    ("length", "abc", 3),
    ("length", [1], "1"),
    ("length", {}, 0),
    ("length", "abc", Matcher("gt", 2)),
    ("length", "👍", 1),
]
FAILS: list[tuple[str, Any, Any]] = [
    ("is", "a", "A"),
    ("is", 1, True),
    ("is", 0, False),
    ("is", "1", True),
    ("is", None, ""),
    ("is", MISSING, None),
    ("is", "07", "7"),
    ("is", [1], [1, 2]),
    ("is", {"a": 1}, {"b": 1}),
    ("is", "a ", "a"),
    ("is", "e\u0301", "é"),
    ("not", 5, "5"),
    ("not", "ab", Matcher("contains", "b")),
    ("contains", None, "a"),
    ("contains", 5, 5),
    ("contains", MISSING, ""),
    ("contains", {}, {"a": 1}),
    ("matches", None, ""),
    ("matches", MISSING, ""),
    ("matches", ["a"], "a"),
    ("matches", "b", "^a"),
    ("gt", 1, 1),
    ("gt", "x", 0),
    ("gt", None, 0),
    ("gt", True, 0),
    ("lt", MISSING, 9),
    ("gt", "nan", 0),
    ("lt", [], 1),
    ("gte", 1, "x"),
    ("in", 1, "123"),
    ("in", 3, []),
    ("in", None, [""]),
    ("exists", None, True),
    ("exists", MISSING, True),
    ("exists", 1, False),
    ("length", 5, 1),
    ("length", None, 0),
    ("length", "abc", Matcher("lt", 3)),
    ("length", "a", True),
]


@pytest.mark.parametrize(("name", "actual", "wanted"), HOLDS)
def test_holds(name: str, actual: Any, wanted: Any) -> None:
    """It holds."""
    assert Matcher(name, wanted).holds(actual)


@pytest.mark.parametrize(("name", "actual", "wanted"), FAILS)
def test_does_not_hold(name: str, actual: Any, wanted: Any) -> None:
    """It does not hold, and does not raise."""
    assert not Matcher(name, wanted).holds(actual)


ANY = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=4),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner),
    max_leaves=5,
)


@given(st.sampled_from([*MATCHERS]), ANY, ANY)
@settings(deadline=None)
def test_no_comparison_raises(name: str, actual: Any, wanted: Any) -> None:
    """Whatever the app answers, a comparison is true or false."""
    if name != "matches":
        assert Matcher(name, wanted).holds(actual) in (True, False)
    assert str(Matcher(name, wanted))


@given(ANY, ANY)
@settings(deadline=None)
def test_equality_goes_both_ways(one: Any, other: Any) -> None:
    """Equality does not depend on the order, and `not` is its opposite."""
    assert equal(one, other) == equal(other, one)
    assert Matcher("not", other).holds(one) is not Matcher("is", other).holds(one)


@pytest.mark.parametrize(
    ("matcher", "text"),
    [
        (Matcher("is", "a"), '"a"'),
        (Matcher("is", 5), "5"),
        (Matcher("is", True), "true"),
        (Matcher("not", None), "not null"),
        (Matcher("in", [1, "a"]), 'one of [1, "a"]'),
        (Matcher("contains", {"a": 1}), "something that contains {a: 1}"),
        (Matcher("gte", 2), "at least 2"),
        (Matcher("not", Matcher("lt", 3)), "not less than 3"),
        (Matcher("length", Matcher("gt", 3)), "length more than 3"),
        (Matcher("matches", "^a"), 'something that matches "^a"'),
        (Matcher("is", "{0}"), '"{0}"'),
    ],
)
def test_words(matcher: Matcher, text: str) -> None:
    """A matcher reads well after "expected", whatever is in its value."""
    assert str(matcher) == text


def test_what_is_missing_is_shown_as_nothing() -> None:
    """A value that is not there differs from null in a message."""
    assert (show(MISSING), show(None)) == ("nothing", "null")


def test_templates_in_matchers() -> None:
    """What is wanted is rendered when it is needed, also below `not`."""
    (check,) = step(
        'find: a\n    expect: {ref: {not: {contains: "{{ x }}"}, in: [a, "{{ x }}"]}}', names=["x"]
    ).expect
    rendered = [each.render({"x": "e5"}) for each in check.matchers]
    assert [str(each) for each in rendered] == [
        'not something that contains "e5"',
        'one of ["a", "e5"]',
    ]


def test_a_template_that_gives_no_expression() -> None:
    """What cannot be known before the run is an error when it is rendered, also in a target."""
    found = step('find: a\n    expect: {ref: {not: {matches: "{{ x }}"}}}', names=["x"])
    target = step('hover: {target: {matches: "{{ x }}"}}', names=["x"]).args["target"]
    for rendering in (found.expect[0].matchers[0].render, target.render):
        rendering({"x": "a+"})
        with pytest.raises(TemplateError, match="not a regular expression"):
            rendering({"x": "a("})


@pytest.mark.parametrize(
    ("written", "path"),
    [
        ("{effect: {changed: true}}", ("effect", "changed")),
        ("{effect.changed: true}", ("effect", "changed")),
        ("{effect: {a.b: {is: 1}}}", ("effect", "a", "b")),
        ("{effect: {is: {a: 1}}}", ("effect",)),
        ("{effect: [a]}", ("effect",)),
    ],
)
def test_paths(written: str, path: tuple[str, ...]) -> None:
    """A path may be nested, dotted, or both."""
    (check,) = step(f"tap: a\n    expect: {written}").expect
    assert check.path == path
    assert str(check) == ".".join(path)
