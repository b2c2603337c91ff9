"""Targets to widgets. All predicates of a target must hold, and one widget must be left.

Two ways of asking, one result. `QueryLocator` uses our plugin's `query`, which answers everything
at once. `WireLocator` makes do with the public verbs: `find` knows one predicate, `observe` lists
interactive widgets without keys, `snap` prints plain texts without places; together they tell.
"""

from __future__ import annotations

import difflib
import re
from dataclasses import dataclass, replace
from typing import Any, Protocol

from tapir_replay.app.errors import VerbRefused, VerbUnavailable
from tapir_replay.app.interface import QUERY, QUERY_MORE, App
from tapir_replay.engine.events import FaultKind
from tapir_replay.engine.faults import StepFault, fault
from tapir_replay.engine.screen import Bounds, Match, bounds_of, match_of, texts_of
from tapir_replay.scenario.model import Target

_LISTED = 20
_EVERYTHING = "1000"

_MORE = ("identifier", "hint", "tooltip")
"""Predicates of the capability `query.more`."""


@dataclass(frozen=True, slots=True)
class Found:
    """What satisfies a target: the true number, and the first ones in tree order."""

    count: int
    matches: tuple[Match, ...]


NOTHING = Found(0, ())


class Locator(Protocol):
    async def find(self, target: Target, *, detailed: bool = True) -> Found:
        """Every widget that satisfies a rendered target now; `nth` is not applied.

        Args:
            target: What to look for.
            detailed: Tell what the app tells of the widgets. Without, a ref may be all there is,
                which is enough to act and may take fewer questions.
        """

    async def listing(self) -> tuple[Match, ...]:
        """What the screen shows, for messages."""


def locator_for(app: App) -> Locator:
    return QueryLocator(app) if QUERY in app.capabilities else WireLocator(app)


async def resolve(locator: Locator, target: Target, *, detailed: bool = False) -> Match:
    """The one widget that a rendered target stands for, now.

    Args:
        locator: Where to look.
        target: What to look for.
        detailed: See `Locator.find`.

    Raises:
        StepFault: There is none, or more than one.
    """
    if target.ref is not None:
        return Match(ref=str(target.ref))
    found = await locator.find(target, detailed=detailed)
    if target.nth is not None:
        index = int(str(target.nth))
        if index < len(found.matches):
            return found.matches[index]
        raise await _missing(locator, target, found)
    if found.count == 1:
        return found.matches[0]
    if found.count == 0:
        raise await _missing(locator, target, found)
    raise _ambiguous(target, found)


async def _missing(locator: Locator, target: Target, found: Found) -> StepFault:
    if target.nth is not None and found.count:
        message = f"there is no {target}: only {found.count} match"
        return StepFault(
            fault(FaultKind.NOT_FOUND, message, details=_candidates(found)), passing=True
        )
    shown = await locator.listing()
    wanted = [value for value in target.predicates().values() if value]
    near = _nearest(wanted, shown)
    details = ["nearest on screen:", *(f"  {each}" for each in near)] if near else []
    return StepFault(
        fault(
            FaultKind.NOT_FOUND,
            f"nothing on screen matches {target}",
            details=[*details, f"{len(shown)} widgets were looked at"],
        ),
        passing=True,
    )


def _refuse(target: Target, advice: str) -> None:
    """Stop at predicates that the app cannot answer.

    Raises:
        StepFault: There is one.
    """
    unknown = [name for name in _MORE if name in target.predicates()]
    if unknown:
        message = f"the app cannot tell a widget's {' or '.join(unknown)}: {target}"
        raise StepFault(fault(FaultKind.UNAVAILABLE, message, hint=advice))


def _ambiguous(target: Target, found: Found) -> StepFault:
    return StepFault(
        fault(
            FaultKind.AMBIGUOUS,
            f"{found.count} widgets match {target}; one is wanted",
            details=_candidates(found),
            hint="say more about it (role, key, within), or choose one with nth",
        ),
        passing=True,
    )


def _candidates(found: Found) -> list[str]:
    lines = [f"  {index}: {each}" for index, each in enumerate(found.matches)]
    more = found.count - len(found.matches)
    return ["candidates:", *lines, *([f"  ... and {more} more"] if more > 0 else [])]


