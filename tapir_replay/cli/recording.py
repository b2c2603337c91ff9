"""What `record` does: an app, a file, and the person between them."""

from __future__ import annotations

import argparse
import asyncio
import sys
from contextlib import suppress
from pathlib import Path

from tapir_replay.app.errors import AppError
from tapir_replay.app.interface import App
from tapir_replay.app.vm_app import VmApp
from tapir_replay.cli.files import UsageError, counted, say
from tapir_replay.cli.keys import keys
from tapir_replay.cli.live import Live
from tapir_replay.cli.modeline import schema_seen_from
from tapir_replay.cli.replaying import replayed
from tapir_replay.cli.stopping import on_stop
from tapir_replay.cli.surroundings import Surroundings, surroundings
from tapir_replay.engine.exits import Exit
from tapir_replay.engine.redact import Redactor
from tapir_replay.files import exists, free_name, is_file, replace, why_refused
from tapir_replay.project.schema import SELECTORS
from tapir_replay.recorder.document import (
    Appended,
    CannotAppend,
    Document,
    NewFile,
    Start,
)
from tapir_replay.recorder.secrets import Secrets
from tapir_replay.recorder.session import Recording
from tapir_replay.recorder.steps import Writer
from tapir_replay.recorder.timeline import Timeline
from tapir_replay.scenario.load import shown


def record(options: argparse.Namespace) -> int:
    try:
        path = _path(options)
        around = surroundings(options, "recorded", [str(path)], options.env_file)
        if around is None:
            return Exit.WRONG_INPUT
        recorder = _Recorder(options, around, path)
        code = asyncio.run(recorder.run())
        return recorder.replay() if code == Exit.PASSED and options.replay else code
    except UsageError as error:
        say(f"tapir-replay record: {error}")
        return Exit.WRONG_INPUT
    except OSError as error:
        say(f"tapir-replay record: {options.output} cannot be written: {why_refused(error)}")
        return Exit.INTERNAL


def _path(options: argparse.Namespace) -> Path:
    path = Path(options.output)
    if path.suffix not in (".yaml", ".yml"):
        raise UsageError(f"-o {options.output}: a scenario's name ends with .yaml")
    if not options.append:
        return free_name(path)
    if not is_file(path):
        raise UsageError(f"--append: there is no file {options.output}")
    return path


