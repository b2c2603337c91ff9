"""Files by any name: what is there, why one is refused, and writing one whole or not at all.

Names come from command lines and scenario files. Where a file system refuses one (it is too long,
holds a NUL, or is a link to itself), `pathlib` raises before Python 3.14; here there is simply
nothing at such a path, as there is for later versions of `pathlib`.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO


def is_file(path: Path) -> bool:
    """Whether there is a file."""
    return os.path.isfile(path)


def is_folder(path: Path) -> bool:
    """Whether there is a folder."""
    return os.path.isdir(path)


def exists(path: Path) -> bool:
    """Whether there is anything."""
    return os.path.exists(path)


def resolved(path: Path) -> Path:
    """The path from the root on and without links, as far as these can be followed."""
    try:
        return Path(os.path.realpath(path))
    except (OSError, ValueError):
        return path.absolute()


def why_refused(error: OSError | ValueError) -> str:
    """Why a file cannot be read or written, in plain words for the end of a sentence.

    A ValueError is of a NUL in the name, or of bytes that are no text.
    """
    return (getattr(error, "strerror", None) or str(error)).lower()


def free_name(path: Path) -> Path:
    """The path, or one like it that nothing is at yet."""
    found, number = path, 1
    while os.path.lexists(found):
        number += 1
        found = path.with_name(f"{path.stem}-{number}{path.suffix}")
    return found


def make_folder(path: Path, *, new: bool = False) -> None:
    """Make a folder and those above it.

    Raises:
        OSError: It cannot be made, or is there already and has to be new.
    """
    _check(path)
    path.mkdir(parents=True, exist_ok=not new)


@contextmanager
def replacing(path: Path) -> Iterator[TextIO]:
    """A UTF-8 file that takes the place of `path` when the block ends well; the folder is made.

    Raises:
        OSError: It cannot be written.
    """
    with (
        _in_place_of(path) as unfinished,
        unfinished.open("w", encoding="utf-8", newline="\n") as stream,
    ):
        yield stream


def replace(path: Path, content: bytes) -> None:
    """The file holds this afterwards, or what it held before; the folder is made.

    Raises:
        OSError: It cannot be written.
    """
    with _in_place_of(path) as unfinished:
        unfinished.write_bytes(content)


@contextmanager
def _in_place_of(path: Path) -> Iterator[Path]:
    _check(path)
    if not path.name:
        raise OSError(errno.EISDIR, os.strerror(errno.EISDIR), os.fspath(path))
    make_folder(path.parent)
    # In the same folder, since a rename is atomic only within one file system; opened plainly,
    # since a file made by `tempfile` could be read by nobody else.
    unfinished = path.with_name(f".{path.name[:100]}.{os.getpid()}.tmp")
    try:
        yield unfinished
        unfinished.replace(path)
    except BaseException:
        unfinished.unlink(missing_ok=True)
        raise


def _check(path: Path) -> None:
    """Where Python raises a ValueError, whoever writes gets the error of any other bad name."""
    if "\0" in os.fspath(path):
        raise OSError(errno.EINVAL, os.strerror(errno.EINVAL), os.fspath(path))
