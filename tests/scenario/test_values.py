"""Scalars mean what they look like."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tapir_replay.scenario.templates import Template
from tapir_replay.scenario.values import as_text, plain
from tests.scenario.documents import codes, messages, scenario, step

LOOKS = (
    *("007", "1.50", "12:30", "12:30:45", "1e3", "1E5", "+441234", "0x1F", "0o17", "0b1", "1_000"),
    *("yes", "no", "on", "off", "y", "N", "NO", "true", "False", "TRUE", "null", "Null", "~"),
    *("2026-01-02", "2026-13-45", ".inf", "-.inf", ".nan", ".5", "-0", "+5", "9" * 400, "=", "..."),
    *("3.10", "00005", "0.1", "-1", "a#b", "a:b", "$0.00", "50%", "c++", "<b>", "http://a.b/c?d=e"),
)


@pytest.mark.parametrize("written", LOOKS)
def test_text_positions_are_verbatim(written: str) -> None:
    """Where a text is wanted the characters are the value, bare or in either quotes."""
    for form in (written, f"'{written}'", f'"{written}"'):
        assert step(f"fill: {{target: Code, text: {form}}}").args["text"] == written


@pytest.mark.parametrize("written", LOOKS)
def test_short_forms_and_targets_are_verbatim(written: str) -> None:
    """A short form is a text too, and so is what a target says."""
    if written != "...":
        assert step(f"tap: {written}").args["target"].text == written
    for name in ("key", "identifier", "label", "hint", "tooltip", "text", "value"):
        target = step(f"tap: {{target: {{{name}: {written}}}}}").args["target"]
        assert getattr(target, name) == written


@pytest.mark.parametrize("written", LOOKS)
def test_keys_are_verbatim(written: str) -> None:
    """A key is the text it looks like, whatever type YAML would give it."""
    if written not in ("~", "null", ""):
        assert written in messages(f"{written}: 1\nsteps: [dismiss_modals]")[0] or len(written) > 60


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("5", 5),
        ("-1", -1),
        ("0", 0),
        ("1.5", 1.5),
        ("-0.25", -0.25),
        ("true", True),
        ("False", False),
        ("TRUE", True),
        ("null", None),
        ("~", None),
        ("", None),
        ("007", "007"),
        ("1.50", "1.50"),
        ("1e3", "1e3"),
        ("12:30", "12:30"),
        ("+5", "+5"),
        ("yes", "yes"),
        ("no", "no"),
        ("on", "on"),
        ("2026-01-02", "2026-01-02"),
        ("0x10", "0x10"),
        (".inf", ".inf"),
        (".nan", ".nan"),
        ("1_000", "1_000"),
        ("-0", "-0"),
        ("9" * 400, "9" * 400),
        ("1e999", "1e999"),
        ("'5'", "5"),
        ('"true"', "true"),
        ("'~'", "~"),
        ("[1, a, 007]", [1, "a", "007"]),
        ("{a: 1.50}", {"a": "1.50"}),
        ("!!str 5", "5"),
        ("|\n    5\n", "5\n"),
    ],
)
def test_vars(written: str, value: Any) -> None:
    """Where anything goes a bare scalar is a number only if that loses nothing."""
    found = scenario(f"vars:\n  x: {written}\nsteps: [dismiss_modals]\n").vars["x"]
    assert found == value
    assert type(found) is type(value)


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("observe: {limit: 5}", 5),
        ("observe: {limit: 007}", 7),
        ("observe: {limit: +5}", 5),
        ("scroll: {pixels: 300}", 300),
        ("scroll: {pixels: 1e3}", 1000.0),
        ("scroll: {pixels: -.5}", -0.5),
        ("scroll: {intoView: true}", True),
        ("scroll: {intoView: False}", False),
        ("get_routes: {}", None),
    ],
)
def test_typed_positions(written: str, value: Any) -> None:
    """Where a number or a truth value is wanted, the core schema of YAML 1.2 reads it."""
    args = step(written).args
    found = next(iter(args.values()), None)
    assert found == value
    assert type(found) is type(value)


@pytest.mark.parametrize(
    "written",
    [
        *("observe: {limit: 1.0}", "observe: {limit: five}", "observe: {limit: '5'}"),
        *("observe: {limit: true}", "observe: {limit: 0x10}", "observe: {limit: 1_000}"),
        *("scroll: {pixels: .inf}", "scroll: {pixels: .nan}", "scroll: {pixels: 1e999}"),
        *("scroll: {intoView: yes}", "scroll: {intoView: 1}", "scroll: {intoView: 'true'}"),
    ],
)
def test_typed_positions_refuse_the_rest(written: str) -> None:
    """What looks like another type is refused, not converted."""
    assert codes(f"steps: [{written}]") == ["wrong-form"]


@pytest.mark.parametrize(
    ("written", "value"),
    [("5", 5), ("'5'", "5"), ("007", "007"), ("true", True), ("yes", "yes"), ("null", None)],
)
def test_matchers_in_an_answer(written: str, value: Any) -> None:
    """What an answer is compared with is read as `vars` are."""
    (check,) = step(f"{{observe: {{}}, expect: {{count: {written}}}}}").expect
    assert [(each.name, each.wanted) for each in check.matchers] == [("is", value)]


def test_templates_keep_what_is_around_them() -> None:
    """A text with an expression is a template, one without is not."""
    assert isinstance(step('tap: "{{ now }}"').args["target"].text, Template)
    assert step('tap: "{ {now} }"').args["target"].text == "{ {now} }"


@given(st.one_of(st.booleans(), st.integers(-(10**9), 10**9), st.floats(allow_nan=False)))
@settings(deadline=None)
def test_as_text_is_the_inverse(value: Any) -> None:
    """A number or truth value written as text is read as the same."""
    if value in (float("inf"), float("-inf")) or str(value) == "-0":
        return
    assert plain(as_text(value)) == value


@given(st.text())
@settings(deadline=None)
def test_plain_loses_nothing(text: str) -> None:
    """Whatever a bare scalar is read as, it is written again as it was."""
    value = plain(text)
    assert as_text(value) == text or value is None or isinstance(value, bool)
