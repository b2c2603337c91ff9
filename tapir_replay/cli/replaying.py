"""Playing a scenario right after it was recorded."""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from tapir_replay.cli.main import main
from tapir_replay.cli.playing import LOG
from tapir_replay.project.load import RESULTS
from tapir_replay.project.model import Project
from tapir_replay.report.results import Results


def replayed(
    path: Path, options: argparse.Namespace, project: Project | None, secrets: Mapping[str, str]
) -> tuple[int, dict[int, str]]:
    """Play the file on the app it was recorded on.

    Args:
        path: The scenario.
        options: Of `record`: which app, which project.
        project: Whose results this goes to.
        secrets: What was typed where nobody is to read it: the file has only the names.

    Returns:
        The exit code, and what went wrong by the number of the step, from 0.
    """
    folder = (project.artifacts if project else Path(RESULTS)) / f"replay-{path.stem}"
    arguments = ["run", str(path), "--output", str(folder)]
    for name in ("uri", "app", "isolate", "cdp_port", "connect_timeout", "project", "profile"):
        value = getattr(options, name)
        if value is not None:
            arguments += [f"--{name.replace('_', '-')}", str(value)]
    if options.allow_evaluate:
        arguments.append("--allow-evaluate")
    for each in options.env_file:
        arguments += ["--env-file", each]
    with _set(secrets):
        code = main(arguments)
    return code, _faults(folder / LOG)


def _faults(log: Path) -> dict[int, str]:
    try:
        scenarios = list(Results.of_log(log))
    except OSError:
        return {}
    return {
        int(step.id.split(".")[1]) - 1: step.fault.message
        for scenario in scenarios
        for step in scenario.steps
        if step.fault is not None and step.id.startswith("steps.")
    }


@contextmanager
def _set(variables: Mapping[str, str]) -> Iterator[None]:
    before = {name: os.environ.get(name) for name in variables}
    os.environ.update(variables)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value
