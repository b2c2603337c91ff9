"""What an answer is worth."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from tapir_replay.engine.events import FaultKind
from tapir_replay.engine.verdict import judge, value_at
from tapir_replay.scenario.matchers import MISSING, Matcher
from tapir_replay.scenario.model import PathCheck
from tapir_replay.scenario.place import Place
from tapir_replay.scenario.templates import compile_text
from tapir_replay.verbs.catalogue import BY_NAME, STEP_VERBS

HERE = Place(file="a.yaml", line=3, column=7)
SAME: dict[str, Any] = {"effect": {"kind": "treeChanged", "changed": False}}


def wrong(held: Any, **more: Any) -> dict[str, Any]:
    return {"effect": {"kind": "text", "verified": False, "value": held, **more}}


def check(path: str, wanted: Any, matcher: str = "is") -> PathCheck:
    return PathCheck(path=tuple(path.split(".")), matchers=(Matcher(matcher, wanted),), place=HERE)


@pytest.mark.parametrize(
    ("verb", "answer", "kind"),
    [
        ("tap", {}, None),
        ("tap", SAME, None),
        ("tap", {"untilMatched": True}, None),
        ("tap", {"untilMatched": False}, FaultKind.UNMATCHED),
        ("clear", {"untilMatched": False}, FaultKind.UNMATCHED),
        ("dismiss_modals", {"untilMatched": False}, FaultKind.UNMATCHED),
        ("fill", {"effect": {"verified": True}}, None),
        ("fill", wrong("x"), FaultKind.UNVERIFIED),
        ("type", wrong("x"), FaultKind.UNVERIFIED),
        ("clear", wrong("x"), FaultKind.UNVERIFIED),
        ("select_option", wrong("x"), FaultKind.UNVERIFIED),
        ("set_checkbox", {"effect": {"verified": False, "after": None}}, FaultKind.UNVERIFIED),
        ("wait_for", {"matched": False}, FaultKind.UNMATCHED),
        ("find", {"matched": False, "ref": None}, FaultKind.UNMATCHED),
        ("navigate", {"navigated": False}, FaultKind.UNMATCHED),
        ("navigate_back", {"popped": False}, FaultKind.UNMATCHED),
        ("dismiss_modals", {"popped": 0}, None),
        ("scroll", {"scrolled": False}, None),
        ("set_checkbox", {"toggled": False, "effect": {"verified": True}}, None),
        ("perf_end", {"refused": True}, FaultKind.UNMATCHED),
        ("hot_reload_and_snap", {"reloaded": False}, FaultKind.UNMATCHED),
    ],
)
def test_standing_checks(verb: str, answer: dict[str, Any], kind: FaultKind | None) -> None:
    faults = judge(BY_NAME[verb], {}, answer, (), {}).faults
    assert [each.kind for each in faults] == ([kind] if kind else [])


@pytest.mark.parametrize(
    ("verb", "args", "answer", "path"),
    [
        ("tap", {"until": "Saved"}, {"untilMatched": False}, "untilMatched"),
        ("fill", {"text": "12a"}, wrong("12"), "effect.verified"),
        ("navigate", {"route": "/x"}, {"navigated": False}, "navigated"),
    ],
)
def test_asking_for_a_standing_check_says_as_much_as_the_check(
    verb: str, args: dict[str, Any], answer: dict[str, Any], path: str
) -> None:
    (standing,) = judge(BY_NAME[verb], args, answer, (), {}).faults
    (asked,) = judge(BY_NAME[verb], args, answer, (check(path, True),), {}).faults
    assert asked == replace(standing, place=HERE)


@pytest.mark.parametrize("verb", [each for each in STEP_VERBS.values() if each.param("until")])
def test_until_counts_on_every_verb_that_has_it(verb: Any) -> None:
    (fault,) = judge(verb, {"until": "Saved"}, {"untilMatched": False}, (), {}).faults
    assert fault.message == f'{verb.name}: "Saved" did not show in time'
    assert fault.details == ("waited 3000 ms",)


@pytest.mark.parametrize(
    ("verb", "answer", "path", "wanted"),
    [
        ("navigate", {"navigated": False}, "navigated", False),
        ("navigate_back", {"popped": False}, "popped", False),
        ("fill", wrong("x"), "effect.verified", False),
        ("fill", wrong("x"), "effect.value", "x"),
        ("set_checkbox", {"effect": {"verified": False, "after": None}}, "effect.after", None),
        ("tap", {"untilMatched": False}, "untilMatched", False),
    ],
)
def test_what_a_step_expects_replaces_the_standing_check(
    verb: str, answer: dict[str, Any], path: str, wanted: Any
) -> None:
    assert judge(BY_NAME[verb], {}, answer, (check(path, wanted),), {}).faults == ()
    unrelated = check("ref", wanted=False, matcher="exists")
    assert judge(BY_NAME[verb], {}, answer, (unrelated,), {}).faults


def test_an_expectation_that_does_not_hold() -> None:
    (fault,) = judge(BY_NAME["tap"], {}, SAME, (check("effect.changed", True),), {}).faults
    assert fault.kind is FaultKind.ASSERTION
    assert (fault.expected, fault.seen, fault.place) == ("true", "false", HERE)


def test_an_expectation_may_hold_a_template() -> None:
    wanted = check("effect.value", compile_text("{{ name }}"))
    answer = {"effect": {"value": "Ada"}}
    assert judge(BY_NAME["fill"], {}, answer, (wanted,), {"name": "Ada"}).faults == ()
    assert judge(BY_NAME["fill"], {}, answer, (wanted,), {"name": "Bob"}).faults


def test_a_field_that_is_not_there() -> None:
    (fault,) = judge(BY_NAME["tap"], {}, {}, (check("retargeted", True, "exists"),), {}).faults
    assert fault.seen == "nothing"


@pytest.mark.parametrize(
    ("wanted", "held", "hint"),
    [
        ("abcdef", "abc", "the field took only the first 3 characters"),
        ("3 boxes", "3", "the field took only the first character"),
        ("nz", "NZ", "the field seems to change the case of what is typed"),
        ("1a2b", "12", "the field seems to reject some of these characters"),
        ("abc", "", "the field seems to reject some of these characters"),
        ("abc", "xyz", None),
        ("", "xyz", None),
    ],
)
def test_the_usual_cause(wanted: str, held: str, hint: str | None) -> None:
    field = {"label": "Code", "matchKind": "nearest"}
    answer = wrong(held, target=field)
    (fault,) = judge(BY_NAME["fill"], {"text": wanted}, answer, (), {}).faults
    assert fault.hint == hint
    assert (fault.expected, fault.seen) == (f'"{wanted}"', f'"{held}"')
    assert fault.details == ('the field written was "Code" (nearest match)',)


@pytest.mark.parametrize(
    ("answer", "expect", "told"),
    [
        (SAME, (), True),
        ({"effect": {"changed": True}}, (), False),
        ({**SAME, "untilMatched": True}, (), False),
        (SAME, (check("effect.changed", False),), False),
    ],
)
def test_a_tap_that_changed_nothing(
    answer: dict[str, Any], expect: tuple[PathCheck, ...], told: bool
) -> None:
    verdict = judge(BY_NAME["tap"], {}, answer, expect, {})
    assert verdict.remarks == (("tap changed nothing of its target",) if told else ())
    assert verdict.warnings == ()


def test_an_app_that_draws_nothing_is_a_warning() -> None:
    frames = {"framesEnabled": False, "lifecycleState": "hidden", "hint": "Bring it up."}
    (warning,) = judge(BY_NAME["tap"], {}, {"warnings": frames}, (), {}).warnings
    assert warning == "the app draws no frames (hidden): Bring it up."


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("a", {"b": [1, {"c": 2}]}),
        ("a.b.0", 1),
        ("a.b.1.c", 2),
        ("a.b.-1.c", 2),
        ("a.b.2", MISSING),
        ("a.b.x", MISSING),
        ("a.b.0.c", MISSING),
        ("d.e", 3),
        ("n", None),
        ("n.x", MISSING),
    ],
)
def test_value_at(path: str, value: Any) -> None:
    answer = {"a": {"b": [1, {"c": 2}]}, "d.e": 3, "n": None}
    assert value_at(answer, tuple(path.split("."))) == value
