"""Names of templates, titles of steps, exit codes: what a run is told and tells of."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tapir_replay.engine.events import FaultKind, Outcome
from tapir_replay.engine.exits import Exit, exit_of
from tapir_replay.engine.faults import StepFault
from tapir_replay.engine.scope import Random, RunValues, scope_of
from tapir_replay.engine.titles import title_of
from tapir_replay.scenario.load import load_bytes
from tapir_replay.scenario.model import Scenario, rendered_args

RUN = RunValues("run-1", "out")


def scenario(text: str) -> Scenario:
    loaded = load_bytes(text.encode(), "a.yaml", Path("a.yaml"))
    assert loaded.scenario is not None, loaded.diagnostics
    return loaded.scenario


def scope(
    head: str, environ: dict[str, str] | None = None, overrides: dict[str, str] | None = None
) -> tuple[dict[str, Any], list[str]]:
    made = scenario(f"{head}\nsteps: [reset_overlays]\n")
    start = scope_of(made, run=RUN, environ=environ or {}, overrides=overrides or {})
    return start.scope, list(start.secrets)


def test_vars_keep_their_types_and_may_build_on_each_other() -> None:
    names, secrets = scope("vars: {n: 3, on: true, sum: '{{ n * 2 }}', t: 'x{{ sum }}'}")
    assert (names["n"], names["on"], names["sum"], names["t"]) == (3, True, 6, "x6")
    assert names["vars"] == {"n": 3, "on": True, "sum": 6, "t": "x6"}
    assert secrets == []


def test_the_command_line_wins() -> None:
    names, _ = scope("vars: {n: 3, twice: '{{ n }}{{ n }}'}", overrides={"n": "4", "new": "5"})
    assert (names["n"], names["twice"], names["new"]) == ("4", "44", "5")


@pytest.mark.parametrize(
    ("head", "environ", "overrides", "value"),
    [
        ("secrets: [T]", {"T": "env"}, {}, "env"),
        ("secrets: [T]", {"T": "env"}, {"T": "line"}, "line"),
        ("secrets: [T]\nvars: {T: file}", {}, {}, "file"),
        ("secrets: [T]\nvars: {T: file}", {"T": "env"}, {}, "env"),
        ("secrets: [T]\nvars: {T: file}", {"T": "env"}, {"T": "line"}, "line"),
        ("secrets: [T]\nvars: {T: 7}", {}, {}, 7),
    ],
)
def test_where_a_secret_comes_from(
    head: str, environ: dict[str, str], overrides: dict[str, str], value: Any
) -> None:
    names, secrets = scope(head, environ, overrides)
    assert names["T"] == value
    assert secrets == [str(value)]


def test_a_secret_can_be_part_of_a_variable() -> None:
    names, _ = scope("secrets: [T]\nvars: {header: 'Bearer {{ T }}'}", {"T": "abc"})
    assert names["header"] == "Bearer abc"


def test_a_secret_that_is_not_set() -> None:
    with pytest.raises(StepFault) as stopped:
        scope("secrets: [T]")
    assert stopped.value.fault.kind is FaultKind.VALUE


def test_what_is_built_in() -> None:
    names, _ = scope("", {"HOME": "/h"})
    assert names["env"]["HOME"] == "/h"
    assert (names["run"].id, names["run"].dir) == ("run-1", "out")
    assert names["now"].tzinfo is not None


def test_random_is_the_same_for_the_same_run() -> None:
    one, two, other = Random("a"), Random("a"), Random("b")
    assert one.text(12) == two.text(12) != other.text(12)
    assert one.email().endswith("@example.com")
    assert one.digits(9).isdigit()
    assert len(one.uuid()) == 36
    assert {one.int(1, 2) for _ in range(50)} == {1, 2}
    assert one.text(0) == ""


# Titles


@pytest.mark.parametrize(
    ("step", "title"),
    [
        ("reset_overlays", "reset_overlays"),
        ("tap: Sign in", 'tap "Sign in"'),
        ("tap: {target: {role: button, key: x, nth: 2}}", 'tap button key "x" (nth 2)'),
        (
            "tap: {target: {label: Delete, within: {key: row}}}",
            'tap label "Delete" within key "row"',
        ),
        ("tap: {target: A, until: B, untilTimeoutMs: 5}", 'tap "A" until "B"'),
        ("fill: {target: A, text: '{{ 1 + 1 }}'}", 'fill "A" with 2'),
        ("fill: {target: A, text: ''}", 'fill "A" with ""'),
        ("select_option: {target: A, value: M}", 'select_option "A" to "M"'),
        ("set_checkbox: {target: A, value: true}", 'set_checkbox "A" to true'),
        ("drag: {from: A, to: {key: b}}", 'drag from "A" to key "b"'),
        ("navigate: /home", "navigate /home"),
        ("press_key: {key: S, modifiers: [control]}", 'press_key S modifiers ["control"]'),
        ("wait_for: {textGone: A}", 'wait_for textGone "A"'),
        ("screenshot: a.png", "screenshot a.png"),
        ("wait: 300ms", "wait 0.3s"),
        ("expect: {visible: A, gone: {key: b}}", 'expect visible "A", gone key "b"'),
        ("expect: {count: {of: A, gt: 1, lt: 5}}", 'expect count "A" more than 1 less than 5'),
        ("expect: {route: /x, exceptions: none}", 'expect route "/x", exceptions none'),
    ],
)
def test_titles(step: str, title: str) -> None:
    (made,) = scenario(f"steps:\n  - {step}\n").steps
    assert title_of(made, rendered_args(made, {}), made.conditions) == title


def test_a_title_is_not_endless() -> None:
    (made,) = scenario(f"steps:\n  - tap: {'x' * 500}\n").steps
    assert len(title_of(made, made.args)) == 120
    assert title_of(made, made.args).endswith("…")


# Exit codes


@pytest.mark.parametrize("kind", FaultKind)
def test_every_kind_has_a_code(kind: FaultKind) -> None:
    code = exit_of([kind])
    assert code is not Exit.PASSED
    assert (code is Exit.FAILED) == (kind.outcome is Outcome.FAILED)


def test_the_greatest_code_is_given() -> None:
    kinds = [FaultKind.ASSERTION, FaultKind.APP_GONE, FaultKind.VALUE]
    assert exit_of(kinds) is Exit.APP_UNREACHABLE
    assert exit_of([]) is Exit.PASSED
    assert exit_of([*kinds, FaultKind.INTERRUPTED]) is Exit.INTERRUPTED
