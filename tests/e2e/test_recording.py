"""A person uses every screen; what is recorded replays."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from tapir_replay.app.vm_app import VmApp
from tapir_replay.cli.main import main
from tapir_replay.recorder.document import Document, NewFile, Start
from tapir_replay.recorder.session import Recording
from tapir_replay.recorder.steps import Writer
from tapir_replay.recorder.timeline import Timeline
from tapir_replay.scenario.load import load
from tests.e2e.tool import demo_process, started
from tests.e2e.walks import WALKS, Person, Walk
from tests.support.dart_app import start_dart_app

REPEAT = os.environ.get("TAPIR_REPLAY_REPEAT", "2")
"""How often each recording is replayed."""


@pytest.fixture(scope="session", params=["demo", "dart"])
def uri(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """An app with all screens: the embedded demo, and the Dart program on a real VM."""
    if request.param == "demo":
        with demo_process(tmp_path_factory.mktemp("demo")) as (_, address):
            yield address
        return
    with asyncio.Runner() as runner:
        app = start_dart_app()
        yield runner.run(app.__aenter__())
        runner.run(app.__aexit__(None, None, None))


class Recorded:
    """A recording of one walk."""

    def __init__(self, route: str, *, tools: bool = False) -> None:
        self.timeline = Timeline()
        self.writer = Writer()
        self.tools = tools
        self.document = Document(self.writer, NewFile(Start(name="Walk", route=route)), route)

    @asynccontextmanager
    async def of(self, app: VmApp) -> AsyncIterator[None]:
        async def again() -> VmApp:
            return app

        async with Recording(app, self.timeline, lambda: None, again=again, tools=self.tools):
            yield

    @property
    def text(self) -> str:
        assert self.timeline.missed == 0
        return self.document.text(self.timeline.entries)


async def walked(uri: str, walk: Walk) -> Recorded:
    """What is recorded of a walk."""
    recorded = Recorded(walk.start)
    async with await VmApp.connect(uri) as hands, await VmApp.connect(uri) as app:
        await app.call("dismiss_modals")
        await app.call("navigate", {"route": "/login"})
        await app.call("navigate", {"route": walk.start})
        async with recorded.of(app):
            await walk.goes(Person(hands))
    return recorded


def plays(file: Path, uri: str, *options: str) -> int:
    return main(["run", str(file), "--uri", uri, "--output", "out", "--color", "never", *options])


@pytest.mark.parametrize("name", WALKS)
def test_a_walk_replays(
    name: str,
    uri: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """The file validates, needs no edit, and passes each time; walked again it is the same."""
    monkeypatch.chdir(tmp_path)
    recorded = asyncio.run(walked(uri, WALKS[name]))
    file = tmp_path / f"{name}.yaml"
    file.write_text(recorded.text, encoding="utf-8")
    loaded = load(file)
    assert not loaded.diagnostics, (recorded.text, loaded.diagnostics)
    assert "not recorded" not in recorded.text
    for secret, value in recorded.writer.secrets.used.items():
        assert value not in recorded.text
        monkeypatch.setenv(secret, value)
    code = plays(file, uri, "--repeat", REPEAT)
    assert code == 0, recorded.text + capsys.readouterr().out
    again = asyncio.run(walked(uri, WALKS[name]))
    assert again.text == recorded.text


@pytest.mark.parametrize("name", [name for name in WALKS if name != "inbox"])
def test_a_replay_is_recorded_the_same(
    name: str, uri: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A tool that plays the file does what the person did.

    Not so where a text shows for a moment only and nothing makes the tool wait until it is gone.
    """
    monkeypatch.chdir(tmp_path)
    walk = WALKS[name]
    recorded = asyncio.run(walked(uri, walk))
    file = tmp_path / "walk.yaml"
    file.write_text(recorded.text, encoding="utf-8")

    async def replayed() -> Recorded:
        of_tools = Recorded(walk.start, tools=True)
        async with await VmApp.connect(uri) as app:
            await app.call("dismiss_modals")
            await app.call("navigate", {"route": "/login"})
            async with of_tools.of(app):
                code = await asyncio.to_thread(_in_its_own_process, file, uri, recorded)
        assert code == 0
        return of_tools

    assert asyncio.run(replayed()).text == recorded.text


def _in_its_own_process(file: Path, uri: str, recorded: Recorded) -> int:
    secrets = recorded.writer.secrets.used
    arguments = ("run", file.name, "--uri", uri, "--output", "out")
    with started(*arguments, cwd=file.parent, env=secrets) as process:
        return process.end()
