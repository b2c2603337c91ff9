"""The project of the command line: found, loaded, and what is wrong with it told."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from tapir_replay.cli.files import UsageError, counted, project_files, say, scenario_files
from tapir_replay.files import exists, is_file
from tapir_replay.project.find import NAMES, TwoProjects, find_project
from tapir_replay.project.globs import MAGIC
from tapir_replay.project.load import RESULTS, load_project
from tapir_replay.project.model import Project
from tapir_replay.scenario.diagnostics import Severity, render
from tapir_replay.scenario.load import shown


@dataclass(frozen=True, slots=True)
class Remarks:
    """How many there were about the project file."""

    errors: int = 0
    warnings: int = 0


def project_of(
    paths: Sequence[str], named: str | None, profile: str | None
) -> tuple[Project | None, Remarks]:
    """The project that the paths belong to; faults of its file are printed.

    Args:
        paths: As on the command line; none of them means the current folder.
        named: The value of `--project`.
        profile: The value of `--profile`.

    Raises:
        UsageError: There is no such project, or there are several.
    """
    file = _file(paths, named)
    if file is None:
        if profile is not None:
            raise UsageError(
                f"--profile {profile}: there is no project file (tapir-replay.yaml) upwards from"
                f" {', '.join(map(_start_shown, paths)) or 'here'}"
            )
        return None, Remarks()
    loaded = load_project(file, profile=profile)
    for each in loaded.diagnostics:
        say(render(each, loaded.source) + "\n")
    errors = sum(each.is_error for each in loaded.diagnostics)
    warnings = sum(each.severity is Severity.WARNING for each in loaded.diagnostics)
    return loaded.project, Remarks(errors, warnings)


def files_of(paths: Sequence[str], project: Project | None) -> list[Path]:
    """The scenario files to play: those that are named, else the project's.

    Raises:
        UsageError: There are none.
    """
    if paths:
        results = [project.artifacts] if project else [Path(RESULTS)]
        return scenario_files(paths, skipped=results)
    if project is None:
        raise UsageError(
            "which scenarios? name files or folders; there is no project file (tapir-replay.yaml)"
            " here or above"
        )
    return project_files(project)


def wrong_project(remarks: Remarks) -> str:
    return f"nothing was played: {counted(remarks.errors, 'error')} in the project file"


def without_project(paths: Sequence[str]) -> tuple[list[str], str | None]:
    """The paths but for a project file among them, and that: as if it were given by --project."""
    named = [each for each in paths if Path(each).name in NAMES and is_file(Path(each))]
    return [each for each in paths if each not in named], named[0] if named else None


def _file(paths: Sequence[str], named: str | None) -> Path | None:
    if named is not None:
        if not is_file(Path(named)):
            raise UsageError(f"--project {named}: there is no such file")
        return Path(named)
    starts = [_start(each) for each in paths if not each.startswith("!")]
    try:
        return find_project(starts or [Path()])
    except TwoProjects as error:
        both = " and ".join(shown(each) for each in error.files)
        raise UsageError(
            f"these scenarios belong to several projects: {both}; play one at a time, or give"
            " --project"
        ) from None


def _start(path: str) -> Path:
    """The path, or the folder that a glob starts from."""
    magic = MAGIC.search(path)
    if magic is None or exists(Path(path)):
        return Path(path)
    return Path(re.split(r"[^/]*$", path[: magic.start()])[0] or ".")


def _start_shown(path: str) -> str:
    return shown(_start(path))
