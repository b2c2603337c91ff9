"""A parsed file: a tree of PyYAML's nodes, and where each stands."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

import yaml

from tapir_replay.scenario.diagnostics import Diagnostic, Span, lines_of

PLAIN = "plain"
"""The tag of a scalar without quotes: what it means depends on what is wanted there."""
TEXT = "tag:yaml.org,2002:str"
MAP = "tag:yaml.org,2002:map"
SEQUENCE = "tag:yaml.org,2002:seq"

MAX_DEPTH = 60
TOO_DEEP = f"nested more than {MAX_DEPTH} levels deep"


@dataclass(slots=True)
class YamlTree:
    """A parsed file.

    Attributes:
        file: As the person named it.
        text: The decoded text, for snippets.
        root: None when it could not be parsed, or is empty.
        diagnostics: What was wrong so far.
    """

    file: str
    text: str = ""
    root: yaml.Node | None = None
    diagnostics: list[Diagnostic] = field(default_factory=list)

    def report(self, code: str, message: str, span: Span | None, hint: str = "") -> None:
        self.diagnostics.append(
            Diagnostic(code=code, file=self.file, message=message, span=span, hint=hint)
        )


def span_of(node: yaml.Node) -> Span:
    """Where a node stands; its length ends with its first line."""
    start, end = node.start_mark, node.end_mark
    length = 1
    if end.line == start.line:
        length = end.column - start.column
    elif isinstance(node, yaml.ScalarNode) and node.style not in ("|", ">"):
        length = len(lines_of(node.value)[0])
    return Span(line=start.line + 1, column=start.column + 1, length=max(1, length))


def span_within(node: yaml.Node, text: str, word: str) -> Span:
    """Where a word of an expression stands in a scalar of this text; else the whole scalar."""
    written = text[node.start_mark.index : node.end_mark.index]
    opened = written.find("{{")
    found = re.compile(rf"(?<![\w.]){re.escape(word)}(?!\w)").search(written, max(0, opened))
    if opened < 0 or found is None:
        return span_of(node)
    before = lines_of(written[: found.start()])
    first = node.start_mark.column if len(before) == 1 else 0
    return Span(
        line=node.start_mark.line + len(before),
        column=first + len(before[-1]) + 1,
        length=len(word),
    )


def lookup(root: yaml.Node, path: Any) -> tuple[yaml.Node | None, yaml.Node]:
    """The key node (None in a list or at the root) and the value node at a path.

    Follows as far as the path goes; a missing part ends at the node above it.
    """
    key: yaml.Node | None = None
    node = root
    for part in path:
        if isinstance(node, yaml.MappingNode):
            for each, value in node.value:
                if each.value == part:
                    key, node = each, value
                    break
            else:
                return key, node
        elif (
            isinstance(node, yaml.SequenceNode) and isinstance(part, int) and part < len(node.value)
        ):
            key, node = None, node.value[part]
        else:
            return key, node
    return key, node


def span_after(before: str) -> Span:
    """The place right behind a stretch of text from the start of the file."""
    lines = lines_of(before)
    return Span(line=len(lines), column=len(lines[-1]) + 1)
