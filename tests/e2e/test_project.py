"""A project as a team has it: found upwards, with profiles, tags, shards, retries, a memory."""

from __future__ import annotations

import json
import re
import shlex
import shutil
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from pathlib import Path

import pytest

from tapir_replay.cli.main import main
from tapir_replay.project.history import History
from tapir_replay.project.load import load_project
from tapir_replay.project.schema import project_schema
from tests.e2e.tool import ROOT, started

EXAMPLE = ROOT / "fixtures" / "project"

HOME_BY_CHANCE = """\
name: Somebody is signed in
tags: [unsteady]
steps:
  - expect: {visible: Welcome back}
    timeout: 200ms
teardown:
  - fill: {target: Email, text: ada@example.com}
    optional: true
    timeout: 200ms
  - fill: {target: Password, text: correct-horse}
    optional: true
    timeout: 200ms
  - tap: {target: Sign in, until: Welcome back}
    optional: true
    timeout: 200ms
"""
"""Passes only where the scenario before has signed in: itself, when it is played again."""

NEVER = "name: Never\nsteps:\n  - expect: {visible: Nothing}\n    timeout: 50ms\n"
ALWAYS = "name: Always\nsteps: [dismiss_modals]\n"


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project on the demo app, without scenarios yet; the current folder."""
    monkeypatch.chdir(tmp_path)
    write("tapir-replay.yaml", 'apps: {demo: demo}\nscenarios: ["flows/**"]\n')
    return tmp_path


def write(name: str, text: str) -> None:
    path = Path(name)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def runs() -> Iterator[Path]:
    return (each for each in sorted(Path("tapir-results").iterdir()) if each.is_dir())


def log_of(folder: Path) -> list[dict[str, object]]:
    text = (folder / "run.jsonl").read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()]


def played(folder: Path | str) -> list[tuple[object, object]]:
    """The scenarios that ended, by name, and how."""
    events = log_of(Path(folder))
    names = {each["id"]: each["name"] for each in events[0].get("plan", [])}  # type: ignore[attr-defined]
    return [
        (names[each["scenario"]], each["outcome"])
        for each in events
        if each["event"] == "scenario_finished"
    ]


def test_the_example(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """It is valid and passes as it is: vars, an env file, a secret, globs, the default app."""
    here = tmp_path / "project"
    shutil.copytree(EXAMPLE, here, ignore=shutil.ignore_patterns("tapir-results", "build"))
    monkeypatch.chdir(here)
    monkeypatch.delenv("DEMO_PASSWORD", raising=False)
    assert main(["validate", "--strict"]) == 0
    assert "1 project file and 3 files: no problems" in capsys.readouterr().out
    assert main(["run", "--profile", "ci", "--color", "never"]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    assert "· app demo · profile ci · 3 scenarios" in out
    assert 'fill "Password" with "***"' in out
    assert "junit  build/e2e.xml" in out
    assert len(list(ET.parse("build/e2e.xml").iter("testcase"))) == 3
    for file in here.rglob("*"):
        told = file.is_file() and file.name != "demo.env" and b"correct-horse" in file.read_bytes()
        assert not told, file


PAGE = (ROOT / "docs" / "project.md").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    "block", re.findall(r"^```yaml\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
)
def test_examples_of_the_page_are_valid(project: Path, block: str) -> None:
    """Every project file on the page loads without a remark."""
    write("tapir-replay.yaml", block)
    assert load_project(Path("tapir-replay.yaml")).diagnostics == ()


@pytest.mark.parametrize(
    "block", re.findall(r"^```console\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
)
def test_the_page_shows_what_one_gets(
    block: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """In the example project."""
    monkeypatch.chdir(EXAMPLE)
    monkeypatch.setattr("tapir_replay.cli.preparing.read_history", lambda _: History())
    command, _, shown = block.partition("\n")
    main(shlex.split(command.removeprefix("$ tapir-replay ")))
    told = capsys.readouterr()
    assert told.out + told.err == shown


def test_every_key_is_on_the_page() -> None:
    for key in set(project_schema()["properties"]) - {"$schema"}:
        assert f"\n| `{key}` |" in PAGE


def test_the_project_file_may_be_named(
    project: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """From elsewhere, to play or check all of it."""
    write("flows/a.yaml", ALWAYS)
    monkeypatch.chdir("/")
    assert main(["validate", str(project / "tapir-replay.yaml")]) == 0
    assert capsys.readouterr().out == "1 project file and 1 file: no problems\n"
    assert main(["run", "-q", str(project / "tapir-replay.yaml")]) == 0
    assert (project / "tapir-results/.history.json").exists()


def test_found_upwards_and_paths_relative_to_it(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """From a folder below, results and the memory still are in the project's folder."""
    write("flows/deep/always.yaml", ALWAYS)
    monkeypatch.chdir("flows/deep")
    assert main(["run", "-q"]) == 0
    assert main(["always.yaml", "-q"]) == 0
    monkeypatch.chdir(project)
    assert len(list(runs())) == 2
    known = json.loads(Path("tapir-results/.history.json").read_text(encoding="utf-8"))
    assert list(known["scenarios"]) == ["flows/deep/always.yaml::Always"]


