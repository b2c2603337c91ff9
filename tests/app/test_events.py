"""Events of the service as the engine gets them."""

from __future__ import annotations

import base64
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tapir_replay.app.events import EventReader, Lines, truncated_text
from tapir_replay.app.interface import AppEvent
from tapir_replay.app.jsonrpc import Event


def _event(stream: str, kind: str, isolate: str | None = "isolates/1", **body: Any) -> Event:
    named = {"isolate": {"type": "@Isolate", "id": isolate}} if isolate else {}
    return Event(stream, kind, {"kind": kind, "timestamp": 9, **named, **body})


def _output(data: bytes, stream: str = "Stdout", isolate: str = "isolates/1") -> Event:
    return _event(stream, "WriteEvent", isolate, bytes=base64.b64encode(data).decode())


def _read(*events: Event) -> list[AppEvent]:
    reader = EventReader()
    return [found for event in events for found in reader.read(event)]


def _instance(text: str | None, **more: Any) -> dict[str, Any]:
    if text is None:
        return {"type": "@Instance", "kind": "Null", "valueAsString": "null"}
    return {"type": "@Instance", "kind": "String", "valueAsString": text, **more}


def _log(**record: Any) -> Event:
    return _event("Logging", "Logging", logRecord={"type": "LogRecord", **record})


def test_a_line_and_its_line_break_may_come_apart() -> None:
    events = _read(_output(b"raw no newline"), _output(b"\n"))
    assert events == [AppEvent("stdout", {"text": "raw no newline"}, 9)]


def test_one_write_may_hold_several_lines() -> None:
    events = _read(_output("one é\r\ntwo\n\nrest".encode()))
    assert [event.data["text"] for event in events] == ["one é", "two", ""]


def test_bytes_that_are_no_text_are_shown_all_the_same() -> None:
    assert _read(_output(b"\xff\xfe\n"))[0].data == {"text": "\ufffd\ufffd"}


def test_lines_of_isolates_and_streams_are_not_mixed() -> None:
    events = _read(
        _output(b"a"),
        _output(b"b", isolate="isolates/2"),
        _output(b"c", "Stderr"),
        _output(b"1\n"),
        _output(b"2\n", isolate="isolates/2"),
        _output(b"3\n", "Stderr"),
    )
    assert [(event.kind, event.data["text"]) for event in events] == [
        ("stdout", "a1"),
        ("stdout", "b2"),
        ("stderr", "c3"),
    ]


def test_the_last_words_of_an_isolate_are_heard() -> None:
    events = _read(_output(b"last words"), _event("Isolate", "IsolateExit"))
    assert events == [AppEvent("stdout", {"text": "last words"}, 9)]
    assert _read(_output(b"done\n"), _event("Isolate", "IsolateExit"))[1:] == []


def test_an_endless_line_is_reported_in_pieces() -> None:
    lines = Lines()
    assert lines.feed(b"x" * (1 << 20)) == []
    assert lines.feed(b"y") == ["x" * (1 << 20) + "y"]
    assert lines.end() == []


@given(st.lists(st.binary(max_size=6)))
def test_no_byte_is_lost_however_it_is_cut(pieces: list[bytes]) -> None:
    cut, whole = Lines(), Lines()
    found = [line for piece in pieces for line in cut.feed(piece)] + cut.end()
    assert found == whole.feed(b"".join(pieces)) + whole.end()


def test_output_that_is_not_base64_is_passed_over() -> None:
    assert _read(_event("Stdout", "WriteEvent", bytes="a"), _event("Stdout", "WriteEvent")) == []


def test_an_extension_event_comes_without_what_the_vm_added() -> None:
    event = _event(
        "Extension",
        "Extension",
        extensionKind="t.tick",
        extensionData={"n": 0, "__destinationStream": "Extension"},
    )
    assert _read(event) == [AppEvent("extension", {"name": "t.tick", "data": {"n": 0}}, 9)]


def test_a_log_record_is_text_level_and_logger() -> None:
    record = _log(level=900, message=_instance("hello"), loggerName=_instance("net"))
    assert _read(record) == [AppEvent("log", {"text": "hello", "level": 900, "logger": "net"}, 9)]


def test_a_log_record_shows_an_error_that_has_a_text() -> None:
    texts = {"message": _instance("m"), "loggerName": _instance("")}
    told = _log(level=1, error=_instance("boom"), **texts)
    untold = _log(level=1, error={"type": "@Instance", "kind": "PlainInstance"}, **texts)
    none = _log(level=1, error=_instance(None), **texts)
    assert [event.data.get("error") for event in _read(told, untold, none)] == ["boom", None, None]


@pytest.mark.parametrize(
    ("event", "reference"),
    [
        (
            _log(message=_instance("cut", valueAsStringIsTruncated=True, id="objects/1")),
            "objects/1",
        ),
        (_log(message=_instance("cut", valueAsStringIsTruncated=True)), None),
        (_log(message=_instance("whole", id="objects/1")), None),
        (_event("Stdout", "WriteEvent"), None),
    ],
)
def test_only_a_text_cut_short_has_to_be_fetched(event: Event, reference: str | None) -> None:
    assert truncated_text(event) == reference


def test_a_reload_tells_how_it_went() -> None:
    good = _event("Isolate", "IsolateReload", None, status="success")
    bad = _event("Isolate", "IsolateReload", None, status="failure", reloadFailureReason="why")
    instance = _event("Isolate", "IsolateReload", None, reloadFailureReason=_instance("because"))
    assert [event.data for event in _read(good, bad, instance)] == [
        {"status": "success"},
        {"status": "failure", "reason": "why"},
        {"status": "", "reason": "because"},
    ]


def test_other_events_mean_nothing_to_a_listener() -> None:
    assert _read(_event("Isolate", "IsolateStart"), _event("Logging", "Logging")) == []
