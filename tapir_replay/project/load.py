"""A project file, from disk to model, with all that is wrong with it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tapir_replay.files import why_refused
from tapir_replay.project.apps import Apps
from tapir_replay.project.globs import GlobError, Globs
from tapir_replay.project.model import AppSpec, Project, Reports
from tapir_replay.project.schema import PROJECT
from tapir_replay.scenario import suggest
from tapir_replay.scenario.check import Part, check
from tapir_replay.scenario.contracts import exception_policy
from tapir_replay.scenario.diagnostics import Diagnostic, Span, in_order, quoted
from tapir_replay.scenario.load import shown
from tapir_replay.scenario.model import ExceptionPolicy, parse_duration
from tapir_replay.scenario.reading import At, Reader
from tapir_replay.scenario.values import construct
from tapir_replay.scenario.yaml_nodes import YamlTree
from tapir_replay.scenario.yaml_tree import parse

RESULTS = "tapir-results"
"""The folder that holds the folders of runs, unless the project names another."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LoadedProject:
    """What came of a project file; `project` is None when there is an error."""

    file: str
    project: Project | None
    diagnostics: tuple[Diagnostic, ...]
    source: str


def load_project(path: Path, *, profile: str | None = None) -> LoadedProject:
    """Read and check a project file. Faults of it are diagnostics, never exceptions.

    Args:
        path: The file; messages name it as `shown` does.
        profile: The profile to apply.
    """
    file = shown(path)
    try:
        data = path.read_bytes()
    except (OSError, ValueError) as error:  # ValueError: a NUL in the name
        message = f"the project file cannot be read: {why_refused(error)}"
        diagnostic = Diagnostic(code="unreadable", file=file, message=message)
        return LoadedProject(file=file, project=None, diagnostics=(diagnostic,), source="")
    return load_project_bytes(data, file, path, profile=profile)


def load_project_bytes(
    data: bytes, file: str, path: Path, *, profile: str | None = None
) -> LoadedProject:
    """The same for a file's content."""
    tree = parse(data, file)
    project = _project(tree, path.absolute(), profile)
    diagnostics = tuple(in_order(tree.diagnostics))
    if any(each.is_error for each in diagnostics):
        project = None
    return LoadedProject(file=file, project=project, diagnostics=diagnostics, source=tree.text)


def _project(tree: YamlTree, path: Path, profile: str | None) -> Project | None:
    if tree.root is None:
        if any(each.code != "empty-file" for each in tree.diagnostics):
            return None
        # An empty file is a project all the same: it says where results go.
        tree.diagnostics.clear()
        if profile is not None:
            tree.report("unknown-profile", f"there is no profile {quoted(profile)}", None)
        results = path.parent / RESULTS
        return Project(path=path, file=tree.file, source=tree.text, artifacts=results)
    data = construct(tree.root, PROJECT.schema)
    if not isinstance(data, dict):
        tree.report(
            "not-a-project",
            "a project file is a map",
            Span(line=tree.root.start_mark.line + 1, column=tree.root.start_mark.column + 1),
            "such as apps: {...} and scenarios: [...]",
        )
        return None
    faults, faulty = check(data, tree, PROJECT)
    tree.diagnostics += faults
    return _Builder(data, tree, path, faulty).project(profile)