def test_flaky_is_its_own_outcome(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """In console, log, JUnit; the run is green unless asked to be red."""
    write("flows/home.yaml", HOME_BY_CHANCE)
    assert main(["run", "--output", "out"]) == 1
    assert main(["run", "--output", "out", "--retries", "2", "--color", "never"]) == 0
    out = capsys.readouterr().out
    assert "attempt 2 of 3" in out
    assert "~ flows/home.yaml:4  Somebody is signed in: failed before it passed: visible:" in out
    assert "1 flaky in" in out
    assert played("out") == [
        ("Somebody is signed in", "failed"),
        ("Somebody is signed in", "flaky"),
    ]
    ended = log_of(Path("out"))[-1]
    assert (ended["outcome"], ended["counts"], ended["exit_code"]) == ("flaky", {"flaky": 1}, 0)
    root = ET.parse("out/junit.xml").getroot()
    assert (root.get("tests"), root.get("failures"), root.get("errors")) == ("1", "0", "0")
    assert len(list(root.iter("flakyFailure"))) == 1
    (case,) = root.iter("testcase")
    assert "[[ATTACHMENT|artifacts/somebody-is-signed-in/failure-steps.1.png]]" in str(
        case.findtext("system-out")
    )


def test_flaky_may_fail_the_run(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write("flows/home.yaml", HOME_BY_CHANCE)
    assert main(["run", "--output", "out", "--retries", "1", "--fail-on-flaky"]) == 1
    assert "a flaky scenario fails the run, see --fail-on-flaky" in capsys.readouterr().out
    root = ET.parse("out/junit.xml").getroot()
    assert root.get("failures") == "1"  # so that no reader takes it for green


def test_retries_do_not_save_what_fails(project: Path) -> None:
    """Every attempt is kept; what is wrong in the file is not tried again."""
    write("flows/never.yaml", NEVER)
    write("flows/wrong.yaml", 'name: Wrong\nsteps: [{tap: "{{ vars.nope }}"}]\n')
    assert main(["run", "-q", "--output", "out", "--retries", "2"]) == 2
    assert played("out") == [("Never", "failed")] * 3 + [("Wrong", "error")]
    root = ET.parse("out/junit.xml").getroot()
    assert len(list(root.iter("rerunFailure"))) == 2


def test_fail_fast(project: Path) -> None:
    """What is left is skipped, and says why; a flaky one stops nothing."""
    write("flows/a.yaml", HOME_BY_CHANCE)
    write("flows/b.yaml", NEVER)
    write("flows/c.yaml", ALWAYS)
    assert main(["run", "-q", "--output", "out", "--fail-fast", "--retries", "1"]) == 1
    outcomes = [outcome for _, outcome in played("out")]
    assert outcomes == ["failed", "flaky", "failed", "failed", "skipped"]
    reason = log_of(Path("out"))[-2]["reason"]
    assert reason == "an earlier scenario did not pass, see --fail-fast"


def test_last_failed(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Plays what failed until it passes; then there is nothing, which is told."""
    write("flows/a.yaml", NEVER)
    write("flows/b.yaml", ALWAYS)
    assert main(["run", "-q"]) == 1
    assert main(["run", "-q", "--last-failed", "--output", "out"]) == 1
    assert played("out") == [("Never", "failed")]
    write("flows/a.yaml", NEVER.replace("visible: Nothing", "visible: Sign in"))
    assert main(["run", "-q", "--last-failed"]) == 0
    capsys.readouterr()
    assert main(["run", "-q", "--last-failed"]) == 2
    assert "of 2 scenarios, none failed when it was last played" in capsys.readouterr().err


def test_repeat_and_shuffle(project: Path) -> None:
    """Every round has all scenarios, in an order that the seed decides."""
    for name in "abcde":
        write(f"flows/{name}.yaml", ALWAYS.replace("Always", name))
    assert main(["run", "-q", "--output", "out", "--repeat", "3", "--shuffle", "7"]) == 0
    order = [name for name, _ in played("out")]
    assert [sorted(order[at : at + 5]) for at in (0, 5, 10)] == [list("abcde")] * 3  # type: ignore[type-var]
    assert main(["run", "-q", "--output", "again", "--repeat", "3", "--shuffle", "7"]) == 0
    assert [name for name, _ in played("again")] == order
    assert order[:5] != order[5:10]
    cases = [each.get("name") for each in ET.parse("out/junit.xml").iter("testcase")]
    assert sorted(cases)[:3] == ["a", "a (2)", "a (3)"]  # type: ignore[type-var]


def test_shards_play_all_of_it_once(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Also more shards than scenarios: an empty one passes, and says so."""
    for name in "abc":
        write(f"flows/{name}.yaml", ALWAYS.replace("Always", name))
    names = []
    for shard in ("1/4", "2/4", "3/4", "4/4"):
        assert main(["run", "-q", "--output", "out", "--shard", shard]) == 0
        names += [name for name, _ in played("out")]
        assert log_of(Path("out"))[0]["shard"] == shard
    assert sorted(names) == ["a", "b", "c"]  # type: ignore[type-var]
    known = json.loads(Path("tapir-results/.history.json").read_text(encoding="utf-8"))
    assert {each["duration"] for each in known["scenarios"].values()} == {None}
    assert "shard 4/4: the 3 scenarios are all in other shards" in capsys.readouterr().err
    assert ET.parse("out/junit.xml").getroot().get("tests") == "0"


def test_the_plan(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`--dry-run` and `--list` tell what would be played, without an app or a trace."""
    write("flows/a.yaml", f"tags: [smoke]\n{ALWAYS}")
    write("flows/b.yaml", f"tags: [slow]\napp: http://127.0.0.1:1/\n{NEVER}")
    chosen = ["run", "--tags", "smoke or slow", "--retries", "2", "--timeout", "10s"]
    assert main([*chosen, "--dry-run"]) == 0
    assert capsys.readouterr().out == (
        "tapir-replay 0.1.0, nothing is played, project tapir-replay.yaml\n"
        "  1  Always  flows/a.yaml:2  [smoke]  app demo\n"
        "  2  Never  flows/b.yaml:3  [slow]  app http://127.0.0.1:1/\n"
        "\n"
        "2 scenarios; tags: slow (1), smoke (1)\n"
        "timeout 10s, 2 retries\n"
    )
    assert main([*chosen, "--list", "--grep", "^nev"]) == 0
    assert capsys.readouterr().out == (
        "Never  flows/b.yaml:3  [slow]\n\n1 of 2 scenarios; tags: slow (1), smoke (1)\n"
    )
    assert not Path("tapir-results").exists()


def test_a_wrong_file_stops_all(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Also where it would not have been chosen: its tags are not known."""
    write("flows/a.yaml", f"tags: [smoke]\n{ALWAYS}")
    write("flows/b.yaml", "steps: [tapp]\n")
    assert main(["run", "--tags", "smoke"]) == 2
    assert "nothing was played: 1 error in the scenario files" in capsys.readouterr().err
    assert main(["run", "--shard", "1/2", "--output", "out"]) == 2
    assert main(["run", "--shard", "2/2", "--output", "out"]) == 2
    assert ("Always", "passed") not in played("out")
    assert not Path("tapir-results/.history.json").exists()


def test_secrets_of_the_project(
    project: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Masked in every scenario; needed only where a scenario speaks of it."""
    write("tapir-replay.yaml", 'apps: {demo: demo}\nsecrets: [TOKEN]\nscenarios: ["flows/**"]\n')
    write("flows/a.yaml", ALWAYS.replace("Always", "Says tell-tale"))
    assert main(["run", "-q", "--output", "out"]) == 0
    monkeypatch.setenv("TOKEN", "tell-tale")
    assert main(["run", "-q", "--output", "out"]) == 0
    assert played("out") == [("Says ***", "passed")]
    assert main(["run", "--dry-run"]) == 0
    assert "Says ***" in capsys.readouterr().out
    keys = json.loads(Path("tapir-results/.history.json").read_text(encoding="utf-8"))["scenarios"]
    assert list(keys) == ["flows/a.yaml::Says tell-tale", "flows/a.yaml::Says ***"]
    monkeypatch.delenv("TOKEN")
    write("flows/a.yaml", 'name: Uses\nsteps: [{tap: "{{ TOKEN }}"}]\n')
    assert main(["run", "-q", "--output", "out"]) == 2


def test_a_killed_run_keeps_its_attempts(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The attempt that failed is in the report, though the next one was cut off."""
    write("flows/home.yaml", NEVER.replace("50ms", "2s"))
    with started("run", "--retries", "3", "--output", "out", cwd=project) as process:
        process.wait_for_line("attempt 2 of 4")
        process.kill()
    assert main(["report", "out"]) == 0
    root = ET.parse("out/junit.xml").getroot()
    assert (root.get("errors"), len(list(root.iter("rerunFailure")))) == ("1", 1)
