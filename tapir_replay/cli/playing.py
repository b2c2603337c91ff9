"""What `run` does, from the options to the exit code."""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import os
import secrets
import shutil
import signal
import sys
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path

from tapir_replay import __version__
from tapir_replay.cli.apps import Apps
from tapir_replay.cli.files import (
    UsageError,
    counted,
    load_all,
    mute,
    print_diagnostics,
    say,
    scenario_files,
)
from tapir_replay.cli.values import environment, overrides_of
from tapir_replay.engine.artifacts import ArtifactStore
from tapir_replay.engine.clock import RealClock
from tapir_replay.engine.events import Event
from tapir_replay.engine.exits import Exit
from tapir_replay.engine.redact import Redactor
from tapir_replay.engine.run import RunFacts, run
from tapir_replay.engine.runlog import RunLog
from tapir_replay.engine.scope import RunValues
from tapir_replay.engine.stage import Stage
from tapir_replay.report.console import Console
from tapir_replay.report.junit import write as write_junit
from tapir_replay.report.results import Results
from tapir_replay.scenario.load import Loaded, shown

LOG = "run.jsonl"
JUNIT = "junit.xml"
ARTIFACTS = "artifacts"


def play_files(options: argparse.Namespace) -> int:
    """Load, check, play, report."""
    now = datetime.now(UTC).astimezone()
    try:
        overrides = overrides_of(options.var)
        environ = environment(options.env_file, os.environ)
        loaded = load_all(scenario_files(options.paths), overrides)
        folder = _run_folder(options.output, now)
    except UsageError as error:
        say(f"tapir-replay: {error}")
        return Exit.WRONG_INPUT
    except OSError as error:
        say(f"tapir-replay: the results cannot be written: {error}")
        return Exit.INTERNAL
    errors, _ = print_diagnostics(loaded)
    redactor = Redactor()
    console = Console(
        sys.stdout,
        source=_source_of(loaded, redactor),
        artifacts=f"{shown(folder)}/",
        quiet=options.quiet,
        verbose=options.verbose,
        color={"auto": None, "always": True, "never": False}[options.color],
    )
    run_id = f"{now:%Y%m%d-%H%M%S}-{secrets.token_hex(2)}"
    facts = RunFacts(
        tool=f"tapir-replay {__version__}",
        app=redactor.text(_without_code(options.uri or options.app or "")),
        started=now.isoformat(timespec="seconds"),
    )
    with RunLog(folder / LOG) as log:
        # Faults of the files have been told already, with their lines.
        telling = _Telling(log, console if not errors else None)
        stage = Stage(
            listen=telling,
            clock=RealClock(),
            redactor=redactor,
            artifacts=ArtifactStore(folder, redactor, prefix=ARTIFACTS),
            run=RunValues(run_id, shown(folder)),
            environ=environ,
            overrides=overrides,
        )
        code = asyncio.run(_interruptible(loaded, options, stage, facts))
    if telling.fault is not None:
        say(f"tapir-replay: the log could not be written: {telling.fault}")
        code = max(code, Exit.INTERNAL)
    if errors:
        say(f"nothing was played: {counted(errors, 'error')} in the scenario files")
    return _report(options, folder, None if errors else console, redactor, code)


class _Telling:
    """Takes events to the log and to the console; a full disk does not stop the run."""

    def __init__(self, log: RunLog, console: Console | None) -> None:
        self._log = log
        self._console = console
        self.fault: OSError | None = None

    def __call__(self, event: Event) -> None:
        if self.fault is None:
            try:
                self._log.append(event)
            except OSError as error:
                self.fault = error
        if self._console is not None:
            with _reader_may_leave():
                self._console.on_event(event)


async def _interruptible(
    loaded: Sequence[Loaded], options: argparse.Namespace, stage: Stage, facts: RunFacts
) -> Exit:
    """The run; Ctrl-C and SIGTERM end it in order, with its reports."""
    async with Apps(options) as apps:
        task = asyncio.ensure_future(run(loaded, apps, stage, facts))
        loop = asyncio.get_running_loop()
        with contextlib.suppress(NotImplementedError):  # Windows has no signal handlers here
            for each in (signal.SIGINT, signal.SIGTERM):
                loop.add_signal_handler(each, task.cancel)
        return await task


def _report(
    options: argparse.Namespace,
    folder: Path,
    console: Console | None,
    redactor: Redactor,
    code: Exit,
) -> int:
    """Write what is made of the log, and say where it is."""
    reports = {"log": shown(folder / LOG)}
    try:
        for path in (folder / JUNIT, *([Path(options.junit)] if options.junit else [])):
            results = Results.of_log(folder / LOG)
            write_junit(results, path, run_dir=folder, strict=options.junit_strict)
            reports["junit"] = shown(path)
        leaks = _remove_leaks(folder, redactor)
    except OSError as error:
        _close(console, reports)
        say(f"tapir-replay: a report could not be written: {error}")
        return Exit.INTERNAL
    _close(console, reports)
    for each in leaks:
        say(f"tapir-replay: removed {shown(each)}: it held a secret")
    return Exit.INTERNAL if leaks else code


def _close(console: Console | None, reports: dict[str, str]) -> None:
    if console is not None:
        with _reader_may_leave():
            console.close(reports=reports)


@contextlib.contextmanager
def _reader_may_leave() -> Iterator[None]:
    """A closed pipe (`| head`) or a full disk ends the output, not the run."""
    try:
        yield
    except OSError:
        mute()


def _remove_leaks(folder: Path, redactor: Redactor) -> list[Path]:
    """Proof that the redactor held: no finished file has a secret in any form."""
    if not redactor.active:
        return []
    leaking = [
        path for path in folder.rglob("*") if path.is_file() and redactor.leaks(path.read_bytes())
    ]
    for path in leaking:
        path.unlink()
    return leaking


def _run_folder(output: str | None, now: datetime) -> Path:
    """The folder of this run. One that is named is used again, without the old artifacts."""
    if output is None:
        base = Path("tapir-results") / f"{now:%Y-%m-%d_%H-%M-%S}"
        folder, number = base, 1
        while folder.exists():
            number += 1
            folder = base.with_name(f"{base.name}-{number}")
        folder.mkdir(parents=True)
        return folder
    folder = Path(output)
    if folder.exists() and not folder.is_dir():
        raise UsageError(f"--output {output}: this is a file")
    if (folder / LOG).exists():
        shutil.rmtree(folder / ARTIFACTS, ignore_errors=True)
    elif folder.is_dir() and (folder / ARTIFACTS).exists():
        raise UsageError(
            f'--output {output}: it has a folder "{ARTIFACTS}" that is not from an earlier run'
        )
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def _without_code(uri: str) -> str:
    """An address without the secret part of its path."""
    scheme, mark, rest = uri.partition("://")
    return f"{scheme}{mark}{rest.partition('/')[0]}" if mark else uri


def _source_of(loaded: Sequence[Loaded], redactor: Redactor) -> _Sources:
    texts = {file: text for each in loaded for file, text in each.sources.items()}
    return _Sources(texts, redactor)


class _Sources:
    """The text of scenario files, for snippets; secrets are masked there too."""

    def __init__(self, texts: dict[str, str], redactor: Redactor) -> None:
        self._texts = texts
        self._redactor = redactor

    def __call__(self, file: str) -> str | None:
        text = self._texts.get(file)
        return None if text is None else self._redactor.text(text)
