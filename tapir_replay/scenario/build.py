"""Data that fits the schema, to the model; what a schema cannot say is checked on the way."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from pathlib import Path
from typing import Any

from tapir_replay.scenario.assertions import Assertions
from tapir_replay.scenario.check import Part
from tapir_replay.scenario.diagnostics import Severity
from tapir_replay.scenario.model import DEFAULT_TIMEOUT, Scenario, Step
from tapir_replay.scenario.reading import At, Reader
from tapir_replay.scenario.templates import Template
from tapir_replay.scenario.yaml_nodes import YamlTree
from tapir_replay.verbs.catalogue import STEP_VERBS
from tapir_replay.verbs.model import Param, Type, Verb


def build(
    data: Mapping[str, Any],
    tree: YamlTree,
    path: Path,
    *,
    names: Iterable[str] = (),
    faulty: Collection[Part] = (),
) -> Scenario:
    """The scenario of checked data; further faults are added to the tree's diagnostics.

    Args:
        data: What `construct` made of the tree.
        tree: For places, and to collect diagnostics.
        path: Where the file is.
        names: Further names its templates may use (from the command line).
        faulty: The parts that do not fit the schema. They are left out, so that what is wrong
            elsewhere is found all the same.
    """
    return _Builder(data, tree, path, names, faulty).scenario()


class _Builder:
    def __init__(
        self,
        data: Mapping[str, Any],
        tree: YamlTree,
        path: Path,
        names: Iterable[str],
        faulty: Collection[Part],
    ) -> None:
        self.data = {key: value for key, value in data.items() if (key,) not in faulty}
        self.path = path
        self.faulty = faulty
        self._read = Reader(tree, {*names, *self.data.get("secrets", ())}, _defined_in(data))
        self._assertions = Assertions(self._read)
        for part in faulty:
            self._define(data.get(str(part[0])) if len(part) == 1 else None)

    def _define(self, names: Any) -> None:
        """Count names of a faulty part as defined, so that one mistake is reported once."""
        for each in names if isinstance(names, list) else [names]:
            found = [each] if isinstance(each, str) else each if isinstance(each, dict) else ()
            self._read.names.update(found)

    def scenario(self) -> Scenario:
        data = self.data
        for index, name in enumerate(data.get("secrets", ())):
            self._read.check_name(name, ("secrets", index))
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
            secrets=tuple(data.get("secrets", ())),
            timeout=self._scenario_timeout(),
            setup=self._steps("setup"),
            steps=self._steps("steps"),
            teardown=self._steps("teardown"),
        )

    def _scenario_timeout(self) -> float:
        timeout = self._read.duration(self.data.get("timeout"), ("timeout",))
        if isinstance(timeout, Template):
            message = "timeout of the scenario cannot hold {{ }}"
            self._read.error("wrong-form", message, ("timeout",), "write a duration, such as 10s")
            return DEFAULT_TIMEOUT
        return DEFAULT_TIMEOUT if timeout is None else timeout

    # Steps

    def _steps(self, phase: str) -> tuple[Step, ...]:
        steps = []
        for index, each in enumerate(self.data.get(phase, ())):
            if (phase, index) in self.faulty:
                self._define(each.get("save") if isinstance(each, dict) else None)
            elif (step := self._step(each, (phase, index), f"{phase}.{index + 1}")) is not None:
                steps.append(step)
        return tuple(steps)

    def _step(self, data: Any, at: At, step_id: str) -> Step | None:
        if isinstance(data, str):
            return Step(id=step_id, verb=STEP_VERBS[data], place=self._read.place(at), args={})
        verb = self._verb_of(data, at)
        if verb is None:
            return None
        key = verb.name
        alone = key == "expect"
        expect = data.get("expect", {})
        step = Step(
            id=step_id,
            verb=verb,
            place=self._read.place((*at, key)),
            args={} if alone else self._args(verb, data[key], (*at, key)),
            name=self._read.text(data.get("name"), (*at, "name")),
            when=self._assertions.when(data.get("when"), (*at, "when")),
            expect=()
            if alone or expect is None
            else self._assertions.response(verb, expect, (*at, "expect")),
            conditions=self._assertions.conditions(expect if alone else {}, (*at, "expect")),
            save=self._assertions.save(data.get("save", {}), verb, (*at, "save")),
            timeout=self._read.duration(data.get("timeout"), (*at, "timeout")),
            soft=self._read.flag(data, "soft", at),
            optional=self._read.flag(data, "optional", at),
            secret=self._read.flag(data, "secret", at),
        )
        self._check_step(step, at)
        self._read.names.update(name for name, _ in step.save)
        return step

    def _verb_of(self, data: Mapping[str, Any], at: At) -> Verb | None:
        verbs = [key for key in data if key in STEP_VERBS and key != "expect"]
        if len(verbs) > 1:
            self._read.error(
                "two-verbs",
                f'a step does one thing; this one has "{verbs[0]}" and "{verbs[1]}"',
                (*at, verbs[1]),
                'start a new step with "- ", or check the indentation',
                key=True,
            )
            return None
        if verbs:
            return STEP_VERBS[verbs[0]]
        if "expect" in data:
            return STEP_VERBS["expect"]
        self._read.error("no-verb", "this step has no verb", at, "such as tap, fill or expect")
        return None

    def _check_step(self, step: Step, at: At) -> None:
        verb, args = step.verb, step.args
        if verb.any_of and not any(name in args for name in verb.any_of):
            needed = f"{verb.name} needs {' or '.join(verb.any_of)}"
            self._read.error("missing-key", needed, (*at, verb.name), key=True)
        if verb.name == "screenshot" and "rect" in args and "target" not in args:
            self._read.error(
                "missing-key",
                "rect is inside a target, and there is none",
                (*at, verb.name, "rect"),
                key=True,
            )
        if "untilTimeoutMs" in args and "until" not in args:
            here = (*at, verb.name, "untilTimeoutMs")
            self._read.error("missing-key", "untilTimeoutMs needs until", here, key=True)
        if verb.name == "resize_viewport" and "width" in args and "height" not in args:
            needed = "resize_viewport needs height too"
            self._read.error("missing-key", needed, (*at, verb.name), key=True)
        if verb.name == "wait":
            self._read.report(
                Severity.WARNING,
                "plain-wait",
                "a plain pause makes a scenario slow, and still flaky",
                self._read.span((*at, "wait"), key=True),
                "wait for what comes: wait_for, until, or expect: {visible: ...}",
            )

    # Arguments

    def _args(self, verb: Verb, data: Any, at: At) -> dict[str, Any]:
        if data is None:
            return {}
        if not isinstance(data, dict):
            short = verb.param(verb.short or "")
            assert short is not None
            return {short.name: self._arg(short, data, at)}
        return {
            name: self._arg(param, value, (*at, name))
            for name, value in data.items()
            if (param := verb.param(name)) is not None
        }

    def _arg(self, param: Param, value: Any, at: At) -> Any:
        if param.type is Type.TARGET:
            return self._read.target(value, at)
        if param.type is Type.DURATION:
            return self._read.duration(value, at)
        return self._read.any(value, at)


def _defined_in(data: Mapping[str, Any]) -> set[str]:
    """Every name that the file defines somewhere, whether or not it is right."""
    variables = data.get("vars")
    names = {*variables} if isinstance(variables, dict) else set()
    for phase in ("setup", "steps", "teardown"):
        for each in data[phase] if isinstance(data.get(phase), list) else ():
            saved = each.get("save") if isinstance(each, dict) else None
            names.update(saved if isinstance(saved, dict) else ())
    return names
