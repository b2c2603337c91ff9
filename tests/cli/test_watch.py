"""`--watch` plays again after a change, and only then."""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from tapir_replay.cli.watching import Watcher, watch, watched


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "scenarios/flows").mkdir(parents=True)
    (tmp_path / "lib/src").mkdir(parents=True)
    for name in ("scenarios/a.yaml", "scenarios/flows/b.yaml", "lib/src/main.dart"):
        (tmp_path / name).write_text("one", encoding="utf-8")
    return tmp_path


def later(path: Path, text: str) -> None:
    """Write a file so that its time differs, however coarse the clock of the file system is."""
    path.write_text(text, encoding="utf-8")
    stamp = path.stat().st_mtime_ns + 1_000_000_000
    os.utime(path, ns=(stamp, stamp))


def test_a_watcher_sees_every_kind_of_change(folder: Path) -> None:
    """Written, new and removed files are changes; silence is none."""
    watcher = Watcher(lambda: folder.rglob("*.yaml"))
    assert watcher.changed() == set()
    later(folder / "scenarios/a.yaml", "two")
    (folder / "scenarios/new.yaml").write_text("x", encoding="utf-8")
    (folder / "scenarios/flows/b.yaml").unlink()
    names = {path.name for path in watcher.changed()}
    assert names == {"a.yaml", "new.yaml", "b.yaml"}
    assert watcher.changed() == set()


def test_what_is_watched(folder: Path) -> None:
    """Scenarios, what lies beside them, and the app's code; no results, nothing hidden."""
    (folder / "scenarios/users.csv").write_text("x", encoding="utf-8")
    (folder / "scenarios/.hidden.yaml").write_text("x", encoding="utf-8")
    (folder / "scenarios/tapir-results").mkdir()
    (folder / "scenarios/tapir-results/x.json").write_text("x", encoding="utf-8")
    names = {path.as_posix() for path in watched(["scenarios"])}
    assert names == {
        "scenarios/a.yaml",
        "scenarios/flows/b.yaml",
        "scenarios/users.csv",
        "lib/src/main.dart",
    }


def script(*events: Callable[[], None]) -> Callable[[], None]:
    """A pause in which something happens each time; at last, Ctrl-C."""
    todo = list(events)

    def pause() -> None:
        if not todo:
            raise KeyboardInterrupt
        todo.pop(0)()

    return pause


def test_it_plays_after_a_change_only(folder: Path) -> None:
    """Once at the start, once for each change; the last code is the command's."""
    codes = iter((1, 0))
    played = []

    def play(options: argparse.Namespace) -> int:
        played.append(options)
        return next(codes)

    options = argparse.Namespace(paths=["scenarios"], uri=None)
    pause = script(lambda: None, lambda: later(folder / "scenarios/a.yaml", "two"), lambda: None)
    assert watch(options, play, pause=pause) == 0
    assert len(played) == 2


@pytest.mark.parametrize("named", ["on the command line", "by the project"])
def test_code_that_cannot_be_reloaded_is_told(
    named: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """An app that is not there is no reason to stop watching."""
    played = []
    uri = "http://127.0.0.1:1/x=/"
    if named == "by the project":
        project = f"apps: {{mine: '{uri}'}}\ndefault_app: mine\n"
        (folder / "tapir-replay.yaml").write_text(project, encoding="utf-8")

    def play(options: argparse.Namespace) -> int:
        played.append(options)
        return 0

    options = argparse.Namespace(
        paths=["scenarios"],
        uri=uri if named == "on the command line" else None,
        project=None,
        profile=None,
        env_file=[],
        app=None,
        isolate=None,
        connect_timeout=1.0,
        cdp_port=None,
        allow_evaluate=False,
    )
    pause = script(lambda: later(folder / "lib/src/main.dart", "two"))
    assert watch(options, play, pause=pause) == 0
    assert len(played) == 1
    assert "the code could not be reloaded: Nothing answers" in capsys.readouterr().err
