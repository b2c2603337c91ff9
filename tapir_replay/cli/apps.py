"""The apps of a run: which one a scenario is played on, connected once and kept."""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable, Mapping
from contextlib import AsyncExitStack
from pathlib import Path

from tapir_replay.app.errors import AppUnreachable, NoSession
from tapir_replay.app.interface import App
from tapir_replay.app.launch.session import find_session
from tapir_replay.cli.running import OURS, Running, Ways
from tapir_replay.engine.reset import ResetPlan, reset
from tapir_replay.project.model import AppSpec
from tapir_replay.scenario.place import Place
from tapir_replay.scenario.suggest import hint as suggestion
from tapir_replay.scenario.templates import compile_text, has_template, render_text

DEMO = "demo"

_NOWHERE = Place(file="", line=1, column=1)
"""Of an app that the command line names."""


class Apps:
    """Connects to apps as scenarios name them, and keeps the connections.

        async with Apps(options) as apps:
            app = await apps.app_for("demo")

    Args:
        options: Of `cli.options.add_app_options`; --uri and --app win over what a scenario says.
        specs: The apps of the project file, by name.
        default: The app of scenarios that name none; without one it is the running session.
        environ: What `env` means in the texts of the project file.
        keep_line: Called for each line that a launched app prints, with the app's name.
        tell: Called with what a person who waits wants to know.
    """

    def __init__(
        self,
        options: argparse.Namespace,
        specs: Mapping[str, AppSpec] | None = None,
        default: str | None = None,
        *,
        environ: Mapping[str, str] | None = None,
        keep_line: Callable[[str, str], None] | None = None,
        tell: Callable[[str], None] | None = None,
    ) -> None:
        self._options = options
        self._specs = dict(specs or {})
        self._default = default
        scope = {"env": dict(os.environ if environ is None else environ)}
        self._ways = Ways(
            options=options,
            render=lambda text: _rendered(text, scope),
            keep_line=keep_line,
            tell=tell,
        )
        self._running: dict[str, Running] = {}

    @property
    def default(self) -> str | None:
        """What scenarios without an app are played on."""
        chosen: str | None = self._options.uri or self._options.app or self._default
        return chosen

    async def app_for(self, name: str | None) -> App:
        """The app that a scenario names (None: the run's own), connected and alive."""
        return await self._of(name).app()

    def is_demo(self, name: str | None) -> bool:
        """Whether it is the embedded demo, which lives as long as the command does."""
        return self._of(name).spec.kind == "demo"

    def starts(self, name: str | None) -> bool:
        """Whether it is started by the command, and ends with it."""
        return self._of(name).spec.kind in OURS

    async def prepare(self, name: str | None) -> tuple[str, ...]:
        """Bring the app that a scenario names to its beginning, as the project file has it.

        Args:
            name: As in `app_for`.

        Returns:
            What is worth telling of it.

        Raises:
            AppError: It cannot be reached, or is not at its beginning.
        """
        running = self._of(name)
        plan = self._plan(name)
        if plan.how == "restart":
            await running.restart()
        app = await running.app()
        notes = await reset(app, plan, restart=_done)
        running.begin()
        return notes

    def _plan(self, name: str | None) -> ResetPlan:
        """The reset belongs to the app that is named, wherever it is reached."""
        spec = self._specs.get(self._options.app or name or self._default or "")
        return ResetPlan() if spec is None else ResetPlan(how=spec.reset, route=spec.route)

    def _of(self, name: str | None) -> Running:
        wanted = self._options.uri or self._options.app or name or self._default
        key = wanted or ""
        if key not in self._running:
            self._running[key] = Running(self._spec(wanted), self._ways)
        return self._running[key]

    def _spec(self, wanted: str | None) -> AppSpec:
        if wanted is None:
            return _session_of_here(self._specs)
        if wanted in self._specs and wanted != self._options.uri:
            return self._specs[wanted]
        if wanted == DEMO:
            return AppSpec(name=DEMO, kind="demo", place=_NOWHERE)
        if "://" in wanted:
            return AppSpec(name="", kind="uri", uri=wanted, place=_NOWHERE)
        if self._specs:
            near = suggestion(wanted, [*self._specs, DEMO], noun="apps")
            raise AppUnreachable(f'there is no app "{wanted}"', hint=near)
        raise AppUnreachable(
            f'there is no app "{wanted}"',
            hint="an app is `demo`, the address of a VM Service (http://127.0.0.1:...), or one of"
            " the project file",
        )

    async def __aenter__(self) -> Apps:
        return self

    async def __aexit__(self, *_: object) -> None:
        async with AsyncExitStack() as stack:  # each is let go of, whatever the others do
            for each in self._running.values():
                stack.push_async_callback(each.close)


def _session_of_here(specs: Mapping[str, AppSpec]) -> AppSpec:
    """Nothing was named: the app that other tools have running for this folder."""
    try:
        find_session(Path(), os.environ)
    except NoSession as error:
        names = f" ({', '.join(specs)})" if specs else ""
        raise NoSession(
            f"which app? the scenario names none, neither does the command line, and {error}",
            hint="give --uri with the VM Service address, or --app with a name of the project file"
            f"{names}, or --app demo",
        ) from error
    return AppSpec(name="", kind="session", place=_NOWHERE)


def _rendered(text: str, scope: Mapping[str, object]) -> str:
    return render_text(compile_text(text), scope) if has_template(text) else text


async def _done() -> None:
    """The restart has been done."""
