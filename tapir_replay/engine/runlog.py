"""The run log on paper: one JSON object a line, in ASCII, so that any text survives any tool.

A field that has its default value is left out (`version` is always there), so an absent field
means its default. Readers pass over fields and event names that they do not know: that is how the
log may grow without a new version.
"""

from __future__ import annotations

import ast
import dataclasses
import functools
import inspect
import json
import math
import textwrap
import types
import typing
from collections.abc import Callable
from enum import StrEnum
from pathlib import Path
from typing import Any, Self

from tapir_replay.engine.events import EVENTS, Event
from tapir_replay.files import make_folder

_KEY = "event"
"""The field that says which event a line is."""

_ALWAYS_WRITTEN = frozenset({"version"})


class RunLogError(ValueError):
    """A line that is not what a run log may hold; the text says which field, and why."""


def encode(event: Event) -> str:
    """The line of an event, without its line feed."""
    record = {_KEY: event.name, **_packed(event)}
    try:
        return _to_json(record)
    except ValueError:  # a NaN or an infinity, which JSON cannot write: keep it as text
        return _to_json(_spelled_out(record))


def decode(line: str) -> Event | None:
    """The event of a line; None for an event of a later version that this one does not know.

    Raises:
        RunLogError: The line is no JSON object, or a field is missing or of the wrong type.
    """
    try:
        raw = json.loads(line, parse_constant=_no_constant)
    except RecursionError:
        raise RunLogError("nested too deep to be a line of a run log") from None
    except ValueError as error:
        raise RunLogError(f"not a JSON object: {error}") from None
    if not isinstance(raw, dict):
        raise RunLogError(f"should be a JSON object, not {_shown(raw)}")
    name = raw.get(_KEY)
    if not isinstance(name, str):
        raise RunLogError(f'"{_KEY}" should name the event, not be {_shown(name)}')
    kind: Any = EVENTS.get(name)
    if kind is None:
        return None
    event: Event = _object_reader(kind)(raw, name)
    return event


class RunLog:
    """Writes a run's log: a line is in the file when `append` returns.

    The folder is made; an older log of the same name is replaced, since two runs in one file would
    be reported as one.
    """

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        make_folder(self.path.parent)
        self._file = self.path.open("w", encoding="ascii", newline="\n")

    def append(self, event: Event) -> None:
        # One write a line: a killed run loses at most the end of its last one.
        self._file.write(encode(event) + "\n")
        self._file.flush()

    def close(self) -> None:
        self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


# --- writing ------------------------------------------------------------------------------------

_to_json = json.JSONEncoder(
    separators=(",", ":"), allow_nan=False, check_circular=False, default=str
).encode


def _packed(value: Any) -> dict[str, Any]:
    kind: Any = type(value)
    record = {}
    for name, default, pack in _plan(kind):
        item = getattr(value, name)
        if item is default or item == default:
            continue
        record[name] = item if pack is None else pack(item)
    return record


@functools.cache
def _plan(kind: type) -> tuple[tuple[str, Any, Callable[[Any], Any] | None], ...]:
    """Name, default and way of packing of each field; found once, since a log has many lines."""
    hints = _hints(kind)
    return tuple(
        (
            item.name,
            dataclasses.MISSING if item.name in _ALWAYS_WRITTEN else _default(item),
            _packer(hints[item.name]),
        )
        for item in dataclasses.fields(kind)
    )


def _packer(hint: Any) -> Callable[[Any], Any] | None:
    """What turns a field of this type into what JSON knows; None if it already is."""
    bare = _without_none(hint)
    if _is_record(bare):
        return lambda value: None if value is None else _packed(value)
    if typing.get_origin(bare) is tuple and _is_record(typing.get_args(bare)[0]):
        return lambda values: [_packed(value) for value in values]
    return None


