"""Where in a file a schema error stands, and how to speak of that place."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import yaml
from jsonschema.exceptions import ValidationError

from tapir_replay.scenario.diagnostics import Span, quoted
from tapir_replay.scenario.schema import MODIFIERS
from tapir_replay.scenario.yaml_nodes import PLAIN, YamlTree, lookup, span_of
from tapir_replay.verbs.catalogue import STEP_VERBS
from tapir_replay.verbs.model import Verb

PHASES = (["setup"], ["steps"], ["teardown"])
"""Paths of the parts that hold steps."""


class Spot:
    """The place of one error."""

    def __init__(self, error: ValidationError, tree: YamlTree) -> None:
        assert tree.root is not None
        self.path = list(error.absolute_path)
        self.text = tree.text
        self.root: yaml.Node = tree.root
        self.schema: Mapping[str, Any] = error.schema if isinstance(error.schema, dict) else {}
        self.wanted: Any = error.validator_value
        self.instance: Any = error.instance
        self.is_key = "propertyNames" in error.absolute_schema_path
        self.key_node, self.node = lookup(self.root, self.path)

    @property
    def value_span(self) -> Span:
        if self.key_node is not None and isinstance(self.node, yaml.ScalarNode):
            return span_of(self.node) if self.node.value else span_of(self.key_node)
        return span_of(self.key_node or self.node)

    def span_of_key(self, key: str) -> Span:
        found, node = lookup(self.root, [*self.path, key])
        return span_of(found or node)

    @property
    def name(self) -> str:
        """`tap`, `target of tap`, `step 3`, `item 2 of tags`, `a scenario`."""
        inside = self.path[2:] if self.path[:1] in PHASES else self.path
        if not inside:
            if self.is_step:
                return f"step {int(self.path[1]) + 1}"
            return str(self.path[0]) if self.path else "a scenario"
        *above, last = inside
        parent = next((part for part in reversed(above) if isinstance(part, str)), None)
        if isinstance(last, int):
            return f"item {last + 1} of {parent}"
        if parent == "save":
            return f"{quoted(last)} of {parent}"
        return last if parent is None else f"{last} of {parent}"

    @property
    def is_step(self) -> bool:
        return len(self.path) == 2 and self.path[:1] in PHASES and isinstance(self.path[1], int)

    @property
    def verb(self) -> Verb | None:
        """The verb whose parameters stand here."""
        inside = len(self.path) == 3 and self.path[:1] in PHASES
        return STEP_VERBS.get(str(self.path[2])) if inside else None

    @property
    def checks_app(self) -> bool:
        """Whether the step here has no verb but `expect`."""
        _, step = lookup(self.root, self.path[:2])
        keys = {key.value for key, _ in step.value}
        return keys <= {"expect", *MODIFIERS}

    @property
    def is_comment(self) -> bool:
        """Whether nothing stands here but a comment."""
        rest = self.text[self.key_node.end_mark.index :] if self.key_node is not None else ""
        return re.match(r":[ \t]+#", rest) is not None

    @property
    def is_plain(self) -> bool:
        return self.node.tag == PLAIN
