"""Tag expressions: read, evaluated, and what is said of wrong ones."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tapir_replay.project.tags import TagError, parse_tags

NAMES = ["a", "b", "smoke", "x-1", "v.2"]
names = st.sampled_from(NAMES)
expressions = st.recursive(
    names,
    lambda inner: st.one_of(
        inner.map(lambda each: f"not {each}"),
        inner.map(lambda each: f"({each})"),
        st.tuples(inner, st.sampled_from(["and", "or"]), inner).map(" ".join),
    ),
    max_leaves=12,
)


@given(expressions, st.sets(names))
def test_it_evaluates_as_python_does(expression: str, tags: set[str]) -> None:
    """`not` binds closest, then `and`, then `or`."""
    translated = re.sub(
        r"[A-Za-z0-9_][A-Za-z0-9_.-]*",
        lambda word: word[0] if word[0] in ("and", "or", "not") else repr(word[0] in tags),
        expression,
    )
    assert parse_tags(expression).holds(tags) is eval(translated)


@given(expressions)
def test_the_names_are_those_in_it(expression: str) -> None:
    """Each with the place where it stands first."""
    parsed = parse_tags(expression)
    words = set(re.findall(r"[A-Za-z0-9_][A-Za-z0-9_.-]*", expression)) - {"and", "or", "not"}
    assert set(parsed.names) == words
    for name, span in parsed.names.items():
        assert expression[span.column - 1 :].startswith(name)
        assert span.length == len(name)


words = st.sampled_from([*NAMES, "and", "or", "not", "(", ")", "&&", "!", ",", "'", " ", "\n", "é"])


@given(st.one_of(st.text(max_size=20), st.lists(words, max_size=12).map(" ".join)))
def test_nothing_else_is_raised(text: str) -> None:
    """A wrong expression is told with a place in it."""
    error = error_of(text)
    if error is not None:
        assert str(error).isprintable()
        assert not str(error).endswith(".")
        assert 1 <= error.span.column <= len(text) + 1


def error_of(text: str) -> TagError | None:
    try:
        parse_tags(text).holds({"a"})
    except TagError as error:
        return error
    return None


@pytest.mark.parametrize("nested", ["(" * 1000, "not " * 1000 + "a", "(" * 1000 + "a" + ")" * 1000])
def test_depth_is_limited(nested: str) -> None:
    with pytest.raises(TagError, match=r"nested more than 50 deep"):
        parse_tags(nested)


def test_a_long_one_is_fine() -> None:
    assert parse_tags(" or ".join(["a"] * 5000)).holds({"a"})
    assert not parse_tags("a and not a").holds({"a"})
