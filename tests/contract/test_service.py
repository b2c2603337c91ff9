"""The VM Service around the verbs."""

from __future__ import annotations

import asyncio
import base64
from typing import TYPE_CHECKING, Any

import pytest
from websockets.asyncio.client import connect as open_websocket
from websockets.exceptions import InvalidStatus

from tapir_replay.verbs.catalogue import BY_NAME
from tests.support.rpc import WireError, connect

if TYPE_CHECKING:
    from tests.contract.driver import Driver

VERBS = (
    "blur", "boot_id", "clear", "close_app", "console", "dblclick", "dismiss_modals", "drag",
    "evaluate", "exceptions", "fill", "find", "find_by_label", "find_by_text", "focus",
    "get_routes", "hover", "navigate", "navigate_back", "observe", "perf_begin", "perf_end",
    "perf_insight", "perf_trace", "press_key", "reset_overlays", "right_click", "screenshot",
    "scroll", "select_option", "semantics_hold", "set_checkbox", "snap", "tap", "triple_click",
    "type", "wait_for", "wait_for_network_idle",
)  # fmt: skip


def frame(app: Driver, method: str, **params: Any) -> dict[str, Any]:
    return app.run(app.rpc.exchange(method, params))


def test_version_and_protocols(app: Driver) -> None:
    version = app.request("getVersion")
    assert version["type"] == "Version"
    assert version["major"] >= 4
    protocols = app.request("getSupportedProtocols")
    assert protocols["protocols"][0]["protocolName"] == "VM Service"


def test_the_isolate_has_all_verbs(app: Driver) -> None:
    vm = app.request("getVM")
    assert vm["type"] == "VM"
    assert any(isolate["name"] == "main" for isolate in vm["isolates"])
    isolate = app.request("getIsolate", isolateId=app.rpc.isolate)
    assert isolate["type"] == "Isolate"
    assert set(isolate["extensionRPCs"]) >= {f"ext.tapir.{verb}" for verb in VERBS}
    assert isolate["rootLib"]["type"] == "@Library"
    assert isolate["pauseEvent"]["kind"] in {"Resume", "None"}


def test_the_catalogue_has_all_verbs_of_the_wire() -> None:
    assert set(VERBS) <= set(BY_NAME)


def test_a_plain_app_has_the_tapir_verbs_alone(app: Driver) -> None:
    names = app.request("getIsolate", isolateId=app.rpc.isolate)["extensionRPCs"]
    own = (
        "info",
        "long_press",
        "press_back",
        "query",
        "record_pick",
        "record_start",
        "record_stop",
    )
    for name in (*(f"ext.tapir_replay.{verb}" for verb in own), "ext.demo.person"):
        assert (name in names) is not app.is_plain
        if app.is_plain:
            assert app.refuses(name).code == -32601


def test_an_unknown_method(app: Driver) -> None:
    error = frame(app, "ext.tapir.no_such_verb", isolateId=app.rpc.isolate)["error"]
    assert (error["code"], error["message"]) == (-32601, "Method not found")


def test_an_extension_without_an_isolate(app: Driver) -> None:
    assert frame(app, "ext.tapir.snap")["error"]["code"] == -32601


@pytest.mark.parametrize("isolate", ["garbage", "", "12345", "Isolates/1"])
def test_an_isolate_id_that_is_none(app: Driver, isolate: str) -> None:
    error = frame(app, "ext.tapir.snap", isolateId=isolate)["error"]
    assert (error["code"], error["message"]) == (-32602, "Invalid params")
    assert error["data"]["details"] == (f"ext.tapir.snap: invalid 'isolateId' parameter: {isolate}")


@pytest.mark.parametrize("method", ["ext.tapir.snap", "getIsolate", "reloadSources"])
def test_an_isolate_that_is_gone_is_a_sentinel(app: Driver, method: str) -> None:
    result = frame(app, method, isolateId="isolates/1")["result"]
    assert (result["type"], result["kind"]) == ("Sentinel", "Collected")


def test_get_isolate_wants_an_isolate(app: Driver) -> None:
    assert frame(app, "getIsolate")["error"]["code"] == -32602


