"""Whatever a file holds: no exception, and faults that can be shown."""

from __future__ import annotations

import copy
import functools
from typing import Any

import jsonschema
import pytest
import yaml
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tapir_replay.scenario.check import runtime_schema
from tapir_replay.scenario.diagnostics import lines_of, render
from tapir_replay.scenario.load import Loaded
from tapir_replay.scenario.matchers import MATCHERS
from tapir_replay.scenario.schema import MODIFIERS, scenario_schema
from tapir_replay.scenario.values import construct
from tapir_replay.scenario.yaml_tree import parse
from tapir_replay.verbs.catalogue import STEP_VERBS
from tests.scenario.documents import GOOD, all_steps, check, pure_loader, walk
from tests.scenario.test_broken import FILES

FEW = settings(max_examples=150, deadline=None)


@functools.cache
def published() -> jsonschema.Draft202012Validator:
    return jsonschema.Draft202012Validator(scenario_schema())


def sound(data: bytes) -> Loaded:
    """Load, and check what must hold of any result."""
    file = check(data)
    lines = lines_of(file.source)
    for each in file.diagnostics:
        assert each.message
        assert "\n" not in each.message
        assert "\n" not in each.hint
        assert len(each.message) < 300
        assert len(each.hint) < 300
        if each.span is not None:
            assert 1 <= each.span.line <= len(lines)
            assert 1 <= each.span.column <= len(lines[each.span.line - 1]) + 1
            assert each.span.length >= 1
        assert render(each, file.source).startswith("test.yaml")
    assert file.ok is not any(each.is_error for each in file.diagnostics)
    if file.scenario is not None:
        root = parse(data, "test.yaml").root
        assert root is not None
        assert published().is_valid(construct(root, runtime_schema()))
    return file


@given(st.binary(max_size=60))
@FEW
def test_bytes(data: bytes) -> None:
    """Any bytes."""
    sound(data)


@given(st.text(max_size=60))
@FEW
def test_text(text: str) -> None:
    """Any text, by itself and as a part of a scenario."""
    sound(text.encode("utf-8", "surrogatepass"))
    sound(f"name: {text}\nsteps:\n  - tap: {text}\n".encode("utf-8", "surrogatepass"))


@given(st.text("ab: -[]{},'\"#&*!|>%@`\n\t\r?x1.~<=\\", max_size=40))
@example("a: [\n]\n]")
@example('"\\x')
@example("? [a]\n: {{ b }}")
@FEW
def test_signs_of_yaml(text: str) -> None:
    """Any text of the signs that mean something in YAML, in either parser."""
    sound(text.encode())
    sound(("steps:\n  - tap: " + text).encode())
    with pytest.MonkeyPatch.context() as patch:
        pure_loader(patch)
        sound(text.encode())


@given(st.sampled_from(FILES), st.integers(0, 400), st.binary(max_size=4), st.integers(0, 5))
@FEW
def test_wrong_files_made_worse(path: Any, at: int, more: bytes, fewer: int) -> None:
    """The wrong files, with a few bytes replaced."""
    data = path.read_bytes()[:5000]
    sound(data[:at] + more + data[at + fewer :])


WORDS = st.sampled_from(
    [
        *STEP_VERBS,
        *MODIFIERS,
        *MATCHERS,
        *("steps", "vars", "visible", "of", "target", "key", "within"),
        *("{{ x }}", "{{", "", "5s", "true", "none", "e5", "(", "a.b", "is.x", "<<"),
    ]
)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 5) | st.floats(-2, 2) | WORDS | st.text(max_size=4),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(WORDS, inner, max_size=3)
        | st.dictionaries(st.text(max_size=3), inner, max_size=2)
    ),
    max_leaves=10,
)


@given(VALUES)
@FEW
def test_documents(value: Any) -> None:
    """Any document, and any value for the parts of a scenario."""
    for data in (value, {"steps": value}, {"steps": [value], "vars": value, "tags": value}):
        sound(yaml.safe_dump(data, allow_unicode=True).encode())


GOOD_DATA: dict[str, Any] = yaml.safe_load(GOOD)
GOOD_DATA["steps"] += [yaml.safe_load(each) for each in all_steps()]
PATHS = [path for path in walk(GOOD_DATA) if path]


def change(data: Any, path: tuple[Any, ...], how: str, value: Any) -> None:
    """Drop, rename, replace or wrap the part at the path, if it is still there."""
    for part in path[:-1]:
        try:
            data = data[part]
        except (KeyError, IndexError, TypeError):
            return
    last = path[-1]
    if not isinstance(data, dict | list) or (isinstance(data, list) and not isinstance(last, int)):
        return
    if last not in data if isinstance(data, dict) else last >= len(data):
        return
    if how == "drop":
        del data[last]
    elif how == "rename" and isinstance(data, dict):
        data[f"{last}x" if not isinstance(value, str) else value] = data.pop(last)
    elif how == "wrap":
        data[last] = [data[last]] if isinstance(value, bool) else {"target": data[last]}
    elif how == "lift" and isinstance(data[last], dict) and isinstance(data, dict):
        data |= data.pop(last)
    else:
        data[last] = value


CHANGES = st.tuples(
    st.sampled_from(PATHS), st.sampled_from(["drop", "rename", "replace", "wrap", "lift"]), VALUES
)


@given(st.lists(CHANGES, min_size=1, max_size=4), st.booleans())
@settings(max_examples=120, deadline=None)
def test_good_scenarios_made_wrong(changes: list[tuple[Any, str, Any]], flow: bool) -> None:
    """A good scenario with keys dropped, renamed, retyped, or nested wrongly."""
    data = copy.deepcopy(GOOD_DATA)
    for path, how, value in changes:
        change(data, path, how, value)
    sound(yaml.safe_dump(data, allow_unicode=True, default_flow_style=flow).encode())


def test_the_good_scenario_is_good() -> None:
    """What the mutations start from loads."""
    assert sound(yaml.safe_dump(GOOD_DATA).encode()).ok


@given(st.text(max_size=30))
@FEW
def test_texts_survive(text: str) -> None:
    """A quoted text is typed as it is, whatever it holds, unless it is a template."""
    if "{{" in text or any(0xD800 <= ord(char) <= 0xDFFF for char in text):
        return
    written = yaml.safe_dump({"steps": [{"fill": {"target": "a", "text": text}}]})
    file = sound(written.encode())
    assert file.scenario is not None
    assert file.scenario.steps[0].args["text"] == text
