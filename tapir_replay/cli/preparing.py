"""From the options to all there is to know before the first scenario is played."""

from __future__ import annotations

import argparse
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from tapir_replay import __version__
from tapir_replay.cli.asked import Asked, asked_of
from tapir_replay.cli.files import (
    UsageError,
    load_all,
    print_diagnostics,
    say,
)
from tapir_replay.cli.planning import Plan, items_of, listing, make_plan, outline
from tapir_replay.cli.project import files_of, project_of, without_project, wrong_project
from tapir_replay.cli.values import environment, overrides_of
from tapir_replay.engine.exits import Exit
from tapir_replay.engine.redact import Redactor
from tapir_replay.project.history import NAME as HISTORY
from tapir_replay.project.history import History, read_history
from tapir_replay.project.model import Project
from tapir_replay.project.settings import Settings, settle, with_known_app, with_settings
from tapir_replay.scenario.load import Loaded, shown


@dataclass(frozen=True, slots=True, kw_only=True)
class Prepared:
    """A run that may begin.

    Attributes:
        environ: The environment, env files included.
        overrides: Variables of the command line.
        loaded: All files, those left out included.
        errors: How many there are in them.
        record: Where the history is kept.
        secrets: Values to be masked in all that is told, from the first line on.
    """

    asked: Asked
    project: Project | None
    settings: Settings
    environ: Mapping[str, str]
    overrides: Mapping[str, str]
    loaded: Sequence[Loaded]
    errors: int
    plan: Plan
    history: History
    record: Path
    secrets: Sequence[str]

    def app(self, options: argparse.Namespace) -> str | None:
        """What scenarios that name no app are played on."""
        given: str | None = options.uri or options.app
        return given or (self.project.default_app if self.project else None)


def prepare(options: argparse.Namespace) -> Prepared | None:
    """Read the options and the project, load, check and choose.

    Returns:
        None if the project file is wrong, which has been told.

    Raises:
        UsageError: Something of the command line is wrong, or nothing is left to play.
    """
    asked = asked_of(options)
    overrides = overrides_of(options.var)
    paths, file = without_project(options.paths)
    project, remarks = project_of(paths, options.project or file, options.profile)
    if remarks.errors:
        say(wrong_project(remarks))
        return None
    settings = settle(asked.given, project)
    environ = environment(options.env_file, os.environ, project.env_files if project else ())
    loaded = _loaded(paths, project, settings, environ, overrides)
    errors, _ = print_diagnostics(loaded)
    secrets = _secrets(loaded, project, {**environ, **overrides})
    mask = Redactor(secrets).text
    items = items_of(loaded, project.folder if project else Path(), mask)
    if not items:
        raise UsageError("there are only fragments here, and no scenario that uses them")
    record = settings.results / HISTORY
    history = read_history(record)
    return Prepared(
        asked=asked,
        project=project,
        settings=settings,
        environ=environ,
        overrides=overrides,
        loaded=loaded,
        errors=errors,
        plan=make_plan(items, asked, history, shown(record)),
        history=history,
        record=record,
        secrets=secrets,
    )


def _loaded(
    paths: Sequence[str],
    project: Project | None,
    settings: Settings,
    environ: Mapping[str, str],
    overrides: Mapping[str, str],
) -> list[Loaded]:
    """All files, each with what the project says about it."""
    loaded = [
        with_settings(with_known_app(each, project), settings, project, environ)
        for each in load_all(files_of(paths, project), overrides, project)
    ]
    named = {shown(Path(each)) for each in paths}
    for each in loaded:
        if each.fragment is not None and each.file in named:
            raise UsageError(f"{each.file}: this is a fragment; scenarios use it")
    return loaded


def _secrets(
    loaded: Sequence[Loaded], project: Project | None, given: Mapping[str, str]
) -> list[str]:
    """The values of all secrets that are known by now, also of those not played."""
    names = dict.fromkeys(project.secrets if project else ())
    for each in loaded:
        for scenario in each.scenarios:
            names.update(dict.fromkeys(scenario.secrets))
            for fragment in scenario.fragments:
                names.update(dict.fromkeys(fragment.secrets))
    return [given[name] for name in names if name in given]


def show_plan(options: argparse.Namespace) -> int:
    """What `--list` and `--dry-run` do."""
    try:
        prepared = prepare(options)
    except UsageError as error:
        say(f"tapir-replay: {error}")
        return Exit.WRONG_INPUT
    if prepared is None:
        return Exit.WRONG_INPUT
    if options.list:
        lines = listing(prepared.plan)
    else:
        lines = outline(
            prepared.plan,
            prepared.history,
            prepared.settings,
            prepared.app(options),
            _heading(prepared),
        )
    print(Redactor(prepared.secrets).text("\n".join(lines)))
    return Exit.WRONG_INPUT if prepared.errors else Exit.PASSED


def _heading(prepared: Prepared) -> str:
    project, asked = prepared.project, prepared.asked
    words = [f"tapir-replay {__version__}", "nothing is played"]
    if project is not None:
        words.append(f"project {project.file}")
        words += [f"profile {project.profile}"] if project.profile else []
    words += [f"shard {asked.shard}"] if asked.shard else []
    words += [f"shuffled by {asked.seed}"] if asked.seed else []
    return ", ".join(words)
