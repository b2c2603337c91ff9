"""Events with anything in them that a scenario or an app could have put there."""

from __future__ import annotations

from hypothesis import strategies as st

from tapir_replay.engine.events import (
    EVENTS,
    Artifact,
    Event,
    Fault,
    FaultKind,
    Note,
    Outcome,
    Planned,
    Proposal,
    RunFinished,
    RunStarted,
    ScenarioFinished,
    ScenarioStarted,
    StepFinished,
    StepStarted,
)
from tapir_replay.scenario.place import Place

NASTY = [
    "\x00",
    "\x1b[31mred\x1b[0m",
    "\x1b]0;title\x07",
    "\x9b2J",
    "\r\n",
    "\t",
    "\ud800",
    "\udc00",
    "\ufffe",
    "\uffff",
    "\x85",
    "\u2028",
    "\u202e",
    "]]>",
    "<&\"'",
    "😀",
    "漢字",
    "{{ x }}",
    "%s",
]


def texts(max_size: int = 20) -> st.SearchStrategy[str]:
    """Text with surrogates, and with the sequences that break readers more often than chance."""
    anything = st.text(st.characters(), max_size=max_size)
    return st.one_of(anything, st.lists(st.sampled_from(NASTY), max_size=4).map("".join))


milliseconds = st.floats(min_value=0, max_value=1e8) | st.sampled_from([0.0, 0.4, 999.9])
places = st.builds(Place, file=texts(), line=st.integers(0, 10**6), column=st.integers(0, 10**4))
json_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | texts(8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts(4), inner, max_size=3),
    max_leaves=6,
)


def _tuples(inner: st.SearchStrategy[str]) -> st.SearchStrategy[tuple[str, ...]]:
    return st.lists(inner, max_size=3).map(tuple)


faults = st.builds(
    Fault,
    kind=st.sampled_from(FaultKind),
    message=texts(),
    expected=st.none() | texts(),
    seen=st.none() | texts(),
    details=_tuples(texts()),
    hint=st.none() | texts(),
    proposal=st.none() | st.builds(Proposal, param=texts(), target=texts(), because=texts()),
)
maybe_fault = st.none() | faults
maybe_text = st.none() | texts()
outcomes = st.sampled_from(Outcome)
planned = st.builds(
    Planned,
    id=texts(),
    name=texts(),
    place=places,
    tags=_tuples(texts()),
    round=st.integers(0, 3),
)

by_kind: dict[type[Event], st.SearchStrategy[Event]] = {
    RunStarted: st.builds(
        RunStarted,
        t=milliseconds,
        version=st.integers(1, 3),
        tool=texts(),
        run=texts(),
        started=texts() | st.just("2024-05-01T09:00:00+02:00"),
        app=texts(),
        host=texts(),
        plan=st.lists(planned, max_size=3).map(tuple),
        rounds=st.integers(0, 3),
        retries=st.integers(0, 3),
        project=texts(),
        profile=texts(),
        shard=texts(),
        seed=texts(),
    ),
    ScenarioStarted: st.builds(
        ScenarioStarted,
        t=milliseconds,
        scenario=texts(),
        title=texts(),
        place=places,
        tags=_tuples(texts()),
        app=texts(),
        steps=st.integers(0, 99),
        round=st.integers(0, 3),
        attempt=st.integers(0, 3),
    ),
    StepStarted: st.builds(
        StepStarted,
        t=milliseconds,
        scenario=texts(),
        step=texts(),
        phase=texts(),
        title=texts(),
        verb=texts(),
        place=places,
    ),
    Artifact: st.builds(
        Artifact,
        t=milliseconds,
        scenario=texts(),
        step=texts(),
        kind=texts(),
        path=texts(),
        media_type=texts(),
        on_failure=st.booleans(),
    ),
    StepFinished: st.builds(
        StepFinished,
        t=milliseconds,
        scenario=texts(),
        step=texts(),
        outcome=outcomes,
        duration=milliseconds,
        fault=maybe_fault,
        soft=st.booleans(),
        reason=maybe_text,
        warnings=_tuples(texts()),
        remarks=_tuples(texts()),
        effect=st.none() | st.dictionaries(texts(), json_values, max_size=3),
        target=maybe_text,
        tries=st.integers(1, 9),
    ),
    Note: st.builds(Note, t=milliseconds, scenario=maybe_text, level=texts(), text=texts()),
    ScenarioFinished: st.builds(
        ScenarioFinished,
        t=milliseconds,
        scenario=texts(),
        outcome=outcomes,
        duration=milliseconds,
        reason=maybe_text,
        fault=maybe_fault,
        step=maybe_text,
        attempt=st.integers(0, 3),
        again=st.booleans(),
    ),
    RunFinished: st.builds(
        RunFinished,
        t=milliseconds,
        outcome=outcomes,
        exit_code=st.integers(0, 130),
        duration=milliseconds,
        counts=st.dictionaries(texts(), st.integers(0, 9), max_size=3),
        reason=maybe_text,
    ),
}
assert set(by_kind) == set(EVENTS.values())

