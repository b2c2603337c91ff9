"""The published schema, and what is made of it."""

from __future__ import annotations

import copy
import functools
from typing import Any

import jsonschema
import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from tapir_replay.scenario.check import runtime_schema
from tapir_replay.scenario.document import SCENARIO
from tapir_replay.scenario.matchers import MATCHERS
from tapir_replay.scenario.schema import (
    MODIFIERS,
    linked,
    scenario_schema,
)
from tapir_replay.scenario.schema_app import matcher_properties
from tapir_replay.scenario.values import construct
from tapir_replay.scenario.yaml_tree import parse
from tapir_replay.verbs.catalogue import STEP_VERBS
from tapir_replay.verbs.model import Type, Verb
from tests.scenario.documents import GOOD, all_steps, check, codes, full_form, least_form, step
from tests.scenario.test_broken import FILES


@functools.cache
def published() -> jsonschema.Draft202012Validator:
    return jsonschema.Draft202012Validator(scenario_schema())


@functools.cache
def at_runtime() -> jsonschema.Draft202012Validator:
    return jsonschema.Draft202012Validator(runtime_schema())


def faults(validator: jsonschema.Draft202012Validator, data: Any) -> list[tuple[str, str]]:
    return sorted((each.json_path, str(each.validator)) for each in validator.iter_errors(data))


def every_error(validator: Any, data: Any) -> list[tuple[str, ...]]:
    """All that an error says of itself, in an order of its own."""
    return sorted(
        (
            each.json_path,
            "/".join(map(str, each.absolute_schema_path)),
            str(each.validator),
            each.message,
        )
        for each in validator.iter_errors(data)
    )


def data_of(text: bytes) -> Any:
    root = parse(text, "a.yaml").root
    return None if root is None else construct(root, runtime_schema())


def test_it_is_a_schema() -> None:
    """The published schema is itself valid, of draft 2020-12."""
    schema = scenario_schema()
    assert schema["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    jsonschema.Draft202012Validator.check_schema(schema)


def test_every_reference_leads_somewhere() -> None:
    """Each `$ref` names a definition, and each definition is used."""
    schema = scenario_schema()
    used: set[str] = set()

    def walk(node: Any) -> None:
        if isinstance(node, dict):
            if isinstance(node.get("$ref"), str):
                used.add(node["$ref"].removeprefix("#/$defs/"))
            for each in node.values():
                walk(each)
        elif isinstance(node, list):
            for each in node:
                walk(each)

    walk(schema)
    assert used == set(schema["$defs"])


def test_linking_changes_nothing_it_is_given() -> None:
    """The published schema stays as it is when it is linked."""
    schema = scenario_schema()
    before = copy.deepcopy(schema)
    result = linked(schema)
    assert schema == before
    assert "$defs" not in result


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_the_same_verdict_on_wrong_files(path: Any) -> None:
    """Linked and published schema find the same faults, and so does what is in use."""
    data = data_of(path.read_bytes())
    assert faults(published(), data) == faults(at_runtime(), data)
    assert every_error(SCENARIO.validator, data) == every_error(at_runtime(), data)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 3) | st.floats(-2, 2) | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from([*STEP_VERBS, *MODIFIERS, "x", "of"]), inner, max_size=3)
    ),
    max_leaves=8,
)


@given(JSON)
@settings(max_examples=150, deadline=None)
def test_the_same_verdict_on_any_data(value: Any) -> None:
    """So they do on data of any kind, as a step and as a whole."""
    for data in (
        value,
        {"steps": [value]},
        {"steps": ["get_routes"], "vars": value, "tags": value},
    ):
        assert faults(published(), data) == faults(at_runtime(), data)
        assert every_error(SCENARIO.validator, data) == every_error(at_runtime(), data)


def test_every_verb_has_its_place() -> None:
    """A step can hold every verb of the catalogue, each modifier, and nothing else."""
    properties = scenario_schema()["$defs"]["step"]["properties"]
    assert set(properties) == {*STEP_VERBS, *MODIFIERS}


