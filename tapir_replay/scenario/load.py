"""A scenario file, from disk to model, with all that is wrong with it."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from tapir_replay.files import is_file, resolved, why_refused
from tapir_replay.scenario import suggest
from tapir_replay.scenario.build import build
from tapir_replay.scenario.check import check, runtime_schema
from tapir_replay.scenario.diagnostics import Diagnostic, Span, in_order
from tapir_replay.scenario.model import Fragment, Scenario, Target
from tapir_replay.scenario.steps import MAX_USES, TOO_DEEP, NoFragment
from tapir_replay.scenario.values import construct
from tapir_replay.scenario.yaml_nodes import YamlTree
from tapir_replay.scenario.yaml_tree import parse


@dataclass(frozen=True, slots=True, kw_only=True)
class Loaded:
    """What came of a file.

    Attributes:
        scenarios: One, or one a case; none when there is an error, or it holds a fragment.
        fragment: For a file that holds one.
        diagnostics: Of this file and of the fragments it uses, in order.
        sources: The texts of these files by name, for snippets.
    """

    file: str
    scenarios: tuple[Scenario, ...]
    diagnostics: tuple[Diagnostic, ...]
    sources: Mapping[str, str]
    fragment: Fragment | None = None

    @property
    def scenario(self) -> Scenario | None:
        """The scenario, or the one of the first case."""
        return self.scenarios[0] if self.scenarios else None

    @property
    def ok(self) -> bool:
        """Whether there is nothing wrong with it; a fragment is right too."""
        return bool(self.scenarios) or self.fragment is not None

    @property
    def source(self) -> str:
        return self.sources.get(self.file, "")


class Library:
    """Reads files, and the fragments they use, each once.

    Args:
        names: Names defined outside of files, for the templates of scenarios.
        shared: The same, for those of fragments too.
    """

    def __init__(self, names: Iterable[str] = (), shared: Iterable[str] = ()) -> None:
        self._names = tuple(names)
        self._shared = tuple(shared)
        self._fragments: dict[Path, Loaded] = {}
        self._open: list[Path] = []

    def load(self, path: Path) -> Loaded:
        """Read and check one file. Faults of the file are diagnostics, never exceptions.

        Args:
            path: The file; messages name it as `shown` does.
        """
        file = shown(path)
        try:
            data = path.read_bytes()
        except (OSError, ValueError) as error:  # ValueError: a NUL in the name
            message = f"the file cannot be read: {why_refused(error)}"
            diagnostic = Diagnostic(code="unreadable", file=file, message=message)
            return Loaded(file=file, scenarios=(), diagnostics=(diagnostic,), sources={})
        self._open.append(resolved(path))
        try:
            return self.load_bytes(data, file, path)
        finally:
            self._open.pop()

    def load_bytes(self, data: bytes, file: str, path: Path) -> Loaded:
        """The same for a file's content."""
        tree = parse(data, file)
        uses = _Uses(self, path)
        built = self._build(tree, path, uses)
        diagnostics = [*tree.diagnostics, *(d for each in uses.loaded for d in each.diagnostics)]
        wrong = any(each.is_error for each in diagnostics)
        sources = {file: tree.text}
        for each in uses.loaded:
            sources |= each.sources
        return Loaded(
            file=file,
            scenarios=built if isinstance(built, tuple) and not wrong else (),
            fragment=built if isinstance(built, Fragment) and not wrong else None,
            diagnostics=tuple(in_order(diagnostics)),
            sources=sources,
        )

    def _build(
        self, tree: YamlTree, path: Path, uses: _Uses
    ) -> tuple[Scenario, ...] | Fragment | None:
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
        return build(data, tree, path, uses, names=self._names, shared=self._shared, faulty=faulty)

    def used(self, path: Path) -> Loaded | NoFragment:
        """A file that another one uses, or why it cannot be used."""
        if path in self._open:
            chain = [*self._open[self._open.index(path) :], path]
            circle = " > ".join(shown(each) for each in chain)
            return NoFragment(f"this goes round in circles: {circle}")
        if len(self._open) > _FAR_TOO_DEEP:
            return TOO_DEEP
        if path not in self._fragments:
            self._fragments[path] = self.load(path)
        return self._fragments[path]


class _Uses:
    """The fragments that one file uses."""

    def __init__(self, library: Library, path: Path) -> None:
        self._library = library
        self._path = path
        self.loaded: list[Loaded] = []

    def fragment(self, path: Path) -> Fragment | NoFragment:
        """The fragment of a file; what is wrong inside of it is told by its own faults."""
        if not is_file(path):
            return NoFragment(f"there is no file {shown(path)}", _nearest_file(path))
        found = self._library.used(resolved(path))
        if isinstance(found, NoFragment):
            return found
        if not any(each is found for each in self.loaded):
            self.loaded.append(found)
        if found.fragment is not None:
            return found.fragment
        if found.scenario is not None:
            hint = "a fragment has params, or kind: fragment"
            return NoFragment(f"{found.file} is a scenario and no fragment", hint)
        return NoFragment()


def _nearest_file(path: Path) -> str:
    try:
        there = [each.name for each in path.parent.iterdir() if each.suffix in (".yaml", ".yml")]
    except OSError:
        return f"there is no folder {shown(path.parent)} either"
    guess = suggest.nearest(path.name, there)
    return f'did you mean "{guess}"?' if guess is not None else ""


_FAR_TOO_DEEP = 4 * MAX_USES
"""Where reading stops; which file is the one too deep shows on the way back."""


def load(path: Path, *, names: Iterable[str] = ()) -> Loaded:
    """Read and check one file by itself; see `Library.load`."""
    return Library(names).load(path)


def load_bytes(data: bytes, file: str, path: Path, *, names: Iterable[str] = ()) -> Loaded:
    """The same for a file's content."""
    return Library(names).load_bytes(data, file, path)


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
        return resolved(path).relative_to(Path.cwd()).as_posix()
    except (ValueError, OSError):
        return os.fspath(path).replace(os.sep, "/")