def _spelled_out(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _spelled_out(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_spelled_out(item) for item in value]
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    return value


# --- reading ------------------------------------------------------------------------------------

_Reader = Callable[[Any, str], Any]
"""Makes the value of a field from JSON; the text is where it stands, for the error."""


@functools.cache
def _object_reader(kind: Any) -> _Reader:
    hints = _hints(kind)
    fields = [
        (item.name, _default(item) is dataclasses.MISSING, _reader(hints[item.name]))
        for item in dataclasses.fields(kind)
    ]

    def read(raw: Any, where: str) -> Any:
        if not isinstance(raw, dict):
            raise _wrong(where, "an object", raw)
        values = {}
        for name, required, reader in fields:
            if name in raw:
                values[name] = reader(raw[name], f"{where}.{name}")
            elif required:
                raise RunLogError(f"{where} has no {name}")
        return kind(**values)

    return read


def _reader(hint: Any) -> _Reader:
    bare = _without_none(hint)
    inner = _plain_reader(bare)
    if bare is hint:
        return inner
    return lambda raw, where: None if raw is None else inner(raw, where)


def _plain_reader(hint: Any) -> _Reader:
    if _is_record(hint):
        return _object_reader(hint)
    if isinstance(hint, type) and issubclass(hint, StrEnum):
        return _choice_reader(hint)
    origin, arguments = typing.get_origin(hint), typing.get_args(hint)
    if origin is tuple:
        return _list_reader(_reader(arguments[0]))
    if origin is dict:
        return _map_reader(_reader(arguments[1]))
    return _SCALARS[hint]


def _choice_reader(kind: type[StrEnum]) -> _Reader:
    values = {item.value: item for item in kind}

    def read(raw: Any, where: str) -> StrEnum:
        if isinstance(raw, str) and raw in values:
            return values[raw]
        raise _wrong(where, f"one of {', '.join(values)}", raw)

    return read


def _list_reader(item: _Reader) -> _Reader:
    def read(raw: Any, where: str) -> tuple[Any, ...]:
        if not isinstance(raw, list):
            raise _wrong(where, "a list", raw)
        return tuple(item(value, f"{where}[{index}]") for index, value in enumerate(raw))

    return read


def _map_reader(item: _Reader) -> _Reader:
    def read(raw: Any, where: str) -> dict[str, Any]:
        if not isinstance(raw, dict):
            raise _wrong(where, "an object", raw)
        return {key: item(value, f"{where}.{key}") for key, value in raw.items()}

    return read


def _text(raw: Any, where: str) -> str:
    if isinstance(raw, str):
        return raw
    raise _wrong(where, "text", raw)


def _whole(raw: Any, where: str) -> int:
    if isinstance(raw, int) and not isinstance(raw, bool):
        return raw
    raise _wrong(where, "a whole number", raw)


def _number(raw: Any, where: str) -> float:
    if isinstance(raw, int | float) and not isinstance(raw, bool):
        try:
            number = float(raw)
        except OverflowError:
            number = math.inf
        if math.isfinite(number):
            return number
    raise _wrong(where, "a number", raw)


def _truth(raw: Any, where: str) -> bool:
    if isinstance(raw, bool):
        return raw
    raise _wrong(where, "true or false", raw)


def _anything(raw: Any, _where: str) -> Any:
    return raw


_SCALARS: dict[Any, _Reader] = {
    str: _text,
    int: _whole,
    float: _number,
    bool: _truth,
    Any: _anything,
}


def _wrong(where: str, wanted: str, raw: Any) -> RunLogError:
    return RunLogError(f"{where} should be {wanted}, not {_shown(raw)}")


def _shown(raw: Any) -> str:
    text = json.dumps(raw)
    return text if len(text) <= 60 else text[:57] + "..."


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is not JSON")


# --- the schema ---------------------------------------------------------------------------------


def schema() -> dict[str, Any]:
    """The JSON Schema of a line, made from the event classes and what is written beside them."""
    definitions: dict[str, Any] = {}
    for name, kind in EVENTS.items():
        definition = _object_schema(kind, definitions)
        definition["properties"] = {_KEY: {"const": name}, **definition["properties"]}
        definition["required"] = [_KEY, *definition["required"]]
        definitions[name] = definition
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "A line of a run log",
        "description": (
            "run.jsonl holds one such object a line, in the order of what happened. "
            "An absent field has its default value. "
            "Pass over fields and events that you do not know."
        ),
        "type": "object",
        "required": [_KEY],
        "oneOf": [{"$ref": f"#/$defs/{name}"} for name in EVENTS],
        "$defs": dict(sorted(definitions.items())),
    }


