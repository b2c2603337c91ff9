"""The names that templates of a scenario can use."""

from __future__ import annotations

import random
import string
import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from tapir_replay.engine.events import FaultKind
from tapir_replay.engine.faults import StepFault, fault
from tapir_replay.scenario.model import Fragment, Scenario
from tapir_replay.scenario.templates import render
from tapir_replay.scenario.values import as_text

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
        self._source = random.Random(seed)  # noqa: S311

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
) -> tuple[dict[str, Any], list[str]]:
    """The scope at the start of a scenario, and the values that are secret.

    Args:
        scenario: Whose `vars` and `secrets`.
        run: About the run.
        environ: The environment, env files included.
        overrides: From the command line; they win over `vars`.

    Raises:
        StepFault: A secret is not set, or a variable cannot be rendered.
    """
    values: dict[str, Any] = {}
    scope: dict[str, Any] = {
        "case": dict(scenario.case or {}),
        "env": dict(environ),
        "run": run,
        "now": datetime.now(UTC).astimezone(),
        "random": Random(run.id + scenario.file),
        "vars": values,
        **overrides,
    }
    given = {name: environ[name] for name in scenario.secrets if name in environ} | {**overrides}
    for name in scenario.secrets:
        if name in given:
            scope[name] = given[name]
        elif name not in scenario.vars:
            raise StepFault(
                fault(
                    FaultKind.VALUE,
                    f"the secret {name} is not set",
                    hint=f"set the environment variable {name}, or give --env-file",
                )
            )
    for name, written in scenario.vars.items():
        values[name] = given[name] if name in given else render(written, scope)
        scope[name] = values[name]
    return scope, [as_text(scope[name]) for name in scenario.secrets]


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
    secrets = [as_text(values[param.name]) for param in fragment.params if param.secret]
    return {**scope, "vars": values, **values}, secrets
