"""`tapir-replay record`, as a person has it in a terminal."""

from __future__ import annotations

import asyncio
import fcntl
import os
import pty
import select
import signal
import subprocess
import sys
import termios
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tapir_replay.app.vm_app import VmApp
from tapir_replay.cli.recording import _File
from tapir_replay.scenario.load import load
from tests.e2e.tool import PATIENCE, ROOT, demo_process, started
from tests.e2e.walks import APART, Person


@pytest.fixture
def uri(tmp_path: Path) -> Iterator[str]:
    with demo_process(tmp_path) as (_, address):
        yield address


def person(uri: str, does: Callable[[Person], Awaitable[None]]) -> None:
    async def act() -> None:
        async with await VmApp.connect(uri) as app:
            await does(Person(app))

    asyncio.run(act())


async def sign_in(person: Person) -> None:
    await person.fill("email", "ada@example.com")
    await person.fill("password", "correct-horse")
    await person.tap("Sign in")
    await person.sees("Welcome back")


def comes(file: Path, part: str) -> str:
    """Wait until the file holds something; what it holds then."""
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        text = file.read_text(encoding="utf-8") if file.exists() else ""
        if part in text:
            return text
        time.sleep(0.02)
    raise AssertionError(f"{part!r} never came:\n{text}")


def test_the_file_grows_and_replays(uri: str, tmp_path: Path) -> None:
    """Valid from the first moment; Ctrl-C ends the recording, and it is played at once."""
    file = tmp_path / "sign-in.yaml"
    arguments = ("record", "-o", "sign-in.yaml", "--uri", uri, "--replay")
    with started(*arguments, cwd=tmp_path) as recording:
        recording.wait_for_line("into sign-in.yaml")
        assert load(file).ok
        person(uri, sign_in)
        text = comes(file, "visible: Welcome back")
        recording.process.send_signal(signal.SIGINT)
        assert recording.end() == 0, recording.lines
    out = "".join(recording.lines)
    assert "4 steps in sign-in.yaml" in out
    assert "set PASSWORD in the environment" in out
    assert "1 passed" in out
    assert "correct-horse" not in out + file.read_text(encoding="utf-8")
    assert file.read_text(encoding="utf-8") == text
    assert text.startswith("# yaml-language-server: $schema=")
    assert "name: Sign in\nsecrets: [PASSWORD]\nsetup:\n" in text
    results = tmp_path / "tapir-results" / "replay-sign-in"
    assert "correct-horse" not in (results / "run.jsonl").read_text(encoding="utf-8")


def test_what_does_not_come_out_the_same_is_marked(uri: str, tmp_path: Path) -> None:
    """A list that was scrolled before the recording began: the file says where it goes wrong."""

    async def scrolls(person: Person) -> None:
        await person.app.call("navigate", {"route": "/list"})
        x, y = await person.place("Item 5")
        await person.does("wheel", x=x, y=y, dy=3000)

    person(uri, scrolls)
    file = tmp_path / "a.yaml"
    with started("record", "-o", "a.yaml", "--uri", uri, "--replay", cwd=tmp_path) as recording:
        recording.wait_for_line("into a.yaml")
        person(uri, lambda person: person.tap("Item 60"))
        comes(file, "Selected: Item 60")
        recording.process.send_signal(signal.SIGINT)
        assert recording.end() == 1
    assert "1 step did not come out the same" in "".join(recording.lines)
    assert file.read_text(encoding="utf-8").partition("steps:\n")[2] == (
        '  # did not reproduce: nothing on screen matches key "item-60"\n'
        "  - tap: {target: {key: item-60}}  # or: {role: button, label: Item 60}\n"
        '  - expect: {visible: "Selected: Item 60"}\n'
    )
    assert load(file).ok


def test_the_embedded_demo_can_be_used(tmp_path: Path) -> None:
    """It lives in the command itself: the page where a person gets at it is told."""
    file = tmp_path / "a.yaml"
    with started("record", "-o", "a.yaml", "--app", "demo", cwd=tmp_path) as recording:
        page = recording.wait_for_line("use it in a browser: ").split()[-1]
        person(page.removesuffix("app"), lambda person: person.tap("Remember me"))
        comes(file, "set_checkbox")
        recording.process.send_signal(signal.SIGINT)
        assert recording.end() == 0
    assert "app: demo\n" in file.read_text(encoding="utf-8")


def test_a_file_is_never_written_over(uri: str, tmp_path: Path) -> None:
    """Another name is taken, and told."""
    (tmp_path / "a.yaml").write_text("mine", encoding="utf-8")
    with started("record", "-o", "a.yaml", "--uri", uri, cwd=tmp_path) as recording:
        recording.wait_for_line("into a-2.yaml")
        recording.process.send_signal(signal.SIGINT)
        assert recording.end() == 0
    assert (tmp_path / "a.yaml").read_text(encoding="utf-8") == "mine"