class _Builder:
    """Makes the model of checked data; what a schema cannot say is checked on the way."""

    def __init__(
        self, data: Mapping[str, Any], tree: YamlTree, path: Path, faulty: set[Part]
    ) -> None:
        self._data = {
            key: _without(value, key, faulty) if key in PROJECT.tables else value
            for key, value in data.items()
            if (key,) not in faulty
        }
        self._written = data
        self._path = path
        self._folder = path.parent
        self._tree = tree
        self._read = Reader(tree, (), ())
        self._apps = Apps(tree, self._read, path.parent)

    def project(self, profile: str | None) -> Project:
        base = self._settings(self._data, ())
        profiles = {
            name: self._settings(each, ("profiles", name), base)
            for name, each in self._data.get("profiles", {}).items()
        }
        chosen = base
        if profile is not None:
            self._check_profile(profile, profiles)
            chosen = profiles.get(profile, base)
        apps: Mapping[str, AppSpec] = chosen.get("apps", {})
        only = next(iter(apps)) if len(apps) == 1 else None
        return Project(
            path=self._path,
            file=self._tree.file,
            source=self._tree.text,
            profile=profile,
            **{"default_app": only, "artifacts": self._folder / RESULTS, **chosen},
        )

    def _check_profile(self, profile: str, profiles: Mapping[str, Any]) -> None:
        written = self._written.get("profiles", {})
        if not isinstance(written, dict) or profile in written:
            return  # it is there; if it is wrong, that is told already
        if profiles:
            hint = suggest.hint(profile, profiles, noun="profiles")
        else:
            hint = "the project file has no profiles"
        span = self._read.span(("profiles",), key=True) if profiles else None
        self._tree.report("unknown-profile", f"there is no profile {quoted(profile)}", span, hint)

    def _settings(
        self, data: Mapping[str, Any], at: At, base: Mapping[str, Any] | None = None
    ) -> dict[str, Any]:
        """What the project, or a profile on top of it, says; by the names of the model."""
        below = base or {}
        found: dict[str, Any] = {**below}
        for name, value in data.items():
            here = (*at, name)
            match name:
                case "apps":
                    read = {
                        key: self._apps.app(key, each, (*here, key)) for key, each in value.items()
                    }
                    apps = {key: each for key, each in read.items() if each is not None}
                    found[name] = {**below.get(name, {}), **apps}
                case "scenarios":
                    self._check_globs(value, here)
                    found[name] = tuple(value)
                case "vars":
                    found[name] = {**below.get(name, {}), **self._vars(value, here)}
                case "secrets":
                    for index, each in enumerate(value):
                        self._read.check_name(each, (*here, index))
                    found[name] = tuple(dict.fromkeys((*below.get(name, ()), *value)))
                case "env_files":
                    found[name] = tuple(self._folder / each for each in value)
                case "timeout":
                    found[name] = parse_duration(value)
                case "reports":
                    found[name] = self._reports(value, below.get(name, Reports()))
                case "artifacts":
                    found[name] = self._folder / value
                case "selectors":
                    self._check_selectors(value, here)
                    found[name] = tuple(value)
                case "exceptions":
                    mine = exception_policy(value, self._read, here)
                    found[name] = mine.over(below.get(name, ExceptionPolicy()))
                case "default_app" | "retries" | "fail_on_flaky" | "goldens":
                    found[name] = value
        if "default_app" in data:
            self._check_default(data["default_app"], found.get("apps", {}), (*at, "default_app"))
        return found

    def _check_default(self, name: str, apps: Mapping[str, AppSpec], at: At) -> None:
        if name in apps or name == "demo" or "://" in name:
            return
        written = self._written.get("apps", {})
        if not isinstance(written, dict) or name in written:
            return  # it is there, but wrong, which is told already
        self._read.error(
            "unknown-app",
            f"there is no app {quoted(name)}",
            at,
            suggest.hint(name, [*apps, "demo"], noun="apps"),
        )

    def _vars(self, data: Mapping[str, Any], at: At) -> dict[str, Any]:
        found = {}
        for name, value in data.items():
            self._read.check_name(name, (*at, name))
            found[name] = self._read.any(value, (*at, name))
            self._read.names.add(name)
        return found

    def _reports(self, data: Mapping[str, Any], below: Reports) -> Reports:
        return Reports(
            junit=self._folder / data["junit"] if "junit" in data else below.junit,
            junit_strict=data.get("junit_strict", below.junit_strict),
        )

    def _check_globs(self, patterns: list[str], at: At) -> None:
        for index, each in enumerate(patterns):
            try:
                Globs([each])
            except GlobError as error:
                self._read.error("bad-glob", str(error), (*at, index), error.hint)
        if patterns and patterns[0].startswith("!"):
            message = "the first of scenarios takes files out, and there are none yet"
            self._read.error("bad-glob", message, (*at, 0), 'such as "flows/**/*.yaml" before it')

    def _check_selectors(self, names: list[str], at: At) -> None:
        for index, each in _repeats(names):
            self._read.error("repeated", f"{each} is there twice", (*at, index), "leave one out")


def _repeats(names: list[str]) -> Iterator[tuple[int, str]]:
    seen = set()
    for index, each in enumerate(names):
        if each in seen:
            yield index, each
        seen.add(each)


def _without(table: Mapping[str, Any], key: str, faulty: set[Part]) -> dict[str, Any]:
    return {name: each for name, each in table.items() if (key, name) not in faulty}
