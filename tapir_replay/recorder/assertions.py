"""What a scenario checks after an action: what a person saw come of it, and will see again."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from tapir_replay.recorder.targets import Named, is_made_up
from tapir_replay.recorder.timeline import Entry
from tapir_replay.recorder.wire import After, Shown

_LONGEST = 80
_SHORTEST = 2
_WORDY = 3
"""Letters in a text beside its numbers, so that it is not taken for any other."""

_CONTROLS = frozenset({"button", "link", "textbox", "checkbox"})

_SEEN_ANYWAY = frozenset({"scroll", "back", "press_back", "navigate", "navigate_back", "route"})
"""Actions after which other texts show because the place is another."""

_CARRIES_STATE = frozenset({"tap", "dblclick", "long_press", "key", "drag", "right_click"})


def conditions(
    entry: Entry, target: Named | None, is_secret: Callable[[str], bool] = lambda _: False
) -> dict[str, Any]:
    """What to expect after an action, as a step `expect` has it; empty when nothing is certain.

    Args:
        entry: The action, and what came of it.
        target: How its widget is named.
        is_secret: Whether a secret stands in a text: it can be written by its name, but not as a
            part of an expression.
    """
    after, action = entry.after, entry.action
    if after is None or action.name == "pick":
        return {}
    expected: dict[str, Any] = {}
    if after.route is not None and action.name not in ("navigate", "route"):
        expected["route"] = after.route if is_secret(after.route) else _route(entry, after.route)
    if action.name != "scroll":
        texts = _texts(entry)
        stays = not expected and action.name not in _SEEN_ANYWAY
        if texts:
            expected["visible"] = texts[0] if len(texts) == 1 else texts
        elif stays and (gone := _gone(entry)) is not None:
            expected["gone"] = gone
        elif stays and (pattern := _pattern(entry, is_secret)) is not None:
            expected["visible"] = {"matches": pattern}
    return {**expected, **_state(entry, target)}


def _texts(entry: Entry) -> list[str]:
    """Texts that appeared and tell what came of the action, at most two."""
    after = entry.after
    assert after is not None
    stable = is_stable(_said(entry))
    found = [each for each in _appeared(after) if stable(each.text)]
    if after.route is None:
        return [each.text for each in found[:2]]
    # Where the app went is told by the route; one heading or text makes it plain.
    return [each.text for each in found if each.role not in _CONTROLS][:1]


def _gone(entry: Entry) -> str | None:
    """A text that went: a row that was deleted, a dialog that was closed."""
    assert entry.after is not None
    stable = is_stable(_said(entry))
    gone = _telling([each for each in entry.after.gone if stable(each.text)])
    return gone[0].text if gone else None


def _route(entry: Entry, route: str) -> str | dict[str, str]:
    """Where the app went: an address with something made up in it for anything in that place."""
    known = set(_numbers(_said(entry)))
    parts = re.split(r"([/?&=#]+)", route)
    is_new = [each not in known and is_made_up(each) for each in parts]
    if not any(is_new):
        return route
    pattern = "".join(
        r"[^/?&=#]+" if new else _escaped(part) for part, new in zip(parts, is_new, strict=True)
    )
    return {"matches": f"^{pattern}$".replace(r"\/", "/")}  # no app ever reads it


def _pattern(entry: Entry, is_secret: Callable[[str], bool]) -> str | None:
    """A text with a number in it, for any number: better than nothing to wait for."""
    assert entry.after is not None
    for each in _appeared(entry.after):
        if each.role in _CONTROLS or each.alike > 1 or is_secret(each.text):
            continue
        pattern = pattern_of(each.text)
        # A count that was there under another number before is there at once.
        if pattern and not any(re.search(pattern, gone.text) for gone in entry.after.gone):
            return pattern
    return None


def _appeared(after: After) -> list[Shown]:
    return _telling([each for each in after.appeared if each.count == 1])


def _said(entry: Entry) -> str:
    """What was touched and typed."""
    action = entry.action
    typed = [str(action.data.get(name, "")) for name in ("text", "value")]
    return "\n".join([action.target.words if action.target is not None else "", *typed])


def pattern_of(text: str) -> str | None:
    """A text as an expression for any numbers; None if little else is in it, or it is made up."""
    parts = re.split(r"[0-9]+", text)
    if sum(each.isalpha() for each in "".join(parts)) < _WORDY or not is_stable(text)(text):
        return None
    if re.search(r"\d[^\W\d]|[^\W\d]\d", text):
        return None
    return "^" + "[0-9]+".join(map(_escaped, parts)) + "$"


def _escaped(text: str) -> str:
    """What a regular expression of Dart and of Python takes as it is."""
    return re.sub(r"[\\^$.*+?()\[\]{}|/]", r"\\\g<0>", text)


def _state(entry: Entry, target: Named | None) -> dict[str, Any]:
    """A control that was turned on or off by a tap, where that is not what the step itself says."""
    action, after = entry.action, entry.after
    touched = action.target
    if target is None or touched is None or after is None or after.holds is None:
        return {}
    holds = after.holds
    if action.name not in _CARRIES_STATE or not touched.has_state or not holds.has_state:
        return {}
    if holds.state is None or holds.state == touched.state:
        return {}
    return {"checked" if holds.state else "unchecked": target}


def _telling(shown: Sequence[Shown]) -> list[Shown]:
    """Those that tell most first: a heading, what has a key, a text, and controls at last."""

    def rank(each: Shown) -> int:
        if each.role == "heading":
            return 0
        if each.role == "":
            return 1 if each.key else 2
        return 3

    return sorted(shown, key=rank)


def is_stable(said: str) -> Callable[[str], bool]:
    """Whether a text will be the same the next time, by its looks.

    One with a number in it is a count, a time, or something made up, unless what was touched or
    typed had the same number.

    Args:
        said: What was touched and typed.
    """
    numbers = set(_numbers(said))

    def stable(text: str) -> bool:
        return (
            _SHORTEST <= len(text) <= _LONGEST
            and text == text.strip()
            and text.isprintable()
            and set(_numbers(text)) <= numbers
        )

    return stable


def _numbers(text: str) -> Iterable[str]:
    return re.findall(r"\d+", text)
