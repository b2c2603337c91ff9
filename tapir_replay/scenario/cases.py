"""One scenario, many rows: `cases`, written out or read from a CSV, JSON or YAML file."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from tapir_replay.scenario.diagnostics import quoted
from tapir_replay.scenario.model import Scenario
from tapir_replay.scenario.place import Place
from tapir_replay.scenario.reading import Reader
from tapir_replay.scenario.values import as_text, construct
from tapir_replay.scenario.yaml_tree import parse

_LONGEST_NAME = 60


@dataclass(frozen=True, slots=True)
class Row:
    """One case.

    Attributes:
        name: None where it has none of its own.
        values: Its variables; templates are compiled where the file is a scenario's own.
        place: Where it stands, in the scenario or in the file of the rows.
    """

    name: str | None
    values: Mapping[str, Any]
    place: Place


def read_cases(written: Any, read: Reader, folder: Path) -> tuple[Row, ...]:
    """The rows of a scenario's `cases`; their names are defined for its templates.

    Args:
        written: The checked value of `cases`.
        read: Of the scenario's file; faults are reported there.
        folder: What the rows' file is relative to.
    """
    if isinstance(written, list):
        rows = [
            Row(
                each.get("name"),
                {
                    name: read.any(value, ("cases", index, "vars", name))
                    for name, value in each["vars"].items()
                },
                read.place(("cases", index)),
            )
            for index, each in enumerate(written)
        ]
    else:
        try:
            rows = _read_file(folder / written["file"], written["file"])
        except ValueError as error:
            read.error("cases", str(error), ("cases", "file"))
            return ()
    columns = list(dict.fromkeys(name for row in rows for name in row.values))
    for number, row in enumerate(rows, start=1):
        lacking = [name for name in columns if name not in row.values]
        if lacking:
            at = ("cases", number - 1) if isinstance(written, list) else ("cases", "file")
            message = f"case {number} has no {' and '.join(quoted(name) for name in lacking)}"
            read.error("cases", message, at, "every case needs the same variables")
    for name in columns:
        read.check_name(name, ("cases",))
    read.names.update(columns)
    return tuple(rows)


def expand(scenario: Scenario, rows: Iterable[Row]) -> tuple[Scenario, ...]:
    """One scenario a row, each with a name of its own."""
    taken: dict[str, int] = {}
    expanded = []
    for number, row in enumerate(rows, start=1):
        name = row.name or _name_of(row, number, scenario.secrets)
        taken[name] = taken.get(name, 0) + 1
        if taken[name] > 1:
            name = f"{name} ({taken[name]})"
        expanded.append(
            replace(
                scenario,
                name=f"{scenario.name} [{name}]",
                vars={**scenario.vars, **row.values},
                case=dict(row.values),
                place=row.place if row.place.file == scenario.file else scenario.place,
            )
        )
    return tuple(expanded)


def _name_of(row: Row, number: int, secrets: Collection[str]) -> str:
    """`1: email=ada@example.com, size=M`, as far as it is short; secrets are left out."""
    shown = [
        f"{name}={as_text(value) if not hasattr(value, 'source') else value}"
        for name, value in row.values.items()
        if name not in secrets and isinstance(value, str | int | float | bool)
    ]
    text = ", ".join(shown)
    if len(text) > _LONGEST_NAME:
        text = text[: _LONGEST_NAME - 1] + "…"
    return f"{number}: {text}" if text else f"case {number}"


def _read_file(path: Path, named: str) -> list[Row]:
    try:
        data = path.read_bytes()
    except OSError:
        raise ValueError(f"there is no file {named} beside the scenario") from None
    readers = {".csv": _csv, ".json": _json, ".yaml": _yaml, ".yml": _yaml}
    reader = readers.get(path.suffix.lower())
    if reader is None:
        raise ValueError(f"{named}: expected a .csv, .json or .yaml file")
    rows = []
    for line, values in reader(data, named):
        if not isinstance(values, dict) or not all(isinstance(name, str) for name in values):
            raise ValueError(f"{named}:{line}: a case is a map of variables")
        own = values.get("name") if isinstance(values.get("vars"), dict) else None
        given = values["vars"] if isinstance(values.get("vars"), dict) else values
        rows.append(Row(own, given, Place(file=named, line=line)))
    if not rows:
        raise ValueError(f"{named} holds no case")
    return rows


def _csv(data: bytes, named: str) -> list[tuple[int, Any]]:
    try:
        reader = csv.DictReader(io.StringIO(data.decode("utf-8-sig")), strict=True)
        rows = [(reader.line_num, row) for row in reader]
    except (UnicodeDecodeError, csv.Error) as error:
        raise ValueError(f"{named} cannot be read as CSV: {error}") from None
    for line, row in rows:
        if None in row or None in row.values():
            raise ValueError(f"{named}:{line}: this row has not as many cells as the first line")
    return rows


def _json(data: bytes, named: str) -> list[tuple[int, Any]]:
    try:
        rows = json.loads(data.decode("utf-8-sig"))
    except (UnicodeDecodeError, ValueError, RecursionError) as error:
        raise ValueError(f"{named} cannot be read as JSON: {error}") from None
    if not isinstance(rows, list):
        raise ValueError(f"{named}: expected a list of cases")
    return [(1, row) for row in rows]


def _yaml(data: bytes, named: str) -> list[tuple[int, Any]]:
    tree = parse(data, named)
    fault = next((each for each in tree.diagnostics if each.is_error), None)
    if fault is not None or tree.root is None:
        raise ValueError(str(fault) if fault else f"{named} holds no case")
    rows = construct(tree.root)
    if not isinstance(rows, list):
        raise ValueError(f"{named}: expected a list of cases")
    lines = [node.start_mark.line + 1 for node in tree.root.value]
    return list(zip(lines, rows, strict=True))