def test_parameters_become_texts(app: Driver) -> None:
    """What a client sends as numbers and booleans arrives as a handler expects it."""
    ref = app.find("Remember me")
    result = frame(app, "ext.tapir.tap", isolateId=app.rpc.isolate, ref=ref, includeSnapshot=False)
    assert "snapshot" not in result["result"]
    result = frame(app, "ext.tapir.evaluate", isolateId=app.rpc.isolate, expression=[1, "a", None])
    assert result["result"]["expression"] == "[1, a, null]"
    result = frame(
        app, "ext.tapir.evaluate", isolateId=app.rpc.isolate, expression={"k": [1.5, True]}
    )
    assert result["result"]["expression"] == "{k: [1.5, true]}"


def test_streams(app: Driver) -> None:
    async def use(uri: str) -> None:
        async with connect(uri) as rpc:
            assert await rpc.request("streamListen", streamId="Stdout") == {"type": "Success"}
            for method, code in (("streamListen", 103), ("streamCancel", 104)):
                if method == "streamCancel":
                    await rpc.request(method, streamId="Stdout")
                with pytest.raises(WireError) as refused:
                    await rpc.request(method, streamId="Stdout")
                assert refused.value.code == code
            with pytest.raises(WireError) as refused:
                await rpc.request("streamListen", streamId="nope")
            assert refused.value.code == -32602
            for stream in ("Isolate", "Extension", "Logging", "Stderr"):
                await rpc.request("streamListen", streamId=stream)

    app.run(use(app.uri))


def test_console_lines_are_events_before_the_answer(app: Driver) -> None:
    async def use(uri: str) -> None:
        async with connect(uri) as rpc:
            await rpc.request("streamListen", streamId="Stdout")
            await rpc.call("navigate", route="/errors", includeSnapshot=False)
            ref = (await rpc.call("find", text="Log a line"))["ref"]
            await rpc.call("tap", ref=ref)
            written = b"".join(base64.b64decode(e["bytes"]) for e in rpc.events["Stdout"])
            assert written.endswith(b"a line from the app\n")
            assert {event["kind"] for event in rpc.events["Stdout"]} == {"WriteEvent"}
            assert {event["isolate"]["id"] for event in rpc.events["Stdout"]} == {rpc.isolate}

    app.run(use(app.uri))


def test_two_clients_see_the_same_app(app: Driver) -> None:
    async def other(uri: str) -> str:
        async with connect(uri) as rpc:
            await rpc.call("navigate", route="/list", includeSnapshot=False)
            return str((await rpc.call("boot_id"))["bootId"])

    assert app.run(other(app.uri)) == app.call("boot_id")["bootId"]
    assert app.call("get_routes")["uri"] == "/list"


def test_calls_are_answered_when_ready(app: Driver) -> None:
    """A wait does not hold up what is sent after it."""

    async def both() -> list[str]:
        done: list[str] = []

        async def wait() -> None:
            await app.rpc.call("wait_for", text="never", timeoutMs=300)
            done.append("wait")

        async def look() -> None:
            await app.rpc.call("get_routes")
            done.append("look")

        await asyncio.gather(wait(), look())
        return done

    assert app.run(both()) == ["look", "wait"]


def test_evaluate_answers(app: Driver) -> None:
    library = app.request("getIsolate", isolateId=app.rpc.isolate)["rootLib"]["id"]
    result = app.request("evaluate", isolateId=app.rpc.isolate, targetId=library, expression="42")
    assert (result["type"], result["valueAsString"]) == ("@Instance", "42")


def test_reload_with_nothing_changed(app: Driver) -> None:
    result = app.request("reloadSources", isolateId=app.rpc.isolate)
    assert (result["type"], result["success"]) == ("ReloadReport", True)


@pytest.mark.parametrize(
    ("change", "status"),
    [
        (lambda uri: uri.replace("=/ws", "x=/ws"), 403),
        (lambda uri: uri.removesuffix("ws"), 200),
        (lambda uri: uri.removesuffix("/ws"), 200),
        (lambda uri: f"{uri}x", 200),
    ],
)
def test_a_wrong_address(app: Driver, change: Any, status: int) -> None:
    async def dial() -> int:
        try:
            async with open_websocket(change(app.uri), proxy=None, compression=None):
                return 101
        except InvalidStatus as refused:
            return refused.response.status_code

    assert app.run(dial()) == status


def test_odd_text_comes_through(app: Driver) -> None:
    app.go("/errors")
    app.tap("Odd text")
    found = next(line for line in app.lines() if "<b>&" in line)
    assert "日" in found
    assert "\x00" in found
    assert "\x1b" in found
    assert "\uffff" in found
    assert any(0xD800 <= ord(letter) <= 0xDFFF for letter in found)
    assert '\\"quotes\\"' in found
