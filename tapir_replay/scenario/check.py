"""JSON Schema errors as diagnostics: one small function a keyword, all with one signature."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import jsonschema
import yaml
from jsonschema.exceptions import ValidationError

from tapir_replay.scenario import suggest
from tapir_replay.scenario.diagnostics import Diagnostic, Span, quoted
from tapir_replay.scenario.schema import MODIFIERS, linked, scenario_schema
from tapir_replay.scenario.values import plain
from tapir_replay.scenario.yaml_tree import PLAIN, YamlTree, lookup, span_of
from tapir_replay.verbs.catalogue import BY_NAME, STEP_VERBS
from tapir_replay.verbs.model import Type, Verb

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


def check(data: Any, tree: YamlTree) -> tuple[list[Diagnostic], set[Part]]:
    """All places where the data is not what the schema wants, and the parts they are in."""
    found: list[Diagnostic] = []
    faulty: set[Part] = set()
    for error in _validator().iter_errors(data):
        say = _SAY.get(str(error.validator), _other)
        spot = _Spot(error, tree)
        faulty.add(tuple(spot.path[:2] if spot.path[:1] in _PHASES else spot.path[:1]))
        found += [
            Diagnostic(
                code=fault.code,
                file=tree.file,
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

    def __init__(self, error: ValidationError, tree: YamlTree) -> None:
        assert tree.root is not None
        self.path = list(error.absolute_path)
        self.text = tree.text
        self.root: yaml.Node = tree.root
        self.schema: Mapping[str, Any] = error.schema if isinstance(error.schema, dict) else {}
        self.wanted: Any = error.validator_value
        self.instance: Any = error.instance
        self.is_key = "propertyNames" in error.absolute_schema_path
        self.key_node, self.node = lookup(self.root, self.path)

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
        """`tap`, `target of tap`, `step 3`, `item 2 of tags`, `a scenario`."""
        inside = self.path[2:] if self.path[:1] in _PHASES else self.path
        if not inside:
            if self.is_step:
                return f"step {int(self.path[1]) + 1}"
            return str(self.path[0]) if self.path else "a scenario"
        *above, last = inside
        parent = next((part for part in reversed(above) if isinstance(part, str)), None)
        if isinstance(last, int):
            return f"item {last + 1} of {parent}"
        if parent == "save":
            return f"{quoted(last)} of {parent}"
        return last if parent is None else f"{last} of {parent}"

    @property
    def is_step(self) -> bool:
        return len(self.path) == 2 and self.path[:1] in _PHASES and isinstance(self.path[1], int)

    @property
    def verb(self) -> Verb | None:
        """The verb whose parameters stand here."""
        inside = len(self.path) == 3 and self.path[:1] in _PHASES
        return STEP_VERBS.get(str(self.path[2])) if inside else None

    @property
    def checks_app(self) -> bool:
        """Whether the step here has no verb but `expect`."""
        _, step = lookup(self.root, self.path[:2])
        keys = {key.value for key, _ in step.value}
        return keys <= {"expect", *MODIFIERS}

    @property
    def is_comment(self) -> bool:
        """Whether nothing stands here but a comment."""
        rest = self.text[self.key_node.end_mark.index :] if self.key_node is not None else ""
        return re.match(r":[ \t]+#", rest) is not None

    @property
    def is_plain(self) -> bool:
        return self.node.tag == PLAIN


_Say = Callable[[ValidationError, _Spot], Iterable[_Fault]]


def _unknown_keys(_: ValidationError, spot: _Spot) -> Iterator[_Fault]:
    known = list(spot.schema["properties"])
    for key in spot.instance:
        if key in known:
            continue
        if spot.is_step:
            yield _unknown_verb(key, spot)
        else:
            hint = _belongs_elsewhere(key, spot) or _space_after_colon(key, known)
            yield _Fault(
                "unknown-key",
                f"{spot.name} has no {quoted(key)}",
                hint or suggest.hint(key, known, noun="it has"),
                spot.span_of_key(key),
            )


def _unknown_verb(key: str, spot: _Spot) -> _Fault:
    known = [*STEP_VERBS, *MODIFIERS]
    above = next(
        (
            verb
            for name, value in spot.instance.items()
            if value is None and (verb := STEP_VERBS.get(name)) and verb.param(key)
        ),
        None,
    )
    if above is not None:
        message = f"{quoted(key)} is no verb or modifier"
        hint = f'it belongs to "{above.name}": indent it more'
    else:
        message = f"there is no verb or modifier {quoted(key)}"
        hint = _space_after_colon(key, known) or _verb_hint(key, known)
    return _Fault("unknown-verb", message, hint, spot.span_of_key(key))


def _verb_hint(word: str, known: Iterable[str]) -> str:
    if word in BY_NAME and word not in STEP_VERBS:
        return f'"{word}" cannot be a step of a scenario'
    guess = suggest.nearest(word, known)
    if guess is None:
        return "verbs are tap, fill, expect, ...: tapir-replay schema verbs tells all"
    return f'did you mean "{guess}"?'


def _space_after_colon(key: str, known: Collection[str]) -> str:
    name, colon, value = key.partition(":")
    return f'a space is missing: "{name}: {value}"' if colon and value and name in known else ""


_PREDICATES = ("key", "label", "text", "contains", "matches", "role", "value", "within", "nth")


def _belongs_elsewhere(key: str, spot: _Spot) -> str:
    """Keys that are right, one level off."""
    verb = spot.verb
    if verb is not None and (key in MODIFIERS or key == "expect"):
        return f'"{key}" stands beside "{verb.name}", not below it: check the indentation'
    holder = _holder_of_target(spot)
    return f"write {holder}: {{{key}: ...}}" if holder and key in _PREDICATES else ""


def _holder_of_target(spot: _Spot) -> str | None:
    """The key here below which a widget is named."""
    if spot.verb is not None:
        return next((each.name for each in spot.verb.params if each.type is Type.TARGET), None)
    return "of" if "of" in spot.schema.get("properties", ()) else None


def _required(error: ValidationError, spot: _Spot) -> Iterator[_Fault]:
    # Each missing key is an error of its own, named in the message only.
    missing = next(key for key in spot.wanted if f"'{key}'" in error.message)
    unknown = [key for key in spot.instance if key not in spot.schema["properties"]]
    for key in unknown:
        if missing == suggest.nearest(key.partition(":")[0], spot.schema["properties"]):
            return  # that it is misspelt is told already
        if missing == _holder_of_target(spot) and key in _PREDICATES:
            return
    yield _Fault(
        "missing-key", f'{spot.name} needs "{missing}"', span=_heading(spot), hint=_example(spot)
    )


def _heading(spot: _Spot) -> Span | None:
    return span_of(spot.key_node) if spot.key_node is not None else span_of(spot.node)


def _example(spot: _Spot) -> str:
    if spot.verb is not None:
        beside = spot.verb.name == "expect" and not spot.checks_app
        return "" if beside else _example_of(spot.verb)
    if "of" in spot.schema.get("properties", ()):
        return f"{spot.path[-1]}: {{of: ..., is: ...}}"
    return ""


def _example_of(verb: Verb) -> str:
    if verb.name == "expect":
        return "expect: {visible: ...}"
    needed = [param.name for param in verb.params if param.required] or list(verb.any_of[:1])
    if not needed:
        return ""
    return f"{verb.name}: {{{', '.join(f'{name}: ...' for name in needed)}}}"


def _type(_: ValidationError, spot: _Spot) -> Iterator[_Fault]:
    kinds = [spot.wanted] if isinstance(spot.wanted, str) else list(spot.wanted)
    if spot.is_step:
        yield _no_step(spot)
        return
    expected = spot.schema.get("patternErrorMessage")
    if expected is None or "object" in kinds:
        expected = " or ".join(_KINDS[kind] for kind in kinds if kind != "null")
    yield _Fault(
        "wrong-type",
        f"{spot.name}: expected {expected}, found {_found(spot.instance)}",
        _type_hint(spot, kinds),
    )


def _no_step(spot: _Spot) -> _Fault:
    if spot.instance is None:
        return _Fault("empty", f"{spot.name} is empty", 'write a verb after "- ", or remove it')
    return _Fault(
        "wrong-type",
        f"{spot.name}: expected a verb, found {_found(spot.instance)}",
        'one "- " starts one step',
    )


_KINDS = {
    "object": "a map",
    "array": "a list",
    "string": "a text",
    "boolean": "true or false",
    "integer": "a whole number",
    "number": "a number",
}


def _type_hint(spot: _Spot, kinds: list[str]) -> str:
    if spot.instance is None and spot.is_comment:
        return "a text that starts with # needs quotes"
    if hint := _example(spot):
        return hint
    if spot.instance is None:
        free = "string" in kinds and not {"pattern", "minLength", "enum"} & set(spot.schema)
        return 'for an empty text write ""' if free else ""
    if kinds == ["array"]:
        return _list_hint(spot)
    if kinds == ["object"] and isinstance(spot.instance, list):
        return 'write the entries without "- "'
    return ""


def _list_hint(spot: _Spot) -> str:
    if spot.path == ["secrets"]:
        return "list the names only; the values come from the environment"
    if isinstance(spot.instance, dict):
        if any(key.startswith("-") for key in spot.instance):
            return 'a space is missing after "-"'
        return 'start every item with "- "'
    short = isinstance(spot.instance, str) and len(spot.instance) < 40
    return f"write [{spot.instance}]" if short and spot.path not in _PHASES else ""


def _found(value: Any) -> str:
    if value is None:
        return "nothing"
    if isinstance(value, dict):
        return "a map"
    if isinstance(value, list):
        return "a list"
    if isinstance(value, bool):
        return "true" if value else "false"
    return quoted(value) if isinstance(value, str) else str(value)


def _enum(_: ValidationError, spot: _Spot) -> Iterator[_Fault]:
    if isinstance(spot.instance, str):  # else the type is reported already
        yield _Fault(
            "unknown-value",
            f"{spot.name} cannot be {quoted(spot.instance)}",
            suggest.hint(spot.instance, spot.wanted, noun="one of"),
        )


def _pattern(_: ValidationError, spot: _Spot) -> Iterator[_Fault]:
    expected = spot.schema.get("patternErrorMessage", "another form")
    if spot.is_step and not spot.is_key:
        yield _bare_step(spot.instance)
        return
    yield _Fault(
        "wrong-form",
        f"{spot.name}: expected {expected}, found {quoted(spot.instance)}",
        _form_hint(spot, expected),
        spot.span_of_key(spot.instance) if spot.is_key else None,
    )


def _bare_step(word: str) -> _Fault:
    verb = STEP_VERBS.get(word)
    if verb is not None:
        needed = [param.name for param in verb.params if param.required]
        what = " and ".join(needed) or " or ".join(verb.any_of) or "conditions"
        return _Fault("missing-key", f"{word} needs {what}", _example_of(verb))
    first, _, rest = word.partition(" ")
    hint = _space_after_colon(word, STEP_VERBS)
    if not hint and rest and first in STEP_VERBS:
        hint = f'a colon is missing: "{first}: {rest}"'
    return _Fault(
        "unknown-verb", f"there is no verb {quoted(word)}", hint or _verb_hint(word, STEP_VERBS)
    )


def _form_hint(spot: _Spot, expected: str) -> str:
    text = str(spot.instance).strip()
    if expected == "true or false":
        word = _BOOLS.get(text.lower(), "")
        return f"write {word}, without quotes" if word else ""
    if expected.endswith(" number"):
        number = not spot.is_plain and isinstance(plain(text), int | float)
        return "remove the quotes" if number else ""
    if expected.startswith("a duration"):
        return _duration_hint(text)
    if expected.startswith("a name"):
        name = re.sub(r"[^A-Za-z0-9_]+", "_", text).strip("_")
        return f'such as "{name}"' if re.match("[A-Za-z]", name) else ""
    if expected.startswith("a relative file name"):
        return _file_hint(text)
    return "such as {visible: ...}" if expected.startswith("conditions") else ""


_BOOLS = {
    **dict.fromkeys(("yes", "on", "y", "1", "true"), "true"),
    **dict.fromkeys(("no", "off", "n", "0", "false"), "false"),
}
_UNITS = {"h": "m", "hour": "m", "hr": "m", "min": "m", "minute": "m", "s": "s", "sec": "s"}
_UNITS |= {"second": "s", "milli": "ms", "millisecond": "ms", "msec": "ms"}


def _duration_hint(text: str) -> str:
    parts = re.fullmatch(r"([0-9]+(?:\.[0-9]+)?) *([a-z]*?)s?", text.lower())
    if parts is None:
        return ""
    number, unit = parts.groups()
    if not unit:
        return f"write {number}s or {number}ms"
    if unit.startswith("h") and unit in _UNITS:
        return f"write {float(number) * 60:g}m"
    return f"write {number}{_UNITS[unit]}" if unit in _UNITS else "units are ms, s and m"


def _file_hint(text: str) -> str:
    if "\\" in text:
        return "folders are separated by /"
    if ".." in text or text.startswith("/") or text[1:2] == ":":
        return "files are kept in the folder of this scenario's artifacts"
    return ""


def _too_few(error: ValidationError, spot: _Spot) -> Iterator[_Fault]:
    what = {"minItems": "list", "minLength": "text", "minProperties": "map"}
    kind = what[str(error.validator)]
    message = f"{spot.name} is empty" if spot.is_step else f"{spot.name} cannot be an empty {kind}"
    yield _Fault("empty", message, _example(spot))


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