events = st.one_of(*by_kind.values())


@st.composite
def runs(draw: st.DrawFn) -> list[Event]:
    """Runs in a fair order, whose texts are anything, and that may stop anywhere."""
    ids = draw(st.lists(texts(), min_size=1, max_size=3, unique=True))
    plan = tuple(Planned(id=i, name=draw(texts()), place=draw(places)) for i in ids)
    told: list[Event] = [
        RunStarted(
            t=0,
            tool=draw(texts()),
            run=draw(texts()),
            started=draw(texts() | st.just("2024-05-01T09:00:00Z")),
            app=draw(texts()),
            host=draw(texts()),
            plan=plan,
        )
    ]
    for each in plan:
        told += draw(_scenario_events(each))
    told.append(draw(by_kind[RunFinished]))
    return told[: draw(st.integers(0, len(told)))] if draw(st.booleans()) else told


@st.composite
def _scenario_events(draw: st.DrawFn, each: Planned) -> list[Event]:
    told: list[Event] = [
        ScenarioStarted(t=1, scenario=each.id, title=each.name, place=each.place, steps=2)
    ]
    steps = draw(st.lists(texts(6), max_size=3))
    for step in steps:
        told.append(
            StepStarted(
                t=2,
                scenario=each.id,
                step=step,
                phase=draw(st.sampled_from(["setup", "steps", "teardown"])),
                title=draw(texts()),
                verb="tap",
                place=draw(places),
            )
        )
        if draw(st.booleans()):
            path = draw(texts() | st.sampled_from(["a.png", "b/a.png", "../a.png"]))
            told.append(
                Artifact(
                    t=2,
                    scenario=each.id,
                    step=step,
                    kind=draw(texts(4)),
                    path=path,
                    media_type="image/png",
                    on_failure=draw(st.booleans()),
                )
            )
        told.append(
            StepFinished(
                t=3,
                scenario=each.id,
                step=step,
                outcome=draw(outcomes),
                duration=draw(milliseconds),
                fault=draw(maybe_fault),
                soft=draw(st.booleans()),
                reason=draw(maybe_text),
                warnings=draw(_tuples(texts())),
                remarks=draw(_tuples(texts())),
                effect=draw(st.none() | st.dictionaries(texts(), json_values, max_size=2)),
                target=draw(maybe_text),
            )
        )
    told.append(Note(t=4, scenario=each.id, level="warning", text=draw(texts())))
    told.append(
        ScenarioFinished(
            t=5,
            scenario=each.id,
            outcome=draw(outcomes),
            duration=draw(milliseconds),
            reason=draw(maybe_text),
            fault=draw(maybe_fault),
            step=draw(st.none() | st.sampled_from(steps or [""])),
            again=draw(st.booleans()),
        )
    )
    return told
