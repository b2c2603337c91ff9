"""What a run leaves of a scenario that does not pass: the message, the reports, the evidence."""

from __future__ import annotations

from pathlib import Path

import pytest
from PIL import Image

from tests.e2e.conftest import Play
from tests.e2e.tool import SCENARIOS, outcomes

HEAD = "name: Test\napp: demo\ntimeout: 300ms\n"

SIGNED_IN = """\
setup:
  - fill: {target: Email, text: ada@example.com}
  - fill: {target: Password, text: correct-horse}
  - tap: {target: Sign in, until: Welcome back}
"""


def steps(*lines: str, head: str = HEAD) -> str:
    return head + "steps:\n" + "".join(f"  - {each}\n" for each in lines)


def form(*lines: str) -> str:
    return steps("navigate: /form", *lines)


# A wrong expectation


def test_a_wrong_expectation(play: Play) -> None:
    text = (SCENARIOS / "login.yaml").read_text(encoding="utf-8")
    wrong = text.replace(
        "  - expect:\n      visible: Welcome back",
        "  - screenshot: before.png\n  - expect:\n      visible: Welcome home",
    ).replace("app: demo\n", "app: demo\ntimeout: 500ms\n")
    line = wrong.splitlines().index("      visible: Welcome home") + 1
    Path("login.yaml").write_text(wrong, encoding="utf-8")

    ran = play(Path("login.yaml"))

    assert ran.code == 1
    assert ran.fault["kind"] == "assertion"
    assert ran.fault["place"] == {"file": "login.yaml", "line": line, "column": 7}

    failure = ran.problem
    assert failure.tag == "failure"
    assert failure.get("message") == 'visible: nothing on screen matches "Welcome home"'
    said = failure.text or ""
    assert f"login.yaml:{line}:7 step 8 of 10: expect" in said
    assert 'expected: "Welcome home" shows' in said
    assert 'seen:     nothing on screen matches "Welcome home"' in said
    assert 'heading "Welcome back"' in said
    assert "looked " in said

    (case,) = ran.junit.iter("testcase")
    assert case.get("name") == "Sign in with a valid account"
    assert case.get("file") == "login.yaml"
    assert case.find("system-out") is not None
    out = case.findtext("system-out") or ""
    assert "[[ATTACHMENT|artifacts/sign-in-with-a-valid-account/failure-steps.6.png]]" in out
    assert "9. skipped screenshot home.png (an earlier step did not pass)" in out
    assert "10. passed  teardown: dismiss_modals" in out

    assert f"login.yaml:{line}:7" in ran.out
    assert f"{line} │       visible: Welcome home" in ran.out

    with Image.open(ran.artifact("failure-steps.6.png")) as failed:
        assert failed.format == "PNG"
        assert failed.size == (780, 1688)
        colors = failed.convert("RGB").getcolors(780 * 1688)
        assert colors is not None
        assert len(colors) > 20
        with Image.open(ran.artifact("before.png")) as before:
            assert failed.tobytes() == before.tobytes()

    snapshot = ran.artifact("failure-steps.6.snapshot.txt").read_text(encoding="utf-8")
    assert '- heading "Welcome back"' in snapshot
    console = ran.artifact("failure-steps.6-console.log").read_text(encoding="utf-8")
    assert "signed in as ada@example.com" in console
    assert ran.artifact("failure-steps.6-target.json").exists()


def test_all_that_does_not_hold_is_told(play: Play) -> None:
    ran = play(steps("expect: {visible: Nothing, gone: Email, route: /home}"))
    details = ran.fault["details"]
    gone = next(each for each in details if each.startswith("also: gone: "))
    assert gone.startswith('also: gone: textbox "Email" (key email) at ')
    assert gone.endswith(" still shows")
    assert 'also: route: "/login"' in details
    assert '  expected "/home", seen "/login"' in details


def test_errors_of_the_app_are_kept(play: Play) -> None:
    ran = play(
        steps("navigate: /errors", "tap: Raise an error", "expect: {exceptions: none}"),
    )
    assert ran.code == 1
    assert ran.fault["message"] == (
        "exceptions: 1, the first StateError: Bad state: Something broke on purpose"
    )
    assert any("package:tapir_demo" in each for each in ran.fault["details"])
    kept = ran.artifact("failure-steps.3-exceptions.json").read_text(encoding="utf-8")
    assert "Something broke on purpose" in kept


