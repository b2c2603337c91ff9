"""Where the output goes: folders and names, narrow terminals, texts no encoding is ready for."""

from __future__ import annotations

import os
import subprocess
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import lxml.etree
import pytest

from tests.e2e.conftest import Play
from tests.e2e.tool import ROOT, SCENARIOS

SHORT = "app: demo\nsteps: [{screenshot: a.png}, {snap: a.txt}, {screenshot: a.png}]\n"


def command(
    *arguments: str, cwd: Path, env: dict[str, str] | None = None, shell: str = ""
) -> subprocess.CompletedProcess[bytes]:
    whole = [sys.executable, "-m", "tapir_replay", *arguments]
    if shell:
        whole = ["sh", "-c", shell, "sh", *whole]
    return subprocess.run(
        whole,
        cwd=cwd,
        env={**os.environ, "PYTHONPATH": str(ROOT), **(env or {})},
        capture_output=True,
        timeout=30,
        check=False,
    )


# Folders and names


def test_two_scenarios_of_one_name(play: Play) -> None:
    named = "name: The same\n" + SHORT
    ran = play(named, named)
    assert ran.code == 0
    assert ran.artifacts == [
        f"{folder}/{file}"
        for folder in ("the-same-2", "the-same")
        for file in ("a-2.png", "a.png", "a.txt")
    ]
    told = [each["path"] for each in ran.events("artifact")]
    assert sorted(told) == [f"artifacts/{each}" for each in ran.artifacts]
    assert all((ran.folder / each).is_file() for each in told)


def test_the_folder_is_used_again_without_what_was_in_it(play: Play) -> None:
    first = play("name: First\n" + SHORT)
    assert first.artifacts[0].startswith("first/")
    keep = first.folder / "notes.txt"
    keep.write_text("mine")
    second = play("name: Second\n" + SHORT)
    assert {each.partition("/")[0] for each in second.artifacts} == {"second"}
    assert len(second.events("run_started")) == 1
    assert keep.exists()


def test_a_folder_of_somebody_else_is_left_alone(play: Play, tmp_path: Path) -> None:
    mine = tmp_path / "out" / "artifacts" / "mine.txt"
    mine.parent.mkdir(parents=True)
    mine.write_text("mine")
    ran = play(SHORT)
    assert ran.code == 2
    assert "not from an earlier run" in ran.err
    assert mine.read_text() == "mine"


def test_a_file_in_the_way(play: Play, tmp_path: Path) -> None:
    (tmp_path / "out").write_text("mine")
    ran = play(SHORT)
    assert ran.code == 2
    assert "this is a file" in ran.err


