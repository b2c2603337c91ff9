"""A scenario file, from disk to model, with all that is wrong with it."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from tapir_replay.scenario.build import build
from tapir_replay.scenario.check import check, runtime_schema
from tapir_replay.scenario.diagnostics import Diagnostic, Span, in_order
from tapir_replay.scenario.model import Scenario, Target
from tapir_replay.scenario.values import construct
from tapir_replay.scenario.yaml_nodes import YamlTree
from tapir_replay.scenario.yaml_tree import parse


@dataclass(frozen=True, slots=True, kw_only=True)
class Loaded:
    """What came of a file.

    Attributes:
        scenario: None when there is an error.
        diagnostics: In the order of the file.
        source: The file's text, for snippets.
    """

    file: str
    scenario: Scenario | None
    diagnostics: tuple[Diagnostic, ...]
    source: str

    @property
    def ok(self) -> bool:
        return self.scenario is not None


def load(path: Path, *, names: Iterable[str] = ()) -> Loaded:
    """Read and check one file. Faults of the file are diagnostics, never exceptions.

    Args:
        path: The file; messages name it as `shown` does.
        names: Names defined outside the file.
    """
    file = shown(path)
    try:
        data = path.read_bytes()
    except (OSError, ValueError) as error:  # ValueError: a NUL in the name
        reason = (getattr(error, "strerror", None) or str(error)).lower()
        diagnostic = Diagnostic(
            code="unreadable", file=file, message=f"the file cannot be read: {reason}"
        )
        return Loaded(file=file, scenario=None, diagnostics=(diagnostic,), source="")
    return load_bytes(data, file, path, names=names)


def load_bytes(data: bytes, file: str, path: Path, *, names: Iterable[str] = ()) -> Loaded:
    """The same for a file's content."""
    tree = parse(data, file)
    scenario = _scenario(tree, path, names)
    diagnostics = tuple(in_order(tree.diagnostics))
    if any(each.is_error for each in diagnostics):
        scenario = None
    return Loaded(file=file, scenario=scenario, diagnostics=diagnostics, source=tree.text)


def _scenario(tree: YamlTree, path: Path, names: Iterable[str]) -> Scenario | None:
    if tree.root is None:
        return None
    data = construct(tree.root, runtime_schema())
    if not isinstance(data, dict):
        tree.report(
            "not-a-scenario",
            "a scenario is a map with name and steps",
            Span(line=tree.root.start_mark.line + 1, column=tree.root.start_mark.column + 1),
            "start with name: and steps:",
        )
        return None
    faults, faulty = check(data, tree)
    tree.diagnostics += faults
    return build(data, tree, path, names=names, faulty=faulty)


def target_of(text: str) -> Target:
    """A target written as in a scenario, by itself.

    Raises:
        ValueError: It is none; the text says why.
    """
    line = f"steps: [{{hover: {{target: {text}}}}}]"
    loaded = load_bytes(line.encode(), "target", Path("target"))
    if loaded.scenario is None:
        raise ValueError(f"{text}: {loaded.diagnostics[0].message}")
    target = loaded.scenario.steps[0].args["target"]
    assert isinstance(target, Target)
    return target


def shown(path: Path) -> str:
    """The path as messages name it: relative where it is below the current folder, with `/`."""
    try:
        return path.resolve().relative_to(Path.cwd()).as_posix()
    except (ValueError, OSError):
        return os.fspath(path).replace(os.sep, "/")
