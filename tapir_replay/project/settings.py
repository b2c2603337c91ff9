"""What holds for a run: the command line wins over the profile, that over the project."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from tapir_replay.project.load import RESULTS
from tapir_replay.project.model import Project
from tapir_replay.scenario import suggest
from tapir_replay.scenario.diagnostics import Diagnostic, Span, quoted
from tapir_replay.scenario.load import Loaded
from tapir_replay.scenario.model import ExceptionPolicy, Scenario


@dataclass(frozen=True, slots=True, kw_only=True)
class Given:
    """What the command line says; None where it says nothing."""

    timeout: float | None = None
    retries: int | None = None
    fail_on_flaky: bool = False
    goldens: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """What holds for a run.

    Attributes:
        timeout: Seconds for the steps of scenarios that set none; None for the built-in.
        strict_timeout: The same, also for scenarios that set one: it is of the command line.
        exceptions: What an error that the app records means, where a scenario does not say, and
            which are known besides those that it knows.
        results: The folder that holds the folders of runs.
        goldens: Whose files win over those that all have; None for nobody's.
    """

    timeout: float | None = None
    strict_timeout: bool = False
    retries: int = 0
    fail_on_flaky: bool = False
    exceptions: ExceptionPolicy = field(default_factory=ExceptionPolicy)
    results: Path = Path(RESULTS)
    goldens: str | None = None
    junit: Path | None = None
    junit_strict: bool = False


def settle(given: Given, project: Project | None) -> Settings:
    """The command line over the project, over what is built in."""
    if project is None:
        below = Settings()
    else:
        below = Settings(
            timeout=project.timeout,
            retries=project.retries,
            fail_on_flaky=project.fail_on_flaky,
            exceptions=project.exceptions,
            results=project.artifacts,
            goldens=project.goldens,
            junit=project.reports.junit,
            junit_strict=project.reports.junit_strict,
        )
    return replace(
        below,
        timeout=below.timeout if given.timeout is None else given.timeout,
        strict_timeout=given.timeout is not None,
        retries=below.retries if given.retries is None else given.retries,
        fail_on_flaky=below.fail_on_flaky or given.fail_on_flaky,
        goldens=given.goldens or below.goldens,
    )


def with_settings(
    loaded: Loaded, settings: Settings, project: Project | None, environ: Mapping[str, str]
) -> Loaded:
    """A file's scenarios with what holds for all of them.

    A scenario's own `vars` win over the project's, also in the fragments that it uses. A secret of
    the project has to be set only if the scenario speaks of it.
    """
    secrets = [
        name
        for name in (project.secrets if project else ())
        if name in environ or any(name in text for text in loaded.sources.values())
    ]
    scenarios = tuple(
        _with_settings(each, settings, project.vars if project else {}, secrets)
        for each in loaded.scenarios
    )
    return replace(loaded, scenarios=scenarios)


def _with_settings(
    scenario: Scenario, settings: Settings, variables: Mapping[str, Any], secrets: list[str]
) -> Scenario:
    changed: dict[str, Any] = {}
    own = scenario.timeout_given and not settings.strict_timeout
    if settings.timeout is not None and not own:
        changed["timeout"] = settings.timeout
    if settings.exceptions != ExceptionPolicy():
        changed["exceptions"] = scenario.exceptions.over(settings.exceptions)
    if variables:
        changed["vars"] = {**variables, **scenario.vars}
    if variables or secrets:
        changed["shared"] = (*variables, *secrets)
    if secrets:
        changed["secrets"] = tuple(dict.fromkeys((*secrets, *scenario.secrets)))
    return replace(scenario, **changed) if changed else scenario


def with_known_app(loaded: Loaded, project: Project | None) -> Loaded:
    """The same, or with an error if the scenario names an app that the project does not have."""
    scenario = loaded.scenario
    if scenario is None or project is None or not project.apps or scenario.app is None:
        return loaded
    name = scenario.app
    if name in project.apps or name == "demo" or "://" in name:
        return loaded
    error = Diagnostic(
        code="unknown-app",
        file=loaded.file,
        message=f"{project.file} has no app {quoted(name)}",
        span=_line_of_app(scenario),
        hint=suggest.hint(name, [*project.apps, "demo"], noun="apps"),
    )
    return replace(loaded, scenarios=(), diagnostics=(*loaded.diagnostics, error))


def _line_of_app(scenario: Scenario) -> Span | None:
    for number, line in enumerate(scenario.source.split("\n"), start=1):
        if line.startswith("app:"):
            value = line[4:].partition(" #")[0].strip()
            return Span(line=number, column=line.index(value, 4) + 1, length=len(value) or 1)
    return None
