"""A flow of Maestro as a scenario or a fragment."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from tapir_replay.convert.maestro_commands import COMMANDS
from tapir_replay.convert.maestro_steps import Flow, Linker
from tapir_replay.convert.maestro_texts import Names, names_in
from tapir_replay.convert.model import Converted, Left, Notes, Param, steps_of
from tapir_replay.convert.source import Node, Source
from tapir_replay.scenario import suggest
from tapir_replay.scenario.diagnostics import Span
from tapir_replay.scenario.writing import Step

Phases = tuple[list[Step], list[Step], list[Step]]

_CONFIG = ("appId", "url", "name", "tags", "env", "onFlowStart", "onFlowComplete")
_WORKSPACE = ("flows", "includeTags", "excludeTags", "executionOrder", "testOutputDir")
_OWN_DEFAULT = re.compile(r"""\$\{\s*(\w+)\s*\|\|\s*(?:"([^"]*)"|'([^']*)'|([0-9.]+))\s*\}\Z""")
"""How a flow of Maestro says what a value is when none is given."""
_TAG = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]*\Z")


def is_flow(source: Source) -> bool:
    """Whether a file looks like a flow of Maestro."""
    documents = source.documents
    if not documents:
        return False
    first = documents[0].entries
    if len(documents) > 1:
        return first is not None and documents[-1].items is not None
    return documents[0].items is not None or (
        first is not None and ("appId" in first or "url" in first or is_workspace(source))
    )


def is_workspace(source: Source) -> bool:
    """Whether a file is the configuration of a folder of flows."""
    first = source.documents[0].entries if len(source.documents) == 1 else None
    return first is not None and any(each in first for each in _WORKSPACE)


def convert_flow(source: Source, linker: Linker, *, fragment: bool) -> Converted:
    """What a flow becomes.

    Args:
        source: The flow.
        linker: What the files become that it uses.
        fragment: It becomes one, since others use it.
    """
    return _File(source, linker, fragment=fragment).convert()


