"""The run as JUnit XML, in the dialect that the common CI readers agree on.

One `testsuite` a scenario file, one `testcase` a scenario. The elements are made by junit-xml;
what it cannot say, or says in a way that readers trip over, is put right before they are written.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any

from tapir_replay.engine.events import Fault, FaultKind, Outcome
from tapir_replay.files import replacing
from tapir_replay.report.attachments import Attachments, attachments
from tapir_replay.report.clean import cap, for_xml, one_line
from tapir_replay.report.model import FAULTY, RunFacts, ScenarioResult, StepResult, untold
from tapir_replay.report.results import Results
from tapir_replay.report.wording import duration, parts, quantity
from tapir_replay.scenario.place import Place

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

_TEXT_LIMIT = 1_000_000
"""Bytes of a text node; GitLab refuses a report with one of ten times that."""

_MESSAGE_LIMIT = 2_000
"""Characters of a `message`; the text below it has all of it."""

_NOT_STRICT = {"testcase": ("file", "line"), "testsuites": ("skipped", "timestamp")}
"""Attributes that most readers use and the xUnit schema does not know."""


def write(
    results: Results,
    path: str | Path,
    *,
    run_dir: str | Path | None = None,
    base: str | Path | None = None,
    strict: bool = False,
) -> None:
    """Writes the report; the file is there whole or not at all.

    Args:
        results: The run to tell of.
        path: The file to write.
        run_dir: The folder that the artifacts' paths are relative to; the file's own if left out.
        base: The folder that the attachments' paths shall be relative to, the workspace of a CI
            job, say; the file's own if left out.
        strict: Leave out what Jenkins' xUnit schema does not allow.
    """
    path = Path(path)
    run_dir = path.parent if run_dir is None else Path(run_dir)
    base = path.parent if base is None else Path(base)
    report = _Report()
    for scenario in results:
        report.add(scenario, attachments(_artifacts(scenario), run_dir=run_dir, base=base))
    report.close(results.run)
    with replacing(Path(path)) as stream:
        stream.writelines(report.lines(results.run, strict=strict))


# --- the report as junit-xml's objects ----------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Attempt:
    """An attempt that did not pass, as an element that Maven's Surefire came up with."""

    tag: str
    type: str
    message: str
    text: str
    output: str


@dataclass(slots=True)
class _Suite:
    """The cases of one scenario file, and what junit-xml's objects have no room for."""

    name: str
    started: float
    apps: dict[str, None] = field(default_factory=dict)
    cases: list[Any] = field(default_factory=list)
    milliseconds: list[int] = field(default_factory=list)
    attempts: list[tuple[_Attempt, ...]] = field(default_factory=list)


