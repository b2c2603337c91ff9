"""Error answers of verbs."""

from __future__ import annotations

import json

import pytest

from tapir_replay.app.envelope import Said, decode, error_of, is_transient
from tapir_replay.app.errors import AppError, ConnectionLost, VerbRefused, VerbUnavailable
from tapir_replay.app.jsonrpc import Failure


def _failure(details: object, code: int = -32000, message: str = "Server error") -> Failure:
    return Failure(1, code, message, {"details": details})


ENVELOPE = {
    "message": 'no node with ref "e9"',
    "envelope": {"type": "not_found", "suggestions": ["e8", "Sign in"], "widget_path": "e9"},
}
STACK = "Boom: typed async throw\n#0      hThrow (file:///app/ext.dart:14:82)\n#1      run (x)"

SAID = {
    "decoded twice": (
        _failure(json.dumps(ENVELOPE)),
        Said('no node with ref "e9"', "not_found", ("e8", "Sign in")),
    ),
    "an object where a text should be": (
        _failure(ENVELOPE),
        Said('no node with ref "e9"', "not_found", ("e8", "Sign in")),
    ),
    "a bare text as data": (
        Failure(1, -32000, "Server error", json.dumps(ENVELOPE)),
        Said('no node with ref "e9"', "not_found", ("e8", "Sign in")),
    ),
    "no envelope": (_failure('{"message": "alone"}'), Said("alone")),
    "an odd envelope": (
        _failure('{"message": "m", "envelope": {"type": 3, "suggestions": "e1"}}'),
        Said("m"),
    ),
    "plain text": (_failure("plain detail text"), Said("plain detail text")),
    "other JSON": (_failure("[1, 2]"), Said("[1, 2]")),
    "an object without a message": (_failure('{"a": 1}'), Said('{"a": 1}')),
    "an error of Flutter": (_failure('{"exception": "E", "stack": "S"}'), Said("E")),
    "an uncaught exception": (_failure(STACK), Said("Boom: typed async throw")),
    "nothing but a stack": (_failure("#0  main (a.dart)"), Said("#0  main (a.dart)")),
    "no details": (Failure(1, 105, "Isolate must be runnable"), Said("Isolate must be runnable")),
    "nothing at all": (Failure(1, 7, ""), Said("error 7 without a text")),
}


@pytest.mark.parametrize(("failure", "said"), SAID.values(), ids=SAID.keys())
def test_what_the_handler_said_is_found(failure: Failure, said: Said) -> None:
    assert decode(failure) == said


KINDS: dict[str, tuple[Failure, bool, type[AppError]]] = {
    "not registered": (Failure(1, -32601, "Method not found"), True, VerbUnavailable),
    "not registered, behind DDS": (
        Failure(1, -32601, 'Unknown method "x".'),
        True,
        VerbUnavailable,
    ),
    "not registered, on the web": (Failure(1, -32603, "anything"), False, VerbUnavailable),
    "internal error": (_failure("boom", -32603), True, VerbRefused),
    "the app is gone behind DDS": (
        Failure(1, 112, "Service has disappeared"),
        True,
        ConnectionLost,
    ),
    "a handler's error": (_failure("boom"), True, VerbRefused),
    "bad parameters": (_failure("boom", -32602), True, VerbRefused),
}


@pytest.mark.parametrize(("failure", "registered", "kind"), KINDS.values(), ids=KINDS.keys())
def test_the_code_decides_what_an_error_means(
    failure: Failure, registered: bool, kind: type[AppError]
) -> None:
    assert type(error_of("tap", failure, registered=registered)) is kind


@pytest.mark.parametrize(
    ("failure", "expected"),
    [
        (_failure(json.dumps(ENVELOPE)), (-32000, "not_found", ("e8", "Sign in"))),
        (_failure("boom"), (-32000, "unexpected", ())),
        (_failure("boom", -32602), (-32602, "missing_param", ())),
        (
            _failure('{"message":"m","envelope":{"type":"timeout"}}', -32602),
            (-32602, "timeout", ()),
        ),
    ],
)
def test_a_refusal_carries_code_kind_and_suggestions(
    failure: Failure, expected: tuple[int, str, tuple[str, ...]]
) -> None:
    error = error_of("tap", failure, registered=True)
    assert isinstance(error, VerbRefused)
    assert error.verb == "tap"
    assert (error.code, error.kind, error.suggestions) == expected


@pytest.mark.parametrize(
    ("failure", "expected"),
    [
        (Failure(1, -32603, "Promise was collected"), True),
        (_failure("... Promise was collected ...", -32603), True),
        (_failure("Promise was collected", -32000), False),
        (Failure(1, -32603, "Internal error"), False),
    ],
)
def test_an_answer_lost_on_the_web_is_known_by_code_and_text(
    failure: Failure, expected: bool
) -> None:
    assert is_transient(failure) is expected
