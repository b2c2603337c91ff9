"""Data that fits the schema, to the model; what a schema cannot say is checked on the way."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from pathlib import Path
from typing import Any

import yaml

from tapir_replay.scenario import suggest
from tapir_replay.scenario.check import Part
from tapir_replay.scenario.diagnostics import Diagnostic, Severity
from tapir_replay.scenario.matchers import MATCHERS, Matcher
from tapir_replay.scenario.model import (
    DEFAULT_TIMEOUT,
    Condition,
    PathCheck,
    Scenario,
    Step,
    Target,
    When,
    parse_duration,
)
from tapir_replay.scenario.place import Place
from tapir_replay.scenario.templates import Template, TemplateError, compile_text, has_template
from tapir_replay.scenario.yaml_tree import YamlTree, lookup, span_of
from tapir_replay.verbs.catalogue import STEP_VERBS
from tapir_replay.verbs.model import Param, Type, Verb

BUILT_IN = ("env", "vars", "run", "now", "random")
"""Names every template can use."""

Path_ = tuple[str | int, ...]
"""Where a value stands in the data."""

_TARGET_KINDS = ("visible", "gone", "enabled", "disabled", "checked", "unchecked")
_CHECK_KINDS = ("value", "text", "count")


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
        assert tree.root is not None
        self.data = {key: value for key, value in data.items() if (key,) not in faulty}
        self.tree = tree
        self.root: yaml.Node = tree.root
        self.path = path
        self.faulty = faulty
        self.names = {*BUILT_IN, *names, *self.data.get("secrets", ())}
        for part in faulty:
            self._define(data.get(str(part[0])) if len(part) == 1 else None)

    def _define(self, names: Any) -> None:
        """Count names of a faulty part as defined, so that one mistake is reported once."""
        if isinstance(names, dict | list):
            self.names.update(name for name in names if isinstance(name, str))

    def scenario(self) -> Scenario:
        data = self.data
        variables = {}
        for name, value in data.get("vars", {}).items():
            variables[name] = self._any(value, ("vars", name))
            self.names.add(name)
        default_name = self.path.name.removesuffix(".yaml").removesuffix(".yml")
        return Scenario(
            name=data.get("name", default_name),
            file=self.tree.file,
            path=self.path,
            source=self.tree.text,
            place=self._place(("name",) if "name" in data else ()),
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
        timeout = self._duration(self.data.get("timeout"), ("timeout",))
        if isinstance(timeout, Template):
            self._error("wrong-form", "the scenario's timeout cannot be a template", ("timeout",))
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

    def _step(self, data: Any, at: Path_, step_id: str) -> Step | None:
        if isinstance(data, str):
            return Step(id=step_id, verb=STEP_VERBS[data], place=self._place(at), args={})
        verb = self._verb_of(data, at)
        if verb is None:
            return None
        key = verb.name
        alone = key == "expect"
        expect = data.get("expect")
        step = Step(
            id=step_id,
            verb=verb,
            place=self._place((*at, key)),
            args={} if alone else self._args(verb, data[key], (*at, key)),
            name=self._text(data.get("name"), (*at, "name")),
            when=self._when(data.get("when"), (*at, "when")),
            expect=() if alone or expect is None else self._response(verb, expect, (*at, "expect")),
            conditions=self._conditions(expect, (*at, "expect")) if alone else (),
            save=self._save(data.get("save", {}), verb, (*at, "save")),
            timeout=self._duration(data.get("timeout"), (*at, "timeout")),
            soft=self._flag(data, "soft", at),
            optional=self._flag(data, "optional", at),
            secret=self._flag(data, "secret", at),
        )
        self._check_step(step, at)
        self.names.update(name for name, _ in step.save)
        return step

    def _verb_of(self, data: Mapping[str, Any], at: Path_) -> Verb | None:
        verbs = [key for key in data if key in STEP_VERBS and key != "expect"]
        if len(verbs) > 1:
            self._error(
                "two-verbs",
                f'a step does one thing; this one has "{verbs[0]}" and "{verbs[1]}"',
                (*at, verbs[1]),
                'start a new step with "- ", or check the indentation',
            )
            return None
        if verbs:
            return STEP_VERBS[verbs[0]]
        if "expect" in data:
            return STEP_VERBS["expect"]
        self._error("no-verb", "this step has no verb", at, "such as tap, fill or expect")
        return None

    def _check_step(self, step: Step, at: Path_) -> None:
        verb, args = step.verb, step.args
        if verb.any_of and not any(name in args for name in verb.any_of):
            self._error("missing-key", f"{verb.name} needs {' or '.join(verb.any_of)}", at)
        if verb.name == "screenshot" and "rect" in args and "target" not in args:
            self._error(
                "missing-key",
                "rect is inside a target, and there is none",
                (*at, verb.name, "rect"),
            )
        if "untilTimeoutMs" in args and "until" not in args:
            self._error(
                "missing-key", "untilTimeoutMs needs until", (*at, verb.name, "untilTimeoutMs")
            )
        if verb.name == "resize_viewport" and "width" in args and "height" not in args:
            self._error("missing-key", "resize_viewport needs height too", (*at, verb.name))
        if verb.name == "wait":
            self._warn(
                "plain-wait",
                "a plain pause makes a scenario slow, and still flaky",
                (*at, "wait"),
                "wait for what comes: wait_for, until, or expect: {visible: ...}",
            )

    # Arguments

    def _args(self, verb: Verb, data: Any, at: Path_) -> dict[str, Any]:
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

    def _arg(self, param: Param, value: Any, at: Path_) -> Any:
        if param.type is Type.TARGET:
            return self._target(value, at)
        if param.type is Type.DURATION:
            return self._duration(value, at)
        return self._any(value, at)

    def _any(self, value: Any, at: Path_) -> Any:
        """Any value, with its templates compiled."""
        if isinstance(value, str):
            return self._text(value, at)
        if isinstance(value, dict):
            return {key: self._any(each, (*at, key)) for key, each in value.items()}
        if isinstance(value, list):
            return [self._any(each, (*at, index)) for index, each in enumerate(value)]
        return value

    def _text(self, value: str | None, at: Path_) -> Any:
        """None, a plain text, or a template."""
        if value is None or not has_template(value):
            return value
        try:
            template = compile_text(value)
        except TemplateError as error:
            self._error("template", error.message, at, error.hint)
            return value
        for name in sorted(template.names - self.names):
            self._error(
                "undefined-name",
                f'the name "{name}" is not defined here',
                at,
                suggest.hint(name, self.names, noun="known names"),
            )
        return template

    def _flag(self, data: Mapping[str, Any], name: str, at: Path_) -> Any:
        value = data.get(name, False)
        return self._text(value, (*at, name)) if isinstance(value, str) else value

    def _duration(self, value: str | None, at: Path_) -> float | Template | None:
        text = self._text(value, at)
        if not isinstance(text, str):
            return text  # type: ignore[no-any-return]
        try:
            return parse_duration(text)
        except ValueError as error:
            self._error("wrong-form", str(error), at)
            return None

    def _target(self, value: Any, at: Path_) -> Target:
        if isinstance(value, str):
            return Target(text=self._text(value, at))
        if not set(value) - {"nth", "within"}:
            self._error(
                "missing-key",
                f"a target needs more than {' and '.join(sorted(value))}",
                at,
                "one of: key, label, text, contains, matches, role, value, ref",
            )
        if "ref" in value and len(value) > 1:
            self._error("ref-alone", "a ref stands alone in a target", (*at, "ref"))
        self._expression(value.get("matches"), (*at, "matches"))
        parts: dict[str, Any] = {
            name: self._target(each, (*at, name))
            if name == "within"
            else self._any(each, (*at, name))
            for name, each in value.items()
        }
        return Target(**parts)

    def _expression(self, value: Any, at: Path_) -> None:
        if isinstance(value, str) and not has_template(value):
            try:
                re.compile(value)
            except re.error as error:
                self._error("bad-expression", f"not a regular expression: {error}", at)

    # Assertions

    def _response(self, verb: Verb, data: Mapping[str, Any], at: Path_) -> tuple[PathCheck, ...]:
        checks = tuple(self._path_checks(data, (), at))
        for check in checks:
            self._check_path(verb, check.path, self._path_at(at, check.path))
        return checks

    def _path_checks(
        self, data: Mapping[str, Any], prefix: tuple[str, ...], at: Path_
    ) -> Iterable[PathCheck]:
        for key, value in data.items():
            path = (*prefix, *key.split("."))
            here = (*at, key)
            if isinstance(value, dict) and value and not set(value) & set(MATCHERS):
                yield from self._path_checks(value, path, here)
            else:
                yield PathCheck(
                    path=path, matchers=self._matchers(value, here), place=self._place(here)
                )

    def _path_at(self, at: Path_, path: tuple[str, ...]) -> Path_:
        return (*at, path[0])

    def _check_path(self, verb: Verb, path: tuple[str, ...], at: Path_) -> None:
        known = {field.name for field in verb.results}
        if any(param.name == "until" for param in verb.params):
            known.add("untilMatched")
        if path[0] not in known:
            self._error(
                "unknown-path",
                f'the answer of {verb.name} has no "{path[0]}"',
                at,
                suggest.hint(path[0], known, noun="it has"),
            )

    def _matchers(self, value: Any, at: Path_) -> tuple[Matcher, ...]:
        if not isinstance(value, dict):
            return (Matcher("is", self._any(value, at)),)
        matchers = []
        for name, wanted in value.items():
            if name not in MATCHERS:
                self._error(
                    "unknown-matcher",
                    f'there is no matcher "{name}"',
                    (*at, name),
                    suggest.hint(name, MATCHERS, noun="matchers"),
                )
                continue
            if name == "matches":
                self._expression(wanted, (*at, name))
            if name in ("not", "length") and isinstance(wanted, dict):
                matchers += [Matcher(name, inner) for inner in self._matchers(wanted, (*at, name))]
            else:
                matchers.append(Matcher(name, self._any(wanted, (*at, name))))
        if not value:
            self._error("empty", "a matcher is missing here", at)
        return tuple(matchers)

    def _conditions(self, data: Mapping[str, Any], at: Path_) -> tuple[Condition, ...]:
        found: list[Condition] = []
        for kind, value in data.items():
            here: Path_ = (*at, kind)
            if kind in (*_TARGET_KINDS, *_CHECK_KINDS) and isinstance(value, list):
                found += [
                    self._condition(kind, each, (*here, index)) for index, each in enumerate(value)
                ]
            else:
                found.append(self._condition(kind, value, here))
        return tuple(found)

    def _condition(self, kind: str, value: Any, at: Path_) -> Condition:
        place = self._place(at)
        if kind in _TARGET_KINDS:
            return Condition(kind=kind, place=place, target=self._target(value, at))
        if kind in _CHECK_KINDS:
            wanted = {key: each for key, each in value.items() if key != "of"}
            if not wanted:
                self._error(
                    "missing-key",
                    f"{kind} needs a matcher",
                    at,
                    f"one of: {', '.join(MATCHERS)}",
                )
            return Condition(
                kind=kind,
                place=place,
                target=self._target(value["of"], (*at, "of")),
                matchers=self._matchers(wanted, at) if wanted else (),
            )
        if kind == "exceptions":
            allow = value["allow"] if isinstance(value, dict) else ()
            texts = [self._text(each, (*at, "allow", index)) for index, each in enumerate(allow)]
            return Condition(kind=kind, place=place, allow=tuple(texts))
        if kind == "log" and isinstance(value, str):
            value = {"contains": value}
        level = None
        if kind == "log":
            level = value.get("level")
            value = {key: each for key, each in value.items() if key != "level"}
        matchers = self._matchers(value, at) if value else ()
        return Condition(kind=kind, place=place, matchers=matchers, level=level)

    def _when(self, value: Any, at: Path_) -> When | None:
        if value is None:
            return None
        if isinstance(value, str):
            template = self._text(value, at)
            return template if isinstance(template, Template) else ()
        return self._conditions(value, at)

    def _save(
        self, data: Mapping[str, str], verb: Verb, at: Path_
    ) -> tuple[tuple[str, tuple[str, ...]], ...]:
        saved = []
        for name, written in data.items():
            path = tuple(written.split("."))
            if name in BUILT_IN:
                self._error("reserved-name", f'"{name}" is a built-in name', (*at, name))
            self._check_path(verb, path, (*at, name))
            saved.append((name, path))
        return tuple(saved)

    # Places and faults

    def _place(self, at: Path_) -> Place:
        key, node = lookup(self.root, at)
        mark = (key or node).start_mark
        return Place(file=self.tree.file, line=mark.line + 1, column=mark.column + 1)

    def _error(self, code: str, message: str, at: Path_, hint: str = "") -> None:
        self._report(Severity.ERROR, code, message, at, hint)

    def _warn(self, code: str, message: str, at: Path_, hint: str = "") -> None:
        self._report(Severity.WARNING, code, message, at, hint)

    def _report(self, severity: Severity, code: str, message: str, at: Path_, hint: str) -> None:
        key, node = lookup(self.root, at)
        on_value = isinstance(node, yaml.ScalarNode) and node.value
        self.tree.diagnostics.append(
            Diagnostic(
                code=code,
                file=self.tree.file,
                message=message,
                span=span_of(node if on_value or key is None else key),
                hint=hint,
                severity=severity,
            )
        )
