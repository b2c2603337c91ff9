"""When an action is tried again, when never, and how long."""

from __future__ import annotations

from typing import Any

import pytest

from tapir_replay.app.errors import CallTimeout, ConnectionLost, VerbRefused
from tapir_replay.engine.acting import AMBIGUOUS_GRACE, FIRST_SLICE_MS, Acted, Actor, wire_params
from tapir_replay.engine.events import FaultKind
from tapir_replay.engine.faults import StepFault
from tapir_replay.scenario.model import Target
from tapir_replay.verbs.catalogue import BY_NAME
from tests.engine.scripted import (
    Answer,
    FakeClock,
    ScriptedApp,
    ScriptedLocator,
    button,
    refused,
    run,
)

SAVE = Target(text="Save")
DONE: dict[str, Any] = {"ref": "e1", "effect": {"kind": "treeChanged", "changed": True}}
HERE = [button("Save")]


def scene(
    *looks: list[Any], shown: tuple[Any, ...] = (), **answers: Answer | list[Answer]
) -> tuple[Actor, ScriptedApp, FakeClock]:
    clock = FakeClock()
    app = ScriptedApp(clock, **answers)
    return Actor(app, ScriptedLocator(*(looks or (HERE,)), shown=shown), clock), app, clock


def tap(actor: Actor, timeout: float = 5.0, **args: Any) -> Acted:
    return run(actor.act(BY_NAME["tap"], {"target": SAVE, **args}, timeout))


def test_at_once() -> None:
    actor, app, clock = scene(tap=DONE)
    acted = tap(actor)
    assert acted.answer == DONE
    assert acted.matches == (button("Save"),)
    assert acted.tries == 1
    assert clock.time == 0
    assert app.calls == [("tap", {"ref": "e1", "includeSnapshot": "false"})]


@pytest.mark.parametrize(
    "kind",
    ["not_stable", "obscured", "off_viewport", "disabled", "zero_rect", "stale", "not_found"],
)
def test_what_passes_is_waited_for(kind: str) -> None:
    actor, app, clock = scene(tap=[refused(kind), refused(kind), DONE])
    acted = tap(actor)
    assert acted.tries == 3
    assert app.times("tap") == 3
    assert 0 < clock.time < 0.1


@pytest.mark.parametrize("kind", ["missing_param", "unexpected", "timeout"])
def test_what_does_not_pass_is_told_at_once(kind: str) -> None:
    actor, app, clock = scene(tap=[refused(kind), DONE])
    with pytest.raises(StepFault) as stopped:
        tap(actor)
    assert app.times("tap") == 1
    assert clock.time == 0
    assert stopped.value.fault.details == ()


@pytest.mark.parametrize("error", [ConnectionLost("gone"), CallTimeout("late")])
def test_what_may_have_taken_effect_is_never_repeated(error: Exception) -> None:
    actor, app, _ = scene(tap=[error, DONE])
    with pytest.raises(type(error)):
        tap(actor)
    assert app.times("tap") == 1


@pytest.mark.parametrize(
    "answer",
    [
        {"effect": {"kind": "treeChanged", "changed": False}},
        {"effect": {"kind": "text", "verified": False, "value": ""}},
        {"untilMatched": False},
    ],
)
def test_an_answer_is_never_repeated_however_poor(answer: dict[str, Any]) -> None:
    actor, app, _ = scene(tap=[answer, DONE])
    assert tap(actor).answer == answer
    assert app.times("tap") == 1


def test_the_limit_of_time() -> None:
    actor, _, clock = scene(tap=refused("disabled", "it is disabled"))
    with pytest.raises(StepFault) as stopped:
        tap(actor, timeout=2.0)
    assert stopped.value.fault.kind is FaultKind.NOT_ACTIONABLE
    assert clock.time == pytest.approx(2.0)
    assert stopped.value.fault.details[-1].endswith(" times in 2.0 s")
    assert max(clock.slept) <= 0.1


def test_no_time_is_one_look() -> None:
    actor, app, _ = scene(tap=refused("disabled"))
    with pytest.raises(StepFault):
        tap(actor, timeout=0)
    assert app.times("tap") == 1


def test_calls_that_take_long_count() -> None:
    actor, app, clock = scene(tap=refused("disabled"))
    app.seconds = 0.9
    with pytest.raises(StepFault):
        tap(actor, timeout=2.0)
    assert app.times("tap") <= 3
    assert clock.time < 3.0


def test_a_widget_that_comes_late() -> None:
    actor, app, _ = scene([], [], HERE, tap=DONE)
    assert tap(actor).tries == 3
    assert app.times("tap") == 1


