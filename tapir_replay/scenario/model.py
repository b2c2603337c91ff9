"""A checked scenario. Texts may hold templates until they are rendered at the moment of use."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from pathlib import Path, PurePath
from typing import Any

from tapir_replay.scenario.diagnostics import quoted
from tapir_replay.scenario.matchers import Matcher, expression_fault
from tapir_replay.scenario.place import Place
from tapir_replay.scenario.templates import Scope, Template, TemplateError, render, render_text
from tapir_replay.verbs.model import Verb

Text = str | Template

DEFAULT_TIMEOUT = 5.0
"""Seconds to look for a target, and for an `expect` to hold."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """A widget: all that is given must hold."""

    key: Text | None = None
    identifier: Text | None = None
    label: Text | None = None
    hint: Text | None = None
    tooltip: Text | None = None
    text: Text | None = None
    contains: Text | None = None
    matches: Text | None = None
    role: Text | None = None
    value: Text | None = None
    ref: Text | None = None
    within: Target | None = None
    nth: int | Template | None = None

    constant: bool = field(init=False, default=False, compare=False)
    """There is no template in it."""

    def __post_init__(self) -> None:
        parts = (*(getattr(self, name) for name in _TEXTS), self.nth)
        constant = not any(isinstance(part, Template) for part in parts) and (
            self.within is None or self.within.constant
        )
        object.__setattr__(self, "constant", constant)

    def render(self, scope: Scope) -> Target:
        """The same with plain texts."""
        if self.constant:
            return self
        changed: dict[str, Any] = {}
        for name in _TEXTS:
            value = getattr(self, name)
            if isinstance(value, Template):
                changed[name] = render_text(value, scope)
                if name == "matches" and (fault := expression_fault(changed[name])):
                    raise TemplateError(f"{value}: {fault}")
        if isinstance(self.nth, Template):
            changed["nth"] = _whole_number(self.nth.render(scope))
        if self.within is not None:
            changed["within"] = self.within.render(scope)
        return replace(self, **changed)

    def predicates(self) -> dict[str, str]:
        """What must hold of the widget itself, by name; of a rendered target."""
        return {name: value for name in PREDICATES if isinstance(value := getattr(self, name), str)}

    def __str__(self) -> str:
        """As a message names it: `button "Delete" (nth 1) within key task-2`."""
        words = [str(self.role)] if self.role is not None else []
        if self.text is not None:
            words.append(f'"{self.text}"')
        words += [
            f'{name} "{value}"' for name in _NAMED if (value := getattr(self, name)) is not None
        ]
        if self.nth is not None:
            words.append(f"(nth {self.nth})")
        if self.within is not None:
            words.append(f"within {self.within}")
        return " ".join(words)


PREDICATES = (
    "key", "identifier", "label", "hint", "tooltip", "text", "contains", "matches", "role", "value",
)  # fmt: skip
"""What must hold of the widget itself, in the order that people are told of them."""

_TEXTS = (*PREDICATES, "ref")

_NAMED = (
    "label", "hint", "tooltip", "key", "identifier", "contains", "matches", "value", "ref",
)  # fmt: skip
"""What messages name as it is called, in this order."""


def _whole_number(value: Any) -> int:
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    if isinstance(value, str) and value.strip().isdigit():
        return int(value)
    raise ValueError(f"nth must be a whole number, found {value!r}")


@dataclass(frozen=True, slots=True, kw_only=True)
class PathCheck:
    """An assertion on an answer: the value at a path, and all that must hold of it."""

    path: tuple[str, ...]
    matchers: tuple[Matcher, ...]
    place: Place

    def __str__(self) -> str:
        return ".".join(self.path)


@dataclass(frozen=True, slots=True, kw_only=True)
class Golden:
    """A file that the screen is compared with.

    Attributes:
        file: As written; relative to `folder`, which is that of the file it is written in.
        tolerance: Of a picture: the percentage of its pixels that may differ.
        masks: Of a picture: widgets that do not count.
    """

    file: Text
    folder: Path
    tolerance: float = 0.0
    masks: tuple[Target, ...] = ()

    @property
    def path(self) -> Path:
        return self.folder / str(self.file)

    def render(self, scope: Scope) -> Golden:
        file = self.file
        if isinstance(file, Template):
            rendered = render_text(file, scope)
            # What a value may name is kept below the folder, since the file may be written.
            if ".." in PurePath(rendered).parts or PurePath(rendered).is_absolute():
                raise TemplateError(f"{file}: {quoted(rendered)} leads out of the folder")
            file = rendered
        return replace(self, file=file, masks=tuple(each.render(scope) for each in self.masks))


@dataclass(frozen=True, slots=True, kw_only=True)
class Condition:
    """An assertion on the app.

    Attributes:
        kind: `visible`, `gone`, `enabled`, `disabled`, `checked`, `unchecked`, `value`, `text`,
            `count`, `route`, `exceptions`, `log`, `snapshot` or `screenshot`.
        target: For the kinds that are about a widget, or a part of the screen.
        matchers: For `value`, `text`, `count`, `route` and `log`.
        allow: For `exceptions`: texts of errors that do not count.
        level: For `log`: the lowest level that counts.
        golden: For `snapshot` and `screenshot`.
    """

    kind: str
    place: Place
    target: Target | None = None
    matchers: tuple[Matcher, ...] = ()
    allow: tuple[Text, ...] = ()
    level: str | None = None
    golden: Golden | None = None

    def render(self, scope: Scope) -> Condition:
        return replace(
            self,
            target=None if self.target is None else self.target.render(scope),
            matchers=tuple(each.render(scope) for each in self.matchers),
            allow=tuple(render_text(each, scope) for each in self.allow),
            golden=None if self.golden is None else self.golden.render(scope),
        )


When = Template | tuple[Condition, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Contract:
    """What must hold of the time between a step's beginning and its end.

    Attributes:
        log: Lines that the app has to write.
        forbid_log: Lines that it must not write.
        budget: Seconds that the step may take, or a template of a duration.
        place: Of the budget.
    """

    place: Place
    log: tuple[Condition, ...] = ()
    forbid_log: tuple[Condition, ...] = ()
    budget: float | Template | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Allowance:
    """Errors of the app that are known, and do not count.

    Attributes:
        matchers: What holds of their type and message.
        reason: Why they are allowed, as text.
        until: The last day.
    """

    place: Place
    matchers: tuple[Matcher, ...]
    reason: str
    until: date | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ExceptionPolicy:
    """What errors of the app mean: `fail`, `warn` or `ignore`.

    Attributes:
        policy: None where nobody says; it means `warn`.
        allow: The errors that are known.
    """

    policy: str | None = None
    allow: tuple[Allowance, ...] = ()

    def over(self, below: ExceptionPolicy) -> ExceptionPolicy:
        """Both together: this one decides, and what either allows is allowed."""
        return ExceptionPolicy(
            policy=below.policy if self.policy is None else self.policy,
            allow=(*below.allow, *self.allow),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One step.

    Attributes:
        id: Unique in the scenario: `setup.1`, `steps.3`, `teardown.1`.
        args: The verb's parameters as written; targets as `Target`.
        expect: Assertions on the verb's answer.
        conditions: Assertions on the app, of an `expect` step.
        save: Variable names with the path into the answer; of a `use` step, into what the fragment
            gives back.
        timeout: Seconds, or a template of a duration; None for the scenario's.
        body: The steps inside of a `group`, `repeat`, `for_each` or `retry`.
        fragment: What a `use` step uses, and `given` the values for its params.
        contract: What must hold of its time; None for most steps.
    """

    id: str
    verb: Verb
    place: Place
    args: Mapping[str, Any]
    name: Text | None = None
    when: When | None = None
    expect: tuple[PathCheck, ...] = ()
    conditions: tuple[Condition, ...] = ()
    save: tuple[tuple[str, tuple[str, ...]], ...] = ()
    timeout: float | Template | None = None
    soft: bool | Template = False
    optional: bool | Template = False
    secret: bool | Template = False
    body: tuple[Step, ...] = ()
    fragment: Fragment | None = None
    given: Mapping[str, Any] = field(default_factory=dict)
    contract: Contract | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class FragmentParam:
    """What a fragment is given: `default` stands for a value that is not given."""

    name: str
    required: bool
    default: Any = None
    secret: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Returned:
    """What a fragment gives back under a name: a value of templates, made at its end."""

    name: str
    value: Any
    place: Place