def test_appending(uri: str, tmp_path: Path) -> None:
    """The steps are put behind those that are there."""
    file = tmp_path / "a.yaml"
    before = "name: mine  # as I like it\nsteps:\n  - dismiss_modals\nteardown:\n  - blur\n"
    file.write_text(before, encoding="utf-8")
    with started("record", "-o", "a.yaml", "--append", "--uri", uri, cwd=tmp_path) as recording:
        recording.wait_for_line("into a.yaml")
        person(uri, lambda person: person.tap("Remember me"))
        text = comes(file, "set_checkbox")
        recording.process.send_signal(signal.SIGINT)
        assert recording.end() == 0
    step = "  - set_checkbox: {target: {key: remember}, value: true}"
    assert text.replace("  # or: {role: checkbox, label: Remember me}", "") == before.replace(
        "teardown", f"{step}\nteardown"
    )


def test_a_file_that_somebody_changes_meanwhile_is_left_to_them(uri: str, tmp_path: Path) -> None:
    """What they wrote is not lost, and neither is what is recorded."""
    file = tmp_path / "a.yaml"
    with started("record", "-o", "a.yaml", "--uri", uri, cwd=tmp_path) as recording:
        recording.wait_for_line("into a.yaml")
        file.write_text("theirs", encoding="utf-8")
        person(uri, lambda person: person.tap("Remember me"))
        comes(tmp_path / "a-2.yaml", "set_checkbox")
        recording.process.send_signal(signal.SIGINT)
        assert recording.end() == 0
    assert file.read_text(encoding="utf-8") == "theirs"


def test_a_file_that_comes_before_the_first_word_is_left_alone(tmp_path: Path) -> None:
    """A name that was free at the start need not be when the app is there at last."""
    path = tmp_path / "a.yaml"
    file = _File(path)
    path.write_text("theirs", encoding="utf-8")
    file.write(b"mine")
    assert path.read_text(encoding="utf-8") == "theirs"
    assert file.path.name == "a-2.yaml"
    assert file.path.read_bytes() == b"mine"


def test_a_file_that_changes_before_it_is_appended_to_is_left_alone(tmp_path: Path) -> None:
    """What was read is what is written over, and nothing else."""
    path = tmp_path / "a.yaml"
    path.write_bytes(b"before")
    file = _File(path)
    assert file.read() == b"before"
    path.write_bytes(b"theirs")
    file.write(b"mine")
    assert path.read_bytes() == b"theirs"
    assert file.path.name == "a-2.yaml"


def test_another_recording_of_the_app_ends_the_first(uri: str, tmp_path: Path) -> None:
    """The first says so and leaves the second alone, which goes on."""
    with started("record", "-o", "a.yaml", "--uri", uri, "--replay", cwd=tmp_path) as first:
        first.wait_for_line("into a.yaml")
        person(uri, lambda person: person.fill("email", "ada"))
        comes(tmp_path / "a.yaml", "text: ada")
        with started("record", "-o", "b.yaml", "--uri", uri, cwd=tmp_path) as second:
            second.wait_for_line("into b.yaml")
            person(uri, lambda person: person.tap("Remember me"))
            assert first.end() == 0
            person(uri, lambda person: person.tap("Forgot password?"))
            comes(tmp_path / "b.yaml", "Reset password")
            second.process.send_signal(signal.SIGINT)
            assert second.end() == 0
    out = "".join(first.lines)
    assert "another recording of the app began; what was recorded is kept" in out
    assert "it was not played: somebody else records the app now" in out
    assert "set_checkbox" not in (tmp_path / "a.yaml").read_text(encoding="utf-8")


def test_an_app_that_goes_away(tmp_path: Path) -> None:
    """What was recorded is kept."""
    file = tmp_path / "a.yaml"
    with demo_process(tmp_path) as (demo, uri):
        with started("record", "-o", "a.yaml", "--uri", uri, cwd=tmp_path) as recording:
            recording.wait_for_line("into a.yaml")
            person(uri, lambda person: person.tap("Remember me"))
            comes(file, "set_checkbox")
            demo.kill()
            assert recording.end() == 0
        assert "the app is gone; what was recorded is kept" in "".join(recording.lines)
    assert load(file).ok


@pytest.mark.parametrize(
    ("arguments", "code", "says"),
    [
        (["-o", "a.txt"], 2, "a scenario's name ends with .yaml"),
        (["-o", "a.yaml", "--append"], 2, "there is no file a.yaml"),
        (["-o", "broken.yaml", "--append"], 2, "it is no scenario with steps"),
        (["-o", "broken.yaml/a.yaml"], 4, "cannot be written"),
        (["-o", "a.yaml", "--uri", "http://127.0.0.1:9/"], 3, "tapir-replay record: "),
        ([], 2, "-o/--output"),
    ],
)
def test_what_cannot_be_recorded(
    arguments: list[str], code: int, says: str, uri: str, tmp_path: Path
) -> None:
    """Told in a sentence, and nothing is written."""
    (tmp_path / "broken.yaml").write_text("steps: [", encoding="utf-8")
    more = [] if "--uri" in arguments else ["--uri", uri]
    with started("record", *arguments, *more, cwd=tmp_path) as recording:
        assert recording.end() == code, recording.lines
    out = "".join(recording.lines)
    assert says in out
    assert "Traceback" not in out
    assert sorted(each.name for each in tmp_path.iterdir()) == ["broken.yaml"]


