"""Record what a person does in a running app as a scenario that replays."""

from __future__ import annotations

import argparse

EXAMPLES = """\
examples:
  tapir-replay record -o scenarios/checkout.yaml --uri http://127.0.0.1:8181/abc=/
  tapir-replay record -o scenarios/checkout.yaml --replay
  tapir-replay record -o scenarios/checkout.yaml --append --include-tools

Use the app; Ctrl-C ends the recording. On a terminal, p pauses, u takes the last step back, and
after a the widget that is touched next is checked instead of used. A file that is there is never
written over: without --append a new name is taken.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    from tapir_replay.cli.options import add_app_options, add_project_options  # noqa: PLC0415

    parser.add_argument(
        "-o", "--output", metavar="FILE", required=True, help="the scenario to write"
    )
    parser.add_argument("--name", help="what the scenario is called (the file's name)")
    parser.add_argument(
        "--append", action="store_true", help="put the steps behind those of a scenario"
    )
    parser.add_argument(
        "--include-tools",
        action="store_true",
        help="also what other clients of the app do: tools, agents, scripts",
    )
    parser.add_argument(
        "--replay",
        action="store_true",
        help="play the scenario right after, and mark what does not come out the same",
    )
    parser.add_argument(
        "--coordinates",
        action="store_true",
        help="record a tap on something without a name by its place",
    )
    parser.add_argument(
        "--env-file",
        action="append",
        default=[],
        metavar="FILE",
        help="read NAME=VALUE lines, for secrets; may be repeated",
    )
    add_app_options(parser)
    add_project_options(parser)


def main(options: argparse.Namespace) -> int:
    from tapir_replay.cli.recording import record  # noqa: PLC0415

    return record(options)
