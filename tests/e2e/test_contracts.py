"""Errors of the app, log lines and time, held against what a scenario allows."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.e2e.conftest import Play
from tests.e2e.tool import Ran, outcomes

FAIL = "exceptions: fail\n"

ERROR = "the app failed during this step: StateError: Bad state: Something broke on purpose"


def errors(steps: str, policy: str = FAIL) -> str:
    return (
        f"name: Test\napp: demo\ntimeout: 200ms\n{policy}setup:\n  - navigate: /errors\nsteps:\n"
        + "".join(f"  {line}\n" for line in steps.strip("\n").splitlines())
    )


def notes(ran: Ran) -> list[str]:
    return [each["text"] for each in ran.events("note")]


# Errors of the app


@pytest.mark.parametrize("plain", [False, True], ids=["demo", "plain"])
def test_an_error_fails_the_step_it_happens_in(play: Play, plain_demo: str, plain: bool) -> None:
    text = errors("- get_routes\n- tap: Raise an error\n- get_routes")
    ran = play(text, options=("--uri", plain_demo) if plain else ())
    assert ran.code == 1
    assert outcomes(ran) == {
        "setup.1": "passed",
        "steps.1": "passed",
        "steps.2": "failed",
        "steps.3": "skipped",
    }
    assert ran.fault["kind"] == "app_error"
    assert ran.fault["message"] == ERROR
    assert ran.fault["seen"] == "StateError: Bad state: Something broke on purpose"
    assert any("package:tapir_demo" in each for each in ran.fault["details"])
    assert "allow" in ran.fault["hint"]
    kept = ran.artifact("failure-steps.2-exceptions.json").read_text(encoding="utf-8")
    assert "Something broke on purpose" in kept
    assert ran.problem.tag == "failure"
    assert ERROR in ran.out


def test_the_screen_may_look_right(play: Play) -> None:
    ran = play(errors("- tap: {target: Overflow, until: Wide row}"))
    assert ran.code == 1
    assert "overflowed by 42 pixels" in ran.fault["message"]


def test_each_error_counts_once(play: Play) -> None:
    """It fails the step it came in, not those after it; the same again is an error again."""
    ran = play(
        errors("""
- tap: Raise an error
  soft: true
- get_routes
- tap: Raise an error
  soft: true
- expect: {exceptions: none}
  soft: true
