"""What `init` does."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

from tapir_replay.cli.files import say
from tapir_replay.engine.exits import Exit
from tapir_replay.files import exists, replacing
from tapir_replay.project.schema import project_schema
from tapir_replay.scenario.load import shown
from tapir_replay.scenario.schema import scenario_schema

SCHEMAS = ".tapir-replay"

_PROJECT = """\
# yaml-language-server: $schema={schemas}/project.schema.json
# What belongs to all scenarios of this project.
apps:
  demo: demo
{mine}
default_app: demo
scenarios:
  - scenarios/**/*.yaml
"""

_MINE = "  mine: {{launch: {command}}}"
_MINE_TO_BE = """\
  # Your own app: an address that `flutter run` prints, or the command that starts it.
  # mine: http://127.0.0.1:8181/abc=/
  # mine: {launch: flutter run -d chrome --machine}"""

_FIRST = """\
# yaml-language-server: $schema=../{schemas}/scenario.schema.json
name: A wrong password is refused
description: Plays on the demo app. Change it to what your app does.
tags: [smoke]
setup:
  - reset_overlays
  - navigate: /login
steps:
  - fill: {target: Email, text: ada@example.com}
  - fill: {target: Password, text: wrong-horse}
  - tap: Sign in
  - expect:
      visible: Wrong email or password
      route: /login
"""

_IGNORED = "tapir-results/\n"


def start_project(options: argparse.Namespace) -> int:
    """Write the files of a new project; never over one that is there."""
    folder = Path(options.folder)
    mine = _MINE.format(command=json.dumps(options.app)) if options.app else _MINE_TO_BE
    files = {
        "tapir-replay.yaml": _PROJECT.format(schemas=SCHEMAS, mine=mine),
        "scenarios/first.yaml": _FIRST.replace("{schemas}", SCHEMAS),
        f"{SCHEMAS}/scenario.schema.json": _json(scenario_schema()),
        f"{SCHEMAS}/project.schema.json": _json(project_schema()),
        ".gitignore": _IGNORED,
    }
    try:
        for name, text in files.items():
            _write(folder / name, text)
    except OSError as error:
        say(f"tapir-replay init: {error}")
        return Exit.INTERNAL
    place = "" if folder == Path() else f"cd {shown(folder)} && "
    print(f"\nNow play it:  {place}tapir-replay scenarios/first.yaml")
    return Exit.PASSED


def _write(path: Path, text: str) -> None:
    if exists(path):
        print(f"left alone  {shown(path)}")
        return
    with replacing(path) as stream:
        stream.write(text)
    print(f"written     {shown(path)}")


def _json(schema: dict[str, Any]) -> str:
    return json.dumps(schema, indent=2, ensure_ascii=False) + "\n"
