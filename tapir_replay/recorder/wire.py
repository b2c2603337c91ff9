"""Events of a recording, as docs/extended-protocol.md has them. Reading them never fails: what an
event does not say, or says in another way, is not there.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

KIND = "tapir_replay.record"
"""The kind of the events on the stream `Extension`."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A way to find a widget, tried by the app on the screen as it was before the action.

    Attributes:
        by: Predicates of `query`.
        within: Those of the ancestor that was searched in.
        count: How many widgets were found.
        index: Which of them it is, from 0.
    """

    by: Mapping[str, str]
    within: Mapping[str, str] | None
    count: int
    index: int

    @property
    def kind(self) -> str:
        """The selector it belongs to, as the project file names them."""
        return next((each for each in _KINDS if each in self.by), "")


_KINDS = ("key", "identifier", "label", "hint", "tooltip", "text", "value", "role")
"""What a candidate goes by, what tells most first: each but a role may have one beside it."""


@dataclass(frozen=True, slots=True)
class Touched:
    """A widget as it was before the action.

    Attributes:
        state: Whether it is on, for one that can be: None means mixed.
        has_state: Whether it can be on or off at all.
    """

    role: str = ""
    label: str = ""
    hint: str = ""
    tooltip: str = ""
    value: str = ""
    text: str = ""
    key: str = ""
    type: str = ""
    state: bool | None = None
    has_state: bool = False
    obscured: bool = False
    candidates: tuple[Candidate, ...] = ()

    @property
    def words(self) -> str:
        """All it says."""
        return "\n".join((self.label, self.hint, self.tooltip, self.value, self.text))


@dataclass(frozen=True, slots=True)
class Action:
    """Something that a person, or a tool, did.

    Attributes:
        run: The recording it is of.
        seq: Its number in that.
        name: `tap`, `fill`, ...; the verb's name for a tool.
        tool: Whether a verb did it.
        to: Where a drag ended.
        replaces: The actions it stands for from now on.
        data: The whole event.
    """

    run: str
    seq: int
    name: str
    tool: bool
    target: Touched | None
    to: Touched | None
    replaces: tuple[int, ...]
    data: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Shown:
    """A text that appeared or went.

    Attributes:
        count: How many widgets have it now.
        alike: How many texts on the screen are the same but for numbers.
    """

    text: str
    role: str = ""
    key: str = ""
    count: int = 1
    alike: int = 1


@dataclass(frozen=True, slots=True)
class Holds:
    """What the target of an action holds afterwards."""

    value: str = ""
    state: bool | None = None
    has_state: bool = False


@dataclass(frozen=True, slots=True)
class After:
    """What came of an action.

    Attributes:
        run: The recording it is of.
        of: The action's number.
        route: Where the app went; None if it stayed.
        holds: None when the target is gone, or there was none.
    """

    run: str
    seq: int
    of: int
    route: str | None = None
    appeared: tuple[Shown, ...] = ()
    gone: tuple[Shown, ...] = ()
    holds: Holds | None = None

    @property
    def seen(self) -> tuple[object, ...]:
        """What a person saw come of it."""
        return (self.route, self.appeared, self.gone)

    @property
    def is_silent(self) -> bool:
        """Nothing that a person could see came of it."""
        return self.route is None and not self.appeared and not self.gone


def read_event(data: Mapping[str, Any]) -> Action | After | None:
    """One event of a recording; None for something else."""
    run, seq = _text(data, "run"), data.get("seq")
    if not isinstance(seq, int):
        return None
    match data.get("kind"):
        case "action" if isinstance(data.get("action"), str):
            return Action(
                run=run,
                seq=seq,
                name=data["action"],
                tool=data.get("by") == "tool",
                target=_touched(data.get("target")),
                to=_touched(data.get("to")),
                replaces=tuple(each for each in _list(data, "replaces") if isinstance(each, int)),
                data=data,
            )
        case "after" if isinstance(data.get("of"), int):
            return _after(run, seq, data)
    return None


def _after(run: str, seq: int, data: Mapping[str, Any]) -> After:
    route = data.get("route")
    target = data.get("target")
    return After(
        run=run,
        seq=seq,
        of=data["of"],
        route=_text(route, "to") or None if isinstance(route, Mapping) else None,
        appeared=_shown(data, "appeared"),
        gone=_shown(data, "gone"),
        holds=Holds(_text(target, "value"), _state(target), "checked" in target)
        if isinstance(target, Mapping)
        else None,
    )


def _shown(data: Mapping[str, Any], name: str) -> tuple[Shown, ...]:
    return tuple(
        Shown(
            text=_text(each, "text"),
            role=_text(each, "role"),
            key=_text(each, "key"),
            count=_int(each, "count", 1),
            alike=_int(each, "alike", 1),
        )
        for each in _list(data, name)
        if isinstance(each, Mapping) and _text(each, "text")
    )


def _touched(data: Any) -> Touched | None:
    if not isinstance(data, Mapping):
        return None
    return Touched(
        role=_text(data, "role"),
        label=_text(data, "label"),
        hint=_text(data, "hint"),
        tooltip=_text(data, "tooltip"),
        value=_text(data, "value"),
        text=_text(data, "text"),
        key=_text(data, "key"),
        type=_text(data, "type"),
        state=_state(data),
        has_state="checked" in data,
        obscured=data.get("obscured") is True,
        candidates=tuple(
            Candidate(
                by=by,
                within=_predicates(each.get("within")),
                count=_int(each, "count", 0),
                index=_int(each, "index", 0),
            )
            for each in _list(data, "candidates")
            if isinstance(each, Mapping) and (by := _predicates(each.get("by")))
        ),
    )


def _predicates(value: Any) -> dict[str, str] | None:
    if not isinstance(value, Mapping):
        return None
    return {str(name): each for name, each in value.items() if isinstance(each, str)}


def _state(data: Mapping[str, Any]) -> bool | None:
    found = data.get("checked")
    return found if isinstance(found, bool) else None


def _text(data: Mapping[str, Any], name: str) -> str:
    found = data.get(name)
    return found if isinstance(found, str) else ""


def _int(data: Mapping[str, Any], name: str, default: int) -> int:
    found = data.get(name)
    return found if isinstance(found, int) else default


def _list(data: Mapping[str, Any], name: str) -> Sequence[Any]:
    found = data.get(name)
    return found if isinstance(found, list) else ()
