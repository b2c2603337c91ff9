"""Rows of a CSV, JSON or YAML file: a table of small functions with one signature."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from tapir_replay.files import why_refused
from tapir_replay.scenario.values import as_text, construct, plain
from tapir_replay.scenario.yaml_tree import parse

Rows = list[tuple[str, Any]]
"""Where each row stands, as people are told, and what it holds."""


class RowsFault(Exception):
    """The file holds no rows. The text is for people."""

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.hint = hint


def read_rows(path: Path, named: str) -> Rows:
    """The rows of a file, by its ending.

    Args:
        path: The file.
        named: How messages call it.

    Raises:
        RowsFault: It is not there, or cannot be read.
    """
    reader = _READERS.get(path.suffix.lower())
    if reader is None:
        raise RowsFault(f"{named}: expected a file that ends with .csv, .json or .yaml")
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        raise RowsFault(f"there is no file {named}", "it is looked for beside this one") from None
    except (OSError, ValueError) as error:
        raise RowsFault(f"{named} cannot be read: {why_refused(error)}") from None
    rows = reader(data, named)
    if not rows:
        raise RowsFault(f"{named} holds no case")
    return rows


def _csv(data: bytes, named: str) -> Rows:
    reader = csv.reader(io.StringIO(_decoded(data, named), newline=""), strict=True)
    try:
        lines = [(reader.line_num, cells) for cells in reader if cells]
    except csv.Error as error:
        raise RowsFault(f"{named}:{reader.line_num} is not CSV: {error}") from None
    if not lines:
        return []
    (_, header), *rest = lines
    names = [name.strip() for name in header]
    _check_header(names, named)
    for line, cells in rest:
        if len(cells) != len(names):
            raise RowsFault(
                f"{named}:{line}: {len(cells)} cells, but the first line names {len(names)}",
                "a cell that holds a comma needs quotes",
            )
    return [
        (f"{named}:{line}", dict(zip(names, map(_cell, cells), strict=True)))
        for line, cells in rest
    ]


def _check_header(names: list[str], named: str) -> None:
    for index, name in enumerate(names):
        if name in names[:index]:
            raise RowsFault(f'{named}:1: the column "{name}" is there twice')
        if ";" in name:
            raise RowsFault(f"{named}:1: cells are separated by commas, not by semicolons")
        if not name:
            raise RowsFault(f"{named}:1: column {index + 1} has no name")


def _cell(text: str) -> Any:
    """A number or a truth value where that loses nothing of what is written, as in YAML."""
    value = plain(text)
    return value if value is not None and as_text(value) == text else text


def _json(data: bytes, named: str) -> Rows:
    try:
        rows = json.loads(_decoded(data, named))
    except json.JSONDecodeError as error:
        raise RowsFault(f"{named}:{error.lineno} is not JSON: {error.msg.lower()}") from None
    except (ValueError, RecursionError):
        raise RowsFault(f"{named} is nested too deep, or holds a number that is too long") from None
    return _listed(rows, named)


def _yaml(data: bytes, named: str) -> Rows:
    tree = parse(data, named)
    for fault in tree.diagnostics:
        if fault.code == "empty-file":
            return []
        line = f":{fault.span.line}" if fault.span else ""
        raise RowsFault(f"{named}{line}: {fault.message}", fault.hint)
    if tree.root is None:
        return []
    rows = _listed(construct(tree.root), named)
    lines = [node.start_mark.line + 1 for node in tree.root.value]
    return [(f"{named}:{line}", row) for line, (_, row) in zip(lines, rows, strict=True)]


def _listed(rows: Any, named: str) -> Rows:
    if not isinstance(rows, list):
        raise RowsFault(f"{named}: expected a list of cases", "each a map of variables")
    return [(f"{named}: case {number}", row) for number, row in enumerate(rows, start=1)]


def _decoded(data: bytes, named: str) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise RowsFault(f"{named}:{line} is not UTF-8", "save it as UTF-8") from None


_READERS: dict[str, Callable[[bytes, str], Rows]] = {
    ".csv": _csv,
    ".json": _json,
    ".yaml": _yaml,
    ".yml": _yaml,
}


def names_of(rows: Iterable[Any]) -> list[str]:
    """The variables of all rows, in the order they come up."""
    return list(dict.fromkeys(name for row in rows for name in row))
