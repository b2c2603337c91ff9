"""Begin a project: a project file and a first scenario that passes as it is."""

from __future__ import annotations

import argparse

EXAMPLES = """\
examples:
  tapir-replay init                 in this folder
  tapir-replay init e2e --app "flutter run -d chrome --machine"

Files that are there already are left as they are.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("folder", nargs="?", default=".", help="where to begin (here)")
    parser.add_argument(
        "--app", metavar="COMMAND", help="the command that starts your app, to be named `mine`"
    )


def main(options: argparse.Namespace) -> int:
    from tapir_replay.cli.starting import start_project  # noqa: PLC0415

    return start_project(options)
