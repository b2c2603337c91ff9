"""What `doctor` does: a list of small checks, each a question with an answer and an advice."""

from __future__ import annotations

import argparse
import asyncio
import os
import re
import sys
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

from tapir_replay import __version__
from tapir_replay.app.cdp import Page
from tapir_replay.app.errors import AppError, VerbRefused
from tapir_replay.app.interface import QUERY, QUERY_MORE
from tapir_replay.app.vm_app import VmApp
from tapir_replay.cli.apps import DEMO, Apps
from tapir_replay.cli.files import UsageError, say
from tapir_replay.cli.surroundings import Surroundings, surroundings
from tapir_replay.engine.answers import route_of
from tapir_replay.engine.events import Outcome
from tapir_replay.engine.exits import Exit
from tapir_replay.engine.locate import locator_for
from tapir_replay.report.clean import for_terminal
from tapir_replay.report.terminal import Terminal
from tapir_replay.verbs.catalogue import STEP_VERBS
from tapir_replay.verbs.model import Dispatch

_CLOCK_TOLERANCE = 2.0
"""Seconds that the app's clock may differ before it is worth a word."""


@dataclass(frozen=True, slots=True)
class Finding:
    """The answer to one question; `advice` is for what is not as it should be."""

    outcome: Outcome
    text: str
    advice: str = ""


@dataclass(slots=True)
class Patient:
    """What is examined; `app` is there once it could be reached."""

    options: argparse.Namespace
    apps: Apps
    app: VmApp | None = None
    isolate: str = ""
    extensions: tuple[str, ...] = field(default_factory=tuple)


def check_all(options: argparse.Namespace) -> int:
    """Print a line for every check; the exit code says whether a run can work."""
    try:
        around = surroundings(options, "checked")
    except UsageError as error:
        say(f"tapir-replay doctor: {error}")
        return Exit.WRONG_INPUT
    return Exit.WRONG_INPUT if around is None else asyncio.run(_check_all(options, around))


async def _check_all(options: argparse.Namespace, around: Surroundings) -> int:
    out = Terminal(sys.stdout, env=os.environ)
    worst = Exit.PASSED
    async with around.apps(options, tell=say) as apps:
        patient = Patient(options, apps)
        for check, otherwise in _CHECKS:
            try:
                finding = await check(patient)
            except AppError as error:
                finding = Finding(Outcome.FAILED, error.message, error.hint)
            if finding is None:
                continue
            out.line(f"{out.mark(finding.outcome)} {for_terminal(finding.text)}")
            if finding.advice:
                out.line(f"    {out.dim(for_terminal(finding.advice))}")
            if finding.outcome is Outcome.FAILED:
                worst = max(worst, otherwise)
                if check is _reachable:
                    break
    return worst


async def _python(_: Patient) -> Finding:
    version = ".".join(map(str, sys.version_info[:3]))
    return Finding(Outcome.PASSED, f"tapir-replay {__version__} on Python {version}")


async def _reachable(patient: Patient) -> Finding:
    name = patient.apps.default or DEMO
    app = await patient.apps.app_for(name)
    assert isinstance(app, VmApp)
    patient.app = app
    return Finding(Outcome.PASSED, f"the app answers: {app.name}")


async def _isolate(patient: Patient) -> Finding:
    app = _app(patient)
    answer = await app.ask("getIsolate", timeout=5)
    names = answer.get("extensionRPCs") or ()
    patient.extensions = tuple(str(name) for name in names)
    paused = (answer.get("pauseEvent") or {}).get("kind", "None")
    name = answer.get("name", "?")
    if paused not in ("None", "Resume"):
        return Finding(
            Outcome.FAILED, f"isolate {name} is paused ({paused})", "resume it in the debugger"
        )
    return Finding(Outcome.PASSED, f"isolate {name} runs ({app.isolate})")


