"""Failure or error: exit codes, and what is left when the app or the runner dies."""

from __future__ import annotations

import signal
import socket
from pathlib import Path

import pytest

from tapir_replay.cli.main import main
from tests.e2e.conftest import Play
from tests.e2e.tool import Ran, demo_process, outcomes, started

LONG = """\
name: A long wait
steps:
  - navigate: /form
  - wait_for: {text: Nothing, timeoutMs: 60000}
  - tap: Place order
teardown:
  - reset_overlays
"""

OTHER = "name: The next one\nsteps: [{navigate: /login}]\n"


def test_passed(play: Play) -> None:
    ran = play("app: demo\nsteps: [{navigate: /form}]\n")
    assert ran.code == 0
    (finished,) = ran.events("run_finished")
    assert (finished["outcome"], finished["exit_code"]) == ("passed", 0)


def test_no_app_is_named(play: Play) -> None:
    ran = play("steps: [{navigate: /form}]\n")
    assert ran.code == 3
    assert ran.fault["message"].startswith("which app? ")


def test_nothing_listens(play: Play) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    ran = play(OTHER, options=("--uri", f"http://127.0.0.1:{port}/abc=/"))
    assert ran.code == 3
    assert ran.fault["kind"] == "app_unreachable"
    assert ran.problem.tag == "error"
    assert str(port) in ran.out


def test_a_wrong_code(play: Play, plain_demo: str) -> None:
    base, _, code = plain_demo.rstrip("/").rpartition("/")
    ran = play(OTHER, options=("--uri", f"{base}/wrong{code}/"))
    assert ran.code == 3
    assert ran.fault["kind"] == "app_unreachable"
    assert "code" in ran.fault["message"]
    assert f"wrong{code}" not in ran.out


def test_the_greatest_code_counts(play: Play) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        gone = f"http://127.0.0.1:{free.getsockname()[1]}/abc=/"
    ran = play(
        "app: demo\nsteps: [{find: Nothing}]\n",
        f"app: {gone}\nsteps: [{{find: Nothing}}]\n",
        "app: demo\nsteps: [{navigate: /form}]\n",
    )
    assert ran.code == 3
    assert [each["outcome"] for each in ran.events("scenario_finished")] == [
        "failed",
        "error",
        "passed",
    ]
    root = ran.junit
    assert (root.get("tests"), root.get("failures"), root.get("errors")) == ("3", "1", "1")


# Wrong input