def _nearest(wanted: list[str], shown: tuple[Match, ...]) -> list[str]:
    """The widgets with a name that looks most like what was asked for; all if few."""
    scored = []
    for each in shown:
        names = [
            name
            for name in (
                each.label, each.text, each.key, each.value,
                each.identifier, each.hint, each.tooltip,
            )
            if name
        ]  # fmt: skip
        score = max(
            (
                difflib.SequenceMatcher(None, want.casefold(), name.casefold()[:200]).ratio()
                for want in wanted
                for name in names
            ),
            default=0.0,
        )
        scored.append((score, str(each)))
    close = sorted((pair for pair in scored if pair[0] >= 0.5), key=lambda pair: -pair[0])[:5]
    return [name for _, name in close or scored[:8]]


class QueryLocator:
    """Asks `ext.tapir_replay.query`."""

    def __init__(self, app: App) -> None:
        self._app = app

    async def find(self, target: Target, *, detailed: bool = True) -> Found:  # noqa: ARG002
        if QUERY_MORE not in self._app.capabilities:
            _refuse(target, "the tapir_replay plugin in the app is too old: update it")
        params = target.predicates()
        if target.within is not None:
            params["within"] = (await resolve(self, target.within)).ref
        nth = int(str(target.nth)) if target.nth is not None else 0
        if nth >= _LISTED:
            params["limit"] = str(nth + 1)
        return await self._query(params)

    async def listing(self) -> tuple[Match, ...]:
        return (await self._query({"limit": _EVERYTHING})).matches

    async def _query(self, params: dict[str, str]) -> Found:
        answer = await self._app.call(QUERY, params)
        nodes = answer.get("nodes", ())
        return Found(int(answer.get("count", len(nodes))), tuple(match_of(each) for each in nodes))


_FIND_NAMES = {
    "key": "key",
    "label": "semanticsLabel",
    "text": "text",
}
"""Predicates that `find` counts the matches of; of `contains` it tells the first only."""


