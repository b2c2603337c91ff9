"""YAML text to a tree of nodes with positions; every fault a diagnostic.

The tree is PyYAML's own (through libyaml where the wheel has it), with two things of ours: a plain
scalar carries the tag `PLAIN`, so that what it means is decided later by what the schema wants
there; and what no scenario needs is refused: tags, merge keys, repeated keys, keys that are not
text, a second document, aliases that multiply.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

import yaml

from tapir_replay.scenario.diagnostics import Diagnostic, Span, lines_of

PLAIN = "plain"
_TEXT = "tag:yaml.org,2002:str"
_MAP = "tag:yaml.org,2002:map"
_SEQ = "tag:yaml.org,2002:seq"

MAX_BYTES = 8 * 1024 * 1024
MAX_DEPTH = 60
MAX_NODES = 2_000_000
"""Nodes after aliases are expanded."""

_Base: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class _Loader(_Base):  # type: ignore[misc]
    """Composes nodes; resolves nothing but "was it plain?"."""

    def resolve(self, kind: type, value: str | None, implicit: Any) -> str:  # noqa: ARG002
        if kind is yaml.ScalarNode:
            return PLAIN if implicit[0] else _TEXT
        return _MAP if kind is yaml.MappingNode else _SEQ

    def descend_resolver(self, current_node: Any, current_index: Any) -> None:
        """Path resolvers are not used; skipping them is most of PyYAML's time here."""

    def ascend_resolver(self) -> None:
        """See `descend_resolver`."""


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


def parse(data: bytes, file: str) -> YamlTree:
    """Parse a file's bytes. Never raises for what a file holds."""
    tree = YamlTree(file)
    if len(data) > MAX_BYTES:
        tree.report("too-large", f"the file has more than {MAX_BYTES // 1024 // 1024} MB", None)
    elif (text := _decode(data, tree)) is not None:
        tree.text = text
        root = _compose(text, tree)
        if root is not None and _Inspector(tree).inspect(root):
            tree.root = root
    return tree


def span_of(node: yaml.Node) -> Span:
    """Where a node stands; its length ends with its first line."""
    start, end = node.start_mark, node.end_mark
    if end.line == start.line:
        length = end.column - start.column
    elif isinstance(node, yaml.ScalarNode) and node.value:
        length = len(lines_of(node.value)[0])
    else:
        length = 1
    return Span(line=start.line + 1, column=start.column + 1, length=max(1, length))


def pairs(node: yaml.Node) -> list[tuple[yaml.ScalarNode, yaml.Node]]:
    """The entries of a mapping that has been inspected; empty for other nodes."""
    return node.value if isinstance(node, yaml.MappingNode) else []


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


def _decode(data: bytes, tree: YamlTree) -> str | None:
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        tree.report("not-utf-8", "the file is UTF-16", None, "save it as UTF-8")
        return None
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        before = data[: error.start].decode("utf-8-sig", errors="replace")
        tree.text = data.decode("utf-8-sig", errors="replace")
        tree.report(
            "not-utf-8",
            f"the byte 0x{data[error.start]:02x} is not UTF-8",
            _span_after(before),
            "save the file as UTF-8",
        )
        return None


def _compose(text: str, tree: YamlTree) -> yaml.Node | None:
    try:
        return _single_document(text, tree)
    except yaml.MarkedYAMLError as error:
        _report_syntax(error, tree)
    except yaml.reader.ReaderError as error:
        _report_unreadable(error, tree)
    except RecursionError:
        tree.report("too-deep", f"nested more than {MAX_DEPTH} levels deep", None)
    return None


def _single_document(text: str, tree: YamlTree) -> yaml.Node | None:
    loader = _Loader(text)
    try:
        if not loader.check_node():
            tree.report("empty-file", "the file holds nothing", Span(line=1, column=1))
            return None
        root: yaml.Node = loader.get_node()
        if not loader.check_node():
            return root
        tree.report(
            "second-document",
            "a second document starts here; a file holds one",
            span_of(loader.get_node()),
            'remove the line "---", or move what follows to a file of its own',
        )
        return None
    finally:
        loader.dispose()


def _span_after(before: str) -> Span:
    lines = lines_of(before)
    return Span(line=len(lines), column=len(lines[-1]) + 1)


def _report_unreadable(error: yaml.reader.ReaderError, tree: YamlTree) -> None:
    found = next(
        (index for index, char in enumerate(tree.text) if not _readable(char)), error.position
    )
    code = ord(tree.text[found]) if found < len(tree.text) else 0
    tree.report(
        "bad-character",
        f"the character U+{code:04X} may not stand in YAML",
        _span_after(tree.text[:found]),
        f'write it as an escape in double quotes: "\\u{code:04x}"',
    )


