"""What scalars mean: nodes to plain data, led by what the schema wants at each place.

Where a text is wanted, the characters as written are the value, quoted or not. Where a number or a
truth value is wanted, YAML 1.2's core schema reads it. Where anything goes, a plain scalar is a
number only if that loses nothing: `5` and `1.5` are numbers, `007`, `1.50`, `1e3` and `12:30` stay
the text they are.
"""

from __future__ import annotations

import math
import re
from typing import Any

import yaml

from tapir_replay.scenario.yaml_nodes import PLAIN

_NULLS = frozenset(("", "~", "null", "Null", "NULL"))
_BOOLS = {
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
}
_INT = re.compile(r"[-+]?[0-9]{1,300}\Z")
_FLOAT = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]{1,3})?\Z")

_NO_SCHEMA: dict[str, Any] = {}


def construct(node: yaml.Node, schema: dict[str, Any] | None = None) -> Any:
    """The data of an inspected tree: dicts, lists, texts, numbers, truth values and None.

    Args:
        node: The root, or any part, of such a tree.
        schema: What is wanted here, linked (see `schema.linked`). Without one, anything goes.
    """
    wanted = _NO_SCHEMA if schema is None else schema
    if isinstance(node, yaml.ScalarNode):
        return _scalar(node, wanted)
    if isinstance(node, yaml.SequenceNode):
        items = wanted.get("items")
        return [construct(each, items) for each in node.value]
    properties = wanted.get("properties", _NO_SCHEMA)
    others = wanted.get("additionalProperties")
    others = others if isinstance(others, dict) else None
    if "if" in wanted:
        properties = {**properties, **_branch(node, wanted)}
    return {
        key.value: construct(value, properties.get(key.value, others)) for key, value in node.value
    }


def _branch(node: Any, schema: dict[str, Any]) -> dict[str, Any]:
    """The properties of the branch that applies; the one `if` in use looks at the keys only."""
    names = schema["if"]["propertyNames"]["enum"]
    alike = all(key.value in names for key, _ in node.value)
    branch: dict[str, Any] = schema["then" if alike else "else"]["properties"]
    return branch


def plain(text: str) -> Any:
    """What a plain scalar means where anything goes.

    >>> [plain(each) for each in ("5", "-1.5", "true", "~", "007", "1.50", "yes", "12:30")]
    [5, -1.5, True, None, '007', '1.50', 'yes', '12:30']
    """
    if text in _NULLS:
        return None
    if text in _BOOLS:
        return _BOOLS[text]
    if _INT.match(text):
        number = int(text)
        return number if str(number) == text else text
    if _FLOAT.match(text):
        real = float(text)
        return real if repr(real) == text else text
    return text


def as_text(value: Any) -> str:
    """A scalar as it would be written in YAML; the inverse of `plain`."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)


def _scalar(node: yaml.ScalarNode, schema: dict[str, Any]) -> Any:
    text: str = node.value
    if node.tag != PLAIN:
        return text
    kinds = schema.get("type")
    if kinds is None:
        return plain(text)
    if isinstance(kinds, str):
        kinds = (kinds,)
    for kind in kinds:
        value = _read(text, kind)
        if value is not None:
            return value
    if text == "":
        return None
    return text if "string" in kinds else plain(text)


def _read(text: str, kind: str) -> Any:
    """The value if it is of that kind, else None."""
    if kind == "boolean":
        return _BOOLS.get(text)
    if kind == "integer" and _INT.match(text):
        return int(text)
    if kind == "number":
        if _INT.match(text):
            return int(text)
        if _FLOAT.match(text) and math.isfinite(real := float(text)):
            return real
    return None