def test_a_widget_that_never_comes() -> None:
    actor, app, clock = scene([], shown=(button("Safe"), button("Cancel")), tap=DONE)
    with pytest.raises(StepFault) as stopped:
        tap(actor, timeout=1.0)
    fault = stopped.value.fault
    assert fault.kind is FaultKind.NOT_FOUND
    assert fault.details[:3] == (
        "nearest on screen:",
        '  button "Safe"',
        "2 widgets were looked at",
    )
    assert clock.time == pytest.approx(1.0)
    assert app.times("tap") == 0


def test_two_may_still_become_one() -> None:
    two = [button("Save", "e1"), button("Save", "e2")]
    actor, _, clock = scene(two, two, HERE, tap=DONE)
    assert tap(actor).tries == 3
    assert clock.time < AMBIGUOUS_GRACE


def test_two_that_stay_are_told_soon() -> None:
    two = [button("Save", "e1"), button("Save", "e2")]
    actor, _, clock = scene(two, tap=DONE)
    with pytest.raises(StepFault) as stopped:
        tap(actor, timeout=30.0)
    assert stopped.value.fault.kind is FaultKind.AMBIGUOUS
    assert AMBIGUOUS_GRACE < clock.time < AMBIGUOUS_GRACE + 0.3


def test_every_try_looks_again() -> None:
    actor, app, _ = scene(
        [button("Save", "e1")], [button("Save", "e7")], tap=[refused("stale"), DONE]
    )
    assert tap(actor).matches == (button("Save", "e7"),)
    assert [params["ref"] for _, params in app.calls] == ["e1", "e7"]


def test_both_ends_of_a_drag() -> None:
    actor, app, _ = scene([button("A", "e1")], [button("B", "e2")], drag={"startRef": "e1"})
    args = {"from": Target(text="A"), "to": Target(text="B")}
    acted = run(actor.act(BY_NAME["drag"], args, 1.0))
    assert [each.ref for each in acted.matches] == ["e1", "e2"]
    assert app.calls[0][1] == {"startRef": "e1", "endRef": "e2", "includeSnapshot": "false"}


def test_a_refusal_names_the_target_not_the_ref() -> None:
    actor, _, _ = scene(
        [button("Save", "e12")],
        tap=refused("unexpected", 'Widget ref=e12 below ref "e12" is not ref e123'),
    )
    with pytest.raises(StepFault) as stopped:
        tap(actor)
    assert stopped.value.fault.message == 'Widget "Save" below "Save" is not ref e123'


def test_a_refusal_without_a_target_is_told_at_once() -> None:
    actor, app, clock = scene(scroll=VerbRefused("scroll", "none", kind="not_found"))
    with pytest.raises(StepFault):
        run(actor.act(BY_NAME["scroll"], {}, 5.0))
    assert (app.times("scroll"), clock.time) == (1, 0)


# until


def test_until_in_the_first_slice_is_the_apps() -> None:
    actor, app, _ = scene(tap={**DONE, "untilMatched": True})
    assert tap(actor, until="Saved").answer["untilMatched"] is True
    assert app.calls == [
        (
            "tap",
            {
                "ref": "e1",
                "until": "Saved",
                "untilTimeoutMs": str(FIRST_SLICE_MS),
                "includeSnapshot": "false",
            },
        )
    ]


def test_until_goes_on_in_slices() -> None:
    actor, app, clock = scene(HERE, [], [], [button("Saved")], tap={**DONE, "untilMatched": False})
    acted = tap(actor, until="Saved", untilTimeoutMs=10_000)
    assert acted.answer["untilMatched"] is True
    assert app.times("tap") == 1
    waits = [params for verb, params in app.calls if verb == "wait_for"]
    assert waits == [{"text": "Saved", "timeoutMs": each} for each in ("50", "100")]
    assert clock.time == pytest.approx(0.15)


def test_until_that_never_comes_ends_in_time() -> None:
    actor, _, clock = scene(HERE, [], tap={**DONE, "untilMatched": False})
    acted = tap(actor, until="Saved", untilTimeoutMs=2000)
    assert acted.answer["untilMatched"] is False
    # The script's tap takes no time; the slice that the app waited is counted all the same.
    assert clock.time == pytest.approx(1.95)


def test_until_of_a_verb_that_does_not_know_it() -> None:
    actor, app, clock = scene(HERE, [], [button("Saved")], clear={"ref": "e1"})
    args = {"target": SAVE, "until": "Saved", "untilTimeoutMs": 1000}
    acted = run(actor.act(BY_NAME["clear"], args, 1.0))
    assert acted.answer["untilMatched"] is True
    assert app.calls[0] == ("clear", {"ref": "e1", "includeSnapshot": "false"})
    assert clock.time == pytest.approx(0.05)


