"""The history: a file that is always whole, and never in the way."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tapir_replay.project.history import History, Past, read_history, write_history
from tests.report.strategies import json_values

pasts = st.builds(
    Past,
    st.none() | st.floats(0, 1e9),
    st.sampled_from(["passed", "failed", "error", "flaky", "\ud800"]),
)


@given(st.dictionaries(st.text(st.characters(), max_size=8), pasts, max_size=5))
def test_what_is_written_is_read(
    tmp_path_factory: pytest.TempPathFactory, known: dict[str, Past]
) -> None:
    path = tmp_path_factory.mktemp("history") / "new" / ".history.json"
    write_history(path, History(known))
    assert read_history(path).scenarios == known
    assert [each.name for each in path.parent.iterdir()] == [path.name]


@given(json_values | st.fixed_dictionaries({"version": st.just(1), "scenarios": json_values}))
def test_anything_else_is_no_history(
    tmp_path_factory: pytest.TempPathFactory, data: object
) -> None:
    path = tmp_path_factory.mktemp("history") / "h.json"
    path.write_text(json.dumps(data))
    read_history(path)


@pytest.mark.parametrize("data", [b"", b"{", b"\xff", b"[" * 100_000, b'{"version": 2}'])
def test_a_broken_file_counts_as_none(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "h.json").write_bytes(data)
    assert read_history(tmp_path / "h.json") == History()
    assert read_history(tmp_path) == History()


def test_odd_entries_are_passed_over(tmp_path: Path) -> None:
    entries = {
        "good": {"duration": 5, "outcome": "passed"},
        "negative": {"duration": -5, "outcome": "passed"},
        "text": {"duration": "5", "outcome": "passed"},
        "huge": {"duration": 10**400, "outcome": "passed"},
        "none": None,
        "shard": {"duration": None, "outcome": "failed"},
    }
    (tmp_path / "h.json").write_text(json.dumps({"version": 1, "scenarios": entries}))
    assert read_history(tmp_path / "h.json").scenarios == {
        "good": Past(5.0, "passed"),
        "shard": Past(None, "failed"),
    }


def test_durations_follow_slowly_and_failures_do_not_count() -> None:
    """A scenario that fails at once is not short."""
    history = History({"a": Past(100, "passed")})
    assert history.with_played([("a", Past(200, "passed"))]).duration("a") == 150
    failed = history.with_played([("a", Past(5000, "failed")), ("b", Past(7, "error"))])
    assert (failed.duration("a"), failed.duration("b")) == (100, 7)
    assert failed.failed("a")
    assert failed.failed("b")
    assert not failed.failed("c")
    shard = history.with_played([("a", Past(None, "failed")), ("b", Past(None, "passed"))])
    assert (shard.duration("a"), shard.duration("b")) == (100, None)
    assert shard.failed("a")
