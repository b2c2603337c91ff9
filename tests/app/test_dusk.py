"""An app that speaks Dusk: Tapir's answers, made of Dusk's; what is missing is said by name."""

from __future__ import annotations

import base64
import io
from typing import Any

import pytest
from PIL import Image

from tapir_replay.app.dialects import DUSK
from tapir_replay.app.errors import VerbRefused, VerbUnavailable
from tapir_replay.app.restart import boot_of
from tapir_replay.app.vm_app import Timeouts, VmApp
from tests.support.dusk_peer import DuskPeer
from tests.support.fake_service import ISOLATE

QUICK = Timeouts(quiet=0.02)


async def connect(peer: DuskPeer) -> VmApp:
    app = await VmApp.connect(peer.uri, timeouts=QUICK)
    assert app.dialect is DUSK
    return app


# Handles


async def test_what_is_found_by_its_label_gets_a_ref_that_leads_to_it() -> None:
    async with DuskPeer() as peer, await connect(peer) as app:
        for predicate in ("semanticsLabel", "text"):
            found = await app.call("find", {predicate: "Save"})
            assert found == {"ref": "e9", "matched": True, "matchCount": 1}
        await app.call("tap", {"ref": found["ref"]})
        assert peer.page.widgets[8].taps == 1


@pytest.mark.parametrize(
    ("params", "expected"),
    [
        ({"text": "Delete"}, {"ref": "e7", "matched": True, "matchCount": 2}),
        ({"contains": "Del"}, {"ref": "e7", "matched": True, "matchCount": 2}),
        ({"text": "nothing"}, {"ref": None, "matched": False}),
        ({"text": "Settings of the shop"}, {"ref": "e101", "matched": True, "matchCount": 1}),
        ({"contains": "of the"}, {"ref": "e101", "matched": True, "matchCount": 1}),
        ({"key": "save"}, {"ref": "q1", "matched": True, "matchCount": 1}),
        ({"key": "save", "text": "Name"}, {"ref": None, "matched": False}),
    ],
)
async def test_find(params: dict[str, str], expected: dict[str, Any]) -> None:
    async with DuskPeer() as peer, await connect(peer) as app:
        assert await app.call("find", params) == expected


async def test_find_knows_no_scope() -> None:
    async with DuskPeer() as peer, await connect(peer) as app:
        with pytest.raises(VerbUnavailable, match="does not know `within`"):
            await app.call("find", {"text": "Save", "within": "e1"})


async def test_a_label_that_leads_nowhere_is_not_acted_on() -> None:
    """Dusk would act on the middle of the screen."""
    async with DuskPeer() as peer, await connect(peer) as app:
        found = await app.call("find", {"semanticsLabel": "Settings of the shop"})
        with pytest.raises(VerbUnavailable, match="by its label alone") as caught:
            await app.call("tap", {"ref": found["ref"]})
        assert "key" in caught.value.hint
        assert peer.asked("ext.dusk.tap") == []


async def test_candidates_have_refs_of_their_own_and_none_is_there_twice() -> None:
    async with DuskPeer() as peer, await connect(peer) as app:
        answer = await app.call("observe", {"limit": "1000"})
        refs = [(each["ref"], each["label"]) for each in answer["candidates"]]
        assert refs == [
            ("e2", "Name"),
            ("e3", "Code"),
            ("e4", "I agree"),
            ("e6", "Alpha"),
            ("e7", "Delete"),
            ("e8", "Delete"),
            ("e9", "Save"),
            ("e10", "Shop"),
        ]
        assert answer["count"] == 8
        assert answer["candidates"][0]["inViewport"] is True


# Actions


async def test_a_tap_says_whether_it_changed_something() -> None:
    async with DuskPeer() as peer, await connect(peer) as app:
        assert await app.call("tap", {"ref": "e9", "retarget": "true"}) == {
            "ref": "e9",
            "effect": {"kind": "treeChanged", "changed": True},
            "snapshot": peer._text().replace('  - checkbox "" [ref=e5]\n', ""),
        }
        answer = await app.call("tap", {"ref": "e7", "includeSnapshot": "false"})
        assert answer == {"ref": "e7", "effect": {"kind": "treeChanged", "changed": False}}
        assert "retarget" not in peer.asked("ext.dusk.tap")[0]


async def test_a_tap_that_dusk_does_not_look_at_is_not_said_to_have_changed_nothing() -> None:
    async with DuskPeer() as peer, await connect(peer) as app:
        found = await app.call("find", {"key": "save"})
        answer = await app.call("tap", {"ref": found["ref"], "includeSnapshot": "false"})
        assert answer == {"ref": "q1"}
        # Nor of what is on or off: Dusk sees no switch.
        assert await app.call("tap", {"ref": "e4", "snapshot": "none"}) == {"ref": "e4"}


