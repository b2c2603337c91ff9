"""Several scenarios at once, one app each, one report."""

from __future__ import annotations

import signal
from pathlib import Path

import pytest

from tests.e2e.conftest import Play
from tests.e2e.tool import SCENARIOS, Ran, demo_process, started

SLOW = """\
name: {name}
app: demo
steps:
  - navigate: /loading
  - tap: {{target: Load orders, until: 3 orders}}
teardown:
  - dismiss_modals
"""


def test_all_are_played_on_apps_of_their_own(play: Play) -> None:
    """Every scenario passes, each in one piece in log, console and JUnit."""
    names = ("tasks", "login", "search", "motion", "settings", "inbox")
    ran = play(*(SCENARIOS / f"{name}.yaml" for name in names), options=("--workers", "3"))
    assert ran.code == 0, ran.out
    assert len(list(ran.junit.iter("testcase"))) == len(names)
    assert "6 passed" in ran.out
    for name in names:
        # One heading each: nothing of another scenario stands in between.
        assert ran.out.count(f"scenarios/{name}.yaml:2") == 1


def test_they_are_played_at_once(play: Play) -> None:
    """The second begins before the first has ended."""
    texts = [SLOW.format(name=f"slow {number}") for number in (1, 2)]
    ran = play(*texts, options=("--workers", "2"))
    assert ran.code == 0, ran.out
    order = [each["event"] for each in ran.log if each["event"].startswith("scenario_")]
    assert order == ["scenario_started"] * 2 + ["scenario_finished"] * 2


def test_a_failure_is_told_in_its_own_scenario(play: Play) -> None:
    """What one worker finds does not disturb the others."""
    wrong = "name: wrong\napp: demo\ntimeout: 300ms\nsteps:\n  - tap: Nowhere\n"
    ran = play(SLOW.format(name="slow"), wrong, options=("--workers", "2"))
    assert ran.code == 1
    outcomes = {case.get("name"): case.find("failure") for case in ran.junit.iter("testcase")}
    assert outcomes["slow"] is None
    assert outcomes["wrong"] is not None
    assert ran.out.index("Nowhere") < ran.out.index("slow")


def test_the_longest_begins_first(play: Play) -> None:
    """What took long before is not left for the end, when everybody else has finished."""
    short = "name: short {number}\napp: demo\nsteps: [get_routes]\n"
    texts = [short.format(number=1), short.format(number=2), SLOW.format(name="slow")]
    assert play(*texts).code == 0
    ran = play(*texts, options=("--workers", "2"))
    titles = [each["title"] for each in ran.events("scenario_started")]
    assert titles[0] == "slow"


def test_addresses_for_workers(play: Play, tmp_path: Path) -> None:
    """Each worker takes an address; the scenarios are shared out."""
    with demo_process(tmp_path) as (_, first), demo_process(tmp_path) as (_, second):
        texts = [SLOW.format(name=f"slow {number}") for number in (1, 2, 3)]
        ran = play(*texts, options=("--uri", f"{first},{second}"))
    assert ran.code == 0, ran.out
    assert len({each["app"] for each in ran.events("scenario_started")}) == 2


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (("--workers", "0"), "--workers"),
        (("--workers", "x"), "--workers"),
        (("--workers", "2", "--uri", "http://127.0.0.1:1/a=/"), "--uri has 1 address;"),
        (("--workers", "3", "--uri", "http://h:1/a=/,http://h:2/a=/"), "--uri has 2 addresses;"),
    ],
)
def test_wrong_use(play: Play, options: tuple[str, ...], says: str) -> None:
    """Two workers cannot share an app."""
    ran = play(SLOW.format(name="slow"), options=options)
    assert ran.code == 2
    assert says in ran.err


def test_an_app_that_is_one_only(play: Play) -> None:
    """A session, or an address of the project file, is one app."""
    Path("tapir-replay.yaml").write_text("apps: {mine: 'http://127.0.0.1:1/a=/'}\n")
    ran = play("name: x\nsteps: [get_routes]\n", options=("--workers", "2"))
    assert ran.code == 2
    assert 'the app "mine" is one app' in ran.err


def test_interrupted(tmp_path: Path) -> None:
    """All workers end in order: teardowns done, reports written."""
    wait = "name: {name}\napp: demo\nsteps: [{{navigate: /form}}, {{wait_for: Never}}]\n"
    for name in ("one", "two"):
        text = wait.format(name=name) + "teardown: [{navigate: /login}]\n"
        (tmp_path / f"{name}.yaml").write_text(text, encoding="utf-8")
    with started("one.yaml", "two.yaml", "--workers", "2", "--output", "out", cwd=tmp_path) as run:
        log = tmp_path / "out/run.jsonl"
        while not log.exists() or log.read_text().count('"verb":"wait_for"') < 2:
            assert run.process.poll() is None
        run.process.send_signal(signal.SIGINT)
        assert run.end() == 130
    ran = Ran(130, "", "", tmp_path / "out")
    assert [each["outcome"] for each in ran.steps if each["step"] == "teardown.1"] == ["passed"] * 2
    assert len(list(ran.junit.iter("error"))) == 2
