"""What is said of wrong options: the whole text is `golden/options.txt`, to be read by people.

After a change that is meant: `TAPIR_REPLAY_WRITE_GOLDEN=1 pytest tests/cli/test_options.py`, and
look at the difference.
"""

from __future__ import annotations

import os
import shlex
from pathlib import Path

import pytest

from tapir_replay.cli.main import main

GOLDEN = Path(__file__).parent / "golden" / "options.txt"

PROJECT = """\
apps: {demo: demo, staging: "http://127.0.0.1:1/a=/"}
default_app: demo
scenarios: ["flows/**/*.yaml", "!flows/drafts/**"]
profiles: {ci: {retries: 1}, nightly: {retries: 3}}
"""

FILES = {
    "flows/login.yaml": "name: Sign in\ntags: [smoke, auth]\nsteps: [dismiss_modals]\n",
    "flows/order.yaml": "name: Order\ntags: [slow]\nsteps: [dismiss_modals]\n",
    "flows/drafts/later.yaml": "name: Later\nsteps: [dismiss_modals]\n",
    "parts/sign-in.yaml": "kind: fragment\nsteps: [dismiss_modals]\n",
    "apps.yaml": "name: Elsewhere\napp: stagign # not there\nsteps: [dismiss_modals]\n",
    "other/tapir-replay.yaml": "",
    "other/a.yaml": "steps: [dismiss_modals]\n",
    "empty/readme.txt": "",
}

WRONG = [
    "--tags ''",
    "--tags 'smoke and'",
    "--tags 'smoke and or slow'",
    "--tags 'and smoke'",
    "--tags 'smoke slow'",
    "--tags 'smoke AND slow'",
    "--tags 'smoke nad slow'",
    "--tags '(smoke or slow'",
    "--tags 'smoke (slow)'",
    "--tags '(smoke (slow))'",
    "--tags 'smoke or slow)'",
    "--tags 'smoke && slow'",
    "--tags '!slow'",
    "--tags smoke,slow",
    "--tags 'smoke and ()'",
    "--tags '@smoke'",
    "--tags smok",
    "--tags 'smoke and slow'",
    "--tags 'not (smoke or slow)'",
    "--tags smoke --tags slow",
    "--grep ''",
    "--grep 'Sign (in'",
    "--grep '*'",
    "--grep 'Sing in'",
    "--tags slow --grep 'Sign'",
    "--last-failed",
    "--shard 3/2",
    "--shard 0/2",
    "--shard 2/1",
    "--shard 1/0",
    "--shard 1",
    "--shard one/two",
    "--retries -1",
    "--retries many",
    "--retries 1000",
    "--repeat 0",
    "--repeat 1.5",
    "--timeout 10",
    "--timeout soon",
    "--profile cii",
    "--profile ''",
    "--project nowhere.yaml",
    "flows/x*.yaml",
    "flows/[a.yaml",
    "'flows/a**.yaml'",
    "'!flows/drafts/**'",
    "flows '!flows/**'",
    "flows '!'",
    "nowhere.yaml",
    "empty",
    "parts/sign-in.yaml",
    "parts",
    "apps.yaml",
    "flows other",
    "--var 1x=2",
    "--env-file nowhere.env",
]
"""Arguments of `tapir-replay run --dry-run`."""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "tapir-replay.yaml").write_text(PROJECT, encoding="utf-8")
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_every_wrong_use_has_its_message(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """One sentence with a caret where that helps; nothing on standard output; exit code 2."""
    told = []
    for line in WRONG:
        code = main(["run", "--dry-run", *shlex.split(line)])
        out, err = capsys.readouterr()
        told.append(f"$ tapir-replay {line}\n{err}\n")
        assert (code, err != "") == (2, True), line
        assert out == "" or "(the file is wrong)" in out, line
    text = "".join(told)
    if os.environ.get("TAPIR_REPLAY_WRITE_GOLDEN"):
        GOLDEN.write_text(text, encoding="utf-8")
    assert text == GOLDEN.read_text(encoding="utf-8")


def test_playing_says_the_same(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Nothing is played, and no folder of results is made."""
    main(["run", "--dry-run", "--tags", "smok"])
    planned = capsys.readouterr().err
    assert main(["run", "--tags", "smok"]) == 2
    assert capsys.readouterr().err == planned
    assert not (folder / "tapir-results").exists()


def test_without_a_project(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Scenarios have to be named, and there are no profiles."""
    monkeypatch.chdir(tmp_path)
    for arguments, says in (
        (["--list"], "which scenarios? name files or folders; there is no project file"),
        (["--profile", "ci"], "--profile ci: there is no project file (tapir-replay.yaml) upwards"),
    ):
        assert main(["run", *arguments]) == 2
        assert says in capsys.readouterr().err


def test_an_unknown_tag_that_changes_nothing_is_a_warning(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """`not slwo` fits all: that is worth a word, but no reason to stop."""
    assert main(["run", "--list", "--tags", "not slwo"]) == 0
    out, err = capsys.readouterr()
    assert out.startswith("Sign in  flows/login.yaml:1  [smoke, auth]\nOrder  ")
    assert err == (
        '--tags: warning: no scenario has the tag "slwo"\n'
        "    | not slwo\n"
        "    |     ^^^^\n"
        '    = hint: did you mean "slow"?\n\n'
    )
