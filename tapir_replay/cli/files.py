"""Scenario files of the command line, and what is said of faults in them."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

from tapir_replay.scenario.diagnostics import Diagnostic, render
from tapir_replay.scenario.load import Loaded, load, shown


class UsageError(Exception):
    """The command line is wrong. The text is for people."""


def scenario_files(paths: Sequence[str]) -> list[Path]:
    """The files that are named, and those in the folders that are named, without repeats.

    Raises:
        UsageError: A path is not there, or a folder holds no scenario.
    """
    found: dict[Path, None] = {}
    for each in paths:
        path = Path(each)
        if path.is_dir():
            inside = sorted(
                file
                for file in path.rglob("*")
                if file.suffix in (".yaml", ".yml") and not _other_purpose(file)
            )
            if not inside:
                raise UsageError(f"{shown(path)}: no scenario in this folder (*.yaml)")
            found.update(dict.fromkeys(inside))
        elif path.exists():
            found[path] = None
        else:
            raise UsageError(f"{each}: there is no such file or folder")
    return list(found)


def _other_purpose(file: Path) -> bool:
    hidden = any(part.startswith(".") and part not in (".", "..") for part in file.parts)
    return hidden or file.stem.endswith(".snap") or file.stem == "tapir-replay"


def load_all(files: Iterable[Path], names: Iterable[str] = ()) -> list[Loaded]:
    defined = tuple(names)
    return [load(file, names=defined) for file in files]


def print_diagnostics(loaded: Iterable[Loaded]) -> tuple[int, int]:
    """Print what is wrong, in order; returns the numbers of errors and warnings."""
    errors = warnings = 0
    for each in loaded:
        for diagnostic in each.diagnostics:
            errors += diagnostic.is_error
            warnings += not diagnostic.is_error
            say(render(diagnostic, each.sources.get(diagnostic.file)) + "\n")
    return errors, warnings


def say(text: str) -> None:
    """Print to standard error, whatever its encoding can show."""
    encoding = sys.stderr.encoding or "utf-8"
    sys.stderr.write(text.encode(encoding, "backslashreplace").decode(encoding) + "\n")


def mute() -> None:
    """Throw away what is printed from now on: nobody reads it any more."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)


def counted(number: int, noun: str) -> str:
    """`1 file`, `3 files`."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
