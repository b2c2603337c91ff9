"""Data that fits the schema, to the model; what a schema cannot say is checked on the way."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from tapir_replay.scenario.cases import expand, read_cases
from tapir_replay.scenario.check import Part
from tapir_replay.scenario.contracts import exception_policy
from tapir_replay.scenario.model import DEFAULT_TIMEOUT, Fragment, FragmentParam, Returned, Scenario
from tapir_replay.scenario.reading import Reader
from tapir_replay.scenario.steps import Library, StepReader, defined_by
from tapir_replay.scenario.templates import Template
from tapir_replay.scenario.yaml_nodes import YamlTree

PHASES = ("setup", "steps", "on_failure", "teardown")

OF_FRAGMENTS = (
    *("$schema", "kind", "name", "description", "params", "secrets", "returns", "steps"),
)
"""The keys that a fragment may have."""


def build(
    data: Mapping[str, Any],
    tree: YamlTree,
    path: Path,
    library: Library,
    *,
    names: Iterable[str] = (),
    shared: Iterable[str] = (),
    faulty: Collection[Part] = (),
) -> tuple[Scenario, ...] | Fragment:
    """The scenario, one a case, or the fragment; more faults go to the tree's diagnostics.

    Args:
        data: What `construct` made of the tree.
        tree: For places, and to collect diagnostics.
        path: Where the file is; what it uses is relative to that.
        library: For fragments that it uses.
        names: Further names that templates of a scenario may use (from the command line).
        shared: Further names that those of a fragment may use too (from the project).
        faulty: The parts that do not fit the schema. They are left out, so that what is wrong
            elsewhere is found all the same.
    """
    known = (*shared, *(() if is_fragment(data) else names))
    builder = _Builder(data, tree, path, library, names=known, faulty=faulty)
    return builder.fragment() if is_fragment(data) else builder.scenarios()


def is_fragment(data: Mapping[str, Any]) -> bool:
    if data.get("kind") is None:
        return "params" in data or "returns" in data
    return bool(data["kind"] == "fragment")


class _Builder:
    def __init__(
        self,
        data: Mapping[str, Any],
        tree: YamlTree,
        path: Path,
        library: Library,
        *,
        names: Iterable[str],
        faulty: Collection[Part],
    ) -> None:
        self.data = {key: value for key, value in data.items() if (key,) not in faulty}
        self.path = path
        known = (*names, *self.data.get("secrets", ()))
        self._read = Reader(tree, known, set(_defined_in(data)))
        self._steps = StepReader(self._read, library, path.parent, faulty)
        for part in faulty:
            self._define(data.get(str(part[0])) if len(part) == 1 else None)

    def _define(self, names: Any) -> None:
        """Count names of a faulty part as defined, so that one mistake is reported once."""
        for each in names if isinstance(names, list) else [names]:
            found = [each] if isinstance(each, str) else each if isinstance(each, dict) else ()
            self._read.names.update(found)
            if isinstance(found, dict) and isinstance(found.get("vars"), dict):
                self._read.names.update(found["vars"])  # a case

    def scenarios(self) -> tuple[Scenario, ...]:
        for key, hint in _ONLY_OF_FRAGMENTS.items():
            if key in self.data:
                message = f"a scenario has no {key}"
                self._read.error("not-a-fragment", message, (key,), hint, key=True)
        written = self.data.get("cases")
        if written is None:
            return (self._scenario(),)
        rows = read_cases(written, self._read, self.path.parent)
        return expand(self._scenario(), rows)

    def _scenario(self) -> Scenario:
        data = self.data
        secrets = self._secrets()
        variables = {}
        for name, value in data.get("vars", {}).items():
            self._read.check_name(name, ("vars", name))
            variables[name] = self._read.any(value, ("vars", name))
            self._read.names.add(name)
        default_name = self.path.name.removesuffix(".yaml").removesuffix(".yml")
        return Scenario(
            name=data.get("name", default_name),
            file=self._read.tree.file,
            path=self.path,
            source=self._read.tree.text,
            place=self._read.place(("name",) if "name" in data else ()),
            description=data.get("description", ""),
            tags=tuple(data.get("tags", ())),
            app=data.get("app"),
            vars=variables,
            secrets=secrets,
            timeout=self._duration("timeout") or DEFAULT_TIMEOUT,
            timeout_given="timeout" in data,
            budget=self._duration("budget"),
            budget_place=self._read.place(("budget",)) if "budget" in data else None,
            exceptions=exception_policy(data.get("exceptions"), self._read),
            setup=self._phase("setup"),
            steps=self._phase("steps"),
            on_failure=self._phase("on_failure"),
            teardown=self._phase("teardown"),
        )

    def _secrets(self) -> tuple[str, ...]:
        names = tuple(self.data.get("secrets", ()))
        for index, name in enumerate(names):
            self._read.check_name(name, ("secrets", index))
        return names

    def _phase(self, phase: str) -> Any:
        return self._steps.phase(self.data.get(phase, ()), phase)

    def fragment(self) -> Fragment:
        for key in self.data:
            if key not in OF_FRAGMENTS:
                message = f"a fragment has no {key}"
                hint = (
                    f"it has {', '.join(OF_FRAGMENTS[2:-1])} and steps; the rest is the scenario's"
                )
                self._read.error("not-a-scenario", message, (key,), hint, key=True)
        secrets = self._secrets()
        params = []
        for name, written in self.data.get("params", {}).items():
            self._read.check_name(name, ("params", name))
            given = written or {}
            if name in secrets:
                message = f"{name} is among the secrets already"
                hint = "leave one out; a param can be secret too: {secret: true}"
                self._read.error("repeated", message, ("params", name), hint, key=True)
            default = self._read.any(given.get("default"), ("params", name, "default"))
            params.append(
                FragmentParam(
                    name=name,
                    required="default" not in given,
                    default=default,
                    secret=given.get("secret", False),
                )
            )
            self._read.names.add(name)
        steps = self._phase("steps")
        return Fragment(
            name=self.data.get("name", self.path.stem),
            file=self._read.tree.file,
            params=tuple(params),
            secrets=secrets,
            steps=steps,
            returns=self._returns(),
            depth=self._steps.depth + 1,
        )

    def _returns(self) -> tuple[Returned, ...]:
        """What is given back; it may be made of what the steps keep, which have been read."""
        found = []
        for name, written in self.data.get("returns", {}).items():
            here = ("returns", name)
            if written is None:
                hint = f'such as {name}: "{{{{ {name} }}}}"'
                self._read.error("empty", f"{name} of returns is empty", here, hint, key=True)
            value = self._read.any(written, here)
            found.append(Returned(name=name, value=value, place=self._read.place(here)))
        return tuple(found)

    def _duration(self, key: str) -> float | None:
        found = self._read.duration(self.data.get(key), (key,))
        if isinstance(found, Template):
            message = f"{key} of the scenario cannot hold {{{{ }}}}"
            self._read.error("wrong-form", message, (key,), "write a duration, such as 10s")
            return None
        return found


_ONLY_OF_FRAGMENTS = {
    "params": "kind: fragment, or vars for values of a scenario's own",
    "returns": "kind: fragment; a scenario is used by none that it could give something back",
}


def _defined_in(data: Mapping[str, Any]) -> Iterator[str]:
    """Every name that the file defines somewhere, whether or not it is right."""
    for holder in (data.get("vars"), data.get("params")):
        yield from holder if isinstance(holder, dict) else ()
    for phase in PHASES:
        yield from defined_by(data.get(phase))
