"""What a command that talks to an app is used in: the project, if there is one, and its apps."""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from tapir_replay.cli.apps import Apps
from tapir_replay.cli.files import counted, say
from tapir_replay.cli.project import project_of
from tapir_replay.cli.values import environment
from tapir_replay.project.model import Project


@dataclass(frozen=True, slots=True, kw_only=True)
class Surroundings:
    """The project and the environment.

    Attributes:
        environ: The environment, env files included.
    """

    project: Project | None
    environ: Mapping[str, str]

    @property
    def secrets(self) -> dict[str, str]:
        """The secrets of the project that have a value, by name."""
        if self.project is None:
            return {}
        # Without a value in the environment, a secret has the one that `vars` has to play with.
        known = {**self.project.vars, **self.environ}
        return {
            name: value
            for name in self.project.secrets
            if isinstance(value := known.get(name), str) and value
        }

    def apps(
        self,
        options: argparse.Namespace,
        *,
        tell: Callable[[str], None],
        keep_line: Callable[[str, str], None] | None = None,
    ) -> Apps:
        """The apps that can be meant; see `Apps`."""
        project = self.project
        return Apps(
            options,
            project.apps if project else {},
            project.default_app if project else None,
            environ=self.environ,
            keep_line=keep_line,
            tell=tell,
        )


def surroundings(
    options: argparse.Namespace, done: str, paths: Sequence[str] = (), env_files: Sequence[str] = ()
) -> Surroundings | None:
    """What the paths, or the current folder, belong to; None if the project is wrong, as told.

    Args:
        options: With those of `add_project_options`.
        done: What is not done then: `called`.
        paths: Files and folders.
        env_files: Those of the command line.

    Raises:
        UsageError: There is no such project, or there are several.
    """
    project, remarks = project_of(paths, options.project, options.profile)
    if remarks.errors:
        say(f"nothing was {done}: {counted(remarks.errors, 'error')} in the project file")
        return None
    of_project = project.env_files if project else ()
    return Surroundings(project=project, environ=environment(env_files, os.environ, of_project))
