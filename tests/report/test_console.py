"""What a person sees of a run; the whole texts are in `golden/`, see the README there."""

from __future__ import annotations

import io
import os
import tracemalloc
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tapir_replay.engine.events import Event, Outcome
from tapir_replay.report.clean import columns
from tapir_replay.report.console import Console
from tests.report import runs, strategies

GOLDEN = Path(__file__).parent / "golden"


class Tty(io.StringIO):
    """A terminal of 60 columns."""

    def isatty(self) -> bool:
        return True


def told(events: Iterable[Event], stream: io.StringIO | None = None, **options: Any) -> str:
    stream = stream or io.StringIO()
    reports = options.pop("reports", None)
    given = {"source": runs.SOURCES.get, "env": {}, "width": lambda: 60, **options}
    console = Console(stream, **given)
    for event in events:
        console.on_event(event)
    console.close(reports=reports)
    return stream.getvalue()


def golden(name: str, text: str) -> None:
    path = GOLDEN / f"{name}.txt"
    if os.environ.get("TAPIR_REPLAY_WRITE_GOLDEN"):
        path.write_bytes(text.encode())
    assert text == path.read_bytes().decode()


REPORTS = {"junit": "build/junit.xml", "log": ".tapir/last/run.jsonl"}


def test_a_run_in_a_ci_log() -> None:
    """Every step has its line, every fault its full text, and the summary names the failed."""
    golden("mixed", told(runs.mixed(), artifacts=".tapir/last/", reports=REPORTS))


def test_quiet() -> None:
    """Only what did not pass is told, and the summary."""
    golden("quiet", told(runs.mixed(), quiet=True, reports=REPORTS))


def test_played_again() -> None:
    """Rounds and attempts have names, and what is flaky is neither passed nor failed."""
    golden("again", told(runs.again()))
    golden("again-quiet", told(runs.again(), quiet=True))


def test_verbose() -> None:
    """Targets, effects, tries and times are told too."""
    golden("verbose", told(runs.mixed(), verbose=True))


def test_a_killed_run() -> None:
    """What was open and what was still to come is accounted for."""
    golden("killed", told(runs.killed()))


def test_hostile_texts() -> None:
    """No text of a scenario or an app commands the terminal."""
    golden("hostile", told(runs.hostile()))


def test_scenarios_at_the_same_time() -> None:
    """A line always stands below the name of its scenario."""
    golden("interleaved", told(runs.shards()))


def test_on_a_terminal() -> None:
    """The running step has a line that is rewritten and leaves no trace."""
    text = told(runs.mixed(), Tty(), reports=REPORTS)
    golden("terminal", text.replace("\r\x1b[2K", "<clear>").replace("\x1b", "<esc>"))
    kept = "\n".join(line.rpartition("\r\x1b[2K")[2] for line in text.split("\n"))
    plain = told(runs.mixed(), Tty(), reports=REPORTS, env={"TERM": "dumb"})
    for code in ("0", "1", "2", "31", "32", "33"):
        kept = kept.replace(f"\x1b[{code}m", "")
    assert kept == plain


@pytest.mark.parametrize(
    ("env", "tty", "expected"),
    [
        ({}, True, True),
        ({}, False, False),
        ({"NO_COLOR": "1"}, True, False),
        ({"NO_COLOR": ""}, True, True),
        ({"FORCE_COLOR": "1"}, False, True),
        ({"FORCE_COLOR": "0"}, False, False),
        ({"FORCE_COLOR": "1", "NO_COLOR": "1"}, True, False),
        ({"TERM": "dumb"}, True, False),
    ],
)
def test_whether_to_colour(env: dict[str, str], tty: bool, expected: bool) -> None:
    """The environment is asked as the conventions have it."""
    text = told(runs.mixed(), Tty() if tty else io.StringIO(), env=env)
    assert ("\x1b[3" in text) is expected


def test_no_live_line_without_a_terminal() -> None:
    """A forced colour in a CI log does not bring the rewritten line with it."""
    assert "\r" not in told(runs.mixed(), env={"FORCE_COLOR": "1"})


