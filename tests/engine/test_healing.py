"""Which other name a widget could have now."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tapir_replay.engine.events import Proposal
from tapir_replay.engine.healing import propose
from tapir_replay.engine.screen import Match
from tapir_replay.scenario.load import target_of
from tapir_replay.scenario.model import Target

EMAIL = Match(ref="e1", role="textbox", label="Email", key="email")
PASSWORD = Match(ref="e2", role="textbox", label="Password", key="password")
SUBMIT = Match(ref="e3", role="button", label="Sign in", text="Sign in", key="submit")
FORGOT = Match(ref="e4", role="link", label="Forgot password?", text="Forgot password?")
DELETES = [
    Match(ref=f"d{number}", role="button", label="Delete", key=f"delete-{number}")
    for number in range(3)
]
SCREEN = [EMAIL, PASSWORD, SUBMIT, FORGOT]


def proposed(
    target: Target, screen: list[Match], beside: Target | None = None
) -> tuple[str, str] | None:
    found = propose("target", target, beside, screen)
    return (found.target, found.because) if found else None


@pytest.mark.parametrize(
    ("target", "found"),
    [
        (Target(key="e-mail"), ("{key: email}", "a like key")),
        (Target(text="Sign  In"), ("Sign in", "a like text")),
        (Target(text="Forgot pasword?"), ('"Forgot password?"', "a like text")),
        (
            Target(role="button", label="Sign on"),
            ("{role: button, label: Sign in}", "the same role, a like label"),
        ),
        (
            Target(role="textbox", label="E-mail"),
            ("{role: textbox, label: Email}", "the same role, a like label"),
        ),
        (Target(text="Something else"), None),
        (Target(key="zzz"), None),
        (Target(role="button"), None),
        (Target(contains="Sign up"), None),
    ],
)
def test_by_what_was_asked_for(target: Target, found: tuple[str, str] | None) -> None:
    """A typo, a renamed label or key: only what is clearly meant is proposed."""
    if target.role is not None and found is None:
        # The only button there is: a role alone tells too little to be missed.
        assert proposed(target, [EMAIL, FORGOT]) is None
        return
    assert proposed(target, SCREEN) == found


CLEAR = Match(ref="e5", role="button", tooltip="Clear")
TOWN = Match(ref="e6", role="textbox", hint="Where you live")
BOX = Match(ref="e7", role="checkbox", label="Box", identifier="box-it")


@pytest.mark.parametrize(
    ("target", "found"),
    [
        (Target(tooltip="Clear it"), ("{role: button, tooltip: Clear}", "a like tooltip")),
        (
            Target(role="textbox", hint="Where you lived"),
            ("{role: textbox, hint: Where you live}", "the same role, a like hint"),
        ),
        (Target(identifier="box-is"), ("{identifier: box-it}", "a like identifier")),
        (Target(identifier="else"), None),
    ],
)
def test_by_names_beside_the_label(target: Target, found: tuple[str, str] | None) -> None:
    assert proposed(target, [*SCREEN, CLEAR, TOWN, BOX]) == found


def test_by_what_was_recorded_beside() -> None:
    """A key that is another now: role and label from the day of recording find the widget."""
    beside = Target(role="button", label="Sign in")
    assert proposed(Target(key="btn-17"), SCREEN, beside) == (
        "{key: submit}",
        "the same label and role",
    )


def test_two_that_are_alike_are_none() -> None:
    """A guess would be worse than nothing."""
    assert proposed(Target(role="button", label="Delet"), [*DELETES, SUBMIT]) is None


def test_a_name_of_another_widget_is_not_proposed() -> None:
    """What was asked for was a text, but a heading has that too: the button is told by its role."""
    screen = [
        Match(ref="x", role=role, label="Archive", text="Archive") for role in ("button", "heading")
    ]
    found = proposed(Target(text="Arc"), screen, Target(role="button", label="Archive"))
    assert found is not None
    assert found[0] == "{role: button, label: Archive}"


def test_only_names_that_nothing_else_has() -> None:
    """The same label twice: the key tells."""
    screen = [*DELETES, Match(ref="x", role="button", label="Archive")]
    assert proposed(Target(key="delete-x"), screen) is None
    keyed = [Match(ref="a", role="button", label="Add", key="add-item"), *DELETES]
    assert proposed(Target(key="add-itm"), keyed) == ("{key: add-item}", "a like key")


def test_what_is_proposed_can_be_written() -> None:
    """A label that looks like YAML or like a template."""
    odd = Match(ref="e1", role="button", label="{{ a }}: b", key=None)
    found = proposed(Target(role="button", label="{{ a }} : b"), [odd])
    assert found is not None
    assert target_of(found[0]).role == "button"


@given(
    labels=st.lists(st.text(max_size=12), max_size=6),
    wanted=st.text(min_size=1, max_size=12),
    role=st.sampled_from(["button", "textbox", ""]),
)
@settings(deadline=None)
def test_any_screen(labels: list[str], wanted: str, role: str) -> None:
    """Whatever the screen shows: a proposal is a target, or there is none."""
    screen = [Match(ref=str(n), role=role, label=each, text=each) for n, each in enumerate(labels)]
    found = propose("target", Target(text=wanted), None, screen)
    if found is not None:
        assert isinstance(found, Proposal)
        target_of(found.target)
