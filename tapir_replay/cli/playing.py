"""What `run` does, from the options to the exit code."""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import secrets
import shutil
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from tapir_replay import __version__
from tapir_replay.cli.app_logs import AppLogs
from tapir_replay.cli.apps import Apps
from tapir_replay.cli.files import (
    UsageError,
    counted,
    mute,
    say,
)
from tapir_replay.cli.mending import tell_patches
from tapir_replay.cli.patching import beside
from tapir_replay.cli.preparing import Prepared, prepare
from tapir_replay.cli.remembering import Remembering
from tapir_replay.cli.stopping import on_stop
from tapir_replay.cli.surroundings import Surroundings
from tapir_replay.cli.workers import OneByOne, options_of_workers
from tapir_replay.engine.artifacts import ArtifactStore
from tapir_replay.engine.clock import RealClock
from tapir_replay.engine.events import Event
from tapir_replay.engine.exits import Exit
from tapir_replay.engine.redact import Redactor
from tapir_replay.engine.run import Entry, Policy, RunFacts, run
from tapir_replay.engine.runlog import RunLog
from tapir_replay.engine.scope import RunValues
from tapir_replay.engine.stage import Stage
from tapir_replay.files import exists, free_name, is_file, is_folder, make_folder
from tapir_replay.project.history import read_history, write_history
from tapir_replay.report.console import Console
from tapir_replay.report.junit import write as write_junit
from tapir_replay.report.results import Results
from tapir_replay.scenario.load import shown

LOG = "run.jsonl"
JUNIT = "junit.xml"
ARTIFACTS = "artifacts"
APP_LOGS = "artifacts/app-logs"


def play_files(options: argparse.Namespace) -> int:
    """Load, check, choose, play, report."""
    now = datetime.now(UTC).astimezone()
    try:
        prepared = prepare(options)
        if prepared is None:
            return Exit.WRONG_INPUT
        workers = _workers(prepared, options)
        folder = _run_folder(options.output, prepared.settings.results, now)
    except UsageError as error:
        say(f"tapir-replay: {error}")
        return Exit.WRONG_INPUT
    except OSError as error:
        say(f"tapir-replay: the results cannot be written: {error}")
        return Exit.INTERNAL
    return _play(prepared, options, workers, folder, now)


def _play(
    prepared: Prepared,
    options: argparse.Namespace,
    workers: Sequence[argparse.Namespace],
    folder: Path,
    now: datetime,
) -> int:
    redactor = Redactor(prepared.secrets)
    sources = {file: text for each in prepared.loaded for file, text in each.sources.items()}
    console = Console(
        sys.stdout,
        source=_source_of(prepared, redactor),
        artifacts=f"{shown(folder)}/",
        quiet=options.quiet,
        verbose=options.verbose,
        color={"auto": None, "always": True, "never": False}[options.color],
    )
    run_id = f"{now:%Y%m%d-%H%M%S}-{secrets.token_hex(2)}"
    facts = redactor.value(_facts(prepared, options, now.isoformat(timespec="seconds")))
    remembering = Remembering(
        [item.key for _, item in prepared.plan.turns], durations=prepared.asked.shard is None
    )
    with RunLog(folder / LOG) as log:
        # Faults of the files have been told already, with their lines.
        shown_live: Console | OneByOne | None = OneByOne(console) if len(workers) > 1 else console
        telling = _Telling(log, None if prepared.errors else shown_live, remembering)
        stage = Stage(
            listen=telling,
            clock=RealClock(),
            redactor=redactor,
            artifacts=ArtifactStore(folder, redactor, prefix=ARTIFACTS),
            run=RunValues(run_id, shown(folder)),
            environ=prepared.environ,
            overrides=prepared.overrides,
            update_goldens=options.update_goldens,
            golden_suffix=prepared.settings.goldens,
            beside=beside(sources),
        )
        with AppLogs(folder / APP_LOGS, redactor) as logs:
            code: int = asyncio.run(_interruptible(prepared, workers, stage, facts, logs))
    if isinstance(shown_live, OneByOne):
        shown_live.close()
    if telling.fault is not None:
        say(f"tapir-replay: the log could not be written: {telling.fault}")
        code = max(code, Exit.INTERNAL)
    if prepared.errors:
        say(f"nothing was played: {counted(prepared.errors, 'error')} in the scenario files")
    elif not prepared.plan.turns:
        others = counted(len(prepared.plan.selected), "scenario")
        say(f"shard {prepared.asked.shard}: the {others} are all in other shards")
    if not prepared.errors:
        _remember(prepared.record, remembering, redactor)
    reports = _Reports(
        junit=Path(options.junit) if options.junit else prepared.settings.junit,
        strict=options.junit_strict or prepared.settings.junit_strict,
    )
    code = _report(reports, folder, None if prepared.errors else console, redactor, code)
    if not prepared.errors and is_file(folder / LOG):
        tell_patches(Results.of_log(folder / LOG), sources, apply=options.apply_patches)
    return code


def _facts(prepared: Prepared, options: argparse.Namespace, started: str) -> RunFacts:
    """What the log begins with."""
    project, asked = prepared.project, prepared.asked
    return RunFacts(
        tool=f"tapir-replay {__version__}",
        app=_without_code(prepared.app(options) or ""),
        started=started,
        project=project.file if project else "",
        profile=(project.profile or "") if project else "",
        shard=str(asked.shard or ""),
        seed=asked.seed or "",
    )


