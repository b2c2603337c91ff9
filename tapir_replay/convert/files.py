"""Files to files: which are converted, what each uses, and where it goes."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from tapir_replay.convert.maestro import convert_flow, is_flow, is_workspace
from tapir_replay.convert.maestro_steps import Used
from tapir_replay.convert.model import NAME_OF, Converted, Left, Notes
from tapir_replay.convert.pilot import convert_pilot, is_pilot
from tapir_replay.convert.source import Node, Source, read_source
from tapir_replay.files import is_file, is_folder, why_refused
from tapir_replay.scenario.diagnostics import Diagnostic, Severity, Span, in_order
from tapir_replay.scenario.load import shown
from tapir_replay.scenario.steps import MAX_USES
from tapir_replay.scenario.writing import write_scenario

Convert = Callable[..., Converted]

_KINDS: Mapping[str, tuple[Callable[[Source], bool], Convert]] = {
    "maestro": (is_flow, convert_flow),
    "pilot": (is_pilot, convert_pilot),
}


@dataclass(frozen=True, slots=True)
class Given:
    """A file to convert.

    Attributes:
        path: Where it is.
        base: The folder that its name is seen from.
        named: By itself, and not with its folder.
    """

    path: Path
    base: Path
    named: bool


@dataclass(frozen=True, slots=True)
class Output:
    """A file to be written.

    Attributes:
        name: Relative to the folder of all.
        source: The file it was made of.
    """

    name: str
    text: str
    source: Path


@dataclass(frozen=True, slots=True)
class Conversion:
    """What became of all files.

    Attributes:
        wrong: A file could not be read as what it should be.
        left: How many things could not be carried over.
        sources: The texts of the files by name, for snippets.
    """

    outputs: tuple[Output, ...]
    diagnostics: tuple[Diagnostic, ...]
    sources: Mapping[str, str]
    wrong: bool
    left: int


def convert_files(
    given: Sequence[Given], *, kind: str | None = None, schema: Callable[[str], str] | None = None
) -> Conversion:
    """Convert files and those that they use.

    Args:
        given: The files.
        kind: `maestro` or `pilot`; else each is looked at.
        schema: Tells for the name of an output where editors find the schema.
    """
    return _Batch(given, kind, schema).convert()


@dataclass(slots=True)
class _Entry:
    path: Path
    source: Source
    kind: str | None
    named: bool = False
    played: bool = False
    """It is one of those that the other tool plays by themselves."""
    used: bool = False
    converted: Converted | None = None
    depth: int = 1


class _Batch:
    def __init__(
        self, given: Sequence[Given], kind: str | None, schema: Callable[[str], str] | None
    ) -> None:
        self._given = given
        self._kind = kind
        self._schema = schema
        self._entries: dict[Path, _Entry] = {}
        self._open: list[Path] = []
        self._base = Path()

    def convert(self) -> Conversion:
        for each in self._given:
            entry = self._add(_normal(each.path))
            entry.named |= each.named
            entry.played |= each.named or each.path.parent == each.base
        todo = list(self._entries.values())
        while todo:
            entry = todo.pop()
            for file in _files_used(entry.source, entry.kind):
                path = _normal(entry.path.parent / file)
                if path == entry.path or not is_file(path):
                    continue
                known = path in self._entries
                found = self._add(path)
                found.used = True
                if not known:
                    todo.append(found)
        anchors = [_normal(each.base) for each in self._given]
        anchors += [each.path.parent for each in self._entries.values()]
        self._base = Path(os.path.commonpath(anchors))
        for entry in self._entries.values():
            self._converted(entry)
        return self._result()

    def _add(self, path: Path) -> _Entry:
        if path not in self._entries:
            source = _read(path)
            self._entries[path] = _Entry(path, source, self._kind_of(source))
        return self._entries[path]

    def _kind_of(self, source: Source) -> str | None:
        if not source.documents:
            return None
        if self._kind is not None:
            return self._kind
        return next((name for name, (fits, _) in _KINDS.items() if fits(source)), None)

    def _converted(self, entry: _Entry) -> Converted | None:
        """Convert a file once; those that it uses on the way."""
        if entry.converted is not None or entry.kind is None:
            return entry.converted
        if entry.kind == "maestro" and is_workspace(entry.source):
            notes = Notes(entry.source)
            notes.leave(
                entry.source.documents[0].span,
                "the configuration of a folder of flows",
                "tapir-replay.yaml is the project file here: tapir-replay init begins one",
            )
            entry.converted = Converted(document=None, notes=notes)
            return entry.converted
        self._open.append(entry.path)
        try:
            convert = _KINDS[entry.kind][1]
            linker = _Links(self, entry)
            entry.converted = convert(entry.source, linker, fragment=entry.used)
        finally:
            self._open.pop()
        if entry.used and entry.played:
            entry.converted.notes.differs(
                "fragment",
                Span(line=1, column=1),
                "others use this file, so it is a fragment, and not played by itself",
                "to play it too, write a scenario with a step - use: and this file",
            )
        return entry.converted

    def use(self, user: _Entry, file: str) -> Used:
        """What a file becomes, as the one that uses it sees it."""
        path = _normal(user.path.parent / file)
        entry = self._entries.get(path)
        if entry is None:
            raise Left(f"there is no file {shown(path)}")
        if path in self._open:
            raise Left("it goes round in circles")
        too_deep = f"files use each other more than {MAX_USES} levels deep"
        if len(self._open) > 2 * MAX_USES:
            raise Left(too_deep)
        converted = self._converted(entry)
        if converted is None:
            raise Left(f"{entry.source.file} is no such file")
        if converted.empty:
            return Used("", {})
        if converted.document is None:
            raise Left(f"nothing of {entry.source.file} could be carried over")
        if entry.depth > MAX_USES:
            raise Left(too_deep)
        user.depth = max(user.depth, entry.depth + 1)
        seen = os.path.relpath(path, user.path.parent).replace(os.sep, "/")
        if "{{" in seen:
            raise Left("the name of a file cannot hold {{")
        return Used(seen, converted.params)

    def _result(self) -> Conversion:
        found: list[Diagnostic] = []
        outputs = []
        left = 0
        for path, entry in self._entries.items():
            found += entry.source.faults
            if entry.source.documents and entry.kind is None:
                found.append(self._strange(entry))
            if entry.converted is None:
                continue
            found += entry.converted.notes.diagnostics
            left += entry.converted.notes.left
            if entry.converted.document is not None:
                outputs.append(self._output(path, entry, entry.converted))
        wrong = any(each.is_error and each.code != "not-converted" for each in found)
        sources = {each.source.file: each.source.text for each in self._entries.values()}
        return Conversion(tuple(outputs), tuple(in_order(found)), sources, wrong, left)

    def _strange(self, entry: _Entry) -> Diagnostic:
        """A file that is neither; in a folder there may be such files."""
        return Diagnostic(
            code="no-flow",
            file=entry.source.file,
            message="neither a flow of Maestro nor a scenario of flutter_pilot",
            span=entry.source.documents[0].span,
            hint="--from maestro or --from pilot takes it for one",
            severity=Severity.ERROR if entry.named or entry.used else Severity.WARNING,
        )

    def _output(self, path: Path, entry: _Entry, converted: Converted) -> Output:
        name = os.path.relpath(path, self._base).replace(os.sep, "/")
        assert converted.document is not None
        app = _app_of(entry.source) if entry.kind == "maestro" else ""
        head = f"Converted from {path.name}, of {NAME_OF[entry.kind or '']}{app}."
        options = {} if self._schema is None else {"schema": self._schema(name)}
        text = write_scenario(converted.document, head=[head, *converted.notes.above], **options)
        return Output(name, text, path)


class _Links:
    """What the files become that one file uses."""

    def __init__(self, batch: _Batch, entry: _Entry) -> None:
        self._batch = batch
        self._entry = entry

    def use(self, file: str) -> Used:
        """The fragment that a file becomes."""
        return self._batch.use(self._entry, file)


def _normal(path: Path) -> Path:
    return Path(os.path.normpath(path.absolute()))


def _read(path: Path) -> Source:
    file = shown(path)
    try:
        return read_source(path.read_bytes(), file)
    except (OSError, ValueError) as error:
        message = f"the file cannot be read: {why_refused(error)}"
        fault = Diagnostic(code="unreadable", file=file, message=message)
        return Source(file, "", (), (fault,))


def _files_used(source: Source, kind: str | None) -> list[str]:
    """Every file that a file names to be used."""
    words = {"maestro": ("runFlow", "retry"), "pilot": ("include",)}.get(kind or "", ())
    return [name for each in source.documents for name in _named_in(each, words)]


def _named_in(node: Node, words: Sequence[str]) -> Iterator[str]:
    seen: set[int] = set()
    todo: list[Node] = [node]
    while todo:
        each = todo.pop()
        if id(each.node) in seen:
            continue
        seen.add(id(each.node))
        todo += each.items or ()
        for name, value in (each.entries or {}).items():
            todo.append(value)
            if name in words:
                file = (value.entries or {}).get("file", value)
                yield from (file.text,) if file.text else ()


def _app_of(source: Source) -> str:
    config = source.documents[0].entries or {}
    app = config.get("appId") or config.get("url")
    return f" ({app.text})" if app is not None and app.text else ""


def given_files(paths: Iterable[str]) -> list[Given]:
    """The files that are named, and those of folders.

    Raises:
        FileNotFoundError: There is nothing of that name, or no YAML in the folder; the text says
            what.
    """
    found: list[Given] = []
    for each in paths:
        path = Path(each)
        if is_folder(path):
            inside = sorted(
                file
                for file in path.rglob("*")
                if file.suffix in (".yaml", ".yml") and is_file(file)
            )
            if not inside:
                raise FileNotFoundError(f"{each}: no YAML file in this folder")
            found += [Given(file, path, named=False) for file in inside]
        elif is_file(path):
            found.append(Given(path, path.parent, named=True))
        else:
            raise FileNotFoundError(f"{each}: there is no such file or folder")
    return found