""")
    )
    assert list(outcomes(ran).values()) == ["passed", "failed", "passed", "failed", "failed"]
    assert "exceptions: 2, the first StateError" in ran.step("steps.4")["fault"]["message"]


@pytest.mark.parametrize(
    ("block", "ends"),
    [
        ("- tap: Raise an error\n  optional: true", {"steps.1": "failed", "steps.2": "skipped"}),
        (
            "- retry: {steps: [tap: Raise an error]}",
            {"steps.1(1).1": "failed", "steps.2": "skipped"},
        ),
        (
            "- group: {steps: [{retry: {steps: [tap: Raise an error]}}, get_routes]}\n  soft: true",
            {"steps.1.1(1).1": "failed", "steps.1.2": "skipped", "steps.2": "passed"},
        ),
    ],
)
def test_only_the_list_excuses(play: Play, block: str, ends: dict[str, str]) -> None:
    ran = play(errors(f"{block}\n- get_routes"))
    assert ran.code == 1
    assert outcomes(ran) == {"setup.1": "passed", **ends}


def test_a_step_that_fails_of_both(play: Play) -> None:
    """The error is told first: it is more often the cause."""
    ran = play(errors("- tap: {target: Raise an error, until: Nothing, untilTimeoutMs: 60}"))
    assert ran.fault["message"] == ERROR
    assert 'also: tap: "Nothing" did not show in time' in ran.fault["details"]


def policy(entry: str, word: str = "fail") -> str:
    return f"exceptions:\n  policy: {word}\n  allow:\n    - {entry}\n"


@pytest.mark.parametrize(
    "entry",
    [
        "{contains: on purpose, reason: known}",
        "{contains: StateError, reason: known, until: 2999-12-31}",
        "{matches: '^StateError: .* on purpose$', reason: known}",
    ],
)
def test_known_errors(play: Play, entry: str) -> None:
    ran = play(errors("- tap: Raise an error\n- get_routes", policy(entry)))
    assert ran.code == 0, ran.out
    assert notes(ran) == []


def test_an_entry_that_is_over(play: Play) -> None:
    entry = "{contains: on purpose, reason: see bug 7, until: 2020-01-31}"
    ran = play(errors("- tap: Raise an error", policy(entry)))
    assert ran.code == 1
    assert "it was allowed until 2020-01-31: see bug 7" in ran.fault["details"]
    assert ran.fault["place"]["line"] == 7
    ran = play(errors("- tap: Raise an error", policy(entry, "warn")))
    assert ran.code == 0
    assert notes(ran)[0].endswith("(it was allowed until 2020-01-31: see bug 7)")


def test_other_errors_are_not_excused(play: Play) -> None:
    text = errors("- tap: Overflow\n- tap: Raise an error", policy("{contains: X, reason: y}"))
    ran = play(text.replace("contains: X", "contains: overflowed"))
    assert outcomes(ran)["steps.1"] == "passed"
    assert outcomes(ran)["steps.2"] == "failed"


@pytest.mark.parametrize(
    ("written", "code", "told"),
    [
        ("", 0, 1),
        ("exceptions: warn\n", 0, 1),
        ("exceptions: ignore\n", 0, 0),
        (policy("{contains: on purpose, reason: known}", "warn"), 0, 0),
    ],
)
def test_milder_policies(play: Play, written: str, code: int, told: int) -> None:
    ran = play(errors("- tap: Raise an error", written))
    assert ran.code == code
    assert len(notes(ran)) == told


def test_errors_that_the_project_knows(play: Play) -> None:
    """Its policy and its list hold for all scenarios; a scenario's own list adds to it."""
    Path("tapir-replay.yaml").write_text(
        "exceptions:\n  policy: fail\n  allow:\n"
        "    - {contains: on purpose, reason: known}\n"
        "    - {contains: overflowed, reason: see bug 7, until: 2020-01-31}\n",
        encoding="utf-8",
    )
    own = "exceptions: {allow: [{contains: by 42 pixels, reason: mine}]}\n"
    ran = play(
        errors("- tap: Raise an error\n- tap: Overflow", ""),
        errors("- tap: Raise an error\n- tap: Overflow", own),
        errors("- tap: Overflow", "exceptions: warn\n"),
    )
    assert [each["outcome"] for each in ran.events("scenario_finished")] == [
        "failed",
        "passed",
        "passed",
    ]
    fault = ran.fault
    assert "it was allowed until 2020-01-31: see bug 7" in fault["details"]
    assert (fault["place"]["file"], fault["place"]["line"]) == ("tapir-replay.yaml", 5)
    assert "    5 │     - {contains: overflowed, reason: see bug 7" in ran.out
    assert "tapir-replay.yaml:5:56: warning: the last day was 2020-01-31" in ran.err
    assert notes(ran) == [
        "the app recorded 1 exception(s), the first: A RenderFlex overflowed by 42 pixels on the"
        " right. (it was allowed until 2020-01-31: see bug 7)"
    ]


def test_an_error_of_the_teardown_counts(play: Play) -> None:
    ran = play(errors("- get_routes") + "teardown:\n  - tap: Raise an error\n")
    assert ran.code == 1
    assert outcomes(ran)["teardown.1"] == "failed"


# Log lines


def form(steps: str) -> str:
    return errors(steps, "")


