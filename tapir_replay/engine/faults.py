"""Why a step stops: an exception inside the engine, a `Fault` in the log."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import PurePath

from tapir_replay.app import errors
from tapir_replay.engine.events import Fault, FaultKind
from tapir_replay.files import why_refused
from tapir_replay.scenario.place import Place
from tapir_replay.scenario.templates import TemplateError


class StepFault(Exception):
    """A step cannot pass.

    Attributes:
        passing: It may be different a moment later, so looking again makes sense.
    """

    def __init__(self, fault: Fault, *, passing: bool = False) -> None:
        super().__init__(fault.message)
        self.fault = fault
        self.passing = passing


def fault(
    kind: FaultKind,
    message: str,
    *,
    expected: str | None = None,
    seen: str | None = None,
    details: Iterable[str] = (),
    hint: str | None = None,
    place: Place | None = None,
) -> Fault:
    """A fault whose message is one line."""
    return Fault(
        kind=kind,
        message=" ".join(message.split()) or kind.value,
        expected=expected,
        seen=seen,
        details=tuple(details),
        hint=hint or None,
        place=place,
    )


_GATE = frozenset({"not_stable", "obscured", "off_viewport", "disabled", "zero_rect"})
_GONE = frozenset({"stale", "not_found"})

_OF_REFUSAL: dict[str, FaultKind] = {
    **dict.fromkeys(_GATE, FaultKind.NOT_ACTIONABLE),
    **dict.fromkeys(_GONE, FaultKind.NOT_FOUND),
    "timeout": FaultKind.UNMATCHED,
    "missing_param": FaultKind.VALUE,
}

_OF_ERROR: tuple[tuple[type[Exception], FaultKind], ...] = (
    (errors.ConnectError, FaultKind.APP_UNREACHABLE),
    (errors.AppGone, FaultKind.APP_GONE),
    (errors.CallTimeout, FaultKind.TIMEOUT),
    (errors.VerbUnavailable, FaultKind.UNAVAILABLE),
    (errors.ProtocolError, FaultKind.PROTOCOL),
    (TemplateError, FaultKind.VALUE),
    (ValueError, FaultKind.VALUE),
)


def is_passing(refusal: errors.VerbRefused) -> bool:
    """Whether what the app refuses now, it may do in a moment."""
    return refusal.kind in _GATE or refusal.kind in _GONE


def of_exception(error: Exception) -> Fault:
    """What a person is told of an exception; ours when it is none we know."""
    if isinstance(error, StepFault):
        return error.fault
    if isinstance(error, errors.VerbRefused):
        near = ", ".join(error.suggestions)
        return fault(
            _OF_REFUSAL.get(error.kind, FaultKind.REFUSED),
            error.message.partition("\n")[0],
            details=error.message.split("\n")[1:],
            hint=error.hint or (f"near: {near}" if near else None),
        )
    for kind_of_error, kind in _OF_ERROR:
        if isinstance(error, kind_of_error):
            message, _, rest = str(error).partition("\n")
            return fault(
                kind,
                message,
                details=rest.split("\n") if rest else (),
                hint=getattr(error, "hint", None),
            )
    if isinstance(error, OSError) and error.filename is not None:
        why = f"a file cannot be written, {why_refused(error)}: {PurePath(error.filename).name}"
        return fault(FaultKind.VALUE, why)
    return fault(
        FaultKind.INTERNAL,
        f"tapir-replay itself failed: {type(error).__name__}: {error}",
        hint="please report this, with the run log",
    )


def together(faults: Sequence[Fault]) -> Fault | None:
    """Several faults of one step as one: the first, with the others among its details."""
    if not faults:
        return None
    first, *others = faults
    if not others:
        return first
    more = [
        line
        for each in others
        for line in (
            f"also: {each.message}",
            f"  expected {each.expected}, seen {each.seen}" if each.expected else "",
        )
        if line
    ]
    return replace(first, details=(*first.details, *more))
