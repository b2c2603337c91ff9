"""What is said of wrong project files: `fixtures/broken_project/NAME.yaml`, and its `.txt`.

After a change that is meant: `TAPIR_REPLAY_WRITE_GOLDEN=1 pytest tests/project/test_broken.py`, and
look at the difference.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

import tapir_replay.project
from tapir_replay.cli.main import main
from tapir_replay.project.load import LoadedProject, load_project
from tapir_replay.project.schema import project_schema
from tapir_replay.scenario.check import _SAY
from tapir_replay.scenario.diagnostics import render
from tests.project.keywords import asserting_keywords

BROKEN = Path(__file__).parents[2] / "fixtures" / "broken_project"
FILES = sorted(BROKEN.glob("*.yaml"))


def loaded(path: Path, monkeypatch: pytest.MonkeyPatch) -> LoadedProject:
    monkeypatch.chdir(BROKEN)
    return load_project(Path(path.name))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_messages(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every wrong file has exactly these messages."""
    file = loaded(path, monkeypatch)
    text = "".join(render(each, file.source) + "\n\n" for each in file.diagnostics)
    golden = path.with_suffix(".txt")
    if os.environ.get("TAPIR_REPLAY_WRITE_GOLDEN"):
        golden.write_bytes(text.encode())
    assert text == golden.read_bytes().decode()


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_style(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A message is one line without a full stop, and speaks of a project."""
    file = loaded(path, monkeypatch)
    assert file.project is None
    for each in file.diagnostics:
        assert not each.message.endswith(".")
        assert "a scenario" not in each.message + each.hint
        for word in ("schema", "instance", "token", "node", "regex", "NoneType", "dict"):
            assert word not in each.message


def test_every_golden_has_its_file() -> None:
    assert {path.stem for path in BROKEN.glob("*.txt")} == {path.stem for path in FILES}


def test_every_code_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    """There is a wrong file for every code that loading a project can report."""
    shown = {each.code for path in FILES for each in loaded(path, monkeypatch).diagnostics}
    package = Path(tapir_replay.project.__file__).parent
    written = "".join(file.read_text(encoding="utf-8") for file in package.glob("*.py"))
    reported = set(re.findall(r'(?:error|report)\(\s*"([a-z0-9-]+)"', written))
    assert len(reported) > 8
    assert reported - {"unknown-profile"} <= shown


def test_every_keyword_of_the_schema_has_words() -> None:
    """No fault is told in the words of JSON Schema."""
    assert asserting_keywords(project_schema()) <= set(_SAY)


def test_the_commands(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """`validate` and `run` print these texts, and end with 2."""
    monkeypatch.chdir(BROKEN)
    golden = (BROKEN / "default-app.txt").read_text(encoding="utf-8")
    assert main(["validate", "--project", "default-app.yaml"]) == 2
    out, err = capsys.readouterr()
    assert (out, err) == ("1 project file: 2 errors\n", golden)
    assert main(["run", "--project", "default-app.yaml"]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err == golden + "nothing was played: 2 errors in the project file\n"
