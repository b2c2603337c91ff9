"""A foreign file: its YAML documents, with the place of every value."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import yaml

from tapir_replay.scenario.diagnostics import Diagnostic, Span, lines_of
from tapir_replay.scenario.values import construct
from tapir_replay.scenario.yaml_nodes import PLAIN, span_of
from tapir_replay.scenario.yaml_tree import parse

_MOST_DOCUMENTS = 8

_MARK = re.compile(r"^---(?=[ \t\r\n]|\Z)", re.MULTILINE)
_NOTHING = re.compile(r"(?:[ \t\ufeff]*(?:#[^\r\n]*)?(?:\r\n|[\r\n]|\Z))*\Z")


@dataclass(frozen=True, slots=True)
class Node:
    """A value of the file.

    Attributes:
        node: PyYAML's own.
        key: The node of its key; None for an item of a list, or a whole document.
    """

    node: yaml.Node
    key: yaml.Node | None = None

    @property
    def entries(self) -> Mapping[str, Node] | None:
        """The entries of a map; None of anything else."""
        if not isinstance(self.node, yaml.MappingNode):
            return None
        return {key.value: Node(value, key) for key, value in self.node.value}

    @property
    def items(self) -> list[Node] | None:
        """The items of a list; None of anything else."""
        if not isinstance(self.node, yaml.SequenceNode):
            return None
        return [Node(each) for each in self.node.value]

    @property
    def text(self) -> str | None:
        """A scalar as it is written; None of anything else, and where nothing is written."""
        if not isinstance(self.node, yaml.ScalarNode):
            return None
        is_plain = self.node.tag == PLAIN
        return None if is_plain and self.node.value in _NULLS else str(self.node.value)

    @property
    def is_nothing(self) -> bool:
        """Whether nothing is written here, or null."""
        return isinstance(self.node, yaml.ScalarNode) and self.text is None

    @property
    def flag(self) -> bool | None:
        """True or false; None of anything else."""
        return _FLAGS.get(self.text or "")

    @property
    def number(self) -> float | None:
        """A number; None of anything else."""
        try:
            number = float(self.text or "")
        except ValueError:
            return None
        return number if abs(number) < _LARGE else None

    @property
    def whole(self) -> int | None:
        """A whole number; None of anything else."""
        number = self.number
        return int(number) if number is not None and number == int(number) else None

    @property
    def data(self) -> Any:
        """The value as plain data."""
        return construct(self.node)

    @property
    def span(self) -> Span:
        return span_of(self.key or self.node)

    @property
    def line(self) -> int:
        return (self.key or self.node).start_mark.line + 1

    @property
    def value_span(self) -> Span:
        """Of the value itself, where there is one."""
        return span_of(self.node) if isinstance(self.node, yaml.ScalarNode) else self.span

    def lines(self, text: str) -> Iterator[str]:
        """The lines of the file that it stands on."""
        first = (self.key or self.node).start_mark
        written = _lines_of(text)
        indent = first.column
        last = max(first.line, _last_line(self.node))
        for index in range(first.line, min(last + 1, len(written))):
            line = written[index]
            shown = line[indent:] if not line[:indent].strip() or index == first.line else line
            if shown.strip():
                yield shown.rstrip()


@functools.lru_cache(maxsize=2)
def _lines_of(text: str) -> list[str]:
    """The lines of a file, which is asked for again and again."""
    return lines_of(text)


def _last_line(node: yaml.Node) -> int:
    """The line, from 0, that a value ends on; a block has its mark where the next thing starts."""
    if isinstance(node, yaml.ScalarNode):
        end = node.end_mark
        return int(end.line - (node.style in ("|", ">") and end.column == 0))
    if getattr(node, "flow_style", None) or not node.value:
        return int(node.end_mark.line)
    last = node.value[-1]
    return _last_line(last[1] if isinstance(node, yaml.MappingNode) else last)


_NULLS = ("", "~", "null", "Null", "NULL")
_FLAGS = {"true": True, "True": True, "TRUE": True, "false": False, "False": False, "FALSE": False}
_LARGE = 1e9


@dataclass(frozen=True, slots=True)
class Source:
    """A parsed file.

    Attributes:
        file: As messages name it.
        text: Its text.
        documents: Its YAML documents; none when something is wrong.
        faults: What is wrong.
    """

    file: str
    text: str
    documents: tuple[Node, ...]
    faults: tuple[Diagnostic, ...] = ()


def read_source(data: bytes, file: str) -> Source:
    """Parse a file of any number of documents. Never raises for what it holds.

    Every document is parsed by itself, with the others left blank: so each has the parser that
    scenarios have, and places that are right.
    """
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return _of_one(data, file)
    starts = [found.start() for found in _MARK.finditer(text)]
    if not starts or len(starts) > _MOST_DOCUMENTS:
        return _of_one(data, file)  # which complains of a second document
    documents: list[Node] = []
    faults: list[Diagnostic] = []
    edges = [(0, 0), *((each, 3) for each in starts)]
    for (start, mark), (end, _) in zip(edges, [*edges[1:], (len(text), 0)], strict=True):
        part = text[start + mark : end]
        if _NOTHING.match(part):
            continue
        blank = "\n" * (len(lines_of(text[:start])) - 1)
        tree = parse(f"{blank}{' ' * mark}{part}".encode(), file)
        faults += tree.diagnostics
        if tree.root is not None:
            documents.append(Node(tree.root))
    return Source(file, text, () if faults else tuple(documents), tuple(faults))


def _of_one(data: bytes, file: str) -> Source:
    tree = parse(data, file)
    nothing = tree.root is None or bool(tree.diagnostics)
    documents = () if nothing or tree.root is None else (Node(tree.root),)
    return Source(file, tree.text, documents, tuple(tree.diagnostics))
