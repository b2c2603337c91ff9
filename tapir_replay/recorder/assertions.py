"""What a scenario checks after an action: what a person saw come of it, and will see again."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from tapir_replay.recorder.targets import Named
from tapir_replay.recorder.timeline import Entry
from tapir_replay.recorder.wire import Shown

_LONGEST = 80
_SHORTEST = 2

_SEEN_ANYWAY = frozenset({"scroll", "back", "navigate", "navigate_back", "route"})
"""Actions after which other texts show because the place is another."""

_CARRIES_STATE = frozenset({"tap", "dblclick", "long_press", "key", "drag", "right_click"})


def conditions(entry: Entry, target: Named | None) -> dict[str, Any]:
    """What to expect after an action, as a step `expect` has it; empty when nothing is certain.

    Args:
        entry: The action, and what came of it.
        target: How its widget is named.
    """
    after, action = entry.after, entry.action
    if after is None or action.name == "pick":
        return {}
    expected: dict[str, Any] = {}
    if after.route is not None and action.name not in ("navigate", "route"):
        expected["route"] = after.route
    said = action.target.words if action.target is not None else ""
    said += "\n" + "\n".join(str(action.data.get(name, "")) for name in ("text", "value"))
    is_certain = is_stable(said)
    if action.name != "scroll":
        most = 1 if after.route is not None else 2
        appeared = [each for each in after.appeared if each.count == 1 and is_certain(each.text)]
        texts = [each.text for each in _telling(appeared)[:most]]
        if texts:
            expected["visible"] = texts[0] if len(texts) == 1 else texts
        elif not expected and action.name not in _SEEN_ANYWAY:
            gone = [each for each in after.gone if is_certain(each.text)]
            if gone:
                expected["gone"] = _telling(gone)[0].text
    return {**expected, **_state(entry, target)}


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
