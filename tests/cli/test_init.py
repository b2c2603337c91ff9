"""`init` begins a project whose sample passes untouched."""

from __future__ import annotations

from pathlib import Path

import pytest

from tapir_replay.cli.main import main


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_the_sample_passes(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What it writes validates without a warning, and plays as it is."""
    assert main(["init"]) == 0
    assert "Now play it:  tapir-replay scenarios/first.yaml" in capsys.readouterr().out
    assert main(["validate", "scenarios", "--strict"]) == 0
    assert main(["scenarios/first.yaml"]) == 0
    assert main(["run"]) == 0


def test_nothing_is_overwritten(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A file that is there stays as it is."""
    (folder / ".gitignore").write_text("mine\n", encoding="utf-8")
    assert main(["init"]) == 0
    assert (folder / ".gitignore").read_text(encoding="utf-8") == "mine\n"
    assert "left alone  .gitignore" in capsys.readouterr().out


def test_in_another_folder_with_an_app(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The command that starts the app goes into the project file, whatever it holds."""
    assert main(["init", "e2e", "--app", 'flutter run -d "my phone" --machine']) == 0
    assert "cd e2e && tapir-replay" in capsys.readouterr().out
    assert main(["validate", "e2e/scenarios"]) == 0
    text = (folder / "e2e/tapir-replay.yaml").read_text(encoding="utf-8")
    assert 'mine: {launch: "flutter run -d \\"my phone\\" --machine"}' in text