def test_an_error_nobody_asked_about_is_a_remark(play: Play) -> None:
    ran = play(steps("navigate: /errors", "tap: Raise an error"))
    assert ran.code == 0
    assert "the app recorded 1 exception(s), the first: Bad state: Something broke" in ran.out


# Looking for widgets


def test_two_matches_are_an_error_that_lists_them(play: Play) -> None:
    ran = play(steps("tap: Delete", head=HEAD + SIGNED_IN))
    assert ran.code == 1
    assert ran.fault["kind"] == "ambiguous"
    assert ran.fault["message"] == '3 widgets match "Delete"; one is wanted'
    title, *candidates = ran.fault["details"][:4]
    assert title == "candidates:"
    for number, each in enumerate(candidates):
        assert each.startswith(f'  {number}: button "Delete" (key delete-{number + 1}) at ')
    assert "nth" in ran.fault["hint"]


def test_the_candidates_of_an_app_without_our_plugin(play: Play, plain_demo: str) -> None:
    head = HEAD + SIGNED_IN.replace("setup:\n", "setup:\n  - navigate: /login\n")
    text = steps("tap: {target: {role: button, label: Delete}}", head=head)
    ran = play(text, options=("--uri", plain_demo))
    assert ran.fault["kind"] == "ambiguous"
    _, *candidates = ran.fault["details"][:4]
    assert all(each.startswith(f'  {n}: button "Delete" at ') for n, each in enumerate(candidates))


def test_too_large_a_number(play: Play) -> None:
    ran = play(steps("tap: {target: {role: textbox, nth: 2}}"))
    assert ran.fault["message"] == "there is no textbox (nth 2): only 2 match"
    assert '  1: textbox "Password" (key password)' in ran.fault["details"][2]


def test_a_miss_lists_what_is_near_and_how_long_was_looked(play: Play) -> None:
    ran = play(steps("tap: Sing in"))
    assert ran.code == 1
    assert ran.fault["kind"] == "not_found"
    assert ran.fault["message"] == 'nothing on screen matches "Sing in"'
    near, first, *_, number, looked = ran.fault["details"]
    assert near == "nearest on screen:"
    assert first.startswith('  button "Sign in" (key submit) at ')
    assert number == "6 widgets were looked at"
    assert looked.endswith("times in 0.3 s")


def test_a_step_may_look_longer_than_the_others(play: Play) -> None:
    head = HEAD.replace("300ms", "10s")
    ran = play(steps("tap: Nothing\n    timeout: 100ms", head=head))
    assert ran.fault["details"][-1].endswith("in 0.1 s")


def test_what_covers_a_control_is_named(play: Play) -> None:
    ran = play(steps("navigate: /covered", "tap: Buy"))
    assert ran.fault["kind"] == "not_actionable"
    assert ran.fault["message"] == (
        'Widget "Buy" is not actionable: obscured by other widget (top=CookieBanner)'
    )
    assert ran.fault["details"][-1].endswith("times in 0.3 s")


# What the app says it did


@pytest.mark.parametrize(
    ("line", "expected", "seen", "more"),
    [
        (
            "fill: {target: Quantity, text: 3 boxes}",
            '"3 boxes"',
            '"3"',
            "the field took only the first character",
        ),
        ("fill: {target: Quantity, text: x3y4}", '"x3y4"', '"34"', "reject some of these"),
        ("fill: {target: Code, text: SUMMER2024}", '"SUMMER2024"', '"SUMMER"', "6 characters"),
        ("type: {target: Country, text: nz}", '"nz"', '"NZ"', "change the case"),
        ("select_option: {target: Size, value: XL}", '"XL"', '"M"', ""),
    ],
)
def test_an_effect_that_is_not_what_was_wanted(
    play: Play, line: str, expected: str, seen: str, more: str
) -> None:
    ran = play(form(line))
    assert ran.code == 1
    assert ran.fault["kind"] == "unverified"
    assert (ran.fault["expected"], ran.fault["seen"]) == (expected, seen)
    assert more in ran.fault.get("hint", "")
    verb, _, rest = line.partition(": {target: ")
    if verb in ("fill", "type"):
        field = rest.partition(",")[0]
        assert ran.fault["details"] == [f'the field written was "{field}" (element match)']
    assert ran.step("steps.2")["effect"]["verified"] is False


