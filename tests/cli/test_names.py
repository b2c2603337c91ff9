"""Names of files that a file system refuses, wherever a user can write one."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from tapir_replay.cli.main import main

GOOD = "name: good\nsteps:\n  - navigate: /login\n"

REFUSED = {
    "nul": "a\0b",
    "long": "a" * 300,
    "loop": "loop",
    "surrogate": "\udcff",
    "below-a-file": "good.yaml/inside",
    "a-folder": "folder",
    "empty": "",
}
NAMES = pytest.mark.parametrize("name", REFUSED.values(), ids=REFUSED)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "good.yaml").write_text(GOOD, encoding="utf-8")
    (tmp_path / "loop").symlink_to("loop")
    (tmp_path / "folder").mkdir()
    return tmp_path


def ends_in_words(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    """The command ends with a code of the list, and no traceback."""
    try:
        code = main(arguments)
    except SystemExit as ended:  # argparse, after it has said why
        code = int(ended.code or 0)
    said = "".join(capsys.readouterr())
    assert "Traceback" not in said, said
    assert "itself failed" not in said, said
    assert code in range(5)
    assert code == 0 or said


@NAMES
@pytest.mark.parametrize(
    "command",
    [
        ["validate", "NAME"],
        ["validate", "NAME.yaml"],
        ["validate", "good.yaml", "!NAME"],
        ["validate", "NAME/*.yaml"],
        ["validate", "good.yaml", "--project", "NAME"],
        ["--list", "NAME"],
        ["--dry-run", "--app", "demo", "NAME"],
        ["good.yaml", "--app", "demo", "--env-file", "NAME"],
        ["good.yaml", "--app", "demo", "--output", "NAME"],
        ["good.yaml", "--app", "demo", "--output", "out", "--junit", "NAME"],
        ["good.yaml", "--app", "NAME", "--output", "out"],
        ["good.yaml", "--uri", "NAME", "--output", "out"],
        ["report", "NAME"],
        ["report", "run.jsonl", "--junit", "NAME"],
        ["init", "NAME"],
        ["schema", "--write", "NAME"],
        ["call", "tap", "target=NAME", "--app", "demo", "--timeout", "0.1"],
    ],
    ids=" ".join,
)
def test_on_the_command_line(
    command: list[str], name: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A name that cannot be a file's is told of like one that is not there."""
    (folder / "run.jsonl").write_text(LOG, encoding="utf-8")
    ends_in_words([each.replace("NAME", name) for each in command], capsys)


def test_the_root_is_no_file(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A path without a name is a folder."""
    ends_in_words(["good.yaml", "--app", "demo", "--output", "out", "--junit", "/"], capsys)


LOG = json.dumps({"event": "run-started"}) + "\n"


@NAMES
@pytest.mark.parametrize(
    "text",
    [
        "name: x\nsteps:\n  - use: NAME\n",
        "name: x\ncases: NAME\nsteps:\n  - log: x\n",
        "name: x\nsteps:\n  - expect: {snapshot: NAME}\n",
        "name: x\nsteps:\n  - expect: {screenshot: NAME}\n",
        "name: x\nsteps:\n  - screenshot: NAME\n",
        "name: NAME\nsteps:\n  - log: NAME\n  - expect: {visible: NAME}\n    timeout: 0\n",
    ],
)
def test_in_a_scenario(
    text: str, name: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A scenario that names such a file fails in words, also where goldens are to be written."""
    written = text.replace("NAME", json.dumps(name))
    (folder / "it.yaml").write_text(written, encoding="utf-8")
    command = ["it.yaml", "--app", "demo", "--output", "out"]
    ends_in_words(command, capsys)
    ends_in_words([*command, "--update-goldens"], capsys)


@NAMES
@pytest.mark.parametrize(
    "text",
    [
        "scenarios: [NAME]\n",
        "scenarios: [good.yaml]\nenv_files: [NAME]\n",
        "scenarios: [good.yaml]\nreports: {junit: NAME}\n",
        "scenarios: [good.yaml]\nartifacts: NAME\n",
        "scenarios: [good.yaml]\napps: {mine: {launch: [NAME]}}\ndefault_app: mine\n",
        "scenarios: [good.yaml]\napps: {mine: {launch: [x], cwd: NAME}}\ndefault_app: mine\n",
        "scenarios: [good.yaml]\napps: {mine: NAME}\ndefault_app: mine\n",
    ],
)
def test_in_a_project_file(
    text: str, name: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The same for the files that a project names."""
    written = text.replace("NAME", json.dumps(name))
    (folder / "tapir-replay.yaml").write_text(written, encoding="utf-8")
    app = [] if "apps" in text else ["--app", "demo"]
    ends_in_words(["run", *app], capsys)


def test_a_name_that_is_no_text(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A file whose name is not UTF-8 plays like any other, and its reports are readable."""
    raw = os.fsencode(folder) + b"/\xff.yaml"
    Path(os.fsdecode(raw)).write_text(GOOD, encoding="utf-8")
    assert main([os.fsdecode(b"\xff.yaml"), "--app", "demo", "--output", "out"]) == 0
    assert main(["report", "out"]) == 0
    capsys.readouterr()
    (folder / "out" / "junit.xml").read_bytes().decode("utf-8")
