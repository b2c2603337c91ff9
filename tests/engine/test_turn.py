"""Which faults are worth another attempt, and what an attempt's end means."""

from __future__ import annotations

import pytest

from tapir_replay.engine.events import Fault, FaultKind, Outcome, ScenarioFinished, ScenarioStarted
from tapir_replay.engine.runlog import decode, encode
from tapir_replay.engine.turn import Turn

FINAL = {FaultKind.VALUE, FaultKind.UNAVAILABLE, FaultKind.INTERRUPTED, FaultKind.INTERNAL}


@pytest.mark.parametrize("kind", FaultKind)
def test_again(kind: FaultKind) -> None:
    """What another attempt could change, while there is one."""
    fault = Fault(kind=kind, message="no")
    assert Turn(left=1).again(fault) is (kind not in FINAL)
    assert not Turn(left=0).again(fault)
    assert not Turn(left=1).again(None)


def test_only_a_late_pass_is_flaky() -> None:
    late = Turn(left=2).following()
    assert (late.attempt, late.left) == (2, 1)
    assert late.outcome(Outcome.PASSED) is Outcome.FLAKY
    assert late.outcome(Outcome.FAILED) is Outcome.FAILED
    assert Turn(left=2).outcome(Outcome.PASSED) is Outcome.PASSED


def test_logs_from_before_attempts_are_read() -> None:
    """What they do not say has its default; what is played once is logged as before."""
    started = decode(
        '{"event":"scenario_started","t":1,"scenario":"1","title":"a","place":{"file":"a","line":1}}'
    )
    ended = decode(
        '{"event":"scenario_finished","t":1,"scenario":"1","outcome":"passed","duration":1}'
    )
    assert isinstance(started, ScenarioStarted)
    assert (started.round, started.attempt) == (1, 1)
    assert isinstance(ended, ScenarioFinished)
    assert (ended.attempt, ended.again) == (1, False)
    for event in (started, ended):
        for word in ("round", "attempt", "again"):
            assert word not in encode(event)