async def _verbs(patient: Patient) -> Finding:
    dialect = _app(patient).dialect
    wanted = [verb.name for verb in STEP_VERBS.values() if verb.dispatch is Dispatch.EXTENSION]
    missing = [name for name in wanted if dialect.method(name) not in patient.extensions]
    text = f"{len(wanted) - len(missing)} of {len(wanted)} verbs ({dialect.name})"
    if not missing:
        return Finding(Outcome.PASSED, text)
    advice = f"not there: {', '.join(missing)}; steps with these end as errors"
    return Finding(Outcome.SKIPPED, text, advice)


async def _plugin(patient: Patient) -> Finding:
    capabilities = _app(patient).capabilities
    if QUERY_MORE in capabilities:
        return Finding(Outcome.PASSED, "our plugin is there: keys, states and true counts")
    if QUERY in capabilities:
        return Finding(
            Outcome.SKIPPED,
            "our plugin is there, in an older version",
            "identifiers, hints and tooltips cannot be told: update it",
        )
    return Finding(
        Outcome.SKIPPED,
        "our plugin is not there; the public verbs will do for most",
        "checked and unchecked cannot be told, nor identifiers, hints and tooltips; "
        "see docs/extended-protocol.md",
    )


async def _screen(patient: Patient) -> Finding:
    shown = await locator_for(_app(patient)).listing()
    route = await _app(patient).call("get_routes")
    where = route_of(route) or "no route"
    if shown:
        return Finding(Outcome.PASSED, f"the screen shows {len(shown)} widgets, at {where}")
    return Finding(
        Outcome.FAILED,
        f"the screen shows nothing, at {where}",
        "is the app in front? a hidden window draws no frames",
    )


async def _picture(patient: Patient) -> Finding:
    try:
        answer = await _app(patient).call("screenshot", {"format": "png"}, timeout=15)
    except (AppError, VerbRefused) as error:
        return Finding(Outcome.SKIPPED, f"no screenshot: {error}", getattr(error, "hint", ""))
    return Finding(Outcome.PASSED, f"screenshots work: {answer['width']} × {answer['height']}")


async def _clock(patient: Patient) -> Finding | None:
    """The group id of a snapshot is the app's time, in milli- or microseconds."""
    before = time.time()
    answer = await _app(patient).call("snap")
    digits = re.search(r"\d{13,}", str(answer.get("groupId", "")))
    if digits is None:
        return None
    told = int(digits[0])
    seconds = told / (1e6 if told > 1e14 else 1e3) - before
    if abs(seconds) <= _CLOCK_TOLERANCE:
        return Finding(Outcome.PASSED, "the app's clock agrees with this one")
    return Finding(
        Outcome.SKIPPED,
        f"the app's clock is {abs(seconds):.0f} s {'ahead' if seconds > 0 else 'behind'}",
        "times in its log lines and errors are the app's",
    )


async def _chrome(patient: Patient) -> Finding | None:
    port = patient.options.cdp_port
    if port is None:
        return None
    page = await Page.connect(port, timeout=5)
    await page.close()
    return Finding(Outcome.PASSED, f"Chrome answers on its debugging port {port}")


def _app(patient: Patient) -> VmApp:
    assert patient.app is not None
    return patient.app


_Check = Callable[[Patient], Awaitable[Finding | None]]

_CHECKS: tuple[tuple[_Check, Exit], ...] = (
    (_python, Exit.INTERNAL),
    (_reachable, Exit.APP_UNREACHABLE),
    (_isolate, Exit.APP_UNREACHABLE),
    (_verbs, Exit.APP_UNREACHABLE),
    (_plugin, Exit.APP_UNREACHABLE),
    (_screen, Exit.APP_UNREACHABLE),
    (_picture, Exit.APP_UNREACHABLE),
    (_clock, Exit.APP_UNREACHABLE),
    (_chrome, Exit.APP_UNREACHABLE),
)
"""Every check with the exit code of its failure, in order; the second decides about the rest."""
