"""The nearest valid name, or the valid names when none is near."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

_LISTED = 12

_ELSEWHERE = {
    "assert": "expect",
    "asserttrue": "expect",
    "assertvisible": "expect",
    "back": "navigate_back",
    "check": "set_checkbox",
    "click": "tap",
    "doubleclick": "dblclick",
    "doubletap": "dblclick",
    "enter": "fill",
    "entertext": "fill",
    "eq": "is",
    "equal": "is",
    "equals": "is",
    "goback": "navigate_back",
    "goto": "navigate",
    "hidden": "gone",
    "hinttext": "hint",
    "hold": "long_press",
    "id": "key",
    "if": "when",
    "input": "fill",
    "inputtext": "fill",
    "invisible": "gone",
    "longtap": "long_press",
    "max": "lte",
    "min": "gte",
    "name": "label",
    "ne": "not",
    "notvisible": "gone",
    "open": "navigate",
    "placeholder": "hint",
    "press": "tap",
    "regex": "matches",
    "select": "select_option",
    "semanticsidentifier": "identifier",
    "sleep": "wait",
    "swipe": "scroll",
    "tapon": "tap",
    "title": "label",
    "uncheck": "set_checkbox",
    "url": "uri",
    "verify": "expect",
    "visit": "navigate",
}
"""What other tools call our names; folded."""

_ELSEWHERE_TOO = {"url": "route"}
"""The same, where the name above is none of those that count."""


def nearest(word: str, known: Iterable[str]) -> str | None:
    """The one name that was probably meant, if any."""
    by_folded = {_fold(name): name for name in known}
    folded = _fold(word)
    if folded in by_folded:
        return by_folded[folded]
    for table in (_ELSEWHERE, _ELSEWHERE_TOO):
        if (ours := _fold(table.get(folded, ""))) in by_folded:
            return by_folded[ours]
    for swapped, name in by_folded.items():
        if len(swapped) > 2 and sorted(swapped) == sorted(folded):
            return name
    cutoff = 0.75 if len(folded) < 4 else 0.7
    close = difflib.get_close_matches(folded, by_folded, n=1, cutoff=cutoff)
    return by_folded[close[0]] if close else None


def hint(word: str, known: Iterable[str], *, noun: str = "known") -> str:
    """A sentence for a diagnostic's hint: a guess, else the list."""
    names = sorted(known)
    guess = nearest(word, names)
    if guess is not None:
        return f'did you mean "{guess}"?'
    if not names:
        return ""
    listed = ", ".join(names[:_LISTED]) + (", ..." if len(names) > _LISTED else "")
    return f"{noun}: {listed}"


def _fold(word: str) -> str:
    folded = word.casefold()
    return folded.replace("-", "").replace("_", "").replace(" ", "")
