"""Send one verb to an app and print its answer as JSON."""

from __future__ import annotations

import argparse

EXAMPLES = """\
examples:
  tapir-replay call snap --app demo
  tapir-replay call tap target="Sign in" --app demo
  tapir-replay call fill 'target={key: email}' text=ada@example.com --uri http://127.0.0.1:8181/abc=/
  tapir-replay call tap ref=e5 --uri http://127.0.0.1:8181/abc=/
  tapir-replay call snap --profile device            the default app of the project's profile

A target is written as in a scenario, and looked up first; ref=... is sent as it is.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    from tapir_replay.cli import options  # noqa: PLC0415

    parser.add_argument("verb", help="the verb, such as tap")
    parser.add_argument("values", nargs="*", metavar="NAME=VALUE", help="its parameters")
    parser.add_argument(
        "--timeout",
        type=float,
        metavar="SECONDS",
        help="to find targets (the project's, or 5)",
    )
    options.add_app_options(parser)
    options.add_project_options(parser)


def main(options: argparse.Namespace) -> int:
    from tapir_replay.cli.calling import call_verb  # noqa: PLC0415

    return call_verb(options)
