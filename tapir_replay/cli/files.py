"""Scenario files of the command line, and what is said of faults in them."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

from tapir_replay.files import exists, is_folder
from tapir_replay.project.globs import MAGIC, GlobError, Globs, is_glob
from tapir_replay.project.model import Project
from tapir_replay.scenario.diagnostics import Diagnostic, quoted, render
from tapir_replay.scenario.load import Library, Loaded, shown


class UsageError(Exception):
    """The command line is wrong. The text is for people."""


def scenario_files(paths: Sequence[str], *, skipped: Iterable[Path] = ()) -> list[Path]:
    """The files that are named, those in folders that are named, and those that globs choose.

    A path that starts with `!` takes files out of those before it.

    Args:
        paths: As on the command line, relative to the current folder.
        skipped: Folders that are not looked into.

    Raises:
        UsageError: A path is not there, or a folder or a glob holds no scenario.
    """
    found: dict[Path, None] = {}
    never = [each.absolute() for each in skipped]
    for number, each in enumerate(paths):
        if each.startswith("!"):
            if number == 0:
                hint = "name what to play before it"
                raise UsageError(f"{each}: it takes files out, and there are none yet; {hint}")
            found = {file: None for file in found if not _takes_out(each, file)}
        else:
            found.update(dict.fromkeys(_files_of(each, never)))
    if not found:
        raise UsageError(f"{' '.join(paths)}: no scenario is left")
    return list(found)


def _files_of(given: str, skipped: Sequence[Path]) -> list[Path]:
    path = Path(given)
    if is_folder(path):
        inside = [Path(os.path.normpath(each)) for each in _glob("**").files(path, skipped=skipped)]
        if not inside:
            raise UsageError(f"{shown(path)}: no scenario in this folder (*.yaml)")
        return inside
    if exists(path):
        return [path]
    if not is_glob(given):
        raise UsageError(f"{given}: there is no such file or folder")
    start = "/" if path.is_absolute() else ""
    chosen = _glob(given.removeprefix(start)).files(Path(start), skipped=skipped)
    if not chosen:
        raise UsageError(f"{given}: no scenario fits this glob")
    return chosen


def _takes_out(given: str, file: Path) -> bool:
    name = given.removeprefix("!")
    if not name:
        raise UsageError(f"{given}: it says nothing of what to take out")
    path, here = Path(name), file.absolute()
    if not MAGIC.search(name):
        return here.is_relative_to(path.absolute())
    seen = here.as_posix() if path.is_absolute() else os.path.relpath(here).replace(os.sep, "/")
    return _glob(name.removeprefix("/")).matches(seen.removeprefix("/"))


def _glob(pattern: str) -> Globs:
    try:
        return Globs([pattern])
    except GlobError as error:
        raise UsageError(f"{error}; {error.hint}" if error.hint else str(error)) from None


def project_files(project: Project) -> list[Path]:
    """The files that the globs of a project choose.

    Raises:
        UsageError: There are no globs, or one of them chooses nothing.
    """
    if not project.scenarios:
        raise UsageError(
            f"which scenarios? name files or folders, or write scenarios: into {project.file}"
        )
    globs = Globs(project.scenarios)
    files = globs.files(project.folder, skipped=[project.artifacts])
    idle = globs.idle(project.folder, files)
    if idle:
        raise UsageError(f"{project.file}: no scenario fits {quoted(idle[0])} of scenarios")
    return files


def load_all(
    files: Iterable[Path], names: Iterable[str] = (), project: Project | None = None
) -> list[Loaded]:
    """Load the files; fragments that several of them use are read once.

    Templates of scenarios may use the names, and all templates what the project defines.

    The garbage collector rests meanwhile: all that is made here is kept, and to look through it
    again and again takes a fifth of the time.
    """
    library = Library(names, (*project.vars, *project.secrets) if project else ())
    was_on = gc.isenabled()
    gc.disable()
    try:
        return [library.load(file) for file in files]
    finally:
        if was_on:
            gc.enable()


def print_diagnostics(loaded: Iterable[Loaded]) -> tuple[int, int]:
    """Print what is wrong, in order and once; returns the numbers of errors and warnings."""
    printed: dict[Diagnostic, None] = {}
    for each in loaded:
        for diagnostic in each.diagnostics:
            if diagnostic not in printed:
                printed[diagnostic] = None
                say(render(diagnostic, each.sources.get(diagnostic.file)) + "\n")
    errors = sum(each.is_error for each in printed)
    return errors, len(printed) - errors


def say(text: str) -> None:
    """Print to standard error."""
    print(text, file=sys.stderr)


def mute() -> None:
    """Throw away what is printed from now on: nobody reads it any more."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)


def counted(number: int, noun: str, several: str | None = None) -> str:
    """`1 file`, `3 files`, `2 addresses`."""
    return f"{number} {noun}" if number == 1 else f"{number} {several or noun + 's'}"
