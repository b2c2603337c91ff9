"""One scenario, many rows: `cases`, written out or read from a file beside it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from tapir_replay.scenario.diagnostics import quoted
from tapir_replay.scenario.model import Scenario
from tapir_replay.scenario.place import Place
from tapir_replay.scenario.reading import At, Reader
from tapir_replay.scenario.rows import RowsFault, names_of, read_rows
from tapir_replay.scenario.values import as_text

_LONGEST_NAME = 60
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


@dataclass(frozen=True, slots=True)
class Row:
    """One case.

    Attributes:
        name: None where it has none of its own.
        values: Its variables; templates are compiled where they stand in a scenario's own file,
            and are plain text elsewhere.
        place: Where it stands; None for the rows of a file.
    """

    name: str | None
    values: Mapping[str, Any]
    place: Place | None = None


def read_cases(written: Any, read: Reader, folder: Path) -> tuple[Row, ...]:
    """The rows of a scenario's `cases`; their names are defined for its templates.

    Args:
        written: The checked value of `cases`.
        read: Of the scenario's file; faults are reported there.
        folder: What the rows' file is relative to.
    """
    if isinstance(written, list):
        rows = _written_out(written, read)
    else:
        try:
            rows = _of_file(folder / written["file"], written["file"])
        except RowsFault as fault:
            read.error("cases", str(fault), ("cases", "file"), fault.hint)
            return ()
    columns = names_of(row.values for row in rows)
    for number, row in enumerate(rows, start=1):
        lacking = [name for name in columns if name not in row.values]
        if lacking:
            at: At = ("cases", number - 1) if isinstance(written, list) else ("cases", "file")
            message = f"case {number} has no {' and '.join(quoted(name) for name in lacking)}"
            read.error("cases", message, at, "every case needs the same variables")
    for name in columns:
        here: At = ("cases", "file")
        read.check_name(name, ("cases", 0, "vars", name) if isinstance(written, list) else here)
    read.names.update(columns)
    return tuple(rows)


def _written_out(written: list[Any], read: Reader) -> list[Row]:
    return [
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


def _of_file(path: Path, named: str) -> list[Row]:
    """The rows of a file: maps of variables, or as they are written out in a scenario."""
    rows = []
    for where, row in read_rows(path, named):
        if not isinstance(row, dict) or not row:
            raise RowsFault(f"{where}: expected a map of variables")
        given = row.get("vars")
        own = isinstance(given, dict) and set(row) <= {"name", "vars"}
        values = given if own and given else row
        for name in values:
            if not _NAME.fullmatch(name):
                hint = "a name is made of letters, digits and _"
                raise RowsFault(f"{where}: {quoted(name)} cannot be the name of a variable", hint)
        name = row.get("name")
        rows.append(Row(None if name in (None, "") else as_text(name), values))
    return rows


def expand(scenario: Scenario, rows: Iterable[Row]) -> tuple[Scenario, ...]:
    """One scenario a row, each with a name of its own."""
    taken: set[str] = set()
    expanded = []
    for number, row in enumerate(rows, start=1):
        name = _unique(_name_of(row, number, scenario.secrets), taken)
        taken.add(name)
        expanded.append(
            replace(
                scenario,
                name=f"{scenario.name} [{name}]",
                case=dict(row.values),
                place=row.place or scenario.place,
            )
        )
    return tuple(expanded)


def _name_of(row: Row, number: int, secrets: Iterable[str]) -> str:
    """Its own name, or `1: email=ada@example.com, size=M` as far as it is short.

    Secret columns are left out, and so are their values where they stand in others.
    """
    hidden = {name: as_text(row.values[name]) for name in secrets if name in row.values}
    shown = [
        f"{name}={as_text(value)}"
        for name, value in row.values.items()
        if name not in hidden and isinstance(value, str | int | float | bool)
    ]
    text = row.name if row.name is not None else ", ".join(shown)
    for value in sorted(hidden.values(), key=len, reverse=True):
        text = text.replace(value, "***") if value else text
    text = " ".join(text.split())
    if len(text) > _LONGEST_NAME:
        text = text[: _LONGEST_NAME - 1] + "…"
    if row.name is not None and text:
        return text
    return f"{number}: {text}" if text else f"case {number}"


def _unique(name: str, taken: set[str]) -> str:
    candidate, number = name, 1
    while candidate in taken:
        number += 1
        candidate = f"{name} ({number})"
    return candidate
