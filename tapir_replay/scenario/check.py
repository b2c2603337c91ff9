"""JSON Schema errors as diagnostics: one small function a keyword, all with one signature."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from jsonschema.exceptions import ValidationError

from tapir_replay.scenario import hints, suggest
from tapir_replay.scenario.diagnostics import Diagnostic, Span, quoted
from tapir_replay.scenario.document import SCENARIO, Document
from tapir_replay.scenario.schema import MODIFIERS
from tapir_replay.scenario.spot import Spot
from tapir_replay.scenario.yaml_nodes import YamlTree, span_of
from tapir_replay.verbs.catalogue import STEP_VERBS


def runtime_schema() -> dict[str, Any]:
    """The scenario schema, linked for speed."""
    return SCENARIO.schema


Part = tuple[str | int, ...]
"""A part of a document that is right or wrong as a whole: `("vars",)`, `("steps", 3)`."""


def check(
    data: Any, tree: YamlTree, document: Document = SCENARIO
) -> tuple[list[Diagnostic], set[Part]]:
    """All places where the data is not what the schema wants, and the parts they are in."""
    found: list[Diagnostic] = []
    faulty: set[Part] = set()
    for error in document.validator.iter_errors(data):
        say = _SAY.get(str(error.validator), _other)
        spot = Spot(error, tree, document)
        faulty.add(spot.part)
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


_Say = Callable[[ValidationError, Spot], Iterable[_Fault]]


def _unknown_keys(_: ValidationError, spot: Spot) -> Iterator[_Fault]:
    known = list(spot.schema["properties"])
    for key in spot.instance:
        if key in known:
            continue
        if spot.is_step:
            yield _unknown_verb(key, spot)
        else:
            hint = hints.missing_space(key, known) or hints.one_level_off(key, spot)
            yield _Fault(
                "unknown-key",
                f"{spot.name} has no {quoted(key)}",
                hint or suggest.hint(key, known, noun="it has"),
                spot.span_of_key(key),
            )


def _unknown_verb(key: str, spot: Spot) -> _Fault:
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
        hint = hints.missing_space(key, known) or hints.of_verb(key, known)
    return _Fault("unknown-verb", message, hint, spot.span_of_key(key))


def _required(error: ValidationError, spot: Spot) -> Iterator[_Fault]:
    # Each missing key is an error of its own, named in the message only.
    missing = next(key for key in spot.wanted if f"'{key}'" in error.message)
    unknown = [key for key in spot.instance if key not in spot.schema["properties"]]
    for key in unknown:
        if missing == suggest.nearest(key.partition(":")[0], spot.schema["properties"]):
            return  # that it is misspelt is told already
        if missing == hints.holder_of_target(spot) and hints.predicate_meant(key, spot):
            return
    yield _Fault(
        "missing-key",
        f'{spot.name} needs "{missing}"',
        span=_heading(spot),
        hint=hints.example(spot),
    )


def _heading(spot: Spot) -> Span | None:
    return span_of(spot.key_node) if spot.key_node is not None else span_of(spot.node)


def _type(_: ValidationError, spot: Spot) -> Iterator[_Fault]:
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
        hints.of_type(spot, kinds),
    )


def _no_step(spot: Spot) -> _Fault:
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


def _enum(_: ValidationError, spot: Spot) -> Iterator[_Fault]:
    if isinstance(spot.instance, str):  # else the type is reported already
        yield _Fault(
            "unknown-value",
            f"{spot.name} cannot be {quoted(spot.instance)}",
            suggest.hint(spot.instance, spot.wanted, noun="one of"),
        )


def _pattern(_: ValidationError, spot: Spot) -> Iterator[_Fault]:
    expected = spot.schema.get("patternErrorMessage", "another form")
    if spot.is_step and not spot.is_key:
        yield _bare_step(spot.instance)
        return
    yield _Fault(
        "wrong-form",
        f"{spot.name}: expected {expected}, found {quoted(spot.instance)}",
        hints.of_form(spot, expected),
        spot.span_of_key(spot.instance) if spot.is_key else None,
    )


def _bare_step(word: str) -> _Fault:
    verb = STEP_VERBS.get(word)
    if verb is not None:
        needed = [param.name for param in verb.params if param.required]
        what = " and ".join(needed) or " or ".join(verb.any_of) or "conditions"
        return _Fault("missing-key", f"{word} needs {what}", hints.example_of(verb))
    first, _, rest = word.partition(" ")
    hint = hints.missing_space(word, STEP_VERBS)
    if not hint and rest and first in STEP_VERBS:
        hint = f'a colon is missing: "{first}: {rest}"'
    return _Fault(
        "unknown-verb", f"there is no verb {quoted(word)}", hint or hints.of_verb(word, STEP_VERBS)
    )


def _too_few(error: ValidationError, spot: Spot) -> Iterator[_Fault]:
    what = {"minItems": "list", "minLength": "text", "minProperties": "map"}
    kind = what[str(error.validator)]
    message = f"{spot.name} is empty" if spot.is_step else f"{spot.name} cannot be an empty {kind}"
    yield _Fault("empty", message, hints.example(spot))


def _minimum(_: ValidationError, spot: Spot) -> Iterator[_Fault]:
    yield _Fault("too-small", f"{spot.name} must be at least {spot.wanted}, found {spot.instance}")


def _other(error: ValidationError, spot: Spot) -> Iterator[_Fault]:
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