@pytest.mark.parametrize("plain", [False, True], ids=["demo", "plain"])
def test_a_line_of_the_step(play: Play, plain_demo: str, plain: bool) -> None:
    """Only what is written during the step counts."""
    text = form("""
- tap: Log a line
  log: a line from
- navigate: /form
  log: {is: "route: /form", level: INFO}
  forbid_log: [a line, {matches: "^error"}]
- navigate: /errors
- get_routes:
  log: route
  soft: true
- tap: Log a line
  log: [a line, {contains: another}]
  soft: true
- tap: Log a line
  forbid_log: {contains: a line}
  soft: true
""")
    ran = play(text, options=("--uri", plain_demo) if plain else ())
    assert list(outcomes(ran).values()) == ["passed"] * 4 + ["failed"] * 3
    late, other, forbidden = (ran.step(f"steps.{n}")["fault"] for n in (4, 5, 6))
    assert late["message"] == 'log: the app wrote no such line: something that contains "route"'
    assert late["seen"] == "0 lines, none of them it"
    assert late["place"]["line"] == 14
    assert other["place"]["line"] == 17
    assert "  INFO a line from the app" in other["details"]
    assert forbidden["expected"] == 'no log line: something that contains "a line"'
    assert forbidden["seen"] == "a line from the app"


def test_a_line_that_comes_a_moment_later(play: Play) -> None:
    """The step is over when the line is there."""
    ran = play(
        "name: T\napp: demo\nsetup:\n  - navigate: /login\nsteps:\n"
        "  - fill: {target: Email, text: ada@example.com}\n"
        "  - fill: {target: Password, text: correct-horse}\n"
        "  - tap: Sign in\n    log: signed in as\n"
    )
    assert ran.code == 0, ran.out
    assert ran.step("steps.3")["duration"] > 200


def test_lines_of_a_block(play: Play) -> None:
    ran = play(
        form("""
- group: {steps: [get_routes, tap: Log a line]}
  log: a line
- repeat: {times: 2, steps: [tap: Log a line]}
  forbid_log: a line
- get_routes
""")
    )
    assert list(outcomes(ran).values()) == ["passed"] * 5 + ["failed", "skipped"]
    assert ran.events("scenario_finished")[0]["step"] == "steps.2"


def test_a_contract_of_a_block_that_failed_is_not_asked(play: Play) -> None:
    ran = play(form("- group: {steps: [expect: {visible: Nothing}]}\n  log: a line\n- get_routes"))
    assert list(outcomes(ran).values()) == ["passed", "failed", "skipped"]


def test_a_log_line_that_cannot_be_rendered(play: Play) -> None:
    ran = play(form('- get_routes:\n  log: "{{ env.NOT_THERE_AT_ALL }}"'))
    assert ran.code == 2
    assert outcomes(ran)["steps.1"] == "error"


# Time


def test_a_budget(play: Play) -> None:
    ran = play(
        form("""
- get_routes:
  budget: 20s
- navigate: /loading
- tap: {target: Load orders, until: 3 orders}
  budget: "{{ 300 }}ms"
""")
    )
    assert ran.code == 1
    fault = ran.step("steps.3")["fault"]
    assert fault["message"].startswith("the step took ")
    assert fault["message"].endswith("; its budget is 300 ms")
    assert fault["expected"] == "at most 300 ms"
    assert fault["place"]["line"] == 11


def test_a_budget_of_all(play: Play) -> None:
    """Setup and steps count together; hooks are done all the same."""
    text = form("- wait: 60ms").replace("steps:", "budget: 50ms\nsteps:")
    ran = play(f"{text}on_failure:\n  - log: sorry\n")
    assert ran.code == 1
    assert ran.fault["message"].startswith("the scenario took ")
    assert ran.fault["place"]["line"] == 6
    assert "step" not in ran.events("scenario_finished")[0]
    assert notes(ran) == ["sorry"]
    assert "its budget is 50 ms" in ran.out
    ran = play(form("- get_routes").replace("steps:", "budget: 50s\nsteps:"))
    assert ran.code == 0


def test_a_failure_is_more_than_a_budget(play: Play) -> None:
    ran = play(form("- expect: {visible: Nothing}\n  budget: 10ms"))
    assert ran.fault["message"].startswith("visible: nothing on screen")
    assert not any("budget" in each for each in ran.fault["details"])