_READABLE = re.compile("[\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def _readable(char: str) -> bool:
    return _READABLE.match(char) is not None


@dataclass(frozen=True, slots=True)
class _Syntax:
    """How one complaint of the parser is put to people."""

    says: str
    message: str
    hint: str = ""
    at_start: bool = False
    """Point to where the unfinished thing starts, not to where the parser gave up."""


_SYNTAX = (
    _Syntax("'\\t'", "a tab cannot be used for indentation", "use spaces"),
    _Syntax(
        "mapping values are not allowed",
        'unexpected ":"',
        'put quotes around a text that holds ": ", and check the indentation',
    ),
    _Syntax("unknown escape", "unknown escape in double quotes", "use single quotes, or \\\\"),
    _Syntax("undefined alias", "this alias names no anchor", "define it with & above"),
    _Syntax("duplicate anchor", "this anchor is defined twice"),
    _Syntax(
        "cannot start any token",
        "this character cannot start a text",
        "put quotes around the text",
    ),
    _Syntax("',' or", "the brackets that open here are not closed", "", at_start=True),
    _Syntax("expected key", "expected a key here", "check the indentation of this line"),
    _Syntax("expected '-'", "expected a list item here", "check the indentation"),
    _Syntax("could not find expected ':'", 'expected ":" after this key', "check the indentation"),
    _Syntax("end of stream", "the quotes that open here are not closed", "", at_start=True),
    _Syntax("document indicator", "the quotes that open here are not closed", "", at_start=True),
    _Syntax("nesting depth", f"nested more than {MAX_DEPTH} levels deep"),
    _Syntax("%", "a text cannot start with %", "put quotes around the text"),
)
"""The first that fits is used; the same complaint is worded differently by the two parsers."""


def _report_syntax(error: yaml.MarkedYAMLError, tree: YamlTree) -> None:
    problem = error.problem or "cannot be read as YAML"
    known = next((each for each in _SYNTAX if each.says in problem), _Syntax("", problem))
    mark = error.problem_mark or error.context_mark
    if known.at_start and error.context_mark is not None:
        mark = error.context_mark
    if mark is None:
        tree.report("yaml-syntax", known.message, None, known.hint)
        return
    message, hint = known.message, known.hint
    span = Span(line=mark.line + 1, column=mark.column + 1)
    if _character_at(tree.text, span) == "\t":
        message, hint = "a tab cannot be used for indentation", "use spaces"
    elif _has_template(tree.text, span.line):
        hint = 'put quotes around a text with {{ }}: "{{ name }}"'
    tree.report("yaml-syntax", message, span, hint)


def _character_at(text: str, span: Span) -> str:
    lines = lines_of(text)
    line = lines[span.line - 1] if span.line <= len(lines) else ""
    return line[span.column - 1 : span.column]


def _has_template(text: str, line: int) -> bool:
    lines = lines_of(text)
    return any("{{" in each for each in lines[max(0, line - 2) : line])


class _Inspector:
    """Walks the composed tree once: refuses what a scenario cannot hold, within a budget."""

    def __init__(self, tree: YamlTree) -> None:
        self.tree = tree
        self.budget = MAX_NODES

    def inspect(self, node: yaml.Node, depth: int = 0) -> bool:
        """True when the tree may be used: no fault that makes walking it unsafe."""
        self.budget -= 1
        if self.budget < 0:
            self._once("too-many-nodes", "the aliases of this file expand to too much", node)
            return False
        if depth > MAX_DEPTH:
            self._once("too-deep", f"nested more than {MAX_DEPTH} levels deep", node)
            return False
        if isinstance(node, yaml.ScalarNode):
            if node.tag not in (PLAIN, _TEXT):
                self._refuse_tag(node)
            return True
        if isinstance(node, yaml.SequenceNode):
            if node.tag != _SEQ:
                self._refuse_tag(node)
            return all(self.inspect(each, depth + 1) for each in node.value)
        if node.tag != _MAP:
            self._refuse_tag(node)
        return self._mapping(node, depth)

    def _mapping(self, node: Any, depth: int) -> bool:
        seen: dict[str, yaml.Node] = {}
        for key, value in node.value:
            if not isinstance(key, yaml.ScalarNode):
                self._refuse_key(key)
                return False
            if key.value == "<<" and key.tag == PLAIN:
                self._report("merge-key", "merge keys (<<) are not part of the format", key)
            elif key.value in seen:
                first = seen[key.value].start_mark.line + 1
                self._report(
                    "duplicate-key",
                    f'the key "{key.value}" stands here twice; the first is on line {first}',
                    key,
                )
            seen.setdefault(key.value, key)
            if not self.inspect(value, depth + 1):
                return False
        return True

    def _refuse_key(self, key: yaml.Node) -> None:
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
                    f'write "{written}"',
                )
                return
        self._report("key-not-text", "a key must be a plain text", key)

    def _refuse_tag(self, node: yaml.Node) -> None:
        tag = node.tag.replace("tag:yaml.org,2002:", "!!")
        self._report(
            "tag",
            f"tags are not part of the format: {tag}",
            node,
            "remove it; where a text is wanted, the characters as written are the value",
        )

    def _report(self, code: str, message: str, node: yaml.Node, hint: str = "") -> None:
        self.tree.report(code, message, span_of(node), hint)

    def _once(self, code: str, message: str, node: yaml.Node) -> None:
        if not any(each.code == code for each in self.tree.diagnostics):
            self._report(code, message, node)
