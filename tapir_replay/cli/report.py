"""Make reports from the log of a run: also of one that was killed, or that ran elsewhere."""

from __future__ import annotations

import argparse

EXAMPLES = """\
examples:
  tapir-replay report tapir-results/2026-01-31_12-00-00
  tapir-replay report build/e2e/run.jsonl --junit build/junit.xml
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("run", metavar="RUN", help="the folder of a run, or its run.jsonl")
    parser.add_argument("--junit", metavar="FILE", help="where to write it (beside the log)")
    parser.add_argument("--junit-strict", action="store_true", help="see `run --help`")
    parser.add_argument("-q", "--quiet", action="store_true", help="only what did not pass")
    parser.add_argument("-v", "--verbose", action="store_true", help="effects, targets, artifacts")


def main(options: argparse.Namespace) -> int:
    import sys  # noqa: PLC0415
    from pathlib import Path  # noqa: PLC0415

    from tapir_replay.cli.files import say  # noqa: PLC0415
    from tapir_replay.files import is_file, is_folder  # noqa: PLC0415
    from tapir_replay.report.console import Console  # noqa: PLC0415
    from tapir_replay.report.junit import write  # noqa: PLC0415
    from tapir_replay.report.results import Results, read  # noqa: PLC0415

    log = Path(options.run)
    log = log / "run.jsonl" if is_folder(log) else log
    if not is_file(log):
        say(f"tapir-replay report: {log}: there is no log of a run")
        return 2
    junit = Path(options.junit) if options.junit else log.with_name("junit.xml")
    console = Console(
        sys.stdout,
        artifacts=f"{log.parent.as_posix()}/",
        quiet=options.quiet,
        verbose=options.verbose,
    )
    try:
        for event in read(log):
            console.on_event(event)
        write(Results.of_log(log), junit, run_dir=log.parent, strict=options.junit_strict)
    except OSError as error:
        say(f"tapir-replay report: {error}")
        return 4
    console.close(reports={"junit": junit.as_posix()})
    return 0
