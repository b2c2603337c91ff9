"""Steps of a file to the model; what a schema cannot say of them is checked on the way."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Protocol

from tapir_replay.scenario import suggest
from tapir_replay.scenario.assertions import Assertions
from tapir_replay.scenario.check import Part
from tapir_replay.scenario.diagnostics import Severity, quoted
from tapir_replay.scenario.hints import example_of
from tapir_replay.scenario.matchers import show
from tapir_replay.scenario.model import Contract, Fragment, Step
from tapir_replay.scenario.reading import At, Reader
from tapir_replay.scenario.schema import BESIDE
from tapir_replay.scenario.templates import Template
from tapir_replay.verbs.catalogue import STEP_VERBS
from tapir_replay.verbs.model import Dispatch, Param, Type, Verb

MAX_USES = 8
"""How deep fragments may use fragments."""


@dataclass(frozen=True, slots=True)
class NoFragment:
    """Why a file cannot be used; without a message where that is told already."""

    message: str = ""
    hint: str = ""


class Library(Protocol):
    """Where the fragments come from that a file uses."""

    def fragment(self, path: Path) -> Fragment | NoFragment:
        """The fragment of a file."""


class StepReader:
    """Reads the steps of one file.

    Attributes:
        depth: How deep the fragments that were used so far use others.
    """

    def __init__(
        self, read: Reader, library: Library, folder: Path, faulty: Collection[Part] = ()
    ) -> None:
        self._read = read
        self._library = library
        self._folder = folder
        self._faulty = faulty
        self._assertions = Assertions(read, folder)
        self.depth = 0

    def phase(self, steps: Sequence[Any], phase: str) -> tuple[Step, ...]:
        """The steps of `setup`, `steps`, `on_failure` or `teardown`; without the faulty ones."""
        return self._all(steps, (phase,), phase)

    def _all(self, steps: Sequence[Any], at: At, above: str) -> tuple[Step, ...]:
        found = []
        for index, each in enumerate(steps):
            if (*at, index) in self._faulty:
                self._read.names.update(defined_by([each]))
            elif (step := self._step(each, (*at, index), f"{above}.{index + 1}")) is not None:
                found.append(step)
        return tuple(found)

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
            contract=self._contract(verb, data, at),
        )
        self._check_step(step, data, at)
        if verb.dispatch is Dispatch.RUNNER:
            step = self._own(step, data, at)
        self._read.names.update(defined_by([data]))
        return step

    def _verb_of(self, data: Mapping[str, Any], at: At) -> Verb | None:
        verbs = [key for key in data if key in STEP_VERBS and key not in BESIDE]
        if len(verbs) > 1:
            self._read.error(
                "two-verbs",
                f'a step does one thing; this one has "{verbs[0]}" and "{verbs[1]}"',
                (*at, verbs[1]),
                'start a new step with "- ", or check the indentation',
                key=True,
            )
            return None
        for name in (*verbs, *BESIDE):
            if name in data:
                return STEP_VERBS[name]
        self._read.error("no-verb", "this step has no verb", at, "such as tap, fill or expect")
        return None

    def _contract(self, verb: Verb, data: Mapping[str, Any], at: At) -> Contract | None:
        """What must hold of the time that the step takes."""
        wanted = data.get("log") if verb.name != "log" else None
        forbidden = data.get("forbid_log")
        budget = self._read.duration(data.get("budget"), (*at, "budget"))
        if wanted is None and forbidden is None and budget is None:
            return None
        return Contract(
            log=self._lines("log", wanted, at),
            forbid_log=self._lines("forbid_log", forbidden, at),
            budget=budget,
            place=self._read.place((*at, "budget") if budget is not None else at),
        )

    def _lines(self, name: str, data: Any, at: At) -> Any:
        if data is None:
            return ()
        if isinstance(data, dict) and "text" in data:
            self._read.error(
                "unknown-key",
                f'beside a verb, {name} is a line of the app to look for, and has no "text"',
                (*at, name, "text"),
                "to write a line into the reports, log is a step of its own",
                key=True,
            )
            return ()
        return self._assertions.lines(data, (*at, name))

    def _check_step(self, step: Step, data: Mapping[str, Any], at: At) -> None:
        verb, args = step.verb, step.args
        if verb.any_of and not any(name in args for name in verb.any_of):
            needed = f"{verb.name} needs {' or '.join(verb.any_of)}"
            hint = example_of(verb)
            self._read.error("missing-key", needed, (*at, verb.name), hint, key=True)
        if verb.name == "screenshot" and "rect" in args and "target" not in args:
            self._read.error(
                "missing-key",
                "rect is inside a target, and there is none",
                (*at, verb.name, "rect"),
                key=True,
            )
        if verb.name == "tap" and ("x" in args) is not ("y" in args):
            self._read.error("missing-key", "a place has x and y", (*at, verb.name), key=True)
        if verb.name == "tap" and "x" in args and "target" in args:
            message = "a tap goes to a target or to a place, not to both"
            self._read.error(
                "two-places", message, (*at, verb.name, "x"), "leave one out", key=True
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
        if "with" in data and verb.name != "use":
            self._read.error("no-effect", "only use has with", (*at, "with"), key=True)
        if verb.name == "use" or verb.param("steps"):
            for name, hint in _NOT_OF_BLOCKS.items():
                if name in data:
                    message = f"{name} does nothing on {verb.name}"
                    self._read.error("no-effect", message, (*at, name), hint, key=True)

    # Verbs of our own

    def _own(self, step: Step, data: Mapping[str, Any], at: At) -> Step:
        here: At = (*at, step.verb.name)
        match step.verb.name:
            case "use":
                return self._use(step, data, at)
            case "log":
                self._log(data["log"], here)
            case "set":
                return self._set(step, data["set"], here)
            case "read":
                self._read.check_name(data["read"]["as"], (*here, "as"))
            case "repeat" if "max" in step.args and "while" not in step.args:
                message = "max is for a while; times says how often already"
                self._read.error("no-effect", message, (*here, "max"), key=True)
            case "for_each":
                self._list(step.args["in"], (*here, "in"))
        return self._block(step, data[step.verb.name], here) if step.verb.param("steps") else step

    def _log(self, data: Any, here: At) -> None:
        others = [name for name in data if name != "text"] if isinstance(data, dict) else []
        for name in others:
            message = f'as a step, log writes a line into the reports; it has no "{name}"'
            hint = "to look for a line of the app: - expect: {log: ...}"
            self._read.error("unknown-key", message, (*here, name), hint, key=True)
        if isinstance(data, dict) and "text" not in data and not others:
            self._read.error("missing-key", 'log needs "text"', here, key=True)

    def _set(self, step: Step, data: Mapping[str, Any], here: At) -> Step:
        for name in data:
            self._read.check_name(name, (*here, name))
        args = {name: self._read.any(each, (*here, name)) for name, each in data.items()}
        return replace(step, args=args)

    def _list(self, items: Any, at: At) -> None:
        """Refuse what is never a list."""
        if isinstance(items, Template) and items.whole:
            return
        if not isinstance(items, list):
            message = f"in: expected a list, found {show(items)}"
            hint = "write [a, b], or one {{ expression }} that is a list"
            self._read.error("wrong-type", message, at, hint)
        elif not items:
            self._read.error("empty", "in cannot be an empty list", at)

    def _block(self, step: Step, data: Mapping[str, Any], here: At) -> Step:
        item = data.get("as", "item") if step.verb.name == "for_each" else None
        hidden = item in self._read.names
        if item is not None:
            self._read.check_name(item, (*here, "as") if "as" in data else here)
            self._read.names.add(item)
        body = self._all(data["steps"], (*here, "steps"), step.id)
        if item is not None and not hidden:
            self._read.names.discard(item)
        args = {name: value for name, value in step.args.items() if name != "steps"}
        return replace(step, args=args, body=body)

    def _use(self, step: Step, data: Mapping[str, Any], at: At) -> Step:
        given = self._read.any(data.get("with", {}), (*at, "with"))
        file = step.args["file"]
        if not isinstance(file, str):
            hint = "name the file itself; choose between files with when"
            self._read.error("wrong-form", "file of use cannot hold {{ }}", (*at, "use"), hint)
            return step
        found = self._library.fragment(self._folder / file)
        if isinstance(found, Fragment) and found.depth > MAX_USES:
            found = TOO_DEEP
        if isinstance(found, NoFragment):
            if found.message:
                self._read.error("no-fragment", found.message, (*at, "use"), found.hint)
            return step
        self.depth = max(self.depth, found.depth)
        self._check_given(found, given, at)
        self._check_returned(found, step, at)
        return replace(step, fragment=found, given=given)

    def _check_given(self, fragment: Fragment, given: Mapping[str, Any], at: At) -> None:
        params = {each.name: each for each in fragment.params}
        unknown = [name for name in given if name not in params]
        for name in unknown:
            self._read.error(
                "unknown-param",
                f"{fragment.file} has no param {quoted(name)}",
                (*at, "with", name),
                suggest.hint(name, params, noun="it has"),
                key=True,
            )
        misspelt = {suggest.nearest(name, params) for name in unknown}
        missing = [
            name
            for name, each in params.items()
            if each.required and name not in given and name not in misspelt
        ]
        if missing:
            listed = ", ".join(f"{name}: ..." for name in missing)
            hint = f"add {listed} to with" if given else f"write with: {{{listed}}} beside it"
            message = f"{fragment.file} needs {' and '.join(missing)}"
            self._read.error("missing-param", message, (*at, "use"), hint, key=True)

    def _check_returned(self, fragment: Fragment, step: Step, at: At) -> None:
        returned = [each.name for each in fragment.returns]
        for name, (first, *_) in step.save:
            if first in returned:
                continue
            here: At = (*at, "save", name)
            if returned:
                message = f"{fragment.file} gives no {quoted(first)} back"
                hint = suggest.hint(first, returned, noun="it gives")
            else:
                message = f"{fragment.file} gives nothing back"
                hint = f"declare it there: returns: {{{first}: ...}}"
            self._read.error("unknown-return", message, here, hint)

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


TOO_DEEP = NoFragment(f"fragments use each other more than {MAX_USES} levels deep")

_NOT_OF_BLOCKS = {
    "timeout": "give it to the steps inside; a limit for all of them is a budget",
    "secret": "give it to the steps inside; of a fragment, a param can be secret",
}


def defined_by(steps: Any) -> Iterator[str]:
    """The names that steps keep values under, for the steps after them; right or wrong ones."""
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
            yield from defined_by(block.get("steps") if isinstance(block, dict) else None)