def _object_schema(kind: Any, definitions: dict[str, Any]) -> dict[str, Any]:
    hints, docs = _hints(kind), _docs(kind)
    properties, required = {}, []
    for item in dataclasses.fields(kind):
        property_ = _type_schema(hints[item.name], definitions)
        if item.name in docs:
            property_ = {"description": docs[item.name], **property_}
        default = _default(item)
        if default is dataclasses.MISSING:
            required.append(item.name)
        elif default is not None:
            property_["default"] = list(default) if isinstance(default, tuple) else default
        properties[item.name] = property_
    described = {"description": docs[""]} if docs[""] else {}
    return {**described, "type": "object", "properties": properties, "required": required}


def _type_schema(hint: Any, definitions: dict[str, Any]) -> dict[str, Any]:
    bare = _without_none(hint)
    if _is_record(bare) or (isinstance(bare, type) and issubclass(bare, StrEnum)):
        name = bare.__name__
        if name not in definitions:
            definitions[name] = (
                _object_schema(bare, definitions) if _is_record(bare) else _enum_schema(bare)
            )
        return {"$ref": f"#/$defs/{name}"}
    origin, arguments = typing.get_origin(bare), typing.get_args(bare)
    if origin is tuple:
        return {"type": "array", "items": _type_schema(arguments[0], definitions)}
    if origin is dict:
        values = _type_schema(arguments[1], definitions)
        return {"type": "object", **({"additionalProperties": values} if values else {})}
    return dict(_SCALAR_SCHEMAS[bare])


def _enum_schema(kind: Any) -> dict[str, Any]:
    doc = _docs(kind)[""]
    return {
        **({"description": doc} if doc else {}),
        "type": "string",
        "enum": [item.value for item in kind],
    }


_SCALAR_SCHEMAS: dict[Any, dict[str, Any]] = {
    str: {"type": "string"},
    int: {"type": "integer"},
    float: {"type": "number"},
    bool: {"type": "boolean"},
    Any: {},
}


def _docs(kind: type) -> dict[str, str]:
    """What is written beside each field of a class, its bases included; "" is the class's own.

    Python keeps no docstring of an attribute, so they are read from the source.
    """
    docs: dict[str, str] = {}
    for base in reversed(kind.__mro__):
        if dataclasses.is_dataclass(base) or base is kind:
            (node,) = ast.parse(textwrap.dedent(inspect.getsource(base))).body
            assert isinstance(node, ast.ClassDef)
            docs |= _class_docs(node)
    return docs


def _class_docs(node: ast.ClassDef) -> dict[str, str]:
    text, _, attributes = (ast.get_docstring(node) or "").partition("\n\nAttributes:\n")
    docs = {"": _unwrapped(text)}
    for line in inspect.cleandoc(attributes).splitlines():
        name, colon, doc = line.partition(": ")
        if colon and name.isidentifier():
            docs[name] = doc
    for field, after in zip(node.body, node.body[1:], strict=False):
        if (
            isinstance(field, ast.AnnAssign)
            and isinstance(field.target, ast.Name)
            and isinstance(after, ast.Expr)
            and isinstance(after.value, ast.Constant)
            and isinstance(after.value.value, str)
        ):
            docs[field.target.id] = _unwrapped(after.value.value)
    return docs


def _unwrapped(text: str) -> str:
    return " ".join(text.split())


# --- dataclasses --------------------------------------------------------------------------------


@functools.cache
def _hints(kind: type) -> dict[str, Any]:
    return typing.get_type_hints(kind)


def _without_none(hint: Any) -> Any:
    if typing.get_origin(hint) in (typing.Union, types.UnionType):
        (bare,) = (part for part in typing.get_args(hint) if part is not types.NoneType)
        return bare
    return hint


def _is_record(hint: Any) -> bool:
    return dataclasses.is_dataclass(hint)


def _default(item: dataclasses.Field[Any]) -> Any:
    if item.default_factory is not dataclasses.MISSING:
        return item.default_factory()
    return item.default
