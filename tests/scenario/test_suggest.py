"""The nearest valid name."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tapir_replay.scenario import suggest
from tapir_replay.scenario.schema import MODIFIERS
from tapir_replay.verbs.catalogue import STEP_VERBS

KNOWN = [*STEP_VERBS, *MODIFIERS]


@pytest.mark.parametrize(
    ("word", "name"),
    [
        ("tapp", "tap"),
        ("TAP", "tap"),
        ("pat", "tap"),
        ("waitFor", "wait_for"),
        ("wait-for", "wait_for"),
        ("setCheckbox", "set_checkbox"),
        ("navigte", "navigate"),
        ("timeuot", "timeout"),
        ("wehn", "when"),
        ("expct", "expect"),
        ("click", "tap"),
        ("tapOn", "tap"),
        ("doubleTap", "dblclick"),
        ("longPress", "long_press"),
        ("longTap", "long_press"),
        ("inputText", "fill"),
        ("assertVisible", "expect"),
        ("back", "navigate_back"),
        ("if", "when"),
        ("sleep", "wait"),
        ("swipe", "scroll"),
    ],
)
def test_near(word: str, name: str) -> None:
    """Slips of the finger, other spellings and other tools' words lead to our name."""
    assert suggest.nearest(word, KNOWN) == name


@pytest.mark.parametrize("word", ["loop", "frobnicate", "x", "", "42"])
def test_far(word: str) -> None:
    """What is not near is not guessed."""
    assert suggest.nearest(word, KNOWN) is None


def test_the_names_when_none_is_near() -> None:
    """The hint lists what there is, sorted, and not too much of it."""
    assert suggest.hint("x", ["b", "a"], noun="it has") == "it has: a, b"
    assert suggest.hint("x", [f"n{n:02}" for n in range(20)]).endswith("n11, ...")
    assert suggest.hint("x", []) == ""


@given(st.text(max_size=20), st.lists(st.text(max_size=8), max_size=8))
@settings(deadline=None)
def test_any_words(word: str, known: list[str]) -> None:
    """A guess is always one of the known names, and a known name is its own guess."""
    guess = suggest.nearest(word, known)
    assert guess is None or guess in known
    for each in known:
        assert suggest.nearest(each, [each]) == each
