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

from tapir_replay.scenario.diagnostics import Diagnostic, Span, lines_of, quoted

PLAIN = "plain"
_TEXT = "tag:yaml.org,2002:str"
_MAP = "tag:yaml.org,2002:map"
_SEQ = "tag:yaml.org,2002:seq"

MAX_BYTES = 8 * 1024 * 1024
MAX_DEPTH = 60
MAX_REPEATED = 100_000
"""Values that aliases may add to a file."""

_TOO_DEEP = f"nested more than {MAX_DEPTH} levels deep"

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
        tree.report("too-deep", _TOO_DEEP, None)
    return None


def _single_document(text: str, tree: YamlTree) -> yaml.Node | None:
    loader = _Loader(text)
    try:
        if not loader.check_node():
            tree.report(
                "empty-file",
                "the file holds no scenario",
                Span(line=1, column=1),
                "a scenario starts with name: and steps:",
            )
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

    says: tuple[str, ...]
    """Any of these in the complaint; the two parsers word the same one differently."""
    message: str
    hint: str = ""
    at_start: bool = False
    """Point to where the unfinished thing starts, not to where the parser gave up."""
    code: str = "yaml-syntax"


_HALF = "this escape is half of a character"
_WHOLE = "write the character itself, or \\U and 8 hexadecimal digits"
_QUOTES = "put quotes around the text"
_KEY = _Syntax(
    ("expected key", "expected <block end>", "expected '-'"),
    "this does not fit what stands above it",
    "check the indentation of this line",
)
_OPEN = _Syntax(("',' or",), "the brackets that open here are not closed", at_start=True)
_CONTENT = _Syntax(("node content",), "a value is missing before this character")
_SYNTAX = (
    _Syntax(
        ("mapping values are not allowed",),
        'unexpected ":"',
        'put quotes around a text that holds ": ", and check the indentation',
    ),
    _Syntax(
        ("entries are not allowed",),
        "a list cannot start here",
        'start it on a line of its own; put quotes around a text that starts with "- "',
    ),
    _Syntax(
        ("unknown escape",),
        "unknown escape in double quotes",
        "use single quotes, where nothing is an escape, or write \\\\",
    ),
    _Syntax(
        ("hexdecimal", "hexadecimal"),
        "this escape is not a character",
        "write \\x and 2, \\u and 4, or \\U and 8 hexadecimal digits",
    ),
    _Syntax(("Unicode character escape",), _HALF, _WHOLE, code="bad-character"),
    _Syntax(("undefined alias",), "this alias names no anchor", "if it is a text, quote it"),
    _Syntax(("duplicate anchor",), "this anchor is defined twice"),
    _Syntax(("cannot start any token",), "this character cannot start a text", _QUOTES),
    _OPEN,
    _KEY,
    _Syntax(
        ("could not find expected ':'",),
        'expected ":" after this',
        "check the indentation too",
        at_start=True,
    ),
    _Syntax(
        ("end of stream", "document indicator", "document separator"),
        "the quotes that open here are not closed",
        at_start=True,
    ),
    _Syntax(("nesting depth",), _TOO_DEEP, code="too-deep"),
    _Syntax(("alphabetic",), "a text cannot start with * or &", _QUOTES, at_start=True),
    _Syntax(
        ("line break", "indicators"), "a text cannot start with | or >", _QUOTES, at_start=True
    ),
    _Syntax(
        ("document start",),
        "this stands outside of the document",
        'remove the line with "---" or "..."',
        code="second-document",
    ),
    _Syntax(
        ("incompatible", "directive"), "this directive is not supported", 'remove the line with "%"'
    ),
    _Syntax(("tag", "expected '>'", "URI"), "tags are not part of the format", _QUOTES, code="tag"),
    _CONTENT,
)
"""The first that fits is used."""


def _report_syntax(error: yaml.MarkedYAMLError, tree: YamlTree) -> None:
    problem = error.problem or ""
    complaint = f"{problem}, {error.context}"
    known = next(
        (each for each in _SYNTAX if any(says in complaint for says in each.says)),
        _Syntax((), f"this cannot be read as YAML: {problem}"),
    )
    mark = error.problem_mark or error.context_mark
    start = error.context_mark or mark
    if mark is None or start is None:
        tree.report("yaml-syntax", known.message, None, known.hint)
        return
    lines = lines_of(tree.text)
    for number in (mark.line, start.line):
        if (template := _unquoted(lines[number] if number < len(lines) else "")) is not None:
            column, length = template
            tree.report(
                "unquoted-template",
                "a text with {{ }} needs quotes here",
                Span(line=number + 1, column=column + 1, length=length),
                'put quotes around the whole text, as in "Hello {{ name }}"',
            )
            return
    line = lines[mark.line] if mark.line < len(lines) else ""
    known = _closer(known, line, mark, start)
    if known.at_start or mark.line >= len(lines):
        mark = start
    span = Span(line=mark.line + 1, column=mark.column + 1)
    if mark.line >= len(lines):
        span = _span_after(tree.text.rstrip())
    tree.report(known.code, known.message, span, known.hint)


def _closer(known: _Syntax, line: str, mark: Any, start: Any) -> _Syntax:
    """What the character tells, where the parser found something it did not expect."""
    char = line[mark.column : mark.column + 1]
    quote = line[: mark.column].rstrip()[-1:]
    if known is _CONTENT and not char:
        return _Syntax((), "something is missing here", "are all brackets closed?")
    if char == "\t" or ("\t" in line[: mark.column] and not line[: mark.column].strip()):
        return _Syntax((), "a tab cannot be used for indentation", "use spaces")
    if known in (_KEY, _OPEN) and quote in ("'", '"') and char not in ("", ",", "]", "}", ":"):
        twice = "''" if quote == "'" else '\\"'
        return _Syntax(
            (),
            "this stands after the closing quote",
            f"put quotes around the whole text; inside, write {twice} for {quote}",
        )
    if known in (_KEY, _CONTENT) and char in ("]", "}"):
        return _Syntax((), "this bracket closes nothing", "remove it, or quote the text")
    if known is _KEY and line[mark.column :].startswith("- "):
        return _Syntax(
            (),
            "a list item cannot stand here",
            "all items of a list start in the same column",
        )
    if known is _OPEN and char == ":" and mark.line == start.line:
        return _Syntax((), 'a comma is missing before this ":"', "or quotes around the text")
    return known


def _unquoted(line: str) -> tuple[int, int] | None:
    """Where a `{{ }}` outside of quotes stands in a line, and its length."""
    quote = ""
    for column, char in enumerate(line):
        if quote:
            quote = "" if char == quote and line[column - 1] != "\\" else quote
        elif char in ("'", '"') and line[column - 1 : column] in ("", " ", ",", "[", "{"):
            quote = char
        elif char == "#" and line[column - 1 : column] in ("", " "):
            return None
        elif line.startswith("{{", column):
            end = line.find("}}", column)
            return column, (end + 2 if end > 0 else len(line)) - column
    return None


_SURROGATE = re.compile("[\ud800-\udfff]")


class _Inspector:
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
            self._stop("too-deep", _TOO_DEEP, node)
        elif measured is None:
            return self._collection(node, depth)
        return measured or (1, 0)

    def _collection(self, node: yaml.Node, depth: int) -> tuple[int, int]:
        self.nodes += 1
        self.open.add(id(node))
        if node.tag not in (_MAP, _SEQ):
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
        if node.tag not in (PLAIN, _TEXT):
            self._refuse_tag(node)
        if _SURROGATE.search(node.value):
            self._stop("bad-character", _HALF, node, _WHOLE)

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