MERGED = ("navigate: /settings", "set_checkbox: {target: Notifications, value: true}")


def test_a_merged_row_is_set_by_its_control(play: Play) -> None:
    """The report says how; what the scenario expects of the middle of the row stays its own."""
    ran = play(steps(*MERGED, "expect: {checked: Notifications}"))
    assert ran.code == 0, ran.out
    told = "a tap in the middle of the row changed nothing, so its control was tapped"
    assert ran.step("steps.2")["warnings"] == [told]
    assert f"warning    {told}" in ran.out
    assert ran.step("steps.2")["effect"]["after"] is True
    ran = play(steps(*MERGED[:1], f"{MERGED[1]}\n    expect: {{effect.verified: false}}"))
    assert ran.code == 0, ran.out
    assert "warnings" not in ran.step("steps.2")


def test_a_merged_row_without_our_plugin(play: Play, plain_demo: str) -> None:
    """Nobody tells whether it is on, so nothing is claimed."""
    ran = play(steps(*MERGED), options=("--uri", plain_demo))
    assert ran.code == 1
    assert ran.fault["kind"] == "unverified"


def test_a_tap_that_changed_nothing_is_a_remark(play: Play) -> None:
    """Always in the log, for those who ask on the console, and nowhere else."""
    nothing = "tap: {target: Catch me"
    lines = ("navigate: /motion", "tap: Stop", f"{nothing}}}")
    ran = play(steps(*lines))
    assert ran.code == 0
    assert "changed nothing" not in ran.out + (ran.folder / "junit.xml").read_text("utf-8")
    for options in (("-v",), ()):
        ran = play(steps(*lines), options=options)
        assert "warnings" not in ran.step("steps.2")
        assert ran.step("steps.2")["remarks"] == ["tap changed nothing of its target"]
        assert ("remark     tap changed nothing of its target" in ran.out) is bool(options)


def test_a_tap_that_changed_nothing_is_a_failure_where_a_change_is_expected(play: Play) -> None:
    ran = play(steps("navigate: /motion", "tap: Stop\n    expect: {effect: {changed: true}}"))
    assert ran.code == 1
    assert ran.fault["message"] == "effect.changed is not as expected"
    assert ran.fault["place"]["line"] == 7
    assert not ran.step("steps.2").get("warnings")


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("navigate: /nowhere", "navigate: the app did not go to /nowhere"),
        ("navigate: /home", "navigate: the app did not go to /home"),
        ("navigate_back", "navigate_back: there was no page to leave"),
        ("wait_for: {text: Nothing, timeoutMs: 100}", "wait_for: "),
        ("find: Nothing", "find: nothing on screen matches"),
    ],
)
def test_an_answer_that_is_no_success(play: Play, line: str, message: str) -> None:
    ran = play(steps(line))
    assert ran.code == 1
    assert ran.fault["kind"] == "unmatched"
    assert ran.fault["message"].startswith(message)


@pytest.mark.parametrize(
    "line",
    [
        "tap: {target: Email, until: Nothing, untilTimeoutMs: 100}",
        "fill: {target: Email, text: a, until: Nothing, untilTimeoutMs: 100}",
        "clear: {target: Email, until: Nothing, untilTimeoutMs: 100}",
        "press_key: {key: Tab, until: Nothing, untilTimeoutMs: 100}",
        "set_checkbox: {target: Remember me, value: true, until: Nothing, untilTimeoutMs: 100}",
        "hover: {target: Sign in, until: Nothing, untilTimeoutMs: 100}",
        "navigate: {route: /form, until: Nothing, untilTimeoutMs: 100}",
        "dismiss_modals: {until: Nothing, untilTimeoutMs: 100}",
    ],
)
def test_until_works_on_every_action(play: Play, line: str) -> None:
    ran = play(steps(line))
    assert ran.code == 1
    assert ran.fault["kind"] == "unmatched"
    assert ran.fault["message"].endswith('"Nothing" did not show in time')
    assert ran.fault["details"] == ["waited 100 ms"]


