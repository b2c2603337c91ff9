"""Data that fits the schema, to the model; what a schema cannot say is checked on the way."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from pathlib import Path
from typing import Any

import yaml

from tapir_replay.scenario import suggest
from tapir_replay.scenario.check import Part
from tapir_replay.scenario.diagnostics import Diagnostic, Severity, Span, quoted
from tapir_replay.scenario.matchers import MATCHERS, Matcher, expression_fault, is_number
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
from tapir_replay.scenario.yaml_tree import YamlTree, lookup, span_of, span_within
from tapir_replay.verbs.catalogue import STEP_VERBS
from tapir_replay.verbs.model import Param, Type, Verb

BUILT_IN = ("env", "vars", "run", "now", "random")
"""Names every template can use."""

_WORDS = frozenset(
    [
        "and",
        "or",
        "not",
        "in",
        "is",
        "if",
        "else",
        "true",
        "false",
        "none",
        "True",
        "False",
        "None",
        "self",
        "loop",
    ]
)
"""What a template does not take for the name of a variable."""

Path_ = tuple[str | int, ...]
"""Where a value stands in the data."""

_NUMBER: tuple[Callable[[Any], bool], str] = (is_number, "a number")
_WANTED: dict[str, tuple[Callable[[Any], bool], str]] = {
    "matches": (lambda wanted: not isinstance(wanted, dict | list | None), "a regular expression"),
    "gt": _NUMBER,
    "gte": _NUMBER,
    "lt": _NUMBER,
    "lte": _NUMBER,
    "in": (lambda wanted: isinstance(wanted, list), "a list"),
    "exists": (lambda wanted: isinstance(wanted, bool), "true or false"),
    "length": (lambda wanted: isinstance(wanted, dict) or is_number(wanted), "a number"),
}
"""What a matcher must be given."""

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
        self.later = {*data["vars"]} if isinstance(data.get("vars"), dict) else set()
        for phase in ("setup", "steps", "teardown"):
            for each in data[phase] if isinstance(data.get(phase), list) else ():
                saved = each.get("save") if isinstance(each, dict) else None
                self.later.update(saved if isinstance(saved, dict) else ())
        for part in faulty:
            self._define(data.get(str(part[0])) if len(part) == 1 else None)

    def _define(self, names: Any) -> None:
        """Count names of a faulty part as defined, so that one mistake is reported once."""
        for each in names if isinstance(names, list) else [names]:
            found = [each] if isinstance(each, str) else each if isinstance(each, dict) else ()
            self.names.update(found)

    def scenario(self) -> Scenario:
        data = self.data
        for index, name in enumerate(data.get("secrets", ())):
            self._check_name(name, ("secrets", index))
        variables = {}
        for name, value in data.get("vars", {}).items():
            self._check_name(name, ("vars", name))
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
            message = "timeout of the scenario cannot hold {{ }}"
            self._error("wrong-form", message, ("timeout",), "write a duration, such as 10s")
            return DEFAULT_TIMEOUT
        return DEFAULT_TIMEOUT if timeout is None else timeout

    def _check_name(self, name: str, at: Path_) -> None:
        if name in BUILT_IN:
            message = f'"{name}" is a built-in name'
        elif name in _WORDS:
            message = f'"{name}" means something else in {{{{ }}}}'
        else:
            return
        self._error("reserved-name", message, at, "choose another", key=True)

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
                key=True,
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
            needed = f"{verb.name} needs {' or '.join(verb.any_of)}"
            self._error("missing-key", needed, (*at, verb.name), key=True)
        if verb.name == "screenshot" and "rect" in args and "target" not in args:
            self._error(
                "missing-key",
                "rect is inside a target, and there is none",
                (*at, verb.name, "rect"),
                key=True,
            )
        if "untilTimeoutMs" in args and "until" not in args:
            here = (*at, verb.name, "untilTimeoutMs")
            self._error("missing-key", "untilTimeoutMs needs until", here, key=True)
        if verb.name == "resize_viewport" and "width" in args and "height" not in args:
            needed = "resize_viewport needs height too"
            self._error("missing-key", needed, (*at, verb.name), key=True)
        if verb.name == "wait":
            self._report(
                Severity.WARNING,
                "plain-wait",
                "a plain pause makes a scenario slow, and still flaky",
                self._span((*at, "wait"), key=True),
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
            _, node = lookup(self.root, at)
            self._report(
                Severity.ERROR,
                "undefined-name",
                f'the name "{name}" is not defined here',
                span_within(node, self.tree.text, name),
                self._definition_hint(name),
            )
        return template

    def _definition_hint(self, name: str) -> str:
        if name in self.later:
            return "it is defined further down only"
        return suggest.hint(name, self.names, noun="known names")

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
            self._error(
                "ref-alone",
                "a ref stands alone in a target",
                (*at, "ref"),
                "it names one widget already",
                key=True,
            )
        self._expression(value.get("matches"), (*at, "matches"))
        parts: dict[str, Any] = {
            name: self._target(each, (*at, name))
            if name == "within"
            else self._any(each, (*at, name))
            for name, each in value.items()
        }
        return Target(**parts)

    def _expression(self, value: Any, at: Path_) -> None:
        if (
            isinstance(value, str)
            and not has_template(value)
            and (fault := expression_fault(value))
        ):
            hint = "contains: looks for the characters as they are"
            self._error("bad-expression", fault, at, hint)

    # Assertions

    def _response(self, verb: Verb, data: Mapping[str, Any], at: Path_) -> tuple[PathCheck, ...]:
        checks = tuple(self._path_checks(data, (), at))
        for check in checks:
            self._check_path(verb, check.path, self._path_at(at, check.path), key=True)
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
        """Where the path is written: nested, or in one key with dots."""
        _, node = lookup(self.root, at)
        written = [key.value for key, _ in node.value]
        return (*at, next(key for key in written if key.split(".")[0] == path[0]))

    def _check_path(
        self, verb: Verb, path: tuple[str, ...], at: Path_, *, key: bool = False
    ) -> None:
        known = {field.name: field.type for field in verb.results}
        if verb.param("until") is not None:
            known["untilMatched"] = Type.BOOL
        if path[0] not in known:
            self._error(
                "unknown-path",
                f"the answer of {verb.name} has no {quoted(path[0])}",
                at,
                self._path_hint(path[0], known),
                key=key,
            )
        elif len(path) > 1 and known[path[0]] not in (Type.OBJECT, Type.LIST):
            self._error(
                "unknown-path",
                f"{path[0]} of {verb.name} is a single value; it has no {quoted(path[1])}",
                at,
                suggest.hint(path[1], MATCHERS, noun="matchers") if key else "",
                key=key,
            )

    def _path_hint(self, name: str, known: Collection[str]) -> str:
        if name in (*_TARGET_KINDS, *_CHECK_KINDS, "route", "exceptions", "log"):
            return f"it is for the app: start a step of its own, - expect: {{{name}: ...}}"
        return suggest.hint(name, known, noun="it has")

    def _matchers(self, value: Any, at: Path_) -> tuple[Matcher, ...]:
        if not isinstance(value, dict):
            return (Matcher("is", self._any(value, at)),)
        matchers = []
        for name, wanted in value.items():
            if name not in MATCHERS:
                self._error(
                    "unknown-matcher",
                    f"there is no matcher {quoted(name)}",
                    (*at, name),
                    suggest.hint(name, MATCHERS, noun="matchers"),
                    key=True,
                )
                continue
            self._check_wanted(name, wanted, (*at, name))
            if name in ("not", "length") and isinstance(wanted, dict):
                matchers += [Matcher(name, inner) for inner in self._matchers(wanted, (*at, name))]
            else:
                matchers.append(Matcher(name, self._any(wanted, (*at, name))))
        if not value:
            self._error("empty", "a matcher is missing here", at)
        return tuple(matchers)

    def _check_wanted(self, name: str, wanted: Any, at: Path_) -> None:
        """Refuse what a matcher can never be compared with."""
        if isinstance(wanted, str) and has_template(wanted):
            return
        if name == "matches" and isinstance(wanted, str):
            self._expression(wanted, at)
            return
        fits, expected = _WANTED.get(name, (None, ""))
        if fits is not None and not fits(wanted):
            self._error("wrong-type", f"{name}: expected {expected}", at)

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
            self._check_name(name, (*at, name))
            self._check_path(verb, path, (*at, name))
            saved.append((name, path))
        return tuple(saved)

    # Places and faults

    def _place(self, at: Path_) -> Place:
        key, node = lookup(self.root, at)
        mark = (key or node).start_mark
        return Place(file=self.tree.file, line=mark.line + 1, column=mark.column + 1)

    def _error(
        self, code: str, message: str, at: Path_, hint: str = "", *, key: bool = False
    ) -> None:
        """Report a fault of the value there, or of its key."""
        self._report(Severity.ERROR, code, message, self._span(at, key=key), hint)

    def _span(self, at: Path_, *, key: bool) -> Span:
        named, node = lookup(self.root, at)
        on_value = isinstance(node, yaml.ScalarNode) and node.value and not key
        return span_of(node if on_value or named is None else named)

    def _report(self, severity: Severity, code: str, message: str, span: Span, hint: str) -> None:
        self.tree.diagnostics.append(
            Diagnostic(
                code=code,
                file=self.tree.file,
                message=message,
                span=span,
                hint=hint,
                severity=severity,
            )
        )
