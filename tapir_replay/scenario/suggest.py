"""The nearest valid name, or the valid names when none is near."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

_LISTED = 12


def nearest(word: str, known: Iterable[str]) -> str | None:
    """The one name that was probably meant, if any."""
    by_folded = {_fold(name): name for name in known}
    folded = _fold(word)
    if folded in by_folded:
        return by_folded[folded]
    cutoff = 0.75 if len(folded) < 4 else 0.6
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
    return word.casefold().replace("-", "_").replace(" ", "_")
