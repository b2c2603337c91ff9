"""Which keywords of JSON Schema a schema makes use of."""

from __future__ import annotations

from typing import Any

_ASSERTING = {
    *("type", "enum", "const", "pattern", "required", "additionalProperties"),
    *("minItems", "maxItems", "minLength", "maxLength", "minProperties", "maxProperties"),
    *("minimum", "maximum", "uniqueItems", "oneOf", "anyOf", "not", "format"),
}


def asserting_keywords(schema: dict[str, Any]) -> set[str]:
    """Those that a document may violate."""
    used: set[str] = set()

    def walk(node: object, *, names: bool = False) -> None:
        if isinstance(node, dict):
            used.update(() if names else set(node) & _ASSERTING)
            for key, value in node.items():
                walk(value, names=not names and key in ("properties", "$defs"))
        elif isinstance(node, list):
            for each in node:
                walk(each)

    walk(schema)
    return used
