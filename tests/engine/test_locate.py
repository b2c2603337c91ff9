"""Both ways of asking find the same widgets on the same screen, where the wire can tell."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from dataclasses import replace
from typing import Any

import pytest

from tapir_replay.app.vm_app import VmApp
from tapir_replay.demo.server import DemoServer
from tapir_replay.engine.events import FaultKind
from tapir_replay.engine.faults import StepFault
from tapir_replay.engine.locate import QueryLocator, WireLocator, locator_for, resolve
from tapir_replay.engine.screen import Bounds, Match, texts_of
from tapir_replay.scenario.load import target_of
from tapir_replay.scenario.model import Target
from tests.engine.scripted import FakeClock, ScriptedApp, ScriptedLocator, button, run

SIGN_IN = (
    ("fill", "{key: email}", {"text": "ada@example.com"}),
    ("fill", "{key: password}", {"text": "correct-horse"}),
    ("tap", "{key: submit}", {"until": "Welcome back"}),
)

SCREENS: dict[str, tuple[str, tuple[tuple[str, str, dict[str, str]], ...]]] = {
    "login": ("/login", ()),
    "home": ("/login", SIGN_IN),
    "form": ("/form", (("fill", "{key: quantity}", {"text": "3"}),)),
    "list": ("/list", ()),
    "settings": ("/settings", ()),
    "inbox": ("/inbox", ()),
    "gestures": ("/gestures", ()),
    "covered": ("/covered", ()),
    "dialog": ("/overlays", (("tap", "Open dialog", {}),)),
    "odd": ("/errors", (("tap", "Odd text", {}),)),
}

TARGETS: dict[str, tuple[str, ...]] = {
    "login": (
        "Email",
        "{key: email}",
        "{label: Password}",
        "{role: textbox}",
        "{role: button}",
        "{role: button, label: Sign in}",
        "{role: link, label: Sign in}",
        "{contains: Sign}",
        "{contains: sign}",
        "{matches: '^[RS]'}",
        "{key: email, role: textbox}",
        "{key: email, role: button}",
        "{key: email, label: Email}",
        "{key: nothing}",
        "Tapir Demo",
        "Welcome back",
    ),
    "home": (
        "Delete",
        "{label: Delete}",
        "{role: button, label: Delete}",
        "{label: Delete, within: {key: task-2}}",
        "{text: Buy milk, within: {key: task-1}}",
        "{text: Buy milk, within: {key: task-2}}",
        "{contains: the}",
        "{matches: '^(Buy|Call) '}",
        "{key: task-count, text: 3 tasks}",
        "{key: task-count, text: 2 tasks}",
        "{key: task-count, contains: tasks}",
        "3 tasks",
        "{role: heading}",
    ),
    "form": (
        "{value: '3'}",
        "{value: M}",
        "{role: textbox, value: '3'}",
        "{role: textbox, value: ''}",
        "{key: quantity, value: '3'}",
        "{key: quantity, value: '4'}",
        "{role: checkbox}",
        "Size",
        "{key: total, matches: '^\\$22'}",
        "Place order",
    ),
    "list": ("Item 1", "Item 2", "Item 200", "{contains: Item 1}", "{matches: '^Item [12]$'}"),
    "settings": ("Notifications", "{key: notifications}", "{role: checkbox}", "{contains: Not}"),
    "inbox": (
        "Archive",
        "{label: Archive, within: {key: message-3}}",
        "{role: button, within: {key: message-1}}",
        "Message 2",
        "{key: message-2}",
    ),
    "gestures": ("Card", "Basket", "{role: image}", "{contains: Basket}", "{matches: '^Last'}"),
    "covered": ("Buy", "Cookies", "{role: heading}", "{role: button}"),
    "dialog": ("Delete all", "Open sheet", "{role: button}", "This cannot be undone.", "Overlays"),
    "odd": ("{contains: 日本語}", "{key: odd}", "{matches: '<b>'}"),
}

Seen = list[tuple[str, str, str, Bounds | None, bool]]


def seen(matches: tuple[Match, ...]) -> Seen:
    """What both can tell. The wire does not tell in which order texts stand in a container."""
    return [
        (each.role, words_of(each), each.value or "", each.bounds, each.visible) for each in matches
    ]


def words_of(match: Match) -> str:
    return " ".join(sorted((match.label or match.text or "").split()))


async def at(app: VmApp, screen: str) -> None:
    route, steps = SCREENS[screen]
    await app.call("navigate", {"route": route})
    for verb, target, params in steps:
        match = await resolve(
            QueryLocator(app), target_of(target) if target[0] == "{" else Target(text=target)
        )
        await app.call(verb, {"ref": match.ref, **params})


def on_the_demo(work: Any) -> Any:
    async def connected() -> Any:
        async with DemoServer() as server:
            app = await VmApp.connect(server.uri)
            try:
                return await work(app)
            finally:
                await app.close()

    async def in_time(coroutine: Coroutine[Any, Any, Any]) -> Any:
        async with asyncio.timeout(20):
            return await coroutine

    return run(in_time(connected()))


@pytest.mark.parametrize("screen", SCREENS)
def test_both_find_the_same(screen: str) -> None:
    async def compare(app: VmApp) -> list[tuple[str, Seen, Seen]]:
        await at(app, screen)
        both = []
        for written in TARGETS[screen]:
            target = target_of(written) if written[0] == "{" else Target(text=written)
            query = await QueryLocator(app).find(target)
            wire = await WireLocator(app).find(target)
            assert query.count == wire.count, written
            both.append((written, seen(query.matches), seen(wire.matches)))
        return both

    for written, query, wire in on_the_demo(compare):
        assert [each[:3] for each in query] == [each[:3] for each in wire], written
        for ours, theirs in zip(query, wire, strict=True):
            assert ours[3] is not None, written
            assert theirs[3] is not None, written
            assert ours[3].near(theirs[3]), written


@pytest.mark.parametrize("screen", ["login", "home", "form", "inbox"])
def test_both_act_on_the_same(screen: str) -> None:
    """The refs of both stand for the same widget, the n-th of several too."""

    async def compare(app: VmApp) -> None:
        await at(app, screen)
        for written in TARGETS[screen]:
            target = target_of(written) if written[0] == "{" else Target(text=written)
            count = (await QueryLocator(app).find(target)).count
            for index in range(count):
                places = []
                for locator in (QueryLocator(app), WireLocator(app)):
                    match = await resolve(locator, replace(target, nth=index))
                    answer = await app.call("screenshot", {"ref": match.ref, "geometry": "true"})
                    places.append(answer["rect"])
                assert places[0] == places[1], (written, index)

    on_the_demo(compare)


def test_which_is_asked() -> None:
    app = ScriptedApp(FakeClock())
    assert isinstance(locator_for(app), WireLocator)
    app.capabilities = frozenset({"query"})
    assert isinstance(locator_for(app), QueryLocator)


def test_one_round_trip_for_the_common_case() -> None:
    found = {"ref": "q1", "matched": True, "matchCount": 1}
    app = ScriptedApp(FakeClock(), find=found)
    assert run(resolve(WireLocator(app), Target(text="Save"))).ref == "q1"
    assert run(resolve(WireLocator(app), Target(key="save"))).ref == "q1"
    assert [verb for verb, _ in app.calls] == ["find", "find"]


def test_a_count_above_one_is_looked_into() -> None:
    """`find` answers with the first of several; that is not enough to act on."""
    app = ScriptedApp(
        FakeClock(),
        find={"ref": "q1", "matched": True, "matchCount": 2},
        observe={
            "candidates": [
                {"ref": "q2", "role": "button", "label": "Save"},
                {"ref": "q3", "role": "button", "label": "Save"},
            ]
        },
        snap={"snapshot": '- button "Save" [ref=e1]\n- button "Save" [ref=e2]\n'},
    )
    with pytest.raises(StepFault) as stopped:
        run(resolve(WireLocator(app), Target(text="Save")))
    assert stopped.value.fault.kind is FaultKind.AMBIGUOUS
    assert stopped.value.passing


def test_a_ref_is_taken_as_it_is() -> None:
    app = ScriptedApp(FakeClock())
    assert run(resolve(WireLocator(app), Target(ref="e5"))).ref == "e5"
    assert app.calls == []


def test_the_query_is_told_all_predicates() -> None:
    app = ScriptedApp(FakeClock(), query={"count": 1, "nodes": [{"ref": "e9", "role": "button"}]})
    target = Target(key="k", label="l", role="button", within=Target(key="row"), nth=0)
    assert run(resolve(QueryLocator(app), target)).ref == "e9"
    assert app.calls == [
        ("query", {"key": "row"}),
        ("query", {"key": "k", "label": "l", "role": "button", "within": "e9"}),
    ]


@pytest.mark.parametrize(
    "written",
    ["{identifier: a}", "{hint: a}", "{role: button, tooltip: a}", "{text: b, within: {hint: a}}"],
)
def test_names_that_the_app_does_not_tell(written: str) -> None:
    """With the public verbs, or an older plugin, it is an error and no widget that is missing."""
    app = ScriptedApp(FakeClock(), query={"count": 0, "nodes": []})
    for locator, advice in ((WireLocator(app), "install"), (QueryLocator(app), "update")):
        with pytest.raises(StepFault) as stopped:
            run(resolve(locator, target_of(written)))
        found = stopped.value.fault
        assert (found.kind, stopped.value.passing) == (FaultKind.UNAVAILABLE, False)
        assert found.message.startswith("the app cannot tell a widget's ")
        assert advice in str(found.hint)
        assert "tapir_replay plugin" in str(found.hint)
    assert app.calls == []


def test_names_beside_the_label() -> None:
    async def ask(app: VmApp) -> list[str]:
        found = []
        for route, target in (
            ("/search", Target(tooltip="Clear")),
            ("/search", Target(role="textbox", hint="Type a fruit")),
            ("/settings", Target(identifier="managed-box")),
        ):
            await app.call("navigate", {"route": route})
            found.append(str(await resolve(locator_for(app), target)).partition(" at ")[0])
        return found

    assert on_the_demo(ask) == [
        'button tooltip "Clear"',
        'textbox "Search fruit" (key search)',
        'checkbox "Managed by your company" (key managed)',
    ]


def test_a_widget_without_words_goes_by_its_other_names() -> None:
    clear = Match(ref="e1", role="button", tooltip="Clear", identifier="c", bounds=None)
    assert str(clear) == 'button tooltip "Clear" identifier "c"'
    assert str(Match(ref="e1", role="textbox", hint="Where")) == 'textbox hint "Where"'
    assert str(Match(ref="e1", role="button", label="A", tooltip="B")) == 'button "A"'
    assert str(Match(ref="e1", role="button")) == 'button ""'


def test_a_name_beside_the_label_is_near() -> None:
    shown = [button("Cancel"), Match(ref="e2", role="button", tooltip="Clear all")]
    with pytest.raises(StepFault) as stopped:
        run(resolve(ScriptedLocator([], shown=shown), Target(tooltip="Clear al")))
    assert stopped.value.fault.details[1] == '  button tooltip "Clear all"'


def test_a_far_one_of_many() -> None:
    nodes = [{"ref": f"e{n}", "role": "button"} for n in range(40)]
    app = ScriptedApp(FakeClock(), query={"count": 40, "nodes": nodes})
    assert run(resolve(QueryLocator(app), Target(role="button", nth=35))).ref == "e35"
    assert app.calls[0][1]["limit"] == "36"


def test_many_candidates_are_not_all_listed() -> None:
    nodes = [{"ref": f"e{n}", "role": "button", "label": "Row"} for n in range(20)]
    app = ScriptedApp(FakeClock(), query={"count": 63, "nodes": nodes})
    with pytest.raises(StepFault) as stopped:
        run(resolve(QueryLocator(app), Target(text="Row")))
    details = stopped.value.fault.details
    assert (len(details), details[-1]) == (22, "  ... and 43 more")


def test_the_nearest_come_first() -> None:
    shown = [button("Cancel"), button("Sign up"), button("Sign in"), button("x", key="sign-in")]
    with pytest.raises(StepFault) as stopped:
        run(resolve(ScriptedLocator([], shown=shown), Target(text="Sign inn")))
    assert stopped.value.fault.details == (
        "nearest on screen:",
        '  button "Sign in"',
        '  button "x" (key sign-in)',
        '  button "Sign up"',
        "4 widgets were looked at",
    )


def test_nothing_on_screen() -> None:
    with pytest.raises(StepFault) as stopped:
        run(resolve(ScriptedLocator([]), Target(text="Save")))
    assert stopped.value.fault.details == ("0 widgets were looked at",)


def test_several_that_contain_it_are_told_by_both() -> None:
    async def both(app: VmApp) -> list[str]:
        await at(app, "list")
        told = []
        for locator in (QueryLocator(app), WireLocator(app)):
            with pytest.raises(StepFault) as stopped:
                await resolve(locator, Target(contains="Item 1"))
            told.append(stopped.value.fault.message)
        return told

    query, wire = on_the_demo(both)
    assert query == wire
    assert query.endswith('widgets match contains "Item 1"; one is wanted')


def test_a_text_and_a_button_of_one_label_are_two() -> None:
    app = ScriptedApp(
        FakeClock(),
        find={"ref": "q1", "matched": True, "matchCount": 2},
        observe={"candidates": [{"ref": "q2", "role": "button", "label": "Save"}]},
        snap={"snapshot": '- text "Save"\n- button "Save" [ref=e2]\n'},
        screenshot={"rect": {"x": 1, "y": 2, "w": 3, "h": 4}},
    )
    text, control = run(WireLocator(app).find(Target(text="Save"))).matches
    assert (text.role, text.bounds) == ("", Bounds(1, 2, 3, 4))
    assert (control.role, control.ref) == ("button", "q2")


# The text of a snapshot


def test_the_lines_of_a_snapshot() -> None:
    text = (
        '- heading "A \\"quoted\\" \\\\ one" [ref=e1]\n'
        '- textbox "Notes": "one\ntwo: three" [ref=e2] [offscreen]\n'
        "  typeable: true\n"
        '  - text "plain"\n'
        '- button "" [ref=e4] [occluded]\n'
        "  tapOwner: {}\n"
    )
    heading, notes, plain, blank = texts_of(text)
    assert (heading.role, heading.label, heading.ref) == ("heading", 'A "quoted" \\ one', "e1")
    assert (notes.value, notes.visible, notes.in_view) == ("one\ntwo: three", False, False)
    assert (plain.role, plain.text, plain.ref) == ("", "plain", "")
    assert (blank.label, blank.visible, blank.in_view) == ("", False, True)
