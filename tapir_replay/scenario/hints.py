"""What to do about a schema error, where that can be told."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable

from tapir_replay.scenario import suggest
from tapir_replay.scenario.model import PREDICATES
from tapir_replay.scenario.schema import MODIFIERS
from tapir_replay.scenario.spot import Spot
from tapir_replay.scenario.values import plain
from tapir_replay.verbs.catalogue import BY_NAME, STEP_VERBS
from tapir_replay.verbs.model import Type, Verb


def of_verb(word: str, known: Iterable[str]) -> str:
    """For a word that is no verb."""
    if word in BY_NAME and word not in STEP_VERBS:
        return f'"{word}" cannot be a step of a scenario'
    guess = suggest.nearest(word, known)
    if guess is None:
        return "verbs are tap, fill, expect, ...: tapir-replay schema verbs tells all"
    return f'did you mean "{guess}"?'


def missing_space(key: str, known: Collection[str]) -> str:
    """For `tap:Sign in`."""
    name, colon, value = key.partition(":")
    return f'a space is missing: "{name}: {value}"' if colon and value and name in known else ""


_OF_TARGETS = (*PREDICATES, "within", "nth")


def one_level_off(key: str, spot: Spot) -> str:
    """Keys that are right, one level off."""
    verb = spot.verb
    if verb is not None and (key in MODIFIERS or key == "expect"):
        return f'"{key}" stands beside "{verb.name}", not below it: check the indentation'
    meant = predicate_meant(key, spot)
    if meant is None:
        return ""
    written = f"{holder_of_target(spot)}: {{{meant}: ...}}"
    return f"write {written}" if meant == key else f"did you mean {written}?"


def predicate_meant(key: str, spot: Spot) -> str | None:
    """The predicate of a target that stands here, if need be misspelt, where the target belongs."""
    if holder_of_target(spot) is None:
        return None
    known = spot.schema["properties"]
    predicates = [each for each in _OF_TARGETS if each not in known]
    guess = suggest.nearest(key, [*known, *predicates])
    return guess if guess in predicates else None


def holder_of_target(spot: Spot) -> str | None:
    """The key here below which a widget is named."""
    if spot.verb is not None:
        return next((each.name for each in spot.verb.params if each.type is Type.TARGET), None)
    return "of" if "of" in spot.schema.get("properties", ()) else None


def example(spot: Spot) -> str:
    """How what stands here is written."""
    if spot.verb is not None:
        beside = spot.verb.name == "expect" and not spot.checks_app
        return "" if beside else example_of(spot.verb)
    required = spot.schema.get("required", ())
    written = next((_WRITTEN[name] for name in required if name in _WRITTEN), "")
    return written.format(spot.path[-1]) if written else ""


_WRITTEN = {
    "of": "{}: {{of: ..., is: ...}}",
    "file": "{}: {{file: ...}}",
    "vars": "- vars: {{name: value}}",
    "reason": "- {{contains: ..., reason: ...}}",
}
"""How a map is written, by what it needs."""


def example_of(verb: Verb) -> str:
    """How a verb is written."""
    if verb.name == "expect":
        return "expect: {visible: ...}"
    needed = [*(param.name for param in verb.params if param.required), *verb.any_of[:1]]
    if not needed:
        return ""
    return f"{verb.name}: {{{', '.join(f'{name}: ...' for name in needed)}}}"


def of_type(spot: Spot, kinds: list[str]) -> str:
    """For a value of another type."""
    if spot.instance is None and spot.is_comment:
        return "a text that starts with # needs quotes"
    if hint := example(spot) or _of_values(spot):
        return hint
    if (
        spot.path[:1] == ["params"]
        and len(spot.path) == 2
        and not isinstance(spot.instance, list | None)
    ):
        return f"write {{default: {spot.instance}}}"
    if spot.instance is None:
        free = "string" in kinds and not {"pattern", "minLength", "enum"} & set(spot.schema)
        return 'for an empty text write ""' if free else ""
    if kinds == ["array"]:
        return _list_hint(spot)
    if kinds == ["object"] and isinstance(spot.instance, list):
        return 'write the entries without "- "'
    return ""


def _of_values(spot: Spot) -> str:
    """For what is kept under a name, and what is given back under one."""
    values = spot.instance if isinstance(spot.instance, list) else [spot.instance]
    name = values[0] if values and isinstance(values[0], str) else "name"
    if spot.path == ["returns"]:
        return f'write {{{name}: "{{{{ {name} }}}}"}}' if name.isidentifier() else ""
    if spot.path[-1:] == ["save"]:
        return f"write {{name: {name}}}"
    return ""


def _list_hint(spot: Spot) -> str:
    if spot.path == ["secrets"]:
        return "list the names only; the values come from the environment"
    if isinstance(spot.instance, dict):
        if any(key.startswith("-") for key in spot.instance):
            return 'a space is missing after "-"'
        return 'start every item with "- "'
    text = spot.instance if isinstance(spot.instance, str) else "\n"
    short = len(text) < 40 and text.isprintable()
    return f"write [{spot.instance}]" if short and not spot.holds_steps else ""


def of_form(spot: Spot, expected: str) -> str:
    """For a text that does not fit."""
    text = str(spot.instance).strip()
    if expected == "true or false":
        word = _BOOLS.get(text.lower(), "")
        return f"write {word}, without quotes" if word else ""
    if expected.endswith(" number"):
        number = not spot.is_plain and isinstance(plain(text), int | float)
        return "remove the quotes" if number else ""
    if expected.startswith("a duration"):
        return _duration_hint(text)
    if expected.startswith("a percentage"):
        return f"write {text}%" if isinstance(plain(text), int | float) else ""
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