def test_until_sees_what_is_there_already(play: Play) -> None:
    ran = play(
        steps("press_key: {key: Tab, until: Sign in}", "focus: {target: Email, until: Email}")
    )
    assert ran.code == 0


# Modifiers


def test_soft_goes_on_and_fails_in_the_end(play: Play) -> None:
    ran = play(steps("tap: Nothing\n    soft: true", "tap: Sign in"))
    assert ran.code == 1
    assert outcomes(ran) == {"steps.1": "failed", "steps.2": "passed"}
    assert ran.step("steps.1")["soft"] is True
    assert "soft, the scenario goes on" in ran.out


def test_a_hard_failure_after_many_soft_ones_has_its_picture(play: Play) -> None:
    soft = ["find: Nothing\n    soft: true"] * 6
    ran = play(steps(*soft, "find: Nothing"))
    pictures = [each for each in ran.artifacts if each.endswith(".png")]
    assert [each.partition("steps.")[2] for each in pictures] == [
        f"{n}.png" for n in (1, 2, 3, 4, 5, 7)
    ]


def test_optional_counts_as_skipped(play: Play) -> None:
    ran = play(steps("tap: Nothing\n    optional: true", "tap: Sign in"))
    assert ran.code == 0
    assert outcomes(ran) == {"steps.1": "skipped", "steps.2": "passed"}
    assert ran.step("steps.1")["reason"] == 'optional: nothing on screen matches "Nothing"'


def test_a_mistake_in_the_scenario_is_not_optional(play: Play) -> None:
    ran = play(steps('tap: "{{ env.NOT_SET }}"\n    optional: true'))
    assert ran.code == 2
    assert outcomes(ran) == {"steps.1": "error"}


def test_when(play: Play) -> None:
    ran = play(
        steps(
            "tap: Sign in\n    when: {visible: Sign in}",
            "tap: Nothing\n    when: {visible: Nothing}",
            'tap: Nothing\n    when: "{{ 1 > 2 }}"',
            'tap: Sign in\n    when: "{{ 2 > 1 }}"',
        )
    )
    assert ran.code == 0
    assert outcomes(ran) == {
        "steps.1": "passed",
        "steps.2": "skipped",
        "steps.3": "skipped",
        "steps.4": "passed",
    }
    assert ran.step("steps.2")["reason"].startswith("when: visible does not hold: nothing on")
    assert ran.step("steps.3")["reason"] == "when: {{ 1 > 2 }} is false"


@pytest.mark.parametrize("when", ['"{{ 1 }}"', '"{{ env.NOT_SET }}"', "{checked: Sign in}"])
def test_a_condition_that_cannot_be_told_is_an_error(play: Play, when: str) -> None:
    ran = play(steps(f"tap: Sign in\n    when: {when}"))
    assert ran.code in (2, 3)
    assert outcomes(ran) == {"steps.1": "error"}


def test_save(play: Play) -> None:
    ran = play(
        steps(
            "fill: {target: Email, text: ada@example.com}\n    save: {typed: effect.value}",
            "observe",
            'expect: {value: {of: Email, is: "{{ typed }}"}}',
            "observe:\n    save: {x: candidates.99.label}",
        )
    )
    assert ran.code == 1
    assert outcomes(ran)["steps.3"] == "passed"
    assert ran.fault["message"] == "the answer has nothing at candidates.99.label to save as x"


def test_teardown_is_done_whatever_happens(play: Play) -> None:
    text = (
        HEAD
        + "setup: [{tap: Nothing}]\nsteps: [{tap: Sign in}]\n"
        + "teardown: [{tap: Nothing}, {navigate: /form}]\n"
    )
    ran = play(text)
    assert ran.code == 1
    assert outcomes(ran) == {
        "setup.1": "failed",
        "steps.1": "skipped",
        "teardown.1": "failed",
        "teardown.2": "passed",
    }
    assert ran.step("steps.1")["reason"] == "an earlier step did not pass"


def test_the_first_failure_counts(play: Play) -> None:
    ran = play(steps("find: One\n    soft: true", "find: Two\n    soft: true"))
    (ended,) = ran.events("scenario_finished")
    assert ended["step"] == "steps.1"
    assert "1 more fault" in (ran.problem.text or "")
