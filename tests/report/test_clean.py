"""The border between any text and a report."""

from __future__ import annotations

import unicodedata
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tapir_replay.report.clean import cap, columns, for_terminal, for_xml, one_line, shortened
from tests.report.strategies import texts

ANSI = [
    ("\x1b[1;31mred\x1b[0m", "red"),
    ("\x1b[38:2::1:2:3mred\x1b[m", "red"),
    ("\x9b31mred", "red"),
    ("\x1b]0;title\x07text", "text"),
    ("\x1b]8;;http://x\x1b\\link\x1b]8;;\x1b\\", "link"),
    ("\x1bPq#0\x1b\\after", "after"),
    ("\x1b(Btext", "text"),
    ("\x1b7saved\x1b8", "saved"),
    ("\x1b]never ended", "never ended"),
    ("a\x1b", r"a\x1b"),
]


@pytest.mark.parametrize(("text", "expected"), ANSI)
def test_terminal_sequences_are_gone(text: str, expected: str) -> None:
    """Colours, titles and links leave no litter behind."""
    assert for_xml(text) == expected
    assert for_terminal(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("\x00", r"\x00"),
        ("\x7f\x85", r"\x7f\x85"),
        ("\ud800 \udfff", r"\ud800 \udfff"),
        ("\ufffe\uffff", r"\ufffe\uffff"),
        ("a\r\nb\rc\td", "a\nb\nc\td"),
        ("😀 漢字 \u202e ]]>", "😀 漢字 \u202e ]]>"),
    ],
)
def test_for_xml(text: str, expected: str) -> None:
    """What XML forbids is shown as an escape; all else is as it was."""
    assert for_xml(text) == expected


def test_for_terminal_escapes_what_reorders_text() -> None:
    """A bidirectional override cannot make a line read as another."""
    assert for_terminal("a\u202eb\u2066c\u2028d\te") == r"a\u202eb\u2066c\u2028d    e"
    assert for_terminal("שלום") == "שלום"


@settings(deadline=None)
@given(texts(200))
def test_any_text_survives_xml(text: str) -> None:
    """Cleaned text is well-formed and comes back the same, also from an attribute."""
    cleaned = for_xml(text)
    element = ET.Element("a", {"b": cleaned})
    element.text = cleaned
    again = ET.fromstring(ET.tostring(element, "utf-8"))
    assert again.get("b") == cleaned
    assert (again.text or "") == cleaned
    assert for_xml(cleaned) == cleaned


@settings(deadline=None)
@given(texts(200))
def test_nothing_commands_a_terminal(text: str) -> None:
    """No control but the line feed is left, and all of it can be encoded."""
    cleaned = for_terminal(text)
    cleaned.encode("utf-8")
    assert not [c for c in cleaned if c != "\n" and unicodedata.category(c) in ("Cc", "Cs")]
    assert not set(cleaned) & set("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


@settings(deadline=None)
@given(texts(50))
def test_one_line(text: str) -> None:
    """Whatever a reader could take for a line end or a tab is a blank."""
    assert len(one_line(for_xml(text)).splitlines()) <= 1
    assert "\t" not in one_line(text)


def test_cap_keeps_head_and_tail() -> None:
    """The start says what it is, the end how it went."""
    text = "head" + "x" * 5000 + "tail"
    capped = cap(text, 1000)
    assert capped.startswith("headxxx")
    assert capped.endswith("xxxtail")
    assert "\n... 4088 of 5008 bytes left out ...\n" in capped
    assert cap("short", 1000) == "short"


@settings(deadline=None)
@given(st.text(max_size=300), st.integers(100, 400))
def test_cap_counts_bytes(text: str, limit: int) -> None:
    """The limit holds in UTF-8, and no character is cut in two."""
    capped = cap(text, limit)
    assert len(capped.encode()) <= limit
    assert capped == text or "left out" in capped


@settings(deadline=None)
@given(st.text(max_size=40), st.integers(0, 20))
def test_shortened_fits(text: str, limit: int) -> None:
    """A wide character never makes the line too long."""
    assert columns(shortened(text, limit)) <= limit


def test_shortened_says_that_it_is() -> None:
    """The mark tells that there is more."""
    assert shortened("漢字漢字", 8) == "漢字漢字"
    assert shortened("漢字漢字漢", 8) == "漢字漢…"
