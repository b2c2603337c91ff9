"""Apps that start themselves, sessions, resets, an app that speaks Dusk: as a person runs it."""

from __future__ import annotations

import json
import signal
import sys
from pathlib import Path

import pytest

from tapir_replay.app.launch.group import group_lives
from tapir_replay.app.launch.session import session_name
from tests.e2e.conftest import Play
from tests.e2e.tool import ROOT, demo_process, started

LIKE = f"{sys.executable} -m tests.support.flutter_like"


def project(more: str = "", *, launch: str = f"{LIKE} machine --machine") -> None:
    Path("tapir-replay.yaml").write_text(
        f"apps:\n  shop:\n    launch: {launch}\n    cwd: {ROOT}\n    ready_timeout: 20s\n{more}"
    )


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def scenario(name: str, *steps: str, app: str = "shop") -> str:
    lines = "".join(f"  - {each}\n" for each in steps)
    return f"name: {name}\napp: {app}\nsteps:\n{lines}"


SIGN_IN = (
    "fill: {target: {label: Email}, text: ada@example.com}",
    "expect: {visible: Sign in}",
)


def test_an_app_of_the_project_is_launched_and_its_log_kept(play: Play) -> None:
    project()
    ran = play(scenario("One", *SIGN_IN), scenario("Two", *SIGN_IN))
    assert ran.code == 0, ran.out + ran.err
    assert ran.err.count("starting shop: ") == 1
    (log,) = ran.folder.rglob("*shop*.log")
    text = log.read_text()
    assert text.startswith("Resolving dependencies...\n")
    assert text.endswith("shut down in order\n")


def test_a_launch_that_fails_is_an_error_that_says_why(play: Play) -> None:
    project(launch=f"{LIKE} broken")
    ran = play(scenario("One", *SIGN_IN))
    assert ran.code == 3
    assert ran.fault["kind"] == "app_unreachable"
    assert "ended with exit code 1 before its app was there" in ran.fault["message"]
    assert "  Error: unable to find a pubspec.yaml" in ran.fault["details"]
    assert ran.problem.tag == "error"


def test_each_scenario_starts_from_the_route_of_the_project(play: Play) -> None:
    project("    reset: route\n    route: /login\n")
    dirty = scenario("Dirty", "navigate: /form", "expect: {route: /form}")
    ran = play(dirty, scenario("Clean", "expect: {route: /login}"))
    assert ran.code == 0, ran.out + ran.err


def test_each_scenario_starts_anew(play: Play) -> None:
    project("    reset: restart\n")
    dirty = scenario("Dirty", *SIGN_IN, "expect: {value: {of: {label: Email}, contains: ada}}")
    ran = play(dirty, scenario("Clean", 'expect: {value: {of: {label: Email}, is: ""}}'))
    assert ran.code == 0, ran.out + ran.err


def test_a_reset_that_fails_is_an_error_and_nothing_is_played(
    play: Play, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tapir_replay.engine.reset._ARRIVAL", 0.1)
    project("    reset: route\n    route: /nowhere\n")
    ran = play(scenario("One", *SIGN_IN))
    assert ran.code == 3
    assert "could not be reset: it did not go to /nowhere" in ran.fault["message"]
    assert ran.problem.tag == "error"
    assert ran.steps == []


def test_an_app_that_dies_in_one_scenario_is_there_in_the_next(play: Play) -> None:
    project(launch=f"{LIKE} vm")
    ran = play(scenario("One", "close_app", "expect: {visible: x}"), scenario("Two", *SIGN_IN))
    first, second = ran.events("scenario_finished")
    assert (first["outcome"], second["outcome"]) == ("error", "passed")
    assert ran.code == 3


def test_the_session_of_this_folder_is_played_on(
    play: Play, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    (tmp_path / "pubspec.yaml").touch()
    folder = tmp_path / "home" / ".dowel" / "sessions" / session_name(tmp_path.resolve())
    folder.mkdir(parents=True)
    unnamed = scenario("One", *SIGN_IN).replace("app: shop\n", "")
    ran = play(unnamed)
    assert ran.code == 3
    assert f"no session of {tmp_path.resolve()} runs" in ran.fault["message"]
    with demo_process(tmp_path) as (process, uri):
        state = {"vmServiceUri": uri, "pid": process.process.pid, "projectRoot": str(tmp_path)}
        (folder / "state.json").write_text(json.dumps(state))
        assert play(unnamed).code == 0


# Interruptions


def launched_pid(folder: Path) -> int:
    (file,) = folder.rglob("pid")
    return int(file.read_text())


SLOW = scenario("Slow", "expect: {visible: never}").replace(
    "visible: never}", "visible: never}\n    timeout: 60s"
)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_no_app_is_left_however_the_run_ends(tmp_path: Path, number: signal.Signals) -> None:
    program = tmp_path / "program"
    program.write_text(f"#!/bin/sh\necho $$ > {tmp_path}/pid\nexec {LIKE} vm\n")
    program.chmod(0o755)
    project(launch=str(program))
    Path("slow.yaml").write_text(SLOW)
    with started("slow.yaml", "--output", "out", cwd=tmp_path) as process:
        process.wait_for_line("Slow")
        group = launched_pid(tmp_path)
        assert group_lives(group)
        process.process.send_signal(number)
        code = process.end()
    while group_lives(group):
        pass
    assert code == (-9 if number is signal.SIGKILL else 130)
    assert Path("out/run.jsonl").exists()
    assert Path("out/junit.xml").exists() is (number is not signal.SIGKILL)


# Dusk


def test_an_app_that_speaks_dusk(play: Play, tmp_path: Path) -> None:
    project(launch=f"{sys.executable} -m tests.support.dusk_peer")
    ran = play(
        scenario(
            "Dusk",
            "fill: {target: {label: Name}, text: Ada}",
            "expect: {value: {of: {label: Name}, is: Ada}}",
            "fill: {target: {key: name}, text: Grace}",
            "expect: {value: {of: {key: name}, is: Grace}}",
            "set_checkbox: {target: I agree, value: true}",
            "select_option: {target: {key: mode}, value: beta}",
            "expect: {visible: Beta, count: {of: {role: checkbox}, is: 1}}",
            "tap: {target: {label: Delete, nth: 1}}",
            "tap: Save",
            "scroll: {direction: down, pixels: 100}",
            "navigate: /details",
            "expect: {route: /details, exceptions: none}",
            "navigate_back",
            "screenshot: {target: Save, path: save.png}",
        )
    )
    assert ran.code == 0, ran.out + ran.err


def test_what_dusk_does_not_have_is_an_error_with_its_name(play: Play) -> None:
    project(launch=f"{sys.executable} -m tests.support.dusk_peer")
    ran = play(scenario("Dusk", "perf_begin"))
    assert ran.code == 3
    assert ran.fault["message"] == "Dusk has no verb `perf_begin`"
    assert "tapir" in ran.fault["hint"]
