"""From bytes to a tree with places."""

from __future__ import annotations

from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from tapir_replay.scenario import yaml_tree
from tapir_replay.scenario.diagnostics import Span
from tapir_replay.scenario.values import construct
from tapir_replay.scenario.yaml_nodes import lookup, span_of, span_within
from tapir_replay.scenario.yaml_tree import MAX_BYTES, parse
from tests.scenario.documents import GOOD, codes, pure_loader, step

TEXTS = {
    "emoji": "🙂👩‍👩‍👧👍🏽❤️🇫🇷",
    "cjk": "登録する 登入 로그인",
    "rtl": "שלום مرحبا",
    "combining": "e\u0301a\u0308",
    "composed": "éä",
    "wide space": "a\u3000b\u00a0c",
    "astral": "𝕏𠮷",
    "marks": "a\u200fb\u200dc\ufeffd",
}


@pytest.fixture(params=["libyaml", "pure"])
def both(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Run with either parser of PyYAML."""
    if request.param == "pure":
        pure_loader(monkeypatch)


@pytest.mark.usefixtures("both")
@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
@pytest.mark.parametrize("form", ["{}", "'{}'", '"{}"'])
def test_characters_come_out_as_written(text: str, form: str) -> None:
    """Nothing is normalised, in any kind of scalar."""
    assert step(f"fill: {{target: a, text: {form.format(text)}}}").args["text"] == text


@pytest.mark.usefixtures("both")
@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_characters_in_block_scalars(text: str) -> None:
    """Block scalars keep them too, and their line breaks."""
    assert data(f"a: |\n  {text}\n  {text}\nb: >\n  {text}\n  {text}\n") == {
        "a": f"{text}\n{text}\n",
        "b": f"{text} {text}\n",
    }


def data(text: str | bytes) -> Any:
    tree = parse(text.encode() if isinstance(text, str) else text, "a.yaml")
    assert tree.root is not None, tree.diagnostics
    return construct(tree.root)


@pytest.mark.usefixtures("both")
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
def test_line_ends_and_byte_order_mark(end: str, mark: bytes) -> None:
    """Line ends of all systems and a byte order mark make no difference."""
    text = "a: |\n  one\n  two\nb: [1,\n  2]\nc: 'x\n  y'\n"
    assert data(mark + text.replace("\n", end).encode()) == data(text)


@pytest.mark.usefixtures("both")
@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("|\n  a\n   b\n\n  c\n", "a\n b\n\nc\n"),
        ("|-\n  a\n", "a"),
        ("|+\n  a\n\n", "a\n\n"),
        (">\n  a\n  b\n\n  c\n", "a b\nc\n"),
        (">-\n  a\n  b\n", "a b"),
        ("|2\n    a\n", "  a\n"),
        ("'it''s'", "it's"),
        (r'"a\tb\n\"\u00e9\U0001F642\x41\\"', 'a\tb\n"é🙂A\\'),
        ("a\n  b", "a b"),
        (r"'\d'", r"\d"),
        ("a # b", "a"),
        ("a#b", "a#b"),
        ("'# a'", "# a"),
        (r'"\0\e"', "\0\x1b"),
    ],
)
def test_scalar_styles(written: str, value: str) -> None:
    """Every style of scalar means what YAML says."""
    assert data(f"x: {written}") == {"x": value}


@pytest.mark.usefixtures("both")
def test_aliases() -> None:
    """An alias repeats what it names."""
    assert data("a: &x {b: [1]}\nc: *x\nd: [*x, *x]\ne: &k f\n") == {
        "a": {"b": [1]},
        "c": {"b": [1]},
        "d": [{"b": [1]}] * 2,
        "e": "f",
    }


@pytest.mark.usefixtures("both")
def test_the_language_is_the_same_with_both_parsers() -> None:
    """A good scenario is good with either parser."""
    assert codes(GOOD) == []


def test_both_parsers_give_the_same_tree(monkeypatch: pytest.MonkeyPatch) -> None:
    """Values and places do not depend on the parser."""
    with_c = places(GOOD)
    pure_loader(monkeypatch)
    assert places(GOOD) == with_c


def places(text: str) -> list[tuple[str, Span]]:
    root = parse(text.encode(), "a.yaml").root
    assert root is not None
    found = []

    def walk(node: yaml.Node) -> None:
        # libyaml ends a block where its last line ends, the other parser where the next begins.
        flat = isinstance(node, yaml.ScalarNode) or bool(getattr(node, "flow_style", False))
        mark = node.start_mark
        start = Span(line=mark.line + 1, column=mark.column + 1)
        found.append((str(getattr(node, "tag", "")), span_of(node) if flat else start))
        for each in node.value if not isinstance(node, yaml.ScalarNode) else ():
            for inner in each if isinstance(each, tuple) else (each,):
                walk(inner)

    walk(root)
    return found


ALPHABET = "abc: -[]{},'\"#&*|>@`\n x1.~"


@given(st.text(ALPHABET, max_size=40))
@settings(deadline=None)
def test_both_parsers_agree(text: str) -> None:
    """What both parsers accept has the same data with both."""
    results = []
    for pure in (False, True):
        with pytest.MonkeyPatch.context() as patch:
            if pure:
                pure_loader(patch)
            tree = parse(text.encode(), "a.yaml")
            results.append(construct(tree.root) if tree.root is not None else None)
    if None not in results:
        assert results[0] == results[1]


def test_a_file_that_is_too_large() -> None:
    """A file is not even decoded when it is too large."""
    assert [each.code for each in parse(b"\xff" * (MAX_BYTES + 1), "a.yaml").diagnostics] == [
        "too-large"
    ]


@pytest.mark.usefixtures("both")
@pytest.mark.parametrize("levels", range(2, 30, 3))
def test_alias_bombs(levels: int) -> None:
    """Aliases may repeat, but not multiply; a bomb is found without walking it."""
    lines = ["a0: &a0 [x, x, x, x]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 4)}]" for n in range(1, levels)]
    tree = parse("\n".join(lines).encode(), "a.yaml")
    assert [each.code for each in tree.diagnostics] == (["too-many-values"] if levels > 5 else [])
    assert (tree.root is None) is (levels > 5)


@pytest.mark.usefixtures("both")
@pytest.mark.parametrize("text", ["&a [*a]", "&a {b: *a}", "a: &a\n  - b: [*a]", "&a {? *a : b}"])
def test_what_holds_itself(text: str) -> None:
    """A list or map that holds itself is refused."""
    assert parse(text.encode(), "a.yaml").root is None


@pytest.mark.usefixtures("both")
@pytest.mark.parametrize(("depth", "good"), [(60, True), (61, False), (200, False), (900, False)])
def test_depth(depth: int, good: bool) -> None:
    """Sixty levels are enough."""
    tree = parse(("[" * depth + "x" + "]" * depth).encode(), "a.yaml")
    assert (tree.root is not None) is good
    assert [each.code for each in tree.diagnostics] == ([] if good else ["too-deep"])


@pytest.mark.usefixtures("both")
def test_depth_through_aliases() -> None:
    """Aliases count with the depth of what they name."""
    half = "[" * 40 + "x" + "]" * 40
    tree = parse(f"a: &a {half}\nb: {'[' * 40}*a{']' * 40}\n".encode(), "a.yaml")
    assert [each.code for each in tree.diagnostics] == ["too-deep"]


def test_lookup() -> None:
    """A path leads to its key and value, and ends above what is missing."""
    root = parse(b"a: [{b: c}]\nd:\n", "a.yaml").root
    assert root is not None
    key, value = lookup(root, ["a", 0, "b"])
    assert key is not None
    assert (key.value, value.value) == ("b", "c")
    assert lookup(root, ["a", 7, "b"])[1] is lookup(root, ["a"])[1]
    assert lookup(root, ["x"]) == (None, root)
    assert lookup(root, ["a", 0, "b", "c"])[1] is value
    assert lookup(root, []) == (None, root)


@pytest.mark.parametrize(
    ("text", "span"),
    [
        ("abc", Span(line=1, column=4, length=3)),
        ("'abc'", Span(line=1, column=4, length=5)),
        ("|\n  abc\n", Span(line=1, column=4, length=1)),
        ("'abc\n  d'", Span(line=1, column=4, length=5)),
        ("[a,\n b]", Span(line=1, column=4, length=1)),
        ("[a, b]", Span(line=1, column=4, length=6)),
        ("", Span(line=1, column=3, length=1)),
    ],
)
def test_spans(text: str, span: Span) -> None:
    """A span covers what is on the first line."""
    root = parse(f"x: {text}".encode(), "a.yaml").root
    found = span_of(lookup(root, ["x"])[1])  # type: ignore[arg-type]
    assert (found.line, found.column) == (span.line, span.column)
    assert abs(found.length - span.length) <= (1 if "\n" in text else 0)


def test_span_within() -> None:
    """A name is found in the expression, not in the text around it, also on later lines."""
    text = "x: 'nme {{ a.nme + nme }}'\ny: |\n  one\n  {{ nme }}\nz: none\n"
    root = parse(text.encode(), "a.yaml").root
    assert root is not None
    spans = [span_within(lookup(root, [key])[1], text, "nme") for key in "xyz"]
    assert spans == [
        Span(line=1, column=20, length=3),
        Span(line=4, column=6, length=3),
        Span(line=5, column=4, length=4),
    ]


def test_no_libyaml_is_no_problem() -> None:
    """The loader is libyaml's where there is one."""
    assert issubclass(yaml_tree._Loader, getattr(yaml, "CSafeLoader", yaml.SafeLoader))