class _File:
    def __init__(self, source: Source, linker: Linker, *, fragment: bool) -> None:
        self._fragment = fragment
        self._notes = Notes(source)
        self._names = Names(self._notes)
        self._flow = Flow(source, self._notes, self._names, linker, COMMANDS)
        self._params: dict[str, Param] = {}
        self._vars: dict[str, Any] = {}
        self._defined: set[str] = set()

    def convert(self) -> Converted:
        documents = self._flow.source.documents
        commands = [each for each in documents if each.items is not None]
        config = documents[0].entries or {}
        for each in documents[1 if config else 0 :]:
            if each is not commands[0] if commands else True:
                self._notes.leave_above(each, "a document of its own", "a flow has two of them")
        if config:
            self._unknown_keys(config)
            app = config.get("appId") or config.get("url")
            self._flow.app = (app.text if app is not None else None) or ""
            self._env(config.get("env"))
        document: dict[str, Any] = self._heading(config)
        setup = self._hook(config.get("onFlowStart"))
        steps = self._flow.steps((commands[0].items or ()) if commands else ())
        teardown = self._hook(config.get("onFlowComplete"))
        if self._fragment:
            steps = [*setup, *steps]
            if teardown:
                self._notes.leave_above(
                    config["onFlowComplete"],
                    "onFlowComplete: a fragment has no teardown",
                    "put these steps into the teardown of the scenarios that use it",
                )
        else:
            setup, steps, teardown = _without_empty(setup, steps, teardown)
            if setup:
                document["setup"] = setup
        if not list(steps_of(steps)):
            return self._nothing(commands)
        self._values(document)
        document["steps"] = steps
        if teardown and not self._fragment:
            document["teardown"] = teardown
        return Converted(document=document, notes=self._notes, params=self._params)

    def _nothing(self, commands: list[Node]) -> Converted:
        """What becomes of a flow without steps."""
        span = commands[0].span if commands else Span(line=1, column=1)
        empty = self._fragment and bool(commands) and not self._notes.left
        if empty:
            why = "nothing has to be done for it, so no file is written"
            self._notes.differs("nothing-to-do", span, why)
        elif not self._notes.left:
            self._notes.leave(span, "there is no step in it")
        return Converted(document=None, notes=self._notes, empty=empty)

    def _heading(self, config: Mapping[str, Node]) -> dict[str, Any]:
        document: dict[str, Any] = {}
        name = config.get("name")
        if name is not None and name.text:
            document["name"] = name.text
        elif name is not None and not name.is_nothing:
            self._notes.leave_above(name, "name: a text is expected")
        if self._fragment:
            document["kind"] = "fragment"
        tags = config.get("tags")
        if tags is not None and not tags.is_nothing:
            listed = self._tags(tags)
            if listed and not self._fragment:
                document["tags"] = listed
        return document

    def _tags(self, node: Node) -> list[str]:
        found = []
        for each in node.items or ():
            if each.text is not None and _TAG.match(each.text):
                found.append(each.text)
            else:
                self._notes.leave_above(
                    each, "tags: no tag is written so", "letters, digits, _, - and ."
                )
        if node.items is None:
            self._notes.leave_above(node, "tags: a list is expected")
        if found and self._fragment:
            self._notes.differs(
                "tags", node.span, "tags of a fragment are left out: it is not played by itself"
            )
        return found

    def _unknown_keys(self, config: Mapping[str, Node]) -> None:
        for name, node in config.items():
            if name not in _CONFIG:
                guess = suggest.nearest(name, _CONFIG)
                hint = f'did you mean "{guess}"?' if guess else ""
                self._notes.leave_above(node, f"{name}: there is nothing like it", hint)

    def _hook(self, node: Node | None) -> list[Step]:
        if node is None or node.is_nothing:
            return []
        if node.items is None:
            self._notes.leave_above(node, "a list of commands is expected")
            return []
        return self._flow.steps(node.items)

    # Values

    def _env(self, node: Node | None) -> None:
        if node is None or node.is_nothing:
            return
        if node.entries is None:
            self._notes.leave_above(node, "env: a map is expected")
            return
        for name in node.entries:
            self._define(name, node.entries, ())

    def _define(self, name: str, entries: Mapping[str, Node], above: tuple[str, ...]) -> None:
        """One variable, after those that its value is made of."""
        node = entries[name]
        if name in self._defined:
            return
        for each in names_in(node.text or ""):
            if each in entries and each not in (name, *above):
                self._define(each, entries, (*above, name))
        self._defined.add(name)
        try:
            self._variable(name, node)
        except Left as left:
            self._notes.leave_above(node, f"env: {left.why}", left.hint)

    def _variable(self, name: str, node: Node) -> None:
        if node.text is None:
            raise Left("a value of env is a text", node)
        if node.text.strip() == f"${{{name}}}":
            self._names.expression(name, node)
            return
        default = _OWN_DEFAULT.match(node.text)
        if default is not None and default[1] == name:
            given = default[2] or default[3] or default[4] or ""
            value, fixed = self._names.filled(given, node), False
        elif name in names_in(node.text) or name in self._names.needed:
            raise Left(f"{name} is made of itself", node)
        else:
            value, fixed = self._names.filled(node.text, node), True
        ours = self._names.define(name, node)
        self._vars[ours] = value
        self._params[name] = Param(ours=ours, default=value, has_default=True, fixed=fixed)

    def _values(self, document: dict[str, Any]) -> None:
        """What comes from outside, then what the flow sets itself."""
        outside = [(name, node) for name, node in self._names.needed.items()]
        if not self._fragment:
            values = {}
            for name, node in outside:
                ours = self._names.ours[name]
                values[ours] = f"{{{{ env.{name} }}}}"
                self._notes.differs(
                    "outside",
                    node.value_span,
                    f"{name} comes from outside (maestro -e {name}=...)",
                    f"set {name} in the environment, or --var {ours}=...; a password belongs"
                    " under secrets",
                )
            if values or self._vars:
                document["vars"] = {**values, **self._vars}
            return
        needed = {name: Param(ours=self._names.ours[name]) for name, _ in outside}
        self._params = {**needed, **self._params}
        if self._params:
            document["params"] = _written(self._params.values())


def _without_empty(setup: list[Step], steps: list[Step], teardown: list[Step]) -> Phases:
    """The phases; comments of one that has no step go to the steps."""
    if not list(steps_of(setup)):
        setup, steps = [], [*setup, *steps]
    if not list(steps_of(teardown)):
        steps, teardown = [*steps, *teardown], []
    return setup, steps, teardown


def _written(params: Iterable[Param]) -> dict[str, Any]:
    return {each.ours: {"default": each.default} if each.has_default else {} for each in params}
