"""Options that several commands have in common."""

from __future__ import annotations

import argparse

URI_HELP = "the app's VM Service address, as `flutter run` prints it"


def add_app_options(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("the app")
    group.add_argument("--uri", help=URI_HELP)
    group.add_argument("--app", metavar="NAME", help="an app of the project file, or `demo`")
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


def add_project_options(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("the project")
    group.add_argument(
        "--project",
        metavar="FILE",
        help="the project file (the next tapir-replay.yaml upwards from the scenarios or here)",
    )
    group.add_argument(
        "--profile", metavar="NAME", help="use the settings that the project file has under a name"
    )


def add_choice_options(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("which scenarios")
    group.add_argument(
        "--tags",
        action="append",
        default=[],
        metavar="EXPRESSION",
        help='those whose tags fit, such as "smoke and not (slow or wip)"',
    )
    group.add_argument(
        "--grep",
        action="append",
        default=[],
        metavar="PATTERN",
        help="those with this regular expression in their name or file; may be repeated",
    )
    group.add_argument(
        "--last-failed", action="store_true", help="those that did not pass when last played"
    )
    group.add_argument(
        "--shard", metavar="I/N", help="one of N parts that take about as long as one another"
    )
    group.add_argument("--list", action="store_true", help="print them, and play nothing")
    group.add_argument("--dry-run", action="store_true", help="print the plan, and play nothing")


def add_playing_options(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("how they are played")
    group.add_argument(
        "--timeout", metavar="DURATION", help="for steps that set none of their own, such as 10s"
    )
    group.add_argument(
        "--retries", metavar="N", help="play what does not pass again, up to so many times"
    )
    group.add_argument(
        "--fail-on-flaky",
        action="store_true",
        help="end with 1 if something passed only when played again",
    )
    group.add_argument(
        "--workers",
        metavar="N",
        help="play on so many apps at once: each is started, or has an address of its own in --uri",
    )
    group.add_argument("--repeat", metavar="N", help="play them all so many times")
    group.add_argument(
        "--shuffle", metavar="SEED", help="play them in an order that the seed decides"
    )
    group.add_argument(
        "--fail-fast", action="store_true", help="stop after the first that does not pass"
    )
    group.add_argument(
        "--apply-patches",
        action="store_true",
        help="write what is proposed for widgets that were not found into the scenarios",
    )
    group.add_argument(
        "--goldens",
        metavar="NAME",
        help="compare with home.NAME.png where there is one, instead of home.png",
    )
    group.add_argument(
        "--update-goldens",
        action="store_true",
        help="write the files that screens are compared with, instead of failing",
    )
