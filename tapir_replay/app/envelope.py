"""Error answers of verbs: what the app said, and what that means for the one who asked.

A handler's error is JSON in a string in JSON: `data.details` holds
`{"message": …, "envelope": {"type": …, "suggestions": […]}}`. Decisions go by codes and by the
envelope's type; texts differ between services and are only shown.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tapir_replay.app.dialects import OWN_VERBS
from tapir_replay.app.errors import AppError, ConnectionLost, VerbRefused, VerbUnavailable
from tapir_replay.app.jsonrpc import Failure

METHOD_NOT_FOUND = -32601
INVALID_PARAMS = -32602
INTERNAL_ERROR = -32603
SERVICE_DISAPPEARED = 112

_COLLECTED = "Promise was collected"
"""Of the web's debugging proxy, under a code that says nothing: the one text that is looked at."""

_OLDER = "The app's plugin may be older than the verb, or leave it out of this build."
_OURS = "Only apps with our own plugin have it: install the tapir_replay plugin in the app."

_STACK_FRAME = re.compile(r"^#\d+ ", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Said:
    """A handler's error, decoded."""

    message: str
    kind: str = ""
    suggestions: tuple[str, ...] = ()


def decode(failure: Failure) -> Said:
    """What the handler said, whatever form it arrived in."""
    details = failure.details
    payload: Any = details
    if isinstance(details, str):
        try:
            payload = json.loads(details)
        except (ValueError, RecursionError):
            payload = None
    if isinstance(payload, dict):
        text = payload.get("message", payload.get("exception"))
        if isinstance(text, str):
            return _of_envelope(text, payload.get("envelope"))
    text = details if isinstance(details, str) and details else failure.message
    return Said(_without_stack(text) or f"error {failure.code} without a text")


def error_of(verb: str, failure: Failure, *, registered: bool) -> AppError:
    """The exception for an error answer to `verb`.

    Args:
        verb: Its name without prefix.
        failure: The answer.
        registered: Whether the isolate is known to have registered the verb.
    """
    said = decode(failure)
    code = failure.code
    if code == METHOD_NOT_FOUND or (code == INTERNAL_ERROR and not registered):
        return VerbUnavailable(
            verb,
            f"The app has no verb `{verb}`",
            hint=_OURS if verb in OWN_VERBS else _OLDER,
        )
    if code == SERVICE_DISAPPEARED:
        return ConnectionLost("The app behind the Dart Development Service is gone")
    kind = said.kind or ("missing_param" if code == INVALID_PARAMS else "unexpected")
    return VerbRefused(verb, said.message, code=code, kind=kind, suggestions=said.suggestions)


def is_transient(failure: Failure) -> bool:
    """Whether a web app's answer got lost on its way, so that a read may be asked again."""
    if failure.code != INTERNAL_ERROR:
        return False
    return _COLLECTED in failure.message or _COLLECTED in str(failure.data)


def _of_envelope(text: str, envelope: object) -> Said:
    if not isinstance(envelope, Mapping):
        return Said(text)
    kind, suggestions = envelope.get("type"), envelope.get("suggestions")
    return Said(
        text,
        kind if isinstance(kind, str) else "",
        tuple(str(entry) for entry in suggestions) if isinstance(suggestions, list) else (),
    )


def _without_stack(text: str) -> str:
    """The text of an uncaught exception comes with a Dart stack below it."""
    found = _STACK_FRAME.search(text)
    return (text[: found.start()] if found and found.start() else text).rstrip()
