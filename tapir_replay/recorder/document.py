"""The file of a recording: valid at every moment, and never over somebody else's work."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import yaml

from tapir_replay.recorder.secrets import Secrets
from tapir_replay.recorder.steps import NOT_RECORDED, Writer
from tapir_replay.recorder.timeline import Entry
from tapir_replay.scenario.schema import ID
from tapir_replay.scenario.writing import Commented, Step, literal, write_scenario, write_step
from tapir_replay.scenario.yaml_tree import parse

_NOTHING: Step = {"log": "nothing was recorded yet"}

_RESTARTED = Commented(None, before=["the app was restarted here; a replay does not restart it"])

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
    indent = 2

    def __init__(self, start: Start) -> None:
        self._start = start

    def text(self, steps: Sequence[str], secrets: Secrets) -> str:
        """The file.

        Args:
            steps: The text of each.
            secrets: What must not be readable in it, and which of it the steps need.
        """
        start = self._start
        setup: list[Step] = ["reset_overlays"]
        if start.route:
            setup.append({"navigate": secrets.text(start.route)})
        document: dict[str, Any] = {"name": literal(start.name)}
        if start.app is not None:
            document["app"] = start.app
        if secrets.used:
            document["secrets"] = sorted(secrets.used)
        document["setup"] = setup
        head = write_scenario(document, schema=start.schema)
        return f"{head}steps:\n{''.join(steps)}"


class Appended:
    """A scenario that is there, with further steps at the end of its own.

    Args:
        text: What the file holds.
        file: Its name, for messages.

    Attributes:
        before: How many steps of its own it has.
        indent: How many spaces stand before each.
        secrets: The names of those that it declares.
        names: What its secrets and variables are called.

    Raises:
        CannotAppend: It is no scenario, or its steps stand on one line.
    """

    def __init__(self, text: str, file: str) -> None:
        self._byte_order = text[: text.startswith("\ufeff")]
        text = text.removeprefix("\ufeff")
        tree = parse(text.encode("utf-8", "surrogatepass"), file)
        root = tree.root
        nodes = (
            {key.value: (key, value) for key, value in root.value}
            if isinstance(root, yaml.MappingNode) and not root.flow_style
            else {}
        )
        if tree.diagnostics or "steps" not in nodes:
            raise CannotAppend(f"{file}: it is no scenario with steps; see tapir-replay validate")
        key, steps = nodes["steps"]
        if not isinstance(steps, yaml.SequenceNode):
            raise CannotAppend(f"{file}: its steps are no list; see tapir-replay validate")
        if steps.flow_style and steps.value:
            raise CannotAppend(f"{file}: its steps stand on one line; give each a line of its own")
        self.before = len(steps.value)
        # As YAML sees lines, and with what ends each of them: all else stays as it is.
        self._lines = text.splitlines(keepends=True)
        self._newline = "\r\n" if "\r\n" in text else "\n"
        self._margin = key.start_mark.column
        self._steps_line = key.start_mark.line
        self._is_empty = bool(steps.flow_style)
        self.indent = self._margin + 2 if self._is_empty else steps.start_mark.column
        if not self._is_empty and _is_alias(steps, len(steps.value) - 1):
            raise CannotAppend(f"{file}: its last step is an alias; write it out")
        self._end = _last_line(steps) + 1
        secrets: Any = nodes["secrets"][1] if "secrets" in nodes else None
        self._declared = secrets if isinstance(secrets, yaml.SequenceNode) else None
        self.secrets = [each.value for each in secrets.value] if self._declared else []
        variables: Any = nodes["vars"][1] if "vars" in nodes else None
        is_map = isinstance(variables, yaml.MappingNode)
        self.names = frozenset(self.secrets) | (
            {each.value for each, _ in variables.value} if is_map else set()
        )

    def text(self, steps: Sequence[str], secrets: Secrets) -> str:
        """The file, with further steps; see `NewFile.text`."""
        if not steps:
            return self._byte_order + "".join(self._lines)
        lines = list(self._lines)
        written = self._as_lines("".join(steps))
        if lines and not lines[self._end - 1].endswith(_LINE_ENDS):
            lines[self._end - 1] += self._newline
            written[-1] = written[-1].removesuffix(self._newline)
        missing = [each for each in sorted(secrets.used) if each not in self.secrets]
        place = self._declared.start_mark.line if self._declared else self._steps_line
        if place > self._steps_line:  # from below upwards, so that lines keep their numbers
            self._declare(missing, lines)
        if self._is_empty:
            empty = lines[self._end - 1].partition("]")[2]
            lines[self._steps_line : self._end] = [
                f"{' ' * self._margin}steps:{empty if empty.strip() else self._newline}",
                *written,
            ]
        else:
            lines[self._end : self._end] = written
        if place <= self._steps_line:
            self._declare(missing, lines)
        return self._byte_order + "".join(lines)

    def _declare(self, names: Sequence[str], lines: list[str]) -> None:
        """Add secrets to those of the file."""
        declared = self._declared
        if not names:
            return
        if declared is None:
            line = f"{' ' * self._margin}secrets: [{', '.join(names)}]"
            lines[self._steps_line : self._steps_line] = self._as_lines(line)
        elif declared.flow_style:
            mark = declared.end_mark
            line = lines[mark.line]
            before, behind = line[: mark.column - 1], line[mark.column - 1 :]
            comma = ", " if declared.value and not before.rstrip().endswith(",") else ""
            lines[mark.line] = f"{before}{comma}{', '.join(names)}{behind}"
        else:
            last = _last_line(declared) + 1
            dash = " " * declared.start_mark.column + "- "
            lines[last:last] = self._as_lines("\n".join(f"{dash}{each}" for each in names))

    def _as_lines(self, text: str) -> list[str]:
        return [f"{each}{self._newline}" for each in text.removesuffix("\n").split("\n")]


_LINE_ENDS = ("\n", "\r", "\x85", "\u2028", "\u2029")


def _last_line(node: Any) -> int:
    """The last line that a node stands on: the end of a block is where the next thing starts."""
    children = _parts(node)
    if children and not node.flow_style:
        last = len(children) - 1
        return _last_line(children[last - 1 if _is_alias(node, last) else last])
    end = node.end_mark
    return int(end.line - 1 if end.column == 0 and end.line > node.start_mark.line else end.line)


def _is_alias(node: Any, index: int) -> bool:
    """Whether a part of a node is written somewhere else, before the part before it."""
    parts = _parts(node)
    before = parts[index - 1] if index else node
    return bool(parts[index].start_mark.index < before.start_mark.index) or (
        index > 0 and parts[index] is before
    )


def _parts(node: Any) -> list[Any]:
    """Items, or keys and values."""
    if isinstance(node, yaml.SequenceNode):
        return list(node.value)
    if isinstance(node, yaml.MappingNode):
        return [each for pair in node.value for each in pair]
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
    _texts: dict[int, tuple[Step, str]] = field(default_factory=dict)

    def text(self, entries: Sequence[Entry], aside: Sequence[Entry] = ()) -> str:
        """The file.

        Args:
            entries: What was recorded.
            aside: What was done besides.
        """
        steps = self.steps(entries, aside)
        is_written = bool(steps) or isinstance(self.form, NewFile)
        if is_written and not self.form.before and all(_is_remark(each) for each in steps):
            steps = [*steps, _NOTHING]  # a scenario without steps is none
        before, self._texts = self._texts, {}
        place = self.form.before
        texts: list[str] = []
        for each in steps:
            fault = None if _is_remark(each) else self.marks.get(place)
            place += not _is_remark(each)
            if fault is not None:
                texts.append(write_step(_marked(each, fault), self.form.indent))
                continue
            known = before.get(id(each)) or (each, write_step(each, self.form.indent))
            self._texts[id(each)] = known
            texts.append(known[1])
        return self.form.text(texts, self.writer.secrets)

    def count(self, entries: Sequence[Entry], aside: Sequence[Entry] = ()) -> tuple[int, int]:
        """How many steps were recorded, and how many actions were not."""
        steps = self.steps(entries, aside)
        remarks = [each for each in steps if isinstance(each, Commented) and each.step is None]
        missed = sum(each.before[0].startswith(NOT_RECORDED) for each in remarks)
        return len(steps) - len(remarks), missed

    def steps(self, entries: Sequence[Entry], aside: Sequence[Entry] = ()) -> list[Step]:
        """What is done, and remarks, in order."""
        own = self.own(entries)
        run = own[0].action.run if own else ""
        found: list[Step] = []
        for entry, steps in zip(own, self.writer.steps(own, aside), strict=True):
            if entry.action.run != run:
                found.append(_RESTARTED)
            run = entry.action.run
            found += steps
        return found

    def own(self, entries: Sequence[Entry]) -> Sequence[Entry]:
        """Those that are written: a tool that plays a scenario begins with what our setup does."""
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


def _marked(step: Step, fault: str) -> Step:
    remark = f"did not reproduce: {fault}"
    if isinstance(step, Commented):
        return replace(step, before=[*step.before, remark])
    return Commented(step, before=[remark])
