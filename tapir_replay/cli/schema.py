"""Print the JSON Schemas of scenarios, of the project file and of the run log, or all verbs."""

from __future__ import annotations

import argparse

EXAMPLES = """\
examples:
  tapir-replay schema > scenario.schema.json
  tapir-replay schema project
  tapir-replay schema run-log
  tapir-replay schema --write .          all of them, as in this project's repository

In a scenario file, editors find the schema by its first line:
  # yaml-language-server: $schema=../schemas/scenario.schema.json
"""

_WHAT = ("scenario", "project", "run-log", "verbs")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("what", nargs="?", choices=_WHAT, default="scenario")
    parser.add_argument("--write", metavar="DIR", help="write schemas/ and docs/verbs.md there")


def main(options: argparse.Namespace) -> int:
    from pathlib import Path  # noqa: PLC0415

    from tapir_replay.cli.files import say  # noqa: PLC0415
    from tapir_replay.files import replacing  # noqa: PLC0415

    if options.write is None:
        print(_text(options.what), end="")
        return 0
    try:
        for what, relative in generated_files().items():
            path = Path(options.write) / relative
            with replacing(path) as stream:
                stream.write(_text(what))
            print(path)
    except OSError as error:
        say(f"tapir-replay schema: {error}")
        return 4
    return 0


def generated_files() -> dict[str, str]:
    """Where the generated files are in this project's repository."""
    return {
        "scenario": "schemas/scenario.schema.json",
        "project": "schemas/project.schema.json",
        "run-log": "schemas/run-log.schema.json",
        "verbs": "docs/verbs.md",
    }


def _text(what: str) -> str:
    import json  # noqa: PLC0415

    from tapir_replay.engine import runlog  # noqa: PLC0415
    from tapir_replay.project.schema import project_schema  # noqa: PLC0415
    from tapir_replay.scenario.schema import scenario_schema  # noqa: PLC0415
    from tapir_replay.verbs.reference import reference  # noqa: PLC0415

    if what == "verbs":
        return reference()
    made = {"scenario": scenario_schema, "project": project_schema, "run-log": runlog.schema}
    schema = made[what]()
    return json.dumps(schema, indent=2, ensure_ascii=False) + "\n"