@pytest.mark.parametrize("verb", ["right_click", "triple_click"])
async def test_clicks_tell_their_ref_alone(verb: str) -> None:
    async with DuskPeer() as peer, await connect(peer) as app:
        assert await app.call(verb, {"ref": "e9", "snapshot": "none"}) == {"ref": "e9"}


async def test_what_a_field_holds_is_read_back() -> None:
    async with DuskPeer() as peer, await connect(peer) as app:
        for ref in ("e2", (await app.call("find", {"key": "name"}))["ref"]):
            answer = await app.call("fill", {"ref": ref, "text": "Ada", "includeSnapshot": "false"})
            assert answer["effect"] == {
                "kind": "text",
                "verified": True,
                "value": "Ada",
                "target": {"matchKind": "element", "label": "Name"},
            }
        peer.page.keeps = 2
        answer = await app.call("type", {"ref": "e2", "text": "Grace"})
        assert (answer["effect"]["verified"], answer["effect"]["value"]) == (False, "Gr")
        answer = await app.call("clear", {"ref": "e2"})
        assert (answer["effect"]["verified"], answer["effect"]["value"]) == (True, "")


async def test_a_field_that_hides_its_text_tells_how_long_it_is() -> None:
    async with DuskPeer() as peer, await connect(peer) as app:
        answer = await app.call("fill", {"ref": "e3", "text": "secret"})
        assert (answer["effect"]["verified"], answer["effect"]["value"]) == (True, "secret")
        peer.page.keeps = 3
        answer = await app.call("fill", {"ref": "e3", "text": "secret"})
        assert (answer["effect"]["verified"], answer["effect"]["value"]) == (False, "•••")


async def test_a_dropdown_is_read_back_where_it_shows() -> None:
    async with DuskPeer() as peer, await connect(peer) as app:
        answer = await app.call("select_option", {"ref": "e6", "value": "beta"})
        assert answer["effect"] == {"kind": "selected", "verified": True, "value": "Beta"}
        answer = await app.call("select_option", {"ref": "e6", "value": "none"})
        assert answer["effect"] == {"kind": "selected", "verified": False, "value": "Beta"}
        answer = await app.call("select_option", {"ref": "e6", "value": "beta"})
        assert answer["effect"]["verified"] is True


async def test_a_checkbox_is_read_back_where_flutter_tells_it() -> None:
    async with DuskPeer() as peer, await connect(peer) as app:
        box = peer.page.widgets[3]
        for known in (True, False):
            box.known, box.on = known, False
            for ref in ("e4", (await app.call("find", {"key": "agree"}))["ref"]):
                for before, wanted in ((False, True), (True, True), (True, False), (False, False)):
                    value = "true" if wanted else "false"
                    assert await app.call("set_checkbox", {"ref": ref, "value": value}) == {
                        "ref": ref,
                        "previousValue": before,
                        "value": wanted,
                        "toggled": before is not wanted,
                        "effect": {
                            "kind": "checked",
                            "verified": True,
                            "before": before,
                            "after": wanted,
                        },
                    }
                    assert box.on is wanted
        found = (await app.call("observe", {"limit": "1000"}))["candidates"]
        told = {each["label"]: each["checked"] for each in found if "checked" in each}
        assert told == {"I agree": False}


async def test_a_checkbox_is_looked_at_before_it_is_tapped() -> None:
    async with DuskPeer() as peer:
        isolate: Any = peer.answers["getIsolate"]
        isolate["extensionRPCs"].remove("ext.flutter.debugDumpSemanticsTreeInTraversalOrder")
        async with await connect(peer) as app:
            answer = await app.call("set_checkbox", {"ref": "e4", "value": "true"})
            assert answer == {"ref": "e4", "previousValue": False, "value": True, "toggled": True}
            methods = [each["method"] for each in peer.requests][-2:]
            assert methods == ["ext.dusk.snap", "ext.dusk.set_checkbox"]


