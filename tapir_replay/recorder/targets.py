"""How a recorded widget is named in a scenario: by what is found again, and is readable."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from tapir_replay.project.schema import SELECTORS
from tapir_replay.recorder.wire import Candidate, Touched

Named = str | dict[str, Any]
"""A target as it is written: a text, or a map."""

_MOST = 5
"""The greatest `nth` that is still better than nothing."""

_LONGEST = 80
"""Characters of a text that somebody would write down."""

_MADE_UP = re.compile(
    r"#[0-9a-f]{4,}"  # what identities look like in Flutter: UniqueKey, GlobalKey, ObjectKey
    r"|[0-9a-f]{8}-[0-9a-f]{4}-"  # a GUID
    r"|(?=[0-9a-f]*[0-9])(?=[0-9a-f]*[a-f])[0-9a-f]{12,}"  # a hash
    r"|\d{6,}"  # a time, or a number of a database
    r"|^\d+$"  # a place in a list
    r"|^\[.*\]$|Instance of "
)


@dataclass(frozen=True, slots=True)
class Choice:
    """How a widget is named.

    Attributes:
        target: What is written.
        other: The runner-up, to find it by if the first fails one day; None without one.
    """

    target: Named
    other: Named | None = None


def choose(touched: Touched, order: Sequence[str] = SELECTORS) -> Choice | None:
    """The best name, by the order of preference; None when only its place would tell.

    Args:
        touched: The widget.
        order: Selectors, best first: base kinds (`key`, `label`, ...), and where `within` an
            ancestor and a number (`nth`) come among them. What is not named is not used.
    """
    names: list[Named] = []
    for candidate in _in_order(touched, order):
        name = _written(candidate)
        if name not in names:
            names.append(name)
        if len(names) == 2:
            break
    if not names:
        return None
    return Choice(names[0], names[1] if len(names) > 1 else None)


def _in_order(touched: Touched, order: Sequence[str]) -> Iterator[Candidate]:
    usable = [each for each in touched.candidates if _is_usable(each)]
    bases = [each for each in order if each not in ("within", "nth")]
    inside = [each for each in usable if each.within is not None]
    outside = [each for each in usable if each.within is None]
    for selector in order:
        match selector:
            case "within":
                yield from _of_kinds([each for each in inside if each.count == 1], bases)
            case "nth":
                several = [each for each in usable if each.count > 1 and each.index <= _MOST]
                if "within" not in order:
                    several = [each for each in several if each.within is None]
                yield from _of_kinds(several, [each for each in bases if each != "key"])
            case _:
                yield from _of_kinds([each for each in outside if each.count == 1], [selector])


def _of_kinds(candidates: Sequence[Candidate], kinds: Sequence[str]) -> Iterator[Candidate]:
    for kind in kinds:
        yield from (each for each in candidates if each.kind == kind)


def _is_usable(candidate: Candidate) -> bool:
    given = (candidate.by.get("key"), candidate.by.get("identifier"))
    around = (candidate.within or {}).get("key")
    if any(each is not None and is_made_up(each) for each in (*given, around)):
        return False
    if not all(each.strip() for each in (*candidate.by.values(), around or "-")):
        return False
    return all(
        len(value) <= _LONGEST and "\n" not in value
        for name, value in candidate.by.items()
        if name != "key"
    )


def is_made_up(key: str) -> bool:
    """Whether a key looks like one that is another the next time."""
    return _MADE_UP.search(key) is not None


def _written(candidate: Candidate) -> Named:
    target: dict[str, Any] = dict(candidate.by)
    if candidate.within is not None:
        target["within"] = dict(candidate.within)
    if candidate.count > 1:
        target["nth"] = candidate.index
    return target["text"] if list(target) == ["text"] else target
