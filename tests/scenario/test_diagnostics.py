"""How a fault is shown."""

from __future__ import annotations

import dataclasses

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tapir_replay.scenario.diagnostics import (
    Diagnostic,
    Severity,
    Span,
    in_order,
    lines_of,
    quoted,
    render,
    snippet,
)
from tapir_replay.scenario.place import Place


def marked(line: str, column: int, length: int = 1) -> list[str]:
    return snippet(line, Span(line=1, column=column, length=length))


@pytest.mark.parametrize(
    ("line", "column", "length", "shown", "caret"),
    [
        ("tap: x", 6, 1, "tap: x", "     ^"),
        ("tap: メール x", 10, 1, "tap: メール x", "            ^"),
        ("tap: メール x", 6, 3, "tap: メール x", "     ^^^^^^"),
        ("🙂🙂 x", 4, 1, "🙂🙂 x", "     ^"),
        ("e\u0301e\u0301 x", 6, 1, "e\u0301e\u0301 x", "   ^"),
        ("❤\ufe0f x", 4, 1, "❤\ufe0f x", "  ^"),
        ("שלום x", 6, 1, "שלום x", "     ^"),
        ("a\tb", 3, 1, "a    b", "     ^"),
        ("\tb", 1, 1, "    b", "^^^^"),
        ("a\x1b[31mb", 7, 1, "a\ufffd[31mb", "      ^"),
        ("a\u202eb", 3, 1, "a\ufffdb", "  ^"),
        ("", 1, 1, "", "^"),
        ("ab", 3, 1, "ab", "  ^"),
        ("ab", 2, 99, "ab", " ^"),
    ],
)
def test_caret(line: str, column: int, length: int, shown: str, caret: str) -> None:
    """The caret stands below what is meant, whatever the width of the characters before it."""
    assert marked(line, column, length) == [f"  1 | {shown}".rstrip(), f"    | {caret}"]


def test_long_lines_are_cut() -> None:
    """A long line is cut on both sides, and the caret is still below its place."""
    line = "a" * 200 + "X" + "b" * 200
    text, caret = marked(line, 201)
    assert text == "  1 | ..." + "a" * 60 + "X" + "b" * 60 + "..."
    assert caret.index("^") == text.index("X")


def test_long_marks_are_cut() -> None:
    """A mark never makes a line longer than two contexts."""
    text, caret = marked("x" * 1000, 1, 1000)
    assert len(text) < 140
    assert len(caret) < 140


def test_a_line_that_is_not_there() -> None:
    """A place outside of the text has no snippet."""
    assert snippet("a", Span(line=2, column=1)) == []
    assert snippet("a", Span(line=0, column=1)) == []


def test_line_numbers_line_up() -> None:
    """Numbers are set to the right, and the bar below them."""
    found = snippet("\n" * 1233 + "abc", Span(line=1234, column=1))
    assert found == ["1234 | abc", "     | ^"]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r", "\x85", "\u2028", "\u2029"])
def test_lines(end: str) -> None:
    """Lines are counted as YAML does, and form feeds do not count."""
    assert lines_of(f"a\x0c{end}b{end}") == ["a\x0c", "b", ""]


def fault(**changes: object) -> Diagnostic:
    base = Diagnostic(
        code="x",
        file="a.yaml",
        message="that is wrong",
        span=Span(line=2, column=3),
        hint="mend it",
    )
    return dataclasses.replace(base, **changes)  # type: ignore[arg-type]


def test_render() -> None:
    """Place and message, the line, the hint."""
    assert render(fault(), "one\ntwo\n") == (
        "a.yaml:2:3: error: that is wrong\n  2 | two\n    |   ^\n    = hint: mend it"
    )
    assert render(fault(hint=""), None) == "a.yaml:2:3: error: that is wrong"
    assert render(fault(span=None, hint=""), "one") == "a.yaml: error: that is wrong"


def test_severity() -> None:
    """A warning is named so, and is no error."""
    warning = fault(severity=Severity.WARNING)
    assert str(warning) == "a.yaml:2:3: warning: that is wrong"
    assert (warning.is_error, fault().is_error) == (False, True)


def test_order() -> None:
    """By place, without repeats; the order of finding is kept at one place."""
    late, early = fault(span=Span(line=9, column=1)), fault(span=Span(line=2, column=1))
    other, whole = fault(message="also"), fault(span=None)
    found = in_order([late, fault(), other, early, whole, late])
    assert found == [whole, early, fault(), other, late]


def test_places_read_as_editors_like_them() -> None:
    """A place is file, line and column."""
    assert str(Place(file="a.yaml", line=3, column=7)) == "a.yaml:3:7"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a", '"a"'),
        ("", '""'),
        ("a\nb", r'"a\nb"'),
        ("\x1b[31m", r'"\x1b[31m"'),
        ("é🙂", '"é🙂"'),
        ("\u202e", r'"\u202e"'),
        ("a" * 100, f'"{"a" * 57}..."'),
        ("a" * 60, f'"{"a" * 60}"'),
        ("\ud800", r'"\ud800"'),
    ],
)
def test_quoted(text: str, shown: str) -> None:
    """A text of the file stays on one line of a message."""
    assert quoted(text) == shown


@given(st.text(), st.integers(1, 5), st.integers(1, 200), st.integers(1, 200))
@settings(deadline=None)
def test_any_place_can_be_shown(text: str, line: int, column: int, length: int) -> None:
    """Showing a fault never fails, and is two lines or none."""
    found = snippet(text, Span(line=line, column=column, length=length))
    assert len(found) in (0, 2)
    assert all(each.replace("\u200d", "").isprintable() for each in found)