async def test_a_row_that_hears_its_control_alone_is_named(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("tapir_replay.app.dusk.verbs._SETTLING", 0)
    async with DuskPeer() as peer, await connect(peer) as app:
        peer.page.widgets[3].deaf = True
        with pytest.raises(VerbUnavailable, match="the middle of the row") as caught:
            await app.call("set_checkbox", {"ref": "e4", "value": "true"})
        assert "key" in caught.value.hint
        for ref in ("e4", (await app.call("find", {"key": "agree"}))["ref"]):
            with pytest.raises(VerbUnavailable, match="the middle of the row"):
                await app.call("tap", {"ref": ref})


@pytest.mark.parametrize(
    ("verb", "params", "why"),
    [
        ("press_key", {"key": "Escape"}, "past what has the focus"),
        ("drag", {"startRef": "e8", "endRef": "e9"}, "tell no distances"),
    ],
)
async def test_what_gets_nowhere_is_said(
    verb: str, params: dict[str, str], why: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Dusk's keys pass by the focus, and its moves say how far they go to no gesture."""
    monkeypatch.setattr("tapir_replay.app.dusk.verbs._SETTLING", 0)
    async with DuskPeer() as peer, await connect(peer) as app:
        with pytest.raises(VerbUnavailable, match=why) as caught:
            await app.call(verb, params)
        assert "tapir" in caught.value.hint
        peer.page.hears = True
        answer = await app.call(verb, {**params, "includeSnapshot": "false"})
        assert params.items() <= answer.items()


async def test_what_dusk_would_ignore_is_refused() -> None:
    async with DuskPeer() as peer, await connect(peer) as app:
        with pytest.raises(VerbUnavailable, match="without modifiers") as caught:
            await app.call("press_key", {"key": "Enter", "modifiers": "shift"})
        assert "tapir" in caught.value.hint
        with pytest.raises(VerbUnavailable, match="reportPoint"):
            await app.call("tap", {"ref": "e9", "reportPoint": "true"})
        for verb, params in (
            ("tap", {"x": "1", "y": "2"}),
            ("drag", {"startRef": "e9", "dx": "9"}),
        ):
            with pytest.raises(VerbUnavailable, match="no places or distances"):
                await app.call(verb, params)
        assert all(peer.asked(f"ext.dusk.{verb}") == [] for verb in ("press_key", "tap", "drag"))


@pytest.mark.parametrize("verb", ["dblclick", "triple_click"])
async def test_clicks_are_no_further_ones_of_those_before(
    verb: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tapir_replay.app.dusk.verbs._CLICKS_APART", 60)
    rests: list[float] = []

    async def rest(seconds: float) -> None:
        rests.append(seconds)

    async with DuskPeer() as peer, await connect(peer) as app:
        monkeypatch.setattr("tapir_replay.app.dusk.verbs.asyncio.sleep", rest)
        await app.call(verb, {"ref": "e9"})
        assert rests == []
        await app.call("tap", {"ref": "e9"})
        await app.call(verb, {"ref": "e9"})
        assert [round(each) for each in rests] == [60]


# Scrolling


@pytest.mark.parametrize(
    ("params", "after"),
    [
        ({}, 300.0),
        ({"pixels": "120"}, 120.0),
        ({"direction": "right", "pixels": "50"}, 50.0),
        ({"dy": "70", "direction": "up"}, 70.0),
        ({"pixels": "9999"}, 500.0),
    ],
)
async def test_a_scroll_tells_where_it_went(
    params: dict[str, str], after: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tapir_replay.app.dusk.verbs._SETTLING", 0)
    async with DuskPeer() as peer, await connect(peer) as app:
        answer = await app.call("scroll", {**params, "includeSnapshot": "false"})
        assert answer == {
            "scrolled": True,
            "finalOffset": after,
            "effect": {"kind": "scrollOffset", "changed": True, "before": 0.0, "after": after},
        }


async def test_a_list_that_springs_back_is_left_alone_until_it_rests(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Each look stops it: many quick ones would never see the end."""
    monkeypatch.setattr("tapir_replay.app.dusk.verbs._SETTLING", 0.01)
    monkeypatch.setattr("tapir_replay.app.dusk.verbs._LONGEST", 0.08)
    async with DuskPeer() as peer, await connect(peer) as app:
        peer.page.spring = 0.03
        for pixels, moved in (("20000", True), ("300", False)):
            answer = await app.call("scroll", {"pixels": pixels, "includeSnapshot": "false"})
            assert (answer["finalOffset"], answer["scrolled"]) == (500.0, moved)
        assert len(peer.asked("ext.dusk.scroll")) < 20


async def test_a_scroll_that_moves_nothing_says_so() -> None:
    async with DuskPeer() as peer, await connect(peer) as app:
        answer = await app.call("scroll", {"direction": "up"})
        assert answer["scrolled"] is False
        assert answer["effect"]["changed"] is False


async def test_scrolls_that_dusk_would_do_otherwise_are_refused() -> None:
    async with DuskPeer() as peer, await connect(peer) as app:
        with pytest.raises(VerbUnavailable, match="one direction at a time"):
            await app.call("scroll", {"dx": "10", "dy": "10"})
        with pytest.raises(VerbRefused) as caught:
            await app.call("scroll", {"ref": "e77", "dy": "10"})
        assert caught.value.kind == "stale"
        assert peer.page.offset == 0


# Routes


async def test_navigation_is_judged_by_the_page() -> None:
    async with DuskPeer() as peer, await connect(peer) as app:
        params = {"route": "/details", "includeSnapshot": "false"}
        assert await app.call("navigate", params) == {
            "navigated": True,
            "route": "/details",
            "exactPath": True,
        }
        refused = await app.call("navigate", {**params, "route": "/nowhere"})
        assert refused["navigated"] is False
        assert refused["reason"] == "router did not honor it"
        back = {"includeSnapshot": "false"}
        assert await app.call("navigate_back", back) == {"navigatedBack": True, "popped": True}
        assert await app.call("navigate_back", back) == {"navigatedBack": False, "popped": False}
        assert await app.call("get_routes") == {"location": "/", "title": "", "uri": None}


# What the app says


async def test_snapshots_are_narrowed_down_here() -> None:
    async with DuskPeer() as peer, await connect(peer) as app:

        async def snap(**params: str) -> str:
            return str((await app.call("snap", params))["snapshot"])

        assert (await snap()).count("checkbox") == 1
        assert await snap(grep="^Del") == '- button "Delete" [ref=e7]\n- button "Delete" [ref=e8]\n'
        assert "Settings" not in await snap(interactiveOnly="true")
        assert await snap(within="e2") == '- textbox "Name" [ref=e2]\n  typeable: true\n'
        assert (await app.call("snap", {"grep": "Delete ("}))["grepLiteral"] is True
        with pytest.raises(VerbRefused, match="ref=e99 is not there"):
            await snap(within="e99")
        assert all("grep" not in each for each in peer.asked("ext.dusk.snap"))


async def test_a_snapshot_of_changes_is_made_here() -> None:
    async with DuskPeer() as peer, await connect(peer) as app:
        first = await app.call("tap", {"ref": "e9", "snapshot": "diff"})
        assert "snapshotMode" not in first
        peer.page.widgets[8].label = "Saved"
        second = await app.call("tap", {"ref": "e9", "snapshot": "diff"})
        assert second["snapshotMode"] == "diff"
        assert second["snapshot"] == (
            '- - button "Save" [ref=e9]\n+ - button "Saved" [ref=e9]\n(1 of 11 lines changed)\n'
        )


async def test_errors_that_were_cleared_do_not_come_again() -> None:
    async with DuskPeer() as peer, await connect(peer) as app:
        peer.page.exceptions.append({"type": "E", "message": "one", "time": "1"})
        assert (await app.call("exceptions", {"clear": "true"}))["count"] == 1
        assert await app.call("exceptions") == {"exceptions": [], "count": 0}
        peer.page.exceptions.insert(0, {"type": "E", "message": "two", "time": "2"})
        assert [e["message"] for e in (await app.call("exceptions"))["exceptions"]] == ["two"]


async def test_errors_that_are_thrown_again_are_told_again() -> None:
    """Dusk records an error once; Flutter posts each."""
    async with DuskPeer() as peer, await connect(peer) as app:
        peer.page.exceptions.append({"type": "E", "message": "one\nmore", "time": "2026-01-01Z"})
        await app.call("exceptions", {"clear": "true"})

        async def post(text: str) -> None:
            data = {"renderedErrorText": text}
            await peer.report(
                "Extension", "Extension", extensionKind="Flutter.Error", extensionData=data
            )

        await post("Another exception was thrown: two")
        assert (await app.call("exceptions"))["count"] == 0
        await post("Another exception was thrown: one")
        again = (await app.call("exceptions"))["exceptions"]
        assert [each["message"] for each in again] == ["one\nmore"]
        assert again[0]["time"].endswith("Z")
        assert again[0]["time"] != "2026-01-01Z"
        assert (await app.call("exceptions", {"clear": "true"}))["count"] == 1
        assert (await app.call("exceptions"))["count"] == 0


async def test_levels_that_dusk_knows() -> None:
    async with DuskPeer() as peer, await connect(peer) as app:
        await app.call("console", {"minLevel": "ERROR"})
        assert peer.asked("ext.dusk.console")[-1]["minLevel"] == "SEVERE"


async def test_places_come_from_what_is_observed() -> None:
    async with DuskPeer() as peer, await connect(peer) as app:
        geometry = {"geometry": "true"}
        key = (await app.call("find", {"key": "save"}))["ref"]
        for ref in ("e9", key):
            assert await app.call("screenshot", {**geometry, "ref": ref}) == {
                "rect": {"x": 16.0, "y": 280.0, "width": 358.0, "height": 40.0},
                "devicePixelRatio": 2.0,
            }
        part = await app.call("screenshot", {**geometry, "ref": "e9", "rect": "1,2,3,4"})
        assert part["rect"] == {"x": 17.0, "y": 282.0, "width": 3.0, "height": 4.0}
        assert await app.call("screenshot", geometry) == {
            "rect": {"x": 0, "y": 0, "width": 400.0, "height": 600.0},
            "devicePixelRatio": 2.0,
        }
        with pytest.raises(VerbUnavailable, match="where this widget is"):
            await app.call("screenshot", {**geometry, "ref": "e101"})
        assert peer.asked("ext.dusk.screenshot") == []


async def test_what_is_around_several_is_none_of_them() -> None:
    async with DuskPeer() as peer, await connect(peer) as app:
        key = (await app.call("find", {"key": "save"}))["ref"]
        for inside in (("Alpha", "Save"), ("Settings of the shop", "Save"), ("Delete",)):
            peer.page.widgets[8].around = inside
            with pytest.raises(VerbUnavailable, match="where this widget is"):
                await app.call("screenshot", {"geometry": "true", "ref": key})


async def test_pictures_of_widgets() -> None:
    async with DuskPeer() as peer, await connect(peer) as app:
        key = (await app.call("find", {"key": "save"}))["ref"]
        await app.call("screenshot", {"ref": key, "format": "png"})
        assert peer.asked("ext.dusk.screenshot")[-1]["ref"] == "e9"
        for params, size in (
            ({}, (800, 1200)),
            ({"ref": "e9"}, (716, 80)),
            ({"ref": "e9", "rect": "1,2,30,4", "format": "png"}, (60, 8)),
        ):
            answer = await app.call("screenshot", params)
            with Image.open(io.BytesIO(base64.b64decode(answer["base64"]))) as image:
                assert image.size == size == (answer["width"], answer["height"])
                assert image.format == params.get("format", "jpeg").upper()
        with pytest.raises(VerbRefused) as caught:
            await app.call("screenshot", {"rect": "1,2,3,4"})
        assert caught.value.kind == "missing_param"


async def test_a_silence_that_did_not_come_is_an_error_here_too() -> None:
    async with DuskPeer() as peer, await connect(peer) as app:
        peer.answers["ext.dusk.wait_for_network_idle"] = {"matched": False}
        with pytest.raises(VerbRefused) as caught:
            await app.call("wait_for_network_idle", {"timeoutMs": "100"})
        assert caught.value.kind == "timeout"


@pytest.mark.parametrize("verb", ["perf_begin", "perf_end", "perf_insight", "perf_trace"])
async def test_verbs_that_dusk_has_not_are_named(verb: str) -> None:
    async with DuskPeer() as peer, await connect(peer) as app:
        with pytest.raises(VerbUnavailable, match=f"Dusk has no verb `{verb}`") as caught:
            await app.call(verb)
        assert "fluttersdk_dusk" in caught.value.hint


async def test_a_long_press_takes_our_own_plugin() -> None:
    async with DuskPeer() as peer, await connect(peer) as app:
        with pytest.raises(VerbUnavailable, match="no verb `long_press`") as caught:
            await app.call("long_press", {"ref": "e1"})
        assert "install the tapir_replay plugin" in caught.value.hint


async def test_a_start_is_known_by_its_isolate() -> None:
    async with DuskPeer() as peer, await connect(peer) as app:
        assert (await boot_of(app)).startswith(ISOLATE)


async def test_a_later_version_is_trusted_with_what_it_has() -> None:
    async with DuskPeer() as peer:
        isolate: Any = peer.answers["getIsolate"]
        isolate["extensionRPCs"].append("ext.dusk.boot_id")
        peer.answers["ext.dusk.boot_id"] = {"bootId": "b"}
        effect = {"kind": "text", "verified": True, "value": "x"}
        peer.answers["ext.dusk.fill"] = {"ref": "e2", "text": "x", "filled": True, "effect": effect}
        async with await connect(peer) as app:
            assert await app.call("boot_id") == {"bootId": "b"}
            assert (await app.call("fill", {"ref": "e2", "text": "x"}))["effect"] == effect
            assert (await app.call("press_key", {"key": "a", "modifiers": "shift"}))["ok"]