def test_an_app_without_our_plugin(tmp_path: Path) -> None:
    """It cannot tell what a person does, and the message says what it needs."""
    with (
        demo_process(tmp_path, "--plain") as (_, uri),
        started("record", "-o", "a.yaml", "--uri", uri, cwd=tmp_path) as recording,
    ):
        assert recording.end() == 3
    out = "".join(recording.lines)
    assert "this app cannot tell what a person does\n  hint: It needs our Flutter plugin" in out


class Terminal:
    """A terminal with the command in it."""

    def __init__(self, handle: int, process: subprocess.Popen[bytes]) -> None:
        self.handle = handle
        self.process = process
        self.text = ""

    def shows(self, part: str) -> None:
        """Wait until something has been printed since the last time."""
        start = len(self.text)
        deadline = time.monotonic() + PATIENCE
        while part not in self.text[start:]:
            left = deadline - time.monotonic()
            assert left > 0, f"{part!r} never came:\n{self.text}"
            if select.select([self.handle], [], [], left)[0]:
                try:
                    self.text += os.read(self.handle, 65536).decode("utf-8", "replace")
                except OSError:
                    raise AssertionError(f"it ended:\n{self.text}") from None

    def types(self, keys: str) -> None:
        os.write(self.handle, keys.encode())


@contextmanager
def terminal(*arguments: str, cwd: Path) -> Iterator[Terminal]:
    handle, inner = pty.openpty()
    env = {**os.environ, "PYTHONPATH": str(ROOT), "TERM": "xterm", "COLUMNS": "120"}
    with subprocess.Popen(
        [sys.executable, "-m", "tapir_replay", *arguments],
        cwd=cwd, env=env, stdin=inner, stdout=inner, stderr=inner, start_new_session=True,
        # So that Ctrl-C gets there.
        preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),  # noqa: PLW1509
    ) as process:  # fmt: skip
        os.close(inner)
        try:
            yield Terminal(handle, process)
        finally:
            if process.poll() is None:
                process.kill()
            process.wait(PATIENCE)
            os.close(handle)


def test_undo_takes_a_step_with_all_that_only_led_to_it(uri: str, tmp_path: Path) -> None:
    """Keys that moved the cursor say nothing in the file, so no press of `u` is for them."""
    file = tmp_path / "a.yaml"

    async def types(person: Person) -> None:
        await person.tap("Remember me")
        await person.fill("email", "ada")
        await person.key("ArrowLeft")
        await person.key("Home")

    with terminal("record", "-o", "a.yaml", "--uri", uri, cwd=tmp_path) as shown:
        shown.shows("Ctrl-C ends")
        person(uri, types)
        comes(file, "text: ada")
        time.sleep(APART)
        shown.types("u")
        shown.shows("taken back")
        assert "text: ada" not in file.read_text(encoding="utf-8")
        assert "the last action above does not count any more" in shown.text
        shown.types("\x1b[u")  # what a key of the terminal may send is no `u`
        time.sleep(0.3)  # else both are read at once
        assert "set_checkbox" in file.read_text(encoding="utf-8")
        shown.types("u")
        shown.shows("taken back")
        assert "set_checkbox" not in file.read_text(encoding="utf-8")
        shown.types("u")
        shown.shows("nothing to take back")
        shown.types("\x03")
        assert shown.process.wait(PATIENCE) == 0


def test_keys(uri: str, tmp_path: Path) -> None:
    """`p` pauses, `u` takes back, `a` checks what is touched next, Ctrl-C ends."""
    file = tmp_path / "a.yaml"
    with terminal("record", "-o", "a.yaml", "--uri", uri, cwd=tmp_path) as shown:
        shown.shows("Ctrl-C ends")
        person(uri, lambda person: person.tap("Remember me"))
        comes(file, "value: true")
        shown.types("p")
        shown.shows("paused; p goes on")
        time.sleep(APART)  # else the two taps are a double click
        person(uri, lambda person: person.tap("Remember me"))
        time.sleep(APART)  # what came of it is told, and passed over
        shown.types("p")
        shown.shows("recording")
        person(uri, lambda person: person.fill("email", "ada"))
        comes(file, "text: ada")
        shown.types("u")
        shown.shows("taken back")
        shown.types("a")
        shown.shows("touch what is to be checked")
        person(uri, lambda person: person.tap("Forgot password?"))
        text = comes(file, "expect")
        shown.types("\x03")
        assert shown.process.wait(PATIENCE) == 0
    assert text.partition("steps:\n")[2] == (
        "  - set_checkbox: {target: {key: remember}, value: true}"
        "  # or: {role: checkbox, label: Remember me}\n"
        '  - expect: {text: {of: {key: forgot}, is: "Forgot password?"}}\n'
    )
