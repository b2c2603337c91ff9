"""How a recorded widget is named."""

from __future__ import annotations

from typing import Any

import pytest

from tapir_replay.project.schema import SELECTORS
from tapir_replay.recorder.targets import choose, is_made_up
from tapir_replay.recorder.wire import Action, Touched, read_event
from tests.recorder.events import widget


def touched(*candidates: dict[str, Any]) -> Touched:
    found = read_event(
        {"seq": 1, "kind": "action", "action": "tap", "target": {"candidates": list(candidates)}}
    )
    assert isinstance(found, Action)
    assert found.target is not None
    return found.target


def by(
    count: int = 1, index: int = 0, within: str | None = None, **predicates: str
) -> dict[str, Any]:
    around = {} if within is None else {"within": {"key": within}}
    return {"by": predicates, "count": count, "index": index, **around}


KEY = by(key="submit")
LABEL = by(role="button", label="Sign in")
TEXT = by(text="Sign in")
INSIDE = by(role="button", label="Sign in", within="form")
ROLE = by(role="button")
TOOLTIP = by(role="button", tooltip="Clear")
HINT = by(role="textbox", hint="Where you live")
IN_FORM = {"role": "button", "label": "Sign in", "within": {"key": "form"}}
THE_THIRD = {"role": "button", "label": "Delete", "nth": 2}
THIRD = by(3, 2, role="button", label="Delete")


@pytest.mark.parametrize(
    ("candidates", "order", "target", "other"),
    [
        ([KEY, LABEL, TEXT], SELECTORS, {"key": "submit"}, {"role": "button", "label": "Sign in"}),
        ([LABEL, TEXT, KEY], SELECTORS, {"key": "submit"}, {"role": "button", "label": "Sign in"}),
        ([KEY, LABEL, TEXT], ("text", "key"), "Sign in", {"key": "submit"}),
        ([KEY, LABEL], ("text",), None, None),
        ([INSIDE, ROLE], SELECTORS, IN_FORM, {"role": "button"}),
        ([THIRD], SELECTORS, THE_THIRD, None),
        ([THIRD], ("key", "label"), None, None),
        ([by(9, 6, role="button")], SELECTORS, None, None),
        ([by(2, 1, within="form", role="button")], ("role", "nth"), None, None),
        (
            [by(2, 1, within="form", role="button")],
            ("role", "within", "nth"),
            {"role": "button", "within": {"key": "form"}, "nth": 1},
            None,
        ),
        ([by(key="row-" + "y" * 90)], SELECTORS, {"key": "row-" + "y" * 90}, None),
        ([by(2, 1, key="row"), THIRD], SELECTORS, THE_THIRD, None),
        ([by(key="[#a1b2c]"), LABEL], SELECTORS, {"role": "button", "label": "Sign in"}, None),
        ([by(role="button", label="a\nb"), ROLE], SELECTORS, ROLE["by"], None),
        ([by(text="y" * 81), ROLE], SELECTORS, ROLE["by"], None),
        ([], SELECTORS, None, None),
        ([by(identifier="go"), LABEL], SELECTORS, {"identifier": "go"}, LABEL["by"]),
        ([by(identifier="[#a1b2c]"), LABEL], SELECTORS, LABEL["by"], None),
        ([TOOLTIP, ROLE], SELECTORS, TOOLTIP["by"], ROLE["by"]),
        ([TOOLTIP, HINT, LABEL], SELECTORS, LABEL["by"], HINT["by"]),
        ([TOOLTIP, HINT, TEXT], SELECTORS, HINT["by"], TOOLTIP["by"]),
        ([HINT, TOOLTIP, LABEL], ("tooltip",), TOOLTIP["by"], None),
        ([by(3, 1, role="button", tooltip="Star"), by(role="button", tooltip="Star", within="row")],
         SELECTORS, {"role": "button", "tooltip": "Star", "within": {"key": "row"}},
         {"role": "button", "tooltip": "Star", "nth": 1}),
        ([by(tooltip="Told")], SELECTORS, {"tooltip": "Told"}, None),
    ],
)  # fmt: skip
def test_choice(candidates: list[Any], order: tuple[str, ...], target: Any, other: Any) -> None:
    """The first in the order that is found once; its runner-up is kept."""
    choice = choose(touched(*candidates), order)
    assert (choice.target, choice.other) == (target, other) if choice else target is None


@pytest.mark.parametrize(
    "key",
    [
        "[#1a2b3]", "[GlobalKey#0f3c1]", "[LabeledGlobalKey<FormState>#9d1c2 form]", "17", "0",
        "3f2504e0-4f89-11d3-9a0c-0305e82c3301", "row-1700000000", "Instance of 'Key'",
        "d41d8cd98f00b204e9800998ecf8427e", "[ObjectKey Task#12345]",
    ],
)  # fmt: skip
def test_made_up_keys(key: str) -> None:
    """Keys that are others the next time are never used, nor to search inside of."""
    assert is_made_up(key)
    assert choose(touched(by(key=key))) is None
    assert choose(touched(by(role="button", label="A", within=key))) is None


@pytest.mark.parametrize(
    "key", ["submit", "item-1", "pay-card", "delete-12", "größe", "a b", "deadbeef"]
)
def test_names_that_people_give(key: str) -> None:
    assert not is_made_up(key)


def test_an_app_that_says_nothing() -> None:
    """Fields that are not there, or are something else, do no harm."""
    for target in (
        {},
        {"candidates": 5},
        {"candidates": [3, {"by": 3}, {"count": 1}]},
        {"label": 3},
    ):
        event = read_event({"seq": 1, "kind": "action", "action": "tap", "target": target})
        assert isinstance(event, Action)
        assert event.target is not None
        assert choose(event.target) is None
    for event_data in ({}, {"seq": "1"}, {"seq": 1, "kind": "?"}, {"seq": 1, "kind": "action"}):
        assert read_event(event_data) is None
    assert widget()
