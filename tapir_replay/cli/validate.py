"""Check scenario files, without an app. All problems of all files are told."""

from __future__ import annotations

import argparse

EXAMPLES = """\
examples:
  tapir-replay validate scenarios/login.yaml
  tapir-replay validate scenarios more/flows --strict
  tapir-replay validate                  the project file, and all its scenarios
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    from tapir_replay.cli.options import add_project_options  # noqa: PLC0415

    parser.add_argument(
        "paths",
        nargs="*",
        metavar="FILE",
        help="scenario files, folders, globs; !GLOB takes files out (those of the project)",
    )
    add_project_options(parser)
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
    )
    from tapir_replay.cli.project import files_of, project_of, without_project  # noqa: PLC0415
    from tapir_replay.project.settings import with_known_app  # noqa: PLC0415

    try:
        paths, file = without_project(options.paths)
        project, remarks = project_of(paths, options.project or file, options.profile)
        wrong = project is None and remarks.errors > 0
        # What a wrong project file defines is not known: scenarios that use it would be blamed.
        files = [] if wrong else files_of(paths, project)
    except UsageError as error:
        say(f"tapir-replay validate: {error}")
        return 2
    names = {each.partition("=")[0] for each in options.var}
    loaded = [with_known_app(each, project) for each in load_all(files, names, project)]
    errors, warnings = print_diagnostics(loaded)
    errors, warnings = errors + remarks.errors, warnings + remarks.warnings
    told = [counted(errors, "error")] if errors else []
    told += [counted(warnings, "warning")] if warnings else []
    checked = ["1 project file"] if project is not None or wrong else []
    checked += [] if wrong else [counted(len(files), "file")]
    print(f"{' and '.join(checked)}: {', '.join(told) or 'no problems'}")
    return 2 if errors or (options.strict and warnings) else 0
