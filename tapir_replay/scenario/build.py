"""Data that fits the schema, to the model; what a schema cannot say is checked on the way."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Protocol

from tapir_replay.scenario import suggest
from tapir_replay.scenario.assertions import Assertions
from tapir_replay.scenario.cases import expand, read_cases
from tapir_replay.scenario.check import Part
from tapir_replay.scenario.diagnostics import Severity, quoted
from tapir_replay.scenario.model import (
    DEFAULT_TIMEOUT,
    Fragment,
    FragmentParam,
    Scenario,
    Step,
)
from tapir_replay.scenario.reading import At, Reader
from tapir_replay.scenario.templates import Template
from tapir_replay.scenario.yaml_nodes import YamlTree
from tapir_replay.verbs.catalogue import STEP_VERBS
from tapir_replay.verbs.model import Dispatch, Param, Type, Verb

PHASES = ("setup", "steps", "on_failure", "teardown")


class Library(Protocol):
    """Where the fragments come from that a file uses."""

    def fragment(self, path: Path) -> Fragment | str | None:
        """The fragment, or why there is none; None where that is told already."""


def build(
    data: Mapping[str, Any],
    tree: YamlTree,
    path: Path,
    library: Library,
    *,
    names: Iterable[str] = (),
    faulty: Collection[Part] = (),
) -> tuple[Scenario, ...] | Fragment:
    """The scenario, one a case, or the fragment; more faults go to the tree's diagnostics.

    Args:
        data: What `construct` made of the tree.
        tree: For places, and to collect diagnostics.
        path: Where the file is; what it uses is relative to that.
        library: For fragments that it uses.
        names: Further names its templates may use (from the command line).
        faulty: The parts that do not fit the schema. They are left out, so that what is wrong
            elsewhere is found all the same.
    """
    builder = _Builder(data, tree, path, library, names=names, faulty=faulty)
    return builder.fragment() if is_fragment(data) else builder.scenarios()


def is_fragment(data: Mapping[str, Any]) -> bool:
    return data.get("kind") == "fragment" or ("params" in data and data.get("kind") is None)


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
        self.library = library
        self.faulty = faulty
        known = data.get("params") if is_fragment(data) else names
        secrets = self.data.get("secrets", ())
        self._read = Reader(tree, {*(known or ()), *secrets}, set(_defined_in(data)))
        self._assertions = Assertions(self._read)
        for part in faulty:
            self._define(data.get(str(part[0])) if len(part) == 1 else None)

    def _define(self, names: Any) -> None:
        """Count names of a faulty part as defined, so that one mistake is reported once."""
        for each in names if isinstance(names, list) else [names]:
            found = [each] if isinstance(each, str) else each if isinstance(each, dict) else ()
            self._read.names.update(found)

    def scenarios(self) -> tuple[Scenario, ...]:
        written = self.data.get("cases")
        if written is None:
            return (self._scenario(),)
        rows = read_cases(written, self._read, self.path.parent)
        return expand(self._scenario(), rows)

    def _scenario(self) -> Scenario:
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
            on_failure=self._steps("on_failure"),
            teardown=self._steps("teardown"),
        )

    def fragment(self) -> Fragment:
        for key in self.data:
            if key not in ("$schema", "kind", "name", "description", "params", "steps"):
                message = f"a fragment has no {key}"
                hint = "it has name, description, params and steps; the rest is the scenario's"
                self._read.error("fragment", message, (key,), hint, key=True)
        params = []
        for name, written in self.data.get("params", {}).items():
            self._read.check_name(name, ("params", name))
            given = written or {}
            params.append(
                FragmentParam(
                    name=name,
                    required="default" not in given,
                    default=self._read.any(given.get("default"), ("params", name, "default")),
                    secret=given.get("secret", False),
                )
            )
        return Fragment(
            name=self.data.get("name", self.path.stem),
            file=self._read.tree.file,
            params=tuple(params),
            steps=self._steps("steps"),
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
                self._define(list(_defined_by([each])))
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
        if verb.dispatch is Dispatch.RUNNER:
            step = self._flow(step, data, at)
        self._read.names.update(_defined_by([data]))
        return step

    # Steps that hold steps

    def _flow(self, step: Step, data: Mapping[str, Any], at: At) -> Step:
        here = (*at, step.verb.name)
        if step.verb.name == "use":
            return self._use(step, data, at)
        if "with" in data:
            self._read.error("lonely-with", "only use has with", (*at, "with"), key=True)
        if step.verb.name == "set":
            for name in data["set"]:
                self._read.check_name(name, (*here, name))
            args = {name: self._read.any(each, (*here, name)) for name, each in data["set"].items()}
            return replace(step, args=args)
        if not step.verb.param("steps"):
            return step
        item = data[step.verb.name].get("as", "item") if step.verb.name == "for_each" else None
        hidden = item in self._read.names
        if item is not None:
            self._read.check_name(item, (*here, "as"))
            self._read.names.add(item)
        blocks = enumerate(data[step.verb.name]["steps"])
        body = [
            self._step(each, (*here, "steps", index), f"{step.id}.{index + 1}")
            for index, each in blocks
        ]
        if item is not None and not hidden:
            self._read.names.discard(item)
        args = {name: value for name, value in step.args.items() if name != "steps"}
        return replace(step, args=args, body=tuple(each for each in body if each is not None))

    def _use(self, step: Step, data: Mapping[str, Any], at: At) -> Step:
        given = self._read.any(data.get("with", {}), (*at, "with"))
        file = step.args["file"]
        if not isinstance(file, str):
            hint = "name the file itself; choose between files with when"
            self._read.error("wrong-form", "file of use cannot hold {{ }}", (*at, "use"), hint)
            return step
        found = self.library.fragment(self.path.parent / file)
        if not isinstance(found, Fragment):
            if found is not None:
                self._read.error("no-fragment", found, (*at, "use"))
            return step
        params = {each.name: each for each in found.params}
        for name in given:
            if name not in params:
                self._read.error(
                    "unknown-param",
                    f"{found.file} has no param {quoted(name)}",
                    (*at, "with", name),
                    suggest.hint(name, params, noun="it has"),
                    key=True,
                )
        missing = [name for name, each in params.items() if each.required and name not in given]
        if missing:
            hint = f"write with: {{{', '.join(f'{name}: ...' for name in missing)}}} beside it"
            message = f"{found.file} needs {' and '.join(missing)}"
            self._read.error("missing-param", message, (*at, "use"), hint, key=True)
        return replace(step, fragment=found, given=given)

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
        if param.type is Type.CONDITION:
            return self._assertions.when(value, at)
        if param.type is Type.STEPS:
            return ()
        return self._read.any(value, at)


def _defined_in(data: Mapping[str, Any]) -> Iterator[str]:
    """Every name that the file defines somewhere, whether or not it is right."""
    variables = data.get("vars")
    yield from variables if isinstance(variables, dict) else ()
    for phase in PHASES:
        yield from _defined_by(data.get(phase))


def _defined_by(steps: Any) -> Iterator[str]:
    """The names that steps keep values under, for the steps after them."""
    for each in steps if isinstance(steps, list) else ():
        if not isinstance(each, dict):
            continue
        for holder in (each.get("save"), each.get("set")):
            yield from holder if isinstance(holder, dict) else ()
        read = each.get("read")
        if isinstance(read, dict) and isinstance(read.get("as"), str):
            yield read["as"]
        for name in ("group", "repeat", "for_each", "retry"):
            block = each.get(name)
            yield from _defined_by(block.get("steps") if isinstance(block, dict) else None)
