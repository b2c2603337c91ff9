"""Check scenario files, without an app. All problems of all files are told."""

from __future__ import annotations

import argparse

EXAMPLES = """\
examples:
  tapir-replay validate scenarios/login.yaml
  tapir-replay validate scenarios more/flows --strict
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("paths", nargs="+", metavar="FILE", help="scenario files, or folders")
    parser.add_argument(
        "--var", action="append", default=[], metavar="NAME", help="a name that will be defined"
    )
    parser.add_argument("--strict", action="store_true", help="count warnings as errors")


def main(options: argparse.Namespace) -> int:
    from tapir_replay.cli.files import (  # noqa: PLC0415
        UsageError,
        counted,
        load_all,
        print_diagnostics,
        say,
        scenario_files,
    )

    try:
        files = scenario_files(options.paths)
    except UsageError as error:
        say(f"tapir-replay validate: {error}")
        return 2
    names = [each.partition("=")[0] for each in options.var]
    loaded = load_all(files, names)
    errors, warnings = print_diagnostics(loaded)
    told = [counted(errors, "error")] if errors else []
    told += [counted(warnings, "warning")] if warnings else []
    print(f"{counted(len(files), 'file')}: {', '.join(told) or 'no problems'}")
    return 2 if errors or (options.strict and warnings) else 0
