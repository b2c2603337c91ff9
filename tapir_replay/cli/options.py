"""Options that several commands have in common."""

from __future__ import annotations

import argparse

URI_HELP = "the app's VM Service address, as `flutter run` prints it"


def add_app_options(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("the app")
    group.add_argument("--uri", help=URI_HELP)
    group.add_argument("--app", metavar="NAME", help="`demo` for the demo app")
    group.add_argument(
        "--isolate", metavar="NAME", help="which isolate, where several have the verbs"
    )
    group.add_argument(
        "--cdp-port",
        type=int,
        metavar="PORT",
        help="the debugging port of the browser that shows a web app",
    )
    group.add_argument(
        "--connect-timeout",
        type=float,
        default=30.0,
        metavar="SECONDS",
        help="how long to wait for the app's verbs (30)",
    )
    group.add_argument(
        "--allow-evaluate",
        action="store_true",
        help="let `evaluate` run Dart code in the app",
    )


def add_value_options(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("values")
    group.add_argument(
        "--var",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="define or override a variable; may be repeated",
    )
    group.add_argument(
        "--env-file",
        action="append",
        default=[],
        metavar="FILE",
        help="read NAME=VALUE lines, for secrets and env; may be repeated",
    )
