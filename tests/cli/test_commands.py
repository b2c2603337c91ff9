"""The commands that need no running app, or only the demo."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tapir_replay.cli.main import main

GOOD = "name: good\nsteps:\n  - tap: Sign in\n"
WRONG = "name: wrong\nsteps:\n  - tapp: Sign in\n  - wait: 1s\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


ARGUMENT = st.one_of(
    st.sampled_from(
        ["run", "validate", "report", "schema", "--vars", "--shard", "a.yaml", "--tags"]
    ),
    st.text(max_size=12),
)


@given(arguments=st.lists(ARGUMENT, max_size=4), held=st.binary(max_size=40))
@settings(
    max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_nothing_that_is_typed_ends_in_a_traceback(
    folder: Path, arguments: list[str], held: bytes
) -> None:
    """Any command line, on a file of any bytes: an exit code of the list, and no exception."""
    (folder / "a.yaml").write_bytes(held)
    (folder / "tapir-replay.yaml").write_bytes(held)
    try:
        code = main(["validate", *arguments])
    except SystemExit as ended:  # argparse, after it has said why
        code = int(ended.code or 0)
    assert code in {0, 1, 2, 3}


def test_no_arguments_shows_the_help(capsys: pytest.CaptureFixture[str]) -> None:
    """A newcomer who types the name alone sees what there is."""
    assert main([]) == 2
    assert "examples:" in capsys.readouterr().out


def test_validate_tells_of_all_files(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Every problem of every file is told, with place, line, caret and hint."""
    (folder / "a.yaml").write_text(WRONG, encoding="utf-8")
    (folder / "b.yaml").write_text(GOOD, encoding="utf-8")
    assert main(["validate", "."]) == 2
    out, err = capsys.readouterr()
    assert out == "2 files: 1 error, 1 warning\n"
    assert err.startswith(
        'a.yaml:3:5: error: there is no verb or modifier "tapp"\n'
        "  3 |   - tapp: Sign in\n"
        "    |     ^^^^\n"
        '    = hint: did you mean "tap"?\n'
    )
    assert "warning: a plain pause" in err


def test_validate_counts_warnings_when_strict(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """`--strict` is for CI: a warning is an error there."""
    (folder / "a.yaml").write_text("steps:\n  - wait: 1s\n", encoding="utf-8")
    assert main(["validate", "a.yaml"]) == 0
    assert main(["validate", "a.yaml", "--strict"]) == 2


@pytest.mark.parametrize("command", [["validate"], ["run"]])
@pytest.mark.parametrize(
    ("path", "says"),
    [("missing.yaml", "there is no such file or folder"), (".", "no scenario in this folder")],
)
def test_paths_that_hold_nothing(
    command: list[str],
    path: str,
    says: str,
    folder: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """A path with nothing to play is a mistake, never a success."""
    assert main([*command, path]) == 2
    assert says in capsys.readouterr().err


def test_names_of_the_command_line_count_as_defined(folder: Path) -> None:
    """A variable that will be given with --var is no undefined name."""
    (folder / "a.yaml").write_text('steps:\n  - tap: "{{ button }}"\n', encoding="utf-8")
    assert main(["validate", "a.yaml"]) == 2
    assert main(["validate", "a.yaml", "--var", "button"]) == 0


def test_call_prints_the_answer(capsys: pytest.CaptureFixture[str]) -> None:
    """`call` looks a target up as a step does, and prints what the app says."""
    assert main(["call", "tap", "target=Sign in", "--app", "demo"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["effect"]["kind"] == "treeChanged"


@pytest.mark.parametrize(
    ("arguments", "code", "says"),
    [
        (["tapp"], 2, 'did you mean "tap"?'),
        (["expect"], 2, "not something an app answers"),
        (["tap", "targett=x"], 2, 'did you mean "target"?'),
        (["fill", "target=Email"], 2, "fill needs text"),
        (["tap", "target={keyy: x}"], 2, 'has no "keyy"'),
        (["tap", "target=Nowhere", "--timeout", "0"], 1, 'nothing on screen matches "Nowhere"'),
        (["wait_for", "text=Nowhere", "timeoutMs=0"], 1, "it did not come to that in time"),
        (["fill", "target=Sign in", "text=x"], 1, "not a text field"),
    ],
)
def test_call_explains_what_went_wrong(
    arguments: list[str], code: int, says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """A wrong call says what is wrong; a call that the app refuses is a failure."""
    assert main(["call", *arguments, "--app", "demo"]) == code
    assert says in capsys.readouterr().err


def test_an_app_must_be_named(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A scenario without an app, played without one, says how to name it."""
    (folder / "a.yaml").write_text(GOOD, encoding="utf-8")
    assert main(["a.yaml", "--output", "out"]) == 3
    assert "give --uri" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("option", "says"),
    [
        (["--var", "1x=2"], "expected NAME=VALUE"),
        (["--env-file", "nowhere.env"], "cannot be read"),
        (["--output", "a.yaml"], "this is a file"),
    ],
)
def test_wrong_options(
    option: list[str], says: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A wrong option is told in a sentence."""
    (folder / "a.yaml").write_text(GOOD, encoding="utf-8")
    assert main(["a.yaml", "--app", "demo", *option]) == 2
    assert says in capsys.readouterr().err


def test_report_needs_a_log(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`report` of something else says what it looked for."""
    assert main(["report", "nowhere"]) == 2
    assert "there is no log of a run" in capsys.readouterr().err


def test_report_can_be_made_again(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The report of a log is the one the run has left."""
    (folder / "a.yaml").write_text(GOOD, encoding="utf-8")
    assert main(["a.yaml", "--app", "demo", "--output", "out"]) == 0
    assert main(["report", "out", "--junit", "again/junit.xml"]) == 0
    first = (folder / "out/junit.xml").read_text(encoding="utf-8")
    assert (folder / "again/junit.xml").read_text(encoding="utf-8") == first
    assert "1 passed" in capsys.readouterr().out


def test_env_files(folder: Path) -> None:
    """A secret may come from a file; comments, quotes and `export` are understood."""
    (folder / "a.env").write_text("# mine\nexport PASSWORD='s3cret word'\n", encoding="utf-8")
    (folder / "a.yaml").write_text(
        "secrets: [PASSWORD]\nsteps:\n"
        "  - fill: {target: Email, text: '{{ PASSWORD }}'}\n"
        "    expect: {effect.value: s3cret word}\n",
        encoding="utf-8",
    )
    arguments = ["a.yaml", "--app", "demo", "--output", "out", "--env-file", "a.env"]
    assert main(arguments) == 0
    for file in (folder / "out").rglob("*"):
        assert file.is_dir() or b"s3cret" not in file.read_bytes()
