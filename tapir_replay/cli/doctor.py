"""Check what a run needs, one thing after the other, and say what to do about what is missing."""

from __future__ import annotations

import argparse

EXAMPLES = """\
examples:
  tapir-replay doctor                                     this machine, and the project's app,
                                                          or the demo
  tapir-replay doctor --uri http://127.0.0.1:8181/abc=/   your app
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    from tapir_replay.cli.options import add_app_options, add_project_options  # noqa: PLC0415

    add_app_options(parser)
    add_project_options(parser)


def main(options: argparse.Namespace) -> int:
    from tapir_replay.cli.checkup import check_all  # noqa: PLC0415

    return check_all(options)
