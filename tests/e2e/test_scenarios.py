"""The scenarios of this repository pass, on an app with our plugin and on one without."""

from __future__ import annotations

import asyncio
import os
import sys
from pathlib import Path

import pytest

from tapir_replay.cli.main import main
from tapir_replay.scenario.load import load
from tests.e2e.conftest import Play
from tests.e2e.tool import ROOT, SCENARIOS
from tests.support.dart_app import start_dart_app

FILES = sorted(SCENARIOS.glob("*.yaml"))

ONLY_WITH_PLUGIN = {
    "long-press.yaml": "the public verbs know no long press",
    "names.yaml": "the public verbs do not tell identifiers, tooltips and hints",
    "payment.yaml": "the public verbs do not tell whether a control is on",
    "settings.yaml": "the public verbs do not tell whether a control is on",
}


def named(file: Path) -> str:
    return file.stem


def test_there_are_scenarios() -> None:
    assert len(FILES) >= 14
    assert ONLY_WITH_PLUGIN.keys() <= {each.name for each in FILES}


def test_all_are_valid_and_without_a_remark(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["validate", str(SCENARIOS), "--strict"]) == 0
    assert "no problems" in capsys.readouterr().out


@pytest.mark.parametrize("file", FILES, ids=named)
def test_says_what_it_is_about(file: Path) -> None:
    lines = file.read_text(encoding="utf-8").splitlines()
    assert lines[0] == "# yaml-language-server: $schema=../schemas/scenario.schema.json"
    assert lines[1].startswith("name: ")
    assert lines[2].startswith("description: ")


@pytest.mark.parametrize("file", FILES, ids=named)
def test_passes_on_the_demo(play: Play, file: Path) -> None:
    ran = play(file)
    assert ran.code == 0, ran.out
    assert ran.err == ""


@pytest.mark.parametrize("file", FILES, ids=named)
def test_passes_without_our_plugin(play: Play, plain_demo: str, file: Path) -> None:
    ran = play(file, options=("--uri", plain_demo))
    if file.name not in ONLY_WITH_PLUGIN:
        assert ran.code == 0, ran.out
        return
    assert ran.code == 3
    assert ran.fault["kind"] == "unavailable"
    assert "install the tapir_replay plugin" in ran.fault["hint"]


def test_all_pass_on_a_dart_vm(tmp_path: Path) -> None:
    """The same screens in Dart, served by the core of the plugin."""

    async def play_all() -> tuple[int, str]:
        async with start_dart_app(from_source=False) as uri:
            process = await asyncio.create_subprocess_exec(
                sys.executable, "-m", "tapir_replay", str(SCENARIOS), "-q", "--uri", uri,
                cwd=tmp_path,
                env={**os.environ, "PYTHONPATH": str(ROOT)},
                stdout=asyncio.subprocess.PIPE,
            )  # fmt: skip
            out, _ = await process.communicate()
            return await process.wait(), out.decode()

    code, out = asyncio.run(play_all())
    assert code == 0, out
    cases = sum(len(load(each).scenarios) for each in FILES)
    assert f"{cases} passed" in out


def test_a_secret_comes_from_the_environment(play: Play, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DEMO_PASSWORD", "something-else")
    ran = play(SCENARIOS / "secrets.yaml")
    assert ran.code == 1
    assert ran.fault["message"].startswith('tap: "Welcome back" did not show')
    assert "something-else" not in ran.out
