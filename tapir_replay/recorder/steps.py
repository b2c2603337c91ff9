"""Recorded actions in the language of scenarios."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from tapir_replay.project.schema import SELECTORS
from tapir_replay.recorder import assertions
from tapir_replay.recorder.secrets import Secrets
from tapir_replay.recorder.targets import Choice, Named, choose
from tapir_replay.recorder.timeline import Entry
from tapir_replay.recorder.wire import After, Touched
from tapir_replay.scenario.model import DEFAULT_TIMEOUT
from tapir_replay.scenario.writing import Commented, Step, flow
from tapir_replay.scenario.writing import shortest as short_form
from tapir_replay.verbs.catalogue import BY_NAME
from tapir_replay.verbs.model import Type, Verb

NOT_RECORDED = "not recorded"
"""How a comment begins that stands where a step would."""

_LONGEST_WAIT = 120
"""Seconds; a person who waits longer did something else meanwhile."""

_CARET_KEYS = frozenset({"ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "Home", "End"})

_INTO_A_FIELD = frozenset({"tap", "dblclick", "focus", "fill", "clear"})

_NOT_WRITTEN = frozenset({"includeSnapshot", "snapshot", "reportPoint", "requestId", "timeoutMs"})
"""Parameters of a tool that say what it wanted to hear, and not what it did."""


@dataclass(frozen=True, slots=True)
class _Written:
    """The steps of an entry, for as long as nothing is different that they were made of.

    Attributes:
        entry: What they say, with `after` and `took` as they were.
        asked: All texts in which a secret was looked for.
        used: The secrets in them, by name.
    """

    entry: Entry
    after: After | None
    took: int
    steps: list[Step]
    asked: str
    used: Mapping[str, str]

    def still_holds(self, entry: Entry, renamed: Iterable[str]) -> bool:
        return (
            self.entry is entry
            and self.after is entry.after
            and self.took == entry.took
            and not any(value in self.asked for value in renamed)
        )


@dataclass(slots=True)
class Writer:
    """What all steps of a recording have in common.

    Attributes:
        secrets: Values that are written by their name.
        order: The selectors, best first.
        coordinates: Whether a place is better than nothing.
    """

    secrets: Secrets = field(default_factory=Secrets)
    order: Sequence[str] = SELECTORS
    coordinates: bool = False
    _written: dict[tuple[str, int], _Written] = field(default_factory=dict)

    def steps(self, entries: Sequence[Entry], aside: Sequence[Entry] = ()) -> list[list[Step]]:
        """The steps of each entry; none for one that says nothing of its own.

        Args:
            entries: What was recorded.
            aside: What was done besides: what is secret of that is secret here too.
        """
        renamed = self.secrets.begin(_hidden([*entries, *aside]))
        before, self._written = self._written, {}
        found: list[list[Step]] = []
        for index, entry in enumerate(entries):
            written = before.get(entry.id)
            if written is None or not written.still_holds(entry, renamed):
                written = self._of(entry)
            self._written[entry.id] = written
            says_nothing = _only_leads_to_a_text(entries, index)
            if not says_nothing:
                self.secrets.used |= written.used
            found.append([] if says_nothing else written.steps)
        return found

    def _of(self, entry: Entry) -> _Written:
        """What an entry says, made anew."""
        secrets = self.secrets
        others, secrets.used, secrets.asked = secrets.used, {}, []
        steps = list(self._made_of(entry))
        asked = "\0".join(secrets.asked)
        used, secrets.used = secrets.used, others
        return _Written(entry, entry.after, entry.took, steps, asked, used)

    def _made_of(self, entry: Entry) -> Iterator[Step]:
        made = _MAKERS.get(entry.action.name, _verb)
        steps, target = made(self, entry)
        yield from steps
        expected = assertions.conditions(entry, target, self.secrets.are_in)
        if expected:
            yield {"expect": self.written(expected), **_patience(entry)}

    def name(self, touched: Touched | None) -> Choice | None:
        return None if touched is None else choose(touched, self.order)

    def written(self, value: Any) -> Any:
        """A value as it stands in the file: no text in it is an expression, no secret readable."""
        if isinstance(value, str):
            return self.secrets.text(value)
        if isinstance(value, Mapping):
            # A role is one of a few words, and no place for an expression.
            return {
                key: each if key == "role" else self.written(each) for key, each in value.items()
            }
        if isinstance(value, list):
            return [self.written(each) for each in value]
        return value

    def step(self, verb: str, choice: Choice, **args: Any) -> Step:
        """A step on a widget, with the runner-up of its name beside it."""
        step = short_form({verb: {"target": self.written(choice.target), **args}})
        if choice.other is None:
            return step
        return Commented(step, behind=f"or: {flow(self.written(choice.other))}")


_Made = tuple[list[Step], Named | None]


def _patience(entry: Entry) -> dict[str, str]:
    """More time than a check has by itself, where it took more than half of that."""
    if entry.took <= DEFAULT_TIMEOUT * 500:
        return {}
    return {"timeout": f"{min(_LONGEST_WAIT, math.ceil(entry.took / 1000) * 2)}s"}


def _pointed(verb: str) -> Callable[[Writer, Entry], _Made]:
    def make(writer: Writer, entry: Entry) -> _Made:
        choice = writer.name(entry.action.target)
        if choice is None:
            return [_at_its_place(entry) if writer.coordinates else _nameless(entry)], None
        return [writer.step(verb, choice)], choice.target

    return make


def _tap(writer: Writer, entry: Entry) -> _Made:
    """A tap; on a box that it turned on or off the wish for that, which holds from any state."""
    choice, touched = writer.name(entry.action.target), entry.action.target
    holds = entry.after.holds if entry.after is not None else None
    if choice is None or touched is None or holds is None or touched.role != "checkbox":
        return _pointed("tap")(writer, entry)
    if not holds.has_state or holds.state is None or holds.state == touched.state:
        return _pointed("tap")(writer, entry)
    return [writer.step("set_checkbox", choice, value=holds.state)], None


def _fill(writer: Writer, entry: Entry) -> _Made:
    action = entry.action
    choice, touched = writer.name(action.target), action.target
    text = _text(entry, "text")
    if choice is None or touched is None:
        return [_nameless(entry)], None
    if text == "":
        return [writer.step("clear", choice)], None
    return [writer.step("fill", choice, text=writer.secrets.text(text))], None


def _hidden(entries: Sequence[Entry]) -> Iterator[tuple[str, str]]:
    """What was typed where nobody is to read it, and into what.

    A field that hid its text once is such a field, also where a person has had it shown.
    """
    fields = {
        _identity(touched)
        for entry in entries
        if (touched := entry.action.target) is not None
        and (touched.key or touched.label or touched.hint)
        and _hides(entry, touched)
    }
    for entry in entries:
        touched = entry.action.target
        if touched is None or entry.action.name not in ("fill", "type"):
            continue
        if _hides(entry, touched) or (fields and _identity(touched) in fields):
            yield _text(entry, "text"), touched.label or touched.hint or touched.key


def _hides(entry: Entry, touched: Touched) -> bool:
    return touched.obscured or entry.action.data.get("obscured") is True


def _select(writer: Writer, entry: Entry) -> _Made:
    choice = writer.name(entry.action.target)
    if choice is None:
        return [_nameless(entry)], None
    value = writer.secrets.text(_text(entry, "value"))
    return [writer.step("select_option", choice, value=value)], None


def _key(writer: Writer, entry: Entry) -> _Made:
    """A key, into the widget that had the focus: typing by a step leaves it where it was."""
    steps: list[Step] = []
    focused = entry.action.target
    if focused is not None and focused.role == "textbox" and not entry.action.tool:
        choice = writer.name(focused)
        if choice is not None:
            steps.append(writer.step("focus", choice))
    key: Any = {"key": _text(entry, "key")}
    modifiers = _given(entry, "modifiers")
    listed = modifiers if isinstance(modifiers, list) else []
    held = modifiers.split(",") if isinstance(modifiers, str) else listed
    if held and held != [""]:
        key["modifiers"] = [str(each).strip() for each in held]
    steps.append(short_form({"press_key": key}))
    return steps, None


def _drag(writer: Writer, entry: Entry) -> _Made:
    action = entry.action
    start, end = writer.name(action.target), writer.name(action.to)
    if start is None:
        return [_nameless(entry)], None
    if end is None or end.target == start.target:
        by = {name: _pixels(_given(entry, name)) for name in ("dx", "dy")}
        return [{"drag": {"from": writer.written(start.target), **by}}], None
    return [
        {"drag": {"from": writer.written(start.target), "to": writer.written(end.target)}}
    ], None


def _scroll(writer: Writer, entry: Entry) -> _Made:
    """A scroll, of the first list of the screen where that is all that can be said."""
    if entry.action.tool:
        return _verb(writer, entry)
    by = {name: far for name in ("dx", "dy") if (far := _pixels(_given(entry, name)))}
    choice = writer.name(entry.action.target)
    target = {} if choice is None else {"target": writer.written(choice.target)}
    return [{"scroll": {**target, **by}}] if by else [], None


def _back(_writer: Writer, _entry: Entry) -> _Made:
    return ["press_back"], None


def _route(writer: Writer, entry: Entry) -> _Made:
    return [{"navigate": writer.secrets.text(_text(entry, "route"))}], None


def _pick(writer: Writer, entry: Entry) -> _Made:
    """A check of what a person pointed at: what it holds, else that it shows."""
    touched = entry.action.target
    choice = writer.name(touched)
    if touched is None or choice is None:
        return [_nameless(entry)], None
    return [{"expect": writer.written(_held(touched, choice.target))}], None


def _held(touched: Touched, target: Named) -> dict[str, Any]:
    if touched.has_state and touched.state is not None:
        return {"checked" if touched.state else "unchecked": target}
    if touched.role == "textbox":
        value = {"of": target, "is": touched.value}
        return {"visible": target} if touched.obscured else {"value": value}
    shown = touched.text or touched.label
    if shown and isinstance(target, dict) and not {"text", "label"} & set(target):
        return {"text": {"of": target, "is": shown}}
    return {"visible": target}


def _verb(writer: Writer, entry: Entry) -> _Made:
    """A verb that a tool used, with the parameters it gave."""
    verb = BY_NAME.get(entry.action.name)
    if verb is None:
        return [Commented(None, before=[f"{entry.action.name}: this is no verb"])], None
    args: dict[str, Any] = {}
    choices: list[Choice] = []
    for param, touched in zip(verb.targets, (entry.action.target, entry.action.to), strict=False):
        choice = writer.name(touched)
        if choice is None:
            if param.required:
                return [_nameless(entry)], None
            continue
        choices.append(choice)
        args[param.name] = writer.written(choice.target)
    args |= {name: writer.written(each) for name, each in _params(verb, entry.action.data)}
    if len(choices) == 1 and verb.targets[0].name == "target":
        del args["target"]
        return [writer.step(verb.name, choices[0], **args)], choices[0].target
    return [short_form({verb.name: args}) if args else verb.name], None


def _params(verb: Verb, data: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """The parameters of a call as a scenario has them: the wire knows texts only."""
    given = data.get("params")
    for name, text in given.items() if isinstance(given, Mapping) else ():
        param = next((each for each in verb.params if each.wire_name == name), None)
        if param is None or param.type is Type.TARGET or param.name in _NOT_WRITTEN:
            continue
        value = _of_type(param.type, str(text))
        if value != param.default:
            yield param.name, value


def _of_type(kind: Type, text: str) -> Any:
    match kind:
        case Type.BOOL:
            return text not in ("false", "0")
        case Type.INT | Type.NUMBER:
            try:
                number = float(text)
            except ValueError:
                return text
            return int(number) if number.is_integer() else number
        case Type.TEXTS:
            return [each.strip() for each in text.split(",") if each.strip()]
    return text


def _at_its_place(entry: Entry) -> Step:
    """A tap at a place, which is better than nothing to somebody who asked for it."""
    point = entry.action.data.get("point")
    if entry.action.name != "tap" or not isinstance(point, Mapping):
        return _nameless(entry)
    place = {name: _pixels(point.get(name)) for name in ("x", "y")}
    return Commented({"tap": place}, behind="a place: nothing tells this widget from others")


def _nameless(entry: Entry) -> Step:
    """What cannot be found again is told, and left to the person."""
    action = entry.action
    point = action.data.get("point")
    where = ""
    if isinstance(point, Mapping):
        where = f" at ({point.get('x')}, {point.get('y')})"
    kind = action.target.type if action.target is not None and action.target.type else "nothing"
    why = "nothing tells it from others; give it a key in the app"
    if action.target is not None and choose(action.target) is not None:
        why = "none of the selectors in the project file tells it from others"
    return Commented(None, before=[f"{NOT_RECORDED}: {action.name}{where} on {kind}: {why}"])


def _pixels(given: Any) -> int:
    """A whole number of pixels; 0 for what is none."""
    number = given if isinstance(given, int | float) else 0
    return round(number) if math.isfinite(number) else 0


def _text(entry: Entry, name: str) -> str:
    """A text of the event; an empty one for what is none."""
    given = _given(entry, name)
    return given if isinstance(given, str) else ""


def _given(entry: Entry, name: str) -> Any:
    """A field of the event, or of the parameters that a tool gave."""
    data = entry.action.data
    if name in data:
        return data[name]
    params = data.get("params")
    return params.get(name, "") if isinstance(params, Mapping) else ""


def _only_leads_to_a_text(entries: Sequence[Entry], index: int) -> bool:
    """Whether all that came of an action is in the text that a field holds in the end.

    A tap put the cursor into the field that is filled next, a key moved it, or what was typed is a
    part of what the field holds after more of that.
    """
    entry = entries[index]
    if entry.after is not None and not entry.after.is_silent:
        return False
    if _moves_the_caret(entry):
        return True
    field = entry.action.target
    if field is None or field.role != "textbox" or entry.action.name not in _INTO_A_FIELD:
        return False
    for later in range(index + 1, len(entries)):
        following = entries[later]
        if _moves_the_caret(following):
            continue
        target, name = following.action.target, following.action.name
        if target is None or _identity(target) != _identity(field):
            return False
        if name in ("fill", "clear"):
            return True
        if name not in _INTO_A_FIELD:
            return False
    return False


def _moves_the_caret(entry: Entry) -> bool:
    action = entry.action
    in_a_text = action.target is not None and action.target.role == "textbox"
    return action.name == "key" and in_a_text and _text(entry, "key") in _CARET_KEYS


def _identity(touched: Touched) -> tuple[object, ...]:
    first = touched.candidates[0] if touched.candidates else None
    names = (touched.key, touched.role, touched.label, touched.hint)
    return (*names, first.index if first else 0)


_MAKERS: dict[str, Callable[[Writer, Entry], _Made]] = {
    "tap": _tap,
    "dblclick": _pointed("dblclick"),
    "long_press": _pointed("long_press"),
    "right_click": _pointed("right_click"),
    "fill": _fill,
    "select": _select,
    "key": _key,
    "press_key": _key,
    "drag": _drag,
    "scroll": _scroll,
    "back": _back,
    "route": _route,
    "pick": _pick,
}
