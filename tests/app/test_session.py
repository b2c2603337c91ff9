"""State files of other tools: the session of a project, over any home and environment."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tapir_replay.app.errors import NoSession
from tapir_replay.app.launch.session import (
    find_session,
    home_of,
    project_root,
    read_session,
    session_name,
)

URI = "ws://127.0.0.1:8181/abc=/ws"

Write = Callable[..., Path]


@pytest.fixture
def project(tmp_path: Path) -> Path:
    root = tmp_path / "shop"
    (root / "lib").mkdir(parents=True)
    (root / "pubspec.yaml").write_text("name: shop\n")
    return root


@pytest.fixture
def env(tmp_path: Path) -> dict[str, str]:
    return {"HOME": str(tmp_path / "home")}


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Writes the state file of a project; without one, the pointer to the last session."""

    def state_file(root: Path | None, tool: str = ".dowel", **state: Any) -> Path:
        folder = tmp_path / "home" / tool
        if root is not None:
            folder = folder / "sessions" / session_name(root.resolve())
            state.setdefault("projectRoot", str(root))
        folder.mkdir(parents=True, exist_ok=True)
        file = folder / "state.json"
        file.write_text(json.dumps({"vmServiceUri": URI, "pid": 1, **state}))
        return file

    return state_file


@pytest.mark.parametrize("tool", [".dowel", ".artisan"])
def test_the_projects_own_session(
    tool: str, project: Path, env: dict[str, str], write: Write
) -> None:
    write(project, tool, cdpPort="9222", device="chrome", startedAt="2026-11-30T10:00:00")
    session = find_session(project / "lib", env)
    assert (session.uri, session.cdp_port, session.device) == (URI, 9222, "chrome")
    assert str(session) == f"{project} on chrome at 127.0.0.1:8181"


def test_its_folder_is_the_start_of_a_hash(project: Path) -> None:
    digest = hashlib.sha256(str(project.resolve()).encode()).hexdigest()
    assert session_name(project_root(project / "lib")) == digest[:12]


def test_a_project_is_found_upwards_and_through_links(tmp_path: Path, project: Path) -> None:
    link = tmp_path / "link"
    link.symlink_to(project)
    assert project_root(link / "lib") == project.resolve()
    assert project_root(tmp_path) == tmp_path.resolve()


def test_the_pointer_is_tried_second_and_only_for_its_own_project(
    tmp_path: Path, project: Path, env: dict[str, str], write: Write
) -> None:
    write(None, projectRoot=str(project))
    assert find_session(project / "lib", env).uri == URI
    nested = project / "packages" / "ui"
    nested.mkdir(parents=True)
    (nested / "pubspec.yaml").write_text("name: ui\n")
    assert find_session(nested, env).uri == URI
    with pytest.raises(NoSession) as caught:
        find_session(tmp_path, env)
    assert caught.value.message.splitlines() == [
        f"no session of {tmp_path} runs",
        "running are:",
        f"  {project} at 127.0.0.1:8181",
    ]
    assert "cwd" in caught.value.hint


def test_an_old_pointer_says_nothing_of_a_project(
    project: Path, env: dict[str, str], write: Write
) -> None:
    write(None, ".artisan")
    assert find_session(project, env).uri == URI


def test_the_projects_own_file_wins_over_the_pointer(
    project: Path, env: dict[str, str], write: Write
) -> None:
    write(project)
    write(None, vmServiceUri="ws://127.0.0.1:9/other=/ws")
    assert find_session(project, env).uri == URI


def test_a_copy_under_the_other_name_is_no_second_session(
    project: Path, env: dict[str, str], write: Write
) -> None:
    write(project)
    write(project, ".artisan")
    assert find_session(project, env).uri == URI


def test_two_sessions_of_a_project_are_listed_not_guessed(
    project: Path, env: dict[str, str], write: Write
) -> None:
    write(project, device="chrome")
    write(project, ".artisan", vmServiceUri="ws://127.0.0.1:9/other=/ws", device="linux")
    with pytest.raises(NoSession) as caught:
        find_session(project, env)
    assert caught.value.message.splitlines() == [
        f"2 sessions of {project} run:",
        f"  {project} on chrome at 127.0.0.1:8181",
        f"  {project} on linux at 127.0.0.1:9",
    ]
    assert "DOWEL_STATE_FILE" in caught.value.hint


def test_a_session_whose_process_ended_does_not_count(
    project: Path, env: dict[str, str], write: Write
) -> None:
    write(project, pid=41)
    with pytest.raises(NoSession, match="no session of"):
        find_session(project, env, lambda pid: pid != 41)
    write(project, ".artisan", pid=42)
    assert find_session(project, env, lambda pid: pid != 41).pid == 42


@pytest.mark.parametrize("variable", ["DOWEL_STATE_FILE", "ARTISAN_STATE_FILE"])
def test_a_state_file_that_is_named_is_meant(
    variable: str, tmp_path: Path, project: Path, env: dict[str, str], write: Write
) -> None:
    other = tmp_path / "other"
    other.mkdir()
    file = write(other, vmServiceUri="http://127.0.0.1:9/other=/")
    write(project)
    assert find_session(project, {**env, variable: str(file)}).uri == "ws://127.0.0.1:9/other=/ws"
    with pytest.raises(NoSession, match=f"{variable} names .*, which holds no session"):
        find_session(project, {**env, variable: str(tmp_path / "none")})
    with pytest.raises(NoSession, match="has ended"):
        find_session(project, {**env, variable: str(file)}, lambda _: False)


def test_nothing_runs(project: Path, env: dict[str, str]) -> None:
    with pytest.raises(NoSession) as caught:
        find_session(project, env)
    assert caught.value.message == f"no session of {project} runs"
    assert "--uri" in caught.value.hint


def test_a_session_that_is_starting(project: Path, env: dict[str, str], write: Write) -> None:
    write(project, vmServiceUri=None, booting=True)
    session = find_session(project, env)
    assert session.uri is None
    assert str(session).endswith("(starting)")


def test_a_missing_address_is_recovered_from_the_log(
    project: Path, env: dict[str, str], write: Write
) -> None:
    file = write(project, vmServiceUri=None)
    (file.parent / "flutter-dev.log").write_text(
        "A Dart VM Service on Chrome is available at: http://127.0.0.1:1/old=\n"
        "Debug service listening on ws://127.0.0.1:2/new=/ws\n"
        "Reloaded 1 of 900 libraries in 12ms.\n"
    )
    assert find_session(project, env).uri == "ws://127.0.0.1:2/new=/ws"


@pytest.mark.parametrize("content", ["", "[]", "{", "7", '"x"', "\x00"])
def test_a_file_that_holds_no_session(content: str, tmp_path: Path) -> None:
    file = tmp_path / "state.json"
    file.write_text(content)
    assert read_session(file) is None
    assert read_session(tmp_path / "none.json") is None


def test_odd_values_are_no_values(tmp_path: Path) -> None:
    file = tmp_path / "state.json"
    file.write_text(
        json.dumps({"vmServiceUri": "nonsense", "cdpPort": "x", "pid": 1.5, "projectRoot": 7})
    )
    session = read_session(file)
    assert session is not None
    assert (session.uri, session.cdp_port, session.pid, session.root) == (None, None, None, None)


def test_home() -> None:
    assert home_of({"HOME": "/h", "USERPROFILE": "/u"}) == Path("/h")
    assert home_of({"USERPROFILE": "/u"}) == Path("/u")
    assert home_of({}) == Path("/tmp")