@pytest.mark.parametrize("verb", STEP_VERBS.values(), ids=lambda verb: verb.name)
def test_every_parameter_has_its_place(verb: Verb) -> None:
    """A verb can hold each of its parameters, with a description, and nothing else."""
    if verb.name == "expect" or verb.open:
        return
    schema = scenario_schema()["$defs"]["step"]["properties"][verb.name]
    if verb.name == "log":  # it has a second meaning beside another verb
        assert set(schema["properties"]) >= {param.name for param in verb.params}
        return
    assert set(schema["properties"]) == {param.name for param in verb.params}
    assert schema["additionalProperties"] is False
    assert schema["description"] == verb.summary
    for param in verb.params:
        assert schema["properties"][param.name]["description"] == param.doc


@pytest.mark.parametrize("text", [*all_steps()])
def test_every_form_of_every_verb_loads(text: str) -> None:
    """The full form, the shortest map and the short form of each verb are right."""
    written = text if ":" in text else f"{text}"
    found = check(f"steps:\n  - {written}\n")
    assert [each.code for each in found.diagnostics] in ([], ["plain-wait"])
    assert found.scenario is not None
    assert found.scenario.steps[0].verb.name == text.partition(":")[0]


@pytest.mark.parametrize("verb", STEP_VERBS.values(), ids=lambda verb: verb.name)
def test_the_full_form_gives_every_argument(verb: Verb) -> None:
    """All parameters reach the step."""
    if verb.name != "expect" and not verb.open:
        params = {param.name for param in verb.params if param.type is not Type.STEPS}
        params -= {"repeat": {"max"}, "tap": {"x", "y"}}.get(verb.name, set())
        assert set(step(full_form(verb)).args) == params


@pytest.mark.parametrize("verb", STEP_VERBS.values(), ids=lambda verb: verb.name)
def test_each_verb_takes_no_other_parameter(verb: Verb) -> None:
    """A parameter that is not the verb's is a fault."""
    if verb.name != "expect" and not verb.open:
        text = least_form(verb) if "{" in least_form(verb) else f"{verb.name}: {{}}"
        assert "unknown-key" in codes(f"steps: [{text[:-1]}, frob: 1}}]".replace("{,", "{"))


@pytest.mark.parametrize("verb", STEP_VERBS.values(), ids=lambda verb: verb.name)
def test_short_form_is_the_long_one(verb: Verb) -> None:
    """`verb: x` is `verb: {short: x}`."""
    if verb.short is None:
        return
    short = verb.param(verb.short)
    assert short is not None
    kinds = {Type.DURATION: "5s", Type.PATH: "a.png", Type.FILE: "fixtures/broken/flows/plain.yaml"}
    value = short.choices[0] if short.choices else kinds.get(short.type, "Save")
    assert (
        step(f"{verb.name}: {value}").args == step(f"{verb.name}: {{{short.name}: {value}}}").args
    )


def test_matchers_are_those_of_the_table() -> None:
    """The schema and the table of matchers name the same."""
    assert set(matcher_properties()) == set(MATCHERS)


def test_the_good_example_is_good_for_other_readers_too() -> None:
    """A scenario read with YAML 1.1 by another tool still fits the published schema."""
    assert faults(published(), yaml.safe_load(GOOD)) == []


@pytest.mark.parametrize(
    ("name", "good"),
    [
        ("a.png", True),
        ("shots/a b.png", True),
        ("./a.png", True),
        ("ä/日本.png", True),
        (".hidden", True),
        ("a.", True),
        ("", False),
        (".", False),
        ("..", False),
        ("../a", False),
        ("a/../b", False),
        ("/a", False),
        ("C:/a", False),
        ("c:a", False),
        ("a\\b", False),
        ("a/", False),
        ("a/.", False),
        ("a?", False),
        ("a*", False),
        ("a|b", False),
        ("a\tb", False),
        ("a\nb", False),
        ('a"b', False),
        ("http://a/b", False),
    ],
)
def test_file_names(name: str, good: bool) -> None:
    """A file name stays below the folder of artifacts, on every system."""
    for data in ({"screenshot": name}, {"screenshot": {"path": name}}):
        assert published().is_valid({"steps": [data]}) is good
