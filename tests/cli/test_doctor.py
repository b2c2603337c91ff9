"""`doctor` asks one thing after the other and says what to do."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tapir_replay.cli.main import main
from tapir_replay.demo.verbs import extended
from tests.e2e.tool import demo_process


@pytest.fixture(scope="module")
def plain_app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with demo_process(tmp_path_factory.mktemp("demo"), "--plain") as (_, uri):
        yield uri


def test_a_healthy_app(capsys: pytest.CaptureFixture[str]) -> None:
    """Without an app it examines the demo, and all is well there."""
    assert main(["doctor"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 8
    assert all(line.startswith("✓ ") for line in lines)
    assert "our plugin is there" in lines[4]


def test_the_app_of_the_project(
    plain_app: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """By its name, or as the default of a profile; what is wrong with the file is told."""
    monkeypatch.chdir(tmp_path)
    file = tmp_path / "tapir-replay.yaml"
    file.write_text(
        f"apps: {{ours: demo, theirs: '{plain_app}'}}\ndefault_app: ours\n"
        "profiles: {away: {default_app: theirs}}\n",
        encoding="utf-8",
    )
    assert main(["doctor"]) == 0
    assert "our plugin is there" in capsys.readouterr().out
    for options in (["--app", "theirs"], ["--profile", "away"]):
        assert main(["doctor", *options]) == 0
        assert "our plugin is not there" in capsys.readouterr().out
    assert main(["doctor", "--profile", "nowhere"]) == 2
    file.write_text("app: 5\n", encoding="utf-8")
    assert main(["doctor"]) == 2
    assert "nothing was checked: 1 error in the project file" in capsys.readouterr().err


def test_no_app(capsys: pytest.CaptureFixture[str]) -> None:
    """An app that cannot be reached ends it, with advice."""
    assert main(["doctor", "--uri", "http://127.0.0.1:1/x=/"]) == 3
    first, second, advice = capsys.readouterr().out.splitlines()
    assert first.startswith("✓ tapir-replay")
    assert second.startswith("✗ Nothing answers at 127.0.0.1:1")
    assert advice.startswith("    Is the app running")


def test_an_app_without_our_plugin(plain_app: str, capsys: pytest.CaptureFixture[str]) -> None:
    """What is only less than it could be does not fail."""
    assert main(["doctor", "--uri", plain_app]) == 0
    out = capsys.readouterr().out
    assert "- our plugin is not there" in out
    assert "checked and unchecked cannot be told" in out


def test_an_older_version_of_our_plugin(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is told what it lacks."""
    monkeypatch.setattr(extended, "CAPABILITIES", ("query", "requestId"))
    assert main(["doctor"]) == 0
    out = capsys.readouterr().out
    assert "- our plugin is there, in an older version" in out
    assert "identifiers, hints and tooltips cannot be told: update it" in out


def test_no_browser(plain_app: str, capsys: pytest.CaptureFixture[str]) -> None:
    """A debugging port that was given must answer."""
    assert main(["doctor", "--uri", plain_app, "--cdp-port", "1"]) == 3
    assert "✗ No browser answers at port 1" in capsys.readouterr().out


def test_it_is_in_the_help(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """A newcomer finds it."""
    with pytest.raises(SystemExit):
        main(["doctor", "--help"])
    assert "examples:" in capsys.readouterr().out
