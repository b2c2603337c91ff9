"""Where in a file a schema error stands, and how to speak of that place."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from typing import Any

import yaml
from jsonschema.exceptions import ValidationError

from tapir_replay.scenario.diagnostics import Span, quoted
from tapir_replay.scenario.document import Document
from tapir_replay.scenario.schema import BESIDE, MODIFIERS
from tapir_replay.scenario.yaml_nodes import PLAIN, YamlTree, lookup, span_of
from tapir_replay.verbs.catalogue import STEP_VERBS
from tapir_replay.verbs.model import Verb


class Spot:
    """The place of one error."""

    def __init__(self, error: ValidationError, tree: YamlTree, document: Document) -> None:
        assert tree.root is not None
        self.document = document
        self.path = list(error.absolute_path)
        self._to_step = _steps_into(self.path, document.blocks)
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
        inside = self.path[self._to_step :]
        if not inside:
            return f"step {int(self.path[-1]) + 1}" if self.is_step else self.document.whole
        *above, last = inside
        parent = next((part for part in reversed(above) if isinstance(part, str)), None)
        if isinstance(last, int):
            return f"item {last + 1} of {parent}"
        if parent == "save":
            return f"{quoted(last)} of {parent}"
        return last if parent is None else f"{last} of {parent}"

    @property
    def part(self) -> tuple[str | int, ...]:
        """What is wrong as a whole: a step, an entry of a table, or what the top names."""
        in_table = bool(self.path) and self.path[0] in self.document.tables
        return tuple(self.path[: self._to_step or (2 if in_table else 1)])

    @property
    def holds_steps(self) -> bool:
        """Whether a list of steps belongs here."""
        return bool(self.path) and self.path[-1] in self.document.blocks

    @property
    def is_step(self) -> bool:
        return 0 < self._to_step == len(self.path)

    @property
    def verb(self) -> Verb | None:
        """The verb whose parameters stand here."""
        inside = 0 < self._to_step == len(self.path) - 1
        return STEP_VERBS.get(str(self.path[-1])) if inside else None

    @property
    def checks_app(self) -> bool:
        """Whether the step here has no verb but `expect`."""
        _, step = lookup(self.root, self.path[: self._to_step])
        keys = {key.value for key, _ in step.value}
        return keys <= {*BESIDE, *MODIFIERS}

    @property
    def is_comment(self) -> bool:
        """Whether nothing stands here but a comment."""
        rest = self.text[self.key_node.end_mark.index :] if self.key_node is not None else ""
        return re.match(r":[ \t]+#", rest) is not None

    @property
    def is_plain(self) -> bool:
        return self.node.tag == PLAIN


def _steps_into(path: Sequence[str | int], blocks: Collection[str]) -> int:
    """How much of a path leads to the innermost step it goes through; 0 outside of steps."""
    return max(
        (
            index + 2
            for index, part in enumerate(path[:-1])
            if part in blocks and isinstance(path[index + 1], int)
        ),
        default=0,
    )
