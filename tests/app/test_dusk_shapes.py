"""Dusk's shapes, as its versions and its pages have them, in the one of Tapir."""

from __future__ import annotations

from typing import Any

import pytest

from tapir_replay.app.dusk import shapes
from tapir_replay.app.snapshot_text import nodes_of


@pytest.mark.parametrize(
    ("candidate", "expected"),
    [
        (
            {"label": "a", "rect": [1, 2, 3, 4], "actions": ["tap"], "isVisible": True},
            {
                "label": "a",
                "value": None,
                "bounds": {"x": 1, "y": 2, "w": 3, "h": 4},
                "isVisible": True,
                "inViewport": True,
            },
        ),
        (
            {"label": "a", "value": "", "enrichers": {"wind": {"states": "x"}, "label": "no"}},
            {"label": "a", "value": None, "wind": {"states": "x"}, "inViewport": True},
        ),
        (
            {"label": "a", "value": "v", "isVisible": False, "inViewport": True},
            {"label": "a", "value": "v", "isVisible": False, "inViewport": True},
        ),
    ],
)
def test_candidates(candidate: dict[str, Any], expected: dict[str, Any]) -> None:
    answer = shapes.observe({"candidates": [candidate], "totalMatches": 9, "intent": "x"})
    assert answer == {"candidates": [expected], "count": 1}


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ({"location": "/a", "title": ""}, {"location": "/a", "title": "", "uri": None}),
        ({"routes": ["/", "/a"]}, {"location": "/a", "title": "", "uri": None}),
        ({"routes": [{"name": "/a"}]}, {"location": "/a", "title": "", "uri": None}),
        ({"routes": []}, {"location": "", "title": "", "uri": None}),
        (
            {"location": "", "title": "t", "uri": "/a?b"},
            {"location": "", "title": "t", "uri": "/a?b"},
        ),
    ],
)
def test_routes(answer: dict[str, Any], expected: dict[str, Any]) -> None:
    assert shapes.get_routes(answer) == expected


@pytest.mark.parametrize(
    ("answer", "location", "navigated", "exact"),
    [
        ({"navigated": True}, "", True, True),
        ({"navigated": True}, "/a", True, True),
        ({"navigated": True}, "/a/7", True, False),
        ({"navigated": False, "reason": "x"}, "/a", True, True),
        ({"navigated": False, "reason": "x"}, "/b", False, False),
        ({"navigated": True, "exactPath": False}, "/a", True, False),
    ],
)
def test_navigation(answer: dict[str, Any], location: str, navigated: bool, exact: bool) -> None:
    shaped = shapes.navigate({**answer, "route": "/a"}, "/a", location)
    assert (shaped["navigated"], shaped["exactPath"]) == (navigated, exact)
    assert ("reason" in shaped) is not navigated


def test_answers_that_have_tapirs_shape_are_left_alone() -> None:
    effect = {"kind": "treeChanged", "changed": False}
    assert shapes.tap({"effect": effect, "changed": True}) == {"effect": effect}
    assert shapes.tap({"ref": "e1"}) == {"ref": "e1"}
    scrolled = {"scrolled": False, "effect": effect}
    assert shapes.scroll(scrolled, 1.0, 2.0) == scrolled
    assert shapes.scroll({"scrolled": True}, None, 2.0) == {"scrolled": True}
    assert shapes.navigate_back({"popped": False}, True) == {"popped": False}


def test_small_ones() -> None:
    assert shapes.console({"entries": [{"message": "x"}]}) == {
        "logs": [{"message": "x"}],
        "count": 1,
    }
    assert shapes.console({"logs": [], "count": 0}) == {"logs": [], "count": 0}
    assert shapes.close_app({}) == {"closed": True}
    assert shapes.console_params({"minLevel": "WARNING"}) == {"minLevel": "WARNING"}


@pytest.mark.parametrize(
    ("params", "sent"),
    [
        ({}, {"dx": "0", "dy": "300"}),
        ({"direction": "left", "pixels": "5.5"}, {"dx": "-5.5", "dy": "0"}),
        ({"direction": "sideways"}, {"dx": "0", "dy": "300"}),
        ({"dx": "7", "pixels": "5"}, {"dx": "7"}),
        ({"intoView": "true", "ref": "e1", "pixels": "5"}, {"intoView": "true", "ref": "e1"}),
        ({"pixels": "odd"}, {"dx": "0", "dy": "300"}),
    ],
)
def test_scroll_parameters(params: dict[str, str], sent: dict[str, str]) -> None:
    assert shapes.scroll_params(params) == sent


def test_a_control_inside_of_one_of_its_kind_is_the_same_one() -> None:
    snapshot = """\
- checkbox "I agree" [ref=e1]
  - checkbox "" [ref=e2]
- button "Row" [ref=e3]
  - button "" [ref=e4]
- checkbox "" [ref=e5]
- button "Alarm" [ref=e6]
  - button "Alarm" [ref=e7]
  - text "Alarm"
"""
    kept = [each.ref for each in shapes.without_doubles(nodes_of(snapshot))]
    assert kept == ["e1", "e3", "e4", "e5", "e6", ""]


def test_candidates_and_lines_are_paired_in_order() -> None:
    nodes = nodes_of('- button "A" [ref=e1]\n- button "B" [ref=e2]\n- button "A" [ref=e3]\n')
    candidates = [{"role": "button", "label": label, "ref": "q1"} for label in ("A", "B", "A", "C")]
    assert [each["ref"] for each in shapes.paired(candidates, nodes)] == ["e1", "e2", "e3"]
