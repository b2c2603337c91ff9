"""Globs: which paths they fit, and which files they find."""

from __future__ import annotations

import contextlib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tapir_replay.project.globs import GlobError, Globs


@pytest.mark.parametrize(
    ("patterns", "path", "fits"),
    [
        (["*.yaml"], "a.yaml", True),
        (["*.yaml"], "b/a.yaml", False),
        (["**/*.yaml"], "a.yaml", True),
        (["**/*.yaml"], "b/c/a.yaml", True),
        (["b/**"], "b/c/a.yaml", True),
        (["b/**"], "bc/a.yaml", False),
        (["b/**/a.yaml"], "b/a.yaml", True),
        (["b/**/a.yaml"], "b/c/d/a.yaml", True),
        (["b/"], "b/c/a.yaml", True),
        (["./a.yaml"], "a.yaml", True),
        (["?.yaml"], "ab.yaml", False),
        (["[ab].yaml"], "b.yaml", True),
        (["[!ab].yaml"], "b.yaml", False),
        (["[!a]b.yaml"], "/b.yaml", False),
        (["[]].yaml"], "].yaml", True),
        (["{login,sign-in}*.yaml"], "sign-in-2.yaml", True),
        (["{login,sign-in}*.yaml"], "out.yaml", False),
        (["a+b (1).yaml"], "a+b (1).yaml", True),
        (["**", "!b/**"], "b/a.yaml", False),
        (["**", "!b/**", "b/a.yaml"], "b/a.yaml", True),
        (["../flows/*.yaml"], "../flows/a.yaml", True),
        ([], "a.yaml", False),
    ],
)
def test_fits(patterns: list[str], path: str, fits: bool) -> None:
    assert Globs(patterns).matches(path) is fits


@given(st.lists(st.text(alphabet="ab*?[]{},!/.-^\\", max_size=8), max_size=3), st.text(max_size=8))
def test_nothing_but_its_own_error_is_raised(patterns: list[str], path: str) -> None:
    with contextlib.suppress(GlobError):
        Globs(patterns).matches(path)


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    for each in (
        "tapir-replay.yaml",
        "a.yaml",
        "flows/b.yml",
        "flows/deep/c.yaml",
        "flows/deep/home.snap.yaml",
        "flows/notes.txt",
        "flows/.hidden/d.yaml",
        "tapir-results/1/artifacts/e.yaml",
        "mine/1/f.yaml",
        "node_modules/g.yaml",
    ):
        (tmp_path / each).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / each).touch()
    return tmp_path


def found(tree: Path, *patterns: str) -> list[str]:
    globs = Globs(patterns)
    files = globs.files(tree, skipped=[tree / "mine"])
    return [each.relative_to(tree).as_posix() for each in files]


def test_finds_scenarios_only(tree: Path) -> None:
    """No snapshots, no hidden folders, no results, not the project file."""
    assert found(tree, "**") == ["a.yaml", "flows/b.yml", "flows/deep/c.yaml"]


def test_takes_out(tree: Path) -> None:
    assert found(tree, "**", "!flows/**/deep/**") == ["a.yaml", "flows/b.yml"]


def test_above(tree: Path) -> None:
    globs = Globs(["../a.yaml", "../flows/*"])
    files = globs.files(tree / "flows")
    assert [each.resolve().relative_to(tree).as_posix() for each in files] == [
        "a.yaml",
        "flows/b.yml",
    ]


def test_idle_ones_are_named(tree: Path) -> None:
    globs = Globs(["**", "nothing/*", "!never/*"])
    assert globs.idle(tree, globs.files(tree)) == ["nothing/*"]
