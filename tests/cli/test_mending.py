"""What a run proposes, shown and written."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tapir_replay.cli.main import main

SCENARIO = """\
name: heal
app: demo
setup: [{navigate: /login}]
steps:
  - fill: {target: {key: e-mail}, text: x}  # or: {role: textbox, label: Email}
    timeout: 0s
    soft: true
  - fill: {target: {key: btn-9}, text: y}  # or: {role: textbox, label: Password}
    timeout: 0s
    soft: true
  - tap:
      target: {role: button, label: Sign on}
    timeout: 0s
    soft: true
  - tap: Remember
    timeout: 0s
    soft: true
  - hover: {target: Forgot pasword?}
    timeout: 0s
  - tap: never reached
"""

MENDED = (
    SCENARIO.replace("{key: e-mail}", "{key: email}")
    .replace("{key: btn-9}", "{key: password}")
    .replace("Sign on", "Sign in")
    .replace("tap: Remember", "tap: Remember me")
    .replace("Forgot pasword?", '"Forgot password?"')
)


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "a.yaml"
    path.write_text(SCENARIO, encoding="utf-8")
    return path


def test_a_patch_is_shown_and_nothing_is_written(
    file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The run fails as it would; how to mend it is told, in the log and as a diff too."""
    assert main(["a.yaml", "--output", "out"]) == 1
    out, err = capsys.readouterr()
    assert file.read_text(encoding="utf-8") == SCENARIO
    assert "proposal   target: {key: email}  (the same label and role, a like key)" in out
    assert "+  - tap: Remember me\n" in err
    assert err.endswith("--apply-patches writes this into the files\n")
    log = (file.parent / "out" / "run.jsonl").read_text(encoding="utf-8")
    faults = [fault for line in log.splitlines() if (fault := json.loads(line).get("fault"))]
    assert faults[0]["proposal"]["target"] == "{key: email}"


def test_a_patch_is_written_when_asked_for(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The run still fails; the next one finds the widgets."""
    assert main(["a.yaml", "--output", "out", "--apply-patches"]) == 1
    assert "a.yaml: 5 changes written; play it again" in capsys.readouterr().err
    assert file.read_text(encoding="utf-8") == MENDED
    file.write_text(MENDED.replace("  - tap: never reached\n", ""), encoding="utf-8")
    assert main(["a.yaml", "--output", "out"]) == 0
    assert "proposed" not in capsys.readouterr().err


def test_line_ends_and_the_byte_order_mark_stay(file: Path) -> None:
    """All but what is mended stays to the letter."""
    file.write_bytes(SCENARIO.replace("\n", "\r\n").encode("utf-8-sig"))
    assert main(["a.yaml", "--output", "out", "--apply-patches"]) == 1
    assert file.read_bytes() == MENDED.replace("\n", "\r\n").encode("utf-8-sig")


def test_what_is_on_several_lines_is_left_to_people(
    file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It would have to be laid out anew; the proposal stands with the failure all the same."""
    text = (
        "name: a\napp: demo\nsetup: [{navigate: /login}]\nsteps:\n"
        "  - tap: {target: {role: button,\n      label: Sign on}}\n    timeout: 0s\n"
    )
    file.write_text(text, encoding="utf-8")
    assert main(["a.yaml", "--output", "out", "--apply-patches"]) == 1
    assert file.read_text(encoding="utf-8") == text
    assert "proposal   target: {role: button, label: Sign in}" in capsys.readouterr().out


def test_in_a_fragment(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The file that holds the step is mended, not the one that uses it."""
    fragment = file.parent / "flow.yaml"
    fragment.write_text("kind: fragment\nsteps:\n  - tap: Sign  inn\n    timeout: 0s\n", "utf-8")
    file.write_text(
        "name: a\napp: demo\nsetup: [{navigate: /login}]\nsteps:\n  - use: flow.yaml\n", "utf-8"
    )
    assert main(["a.yaml", "--output", "out", "--apply-patches"]) == 1
    assert "  - tap: Sign in\n" in fragment.read_text(encoding="utf-8")
    assert "--- flow.yaml" in capsys.readouterr().err


def test_a_secret_is_never_proposed(
    file: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A label that holds a secret is masked: there is nothing to write."""
    monkeypatch.setenv("WORD", "Remember")
    file.write_text(
        "name: a\napp: demo\nsecrets: [WORD]\nsetup: [{navigate: /login}]\nsteps:\n"
        "  - tap: Rememberr me\n    timeout: 0s\n",
        "utf-8",
    )
    before = file.read_bytes()
    assert main(["a.yaml", "--output", "out", "--apply-patches"]) == 1
    assert file.read_bytes() == before
    assert "--- a.yaml" not in capsys.readouterr().err
