"""The JSON Schema of a scenario file, made from the catalogue of verbs.

The shape is chosen for people: where a short and a long form exist (`tap: Sign in`), one schema
with several types stands for both instead of a choice of schemas, since keywords for maps do not
bind texts and the other way round. A mistake then has one message, at its place, here and in
editors; and a step is checked by looking its verb up, not by trying all.

`patternErrorMessage` is what editors show for a text that does not fit, and what we say ourselves.
"""

from __future__ import annotations

from typing import Any

from tapir_replay.scenario.schema_app import (
    TEMPLATE,
    Schema,
    check,
    conditions,
    exception_policy,
    list_or_one,
    log_line,
    log_of_a_step,
    or_template,
    target,
)
from tapir_replay.verbs.catalogue import STEP_VERBS
from tapir_replay.verbs.model import Param, Type, Verb

ID = "https://raw.githubusercontent.com/tapir-replay/tapir-replay/main/schemas/scenario.schema.json"
TITLE = "tapir-replay scenario"

_NAME = r"^[A-Za-z_][A-Za-z0-9_]*$"
_DURATION = r"^\s*[0-9]+(\.[0-9]+)?\s*(ms|s|m)\s*$|\{\{[\s\S]*\}\}"

MODIFIERS: dict[str, Schema] = {
    "name": {"type": "string", "minLength": 1, "description": "Shown in every report."},
    "when": {
        "$ref": "#/$defs/condition",
        "description": "Do the step only if this holds now. What cannot be told is an error.",
    },
    "save": {
        "type": "object",
        "minProperties": 1,
        "propertyNames": {"$ref": "#/$defs/name"},
        "additionalProperties": {"type": "string", "minLength": 1},
        "description": "Keep parts of the answer, or of what a fragment returns: variable: path "
        "(`effect.value`).",
    },
    "timeout": {
        "$ref": "#/$defs/duration",
        "description": "How long to look for the target and until it can be acted on.",
    },
    "soft": {"$ref": "#/$defs/flag", "description": "Go on after a failure; still end as failed."},
    "optional": {"$ref": "#/$defs/flag", "description": "Count a failure as skipped."},
    "secret": {"$ref": "#/$defs/flag", "description": "Mask this step's values everywhere."},
    "with": {
        "type": "object",
        "propertyNames": {"$ref": "#/$defs/name"},
        "description": "Values for the params of what `use` names.",
    },
    "forbid_log": {
        "$ref": "#/$defs/lines",
        "description": "The app must not write such a line while the step is done.",
    },
    "budget": {
        "$ref": "#/$defs/duration",
        "description": "A step that takes longer fails, even if all else is right.",
    },
}

BESIDE = ("expect", "log")
"""Verbs that mean something else beside another verb."""


