"""The parts of the demo that are plain functions: clock, fields, faults, diffs, buffers."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tapir_replay.demo.buffers import RING, Console, Exceptions
from tapir_replay.demo.faults import MAX_CHARS, Fault, capped, suggest
from tapir_replay.demo.fields import TextEdit, digits_only
from tapir_replay.demo.geometry import Point, Rect
from tapir_replay.demo.keyboard import parse_key, parse_modifiers
from tapir_replay.demo.service import dart_text
from tapir_replay.demo.snapshot import changed_lines, quoted
from tests.support.clock import FakeClock


def test_timers_run_in_the_order_they_are_due() -> None:
    clock, seen = FakeClock(), list[str]()

    def early() -> None:
        seen.append("early")
        clock.call_later(0.5, lambda: seen.append("between"))

    clock.call_later(2, lambda: seen.append("late"))
    clock.call_later(1, early)
    clock.call_later(1, lambda: seen.append("cancelled")).cancel()
    clock.advance(0.9)
    assert seen == []
    clock.advance(1.1)
    assert seen == ["early", "between", "late"]
    assert clock.now() == 2


def test_an_edit_goes_through_the_rules_of_its_field() -> None:
    edit = TextEdit(formatters=(digits_only,), max_length=3)
    edit.enter("a1b2c3d4")
    assert (edit.text, edit.caret) == ("123", 3)


def test_one_line_takes_no_line_break() -> None:
    edit = TextEdit()
    edit.enter("one\ntwo")
    assert edit.text == "onetwo"
    several = TextEdit(lines=3)
    several.enter("one\ntwo")
    assert several.text == "one\ntwo"


def test_the_owner_hears_of_changes_only() -> None:
    heard = list[str]()
    edit = TextEdit()
    edit.on_changed = lambda: heard.append(edit.text)
    edit.enter("a")
    edit.enter("a")
    edit.enter("b")
    assert heard == ["a", "b"]


def test_keys_edit_at_the_caret() -> None:
    edit = TextEdit()
    edit.enter("abc")
    for key in ("ArrowLeft", "Backspace", "Home", "Delete", "End", "ArrowRight"):
        edit.press(key)
    assert (edit.text, edit.caret) == ("c", 1)


def test_an_obscured_field_shows_bullets() -> None:
    edit = TextEdit(obscured=True)
    edit.enter("abc")
    assert (edit.shown, edit.text) == ("•••", "abc")


def test_suggestions_are_the_nearest_first() -> None:
    assert suggest("Sign im", ["Sing in", "Sign in", "Sign up", "Help"]) == [
        "Sign in", "Sign up", "Sing in",
    ]  # fmt: skip
    assert suggest("Si", ["Simulation of everything", "", "Si", "Si"]) == [
        "Si", "Simulation of everything",
    ]  # fmt: skip
    assert suggest("e1", [f"x{n:04}" for n in range(60)] + ["e1"]) == []


def test_long_messages_are_cut() -> None:
    assert capped("short\ntext") == "short\ntext"
    assert capped("\n".join("0123456789ab")).splitlines()[-1] == "... (2 more lines)"
    assert len(capped("x" * 5000)) < MAX_CHARS + 40


def test_a_fault_is_json_inside_json() -> None:
    assert json.loads(Fault("no", "stale", ref="e1").details()) == {
        "message": "no",
        "envelope": {"type": "stale", "suggestions": [], "widget_path": "e1"},
    }
    assert "widget_path" not in json.loads(Fault("no").details())["envelope"]


def test_a_rectangle_prints_as_dart_prints_it() -> None:
    assert str(Rect(1, 2.25, 10, 20)) == "Rect.fromLTRB(1.0, 2.2, 11.0, 22.2)"
    assert Rect(0, 0, 10, 10).contains(Point(0, 9.9))
    assert not Rect(0, 0, 10, 10).contains(Point(10, 5))


def test_values_turn_into_text_as_in_dart() -> None:
    assert dart_text({"k": [1, "x", None], "b": True}) == "{k: [1, x, null], b: true}"


def test_keys_and_modifiers_have_proper_names() -> None:
    assert parse_key("PAGEUP") == "PageUp"
    assert parse_key("x") == "X"
    assert parse_modifiers(" shift , CTRL,control") == ["Control", "Shift"]
    with pytest.raises(Fault):
        parse_key("")


@given(st.text())
def test_quoting_can_be_undone(text: str) -> None:
    inner = quoted(text)[1:-1]
    assert inner.replace('\\"', '"').replace("\\\\", "\\") == text or "\\" in text


LINES = st.lists(st.sampled_from(["- a", "- b", "  c: true", '- text "d"']), max_size=8)


@given(LINES, LINES)
def test_a_diff_leads_from_one_text_to_the_other(before: list[str], after: list[str]) -> None:
    old, new = ("".join(f"{line}\n" for line in lines) for lines in (before, after))
    *changes, footer = changed_lines(old, new).splitlines()
    removed = [line[2:] for line in changes if line.startswith("- ")]
    added = [line[2:] for line in changes if line.startswith("+ ")]
    assert len(removed) + len(added) == len(changes)
    assert sorted(before + added) == sorted(after + removed)
    assert footer.endswith(f" of {len(after)} lines changed)")


def test_rings_keep_the_newest() -> None:
    console, exceptions = Console(), Exceptions()
    for number in range(RING + 10):
        console.print(f"line {number}")
        exceptions.record("Error", f"error {number}", "library", ("#0 main",))
    lines = console.read(1000, "")
    assert len(lines) == len(exceptions) == RING
    assert lines[0]["message"] == f"line {RING + 9}"
    assert exceptions.read(1, None)[0]["message"] == f"error {RING + 9}"


def test_a_repeated_line_stands_where_its_newest_copy_is() -> None:
    console = Console()
    for message in ("a", "b", "a", "c"):
        console.print(message)
    assert [entry["message"] for entry in console.read(50, "info")] == ["c", "a", "b"]
    assert console.read(50, "ERROR") == []
    assert len(console.read(50, "no such level")) == 3
