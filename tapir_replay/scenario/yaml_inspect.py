"""What no scenario can hold, refused before anybody walks the tree."""

from __future__ import annotations

import re

import yaml

from tapir_replay.scenario.diagnostics import Span, lines_of, quoted
from tapir_replay.scenario.yaml_nodes import (
    MAP,
    MAX_DEPTH,
    PLAIN,
    SEQUENCE,
    TEXT,
    TOO_DEEP,
    YamlTree,
    span_of,
)
from tapir_replay.scenario.yaml_syntax import HALF_CHARACTER, WHOLE_CHARACTER

MAX_REPEATED = 100_000
"""Values that aliases may add to a file."""

_SURROGATE = re.compile("[\ud800-\udfff]")


class Inspector:
    """Walks the composed tree once, each node one time, and refuses what no scenario can hold."""

    def __init__(self, tree: YamlTree) -> None:
        self.tree = tree
        self.usable = True
        self.nodes = 0
        self.open: set[int] = set()
        self.measured: dict[int, tuple[int, int]] = {}
        """Size and height of what has been seen, aliases expanded."""

    def inspect(self, root: yaml.Node) -> bool:
        """True when the tree may be used: walking it is safe, and every key is a text."""
        self._measure(root, 0)
        return self.usable

    def _measure(self, node: yaml.Node, depth: int) -> tuple[int, int]:
        if isinstance(node, yaml.ScalarNode):
            self.nodes += 1
            self._scalar(node)
            return 1, 0
        measured = self.measured.get(id(node))
        if id(node) in self.open:
            self._stop("alias-loop", "this holds itself, through an alias", node)
        elif depth + (measured[1] if measured else 1) > MAX_DEPTH:
            self._stop("too-deep", TOO_DEEP, node)
        elif measured is None:
            return self._collection(node, depth)
        return measured or (1, 0)

    def _collection(self, node: yaml.Node, depth: int) -> tuple[int, int]:
        self.nodes += 1
        self.open.add(id(node))
        if node.tag not in (MAP, SEQUENCE):
            self._refuse_tag(node)
        inside = self._values(node) if isinstance(node, yaml.MappingNode) else node.value
        size, height = 1, 0
        for each in inside:
            more, higher = self._measure(each, depth + 1)
            size, height = size + more, max(height, higher + 1)
        if size > MAX_REPEATED + self.nodes:
            self._stop(
                "too-many-values", f"the aliases in here add more than {MAX_REPEATED} values", node
            )
        self.open.discard(id(node))
        self.measured[id(node)] = size, height
        return size, height

    def _scalar(self, node: yaml.ScalarNode) -> None:
        if node.tag not in (PLAIN, TEXT):
            self._refuse_tag(node)
        if _SURROGATE.search(node.value):
            self._stop("bad-character", HALF_CHARACTER, node, WHOLE_CHARACTER)

    def _values(self, node: yaml.MappingNode) -> list[yaml.Node]:
        seen: dict[str, yaml.Node] = {}
        for key, _ in node.value:
            if not isinstance(key, yaml.ScalarNode):
                self._refuse_key(key)
                continue
            self._scalar(key)
            if key.value == "<<" and key.tag == PLAIN:
                self._report(
                    "merge-key",
                    "merge keys (<<) are not part of the format",
                    key,
                    "write the entries out",
                )
            elif key.value in seen:
                first = seen[key.value].start_mark.line + 1
                self._report(
                    "duplicate-key",
                    f"the key {quoted(key.value)} stands here twice; the first is on line {first}",
                    key,
                )
            seen.setdefault(key.value, key)
        return [value for _, value in node.value]

    def _refuse_key(self, key: yaml.Node) -> None:
        self.usable = False
        if isinstance(key, yaml.MappingNode) and key.start_mark.column > 0:
            line = lines_of(self.tree.text)[key.start_mark.line]
            start = key.start_mark.column
            if line[start - 1 : start + 1] == "{{":
                end = line.find("}}", start)
                written = line[start - 1 : end + 2] if end > 0 else "{{ ... }}"
                span = Span(line=key.start_mark.line + 1, column=start, length=len(written))
                self.tree.report(
                    "unquoted-template",
                    "a text that starts with {{ needs quotes",
                    span,
                    f"write '{written}'" if '"' in written else f'write "{written}"',
                )
                return
        self._report("key-not-text", "a key must be a plain text", key)

    def _refuse_tag(self, node: yaml.Node) -> None:
        tag = node.tag.replace("tag:yaml.org,2002:", "!!")
        self._report(
            "tag",
            f"tags are not part of the format: {tag}",
            node,
            'remove it; a text that starts with "!" needs quotes',
        )

    def _report(self, code: str, message: str, node: yaml.Node, hint: str = "") -> None:
        self.tree.report(code, message, span_of(node), hint)

    def _stop(self, code: str, message: str, node: yaml.Node, hint: str = "") -> None:
        self.usable = False
        if not any(each.code == code for each in self.tree.diagnostics):
            self._report(code, message, node, hint)
