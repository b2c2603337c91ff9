"""Where the project file is: upwards from the scenarios."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from tapir_replay.files import is_file, is_folder, resolved

NAMES = ("tapir-replay.yaml", "tapir-replay.yml")


class TwoProjects(Exception):
    """The scenarios belong to several projects."""

    def __init__(self, files: tuple[Path, Path]) -> None:
        super().__init__("the scenarios belong to several projects")
        self.files = files


def find_project(places: Iterable[Path]) -> Path | None:
    """The project file of files and folders; None if they have none.

    Raises:
        TwoProjects: Not all of them have the same.
    """
    found: Path | None = None
    for place in dict.fromkeys(_folder(each) for each in places):
        project = _upwards(place)
        if project is None:
            continue
        if found is not None and project != found:
            raise TwoProjects((found, project))
        found = project
    return found


def _folder(place: Path) -> Path:
    path = resolved(place)
    return path if is_folder(path) else path.parent


def _upwards(folder: Path) -> Path | None:
    for each in (folder, *folder.parents):
        for name in NAMES:
            if is_file(each / name):
                return each / name
    return None
