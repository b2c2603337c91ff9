"""Frames as text: what each says, and which requests wait."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tapir_replay.app.jsonrpc import (
    Answer,
    Event,
    Failure,
    Garbled,
    Incoming,
    Pending,
    PendingTable,
    RpcError,
    Unknown,
    build,
    parse,
)

SENTINEL = {"type": "Sentinel", "kind": "Collected", "valueAsString": "<collected>"}

FRAMES: dict[str, Incoming] = {
    # Answers: the VM has two writers, with other blanks and orders.
    '{"jsonrpc":"2.0","result":{"method":"ext.t.echo","p":{"isolateId":"isolates/2715349566008663"}'
    ',"types":{"isolateId":"String"}},"id":"6"}': Answer(
        6,
        {
            "method": "ext.t.echo",
            "p": {"isolateId": "isolates/2715349566008663"},
            "types": {"isolateId": "String"},
        },
    ),
    '{"jsonrpc":"2.0", "result":{"id":"isolates\\/2715"},"id":7}': Answer(
        7, {"id": "isolates/2715"}
    ),
    '{"jsonrpc":"2.0","id":"2","result":{"type":"Success"}}': Answer(2, {"type": "Success"}),
    '{"jsonrpc":"2.0","result":null,"id":1}': Answer(1, None),
    '{"jsonrpc":"2.0","result":[1,2],"id":1}': Answer(1, [1, 2]),
    '{"jsonrpc":"2.0","result":"str","id":1}': Answer(1, "str"),
    '{"jsonrpc":"2.0","result":42,"id":1}': Answer(1, 42),
    '{"jsonrpc":"2.0","result":{"a":1,"a":2},"id":1}': Answer(1, {"a": 2}),
    '{"jsonrpc":"2.0","result":{"a":"\\ud800"},"id":1}': Answer(1, {"a": "\ud800"}),
    '{"jsonrpc":"2.0","id":"54","result":{"type":"Sentinel","kind":"Collected",'
    '"valueAsString":"<collected>"}}': Answer(54, SENTINEL),
    '{"type":"ProtocolList","result":{"protocols":[{"protocolName":"VM Service","major":4,'
    '"minor":16}]},"id":3}': Answer(
        3, {"protocols": [{"protocolName": "VM Service", "major": 4, "minor": 16}]}
    ),
    '{"jsonrpc":"2.0", "result":{"type":"@Instance","_vmType":"Smi","class":{},"kind":"Int",'
    '"fixedId":true,"id":"objects\\/int-41","valueAsString":"41"},"id":"6"}': Answer(
        6,
        {
            "type": "@Instance",
            "_vmType": "Smi",
            "class": {},
            "kind": "Int",
            "fixedId": True,
            "id": "objects/int-41",
            "valueAsString": "41",
        },
    ),
    '{"jsonrpc":"2.0", "result":{"type":"@Error","kind":"UnhandledException",'
    '"id":"objects\\/9\\/0","message":"Unhandled exception:\\nx\\n#0      Eval ()\\n"},'
    '"id":"17"}': Answer(
        17,
        {
            "type": "@Error",
            "kind": "UnhandledException",
            "id": "objects/9/0",
            "message": "Unhandled exception:\nx\n#0      Eval ()\n",
        },
    ),
    '{"jsonrpc":"2.0","id":"8","result":{"type":"Sentinel","kind":"Expired",'
    '"valueAsString":"<expired>"}}': Answer(
        8, {"type": "Sentinel", "kind": "Expired", "valueAsString": "<expired>"}
    ),
    # Errors of handlers.
    '{"jsonrpc":"2.0","error":{"code":-32000,"message":"Server error","data":{"details":'
    '"plain detail text"}},"id":"15"}': Failure(
        15, -32000, "Server error", {"details": "plain detail text"}
    ),
    '{"jsonrpc":"2.0","error":{"code":-32602,"message":"Invalid params","data":{"details":'
    '"plain detail text"}},"id":"18"}': Failure(
        18, -32602, "Invalid params", {"details": "plain detail text"}
    ),
    '{"jsonrpc":"2.0","error":{"code":-32000,"message":"Server error","data":{"details":'
    '"{\\"exception\\":\\"E\\",\\"stack\\":\\"S\\"}"}},"id":"26"}': Failure(
        26, -32000, "Server error", {"details": '{"exception":"E","stack":"S"}'}
    ),
    # Errors of the service.
    '{"jsonrpc":"2.0", "error":{"code":-32601,"message":"Method not found","data":{"request":'
    '{"method":"nope","params":{}}}},"id":"48"}': Failure(
        48, -32601, "Method not found", {"request": {"method": "nope", "params": {}}}
    ),
    '{"jsonrpc":"2.0","id":"66","error":{"code":-32601,"message":null,"data":{"details":'
    '"Unknown service: s0.reloadSources"}}}': Failure(
        66, -32601, "", {"details": "Unknown service: s0.reloadSources"}
    ),
    '{"jsonrpc":"2.0","id":"55","error":{"code":-32602,"message":"Invalid params","data":'
    '{"details":"ext.t.echo: invalid \'isolateId\' parameter: garbage"}}}': Failure(
        55,
        -32602,
        "Invalid params",
        {"details": "ext.t.echo: invalid 'isolateId' parameter: garbage"},
    ),
    '{"jsonrpc":"2.0","id":"15","error":{"code":113,"message":"Expression compilation error",'
    '"data":{"details":"Error: Undefined name \'nosuch\'."}}}': Failure(
        15, 113, "Expression compilation error", {"details": "Error: Undefined name 'nosuch'."}
    ),
    '{"jsonrpc":"2.0","id":"3","error":{"code":103,"message":"Stream already subscribed"}}': (
        Failure(3, 103, "Stream already subscribed")
    ),
    '{"jsonrpc":"2.0","id":4,"error":{"code":105,"message":"Isolate must be runnable"}}': (
        Failure(4, 105, "Isolate must be runnable")
    ),
    '{"jsonrpc":"2.0","id":5,"error":{"code":100,"message":"Feature is disabled","data":{"ddsUri":'
    '"http://127.0.0.1:1234/abc=/","details":"A DDS instance is already connected"}}}': Failure(
        5,
        100,
        "Feature is disabled",
        {"ddsUri": "http://127.0.0.1:1234/abc=/", "details": "A DDS instance is already connected"},
    ),
    # The same through json_rpc_2.
    '{"jsonrpc":"2.0","error":{"code":-32000,"message":"Server error","data":{"details":"plain",'
    '"request":{"jsonrpc":"2.0","id":"4","method":"ext.t.err","params":{}}}},"id":"4"}': Failure(
        4,
        -32000,
        "Server error",
        {
            "details": "plain",
            "request": {"jsonrpc": "2.0", "id": "4", "method": "ext.t.err", "params": {}},
        },
    ),
    '{"jsonrpc":"2.0","error":{"code":-32601,"message":"Unknown method \\"ext.t.nope\\"."},'
    '"id":"9"}': Failure(9, -32601, 'Unknown method "ext.t.nope".'),
    '{"jsonrpc":"2.0","error":{"code":112,"message":"Service has disappeared","data":{}},'
    '"id":"3003"}': Failure(3003, 112, "Service has disappeared", {}),
    '{"jsonrpc":"2.0","error":{"message":"no code"},"id":9}': Failure(9, 0, "no code"),
    # A handler's text that is not JSON.
    '{"jsonrpc":"2.0","result":this is not json,"id":"33"}': Garbled(
        33, '{"jsonrpc":"2.0","result":this is not json,"id":"33"}'
    ),
    '{"jsonrpc":"2.0","result":{"a": 1, ,"id":"34"}': Garbled(
        34, '{"jsonrpc":"2.0","result":{"a": 1, ,"id":"34"}'
    ),
    '{"jsonrpc":"2.0","result":,"id":35}': Garbled(35, '{"jsonrpc":"2.0","result":,"id":35}'),
    '{"jsonrpc":"2.0","id":36,"result":oops}': Garbled(
        36, '{"jsonrpc":"2.0","id":36,"result":oops}'
    ),
    "nothing at all": Garbled(None, "nothing at all"),
    "": Garbled(None, ""),
    '{"x":"id":7} no': Garbled(None, '{"x":"id":7} no'),
    # Of no use.
    "[]": Unknown("[]"),
    "3": Unknown("3"),
    "{}": Unknown("{}"),
    '{"id":7}': Unknown('{"id":7}'),
    '{"id":null,"result":{}}': Unknown('{"id":null,"result":{}}'),
    '{"id":7.5,"result":{}}': Unknown('{"id":7.5,"result":{}}'),
    '{"id":true,"result":{}}': Unknown('{"id":true,"result":{}}'),
    '{"id":"x1","result":{}}': Unknown('{"id":"x1","result":{}}'),
    '{"id":7,"error":"text"}': Unknown('{"id":7,"error":"text"}'),
    '{"method":"streamNotify"}': Unknown('{"method":"streamNotify"}'),
    '{"method":"streamNotify","params":{"streamId":"ConnectedApp","eventKind":"x"}}': Unknown(
        '{"method":"streamNotify","params":{"streamId":"ConnectedApp","eventKind":"x"}}'
    ),
    '{"method":"Page.loadEventFired","params":{}}': Unknown(
        '{"method":"Page.loadEventFired","params":{}}'
    ),
}


@pytest.mark.parametrize(("frame", "expected"), FRAMES.items())
def test_each_frame_is_read_for_what_it_is(frame: str, expected: Incoming) -> None:
    assert parse(frame) == expected


def test_a_binary_frame_is_of_no_use() -> None:
    assert parse(b"\x00\xff") == Unknown(r"b'\x00\xff'")


def test_numbers_that_json_does_not_have_are_read() -> None:
    answer = parse('{"jsonrpc":"2.0","result":{"a":NaN},"id":1}')
    assert isinstance(answer, Answer)
    assert answer.result["a"] != answer.result["a"]


def test_a_frame_nested_too_deeply_fails_its_own_call_only() -> None:
    frame = '{"result":' + "[" * 200_000 + "]" * 200_000 + ',"id":12}'
    assert parse(frame) == Garbled(12, frame)


EXTENSION_ADDED = (
    '{"jsonrpc":"2.0","method":"streamNotify","params":{"streamId":"Isolate","event":{"type":'
    '"Event","kind":"ServiceExtensionAdded","isolateGroup":{},"isolate":{"type":"@Isolate","id":'
    '"isolates\\/2427284657164399"},"timestamp":1796061718550,"extensionRPC":"ext.t.late.a"}}}'
)
RELOAD = (
    '{"jsonrpc":"2.0","method":"streamNotify","params":{"streamId":"Isolate","event":{"type":'
    '"Event","kind":"IsolateReload","isolateGroup":{},"status":"success"}}}'
)
HANDOVER = (
    '{"jsonrpc":"2.0","method":"streamNotify","params":{"streamId":"Service","event":{"type":'
    '"Event","kind":"DartDevelopmentServiceConnected","uri":"http://127.0.0.1:42951/tok=/"}}}'
)


POSTED = (
    '{"jsonrpc":"2.0","method":"streamNotify","params":{"streamId":"Extension","event":{"type":'
    '"Event","kind":"Extension","extensionKind":"t.tick","isolateGroup":{},"isolate":{"type":'
    '"@Isolate","id":"isolates\\/2427284657164399","name":"main"},"timestamp":1796061718233,'
    '"extensionData":{"n":0,"nested":{"a":[1,2.5,true,null,"é"]},'
    '"__destinationStream":"Extension"}}}}'
)


def test_an_event_of_the_app_carries_its_data() -> None:
    event = parse(POSTED)
    assert isinstance(event, Event)
    assert (event.stream, event.kind) == ("Extension", "Extension")
    assert event.isolate == "isolates/2427284657164399"
    assert event.body["extensionData"]["nested"] == {"a": [1, 2.5, True, None, "é"]}


def test_an_event_tells_its_stream_its_isolate_and_its_time() -> None:
    event = parse(EXTENSION_ADDED)
    assert isinstance(event, Event)
    assert (event.stream, event.kind) == ("Isolate", "ServiceExtensionAdded")
    assert (event.isolate, event.timestamp) == ("isolates/2427284657164399", 1796061718550)
    assert event.body["extensionRPC"] == "ext.t.late.a"


@pytest.mark.parametrize("frame", [RELOAD, HANDOVER])
def test_an_event_need_not_name_an_isolate_or_a_time(frame: str) -> None:
    event = parse(frame)
    assert isinstance(event, Event)
    assert (event.isolate, event.timestamp) == (None, 0)


@given(st.text() | st.binary())
def test_no_frame_makes_the_reader_fail(frame: str | bytes) -> None:
    parse(frame)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=8,
)


@given(st.dictionaries(st.sampled_from(["id", "result", "error", "method", "params"]), JSON))
def test_no_object_makes_the_reader_fail(message: dict[str, Any]) -> None:
    parse(json.dumps(message))


@given(number=st.integers(0, 10**14), result=JSON)
def test_an_answer_is_read_back_as_it_was_written(number: int, result: object) -> None:
    assert parse(json.dumps({"jsonrpc": "2.0", "id": number, "result": result})) == Answer(
        number, result
    )


@pytest.mark.parametrize(
    ("failure", "details"),
    [
        (Failure(1, -32000, "Server error", {"details": "said"}), "said"),
        (Failure(1, -32000, "Server error", {"details": {"message": "said"}}), {"message": "said"}),
        (Failure(1, -32000, "Server error", "said"), "said"),
        (Failure(1, -32000, "Server error", {}), None),
        (Failure(1, -32000, "Server error"), None),
    ],
)
def test_the_details_of_a_failure_are_found_wherever_they_stand(
    failure: Failure, details: object
) -> None:
    assert failure.details == details


@pytest.mark.parametrize(
    ("failure", "text"),
    [
        (Failure(1, 113, "Compile error", {"details": "said"}), "m: error 113: said"),
        (Failure(1, 103, "Already subscribed"), "m: error 103: Already subscribed"),
        (Failure(1, 1, ""), "m: error 1: without a text"),
    ],
)
def test_an_error_shows_the_most_telling_text(failure: Failure, text: str) -> None:
    assert str(RpcError("m", failure)) == text


def test_a_request_is_one_compact_ascii_text_with_an_object_of_parameters() -> None:
    assert build(3, "ext.tapir.tap", {"ref": "é\ud800"}) == (
        '{"jsonrpc":"2.0","id":3,"method":"ext.tapir.tap","params":{"ref":"\\u00e9\\ud800"}}'
    )
    assert build(4, "getVM", {}) == '{"jsonrpc":"2.0","id":4,"method":"getVM","params":{}}'


def _pending(number: int, isolate: str | None = None, deadline: float = 1.0) -> Pending[str]:
    return Pending(number, "method", isolate, 1.0, deadline, f"waiter {number}")


def _table(*entries: Pending[str]) -> PendingTable[str]:
    table: PendingTable[str] = PendingTable()
    for entry in entries:
        table.add(entry)
    return table


def test_a_request_is_taken_once() -> None:
    entry = _pending(1)
    table = _table(entry)
    assert table.take(1) is entry
    assert table.take(1) is None


def test_the_end_of_an_isolate_takes_its_requests_only() -> None:
    first, second, third = _pending(1, "a"), _pending(2, "b"), _pending(3)
    table = _table(first, second, third)
    assert table.fail_isolate("a") == [first]
    assert table.fail_isolate("a") == []
    assert len(table) == 2


def test_the_end_of_the_connection_takes_all() -> None:
    first, second = _pending(1, "a"), _pending(2)
    table = _table(first, second)
    assert table.fail_all() == [first, second]
    assert len(table) == 0


def test_requests_expire_at_their_deadline() -> None:
    first, second = _pending(1, deadline=2.0), _pending(2, deadline=1.0)
    table = _table(first, second)
    assert table.next_deadline() == 1.0
    assert table.expire(0.9) == []
    assert table.expire(1.0) == [second]
    assert table.next_deadline() == 2.0
    assert table.expire(5.0) == [first]
    assert table.next_deadline() is None