@pytest.mark.parametrize("encoding", ["ascii", "cp1252", "utf-8", "utf-16", "shift-jis"])
def test_any_encoding(encoding: str) -> None:
    """What a stream cannot say is written as an escape, never raised."""
    raw = io.BytesIO()
    stream = io.TextIOWrapper(raw, encoding=encoding, errors="strict", newline="\n")
    console = Console(stream, env={}, color=False)
    for event in [*runs.hostile(), *runs.mixed()]:
        console.on_event(event)
    console.close(reports={"漢字": "\ud800"})
    text = raw.getvalue().decode(encoding)
    assert ("FAIL  expect" in text) is (encoding not in ("utf-8", "utf-16"))
    assert r"\ud800" in text


@settings(deadline=None)
@given(st.lists(strategies.events, max_size=8), st.booleans(), st.booleans())
def test_any_events(events: list[Event], quiet: bool, verbose: bool) -> None:
    """Whatever the log holds, in whatever order, is told without raising."""
    raw = io.BytesIO()
    stream = io.TextIOWrapper(raw, encoding="ascii", errors="strict", newline="\n")
    console = Console(stream, env={}, quiet=quiet, verbose=verbose, source=lambda _: "a\tb\n\x1b")
    for event in events:
        console.on_event(event)
    console.close()
    assert not set(raw.getvalue()) & set(range(32)) - {10}


@settings(deadline=None)
@given(strategies.runs())
def test_any_run_on_a_terminal(events: list[Event]) -> None:
    """The live line is never wider than the terminal, nor can a text end it."""
    text = told(events, Tty(), color=False, width=lambda: 30)
    for line in text.split("\n"):
        for live in line.split("\r\x1b[2K")[:-1]:
            assert columns(live) < 30
    assert not [c for c in text.replace("\r\x1b[2K", "") if c < " " and c != "\n"]


def test_the_live_line_is_cut_to_the_terminal() -> None:
    """A line that wraps could not be rewritten; wide characters count twice."""
    script = runs.Script()
    script.scenario(runs.BUY, steps=1)
    script.begin("cart", "steps.1", "tap 漢字漢字漢字漢字漢字", runs.at("cart.yaml", 3))
    text = told(script, Tty(), width=lambda: 20, color=False)
    assert "\r\x1b[2K  › 1/1  tap 漢字…\r\x1b[2K" in text


@pytest.mark.parametrize(
    "error", [FileNotFoundError("gone"), UnicodeDecodeError("u", b"", 0, 1, "")]
)
def test_a_missing_source_is_no_snippet(error: Exception) -> None:
    """The place is told even where the file is not to be had."""

    def source(_: str) -> str:
        raise error

    text = told(runs.mixed(), source=source)
    assert 'scenarios/login.yaml:8:5\n    "Welcome back" is not' in text
    assert text == told(runs.mixed(), source=None)
    assert text == told(runs.mixed(), source=lambda _: None)


def test_the_source_is_read_only_for_a_fault() -> None:
    """A run that passes opens no scenario file."""
    asked: list[str] = []

    def source(file: str) -> None:
        asked.append(file)

    told(runs.shards(), source=source)
    assert asked == []
    told(runs.mixed(), source=source)
    assert asked == ["scenarios/login.yaml"]


def test_the_caret_stands_below_its_column() -> None:
    """Tabs, wide characters and very long lines do not move it."""
    script, place = runs.Script(), runs.at("x.yaml", 1, 200)
    script.scenario(runs.BUY, steps=1)
    fault = runs.NO_APP
    script.step("cart", "steps.1", "tap", place, 1, outcome=Outcome.ERROR, fault=fault)
    text = told(script, source=lambda _: "\t漢" + "a" * 197 + "X" + "b" * 300)
    shown, caret = (line.partition("│ ")[2] for line in text.splitlines() if "│" in line)
    assert shown[caret.index("^")] == "X"
    assert shown.endswith("b…")


def test_many_steps_in_little_memory() -> None:
    """Of the steps that passed nothing is kept: a long scenario costs no more than a short one."""

    class Nowhere(io.StringIO):
        def write(self, text: str) -> int:
            return len(text)

    console = Console(Nowhere(), env={})
    tracemalloc.start()
    for event in runs.long(20_000):
        console.on_event(event)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 500_000


def test_closing_twice_sums_up_once() -> None:
    """Whoever ends a run need not know who else did."""
    stream = io.StringIO()
    console = Console(stream, env={})
    console.close()
    console.close()
    assert stream.getvalue().count("no scenarios") == 1