class _Report:
    def __init__(self) -> None:
        self._suites: dict[str, _Suite] = {}
        self._names: dict[tuple[str, str], int] = {}
        self._counts: Counter[Outcome] = Counter()

    def add(self, scenario: ScenarioResult, attached: Attachments) -> None:
        file = one_line(for_xml(scenario.place.file)) or "(unknown)"
        suite = self._suites.setdefault(file, _Suite(file, scenario.started))
        suite.started = min(suite.started, scenario.started)
        suite.apps[scenario.app] = None
        suite.cases.append(self._case(scenario, file, attached))
        suite.milliseconds.append(_whole(scenario.duration))
        suite.attempts.append(tuple(_attempts(scenario)))
        self._counts[scenario.outcome] += 1

    def close(self, run: RunFacts) -> None:
        """Sees to it that a run that went wrong does not look green."""
        red = self._counts[Outcome.FAILED] + self._counts[Outcome.ERROR]
        if red or run.outcome in (Outcome.PASSED, Outcome.FLAKY, Outcome.SKIPPED):
            return
        message = run.reason or (
            "the run ended before it was over" if run.cut_off else "the run did not pass"
        )
        failed = run.outcome is Outcome.FAILED
        kind = FaultKind.ASSERTION if failed else FaultKind.INTERRUPTED
        self.add(
            ScenarioResult(
                id="run",
                name="run",
                place=Place(file="tapir-replay", line=1),
                outcome=Outcome.FAILED if failed else Outcome.ERROR,
                started=0.0,
                duration=0.0,
                fault=Fault(kind=kind, message=message),
            ),
            Attachments((), (), ()),
        )

    def lines(self, run: RunFacts, *, strict: bool) -> Iterator[str]:
        """The document, suite by suite: the tree of all of it would take many times its size."""
        from xml.etree import ElementTree as ET  # noqa: PLC0415

        yield '<?xml version="1.0" encoding="utf-8"?>\n'
        root = ET.Element("testsuites", self._root(run))
        _drop(root, strict)
        start, end = ET.tostring(root, "unicode", short_empty_elements=False).rsplit("<", 1)
        yield f"{start}\n"
        notes = _text(f"{note.level}: {note.text}" for note in run.notes)
        for suite in self._suites.values():
            element = self._element(suite, run)
            if notes:  # of the run; there is no place for them but a suite's end
                ET.SubElement(element, "system-err").text, notes = notes, ""
            for each in element.iter():
                _drop(each, strict)
            ET.indent(element, level=1)
            yield f"  {ET.tostring(element, 'unicode')}\n"
        yield f"<{end}\n"

    def _case(self, scenario: ScenarioResult, file: str, attached: Attachments) -> Any:
        from junit_xml import TestCase  # noqa: PLC0415

        classname = _classname(file)
        case = TestCase(
            name=self._unique(classname, _title(scenario)),
            classname=classname,
            file=file,
            line=max(1, scenario.place.line),
            stdout=_text(_output(scenario, attached)) or None,
            stderr=_text(_problems(scenario, attached)) or None,
        )
        if scenario.outcome in FAULTY:
            fault = scenario.fault or untold(scenario.outcome)
            message = _message(fault.message, untold(scenario.outcome).message)
            text = _text(_explanation(scenario, fault, message))
            if scenario.outcome is Outcome.FAILED:
                case.add_failure_info(message, text, fault.kind.value)
            else:
                case.add_error_info(message, text, fault.kind.value)
        elif scenario.outcome is Outcome.SKIPPED:
            message = _message(scenario.reason or "", "skipped")
            case.add_skipped_info(message, _text([message, str(scenario.place)]))
        return case

    def _unique(self, classname: str, name: str) -> str:
        """Readers keep only the first of two cases with one name."""
        if (classname, name) not in self._names:
            self._names[classname, name] = 1
            return name
        while True:
            self._names[classname, name] += 1
            candidate = f"{name} ({self._names[classname, name]})"
            if (classname, candidate) not in self._names:
                self._names[classname, candidate] = 1
                return candidate

    def _element(self, suite: _Suite, run: RunFacts) -> Element:
        from junit_xml import TestSuite  # noqa: PLC0415

        apps = ", ".join(filter(None, suite.apps)) or run.app
        known = {"app": apps, "tool": run.tool, "run": run.run}
        known |= {"profile": run.profile, "shard": run.shard, "seed": run.seed}
        element: Element = TestSuite(
            suite.name,
            suite.cases,
            file=suite.name,
            hostname=one_line(for_xml(run.host)),
            timestamp=_timestamp(run, suite.started),
            properties={
                name: value for name, text in known.items() if (value := one_line(for_xml(text)))
            },
        ).build_xml_doc()
        del element.attrib["disabled"]
        element.set("time", _seconds(sum(suite.milliseconds)))
        cases = zip(element.iter("testcase"), suite.milliseconds, suite.attempts, strict=True)
        for case, milliseconds, attempts in cases:
            case.set("time", _seconds(milliseconds))
            _add_attempts(case, attempts)
        return element

    def _root(self, run: RunFacts) -> dict[str, str]:
        played = sum(sum(suite.milliseconds) for suite in self._suites.values())
        attributes = {
            "name": "tapir-replay",
            "tests": str(self._counts.total()),
            "failures": str(self._counts[Outcome.FAILED]),
            "errors": str(self._counts[Outcome.ERROR]),
            "skipped": str(self._counts[Outcome.SKIPPED]),
            "time": _seconds(_whole(run.duration) or played),
            "timestamp": _timestamp(run, 0.0),
        }
        return {name: value for name, value in attributes.items() if value}


def _drop(element: Element, strict: bool) -> None:
    if strict:
        for name in _NOT_STRICT.get(element.tag, ()):
            element.attrib.pop(name, None)


def _add_attempts(case: Element, attempts: Iterable[_Attempt]) -> None:
    """Put them before the output of the case: some readers take what is below for its own."""
    from xml.etree import ElementTree as ET  # noqa: PLC0415

    own = [each for each in case if each.tag not in ("system-out", "system-err")]
    for place, each in enumerate(attempts, start=len(own)):
        element = ET.Element(each.tag, {"message": each.message, "type": each.type})
        ET.SubElement(element, "stackTrace").text = each.text
        if each.output:
            ET.SubElement(element, "system-out").text = each.output
        case.insert(place, element)


def _attempts(scenario: ScenarioResult) -> Iterator[_Attempt]:
    rerun = "flaky" if scenario.outcome is Outcome.FLAKY else "rerun"
    for number, each in enumerate(scenario.attempts, start=1):
        fault = each.fault or untold(each.outcome)
        message = _message(fault.message, untold(each.outcome).message)
        explained = [f"attempt {number}", *_explanation(each, fault, message)]
        yield _Attempt(
            tag=f"{rerun}{'Failure' if each.outcome is Outcome.FAILED else 'Error'}",
            type=fault.kind.value,
            message=message,
            text=_text(explained),
            output=_text(_steps(each)),
        )


