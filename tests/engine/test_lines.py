"""Semantics goldens: what fits, what is told of what is missing, what an update leaves alone."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tapir_replay.engine.lines import (
    LinesFault,
    align,
    difference,
    read_lines,
    renewed,
    shown_lines,
    written,
)
from tapir_replay.engine.screen import Match

SCREEN = """\
- heading "Welcome back" [ref=e1]
- text "3 tasks"
- text "Buy milk"
- button "Delete" [ref=e2]
- text "Call the bank"
- button "Delete" [ref=e3] [offscreen]
  - textbox "Email": "ada@example.com" [ref=e4]
  typeable: true
- checkbox "Two
lines" [ref=e5]
- button "say \\"hi\\" \\\\ bye" [ref=e6]
"""


def missing(golden: str, screen: str = SCREEN) -> list[str]:
    wanted = read_lines(golden)
    found = align(wanted, shown_lines(screen))
    return [line.source for line, each in zip(wanted, found, strict=True) if each is None]


@pytest.mark.parametrize(
    "golden",
    [
        '- heading "Welcome back"',
        "- heading",
        '# a remark\n\n- text "3 tasks"\n   \n- text "Call the bank"\n',
        "- text /^[0-9]+ tasks$/",
        "- text /tasks/\n- button /^Del/\n- button /^Del/",
        '- textbox "Email": "ada@example.com"',
        '- textbox "Email": /@example\\.com$/',
        "- textbox: /^ada/",
        '- textbox "Email"',
        "- textbox /Em\\/?ail/",
        '- checkbox "Two\nlines"\n- button',
        '- button "say \\"hi\\" \\\\ bye"',
        '      - button "Delete" [ref=e99] [offscreen]',
        SCREEN.replace("  typeable: true\n", ""),
    ],
)
def test_what_fits(golden: str) -> None:
    assert missing(golden) == []


@pytest.mark.parametrize(
    ("golden", "lines"),
    [
        ('- heading "Welcome"', ['- heading "Welcome"']),
        ('- text "Welcome back"', ['- text "Welcome back"']),
        ('- text "call the bank"', ['- text "call the bank"']),
        ('- text "Call the bank"\n- text "Buy milk"', ['- text "Buy milk"']),
        ("- button\n- button\n- button\n- button", ["- button"]),
        ('- textbox "Email": "ada"', ['- textbox "Email": "ada"']),
        ('- text "3 tasks"\n- text "4"\n- text "Buy milk"', ['- text "4"']),
        ("- text /^[0-9]+$/", ["- text /^[0-9]+$/"]),
        ('- textbox "Email": ""', ['- textbox "Email": ""']),
    ],
)
def test_what_is_missing(golden: str, lines: list[str]) -> None:
    assert missing(golden) == lines


@pytest.mark.parametrize(
    ("golden", "says"),
    [
        ("", "it names no line"),
        ("# nothing\n", "it names no line"),
        ('- text "a"\nheading "b"\n', 'line 2 is not like - button "Save": heading "b"'),
        ("- Save\n- text Save", 'line 2 is not like - button "Save": - text Save'),
        ('- text "a\n- text "b"', "line 1 is not like"),
        ("- text /(/", "line 1: not a regular expression: missing )"),
        ("- text /a", "line 1 is not like"),
    ],
)
def test_what_is_no_golden(golden: str, says: str) -> None:
    with pytest.raises(LinesFault) as fault:
        read_lines(golden)
    assert str(fault.value).startswith(says)


def diff(golden: str, screen: str = SCREEN) -> list[str]:
    wanted, screen_lines = read_lines(golden), shown_lines(screen)
    return difference(wanted, screen_lines, align(wanted, screen_lines))


def test_a_difference_that_can_be_read() -> None:
    golden = '- heading "Welcome back"\n- text "2 tasks"\n- text "Buy milk"\n- button "Delete"\n'
    assert diff(golden + '- text "Call Ada"\n- textbox "Email"\n') == [
        '  - heading "Welcome back"',
        '- - text "2 tasks"',
        '+ - text "3 tasks"',
        '  - text "Buy milk"',
        '  - button "Delete"',
        '- - text "Call Ada"',
        '+ - text "Call the bank"',
        '+ - button "Delete"',
        '  - textbox "Email"',
    ]


def test_a_difference_on_a_long_screen() -> None:
    """Lines that are there and lines that are like nothing are not listed."""
    screen = "".join(f'- button "Item {n}"\n' for n in range(40))
    assert diff('- button "Item 3"\n- button "Item 3x"\n', screen) == [
        '  - button "Item 3"',
        '- - button "Item 3x"',
        '+ - button "Item 13"',
        '+ - button "Item 23"',
        '+ - button "Item 30"',
        "  (33 more lines of the screen)",
    ]
    golden = "".join(f'- button "Item {n}"\n' for n in range(20)) + '- text "end"\n'
    assert diff(golden, screen)[:3] == ["  ...", '  - button "Item 19"', '- - text "end"']


def test_an_update_leaves_alone_what_fits() -> None:
    """Expressions, remarks and what is left out stay; a line that is gone is taken out."""
    golden = (
        '# The list\n- heading /^Welcome/\n- text "2 tasks"\n\n  - text "Call Ada"\n'
        '- image "Logo"\n- textbox "Email": /@/\n'
    )
    assert renewed(golden, read_lines(golden), shown_lines(SCREEN)) == (
        '# The list\n- heading /^Welcome/\n- text "3 tasks"\n\n  - text "Call the bank"\n'
        '- textbox "Email": /@/\n'
    )


TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
SHOWN = st.builds(
    Match,
    ref=st.just(""),
    role=st.sampled_from(["", "button", "textbox"]),
    label=TEXTS,
    value=TEXTS,
)


@given(st.lists(SHOWN, min_size=1, max_size=6), st.lists(SHOWN, max_size=6))
@settings(deadline=None)
def test_what_is_written_fits(screen: list[Match], other: list[Match]) -> None:
    """A golden made of a screen fits it, and after an update it fits the other one."""
    text = "".join(f"{written(each)}\n" for each in screen)
    wanted = read_lines(text)
    assert align(wanted, screen) == list(range(len(screen)))
    new = renewed(text, wanted, other)
    if new.strip():
        assert None not in align(read_lines(new), other)


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_line_ends_of_either_kind(end: str) -> None:
    """In a text of the app, and in the file, which may have been stored with others."""
    shown = Match(ref="", label=f"one{end}two")
    for text in (written(shown), written(shown).replace(end, "\n")):
        assert align(read_lines(text), [shown]) == [0]
    assert align(read_lines(written(shown)), [Match(ref="", label="one two")]) == [None]


@given(st.lists(st.sampled_from("abc"), max_size=7), st.lists(st.sampled_from("abc"), max_size=7))
@settings(deadline=None)
def test_as_few_as_possible_are_missing(wanted: list[str], screen: list[str]) -> None:
    lines = read_lines("".join(f'- text "{each}"\n' for each in wanted) or "- x")
    shown = [Match(ref="", label=each, text=each) for each in screen]
    found = align(lines if wanted else (), shown)
    taken = [each for each in found if each is not None]
    assert taken == sorted(set(taken))
    assert len(taken) == longest(wanted, screen)


def longest(one: list[str], two: list[str]) -> int:
    """The longest common subsequence, slowly."""
    if not one or not two:
        return 0
    if one[0] == two[0]:
        return 1 + longest(one[1:], two[1:])
    return max(longest(one[1:], two), longest(one, two[1:]))