def test_what_is_there_but_does_not_show_is_waited_for() -> None:
    hidden = [button("Saved", visible=False)]
    actor, _, _ = scene(HERE, hidden, clear={"ref": "e1"})
    args = {"target": SAVE, "until": "Saved", "untilTimeoutMs": 1000}
    assert run(actor.act(BY_NAME["clear"], args, 1.0)).answer["untilMatched"] is False


# Verbs that wait


def test_wait_for_ends_with_the_text() -> None:
    actor, _, _ = scene([], [], [button("Saved")])
    acted = run(actor.act(BY_NAME["wait_for"], {"text": "Saved"}, 5.0))
    assert acted.answer == {"matched": True, "elapsedMs": 150}


def test_wait_for_what_goes() -> None:
    there = [button("Loading")]
    actor, app, clock = scene(there, there, [])
    acted = run(actor.act(BY_NAME["wait_for"], {"textGone": "Loading", "timeoutMs": 4000}, 5.0))
    assert acted.answer["matched"] is True
    assert app.calls[0] == ("wait_for", {"textGone": "Loading", "timeoutMs": str(FIRST_SLICE_MS)})
    assert clock.time == pytest.approx(0.15)


@pytest.mark.parametrize("name", ["text", "textGone"])
def test_wait_for_nothing(name: str) -> None:
    looks = [button("X")] if name == "textGone" else []
    actor, _, clock = scene(looks)
    acted = run(actor.act(BY_NAME["wait_for"], {name: "X", "timeoutMs": 1700}, 5.0))
    assert acted.answer == {"matched": False, "reason": "timeout"}
    assert clock.time == pytest.approx(1.7)


def test_the_app_says_gone_but_it_still_shows() -> None:
    """A label that is no text: the app's own wait knows nothing of it, and must not spin."""
    there = [button("Loading")]
    actor, app, clock = scene(there, wait_for={"matched": True})
    acted = run(actor.act(BY_NAME["wait_for"], {"textGone": "Loading", "timeoutMs": 1000}, 5.0))
    assert acted.answer["matched"] is False
    assert clock.time == pytest.approx(1.0)
    assert app.times("wait_for") < 30


def test_the_network_is_waited_for_in_slices() -> None:
    late = refused("timeout", "timeout after 5000ms")
    actor, app, clock = scene(wait_for_network_idle=[late, {"matched": True}])
    app.seconds = 5.0
    args = {"timeoutMs": 12_000, "idleMs": 300}
    acted = run(actor.act(BY_NAME["wait_for_network_idle"], args, 5.0))
    assert acted.answer == {"matched": True}
    assert [params["timeoutMs"] for _, params in app.calls] == ["5000", "5000"]
    assert 10.0 < clock.time < 10.1


def test_a_busy_network_is_a_refusal_in_the_end() -> None:
    late = refused("timeout", "timeout after 5000ms (max in-flight count observed: 1)")
    actor, app, clock = scene(wait_for_network_idle=late)
    app.seconds = 2.5
    with pytest.raises(VerbRefused) as stopped:
        run(actor.act(BY_NAME["wait_for_network_idle"], {"timeoutMs": 7000}, 5.0))
    assert str(stopped.value) == "timeout after 7000ms (max in-flight count observed: 1)"
    assert 7.0 <= clock.time < 10.0


# The wire


@pytest.mark.parametrize(
    ("verb", "args", "params"),
    [
        ("press_key", {"key": "S", "modifiers": ["control", "shift"]},
         {"key": "S", "modifiers": "control,shift", "includeSnapshot": "false"}),
        ("tap", {"target": SAVE, "checkStable": False, "snapshot": "diff"},
         {"checkStable": "false", "snapshot": "diff"}),
        ("fill", {"target": SAVE, "text": 3}, {"text": "3", "includeSnapshot": "false"}),
        ("clear", {"target": SAVE, "until": "X"}, {"includeSnapshot": "false"}),
        ("screenshot", {"path": "a.JPG"}, {"format": "jpeg"}),
        ("screenshot", {"path": "a.png", "format": "jpeg"}, {"format": "jpeg"}),
        ("screenshot", {}, {"format": "png"}),
        ("snap", {"path": "a.txt", "depth": 3}, {"depth": "3"}),
        ("get_routes", {}, {}),
    ],
)  # fmt: skip
def test_wire_params(verb: str, args: dict[str, Any], params: dict[str, str]) -> None:
    assert wire_params(BY_NAME[verb], args) == params
