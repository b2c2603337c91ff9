"""The command: what it writes, what it refuses to, and how it ends."""

from __future__ import annotations

from pathlib import Path

import pytest

from tapir_replay.cli.main import main

FLOW = "appId: com.example.shop\n---\n- tapOn: Basket\n"
PART = "- tapOn: Confirm\n"


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def put(path: str, text: str) -> None:
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    Path(path).write_text(text, encoding="utf-8")


def test_a_flow(capsys: pytest.CaptureFixture[str]) -> None:
    """Into the folder scenarios, below its own name."""
    put("flow.yaml", FLOW)
    assert main(["convert", "flow.yaml"]) == 0
    assert "- tap: Basket" in Path("scenarios/flow.yaml").read_text()
    said = capsys.readouterr()
    assert said.out == (
        "written  scenarios/flow.yaml\n"
        "1 file written, all carried over, 1 difference, checked: no problems\n"
    )
    assert "flow.yaml:3:10: warning: upper and lower case" in said.err


def test_something_left(capsys: pytest.CaptureFixture[str]) -> None:
    """Exit code 1, and a comment at its place."""
    put("flow.yaml", FLOW + "- stopApp\n")
    assert main(["convert", "flow.yaml", "-o", "out"]) == 1
    assert "  # not converted: stopApp: " in Path("out/flow.yaml").read_text()
    assert "flow.yaml:4:3: error: not converted: stopApp" in capsys.readouterr().err


def test_a_folder() -> None:
    """Names stay as they are seen from the folder; what others use becomes a fragment."""
    put(".maestro/a.yaml", FLOW + "- runFlow: parts/b.yml\n")
    put(".maestro/parts/b.yml", PART)
    put(".maestro/notes.yaml", "other: things\n")
    assert main(["convert", ".maestro"]) == 0
    assert "- use: parts/b.yml" in Path("scenarios/a.yaml").read_text()
    assert "kind: fragment" in Path("scenarios/parts/b.yml").read_text()
    assert not Path("scenarios/notes.yaml").exists()


def test_a_file_beside(capsys: pytest.CaptureFixture[str]) -> None:
    """What a flow uses is converted with it, wherever it is; paths stay right."""
    put("flows/a.yaml", FLOW + "- runFlow: ../parts/b.yaml\n")
    put("parts/b.yaml", PART)
    assert main(["convert", "flows/a.yaml"]) == 0
    assert "- use: ../parts/b.yaml" in Path("scenarios/flows/a.yaml").read_text()
    assert Path("scenarios/parts/b.yaml").is_file()
    assert "checked: no problems" in capsys.readouterr().out


def test_used_and_named(capsys: pytest.CaptureFixture[str]) -> None:
    """A flow that others use is not played by itself any more, which is told."""
    put("a.yaml", FLOW + "- runFlow: b.yaml\n")
    put("b.yaml", FLOW)
    assert main(["convert", "a.yaml", "b.yaml"]) == 0
    assert "b.yaml:1:1: warning: others use this file" in capsys.readouterr().err


def test_never_over_a_file(capsys: pytest.CaptureFixture[str]) -> None:
    """Unless it is asked for; then over scenarios only, never over what is converted."""
    put("flow.yaml", FLOW)
    put("scenarios/flow.yaml", "mine")
    assert main(["convert", "flow.yaml"]) == 2
    assert Path("scenarios/flow.yaml").read_text() == "mine"
    assert "it is there already" in capsys.readouterr().err
    assert main(["convert", "flow.yaml", "--force"]) == 0
    assert "tap: Basket" in Path("scenarios/flow.yaml").read_text()
    assert main(["convert", "flow.yaml", "-o", ".", "--force"]) == 2
    assert Path("flow.yaml").read_text() == FLOW


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("name: x\nsteps:\n  - tap: Go\n", "neither a flow of Maestro"),
        ("appId: x\n---\n- tapOn: [\n", "brackets"),
        ("appId: x\nappId: y\n---\n- back\n", "stands here twice"),
        ("", "holds no scenario"),
    ],
)
def test_wrong_input(text: str, says: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Exit code 2, and nothing is written, not even of other files."""
    put("good.yaml", FLOW)
    put("flow.yaml", text)
    assert main(["convert", "good.yaml", "flow.yaml"]) == 2
    said = capsys.readouterr()
    assert says in said.err
    assert "nothing was written" in said.out
    assert not Path("scenarios").exists()


def test_no_end_of_documents(capsys: pytest.CaptureFixture[str]) -> None:
    """A file of many documents takes no time."""
    put("flow.yaml", "appId: x\n" + "---\n- back\n" * 200_000)
    assert main(["convert", "flow.yaml"]) == 2
    assert "a second document starts here" in capsys.readouterr().err


def test_much_that_is_left() -> None:
    """Nor does one with many faults."""
    put("flow.yaml", "appId: x\n---\n- back\n" + "- stopApp\n" * 3_000)
    assert main(["convert", "flow.yaml"]) == 1


def test_no_such_file(capsys: pytest.CaptureFixture[str]) -> None:
    """And folders without YAML."""
    Path("empty").mkdir()
    assert main(["convert", "missing.yaml"]) == 2
    assert main(["convert", "empty"]) == 2
    assert "there is no such file" in capsys.readouterr().err


def test_taken_for() -> None:
    """Where the kind is not seen, it can be said."""
    put("x.yaml", "steps:\n  - tap: {}\n  - tap: {byText: Go}\n")
    assert main(["convert", "x.yaml", "--from", "pilot"]) == 1
    assert "tap: Go" in Path("scenarios/x.yaml").read_text()


def test_the_schema_of_the_project() -> None:
    """Editors find the schema that `init` has written."""
    put(".tapir-replay/scenario.schema.json", "{}")
    put("flow.yaml", FLOW)
    assert main(["convert", "flow.yaml"]) == 0
    first = Path("scenarios/flow.yaml").read_text().split("\n")[0]
    assert first == "# yaml-language-server: $schema=../.tapir-replay/scenario.schema.json"


def test_the_disk_refuses(capsys: pytest.CaptureFixture[str]) -> None:
    """Told, and not raised."""
    put("flow.yaml", FLOW)
    put("file", "")
    assert main(["convert", "flow.yaml", "-o", "file/out"]) == 4
    assert "tapir-replay convert: " in capsys.readouterr().err
