"""The command as its users meet it: in this process where that will do, else in its own."""

from __future__ import annotations

import contextlib
import json
import os
import queue
import signal
import subprocess
import sys
import threading
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
SCENARIOS = ROOT / "scenarios"

PATIENCE = 20.0
"""Seconds after which a line is taken never to come."""

Event = dict[str, Any]


@dataclass(frozen=True)
class Ran:
    """A run that has ended."""

    code: int
    out: str
    err: str
    folder: Path

    @property
    def log(self) -> list[Event]:
        text = (self.folder / "run.jsonl").read_text(encoding="utf-8")
        return [json.loads(line) for line in text.splitlines()]

    def events(self, name: str) -> list[Event]:
        return [each for each in self.log if each["event"] == name]

    @property
    def steps(self) -> list[Event]:
        """The ends of all steps."""
        return self.events("step_finished")

    def step(self, step_id: str) -> Event:
        return next(each for each in self.steps if each["step"] == step_id)

    @property
    def fault(self) -> Event:
        """The fault of the first scenario that did not pass."""
        ended = [each for each in self.events("scenario_finished") if each.get("fault")]
        fault: Event = ended[0]["fault"]
        return fault

    @property
    def junit(self) -> ET.Element:
        return ET.parse(self.folder / "junit.xml").getroot()

    @property
    def problem(self) -> ET.Element:
        """The first `failure` or `error` of the JUnit file."""
        found = [each for each in self.junit.iter() if each.tag in ("failure", "error")]
        return found[0]

    def artifact(self, name: str) -> Path:
        (found,) = (self.folder / "artifacts").rglob(name)
        return found

    @property
    def artifacts(self) -> list[str]:
        """Their paths below the folder of artifacts."""
        base = self.folder / "artifacts"
        return sorted(each.relative_to(base).as_posix() for each in base.rglob("*.*"))


def outcomes(ran: Ran) -> dict[str, str]:
    """How each step ended, by its id."""
    return {each["step"]: each["outcome"] for each in ran.steps}


@dataclass
class Process:
    """A command in its own process, read line by line."""

    process: subprocess.Popen[str]
    lines: list[str] = field(default_factory=list)
    _incoming: queue.Queue[str | None] = field(default_factory=queue.Queue)

    def __post_init__(self) -> None:
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self._incoming.put(line)
        self._incoming.put(None)

    def wait_for_line(self, part: str) -> str:
        """The next line that holds this."""
        while True:
            line = self._incoming.get(timeout=PATIENCE)
            if line is None:
                raise AssertionError(f"{part!r} never came:\n{''.join(self.lines)}")
            self.lines.append(line)
            if part in line:
                return line

    def kill(self) -> None:
        """End it as the system does when memory runs out: at once, without a word."""
        self.process.send_signal(signal.SIGKILL)
        self.process.wait(PATIENCE)

    def end(self) -> int:
        """Wait for its end; returns the exit code."""
        code = self.process.wait(PATIENCE)
        self._reader.join(PATIENCE)
        while not self._incoming.empty():
            line = self._incoming.get()
            if line is not None:
                self.lines.append(line)
        return code


@contextlib.contextmanager
def started(*arguments: str, cwd: Path, env: dict[str, str] | None = None) -> Iterator[Process]:
    """Start `tapir-replay`; whatever is left of it in the end is killed."""
    with subprocess.Popen(
        [sys.executable, "-m", "tapir_replay", *arguments],
        cwd=cwd,
        env={**os.environ, "PYTHONUNBUFFERED": "", "PYTHONPATH": str(ROOT), **(env or {})},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        encoding="utf-8",
        errors="backslashreplace",
    ) as process:
        command = Process(process)
        try:
            yield command
        finally:
            if process.poll() is None:
                process.kill()
            command.end()


@contextlib.contextmanager
def demo_process(cwd: Path, *options: str) -> Iterator[tuple[Process, str]]:
    """The demo app in a process of its own, and its address."""
    with started("demo", *options, cwd=cwd) as process:
        line = process.wait_for_line("listening on")
        yield process, line.split()[-1]
