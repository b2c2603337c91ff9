"""`call` in a project: its apps, its profile, its values; and what it never prints."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tapir_replay.cli.main import main
from tests.e2e.tool import demo_process

PROJECT = """\
apps:
  ours: demo
  theirs: "{{ env.APP_ADDRESS }}"
default_app: ours
secrets: [TOKEN]
env_files: [a.env]
profiles:
  away: {default_app: theirs}
  patient: {timeout: 7s}
"""


@pytest.fixture(scope="module")
def elsewhere(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of an app that is told from the demo by its lack of our plugin."""
    with demo_process(tmp_path_factory.mktemp("demo"), "--plain") as (_, uri):
        yield uri


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("TOKEN", raising=False)
    write("tapir-replay.yaml", PROJECT)
    return tmp_path


def write(name: str, text: str) -> None:
    Path(name).write_text(text, encoding="utf-8")


def test_the_default_app(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["call", "get_routes"]) == 0
    assert json.loads(capsys.readouterr().out)["uri"] == "/login"


def test_found_upwards(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    inside = project / "a" / "b"
    inside.mkdir(parents=True)
    monkeypatch.chdir(inside)
    assert main(["call", "get_routes"]) == 0


def test_an_app_by_its_name(
    project: Path, elsewhere: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """By `--app`, by a profile, and an address of the environment or of an env file."""
    write("a.env", f"APP_ADDRESS={elsewhere}\n")
    text = {"text": "Tapir Demo", "timeoutMs": "0"}
    words = [f"{name}={value}" for name, value in text.items()]
    for options in (["--app", "theirs"], ["--profile", "away"], ["--uri", elsewhere]):
        assert main(["call", "navigate", "/settings", *options]) == 0
        assert main(["call", "get_routes", *options]) == 0
        assert '"uri": "/settings"' in capsys.readouterr().out
    assert main(["call", "wait_for", *words, "--profile", "away", "--app", "ours"]) == 0


@pytest.mark.parametrize("given", [["--project", "it.yaml"], ["--project", "it.yaml", "--uri"]])
def test_the_project_may_be_named(project: Path, elsewhere: str, given: list[str]) -> None:
    Path("tapir-replay.yaml").rename("it.yaml")
    assert main(["call", "get_routes", *given, *([elsewhere] if "--uri" in given else [])]) == 0


@pytest.mark.parametrize("source", ["env", "file", "vars"])
def test_no_secret_is_printed(
    project: Path,
    source: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Neither of an answer nor of a complaint, wherever its value comes from."""
    if source == "env":
        monkeypatch.setenv("TOKEN", "hunter-zwölf")
    elif source == "file":
        write("a.env", "TOKEN=hunter-zwölf\n")
    else:
        write("tapir-replay.yaml", PROJECT + "vars: {TOKEN: hunter-zwölf}\n")
    for values, code in (
        (["fill", "target=Email", "text=hunter-zwölf"], 0),
        (["tap", "target=hunter-zwölf", "--timeout", "0"], 1),
        (["tap", "hunter-zwölf=1"], 2),
    ):
        assert main(["call", *values]) == code
        told = "".join(capsys.readouterr())
        assert "***" in told
        assert "hunter" not in told


@pytest.mark.parametrize(
    ("text", "options", "says"),
    [
        ("apps: [demo]\n", [], "apps: expected a map, found a list"),
        (PROJECT, ["--profile", "patiend"], 'did you mean "patient"?'),
        (PROJECT, ["--project", "nowhere.yaml"], "there is no such file"),
    ],
)
def test_a_wrong_project(
    project: Path,
    text: str,
    options: list[str],
    says: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    write("tapir-replay.yaml", text)
    assert main(["call", "get_routes", *options]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert says in err


def test_wrong_names_of_apps(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["call", "get_routes", "--app", "theris"]) == 3
    assert 'did you mean "theirs"?' in capsys.readouterr().err
    assert main(["call", "get_routes", "--app", "theirs"]) == 2
    assert "APP_ADDRESS" in capsys.readouterr().err


def test_how_long_targets_are_looked_for(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The command line over the profile, over five seconds."""
    asked: list[float] = []

    async def act(_self: object, _verb: object, _args: object, timeout: float) -> None:
        asked.append(timeout)
        raise ValueError("that is enough")

    monkeypatch.setattr("tapir_replay.cli.calling.Actor.act", act)
    for options in ([], ["--profile", "patient"], ["--profile", "patient", "--timeout", "1"]):
        assert main(["call", "get_routes", *options]) == 2
    assert asked == [5.0, 7.0, 1.0]


def test_without_a_project(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["call", "get_routes", "--app", "demo"]) == 0
    assert main(["call", "get_routes"]) == 3
    assert main(["call", "get_routes", "--profile", "ci"]) == 2
    assert "there is no project file (tapir-replay.yaml) upwards from here" in (
        capsys.readouterr().err
    )
