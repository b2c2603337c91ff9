"""YAML text to a tree of nodes with positions; every fault a diagnostic.

The tree is PyYAML's own (through libyaml where the wheel has it), with two things of ours: a plain
scalar carries the tag `PLAIN`, so that what it means is decided later by what the schema wants
there; and what no scenario needs is refused: tags, merge keys, repeated keys, keys that are not
text, a second document, aliases that multiply.
"""

from __future__ import annotations

from typing import Any

import yaml

from tapir_replay.scenario.diagnostics import Span
from tapir_replay.scenario.yaml_inspect import Inspector
from tapir_replay.scenario.yaml_nodes import (
    MAP,
    PLAIN,
    SEQUENCE,
    TEXT,
    TOO_DEEP,
    YamlTree,
    span_after,
    span_of,
)
from tapir_replay.scenario.yaml_syntax import report_syntax, report_unreadable

MAX_BYTES = 8 * 1024 * 1024

_Base: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class _Loader(_Base):  # type: ignore[misc]
    """Composes nodes; resolves nothing but "was it plain?"."""

    def resolve(self, kind: type, value: str | None, implicit: Any) -> str:  # noqa: ARG002
        if kind is yaml.ScalarNode:
            return PLAIN if implicit[0] else TEXT
        return MAP if kind is yaml.MappingNode else SEQUENCE

    def descend_resolver(self, current_node: Any, current_index: Any) -> None:
        """Path resolvers are not used; skipping them is most of PyYAML's time here."""

    def ascend_resolver(self) -> None:
        """See `descend_resolver`."""


def parse(data: bytes, file: str) -> YamlTree:
    """Parse a file's bytes. Never raises for what a file holds."""
    tree = YamlTree(file)
    if len(data) > MAX_BYTES:
        tree.report("too-large", f"the file has more than {MAX_BYTES // 1024 // 1024} MB", None)
    elif (text := _decode(data, tree)) is not None:
        tree.text = text
        root = _compose(text, tree)
        if root is not None and Inspector(tree).inspect(root):
            tree.root = root
    return tree


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
            span_after(before),
            "save the file as UTF-8",
        )
        return None


def _compose(text: str, tree: YamlTree) -> yaml.Node | None:
    try:
        return _single_document(text, tree)
    except yaml.MarkedYAMLError as error:
        report_syntax(error, tree)
    except yaml.reader.ReaderError as error:
        report_unreadable(error, tree)
    except RecursionError:
        tree.report("too-deep", TOO_DEEP, None)
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
