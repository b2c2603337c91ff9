"""The command line's grammar. Imports nothing heavy: `--help` has to feel instant."""

from __future__ import annotations

import argparse
import importlib
import io
import sys
from collections.abc import Sequence

from tapir_replay import __version__

_COMMANDS = {
    "run": "play scenarios against an app (the default)",
    "validate": "check scenario files, without an app",
    "call": "send one verb to an app and print its answer",
    "record": "use an app, and get a scenario that does the same",
    "report": "make reports from the log of a run",
    "convert": "turn flows of Maestro and flutter_pilot into scenarios",
    "init": "begin a project, with a first scenario that passes",
    "doctor": "check what a run needs, and say what to do",
    "demo": "keep the demo app running",
    "schema": "print the JSON Schemas and the reference of verbs",
}

_OVERVIEW = """\
examples:
  tapir-replay scenarios/login.yaml                  play one scenario
  tapir-replay scenarios --uri http://127.0.0.1:8181/abc=/
                                                     play all of a folder on a running app
  tapir-replay run --profile ci --tags "smoke and not slow" --retries 2
                                                     those of the project file
  tapir-replay validate scenarios                    check files only
  tapir-replay record -o scenarios/checkout.yaml     use the app, and get a scenario
  tapir-replay call tap target="Sign in" --app demo  try a verb
  tapir-replay COMMAND --help                        more about a command

exit codes:
  0 all passed   1 a scenario failed   2 a scenario or the command line is wrong
  3 the app could not be reached, went away, or does not tell what was asked
  4 our own fault   130 interrupted
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command; returns the exit code."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    _never_fail_at_a_letter()
    parser = _parser()
    if not given:
        parser.print_help()
        return 2
    if given[0] not in _COMMANDS and given[0] not in ("-h", "--help", "--version"):
        given.insert(0, "run")
    name = given[0]
    if name in _COMMANDS:
        command = importlib.import_module(f"tapir_replay.cli.{name}")
        its_parser = argparse.ArgumentParser(
            prog=f"tapir-replay {name}",
            description=command.__doc__,
            epilog=command.EXAMPLES,
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        command.add_arguments(its_parser)
        try:
            return int(command.main(its_parser.parse_args(given[1:])))
        except BrokenPipeError:
            return _closed_pipe()
        except KeyboardInterrupt:
            return 130
        except Exception as error:
            return _our_fault(error)
    parser.parse_args(given)
    return 0


def _parser() -> argparse.ArgumentParser:
    commands = "\n".join(f"  {name:<10} {summary}" for name, summary in _COMMANDS.items())
    parser = argparse.ArgumentParser(
        prog="tapir-replay",
        usage="tapir-replay [COMMAND] [FILE ...] [options]",
        description=f"Plays YAML scenarios against a Flutter app.\n\ncommands:\n{commands}",
        epilog=_OVERVIEW,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"tapir-replay {__version__}")
    return parser


def _never_fail_at_a_letter() -> None:
    """What the encoding of the terminal cannot show, or names of files that are no text."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def _our_fault(error: Exception) -> int:
    """What no part of the tool expected must not look like a scenario that failed."""
    import traceback  # noqa: PLC0415

    traceback.print_exception(error)
    print("tapir-replay itself failed; please report the above", file=sys.stderr)
    return 4


def _closed_pipe() -> int:
    """Whoever read our output has had enough (`| head`); that is no fault."""
    from tapir_replay.cli.files import mute  # noqa: PLC0415

    mute()
    return 0
