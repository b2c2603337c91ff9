"""What an answer is worth: pure functions from a step and an answer to faults and warnings."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from tapir_replay.engine.events import Fault, FaultKind
from tapir_replay.engine.faults import fault
from tapir_replay.scenario.matchers import MISSING, show
from tapir_replay.scenario.model import PathCheck
from tapir_replay.scenario.templates import Scope
from tapir_replay.verbs.model import Unmatched, Verb

Answer = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Verdict:
    """`faults` decide the step; `warnings` are told, `remarks` to those who want to know more."""

    faults: tuple[Fault, ...] = ()
    warnings: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()


def judge(
    verb: Verb, args: Mapping[str, Any], answer: Answer, expect: tuple[PathCheck, ...], scope: Scope
) -> Verdict:
    """Hold an answer against what the step expects, and against what every step expects.

    What a step expects by itself replaces the standing check of that field: with
    `expect: {navigated: false}` an unmatched `navigate` passes.

    Args:
        verb: The verb that was answered.
        args: Its rendered parameters.
        answer: What the app said.
        expect: The step's own assertions.
        scope: For templates in them.
    """
    asked = {".".join(check.path) for check in expect}
    standing = dict(_standing_checks(verb, args, answer))
    faults = list(_own_checks(answer, expect, scope, standing))
    for field, found in standing.items():
        if not asked & {field, *_REPLACED_BY.get(field, ())}:
            faults.append(found)
    return Verdict(
        faults=tuple(faults),
        warnings=tuple(_warnings(answer)),
        remarks=tuple(_remarks(verb, args, answer, asked)),
    )


def value_at(answer: Any, path: tuple[str, ...]) -> Any:
    """The value at a path (`candidates.0.label`); `MISSING` where it does not lead."""
    value = answer
    for index, part in enumerate(path):
        if isinstance(value, Mapping):
            rest = ".".join(path[index:])
            if rest in value:
                return value[rest]
            if part not in value:
                return MISSING
            value = value[part]
        elif isinstance(value, list) and part.lstrip("-").isdigit():
            position = int(part)
            if not -len(value) <= position < len(value):
                return MISSING
            value = value[position]
        else:
            return MISSING
    return value


def _own_checks(
    answer: Answer, expect: tuple[PathCheck, ...], scope: Scope, standing: Mapping[str, Fault]
) -> Iterator[Fault]:
    """What fails of the step's own; where a standing check fails too, its words say more."""
    for check in expect:
        actual = value_at(answer, check.path)
        for matcher in (each.render(scope) for each in check.matchers):
            if matcher.holds(actual):
                continue
            known = standing.get(".".join(check.path))
            if known is not None:
                yield replace(known, place=check.place)
                break
            yield fault(
                FaultKind.ASSERTION,
                f"{check} is not as expected",
                expected=str(matcher),
                seen=show(actual),
                place=check.place,
            )


def _standing_checks(
    verb: Verb, args: Mapping[str, Any], answer: Answer
) -> Iterator[tuple[str, Fault]]:
    """What every step expects of its answer and does not find: the field, and the fault."""
    effect = answer.get("effect")
    if isinstance(effect, Mapping) and effect.get("verified") is False:
        yield "effect.verified", _unverified(verb, args, effect)
    for rule in dict.fromkeys((*verb.unmatched, _NEVER_SHOWED)):
        if answer.get(rule.field) is rule.value:
            yield (
                rule.field,
                fault(
                    FaultKind.UNMATCHED,
                    f"{verb.name}: {rule.says.format_map(_Blank(args))}",
                    expected=f"{rule.field}: {show(not rule.value)}",
                    seen=f"{rule.field}: {show(rule.value)}",
                    details=[*_waited(verb, args, rule), *_reasons(answer)],
                ),
            )


_REPLACED_BY = {"effect.verified": ("effect.value", "effect.after")}
"""Fields that say the same as another, more exactly."""

_NEVER_SHOWED = Unmatched(field="untilMatched", value=False, says='"{until}" did not show in time')
"""Of every action: the runner waits for `until` itself where the app does not."""

_LIMITS = {"untilMatched": "untilTimeoutMs", "matched": "timeoutMs"}


def _waited(verb: Verb, args: Mapping[str, Any], rule: Unmatched) -> list[str]:
    limit = verb.param(_LIMITS.get(rule.field, ""))
    return [f"waited {args.get(limit.name, limit.default)} ms"] if limit is not None else []


def _unverified(verb: Verb, args: Mapping[str, Any], effect: Mapping[str, Any]) -> Fault:
    wanted = "" if verb.name == "clear" else args.get("text", args.get("value"))
    holds = effect.get("value", effect.get("after"))
    details = []
    field = effect.get("target")
    if isinstance(field, Mapping):
        label = field.get("label") or "without a label"
        details.append(f'the field written was "{label}" ({field.get("matchKind", "?")} match)')
    return fault(
        FaultKind.UNVERIFIED,
        f"{verb.name}: the widget does not hold what was asked for",
        expected=show(wanted),
        seen=show(holds),
        details=details,
        hint=_why(wanted, holds),
    )


def _why(wanted: Any, holds: Any) -> str | None:
    """The usual cause, where it shows."""
    if not isinstance(wanted, str) or not isinstance(holds, str) or not wanted:
        return None
    if holds and wanted.startswith(holds):
        first = "character" if len(holds) == 1 else f"{len(holds)} characters"
        return f"the field took only the first {first}"
    if wanted.casefold() == holds.casefold():
        return "the field seems to change the case of what is typed"
    if not holds or (len(holds) < len(wanted) and set(holds) <= set(wanted)):
        return "the field seems to reject some of these characters"
    return None


def _reasons(answer: Answer) -> list[str]:
    """What the app itself says about it."""
    return [
        f"the app says: {answer[name]}"
        for name in ("reason", "error", "diagnostic")
        if answer.get(name) and answer[name] != "timeout"
    ]


def _remarks(verb: Verb, args: Mapping[str, Any], answer: Answer, asked: set[str]) -> Iterator[str]:
    """What is no more than a hint: most buttons look the same after a good tap."""
    effect = answer.get("effect")
    if (
        isinstance(effect, Mapping)
        and effect.get("changed") is False
        and "effect.changed" not in asked
        and answer.get("untilMatched") is not True
        and not args.get("intoView")
    ):
        yield f"{verb.name} changed nothing of its target"


def _warnings(answer: Answer) -> Iterator[str]:
    frames = answer.get("warnings")
    if isinstance(frames, Mapping) and frames.get("framesEnabled") is False:
        yield f"the app draws no frames ({frames.get('lifecycleState')}): {frames.get('hint', '')}"
    if answer.get("reresolved"):
        yield "the ref's widget had gone; one with the same label took its place"
    if "tapPointOutsideOwner" in answer:
        yield "the tap went to the middle of the row, which is not on its control"


class _Blank(dict[str, Any]):
    """Parameters for a message; what was not given is blank."""

    def __missing__(self, key: str) -> str:
        return ""