def test_every_run_has_a_folder_of_its_own(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text("app: demo\nsteps: [reset_overlays]\n")
    for _ in range(2):
        assert command("a.yaml", cwd=tmp_path).returncode == 0
    assert len(list((tmp_path / "tapir-results").glob("*/run.jsonl"))) == 2


@pytest.mark.parametrize(
    "name", ["../a.png", "/tmp/a.png", "a/../../b.png", "C:/a.png", "a\\b.png"]
)
@pytest.mark.parametrize("verb", ["screenshot", "snap"])
def test_a_file_stays_in_its_folder(play: Play, tmp_path: Path, verb: str, name: str) -> None:
    ran = play(f"app: demo\nsteps: [{{{verb}: '{name}'}}]\n")
    assert ran.code == 2
    assert "a relative file name" in ran.err
    assert {each.name for each in tmp_path.iterdir()} == {"test.yaml", "out"}


@pytest.mark.parametrize("name", ["../a.png", "/tmp/tapir-e2e-x.png", "a/../../../../b.png"])
def test_a_file_stays_in_its_folder_also_where_its_name_is_made(
    play: Play, tmp_path: Path, name: str
) -> None:
    text = f"app: demo\nvars: {{name: '{name}'}}\nsteps: [{{screenshot: '{{{{ name }}}}'}}]\n"
    ran = play(text)
    outside = [
        each
        for each in tmp_path.rglob("*.png")
        if not each.resolve().is_relative_to((tmp_path / "out" / "artifacts").resolve())
    ]
    assert outside == []
    assert not Path("/tmp/tapir-e2e-x.png").exists()
    assert ran.code == 2
    assert ran.fault["message"] == f'"{name}" would leave the folder of the scenario'


def test_a_file_in_a_folder_below(play: Play) -> None:
    ran = play("name: Below\napp: demo\nsteps: [{screenshot: one/two.png}]\n")
    assert ran.artifacts == ["below/one/two.png"]


HOSTILE = [
    "🎉 sign-in 👩‍💻",
    "תרחיש עם עברית",
    "\"quotes\" and 'more'",
    '<b>&amp; "bold"</b> ]]>',
    "..",
    "con",
    "a/b\\c:d*e?",
    "%s {0} {{ 1 + 1 }}",
    "-",
    "x" * 300,
]


@pytest.mark.parametrize("title", HOSTILE)
def test_a_title_of_any_kind(play: Play, title: str) -> None:
    quoted = "'" + title.replace("'", "''") + "'"
    text = f"name: {quoted}\napp: demo\nsteps:\n  - screenshot: a.png\n    name: {quoted}\n"
    ran = play(text + "  - find: Nothing\n")
    assert ran.code == 1
    (case,) = ran.junit.iter("testcase")
    assert case.get("name") == title
    lxml.etree.parse(ran.folder / "junit.xml")
    (picture,) = [each for each in ran.artifacts if each.endswith("/a.png")]
    assert len(picture.split("/")) == 2
    assert len(picture) < 100


@pytest.mark.parametrize("name", ["🎉.yaml", "עברית.yaml", 'it\'s "it" & <b>.yaml', "a b.yml"])
def test_a_file_name_of_any_kind(play: Play, name: str) -> None:
    Path(name).write_text("app: demo\nsteps: [{find: Nothing}]\n", encoding="utf-8")
    ran = play(Path(name))
    assert ran.code == 1
    assert f"{name}:2" in ran.out
    (case,) = ran.junit.iter("testcase")
    assert case.get("file") == name


# What a terminal, or none, makes of it


def test_not_a_terminal(tmp_path: Path) -> None:
    done = command(str(SCENARIOS / "login.yaml"), cwd=tmp_path)
    assert done.returncode == 0
    assert b"\x1b" not in done.stdout
    assert "\n1 passed in " in done.stdout.decode()


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "cp1252"])
def test_a_narrow_encoding(tmp_path: Path, encoding: str) -> None:
    (tmp_path / "odd.yaml").write_text(
        "name: 日本語 🎉\napp: demo\ntimeout: 100ms\nsteps:\n"
        "  - navigate: /errors\n  - tap: Odd text\n"
        "  - expect: {text: {of: {key: odd}, is: ✓}}\n",
        encoding="utf-8",
    )
    done = command("odd.yaml", cwd=tmp_path, env={"PYTHONIOENCODING": encoding})
    assert done.returncode == 1, done.stderr.decode(errors="replace")
    assert done.stderr == b""
    text = done.stdout.decode(encoding)
    assert "odd.yaml:7" in text
    assert "1 failed" in text


def test_a_reader_that_leaves(tmp_path: Path) -> None:
    """`| head -1` ends without a word from us, and the reports are written all the same."""
    done = command(
        str(SCENARIOS / "wrong-password.yaml"), "--output", "out",
        cwd=tmp_path,
        shell='{ "$@"; echo "$?" > code; } | head -1',
    )  # fmt: skip
    assert done.stderr == b""
    assert (tmp_path / "code").read_text().strip() == "0"
    assert (tmp_path / "out" / "junit.xml").exists()
    log = (tmp_path / "out" / "run.jsonl").read_text().splitlines()
    assert '"run_finished"' in log[-1]


def test_quiet_tells_only_what_did_not_pass(play: Play) -> None:
    ran = play(
        "name: Good\n" + SHORT, "name: Bad\napp: demo\nsteps: [{find: X}]\n", options=("-q",)
    )
    assert "Bad" in ran.out
    assert "Good" not in ran.out


# Texts of the app


def test_odd_text_goes_through_failure_messages(play: Play) -> None:
    ran = play(
        "name: Odd\napp: demo\ntimeout: 100ms\nsteps:\n"
        "  - navigate: /errors\n  - tap: Odd text\n"
        "  - snap: odd.txt\n    save: {odd: snapshot}\n"
        "  - expect: {text: {of: {key: odd}, is: plain}}\n    soft: true\n"
        '  - find: "{{ odd }}"\n    name: Look for {{ odd }}\n'
    )
    assert ran.code == 1
    data = (ran.folder / "junit.xml").read_bytes()
    ET.fromstring(data)
    root = lxml.etree.fromstring(data)
    said = "".join(root.itertext())
    for part in ("👩‍💻🎉", "日本語", "العربية", '<b>&"quotes"</b>'):
        assert part in said
    for each in "\x00\x1b\uffff\ud83d":
        assert each not in said
    assert ran.log  # every line of it is JSON
    assert "日本語" in ran.artifact("odd.txt").read_text(encoding="utf-8")


def test_a_full_disk_behind_the_output(tmp_path: Path) -> None:
    done = command(
        str(SCENARIOS / "login.yaml"), "--output", "out", cwd=tmp_path, shell='"$@" > /dev/full'
    )
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "out" / "junit.xml").exists()