@dataclass(frozen=True, slots=True, kw_only=True)
class Fragment:
    """Steps in a file of their own, that other files use.

    Its steps know its params, its secrets, and what the project defines.

    Attributes:
        secrets: Names, to be read as those of the scenario.
        depth: 1, or more when it uses fragments itself.
    """

    name: str
    file: str
    params: tuple[FragmentParam, ...]
    steps: tuple[Step, ...]
    secrets: tuple[str, ...] = ()
    returns: tuple[Returned, ...] = ()
    depth: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Scenario:
    """A checked scenario file.

    Attributes:
        file: As the person named it; `path` is where it is.
        source: The file's text, for snippets.
        secrets: Names, to be read from the environment.
        shared: Names of `vars` and `secrets` that the project defines: fragments know them too.
        case: The variables of its row, for one of several cases.
        timeout: Seconds; see `DEFAULT_TIMEOUT`. `timeout_given`: the file says so itself.
        budget: Seconds that setup and steps may take together.
    """

    name: str
    file: str
    path: Path
    source: str
    place: Place
    steps: tuple[Step, ...]
    setup: tuple[Step, ...] = ()
    on_failure: tuple[Step, ...] = ()
    teardown: tuple[Step, ...] = ()
    description: str = ""
    tags: tuple[str, ...] = ()
    app: str | None = None
    vars: Mapping[str, Any]
    secrets: tuple[str, ...] = ()
    shared: tuple[str, ...] = ()
    case: Mapping[str, Any] | None = None
    timeout: float = DEFAULT_TIMEOUT
    timeout_given: bool = False
    budget: float | None = None
    budget_place: Place | None = None
    exceptions: ExceptionPolicy = ExceptionPolicy()

    @property
    def fragments(self) -> tuple[Fragment, ...]:
        """All fragments that it uses, and that these use, each once."""
        found: dict[int, Fragment] = {}

        def look(steps: tuple[Step, ...]) -> None:
            for step in steps:
                look(step.body)
                if step.fragment is not None and id(step.fragment) not in found:
                    found[id(step.fragment)] = step.fragment
                    look(step.fragment.steps)

        for phase in (self.setup, self.steps, self.on_failure, self.teardown):
            look(phase)
        return tuple(found.values())

    @property
    def step_count(self) -> int:
        """How many steps there are, 0 where that shows only while it is played."""
        steps = (*self.setup, *self.steps, *self.teardown)
        return 0 if any(each.body or each.fragment for each in steps) else len(steps)


_DURATION = re.compile(r"\s*([0-9]+(?:\.[0-9]+)?)\s*(ms|s|m)\s*")
_UNITS = {"ms": 0.001, "s": 1.0, "m": 60.0}


def parse_duration(text: str) -> float:
    """Seconds of `5s`, `300ms`, `1.5m`.

    Raises:
        ValueError: The text is not a duration.
    """
    parts = _DURATION.fullmatch(text)
    if parts is None:
        raise ValueError(f"{quoted(text)} is not a duration such as 5s or 300ms")
    return float(parts[1]) * _UNITS[parts[2]]


def rendered_args(step: Step, scope: Scope) -> dict[str, Any]:
    """The verb's parameters with all templates rendered."""
    return {name: render(value, scope) for name, value in step.args.items()}
