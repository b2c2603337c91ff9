"""Runs to report on, told event by event."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tapir_replay.engine.events import (
    Artifact,
    Event,
    Fault,
    FaultKind,
    Note,
    Outcome,
    Planned,
    RunFinished,
    RunStarted,
    ScenarioFinished,
    ScenarioStarted,
    StepFinished,
    StepStarted,
)
from tapir_replay.scenario.place import Place

LOGIN = """\
name: Sign in with a valid account
tags: [smoke, auth]
setup:
  - reset_overlays
steps:
  - fill: {target: {label: Email}, text: ada@example.com}
  - tap: Sign in
  - expect:
      visible: Welcome back
teardown:
  - dismiss_modals
"""

CART = """\
name: Buy a cup
steps:
  - tap: Cups
  - tap: {target: Add to cart, within: {key: cup}}
"""

SOURCES = {"scenarios/login.yaml": LOGIN, "scenarios/shop/cart.yaml": CART}


class Script:
    """Writes events with a clock that each of them moves."""

    def __init__(self) -> None:
        self.events: list[Event] = []
        self.t = 0.0

    def run(self, *plan: Planned, **fields: Any) -> None:
        given: dict[str, Any] = {
            "run": "20240501-0900",
            "app": "demo",
            "started": "2024-05-01T09:00:00+02:00",
        }
        given |= {"tool": "tapir-replay 0.1.0", "host": "ci-7", "plan": plan, **fields}
        self._add(RunStarted(t=self.t, **given))

    def scenario(self, planned: Planned, *, steps: int = 0, **fields: Any) -> None:
        self._add(
            ScenarioStarted(
                t=self.t,
                scenario=planned.id,
                title=planned.name,
                place=planned.place,
                tags=planned.tags,
                steps=steps,
                **fields,
            )
        )

    def begin(self, scenario: str, step: str, title: str, place: Place) -> None:
        phase = step.partition(".")[0]
        self._add(
            StepStarted(
                t=self.t,
                scenario=scenario,
                step=step,
                phase=phase,
                title=title,
                verb=title.partition(" ")[0],
                place=place,
            )
        )

    def end(self, scenario: str, step: str, took: float, **fields: Any) -> None:
        self.t += took
        given = {"outcome": Outcome.PASSED, **fields}
        self._add(StepFinished(t=self.t, scenario=scenario, step=step, duration=took, **given))

    def step(
        self, scenario: str, step: str, title: str, place: Place, took: float, **fields: Any
    ) -> None:
        self.begin(scenario, step, title, place)
        self.end(scenario, step, took, **fields)

    def artifact(self, scenario: str, step: str, path: str, **fields: Any) -> None:
        given = {"kind": "screenshot", "media_type": "image/png", "on_failure": True, **fields}
        self._add(Artifact(t=self.t, scenario=scenario, step=step, path=path, **given))

    def note(self, text: str, **fields: Any) -> None:
        self._add(Note(t=self.t, text=text, **fields))

    def finish(self, scenario: str, took: float, **fields: Any) -> None:
        given = {"outcome": Outcome.PASSED, **fields}
        self._add(ScenarioFinished(t=self.t, scenario=scenario, duration=took, **given))

    def over(self, outcome: Outcome = Outcome.PASSED, **fields: Any) -> None:
        given = {"exit_code": int(outcome is Outcome.FAILED), "duration": self.t, **fields}
        self._add(RunFinished(t=self.t, outcome=outcome, **given))

    def _add(self, event: Event) -> None:
        self.events.append(event)

    def __iter__(self) -> Iterator[Event]:
        return iter(self.events)


def at(file: str, line: int, column: int = 5) -> Place:
    return Place(file=file, line=line, column=column)


SIGN_IN = Planned(
    id="login",
    name="Sign in with a valid account",
    place=at("scenarios/login.yaml", 1, 1),
    tags=("smoke", "auth"),
)
BUY = Planned(id="cart", name="Buy a cup", place=at("scenarios/shop/cart.yaml", 1, 1))
PAY = Planned(id="pay", name="Pay", place=at("scenarios/shop/pay.yaml", 1, 1))

NO_CHANGE = "the tap changed nothing"
NOT_WELCOME = Fault(
    kind=FaultKind.ASSERTION,
    message='"Welcome back" is not on the screen',
    expected='"Welcome back" to be visible within 5s',
    seen="21 labels, none of them\nthe route is still /login",
    details=("nearest labels:", '  text "Welcome"  at 24,80', '  button "Go back"  at 8,40'),
    hint="The dialog over the form may have taken the tap.",
)
NO_APP = Fault(
    kind=FaultKind.APP_GONE,
    message="the app went away",
    details=("The socket was closed without a closing frame.",),
)


def mixed() -> Script:
    """One of each: a scenario that failed, one that passed, one in error, one skipped."""
    script, login, cart = Script(), "scenarios/login.yaml", "scenarios/shop/cart.yaml"
    script.run(SIGN_IN, BUY, PAY)
    script.scenario(SIGN_IN, steps=5)
    script.step("login", "setup.1", "reset_overlays", at(login, 4), 12)
    script.step(
        "login",
        "steps.1",
        'fill "Email"',
        at(login, 6),
        85.4,
        target='textbox "Email" at 24,140',
        effect={"value": "ada@example.com", "verified": True},
        tries=2,
    )
    script.step(
        "login",
        "steps.2",
        'tap "Sign in"',
        at(login, 7),
        340,
        warnings=(NO_CHANGE,),
        remarks=("it looks the same",),
    )
    script.begin("login", "steps.3", 'expect visible "Welcome back"', at(login, 8))
    script.artifact("login", "steps.3", "login/steps.3/failure.png")
    script.end("login", "steps.3", 5012, outcome=Outcome.FAILED, fault=NOT_WELCOME)
    script.artifact(
        "login", "steps.3", "login/steps.3/tree.yaml", kind="snapshot", media_type="text/yaml"
    )
    script.step(
        "login",
        "teardown.1",
        "dismiss_modals",
        at(login, 11),
        9,
        outcome=Outcome.SKIPPED,
        reason="nothing to dismiss",
    )
    script.finish("login", 5458.4, outcome=Outcome.FAILED, fault=NOT_WELCOME, step="steps.3")
    script.scenario(BUY, steps=2)
    script.step("cart", "steps.1", 'tap "Cups"', at(cart, 3), 120)
    script.note("RenderFlex overflowed by 12 pixels", scenario="cart")
    script.step("cart", "steps.2", 'tap "Add to cart"', at(cart, 4), 65_000)
    script.finish("cart", 65_120)
    script.finish("pay", 0, outcome=Outcome.ERROR, fault=NO_APP)
    script.over(Outcome.FAILED)
    return script


def again() -> Script:
    """Two rounds with a retry: flaky in the first; in the second one never passes."""
    script, login, cart = Script(), "scenarios/login.yaml", "scenarios/shop/cart.yaml"
    later = Planned(id="login2", name=SIGN_IN.name, place=SIGN_IN.place, tags=SIGN_IN.tags, round=2)
    twice = Planned(id="cart2", name=BUY.name, place=BUY.place, round=2)
    script.run(SIGN_IN, BUY, later, twice, rounds=2, retries=1, profile="ci", shard="1/3", seed="7")

    def sign_in(identity: str, attempt: int, passes: bool, **fields: Any) -> None:
        planned = SIGN_IN if identity == "login" else later
        script.scenario(planned, steps=1, attempt=attempt, round=planned.round)
        script.begin(identity, "steps.3", 'expect visible "Welcome back"', at(login, 8))
        if passes:
            script.end(identity, "steps.3", 300)
            script.finish(identity, 300, attempt=attempt, **fields)
            return
        script.artifact(identity, "steps.3", f"{identity}-{attempt}/failure.png")
        bad: dict[str, Any] = {"outcome": Outcome.FAILED, "fault": NOT_WELCOME}
        script.end(identity, "steps.3", 5000, **bad)
        script.finish(identity, 5000, step="steps.3", attempt=attempt, **bad, **fields)

    sign_in("login", 1, False, again=True)
    sign_in("login", 2, True, outcome=Outcome.FLAKY)
    script.scenario(BUY, steps=1)
    script.step("cart", "steps.1", 'tap "Cups"', at(cart, 3), 120)
    script.finish("cart", 120)
    sign_in("login2", 1, False, again=True)
    sign_in("login2", 2, False)
    script.scenario(twice, round=2)
    gone: dict[str, Any] = {"outcome": Outcome.ERROR, "fault": NO_APP}
    script.finish("cart2", 0, again=True, **gone)
    script.scenario(twice, steps=1, attempt=2, round=2)
    script.step("cart2", "steps.1", 'tap "Cups"', at(cart, 3), 120)
    script.finish("cart2", 120, outcome=Outcome.FLAKY, attempt=2)
    script.over(Outcome.FAILED)
    return script


def killed() -> list[Event]:
    """The run of `mixed`, killed while its third step was on."""
    return mixed().events[:9]


def hostile() -> Script:
    """A scenario and an app that try to take the terminal over."""
    script, file = Script(), "scenarios/\x1b]0;owned\x07\u202egnp.yaml"
    planned = Planned(id="evil", name="\x1b[2Jgone\r\n\ud800", place=at(file, 1))
    script.run(planned, app="de\x00mo")
    script.scenario(planned, steps=1)
    script.begin("evil", "steps.1", "tap \x9b31m\u2066x\u2069", at(file, 2))
    script.artifact("evil", "steps.1", "a\nb.png")
    fault = Fault(
        kind=FaultKind.REFUSED,
        message="\x1b[31mno\x1b[0m\x08\x08 ]]> \ufffe",
        expected="\ttabs",
        seen="line\rover\x07",
        details=("{x} %s {{ y }}", "\udfff"),
    )
    script.end("evil", "steps.1", 1, outcome=Outcome.FAILED, fault=fault, warnings=("\x1b[5m!",))
    script.finish("evil", 1, outcome=Outcome.FAILED, fault=fault, step="steps.1")
    script.over(Outcome.FAILED)
    return script


def shards() -> list[Event]:
    """Two scenarios that are played at the same time."""
    script = Script()
    script.run(SIGN_IN, BUY)
    script.scenario(SIGN_IN)
    script.scenario(BUY)
    script.begin("login", "steps.1", 'fill "Email"', at("scenarios/login.yaml", 6))
    script.step("cart", "steps.1", 'tap "Cups"', at("scenarios/shop/cart.yaml", 3), 30)
    script.end("login", "steps.1", 40)
    script.finish("cart", 30)
    script.finish("login", 70)
    script.over()
    return script.events


def long(steps: int, *, faulty: tuple[int, ...] = ()) -> Iterator[Event]:
    """One scenario of many steps, made as it is asked for."""
    yield ScenarioStarted(t=0, scenario="a", title="Long", place=at("long.yaml", 1), steps=steps)
    for number in range(1, steps + 1):
        name, place = f"steps.{number}", at("long.yaml", number)
        yield StepStarted(
            t=number,
            scenario="a",
            step=name,
            phase="steps",
            title=f"tap {number}",
            verb="tap",
            place=place,
        )
        bad = number in faulty
        yield StepFinished(
            t=number,
            scenario="a",
            step=name,
            outcome=Outcome.FAILED if bad else Outcome.PASSED,
            duration=1,
            soft=bad,
            fault=Fault(kind=FaultKind.NOT_FOUND, message=f"no {number}") if bad else None,
        )
    outcome = Outcome.FAILED if faulty else Outcome.PASSED
    yield ScenarioFinished(t=steps, scenario="a", outcome=outcome, duration=steps)
    yield RunFinished(t=steps, outcome=outcome, exit_code=int(bool(faulty)), duration=steps)
