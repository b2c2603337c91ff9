"""The parser's complaints, as people should hear them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

import yaml

from tapir_replay.scenario.diagnostics import Span, lines_of
from tapir_replay.scenario.yaml_nodes import TOO_DEEP, YamlTree, span_after

HALF_CHARACTER = "this escape is half of a character"
WHOLE_CHARACTER = "write the character itself, or \\U and 8 hexadecimal digits"


def report_unreadable(error: yaml.reader.ReaderError, tree: YamlTree) -> None:
    """Report a character that may not stand in YAML at all."""
    found = next(
        (index for index, char in enumerate(tree.text) if not _readable(char)), error.position
    )
    code = ord(tree.text[found]) if found < len(tree.text) else 0
    tree.report(
        "bad-character",
        f"the character U+{code:04X} may not stand in YAML",
        span_after(tree.text[:found]),
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
    _Syntax(("Unicode character escape",), HALF_CHARACTER, WHOLE_CHARACTER, code="bad-character"),
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
    _Syntax(("nesting depth",), TOO_DEEP, code="too-deep"),
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


def report_syntax(error: yaml.MarkedYAMLError, tree: YamlTree) -> None:
    """Report where the parser gave up, and what is the likely reason."""
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
        span = span_after(tree.text.rstrip())
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
