"""How a verb is described."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum


class Type(StrEnum):
    """What a parameter or a result field holds."""

    TEXT = "text"
    BOOL = "bool"
    INT = "int"
    NUMBER = "number"
    TEXTS = "texts"
    """A list of texts; comma-joined on the wire."""
    TARGET = "target"
    """A widget. In YAML a target, on the wire the ref it resolves to."""
    PATH = "path"
    """A file name below the artifacts of the scenario. Never sent."""
    DURATION = "duration"
    """`5s`, `300ms`. Never sent."""
    STEPS = "steps"
    """Steps to be done inside. Never sent."""
    CONDITION = "condition"
    """Conditions on the app, or one expression. Never sent."""
    FILE = "file"
    """A file to read, relative to the one that names it. Never sent."""
    NAME = "name"
    """A name to keep a value under. Never sent."""
    ANY = "any"
    """Any value. Never sent."""
    OBJECT = "object"
    LIST = "list"


class Dispatch(StrEnum):
    """Who carries a verb out."""

    EXTENSION = "extension"
    """The app: `ext.tapir.<verb>`."""
    COMMAND = "command"
    """Our client: VM Service, hot reload, Chrome DevTools."""
    RUNNER = "runner"
    """The engine itself; nothing of that name is on the wire."""
    TOOL = "tool"
    """A command of Tapir's own command line. Known by name only; it cannot be a step."""


class Effect(StrEnum):
    """The `effect.kind` of an answer: what is read back from the widget after acting."""

    TREE_CHANGED = "treeChanged"
    TEXT = "text"
    SCROLL_OFFSET = "scrollOffset"
    SELECTED = "selected"
    CHECKED = "checked"

    @property
    def verified(self) -> bool:
        """Whether it carries `verified` (held what was wanted) rather than `changed`."""
        return self in (Effect.TEXT, Effect.SELECTED, Effect.CHECKED)


@dataclass(frozen=True, slots=True, kw_only=True)
class Param:
    """One parameter.

    Attributes:
        name: As written in YAML.
        default: What the app uses when it is left out; for people to read.
        wire: Its name on the wire where that differs; `""` for one that is never sent.
    """

    name: str
    type: Type
    doc: str
    required: bool = False
    default: bool | int | float | str | None = None
    choices: tuple[str, ...] = ()
    minimum: float | None = None
    wire: str | None = None

    @property
    def wire_name(self) -> str:
        return self.name if self.wire is None else self.wire


@dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    """One field of a verb's answer; `optional` ones are not in every answer."""

    name: str
    type: Type
    doc: str
    optional: bool = False
    nullable: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Unmatched:
    """An answer that the wire calls a success although nothing came of it.

    Attributes:
        field: The field that tells.
        value: Its value in that case.
        says: What to tell a person; `{param}` are the step's parameters.
    """

    field: str
    value: bool
    says: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Verb:
    """One verb.

    Attributes:
        name: Without prefix.
        summary: One sentence, for hover texts and the reference page.
        short: The parameter that a bare value stands for: `tap: Sign in`.
        any_of: At least one of these must be given.
        effect: What the answer reads back, if it does.
        gated: The app checks actionability first (enabled, size, viewport, stable, hit test).
        action: It changes the app, so `until` makes sense.
        step: It may be a step of a scenario.
        tool: It is one of Tapir's MCP tools.
        open: Its parameters are names of the author's own.
    """

    name: str
    summary: str
    params: tuple[Param, ...] = ()
    results: tuple[Field, ...] = ()
    dispatch: Dispatch = Dispatch.EXTENSION
    short: str | None = None
    any_of: tuple[str, ...] = ()
    effect: Effect | None = None
    unmatched: tuple[Unmatched, ...] = ()
    gated: bool = False
    action: bool = False
    step: bool = True
    tool: bool = True
    open: bool = False

    targets: tuple[Param, ...] = field(init=False, repr=False)
    """The parameters that name a widget."""
    _by_name: dict[str, Param] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        targets = tuple(each for each in self.params if each.type is Type.TARGET)
        object.__setattr__(self, "targets", targets)
        object.__setattr__(self, "_by_name", {each.name: each for each in self.params})

    def param(self, name: str) -> Param | None:
        return self._by_name.get(name)