class WireLocator:
    """Asks `find`, `observe`, `snap` and the geometry of `screenshot`."""

    def __init__(self, app: App) -> None:
        self._app = app

    async def find(self, target: Target, *, detailed: bool = True) -> Found:
        _refuse(target, "install the tapir_replay plugin in the app")
        predicates = target.predicates()
        scope = None
        if target.within is not None:
            scope = await self._bounds(await resolve(self, target.within))
            if scope is None:
                raise StepFault(
                    fault(
                        FaultKind.UNAVAILABLE,
                        f"the app does not tell where {target.within} is",
                        hint="install the tapir_replay plugin in the app",
                    )
                )
        if "key" in predicates:
            return await self._by_key(predicates, scope, detailed=detailed)
        if not detailed and scope is None and target.nth is None:
            quick = await self._by_find(predicates)
            if quick is not None:
                return quick
        return await self._by_survey(predicates, scope)

    async def listing(self) -> tuple[Match, ...]:
        candidates = await self._candidates()
        return (*candidates, *(each for each in await self._texts() if not each.role))

    async def _by_find(self, predicates: dict[str, str]) -> Found | None:
        """One round trip for the common case: one predicate, one match."""
        if len(predicates) != 1:
            return None
        ((name, value),) = predicates.items()
        if name not in _FIND_NAMES or not value:
            return None
        answer = await self._app.call("find", {_FIND_NAMES[name]: value})
        if not answer.get("matched"):
            return NOTHING
        if answer.get("matchCount", 2) != 1:
            return None
        return Found(1, (Match(ref=str(answer["ref"]), label=value),))

    async def _by_key(
        self, predicates: dict[str, str], scope: Bounds | None, *, detailed: bool
    ) -> Found:
        """At most one: the wire tells of the first widget with a key only."""
        rest = {name: value for name, value in predicates.items() if name != "key"}
        params = {"key": predicates["key"]}
        answer = await self._app.call("find", params)
        if not answer.get("matched"):
            return NOTHING
        match = Match(ref=str(answer["ref"]), key=predicates["key"])
        if not rest and scope is None and not detailed:
            return Found(1, (match,))
        match = await self._detailed(match)
        if scope is not None and not (match.bounds and scope.holds(match.bounds)):
            return NOTHING
        if not _satisfies(match, rest) and not (
            match.text is not None and _text_satisfies(match.text, rest)
        ):
            return NOTHING
        return Found(1, (match,))

    async def _by_survey(self, predicates: dict[str, str], scope: Bounds | None) -> Found:
        candidates = await self._candidates()
        nodes = candidates
        if not predicates.keys() & {"role", "value"}:
            nodes = _merged(candidates, await self._texts())
        matches = [each for each in nodes if _satisfies(each, predicates)]
        if not matches and "label" not in predicates:
            # The words of several `Text`s that became one label, a line each.
            matches = [
                each for each in nodes if _text_satisfies(each.text or each.label, predicates)
            ]
        if any(not each.label for each in matches):
            matches = await self._with_snapshot_refs(matches, candidates)
        matches = [each if each.ref else await self._with_ref(each) for each in matches]
        if scope is not None:
            matches = [each for each in matches if each.bounds and scope.holds(each.bounds)]
        return Found(len(matches), tuple(matches[: _LISTED * 50]))

    async def _with_snapshot_refs(
        self, matches: list[Match], candidates: list[Match]
    ) -> list[Match]:
        """`observe` has no lasting ref for a widget without a label; the snapshot has.

        Both list the same widgets in the same order, so the n-th unlabelled one of a role in the
        one is the n-th in the other.
        """
        nameless = {
            role: [each.ref for each in await self._texts() if each.role == role and not each.label]
            for role in {each.role for each in matches if not each.label}
        }
        placed = []
        for match in matches:
            peers = [each for each in candidates if each.role == match.role and not each.label]
            refs = nameless.get(match.role, [])
            if not match.label and len(refs) == len(peers):
                match = replace(match, ref=refs[peers.index(match)])  # noqa: PLW2901
            placed.append(match)
        return placed

    async def _with_ref(self, line: Match) -> Match:
        answer = await self._app.call("find", {"text": line.text or ""})
        if not answer.get("matched"):
            return line
        placed = replace(line, ref=str(answer["ref"]))
        return replace(placed, bounds=await self._bounds(placed))

    async def _detailed(self, match: Match) -> Match:
        """The same with what `observe` tells of the widget at that place, and its text."""
        bounds = await self._bounds(match)
        if bounds is None:
            return replace(match, text=await self._text_in(match))
        for each in await self._candidates():
            if each.bounds is not None and each.bounds.near(bounds):
                return replace(each, ref=match.ref, key=match.key)
        return replace(match, bounds=bounds, text=await self._text_in(match))

    async def _text_in(self, match: Match) -> str | None:
        """The text of a keyed widget: `find` with key and text says whether one is in the other."""
        if match.key is None:
            return None
        inside = []
        for each in await self._texts():
            name = each.text or each.label
            if name and name not in inside:
                answer = await self._app.call("find", {"key": match.key, "text": name})
                if answer.get("matched"):
                    inside.append(name)
        return "\n".join(inside) if inside else None

    async def _candidates(self) -> list[Match]:
        answer = await self._app.call(
            "observe", {"limit": _EVERYTHING, "includeEnrichers": "false"}
        )
        return [match_of(each) for each in answer.get("candidates", ())]

    async def _texts(self) -> list[Match]:
        answer = await self._app.call("snap")
        return texts_of(str(answer.get("snapshot", "")))

    async def _bounds(self, match: Match) -> Bounds | None:
        if match.bounds is not None:
            return match.bounds
        try:
            answer = await self._app.call("screenshot", {"ref": match.ref, "geometry": "true"})
        except (VerbRefused, VerbUnavailable):
            return None
        return bounds_of(answer.get("rect"))


def _merged(candidates: list[Match], lines: list[Match]) -> list[Match]:
    """The candidates and the plain texts of a snapshot, in tree order.

    The snapshot has a line for each candidate, in the same order; where the screen changed in
    between, the texts come last.
    """
    texts = [each for each in lines if not each.role]
    with_role = [each for each in lines if each.role]
    same = [(each.role, each.label) for each in candidates]
    if same != [(each.role, each.label) for each in with_role]:
        return [*candidates, *texts]
    rest = iter(candidates)
    return [next(rest) if each.role else each for each in lines]


def _satisfies(match: Match, predicates: dict[str, str]) -> bool:
    """Whether a candidate of `observe` satisfies all predicates but `key`."""
    tests: dict[str, Any] = {
        "label": match.label,
        "text": match.label,
        "role": match.role,
        "value": match.value or "",
    }
    for name, wanted in predicates.items():
        if name in tests and tests[name] != wanted:
            return False
        if name == "contains" and wanted not in match.label:
            return False
        if name == "matches" and not re.search(wanted, match.label):
            return False
    return True


def _text_satisfies(text: str, predicates: dict[str, str]) -> bool:
    """Whether a plain text satisfies predicates that are about text only."""
    for name, wanted in predicates.items():
        if name == "text" and wanted not in (text, *text.split("\n")):
            return False
        if name == "contains" and wanted not in text:
            return False
        if name == "matches" and not re.search(wanted, text):
            return False
        if name in ("label", "role", "value"):
            return False
    return True
