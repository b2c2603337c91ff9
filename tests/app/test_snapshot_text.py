"""The text of a snapshot as a tree."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tapir_replay.app.snapshot_text import (
    below,
    changes,
    interactive,
    matching,
    nodes_of,
    text_of,
)

SNAPSHOT = """\
- heading "Orders" [ref=e1]
- button "Row one
of two lines" [ref=e2] [offscreen]
  tapOwner: {"x":1,"y":2,"w":3,"h":4}
  - text "inside \\"quoted\\" \\\\ here"
  - checkbox "" [ref=e3]
    - text "deep"
- textbox "Name": "Ada" [ref=e4]
  typeable: true
"""


def test_nodes() -> None:
    nodes = nodes_of(SNAPSHOT)
    assert [(each.depth, each.role, each.label, each.value, each.ref) for each in nodes] == [
        (0, "heading", "Orders", None, "e1"),
        (0, "button", "Row one\nof two lines", None, "e2"),
        (1, "text", 'inside "quoted" \\ here', None, ""),
        (1, "checkbox", "", None, "e3"),
        (2, "text", "deep", None, ""),
        (0, "textbox", "Name", "Ada", "e4"),
    ]
    assert text_of(nodes) == SNAPSHOT


def test_below() -> None:
    nodes = below(nodes_of(SNAPSHOT), "e3")
    assert nodes is not None
    assert text_of(nodes) == '- checkbox "" [ref=e3]\n  - text "deep"\n'
    assert below(nodes_of(SNAPSHOT), "e9") is None


def test_matching() -> None:
    found, literal = matching(nodes_of(SNAPSHOT), "deep|Ada")
    assert [each.ref for each in found] == ["e2", "e3", "", "e4"]
    assert not literal
    found, literal = matching(nodes_of(SNAPSHOT), "(deep")
    assert (found, literal) == ([], True)


def test_interactive() -> None:
    assert [each.ref for each in interactive(nodes_of(SNAPSHOT))] == ["e1", "e2", "e3", "e4"]


def test_changes() -> None:
    after = SNAPSHOT.replace('"Orders"', '"Order 7"').replace("  typeable: true\n", "")
    assert changes(SNAPSHOT, after) == (
        '- - heading "Orders" [ref=e1]\n'
        '+ - heading "Order 7" [ref=e1]\n'
        "-   typeable: true\n"
        "(2 of 8 lines changed)\n"
    )
    assert changes("", "") == "(0 of 0 lines changed)\n"


labels = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\r"), max_size=20)


@given(st.lists(st.tuples(st.integers(0, 3), st.sampled_from(["button", "text"]), labels)))
def test_whatever_is_printed_is_read(lines: list[tuple[int, str, str]]) -> None:
    text = ""
    for number, (depth, role, label) in enumerate(lines):
        ref = f" [ref=e{number}]" if role == "button" else ""
        escaped = label.replace("\\", "\\\\").replace('"', '\\"')
        text += f'{"  " * depth}- {role} "{escaped}"{ref}\n'
    found = [(each.depth, each.role, each.label) for each in nodes_of(text)]
    assert found == lines


@given(st.text())
def test_no_text_breaks_the_reader(text: str) -> None:
    nodes = nodes_of(text)
    matching(nodes, text)
    changes(text, text)