def _without_code(uri: str) -> str:
    """An address without the secret part of its path."""
    scheme, mark, rest = uri.partition("://")
    return f"{scheme}{mark}{rest.partition('/')[0]}" if mark else uri


def _remember(record: Path, remembering: Remembering, redactor: Redactor) -> None:
    """Keep durations and what failed, for later runs. That it cannot be kept stops nothing."""
    if not remembering.played:
        return
    try:
        # Read again: another run may have ended meanwhile.
        known = read_history(record).with_played(
            (redactor.text(key), past) for key, past in remembering.played
        )
        write_history(record, known)
    except OSError as error:
        say(f"tapir-replay: warning: what failed could not be remembered: {error}")


class _Telling:
    """Takes events to the log and to the console; a full disk does not stop the run."""

    def __init__(
        self, log: RunLog, console: Console | OneByOne | None, remembering: Remembering
    ) -> None:
        self._log = log
        self._console = console
        self._remembering = remembering
        self.fault: OSError | None = None

    def __call__(self, event: Event) -> None:
        if self.fault is None:
            try:
                self._log.append(event)
            except OSError as error:
                self.fault = error
        self._remembering.add(event)
        if self._console is not None:
            with _reader_may_leave():
                self._console.on_event(event)


async def _interruptible(
    prepared: Prepared,
    workers: Sequence[argparse.Namespace],
    stage: Stage,
    facts: RunFacts,
    logs: AppLogs,
) -> Exit:
    """The run; Ctrl-C and SIGTERM end it in order, with its reports."""
    policy = Policy(
        retries=prepared.settings.retries,
        fail_fast=prepared.asked.fail_fast,
        fail_on_flaky=prepared.settings.fail_on_flaky,
    )
    async with contextlib.AsyncExitStack() as stack:
        first, *others = [
            await stack.enter_async_context(_apps(prepared, options, stage, logs))
            for options in workers
        ]
        playing = run(_entries(prepared), first, stage, facts, policy, others=others)
        task = asyncio.ensure_future(playing)
        with on_stop(task.cancel):
            return await task


def _apps(prepared: Prepared, options: argparse.Namespace, stage: Stage, logs: AppLogs) -> Apps:
    around = Surroundings(project=prepared.project, environ=prepared.environ)
    return around.apps(
        options,
        tell=lambda text: say(stage.redactor.text(text)),
        keep_line=logs.keep,
    )


def _workers(prepared: Prepared, options: argparse.Namespace) -> list[argparse.Namespace]:
    """The options of each worker's apps."""
    default = options.app or (prepared.project.default_app if prepared.project else None)
    names = {
        options.app or item.scenario.app or default
        for _, item in prepared.plan.turns
        if item.scenario is not None
    }
    specs = prepared.project.apps if prepared.project else {}
    return options_of_workers(options, prepared.asked.workers, names, specs)


def _entries(prepared: Prepared) -> list[Entry]:
    known = prepared.history.scenarios
    return [
        Entry(
            loaded=item.loaded,
            scenario=item.scenario,
            round=number,
            took=known[item.key].duration if item.key in known else None,
        )
        for number, item in prepared.plan.turns
    ]


@dataclass(frozen=True, slots=True)
class _Reports:
    """Reports besides those in the folder of the run."""

    junit: Path | None
    strict: bool


def _report(
    wanted: _Reports,
    folder: Path,
    console: Console | None,
    redactor: Redactor,
    code: int,
) -> int:
    """Write what is made of the log, and say where it is."""
    reports = {"log": shown(folder / LOG)}
    try:
        for path in (folder / JUNIT, *([wanted.junit] if wanted.junit else [])):
            results = Results.of_log(folder / LOG)
            write_junit(results, path, run_dir=folder, strict=wanted.strict)
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
        path for path in folder.rglob("*") if is_file(path) and redactor.leaks(path.read_bytes())
    ]
    for path in leaking:
        path.unlink()
    return leaking


def _run_folder(output: str | None, results: Path, now: datetime) -> Path:
    """The folder of this run. One that is named is used again, without the old artifacts."""
    if output is None:
        folder = free_name(results / f"{now:%Y-%m-%d_%H-%M-%S}")
        make_folder(folder, new=True)
        return folder
    folder = Path(output)
    if exists(folder) and not is_folder(folder):
        raise UsageError(f"--output {output}: this is a file")
    if exists(folder / LOG):
        shutil.rmtree(folder / ARTIFACTS, ignore_errors=True)
    elif is_folder(folder) and exists(folder / ARTIFACTS):
        raise UsageError(
            f'--output {output}: it has a folder "{ARTIFACTS}" that is not from an earlier run'
        )
    make_folder(folder)
    return folder


def _source_of(prepared: Prepared, redactor: Redactor) -> _Sources:
    texts = {file: text for each in prepared.loaded for file, text in each.sources.items()}
    if prepared.project is not None:
        texts[prepared.project.file] = prepared.project.source
    return _Sources(texts, redactor)


class _Sources:
    """The text of scenario files, for snippets; secrets are masked there too."""

    def __init__(self, texts: dict[str, str], redactor: Redactor) -> None:
        self._texts = texts
        self._redactor = redactor

    def __call__(self, file: str) -> str | None:
        text = self._texts.get(file)
        return None if text is None else self._redactor.text(text)