# --- names and numbers --------------------------------------------------------------------------


def _title(scenario: ScenarioResult) -> str:
    return _shortened(one_line(for_xml(scenario.name))) or f"line {scenario.place.line}"


def _classname(file: str) -> str:
    """`flows/auth/login.yaml` is `flows.auth.login`: Jenkins takes the last part for the class."""
    pure = PurePosixPath(file)
    folders = [part for part in pure.parts[:-1] if part not in ("/", ".", "..")]
    stem = pure.stem if pure.suffix in (".yaml", ".yml") else pure.name
    return ".".join(part.replace(".", "_") for part in (*folders, stem)) or "scenarios"


def _message(text: str, otherwise: str) -> str:
    return _shortened(one_line(for_xml(text))) or otherwise


def _shortened(text: str) -> str:
    return text if len(text) <= _MESSAGE_LIMIT else text[: _MESSAGE_LIMIT - 1] + "…"


def _whole(milliseconds: float) -> int:
    return round(milliseconds) if math.isfinite(milliseconds) and milliseconds > 0 else 0


def _seconds(milliseconds: int) -> str:
    return f"{milliseconds // 1000}.{milliseconds % 1000:03d}"


def _timestamp(run: RunFacts, after: float) -> str:
    try:
        moment = datetime.fromisoformat(run.started) + timedelta(milliseconds=after)
    except (ValueError, OverflowError):
        return ""
    return moment.isoformat(timespec="seconds")


# --- texts --------------------------------------------------------------------------------------


def _text(lines: Iterable[str]) -> str:
    return cap(for_xml("\n".join(lines)), _TEXT_LIMIT)


def _explanation(scenario: ScenarioResult, fault: Fault, message: str) -> Iterator[str]:
    # GitLab shows the text and not the message, and everybody's first line of it.
    yield message
    if one_line(for_xml(fault.message)) not in ("", message) or "\n" in fault.message.strip():
        yield fault.message
    step = scenario.step
    if step is None:
        yield f"{fault.place or scenario.place}"
    else:
        yield f"{fault.place or step.place} {_numbered(step, scenario)}"
    yield from _parts(fault)
    if soft := scenario.soft_faults:
        yield ""
        yield f"{quantity(len(soft), 'more fault')} in this scenario:"
    for step in soft:
        found = step.fault or untold(step.outcome)
        yield f"{found.place or step.place} {_numbered(step, scenario)}"
        yield f"  {found.message}"
        yield from (f"  {line}" for part in _parts(found) for line in part.split("\n"))


def _numbered(step: StepResult, scenario: ScenarioResult) -> str:
    of = f" of {scenario.steps_planned}" if scenario.steps_planned >= step.number else ""
    return f"step {step.number}{of}: {one_line(step.title)}"


def _parts(fault: Fault) -> Iterator[str]:
    for label, raw in parts(fault):
        text = for_xml(raw)  # before it is indented: it may hold line ends of other kinds
        if label:
            name = f"{label}:".ljust(10)
            yield name + text.replace("\n", "\n" + " " * len(name))
        else:
            yield text


def _output(scenario: ScenarioResult, attached: Attachments) -> Iterator[str]:
    yield from attached.markers  # first: Jenkins reads only the start of what a passed case says
    yield from (f"artifact: {path}" for path in attached.others)
    for step in scenario.steps:
        yield from (f"warning: step {step.number}: {text}" for text in step.warnings)
    yield from _steps(scenario)


def _steps(scenario: ScenarioResult) -> Iterator[str]:
    before = 0
    for step in scenario.steps:
        yield from _gap(step.number - before - 1)
        yield _line(step)
        before = step.number
    yield from _gap(scenario.steps_played - before)


def _gap(left_out: int) -> Iterator[str]:
    if left_out > 0:
        yield f"  ... {quantity(left_out, 'step')} left out ..."


def _line(step: StepResult) -> str:
    mark = step.outcome.upper() if step.faulty else step.outcome
    phase = "" if step.phase == "steps" else f"{step.phase}: "
    reason = f" ({one_line(step.reason)})" if step.reason else ""
    title = one_line(step.title)
    return f"{step.number:3}. {mark:7} {phase}{title}{reason} [{duration(step.duration)}]"


def _problems(scenario: ScenarioResult, attached: Attachments) -> Iterator[str]:
    yield from (f"{note.level}: {note.text}" for note in scenario.notes)
    if scenario.notes_left_out:
        yield f"... {quantity(scenario.notes_left_out, 'more note')} ..."
    yield from attached.problems


def _artifacts(scenario: ScenarioResult) -> Iterator[Any]:
    for step in scenario.steps:
        yield from step.artifacts
    yield from scenario.artifacts
    for attempt in scenario.attempts:
        yield from _artifacts(attempt)
