"""jsonschema's validator, spared what cannot fail and what it would do again.

The same few schemas are asked at every step of every file. Here each is made ready once, a value
that only has to be of a type is looked at on the spot, and a condition about a key that is not
there is passed over. The errors are the same: a test holds it against the library's own.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, cast

from jsonschema import Draft202012Validator, validators
from jsonschema.exceptions import ValidationError
from jsonschema.protocols import Validator

_Errors = Iterator[ValidationError]

_ONLY_A_TYPE = frozenset({"type", "description", "default", "title", "examples"})

_LIBRARY = Draft202012Validator.VALIDATORS


def validator_for(schema: Mapping[str, Any]) -> Validator:
    """What finds all that is wrong with a document; the schema must not change any more."""
    ready: dict[int, Any] = {}

    def below(
        validator: Any, value: Any, schema: Any, path: str | int, schema_path: str | None = None
    ) -> _Errors:
        """The errors of a value in another one, with the way to it, as `descend` gives them."""
        if _is_of_its_type(validator, schema, value):
            return
        found = ready.get(id(schema))
        if found is None:
            found = ready[id(schema)] = validator.evolve(schema=schema)
        for error in found.iter_errors(value):
            error.relative_path.appendleft(path)
            if schema_path is not None:
                error.relative_schema_path.appendleft(schema_path)
            yield error

    def properties(validator: Any, asked: Any, instance: Any, _schema: Any) -> _Errors:
        if isinstance(instance, dict):
            for name, value in instance.items():
                if name in asked:
                    yield from below(validator, value, asked[name], name, name)

    def items(validator: Any, asked: Any, instance: Any, schema: Any) -> _Errors:
        if "prefixItems" in schema:
            yield from _LIBRARY["items"](validator, asked, instance, schema) or ()
        elif isinstance(instance, list):
            for index, value in enumerate(instance):
                yield from below(validator, value, asked, index)

    keywords = {"properties": properties, "items": items, "if": _if}
    extend = cast("Any", validators).extend
    return cast("Validator", extend(Draft202012Validator, keywords)(schema))


def _is_of_its_type(validator: Any, schema: Any, value: Any) -> bool:
    """Whether the schema asks for a type alone, and the value is of it."""
    if not isinstance(schema, dict) or not schema.keys() <= _ONLY_A_TYPE:
        return False
    wanted = schema.get("type", [])
    kinds = [wanted] if isinstance(wanted, str) else wanted
    return not kinds or any(validator.is_type(value, each) for each in kinds)


def _if(validator: Any, condition: Any, instance: Any, schema: Any) -> _Errors:
    keys = _spoken_of(schema)
    if keys is None or not isinstance(instance, dict) or any(each in instance for each in keys):
        yield from _LIBRARY["if"](validator, condition, instance, schema) or ()


def _spoken_of(schema: Mapping[str, Any]) -> set[str] | None:
    """The only keys that `then` and `else` say something of; None if they say more."""
    keys: set[str] = set()
    for each in (schema.get("then", {}), schema.get("else", {})):
        if not isinstance(each, dict) or each.keys() > {"properties"}:
            return None
        keys |= each.get("properties", {}).keys()
    return keys