def scenario_schema() -> Schema:
    """The schema as published: JSON Schema 2020-12, parts named in `$defs`."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": ID,
        "title": TITLE,
        "type": "object",
        "additionalProperties": False,
        "required": ["steps"],
        "properties": {
            "$schema": {"type": "string", "description": "For editors; not used."},
            "name": {"type": "string", "minLength": 1, "description": "What the scenario shows."},
            "description": {"type": "string", "description": "More about it."},
            "tags": {
                "type": "array",
                "items": {
                    "type": "string",
                    "pattern": "^[A-Za-z0-9_][A-Za-z0-9_.-]*$",
                    "patternErrorMessage": "a tag of letters, digits, _, - and .",
                },
                "description": "To choose scenarios by.",
            },
            "app": {
                "type": "string",
                "minLength": 1,
                "description": "`demo`, or the address of a VM Service. Left out: --uri.",
            },
            "vars": {
                "type": "object",
                "propertyNames": {"$ref": "#/$defs/name"},
                "description": "Values for `{{ name }}`.",
            },
            "secrets": {
                "type": "array",
                "items": {"$ref": "#/$defs/name"},
                "description": "Read from the environment or an env file; masked everywhere.",
            },
            "timeout": {
                "$ref": "#/$defs/duration",
                "description": "For every step that has none of its own; 5s when left out.",
            },
            "budget": {
                "$ref": "#/$defs/duration",
                "description": "Setup and steps together must not take longer.",
            },
            "exceptions": exception_policy(),
            "setup": {"$ref": "#/$defs/steps", "description": "Done first."},
            "steps": {"$ref": "#/$defs/block", "description": "The scenario."},
            "on_failure": {"$ref": "#/$defs/steps", "description": "Done after a failure."},
            "teardown": {"$ref": "#/$defs/steps", "description": "Done in any case."},
            "cases": {
                "type": ["array", "object"],
                "minItems": 1,
                "items": {
                    "type": "object",
                    "additionalProperties": False,
                    "required": ["vars"],
                    "properties": {
                        "name": {"type": "string", "minLength": 1, "description": "Its name."},
                        "vars": {
                            "type": "object",
                            "minProperties": 1,
                            "propertyNames": {"$ref": "#/$defs/name"},
                            "description": "Its variables.",
                        },
                    },
                },
                "additionalProperties": False,
                "required": ["file"],
                "properties": {
                    "file": {
                        "type": "string",
                        "minLength": 1,
                        "description": "A .csv, .json or .yaml file, as seen from this one.",
                    }
                },
                "description": "The scenario is played once for each.",
            },
            "kind": {
                "type": "string",
                "enum": ["scenario", "fragment"],
                "description": "A fragment is not played by itself: other files `use` it.",
            },
            "params": {
                "type": "object",
                "propertyNames": {"$ref": "#/$defs/name"},
                "additionalProperties": {"$ref": "#/$defs/param"},
                "description": "What a fragment is given: name: {default: ..., secret: true}.",
            },
            "returns": {
                "type": "object",
                "minProperties": 1,
                "propertyNames": {"$ref": "#/$defs/name"},
                "description": "What a fragment gives back, for `save` beside `use`.",
            },
        },
        "$defs": _definitions(),
    }


def linked(schema: Schema) -> Schema:
    """The schema with every `$ref` replaced by the very object it names.

    The result may hold itself (a target within a target), which a validator does not mind; it is
    about twice as fast as following references.
    """
    definitions: dict[str, Schema] = {
        name: dict(each) for name, each in schema.get("$defs", {}).items()
    }

    def link(node: Any) -> Any:
        if isinstance(node, list):
            return [link(each) for each in node]
        if not isinstance(node, dict):
            return node
        rest = {key: link(value) for key, value in node.items() if key != "$ref"}
        if "$ref" not in node:
            return rest
        part = definitions[node["$ref"].removeprefix("#/$defs/")]
        named = {key for key in rest if key not in ("description", "title")}
        return {**part, **rest} if named else part

    for definition in definitions.values():
        for key, value in list(definition.items()):
            definition[key] = link(value)
    return {
        key: link(value) for key, value in schema.items() if key not in ("$defs", "$schema", "$id")
    }


def _definitions() -> dict[str, Schema]:
    return {
        "name": {
            "type": "string",
            "pattern": _NAME,
            "patternErrorMessage": "a name of letters, digits and _",
        },
        "flag": or_template("boolean", "true or false"),
        "duration": _duration(),
        "target": target(),
        "targets": list_or_one(target()),
        "check": list_or_one(check()),
        "lines": list_or_one(log_line()),
        "condition": {
            **conditions(),
            "type": ["object", "string"],
            "pattern": TEMPLATE,
            "patternErrorMessage": "conditions, or one {{ expression }}",
        },
        "conditions": conditions(),
        "response": {
            "type": "object",
            "minProperties": 1,
            "description": "Paths of the answer, nested or dotted, each with a value or a matcher.",
        },
        "step": _step(),
        "steps": {"type": "array", "items": {"$ref": "#/$defs/step"}},
        "block": {"type": "array", "minItems": 1, "items": {"$ref": "#/$defs/step"}},
        "param": {
            "type": ["object", "null"],
            "additionalProperties": False,
            "properties": {
                "default": {"description": "Its value when none is given."},
                "secret": {"type": "boolean", "description": "Mask it everywhere."},
                "description": {"type": "string", "description": "What it is for."},
            },
        },
    }


def _duration() -> Schema:
    return {
        "type": "string",
        "pattern": _DURATION,
        "patternErrorMessage": "a duration such as 5s or 300ms",
    }


def _step() -> Schema:
    bare = [name for name, verb in STEP_VERBS.items() if _stands_alone(verb)]
    return {
        "type": ["object", "string"],
        "pattern": f"^({'|'.join(bare)})$",
        "patternErrorMessage": "a step: a map with one verb, or a verb that needs nothing",
        "minProperties": 1,
        "additionalProperties": False,
        "properties": {
            **{name: _verb(verb) for name, verb in STEP_VERBS.items() if name not in BESIDE},
            "expect": {"type": "object", "description": STEP_VERBS["expect"].summary},
            "log": log_of_a_step(),
            **MODIFIERS,
        },
        # `expect` alone checks the app; beside a verb it checks that verb's answer.
        "if": {"propertyNames": {"enum": [*BESIDE, *MODIFIERS]}},
        "then": {"properties": {"expect": {"$ref": "#/$defs/conditions"}}},
        "else": {"properties": {"expect": {"$ref": "#/$defs/response"}}},
    }


def _stands_alone(verb: Verb) -> bool:
    if verb.name == "expect" or verb.open:
        return False
    return not verb.any_of and not any(param.required for param in verb.params)


def _verb(verb: Verb) -> Schema:
    short = verb.param(verb.short) if verb.short else None
    types = ["object"]
    if short is not None:
        types.append("string")
    if _stands_alone(verb):
        types.append("null")
    schema: Schema = {
        "type": types if len(types) > 1 else "object",
        "description": verb.summary,
        "additionalProperties": False,
        "properties": {param.name: _param(param) for param in verb.params},
    }
    if verb.open:
        schema |= {
            "additionalProperties": True,
            "propertyNames": {"$ref": "#/$defs/name"},
            "minProperties": 1,
        }
    if required := [param.name for param in verb.params if param.required]:
        schema["required"] = required
    elif verb.any_of:
        schema["minProperties"] = 1
    if short is not None:
        of_short = _duration() if short.type is Type.DURATION else _param(short)
        schema |= {
            key: of_short[key]
            for key in ("pattern", "patternErrorMessage", "minLength")
            if key in of_short
        }
        if short.type is Type.TARGET:
            schema["minLength"] = 1
    return schema


def _param(param: Param) -> Schema:
    schema = _of_type(param)
    schema["description"] = param.doc
    if param.default is not None:
        schema["default"] = param.default
    return schema


def _of_type(param: Param) -> Schema:
    match param.type:
        case Type.TARGET:
            return {"$ref": "#/$defs/target"}
        case Type.BOOL:
            return or_template("boolean", "true or false")
        case Type.INT:
            return _bounded(or_template("integer", "a whole number"), param)
        case Type.NUMBER:
            return _bounded(or_template("number", "a number"), param)
        case Type.TEXTS:
            return {"type": "array", "items": _choices(param.choices), "minItems": 1}
        case Type.DURATION:
            return {"$ref": "#/$defs/duration"}
        case Type.STEPS:
            return {"$ref": "#/$defs/block"}
        case Type.CONDITION:
            return {"$ref": "#/$defs/condition"}
        case Type.NAME:
            return {"$ref": "#/$defs/name"}
        case Type.ANY:
            return {}
        case Type.FILE:
            return {"type": "string", "minLength": 1}
        case Type.PATH:
            return {
                "type": "string",
                "pattern": r'^(?!/)(?!.*\.\.)(?!(.*/)?\.?$)[^\\\x00-\x1f<>:"|?*]+$',
                "patternErrorMessage": "a relative file name without .. or special characters",
            }
        case _:
            return _choices(param.choices)


def _bounded(schema: Schema, param: Param) -> Schema:
    return schema if param.minimum is None else {**schema, "minimum": param.minimum}


def _choices(choices: tuple[str, ...]) -> Schema:
    return {"type": "string", "enum": list(choices)} if choices else {"type": "string"}
