"""The file of a recording: valid at every moment, and never over somebody else's work."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import yaml

from tapir_replay.recorder.steps import Writer
from tapir_replay.recorder.timeline import Entry
from tapir_replay.scenario.schema import ID
from tapir_replay.scenario.writing import Commented, Step, literal, write_scenario, write_step
from tapir_replay.scenario.yaml_tree import parse

_NOTHING: Step = {"log": "nothing was recorded yet"}

_OF_SETUP = frozenset({"reset_overlays", "dismiss_modals"})


class CannotAppend(Exception):
    """The file is none that steps can be put behind. The text is for people."""


@dataclass(frozen=True, slots=True)
class Start:
    """What a new file begins with.

    Attributes:
        name: What the scenario is called.
        app: The app it is for; None where the command line says so.
        route: Where the app was.
        schema: Where editors find the schema.
    """

    name: str
    app: str | None = None
    route: str | None = None
    schema: str = ID


class NewFile:
    """A scenario of its own."""

    before = 0

    def __init__(self, start: Start) -> None:
        self._start = start

    def text(self, steps: Sequence[Step], secrets: Sequence[str]) -> str:
        start = self._start
        setup: list[Step] = ["reset_overlays"]
        if start.route:
            setup.append({"navigate": literal(start.route)})
        document: dict[str, Any] = {"name": literal(start.name)}
        if start.app is not None:
            document["app"] = start.app
        if secrets:
            document["secrets"] = list(secrets)
        # A scenario without steps is none.
        done = [*steps, *([] if any(not _is_remark(each) for each in steps) else [_NOTHING])]
        return write_scenario({**document, "setup": setup, "steps": done}, schema=start.schema)


class Appended:
    """A scenario that is there, with further steps at the end of its own.

    Args:
        text: What the file holds.
        file: Its name, for messages.

    Attributes:
        before: How many steps of its own it has.

    Raises:
        CannotAppend: It is no scenario, or its steps stand on one line.
    """

    def __init__(self, text: str, file: str) -> None:
        tree = parse(text.encode("utf-8", "surrogatepass"), file)
        root = tree.root
        nodes = (
            {key.value: (key, value) for key, value in root.value}
            if isinstance(root, yaml.MappingNode)
            else {}
        )
        if tree.diagnostics or "steps" not in nodes:
            raise CannotAppend(f"{file}: it is no scenario with steps; see tapir-replay validate")
        _, steps = nodes["steps"]
        if not isinstance(steps, yaml.SequenceNode) or (steps.flow_style and steps.value):
            raise CannotAppend(f"{file}: its steps stand on one line; give each a line of its own")
        self.before = len(steps.value)
        self._lines = text.replace("\r\n", "\n").split("\n")
        self._steps_line = nodes["steps"][0].start_mark.line
        self._indent = 2 if steps.flow_style else steps.start_mark.column
        self._is_empty = bool(steps.flow_style)
        self._end = _last_line(steps) + 1
        found = nodes.get("secrets")
        self._secrets: list[str] = []
        self._secrets_at: tuple[int, int] | None = None
        if found is not None and isinstance(found[1], yaml.SequenceNode):
            self._secrets = [each.value for each in found[1].value]
            self._secrets_at = (found[0].start_mark.line, _last_line(found[1]) + 1)

    def text(self, steps: Sequence[Step], secrets: Sequence[str]) -> str:
        if not steps:
            return "\n".join(self._lines)
        lines = list(self._lines)
        written = "".join(write_step(each, self._indent) for each in steps).rstrip("\n").split("\n")
        if self._is_empty:
            lines[self._steps_line : self._end] = ["steps:", *written]
        else:
            lines[self._end : self._end] = written
        missing = [each for each in secrets if each not in self._secrets]
        if missing:
            line = f"secrets: [{', '.join([*self._secrets, *missing])}]"
            first, last = self._secrets_at or (self._steps_line, self._steps_line)
            if first > self._steps_line:
                grown = len(lines) - len(self._lines)
                first, last = first + grown, last + grown
            lines[first:last] = [line]
        return "\n".join(lines)


def _last_line(node: Any) -> int:
    """The last line that a node stands on: the end of a block is where the next thing starts."""
    children = _parts(node)
    if children and not node.flow_style:
        return _last_line(children[-1])
    end = node.end_mark
    return int(end.line - 1 if end.column == 0 and end.line > node.start_mark.line else end.line)


def _parts(node: Any) -> list[Any]:
    if isinstance(node, yaml.SequenceNode):
        return list(node.value)
    if isinstance(node, yaml.MappingNode):
        return [value for _, value in node.value]
    return []


@dataclass(slots=True)
class Document:
    """What is recorded, as text.

    Attributes:
        form: A new file, or one that is there.
        route: Where the app was at the start; going there is part of the setup.
        marks: What did not come out the same when it was played, by the step's number in the
            file, from 0.
    """

    writer: Writer
    form: NewFile | Appended
    route: str | None = None
    marks: Mapping[int, str] = field(default_factory=dict)

    def text(self, entries: Sequence[Entry]) -> str:
        steps = self.steps(entries)
        played = [each for each in steps if not _is_remark(each)]
        places = {id(each): self.form.before + index for index, each in enumerate(played)}
        marked = [_marked(each, self.marks.get(places.get(id(each), -1))) for each in steps]
        return self.form.text(marked, sorted(self.writer.secrets.used))

    def steps(self, entries: Sequence[Entry]) -> list[Step]:
        own = self._without_setup(entries)
        return [step for steps in self.writer.steps(own) for step in steps]

    def _without_setup(self, entries: Sequence[Entry]) -> Sequence[Entry]:
        """A tool that plays a scenario begins with what the setup of this one does."""
        first = 0
        for entry in entries:
            action = entry.action
            params = action.data.get("params")
            route = params.get("route") if isinstance(params, dict) else None
            goes_to_start = action.name == "navigate" and route == self.route
            if not action.tool or not (action.name in _OF_SETUP or goes_to_start):
                break
            first += 1
        return entries[first:]


def _is_remark(step: Step) -> bool:
    return isinstance(step, Commented) and step.step is None


def _marked(step: Step, fault: str | None) -> Step:
    if fault is None:
        return step
    remark = f"did not reproduce: {fault}"
    if isinstance(step, Commented):
        return replace(step, before=[*step.before, remark])
    return Commented(step, before=[remark])


def free_name(path: Path) -> Path:
    """The path, or one like it that nothing is at yet."""
    found, number = path, 1
    while os.path.lexists(found):
        number += 1
        found = path.with_name(f"{path.stem}-{number}{path.suffix}")
    return found