def test_a_wrong_file_stops_all_and_is_reported(play: Play) -> None:
    ran = play("app: demo\nsteps: [{tapp: Sign in}]\n", "app: demo\nsteps: [{tap: Sign in}]\n")
    assert ran.code == 2
    assert "test.yaml:2:" in ran.err
    assert "did you mean" in ran.err
    assert ran.steps == []
    assert ran.problem.tag == "error"
    assert "test.yaml:2:" in (ran.problem.text or "")
    (skipped,) = ran.junit.iter("skipped")
    assert skipped.get("message") == "another scenario file is wrong"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["nothing.yaml"], "there is no such file or folder"),
        (["."], "no scenario in this folder"),
        (["x.yaml", "--var", "a"], "expected NAME=VALUE"),
        (["x.yaml", "--env-file", "nothing.env"], "cannot be read"),
    ],
)
def test_a_wrong_command_line(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    arguments: list[str],
    said: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(arguments) == 2
    assert said in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_an_unknown_option(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as end:
        main(["run", "x.yaml", "--nonsense"])
    assert end.value.code == 2
    assert "--nonsense" in capsys.readouterr().err


def test_a_secret_that_is_not_set(play: Play, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NOT_SET", raising=False)
    text = "app: demo\nsecrets: [NOT_SET]\nsteps: [{tap: Sign in}]\nteardown: [reset_overlays]\n"
    ran = play(text)
    assert ran.code == 2
    assert ran.fault["message"] == "the secret NOT_SET is not set"
    assert "NOT_SET" in ran.fault["hint"]
    assert outcomes(ran) == {"steps.1": "skipped", "teardown.1": "skipped"}
    assert ran.problem.tag == "error"


def test_a_value_that_is_none(play: Play) -> None:
    ran = play('app: demo\nsteps: [{fill: {target: Email, text: "{{ env.NOT_SET }}"}}]\n')
    assert ran.code == 2
    assert ran.step("steps.1")["outcome"] == "error"


@pytest.mark.parametrize(("error", "code"), [(RuntimeError("boo"), 4), (KeyboardInterrupt(), 130)])
def test_what_nobody_expects(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    error: BaseException,
    code: int,
) -> None:
    def fail(_: object) -> int:
        raise error

    monkeypatch.setattr("tapir_replay.cli.playing.play_files", fail)
    assert main(["run", "x.yaml"]) == code
    assert ("itself failed" in capsys.readouterr().err) == (code == 4)


# Ends in the middle


def test_the_app_dies(tmp_path: Path) -> None:
    (tmp_path / "long.yaml").write_text(LONG)
    (tmp_path / "other.yaml").write_text(OTHER)
    with (
        demo_process(tmp_path) as (demo, uri),
        started(
            "long.yaml", "other.yaml", "--uri", uri, "--output", "out",
            "--connect-timeout", "1", cwd=tmp_path,
        ) as runner,
    ):  # fmt: skip
        runner.wait_for_line("navigate /form")
        demo.kill()
        assert runner.end() == 3
    ran = Ran(3, "".join(runner.lines), "", tmp_path / "out")
    assert outcomes(ran) == {
        "steps.1": "passed",
        "steps.2": "error",
        "steps.3": "skipped",
        "teardown.1": "skipped",
    }
    assert ran.fault["kind"] == "app_gone"
    assert ran.step("steps.3")["reason"] == "an earlier step did not pass"
    assert [each["outcome"] for each in ran.events("scenario_finished")] == ["error", "error"]
    said = ran.problem.text or ""
    assert "long.yaml:4:" in said
    assert "step 2 of 4" in said
    assert ran.junit.get("errors") == "2"


def test_the_runner_dies(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "long.yaml").write_text(LONG)
    (tmp_path / "other.yaml").write_text(OTHER)
    with started(
        "long.yaml", "other.yaml", "--app", "demo", "--output", "out", cwd=tmp_path
    ) as runner:
        runner.wait_for_line("navigate /form")
        runner.kill()
    out = tmp_path / "out"
    assert not (out / "junit.xml").exists()
    assert main(["report", str(out)]) == 0
    ran = Ran(0, capsys.readouterr().out, "", out)
    cases = list(ran.junit.iter("testcase"))
    assert [each.get("name") for each in cases] == ["A long wait", "The next one"]
    assert cases[0].find("error") is not None
    assert cases[1].find("skipped") is not None
    assert "navigate /form" in (cases[0].findtext("system-out") or "")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM], ids=["ctrl-c", "term"])
def test_interrupted(tmp_path: Path, number: signal.Signals) -> None:
    (tmp_path / "long.yaml").write_text(LONG)
    (tmp_path / "other.yaml").write_text(OTHER)
    with started(
        "long.yaml", "other.yaml", "--app", "demo", "--output", "out", cwd=tmp_path
    ) as runner:
        runner.wait_for_line("navigate /form")
        runner.process.send_signal(number)
        assert runner.end() == 130
    ran = Ran(130, "".join(runner.lines), "", tmp_path / "out")
    assert ran.fault["kind"] == "interrupted"
    assert outcomes(ran)["steps.1"] == "passed"
    assert outcomes(ran)["steps.3"] == "skipped"
    assert outcomes(ran)["teardown.1"] == "passed"
    assert "Traceback" not in ran.out
    (finished,) = ran.events("run_finished")
    assert finished["exit_code"] == 130
    assert finished["reason"] == "interrupted"
    cases = list(ran.junit.iter("testcase"))
    assert cases[0].find("error") is not None
    assert cases[1].find("skipped") is not None


def test_the_app_closes_itself_and_teardown_says_so(play: Play) -> None:
    waiting = "{wait_for: {text: Nothing, timeoutMs: 60000}}"
    ran = play(f"app: demo\nsteps: [close_app, {waiting}]\nteardown: [reset_overlays]\n")
    assert ran.code == 3
    assert ran.step("steps.1")["outcome"] == "passed"
    assert ran.step("steps.2")["outcome"] == "error"
    assert ran.step("teardown.1")["outcome"] == "skipped"
