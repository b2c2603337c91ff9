"""The text of a snapshot as a tree of lines: read, narrowed down, compared. Pure.

A label may hold line breaks, so that one node spans lines.
"""

from __future__ import annotations

import difflib
import re
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

_NODE = re.compile(
    r'^(?P<indent> *)- (?P<role>\w+) "(?P<label>(?:[^"\\]|\\.)*)"'
    r'(?:: "(?P<value>(?:[^"\\]|\\.)*)")?(?: \[ref=(?P<ref>e\d+)\])?(?P<marks>(?: \[\w+\])*)$',
    re.DOTALL,
)
_BEGINS = re.compile(r'^ *- \w+ "')


@dataclass(frozen=True, slots=True)
class Node:
    """A widget, or a plain text (`role` is then `text`, and there is no ref).

    Attributes:
        depth: How far in it is.
        marks: `offscreen`, `occluded`.
        lines: As printed, with the lines below that belong to it.
    """

    depth: int
    role: str
    label: str
    value: str | None
    ref: str
    marks: tuple[str, ...]
    lines: tuple[str, ...]

    @property
    def name(self) -> tuple[str, str]:
        return self.role, self.label

    @property
    def shown(self) -> str:
        """What it holds, else what it is called."""
        return self.value or self.label


def nodes_of(snapshot: str) -> list[Node]:
    """The nodes of a snapshot, in order."""
    nodes: list[Node] = []
    entries = _entries(snapshot)
    for first, rest in entries:
        found = _NODE.match(first)
        if found is None:
            continue
        nodes.append(
            Node(
                depth=len(found["indent"]) // 2,
                role=found["role"],
                label=_plain(found["label"]),
                value=None if found["value"] is None else _plain(found["value"]),
                ref=found["ref"] or "",
                marks=tuple(re.findall(r"\w+", found["marks"])),
                lines=(first, *rest),
            )
        )
    return nodes


def text_of(nodes: Sequence[Node]) -> str:
    return "".join(f"{line}\n" for node in nodes for line in node.lines)


def below(nodes: Sequence[Node], ref: str) -> list[Node] | None:
    """A node and all that is in it, moved to the left; None when it is not there."""
    for index, node in enumerate(nodes):
        if node.ref == ref:
            inside = [node]
            for each in nodes[index + 1 :]:
                if each.depth <= node.depth:
                    break
                inside.append(each)
            return [_moved(each, node.depth) for each in inside]
    return None


def matching(nodes: Sequence[Node], pattern: str) -> tuple[list[Node], bool]:
    """The nodes whose label or value has the pattern, with those around them.

    Also tells whether the pattern was none, and was taken as it stands.
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            wanted = re.compile(pattern)
        literal = False
    except re.error:
        wanted, literal = re.compile(re.escape(pattern)), True
    keep: set[int] = set()
    for index, node in enumerate(nodes):
        if wanted.search(node.label) or (node.value and wanted.search(node.value)):
            keep.add(index)
            keep.update(_around(nodes, index))
    return [node for index, node in enumerate(nodes) if index in keep], literal


def interactive(nodes: Sequence[Node]) -> list[Node]:
    """The nodes that can be acted on."""
    return [node for node in nodes if node.ref]


def changes(before: str, after: str) -> str:
    """What changed, a line each, in the form of a snapshot of changes."""
    old, new = before.splitlines(), after.splitlines()
    found: list[str] = []
    changed = 0
    matcher = difflib.SequenceMatcher(None, old, new, autojunk=False)
    for kind, a, b, c, d in matcher.get_opcodes():
        if kind == "equal":
            continue
        changed += max(b - a, d - c)
        for offset in range(max(b - a, d - c)):
            if a + offset < b:
                found.append(f"- {old[a + offset]}")
            if c + offset < d:
                found.append(f"+ {new[c + offset]}")
    return "".join(f"{line}\n" for line in [*found, f"({changed} of {len(new)} lines changed)"])


def _entries(snapshot: str) -> Iterator[tuple[str, list[str]]]:
    """Each node's own line, line breaks of its label included, and the lines below it."""
    first: str | None = None
    rest: list[str] = []
    for line in snapshot.split("\n"):
        if first is not None and _NODE.match(first) is None and not _BEGINS.match(line):
            first += f"\n{line}"
        elif _BEGINS.match(line):
            if first is not None:
                yield first, rest
            first, rest = line, []
        elif first is not None and line:
            rest.append(line)
    if first is not None:
        yield first, rest


def _around(nodes: Sequence[Node], index: int) -> Iterator[int]:
    depth = nodes[index].depth
    for above in range(index - 1, -1, -1):
        if nodes[above].depth < depth:
            depth = nodes[above].depth
            yield above


def _moved(node: Node, depth: int) -> Node:
    cut = " " * (2 * depth)
    lines = tuple(line.removeprefix(cut) for line in node.lines)
    return replace(node, depth=node.depth - depth, lines=lines)


def _plain(text: str) -> str:
    return re.sub(r"\\(.)", r"\1", text)
