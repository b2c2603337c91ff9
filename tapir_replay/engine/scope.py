"""The names that templates of a scenario can use."""

from __future__ import annotations

import random
import string
import uuid
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Common:
    """What fragments can use besides what they are given.

    Attributes:
        names: What every template can use, and what the project defines.
        vars: Of these, the variables.
        secrets: Of all fragments, by name; each can use those that it declares.
    """

    names: Mapping[str, Any] = field(default_factory=dict)
    vars: Mapping[str, Any] = field(default_factory=dict)
    secrets: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Start:
    """What a scenario begins with.

    Attributes:
        scope: What its templates can use.
        common: What those of its fragments can.
        secrets: Values to be masked.
    """

    scope: dict[str, Any]
    common: Common
    secrets: tuple[str, ...]


def scope_of(
    scenario: Scenario,
    *,
    run: RunValues,
    environ: Mapping[str, str],
    overrides: Mapping[str, str],
    turn: str = "",
) -> Start:
    """What templates can use at the start of a scenario, and the values that are secret.

    Args:
        scenario: Whose `vars` and `secrets`, and those of its fragments.
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
    of_fragments = {name: each.file for each in scenario.fragments for name in each.secrets}
    # What a row of cases says is meant for this one scenario; only the command line knows better.
    set_there = {
        name: environ[name]
        for name in (*scenario.secrets, *of_fragments)
        if name in environ and name not in (scenario.case or {})
    } | {**overrides}
    given = {name: set_there[name] for name in (*scenario.secrets, *overrides) if name in set_there}
    for name in scenario.secrets:
        if name in given:
            scope[name] = given[name]
        elif name not in written:
            raise _not_set(name)
    for name in scenario.case or {}:
        row[name] = given[name] if name in given else render(written[name], scope)
        scope[name] = values[name] = row[name]
    for name in scenario.vars:
        if name not in row:
            values[name] = given[name] if name in given else render(written[name], scope)
            scope[name] = values[name]
    known = {**values, **set_there}
    for name, file in of_fragments.items():
        if name not in known:
            raise _not_set(name, file)
    shared = {name: scope[name] for name in scenario.shared}
    common = Common(
        names={**{name: scope[name] for name in _EVERYWHERE}, **shared},
        vars={name: value for name, value in shared.items() if name in values},
        secrets={name: known[name] for name in of_fragments},
    )
    secrets = texts_in([*(scope[name] for name in scenario.secrets), *common.secrets.values()])
    ahead = secrets_ahead(scenario, scope, common)
    return Start(scope=scope, common=common, secrets=(*secrets, *ahead))


def _not_set(name: str, file: str = "") -> StepFault:
    return StepFault(
        fault(
            FaultKind.VALUE,
            f"the secret {name} is not set" + (f"; {file} needs it" if file else ""),
            hint=f"set the environment variable {name}, or give --env-file",
        )
    )


def secrets_ahead(scenario: Scenario, scope: Mapping[str, Any], common: Common) -> list[str]:
    """Secret params of fragments, as far as they are known before the first step.

    A value that shows before its fragment is used is then masked already.
    """
    phases = (scenario.setup, scenario.steps, scenario.on_failure, scenario.teardown)
    return [secret for steps in phases for secret in _params_in(steps, scope, common)]


def _params_in(steps: Iterable[Step], scope: Mapping[str, Any], common: Common) -> Iterator[str]:
    for step in steps:
        yield from _params_in(step.body, scope, common)
        if step.fragment is not None:
            try:
                inner, secrets = fragment_scope(step.fragment, render(step.given, scope), common)
            except TemplateError:
                continue  # it is made of what is not known yet
            yield from secrets
            yield from _params_in(step.fragment.steps, inner, common)


_EVERYWHERE = ("case", "env", "run", "now", "random")


def fragment_scope(
    fragment: Fragment, given: Mapping[str, Any], common: Common
) -> tuple[dict[str, Any], list[str]]:
    """What the steps of a fragment can use: its params and secrets, and what all fragments can.

    Args:
        fragment: Whose params and secrets.
        given: Values of the params, rendered.
        common: What all fragments of the scenario can use.

    Raises:
        TemplateError: A default cannot be rendered.
    """
    own = {name: common.secrets[name] for name in fragment.secrets}
    scope: dict[str, Any] = {**common.names, **own}
    params: dict[str, Any] = {}
    for param in fragment.params:
        params[param.name] = (
            given[param.name] if param.name in given else render(param.default, {**scope, **params})
        )
    secrets = list(texts_in([params[each.name] for each in fragment.params if each.secret]))
    return {**scope, "vars": {**common.vars, **params}, **params}, secrets
