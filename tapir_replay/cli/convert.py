"""Turn flows of Maestro and scenarios of flutter_pilot into scenarios, and tell what is missing."""

from __future__ import annotations

import argparse

EXAMPLES = """\
examples:
  tapir-replay convert .maestro                     all flows of a folder, into scenarios/
  tapir-replay convert login.yaml -o e2e            one flow, and those that it uses
  tapir-replay convert pilot --from pilot

exit codes:
  0 all was carried over   1 something could not be: see the messages, and the comments in the files
  2 a file or the command line is wrong, and nothing was written
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("paths", nargs="+", metavar="FILE", help="flows, or folders of them")
    parser.add_argument(
        "-o", "--output", default="scenarios", metavar="DIR", help="where to write (scenarios)"
    )
    parser.add_argument(
        "--from", dest="kind", choices=("maestro", "pilot"), help="what they are, if it is not seen"
    )
    parser.add_argument(
        "--force", action="store_true", help="write over scenarios that are there already"
    )


def main(options: argparse.Namespace) -> int:
    from tapir_replay.cli.converting import convert  # noqa: PLC0415

    return convert(options)
