"""Artifacts as attachments of a test case, in the marker that Jenkins and GitLab look for."""

from __future__ import annotations

import os
import posixpath
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from tapir_replay.engine.events import Artifact
from tapir_replay.report.clean import for_xml, one_line


@dataclass(frozen=True, slots=True)
class Attachments:
    """What became of a scenario's artifacts.

    Attributes:
        markers: One a line, to be the first thing in a test case's output.
        others: Paths that can be told but not be attached.
        problems: What is wrong with some of them.
    """

    markers: tuple[str, ...]
    others: tuple[str, ...]
    problems: tuple[str, ...]


def attachments(artifacts: Iterable[Artifact], *, run_dir: Path, base: Path) -> Attachments:
    """Markers for the artifacts that exist, with paths relative to `base`.

    The picture of the failure comes first: some readers take only one. Of files with the same base
    name only the first is marked: Jenkins would drop the others without a word.
    """
    markers, others, problems, names = [], [], [], set()
    for artifact in sorted(artifacts, key=_rank):
        shown = one_line(for_xml(artifact.path))
        if _leaves(artifact.path):
            problems.append(f"artifact not attached, it is outside of the run's folder: {shown}")
            continue
        file = run_dir / artifact.path
        if not os.path.isfile(file):  # noqa: PTH113 - Path.is_file raises for an impossible name
            problems.append(f"artifact missing: {shown}")
            continue
        path = _relative(file, base)
        name = posixpath.basename(path)
        if path != one_line(for_xml(path)) or "]]" in path:
            problems.append(f"artifact not attached, its name does not fit a marker: {shown}")
        elif name in names:
            others.append(path)
        else:
            names.add(name)
            markers.append(f"[[ATTACHMENT|{path}]]")
    return Attachments(tuple(markers), tuple(others), tuple(problems))


def _rank(artifact: Artifact) -> tuple[bool, bool]:
    return (not artifact.on_failure, artifact.kind != "screenshot")


def _leaves(path: str) -> bool:
    """A log may come from elsewhere: it must not make a report publish other files."""
    plain = posixpath.normpath(path.replace("\\", "/"))
    return not path or plain in (".", "..") or plain.startswith(("../", "/")) or ":" in plain[:2]


def _relative(file: Path, base: Path) -> str:
    try:
        return Path(os.path.relpath(file, base)).as_posix()
    except ValueError:  # on another drive of Windows
        return file.absolute().as_posix()
