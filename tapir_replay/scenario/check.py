"""JSON Schema errors as diagnostics: one small function a keyword, all with one signature."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import jsonschema
import yaml
from jsonschema.exceptions import ValidationError

from tapir_replay.scenario import suggest
from tapir_replay.scenario.diagnostics import Diagnostic, Span
from tapir_replay.scenario.schema import MODIFIERS, linked, scenario_schema
from tapir_replay.scenario.yaml_tree import lookup, span_of
from tapir_replay.verbs.catalogue import STEP_VERBS
from tapir_replay.verbs.model import Type

_PHASES = (["setup"], ["steps"], ["teardown"])


@functools.cache
def runtime_schema() -> dict[str, Any]:
    """The scenario schema, linked for speed."""
    return linked(scenario_schema())


@functools.cache
def _validator() -> jsonschema.Draft202012Validator:
    return jsonschema.Draft202012Validator(runtime_schema())


Part = tuple[str | int, ...]
"""A part of a scenario that is right or wrong as a whole: `("vars",)`, `("steps", 3)`."""


def check(data: Any, root: yaml.Node, file: str) -> tuple[list[Diagnostic], set[Part]]:
    """All places where the data is not what the schema wants, and the parts they are in."""
    found: list[Diagnostic] = []
    faulty: set[Part] = set()
    for error in _validator().iter_errors(data):
        say = _SAY.get(str(error.validator), _other)
        spot = _Spot(error, root)
        faulty.add(tuple(spot.path[:2] if spot.path[:1] in _PHASES else spot.path[:1]))
        found += [
            Diagnostic(
                code=fault.code,
                file=file,
                message=fault.message,
                span=fault.span or spot.value_span,
                hint=fault.hint,
            )
            for fault in say(error, spot)
        ]
    return found, faulty


@dataclass(frozen=True, slots=True)
class _Fault:
    code: str
    message: str
    hint: str = ""
    span: Span | None = None


class _Spot:
    """Where in the file an error stands, and how to speak of that place."""

    def __init__(self, error: ValidationError, root: yaml.Node) -> None:
        self.path = list(error.absolute_path)
        self.root = root
        self.schema: Mapping[str, Any] = error.schema if isinstance(error.schema, dict) else {}
        self.wanted: Any = error.validator_value
        self.instance: Any = error.instance
        self.is_key = "propertyNames" in error.absolute_schema_path
        self.key_node, self.node = lookup(root, self.path)

    @property
    def value_span(self) -> Span:
        if self.key_node is not None and isinstance(self.node, yaml.ScalarNode):
            return span_of(self.node) if self.node.value else span_of(self.key_node)
        return span_of(self.key_node or self.node)

    def span_of_key(self, key: str) -> Span:
        found, node = lookup(self.root, [*self.path, key])
        return span_of(found or node)

    @property
    def name(self) -> str:
        """`tap`, `target of tap`, `step 3`, `the file`."""
        names = [part for part in self.path if isinstance(part, str)]
        if not names:
            return "the file"
        if isinstance(self.path[-1], int):
            what = "step" if self.is_step else f"item of {names[-1]}"
            return f"{what} {self.path[-1] + 1}"
        verb = next((each for each in reversed(names[:-1]) if each in STEP_VERBS), None)
        return f"{names[-1]} of {verb}" if verb else names[-1]

    @property
    def is_step(self) -> bool:
        return len(self.path) == 2 and self.path[:1] in _PHASES and isinstance(self.path[1], int)


_Say = Callable[[ValidationError, _Spot], Iterable[_Fault]]


def _unknown_keys(_: ValidationError, spot: _Spot) -> Iterator[_Fault]:
    known = list(spot.schema["properties"])
    for key in spot.instance:
        if key in known:
            continue
        if spot.is_step:
            code, message = "unknown-verb", f'there is no verb or modifier "{key}"'
            hint = suggest.hint(key, known, noun="verbs")
        else:
            code, message = "unknown-key", f'{spot.name} has no "{key}"'
            hint = _belongs_elsewhere(key, spot) or suggest.hint(key, known, noun="it has")
        yield _Fault(code, message, hint, spot.span_of_key(key))


def _belongs_elsewhere(key: str, spot: _Spot) -> str:
    """Keys that are right, one level off."""
    verb = STEP_VERBS.get(str(spot.path[-1])) if spot.path else None
    if verb is None:
        return ""
    if key in MODIFIERS or key == "expect":
        return f'"{key}" stands beside "{verb.name}", not below it: check the indentation'
    predicates = ("key", "label", "text", "contains", "matches", "role", "value", "within", "nth")
    target = next((each.name for each in verb.params if each.type is Type.TARGET), None)
    if key in predicates and target is not None:
        return f"write {target}: {{{key}: ...}}"
    return ""


def _required(error: ValidationError, spot: _Spot) -> Iterator[_Fault]:
    # Each missing key is an error of its own, named in the message only.
    missing = next(key for key in spot.wanted if f"'{key}'" in error.message)
    yield _Fault(
        "missing-key", f'{spot.name} needs "{missing}"', span=_heading(spot), hint=_example(spot)
    )


def _heading(spot: _Spot) -> Span | None:
    return span_of(spot.key_node) if spot.key_node is not None else span_of(spot.node)


def _example(spot: _Spot) -> str:
    verb = STEP_VERBS.get(str(spot.path[-1])) if spot.path else None
    if verb is None:
        return ""
    needed = [param for param in verb.params if param.required]
    return f"{verb.name}: {{{', '.join(f'{param.name}: ...' for param in needed)}}}"


def _type(_: ValidationError, spot: _Spot) -> Iterator[_Fault]:
    kinds = [spot.wanted] if isinstance(spot.wanted, str) else list(spot.wanted)
    expected = spot.schema.get("patternErrorMessage") if "string" in kinds else None
    if expected is None or not (spot.is_step or kinds == ["string"]):
        expected = " or ".join(_KINDS[kind] for kind in kinds if kind != "null")
    verb = STEP_VERBS.get(str(spot.path[-1])) if spot.path else None
    yield _Fault(
        "wrong-type",
        f"{spot.name}: expected {expected}, found {_found(spot.instance)}",
        _example(spot) if verb else _empty_text(spot.instance, kinds),
    )


_KINDS = {
    "object": "a map",
    "array": "a list",
    "string": "a text",
    "boolean": "true or false",
    "integer": "a whole number",
    "number": "a number",
}


def _empty_text(instance: Any, kinds: list[str]) -> str:
    return 'for an empty text write ""' if instance is None and "string" in kinds else ""


def _found(value: Any) -> str:
    if value is None:
        return "nothing"
    if isinstance(value, dict):
        return "a map"
    if isinstance(value, list):
        return "a list"
    if isinstance(value, bool):
        return "true" if value else "false"
    return f'"{value}"' if isinstance(value, str) else str(value)


def _enum(_: ValidationError, spot: _Spot) -> Iterator[_Fault]:
    if isinstance(spot.instance, str):  # else the type is reported already
        yield _Fault(
            "unknown-value",
            f'{spot.name} cannot be "{spot.instance}"',
            suggest.hint(spot.instance, spot.wanted, noun="one of"),
        )


def _pattern(_: ValidationError, spot: _Spot) -> Iterator[_Fault]:
    expected = spot.schema.get("patternErrorMessage", "another form")
    if spot.is_step and not spot.is_key:
        yield _bare_step(spot.instance)
        return
    yield _Fault(
        "wrong-form",
        f"{spot.name}: expected {expected}, found {_found(spot.instance)}",
        _form_hint(spot.instance, expected),
        spot.span_of_key(spot.instance) if spot.is_key else None,
    )


def _bare_step(word: str) -> _Fault:
    verb = STEP_VERBS.get(word)
    if verb is None:
        return _Fault(
            "unknown-verb",
            f'there is no verb "{word}"',
            suggest.hint(word, STEP_VERBS, noun="verbs"),
        )
    needed = ", ".join(param.name for param in verb.params if param.required)
    needed = needed or " or ".join(verb.any_of) or "conditions"
    return _Fault("missing-key", f"{word} needs {needed}", f"{word}: ...")


def _form_hint(instance: Any, expected: str) -> str:
    text = str(instance)
    if expected == "true or false" and text.lower() in ("yes", "on", "no", "off", "y", "n"):
        return f"write {'true' if text.lower() in ('yes', 'on', 'y') else 'false'}"
    if expected.startswith("a duration") and text.strip().replace(".", "").isdigit():
        return f"write {text.strip()}s or {text.strip()}ms"
    return ""


def _too_few(error: ValidationError, spot: _Spot) -> Iterator[_Fault]:
    what = {"minItems": "an item", "minLength": "a text", "minProperties": "an entry"}
    yield _Fault("empty", f"{spot.name} is empty; it needs at least {what[str(error.validator)]}")


def _minimum(_: ValidationError, spot: _Spot) -> Iterator[_Fault]:
    yield _Fault("too-small", f"{spot.name} must be at least {spot.wanted}, found {spot.instance}")


def _other(error: ValidationError, spot: _Spot) -> Iterator[_Fault]:
    yield _Fault("schema", f"{spot.name}: {error.message}")


_SAY: dict[str, _Say] = {
    "additionalProperties": _unknown_keys,
    "required": _required,
    "type": _type,
    "enum": _enum,
    "pattern": _pattern,
    "minItems": _too_few,
    "minLength": _too_few,
    "minProperties": _too_few,
    "minimum": _minimum,
}