class _Recorder:
    """One recording, from the connection to the finished file."""

    def __init__(self, options: argparse.Namespace, around: Surroundings, path: Path) -> None:
        self._options = options
        self._around = around
        self._file = _File(path)
        self._timeline = Timeline()
        project, secrets = around.project, around.secrets
        order = tuple(project.selectors) if project and project.selectors else SELECTORS
        self._secrets = secrets
        self._writer = Writer(Secrets(secrets), order, coordinates=options.coordinates)
        self._live = Live(sys.stdout, self._mask)
        self._document: Document | None = None
        self._ended = asyncio.Event()
        self._fault: OSError | None = None
        self._lost = False
        self._picking: asyncio.Task[None] | None = None

    async def run(self) -> int:
        async with self._around.apps(self._options, tell=say) as apps:
            try:
                app = await apps.app_for(None)
                routes = await app.call("get_routes")
                route = str(routes.get("uri") or routes.get("location") or "")
                form = self._form(route)
                if isinstance(form, Appended):
                    self._writer.secrets = self._secrets_beside(form)
                self._document = Document(self._writer, form, route)
                recording = Recording(
                    app,
                    self._timeline,
                    self._changed,
                    again=lambda: apps.app_for(None),
                    tools=self._options.include_tools,
                )
                with on_stop(self._ended.set):
                    async with recording:
                        self._changed()
                        self._live.begin(app.name, self._file.name)
                        if apps.is_demo(None):  # nobody could get at it otherwise
                            self._live.tell(f"use it in a browser: {_page_of(app)}")
                        await self._until_ended(recording)
                self._changed()
            except AppError as error:
                say(f"tapir-replay record: {error}{_hint(error)}")
                return Exit.APP_UNREACHABLE
            self._close(recording)
        if self._fault is not None:
            raise self._fault
        return Exit.PASSED

    def _secrets_beside(self, form: Appended) -> Secrets:
        """What is secret in a file that has secrets already: their names mean what they mean."""
        environ = self._around.environ
        own = {name: environ[name] for name in form.secrets if environ.get(name)}
        return Secrets({**own, **self._secrets}, taken=form.names)

    def _form(self, route: str) -> NewFile | Appended:
        path = self._file.path
        if self._options.append:
            try:
                return Appended(self._file.read().decode("utf-8"), shown(path))
            except (OSError, ValueError) as error:
                raise UsageError(f"--append: {shown(path)}: {why_refused(error)}") from None
            except CannotAppend as error:
                raise UsageError(f"--append: {error}") from None
        plain = path.stem.replace("-", " ").replace("_", " ").capitalize()
        start = Start(
            name=self._options.name or plain,
            app=self._options.app,
            route=route,
            schema=schema_seen_from(path),
        )
        return NewFile(start)

    def _mask(self, text: str) -> str:
        return Redactor(self._writer.secrets.values).text(text)

    def _changed(self) -> None:
        """Write the file anew, and show what is different. A file that cannot be ends it all."""
        assert self._document is not None
        entries, aside = self._timeline.entries, self._timeline.aside
        try:
            self._file.write(self._document.text(entries, aside).encode("utf-8"))
        except OSError as error:
            self._fault = error
            self._ended.set()
        own = self._document.own(entries)
        self._live.show(own, self._writer.steps(own, aside))

    async def _until_ended(self, recording: Recording) -> None:
        loop = asyncio.get_running_loop()
        with keys(loop, lambda key: self._key(key, recording, loop)):
            waiting = [
                asyncio.ensure_future(each.wait()) for each in (self._ended, recording.ended)
            ]
            try:
                await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
            finally:
                for each in waiting:
                    each.cancel()
        if recording.ended.is_set():
            why = "another recording of the app began" if recording.lost else "the app is gone"
            self._live.tell(f"{why}; what was recorded is kept")

    def _key(self, key: str, recording: Recording, loop: asyncio.AbstractEventLoop) -> None:
        match key:
            case "p":
                self._timeline.paused = not self._timeline.paused
                self._live.tell("paused; p goes on" if self._timeline.paused else "recording")
            case "u":
                undone = self._undo()
                self._changed()
                self._live.tell("taken back" if undone else "nothing to take back")
            case "a":
                self._live.tell("touch what is to be checked")
                self._picking = loop.create_task(_quietly(recording))

    def _undo(self) -> bool:
        """Take the last step back, with what only led to it; False without one."""
        timeline = self._timeline
        steps = self._writer.steps(timeline.entries, timeline.aside)
        if not any(steps):
            return False
        while not steps[len(timeline.entries) - 1]:
            timeline.undo()  # a key that moved the cursor, after the step
        timeline.undo()
        while timeline.entries and not steps[len(timeline.entries) - 1]:
            timeline.undo()
        return True

    def _close(self, recording: Recording) -> None:
        self._live.end()
        self._lost = recording.lost
        if recording.restarts:
            self._live.tell(f"the app was restarted {counted(recording.restarts, 'time')}")
        if self._timeline.missed:
            missed = counted(self._timeline.missed, "event")
            self._live.tell(f"{missed} of the app never came: look the file through")
        assert self._document is not None
        steps, lacking = self._document.count(self._timeline.entries, self._timeline.aside)
        self._live.tell(f"{counted(steps, 'step')} in {self._file.name}")
        if lacking:
            self._live.tell(f"{counted(lacking, 'action')} could not be recorded: see the comments")
        for name in sorted(self._writer.secrets.used):
            self._live.tell(f"set {name} in the environment to play it")

    def replay(self) -> int:
        """Play what was recorded on the same app, and mark what does not come out the same."""
        assert self._document is not None
        if not self._timeline.entries:
            return Exit.PASSED
        if self._lost:
            say("it was not played: somebody else records the app now")
            return Exit.PASSED
        used = self._writer.secrets.used
        code, found = replayed(self._file.path, self._options, self._around.project, used)
        before = self._document.form.before
        faults = {place: fault for place, fault in found.items() if place >= before}
        if faults:
            self._document.marks = faults
            entries, aside = self._timeline.entries, self._timeline.aside
            self._file.write(self._document.text(entries, aside).encode("utf-8"))
            marked = counted(len(faults), "step")
            say(f"{marked} did not come out the same; see the comments in {self._file.name}")
        return code


class _File:
    """The file that grows; what others make of it meanwhile is left to them."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._held: bytes | None = None
        """What it holds, as far as we know; None before it is there."""

    @property
    def name(self) -> str:
        return shown(self.path)

    def read(self) -> bytes:
        """What it holds, to go on from there.

        Raises:
            OSError: It cannot be read.
        """
        self._held = self.path.read_bytes()
        return self._held

    def write(self, content: bytes) -> None:
        """Have the file hold this.

        Raises:
            OSError: It cannot be written.
        """
        if content == self._held:
            return
        if self._was_changed_by_others():
            self.path = free_name(self.path)
            say(f"somebody else has written the file: going on in {self.name}")
        replace(self.path, content)
        self._held = content

    def _was_changed_by_others(self) -> bool:
        try:
            return self.path.read_bytes() != self._held
        except OSError:
            return exists(self.path)


async def _quietly(recording: Recording) -> None:
    with suppress(AppError):
        await recording.pick()


def _page_of(app: App) -> str:
    """Where the embedded demo can be used."""
    from tapir_replay.demo.server import page_at  # noqa: PLC0415

    assert isinstance(app, VmApp)
    return page_at(app.uri)


def _hint(error: AppError) -> str:
    hint = getattr(error, "hint", None)
    return f"\n  hint: {hint}" if hint else ""
