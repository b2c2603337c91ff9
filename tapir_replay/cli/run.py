"""Play scenarios against an app. Leaves a log, JUnit XML, and pictures of what failed."""

from __future__ import annotations

import argparse

EXAMPLES = """\
examples:
  tapir-replay scenarios/login.yaml
  tapir-replay scenarios --uri http://127.0.0.1:8181/abc=/
  tapir-replay scenarios --output build/e2e --junit build/e2e.xml
  tapir-replay --profile ci --tags "smoke and not slow" --shard 1/3
  tapir-replay scenarios '!scenarios/drafts/**' --retries 2 --fail-fast
  tapir-replay --last-failed
  PASSWORD=... tapir-replay scenarios/checkout.yaml --var email=ada@example.com
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    from tapir_replay.cli import options  # noqa: PLC0415

    parser.add_argument(
        "paths",
        nargs="*",
        metavar="FILE",
        help="scenario files, folders, globs; !GLOB takes files out (those of the project)",
    )
    options.add_app_options(parser)
    options.add_project_options(parser)
    options.add_choice_options(parser)
    options.add_playing_options(parser)
    options.add_value_options(parser)
    parser.add_argument(
        "--watch",
        action="store_true",
        help="play again when a scenario changes, or the app's code (it is reloaded first)",
    )
    out = parser.add_argument_group("what is left")
    out.add_argument(
        "--output",
        metavar="DIR",
        help="the folder of this run (a new one in tapir-results/)",
    )
    out.add_argument("--junit", metavar="FILE", help="write the JUnit XML here as well")
    out.add_argument(
        "--junit-strict",
        action="store_true",
        help="leave out of it what Jenkins' xUnit schema does not allow",
    )
    shown = parser.add_argument_group("what is shown")
    shown.add_argument("-q", "--quiet", action="store_true", help="only what did not pass")
    shown.add_argument("-v", "--verbose", action="store_true", help="effects, targets, artifacts")
    shown.add_argument("--color", choices=("auto", "always", "never"), default="auto")


def main(options: argparse.Namespace) -> int:
    if options.list or options.dry_run:
        from tapir_replay.cli.preparing import show_plan  # noqa: PLC0415

        return show_plan(options)
    from tapir_replay.cli.playing import play_files  # noqa: PLC0415

    if options.watch:
        from tapir_replay.cli.watching import watch  # noqa: PLC0415

        return watch(options, play_files)
    return play_files(options)
