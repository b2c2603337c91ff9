from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Protocol

import pytest
from jsonschema import Draft202012Validator

from tapir_replay.cli.main import main
from tapir_replay.engine.runlog import schema
from tests.e2e.tool import Ran, demo_process

LOG = Draft202012Validator(schema())


class Play(Protocol):
    def __call__(self, *scenarios: str | Path, options: tuple[str, ...] = ()) -> Ran:
        """Play scenarios: files, or texts that are made into files first."""


@pytest.fixture(scope="session")
def plain_demo(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of an app that has the public verbs only."""
    with demo_process(tmp_path_factory.mktemp("demo"), "--plain") as (_, uri):
        yield uri


@pytest.fixture
def play(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Play:
    """Plays in this process, in an empty folder. A text becomes `test.yaml`, `test-2.yaml`, ..."""
    monkeypatch.chdir(tmp_path)

    def run(*scenarios: str | Path, options: tuple[str, ...] = ()) -> Ran:
        files = []
        for number, each in enumerate(scenarios, start=1):
            if isinstance(each, str):
                path = Path("test.yaml" if number == 1 else f"test-{number}.yaml")
                path.write_text(each, encoding="utf-8")
                files.append(path)
            else:
                files.append(each)
        capsys.readouterr()
        arguments = [*map(str, files), "--color", "never", *options]
        if "--output" not in options:
            arguments += ["--output", "out"]
        code = main(["run", *arguments])
        captured = capsys.readouterr()
        log = Path("out/run.jsonl")
        for line in log.read_text(encoding="utf-8").splitlines() if log.exists() else ():
            LOG.validate(json.loads(line))
        return Ran(code, captured.out, captured.err, Path("out"))

    return run
