"""Steps inside of blocks stand below a heading, once for each block."""

from __future__ import annotations

import io

from tapir_replay.engine.events import Outcome, ScenarioStarted, StepFinished, StepStarted
from tapir_replay.report.console import Console
from tapir_replay.scenario.place import Place

PLACE = Place(file="a.yaml", line=1)


def test_blocks_are_told_once() -> None:
    """A heading comes when a block begins, not with each of its steps; depth is indentation."""
    out = io.StringIO()
    console = Console(out, color=False, env={})
    console.on_event(ScenarioStarted(t=0, scenario="1", title="Blocks", place=PLACE))
    steps = (
        ("setup", "first", ("use sign-in.yaml",)),
        ("setup", "second", ("use sign-in.yaml",)),
        ("steps", "third", ()),
        ("steps", "fourth", ("a group", "repeat, round 1 of 2")),
        ("steps", "fifth", ("a group", "repeat, round 2 of 2")),
    )
    for number, (phase, title, within) in enumerate(steps):
        step = f"{phase}.{number}"
        console.on_event(
            StepStarted(
                t=0,
                scenario="1",
                step=step,
                phase=phase,
                title=title,
                verb="tap",
                place=PLACE,
                within=within,
            )
        )
        console.on_event(
            StepFinished(t=0, scenario="1", step=step, outcome=Outcome.PASSED, duration=1)
        )
    assert out.getvalue().splitlines() == [
        "Blocks  a.yaml:1",
        "  setup: use sign-in.yaml",
        "    ✓ first  1ms",
        "    ✓ second  1ms",
        "  ✓ third  1ms",
        "  a group",
        "    repeat, round 1 of 2",
        "      ✓ fourth  1ms",
        "    repeat, round 2 of 2",
        "      ✓ fifth  1ms",
    ]
