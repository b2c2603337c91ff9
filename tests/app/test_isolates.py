"""Which isolate has the verbs."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Collection
from typing import Any

import pytest

from tapir_replay.app.errors import AmbiguousIsolate, VerbsNotRegistered
from tapir_replay.app.isolates import Isolate, Isolates
from tapir_replay.app.vm_service import VmService
from tests.support.fake_service import SILENCE, FakeService, Fault

SENTINEL = {"type": "Sentinel", "kind": "Collected", "valueAsString": "<collected>"}


def tapir(extensions: Collection[str]) -> bool:
    return any(name.startswith("ext.tapir.") for name in extensions)


def reference(name: str, **more: Any) -> dict[str, Any]:
    return {"type": "@Isolate", "id": f"isolates/{name}", "name": "main", **more}


def described(name: str, *extensions: str, pause: str = "Resume") -> dict[str, Any]:
    return {
        **reference(name),
        "type": "Isolate",
        "pauseEvent": {"kind": pause},
        "extensionRPCs": list(extensions),
    }


class World:
    """A fake service and the isolates in it."""

    def __init__(self, fake: FakeService, isolates: Isolates) -> None:
        self.fake = fake
        self.isolates = isolates

    async def find(self, timeout: float = 2.0, wanted: str | None = None) -> Isolate:
        deadline = asyncio.get_running_loop().time() + timeout
        return await self.isolates.find(tapir, deadline=deadline, wanted=wanted)

    async def report(self, kind: str, name: str, **body: Any) -> None:
        await self.fake.report("Isolate", kind, isolate=reference(name), **body)


@contextlib.asynccontextmanager
async def world(*isolates: Any, **answers: Any) -> AsyncIterator[World]:
    by_id = {f"isolates/{index}": body for index, body in enumerate(isolates, 1)}
    replies = {
        "getVM": {"isolates": [reference(str(index + 1)) for index in range(len(isolates))]},
        "getIsolate": lambda params: by_id.get(params["isolateId"], SENTINEL),
        **answers,
    }
    async with FakeService(replies) as fake:
        service = await VmService.connect(fake.uri, close_timeout=0.3)
        try:
            yield World(fake, Isolates(service))
        finally:
            await service.close()


async def test_the_extension_tells_neither_the_name_nor_the_order() -> None:
    async with world(described("1", "ext.dart.io.x"), described("2", "ext.tapir.snap")) as found:
        assert (await found.find()).id == "isolates/2"


@pytest.mark.parametrize(
    "broken",
    [
        SENTINEL,
        Fault(-32602),
        Fault(105, "Isolate must be runnable"),
        "text",
        {"extensionRPCs": None},
    ],
)
async def test_an_isolate_that_cannot_be_read_is_passed_over(broken: Any) -> None:
    async with world(broken, described("2", "ext.tapir.snap")) as found:
        assert (await found.find()).id == "isolates/2"


async def test_a_late_registration_is_waited_for() -> None:
    async with world(described("1")) as found:
        finding = asyncio.create_task(found.find())
        await found.fake.until_asked("getIsolate")
        await found.report("ServiceExtensionAdded", "1", extensionRPC="ext.tapir.snap")
        assert (await finding).id == "isolates/1"


async def test_a_registration_between_question_and_answer_is_not_lost() -> None:
    async with world() as found:
        first = {"extensionRPC": "ext.tapir.snap", "isolate": reference("7")}

        found.fake.answers["getVM"] = SILENCE
        found.fake.answers["getIsolate"] = described("7")
        finding = asyncio.create_task(found.find())
        request = await found.fake.until_asked("getVM")
        await found.fake.report("Isolate", "ServiceExtensionAdded", **first)
        await found.fake.send({"id": request["id"], "result": {"isolates": []}})
        assert (await finding).id == "isolates/7"


async def test_an_isolate_that_ends_while_it_is_read_is_not_taken() -> None:
    async with world(SILENCE, described("2")) as found:
        finding = asyncio.create_task(found.find())
        request = await found.fake.until_asked("getIsolate")
        await found.report("IsolateExit", "1")
        body = described("1", "ext.tapir.snap")
        await found.fake.send({"id": request["id"], "result": body})
        await found.report("IsolateStart", "3")
        await found.report("ServiceExtensionAdded", "3", extensionRPC="ext.tapir.snap")
        assert (await finding).id == "isolates/3"


async def test_a_service_that_leaves_events_out_is_asked_again() -> None:
    async with world(described("1")) as found:
        finding = asyncio.create_task(found.find())
        await found.fake.until_asked("getIsolate")
        found.fake.answers["getIsolate"] = described("1", "ext.tapir.snap")
        assert (await finding).id == "isolates/1"


async def test_an_id_that_comes_back_is_a_new_isolate() -> None:
    async with world(described("1", "ext.tapir.snap")) as found:
        await found.find()
        await found.report("IsolateExit", "1")
        await found.report("IsolateStart", "1")
        assert (await found.find()).id == "isolates/1"


async def test_no_verbs_until_the_deadline_lists_what_there_is() -> None:
    async with world(
        described("1", "ext.dart.io.a", "ext.dart.io.b", "ext.flutter.x", pause="PauseStart"),
        described("2"),
    ) as found:
        with pytest.raises(VerbsNotRegistered) as caught:
            await found.find(timeout=0.05)
    assert caught.value.message == (
        "No isolate has registered the verbs. Isolates:\n"
        "  main [isolates/1] (PauseStart) has ext.dart.*, ext.flutter.*\n"
        "  main [isolates/2] has no extensions"
    )
    assert caught.value.hint == "An isolate is paused: resume the app in its debugger."


async def test_no_isolate_at_all_is_said() -> None:
    async with world() as found:
        with pytest.raises(
            VerbsNotRegistered, match=r"^No isolate has .* Isolates: none$"
        ) as caught:
            await found.find(timeout=0.05)
    assert "plugin" in caught.value.hint


async def test_a_service_that_does_not_list_its_isolates_is_blamed() -> None:
    async with world(getVM=SILENCE) as found:
        with pytest.raises(VerbsNotRegistered, match="does not answer `getVM`"):
            await found.find(timeout=0.05)


async def test_several_isolates_are_listed_unless_one_is_named() -> None:
    bodies = (described("1", "ext.tapir.a"), {**described("2", "ext.tapir.a"), "name": "second"})
    async with world(*bodies) as found:
        with pytest.raises(AmbiguousIsolate) as caught:
            await found.find(timeout=0.05)
        assert caught.value.message == (
            "2 isolates have registered the verbs:\n"
            "  main [isolates/1] has ext.tapir.*\n"
            "  second [isolates/2] has ext.tapir.*"
        )
        assert (await found.find(wanted="isolates/1")).id == "isolates/1"
        assert (await found.find(wanted="second")).id == "isolates/2"
        with pytest.raises(VerbsNotRegistered, match="No isolate 'third' has"):
            await found.find(timeout=0.05, wanted="third")


async def test_an_isolate_that_makes_way_for_its_successor_is_waited_for() -> None:
    async with world(described("1", "ext.tapir.a"), described("2", "ext.tapir.a")) as found:
        finding = asyncio.create_task(found.find())
        await found.fake.until_asked("getIsolate")
        await found.report("IsolateExit", "1")
        assert (await finding).id == "isolates/2"


async def test_system_isolates_and_events_without_one_are_not_looked_at() -> None:
    async with world(described("1", "ext.tapir.a")) as found:
        added = {"extensionRPC": "ext.tapir.a"}
        system = reference("9", isSystemIsolate=True)
        await found.fake.report("Isolate", "ServiceExtensionAdded", isolate=system, **added)
        await found.fake.report("Isolate", "IsolateReload")
        assert (await found.find()).id == "isolates/1"
