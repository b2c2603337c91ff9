"""A checked project file, with the profile that was asked for already applied."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from tapir_replay.scenario.model import ExceptionPolicy
from tapir_replay.scenario.place import Place

Kind = Literal["demo", "uri", "launch", "session"]
Reset = Literal["none", "overlays", "route", "restart"]

READY_TIMEOUT = 120.0
"""Seconds that a launched app may take: a first build is slow."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AppSpec:
    """An app of the project, as data: how to reach it is not known here.

    Attributes:
        name: What scenarios call it.
        kind: `demo` (the embedded one), `uri` (it runs already), `launch` (a command starts it)
            or `session` (one that other tools of this project have started).
        uri: For `uri`: the address of its VM Service.
        command: For `launch`: the program and its arguments.
        cwd: For `launch`: where to start it. For `session`: the folder of the app.
        env: For `launch`: added to the environment.
        ready_timeout: Seconds until it has to answer.
        reset: What is done before each scenario, so that it does not depend on the one before.
        route: For `reset: route`, and after a restart: where to go.
        device: The Android device, as `adb devices` calls it, whose port the address has.
        place: Where the project file names it.
    """

    name: str
    kind: Kind
    uri: str | None = None
    command: tuple[str, ...] | None = None
    cwd: Path | None = None
    env: Mapping[str, str] = field(default_factory=dict)
    ready_timeout: float = READY_TIMEOUT
    reset: Reset = "none"
    route: str | None = None
    device: str | None = None
    place: Place


@dataclass(frozen=True, slots=True, kw_only=True)
class Reports:
    """What is written besides the reports in the folder of the run."""

    junit: Path | None = None
    junit_strict: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Project:
    """A project, with a profile applied.

    Attributes:
        path: The project file; paths in it are relative to its folder, and absolute here.
        file: As messages name it.
        source: The file's text, for snippets.
        profile: The one that was applied, if any.
        apps: Addresses and commands may hold `{{ env.NAME }}`; who uses an app fills it in.
        default_app: What scenarios that name no app are played on.
        scenarios: Globs, relative to `folder`.
        vars: For the templates of all scenarios; compiled.
        secrets: Names; a secret has to be set only where a scenario uses it.
        timeout: Seconds; None if the project does not say.
        exceptions: What an error that the app records means, and which are known.
        artifacts: The folder that holds the folders of runs.
        goldens: Whose files win over those that all have.
        selectors: The recorder's order of preference.
    """

    path: Path
    file: str
    source: str = ""
    profile: str | None = None
    apps: Mapping[str, AppSpec] = field(default_factory=dict)
    default_app: str | None = None
    scenarios: tuple[str, ...] = ()
    vars: Mapping[str, Any] = field(default_factory=dict)
    env_files: tuple[Path, ...] = ()
    secrets: tuple[str, ...] = ()
    timeout: float | None = None
    retries: int = 0
    fail_on_flaky: bool = False
    exceptions: ExceptionPolicy = field(default_factory=ExceptionPolicy)
    reports: Reports = Reports()
    artifacts: Path
    goldens: str | None = None
    selectors: tuple[str, ...] = ()

    @property
    def folder(self) -> Path:
        return self.path.parent
