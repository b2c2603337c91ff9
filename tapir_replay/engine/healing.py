"""A widget that is not found may have another name now. Which one is proposed, never used.

What was asked for, and what the recorder wrote beside the step (`# or: ...`), is compared with
every widget on the screen. Only one that is clearly nearer than all others is proposed.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from tapir_replay.app.errors import AppError
from tapir_replay.engine.events import Fault, FaultKind, Proposal
from tapir_replay.engine.faults import StepFault
from tapir_replay.engine.locate import Locator
from tapir_replay.engine.screen import Match
from tapir_replay.scenario.model import Step, Target
from tapir_replay.scenario.writing import flow, literal

_LEAST = 0.6
"""How alike, from 0 to 1, a widget has to be."""

_AHEAD = 0.12
"""By how much more than the next."""

_WEIGHTS = {
    "key": 3.0,
    "identifier": 3.0,
    "label": 3.0,
    "hint": 2.0,
    "tooltip": 3.0,
    "text": 3.0,
    "role": 1.5,
    "value": 0.5,
}

_ALIKE = 0.55
"""How alike two texts are at least that have something to do with one another."""

_MOST = 2000
"""Widgets that are compared; a screen with more of them tells too little."""


async def with_proposal(
    found: Fault, step: Step, args: Mapping[str, Any], locator: Locator, beside: Target | None
) -> Fault:
    """The fault of a step whose widget was not found, with how the scenario could be mended.

    Args:
        found: Why the step did not pass.
        step: The step.
        args: Its rendered parameters.
        locator: Where to look.
        beside: What else is known of the widget.
    """
    if found.kind is not FaultKind.NOT_FOUND:
        return found
    for param in step.verb.targets:
        target = args.get(param.name)
        if not isinstance(target, Target) or not target.constant or target.ref is not None:
            continue
        try:
            if (await locator.find(target)).count:
                continue
            proposal = propose(param.name, target, beside, await locator.listing())
        except (AppError, StepFault):
            return found
        return replace(found, proposal=proposal)
    return found


def propose(
    param: str, wanted: Target, beside: Target | None, shown: Sequence[Match]
) -> Proposal | None:
    """What to write instead of a target that nothing matches; None when nothing is near enough.

    Args:
        param: The parameter that the target is of.
        wanted: The rendered target.
        beside: What else was known of the widget when it was recorded.
        shown: Everything on the screen.
    """
    asked = [each.predicates() for each in (wanted, beside) if each is not None]
    if not any(asked) or len(shown) > _MOST:
        return None
    scored = [(max(_likeness(each, match) for each in asked if each), match) for match in shown]
    scored.sort(key=lambda pair: -pair[0])
    if not scored or scored[0][0] < _LEAST:
        return None
    best = scored[0][1]
    if len(scored) > 1 and scored[1][0] > scored[0][0] - _AHEAD:
        return None
    names = list(_names(best, shown, asked[0]))
    if not names:
        return None
    return Proposal(param=param, target=flow(_written(names[0])), because=_because(best, asked))


def _likeness(asked: dict[str, str], match: Match) -> float:
    """From 0 to 1: how much of what was asked for the widget fulfils, or nearly."""
    total = gained = 0.0
    for name, value in asked.items():
        if name in ("contains", "matches"):
            continue
        weight = _WEIGHTS[name]
        total += weight
        gained += weight * _similarity(name, value, match)
    return gained / total if total else 0.0


def _similarity(name: str, value: str, match: Match) -> float:
    match name:
        case "role":
            return float(match.role == value)
        case "key" | "identifier" | "hint" | "tooltip" | "value":
            held = [getattr(match, name) or ""]
        case _:
            held = [match.label, *(match.text or "").split("\n")]
    ratio = max(_ratio(value, each) for each in held)
    return ratio if ratio >= _ALIKE else 0.0


def _ratio(one: str, other: str) -> float:
    if not one or not other:
        return 0.0
    one, other = one.casefold()[:200], other.casefold()[:200]
    return 1.0 if one == other else 0.95 * difflib.SequenceMatcher(None, one, other).ratio()


def _names(match: Match, shown: Sequence[Match], asked: dict[str, str]) -> Iterator[dict[str, str]]:
    """Names that only this widget has, those first that are like the one it had."""
    first_text = (match.text or "").split("\n")[0]
    candidates: list[dict[str, str]] = []
    if match.key:
        candidates.append({"key": match.key})
    if match.identifier:
        candidates.append({"identifier": match.identifier})
    if match.label:
        candidates += [{"role": match.role, "label": match.label}] if match.role else []
        candidates.append({"text": match.label})
    elif first_text:
        candidates.append({"text": first_text})
    role = {"role": match.role} if match.role else {}
    candidates += [role | {"hint": match.hint}] if match.hint else []
    candidates += [role | {"tooltip": match.tooltip}] if match.tooltip else []
    candidates.sort(key=lambda each: not set(each) & set(asked))
    for each in candidates:
        if sum(_fits(each, other) for other in shown) == 1:
            yield each


def _fits(name: dict[str, str], match: Match) -> bool:
    texts = [match.label, *(match.text or "").split("\n")]
    return all(
        {
            "text": value in texts,
        }.get(predicate, getattr(match, predicate) == value)
        for predicate, value in name.items()
    )


def _written(name: dict[str, str]) -> Any:
    written = {predicate: literal(value) for predicate, value in name.items()}
    return written["text"] if list(written) == ["text"] else written


def _because(match: Match, asked: Sequence[dict[str, str]]) -> str:
    """What is still the same of it, and what is like it."""
    same, alike = [], []
    for each in asked:
        for name, value in each.items():
            if name in ("contains", "matches") or name in same:
                continue
            found = _similarity(name, value, match)
            if found == 1.0:
                same.append(name)
            elif found and name not in alike:
                alike.append(name)
    alike = [each for each in alike if each not in same]
    parts = [f"the same {' and '.join(same)}"] if same else []
    parts += [f"a like {' and '.join(alike)}"] if alike else []
    return ", ".join(parts)
