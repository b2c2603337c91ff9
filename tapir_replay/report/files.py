"""Report files are there whole or not at all."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO


@contextmanager
def replacing(path: str | Path) -> Iterator[TextIO]:
    """A UTF-8 file that takes the place of `path` when the block ends well; the folder is made."""
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    # In the same folder, since a rename is atomic only within one file system; opened plainly,
    # since a file made by `tempfile` could be read by nobody else.
    unfinished = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        with unfinished.open("w", encoding="utf-8", newline="\n") as stream:
            yield stream
        unfinished.replace(path)
    except BaseException:
        unfinished.unlink(missing_ok=True)
        raise
