"""The first line of a scenario, by which editors complete and check it."""

from __future__ import annotations

import os
from pathlib import Path

from tapir_replay.files import is_file
from tapir_replay.scenario.schema import ID

_SCHEMAS = (".tapir-replay/scenario.schema.json", "schemas/scenario.schema.json")


def schema_seen_from(path: Path) -> str:
    """Where editors find the schema, seen from a file: that of `init`, or the published one."""
    here = Path(os.path.normpath(path.absolute())).parent
    for above in (here, *here.parents):
        for each in _SCHEMAS:
            if is_file(above / each):
                return os.path.relpath(above / each, here).replace(os.sep, "/")
    return ID
