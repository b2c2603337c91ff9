"""The names that templates of a scenario can use."""

from __future__ import annotations

import random
import string
import uuid
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from tapir_replay.engine.events import FaultKind
from tapir_replay.engine.faults import StepFault, fault
from tapir_replay.engine.redact import texts_in
from tapir_replay.scenario.model import Fragment, Scenario, Step
from tapir_replay.scenario.templates import TemplateError, render

_Int = int
"""`Random.int` hides the name in its class."""


@dataclass(frozen=True, slots=True)
class RunValues:
    """`run` in a template: `{{ run.id }}`, `{{ run.dir }}`."""

    id: str
    dir: str


class Random:
    """`random` in a template: `{{ random.int(1, 6) }}`, `{{ random.text(8) }}`."""

    def __init__(self, seed: str) -> None:
        # The names of files and scenarios may hold lone surrogates.
        self._source = random.Random(seed.encode("utf-8", "surrogatepass"))  # noqa: S311

    def int(self, low: _Int, high: _Int) -> _Int:
        """A whole number between the two, both included."""
        return self._source.randint(low, high)

    def text(self, length: _Int = 8) -> str:
        """Small letters and digits."""
        return self._of(string.ascii_lowercase + string.digits, length)

    def digits(self, length: _Int = 6) -> str:
        return self._of(string.digits, length)

    def email(self) -> str:
        return f"{self.text(10)}@example.com"

    def uuid(self) -> str:
        return str(uuid.UUID(int=self._source.getrandbits(128), version=4))

    def _of(self, letters: str, length: _Int) -> str:
        return "".join(self._source.choice(letters) for _ in range(min(length, 10_000)))


def scope_of(
    scenario: Scenario,
    *,
    run: RunValues,
    environ: Mapping[str, str],
    overrides: Mapping[str, str],
    turn: str = "",
) -> tuple[dict[str, Any], list[str]]:
    """The scope at the start of a scenario, and the values that are secret.

    Args:
        scenario: Whose `vars` and `secrets`.
        run: About the run.
        environ: The environment, env files included.
        overrides: From the command line; they win over `vars`.
        turn: Which time it is played: `random` gives other values each time.

    Raises:
        StepFault: A secret is not set, or a variable cannot be rendered.
    """
    values: dict[str, Any] = {}
    row: dict[str, Any] = {}
    scope: dict[str, Any] = {
        "case": row,
        "env": dict(environ),
        "run": run,
        "now": datetime.now(UTC).astimezone(),
        "random": Random(f"{run.id} {scenario.file} {scenario.name} {turn}"),
        "vars": values,
        **overrides,
    }
    written = {**scenario.vars, **(scenario.case or {})}
    # What a row of cases says is meant for this one scenario; only the command line knows better.
    given = {
        name: environ[name]
        for name in scenario.secrets
        if name in environ and name not in (scenario.case or {})
    } | {**overrides}
    for name in scenario.secrets:
        if name in given:
            scope[name] = given[name]
        elif name not in written:
            raise StepFault(
                fault(
                    FaultKind.VALUE,
                    f"the secret {name} is not set",
                    hint=f"set the environment variable {name}, or give --env-file",
                )
            )
    for name in scenario.case or {}:
        row[name] = given[name] if name in given else render(written[name], scope)
        scope[name] = values[name] = row[name]
    for name in scenario.vars:
        if name not in row:
            values[name] = given[name] if name in given else render(written[name], scope)
            scope[name] = values[name]
    secrets = list(texts_in([scope[name] for name in scenario.secrets]))
    return scope, [*secrets, *secrets_ahead(scenario, scope)]


def secrets_ahead(scenario: Scenario, scope: Mapping[str, Any]) -> list[str]:
    """Secret params of fragments, as far as they are known before the first step.

    A value that shows before its fragment is used is then masked already.
    """
    phases = (scenario.setup, scenario.steps, scenario.on_failure, scenario.teardown)
    return [secret for steps in phases for secret in _params_in(steps, scope)]


def _params_in(steps: Iterable[Step], scope: Mapping[str, Any]) -> Iterator[str]:
    for step in steps:
        yield from _params_in(step.body, scope)
        if step.fragment is not None:
            try:
                inner, secrets = fragment_scope(step.fragment, render(step.given, scope), scope)
            except TemplateError:
                continue  # it is made of what is not known yet
            yield from secrets
            yield from _params_in(step.fragment.steps, inner)


_EVERYWHERE = ("case", "env", "run", "now", "random")


def fragment_scope(
    fragment: Fragment, given: Mapping[str, Any], outer: Mapping[str, Any]
) -> tuple[dict[str, Any], list[str]]:
    """What the steps of a fragment can use: its params, and what every template can.

    Args:
        fragment: Whose params.
        given: Their values, rendered.
        outer: The scope of the step that uses it.

    Raises:
        TemplateError: A default cannot be rendered.
    """
    scope: dict[str, Any] = {name: outer[name] for name in _EVERYWHERE}
    values: dict[str, Any] = {}
    for param in fragment.params:
        values[param.name] = (
            given[param.name] if param.name in given else render(param.default, {**scope, **values})
        )
    secrets = list(texts_in([values[each.name] for each in fragment.params if each.secret]))
    return {**scope, "vars": values, **values}, secrets
