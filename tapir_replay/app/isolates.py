"""Which isolate has the verbs.

Neither its name nor its place in the list tells; only its registered extensions do. They may be
registered seconds after the service answers, and the isolate may be replaced while one looks.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from typing import Any

from tapir_replay.app.errors import AmbiguousIsolate, CallTimeout, VerbsNotRegistered
from tapir_replay.app.jsonrpc import Event, RpcError
from tapir_replay.app.vm_service import VmService

_LOOK_AGAIN = 1.0
"""Seconds after which all isolates are read anew, in case a service leaves events out."""

_REPLACEMENT = 0.5
"""Seconds granted to an old isolate for leaving when its successor is already there."""


_LAST_LOOK = 1.0
"""Seconds for reading all isolates before it is reported that none has the verbs."""


@dataclass(slots=True, eq=False)
class Isolate:
    """What is known of one isolate."""

    id: str
    name: str = ""
    pause: str = ""
    extensions: set[str] = field(default_factory=set)

    def describe(self) -> str:
        prefixes = sorted({_prefix(name) for name in self.extensions})
        registered = f"has {', '.join(prefixes)}" if prefixes else "has no extensions"
        state = "" if self.pause in {"", "None", "Resume"} else f" ({self.pause})"
        return f"{self.name or 'unnamed'} [{self.id}]{state} {registered}"


class Isolates:
    """The service's isolates, followed by its events from the moment this is made."""

    def __init__(self, service: VmService) -> None:
        self._service = service
        self._known: dict[str, Isolate] = {}
        self._gone: set[str] = set()
        self._unanswered = False
        self._changed = asyncio.Event()
        service.subscribe(self.take)

    def take(self, event: Event) -> None:
        """Follow an event of the service."""
        reference: Mapping[str, Any] = event.body.get("isolate") or {}
        if event.isolate is None or reference.get("isSystemIsolate") is True:
            return
        if event.kind == "IsolateExit":
            self._gone.add(event.isolate)
            self._known.pop(event.isolate, None)
        elif event.kind in {"IsolateStart", "IsolateRunnable", "ServiceExtensionAdded"}:
            self._gone.discard(event.isolate)
            if event.kind == "IsolateStart":
                self._known.pop(event.isolate, None)
            isolate = self._known.setdefault(event.isolate, Isolate(event.isolate))
            isolate.name = str(reference.get("name") or isolate.name)
            added = event.body.get("extensionRPC")
            if isinstance(added, str):
                isolate.extensions.add(added)
        else:
            return
        self._changed.set()

    def forget(self, isolate: Isolate) -> None:
        """It turned out to be gone, with or without an event that said so."""
        if self._known.get(isolate.id) is isolate:
            self._gone.add(isolate.id)
            del self._known[isolate.id]

    async def change(self, deadline: float) -> bool:
        """Wait for the next change; False when none came before `deadline` (the loop's time)."""
        self._changed.clear()
        try:
            async with asyncio.timeout_at(deadline):
                await self._changed.wait()
        except TimeoutError:
            return False
        return True

    async def find(
        self,
        accepts: Callable[[Collection[str]], bool],
        *,
        deadline: float,
        wanted: str | None = None,
    ) -> Isolate:
        """The one isolate whose extensions are accepted.

        Args:
            accepts: Judges an isolate's extensions.
            deadline: By the loop's clock.
            wanted: Its id or name, where several may have them.

        Raises:
            VerbsNotRegistered: None until the deadline.
            AmbiguousIsolate: Several, and `wanted` does not tell them apart.
        """
        loop = asyncio.get_running_loop()
        await self._read(deadline)
        read_at = loop.time()
        several_since: float | None = None
        last_look = False
        while True:
            # From here to the wait nothing else runs, so no change can slip through.
            found = [
                isolate
                for isolate in self._known.values()
                if accepts(isolate.extensions) and wanted in {None, isolate.id, isolate.name}
            ]
            if len(found) == 1:
                return found[0]
            now = loop.time()
            limit = min(deadline, read_at + _LOOK_AGAIN)
            if found:
                several_since = several_since or now
                limit = min(limit, several_since + _REPLACEMENT)
                if now >= min(several_since + _REPLACEMENT, deadline):
                    raise _ambiguous(found)
            else:
                several_since = None
                if last_look:
                    raise self._none_found(wanted)
                if now >= deadline:
                    last_look = True  # what is reported has to be true of this moment
                    await self._read(now + _LAST_LOOK)
                    continue
            if not await self.change(limit) and loop.time() >= read_at + _LOOK_AGAIN:
                await self._read(deadline)
                read_at = loop.time()

    async def _read(self, deadline: float) -> None:
        """Ask for all isolates. What events said meanwhile is kept."""
        names: list[str] = []
        self._unanswered = True
        with contextlib.suppress(RpcError, CallTimeout):
            machine = await self._service.request("getVM", timeout=self._left(deadline))
            self._unanswered = False
            listed = machine.get("isolates") if isinstance(machine, dict) else None
            names = [entry["id"] for entry in listed or () if isinstance(entry.get("id"), str)]
        everyone = dict.fromkeys([*names, *self._known])
        await asyncio.gather(*(self._read_one(name, deadline) for name in everyone))

    async def _read_one(self, name: str, deadline: float) -> None:
        """Ask for one isolate; it may be gone by now, or not able to say much yet."""
        with contextlib.suppress(RpcError, CallTimeout):
            body = await self._service.request(
                "getIsolate", isolate=name, timeout=self._left(deadline)
            )
            if not isinstance(body, dict) or name in self._gone:
                return
            isolate = self._known.setdefault(name, Isolate(name))
            if body.get("type") == "Sentinel":
                self.forget(isolate)
                return
            isolate.name = str(body.get("name") or isolate.name)
            isolate.pause = pause_kind(body)
            registered = body.get("extensionRPCs") or ()
            isolate.extensions.update(str(extension) for extension in registered)

    def _none_found(self, wanted: str | None) -> VerbsNotRegistered:
        seen = [isolate.describe() for isolate in self._known.values()]
        listing = "".join(f"\n  {line}" for line in seen) or " none"
        if not seen and self._unanswered:
            listing = " unknown, as the service does not answer `getVM`"
        whom = "No isolate" if wanted is None else f"No isolate {wanted!r}"
        paused = any(isolate.pause.startswith("Pause") for isolate in self._known.values())
        return VerbsNotRegistered(
            f"{whom} has registered the verbs. Isolates:{listing}",
            hint="An isolate is paused: resume the app in its debugger."
            if paused
            else "Is the plugin installed in the app's main(), and the build no release build?",
        )

    @staticmethod
    def _left(deadline: float) -> float:
        return max(0.0, min(5.0, deadline - asyncio.get_running_loop().time()))


def pause_kind(isolate: dict[str, Any]) -> str:
    """Why an isolate stands still, from its description: `PauseBreakpoint` and so on."""
    event = isolate.get("pauseEvent")
    return str(event.get("kind", "")) if isinstance(event, dict) else ""


def _prefix(extension: str) -> str:
    return ".".join(extension.split(".")[:2]) + ".*"


def _ambiguous(found: list[Isolate]) -> AmbiguousIsolate:
    listing = "".join(f"\n  {isolate.describe()}" for isolate in found)
    return AmbiguousIsolate(
        f"{len(found)} isolates have registered the verbs:{listing}",
        hint="Name the one that is meant by its id, or by its name where that is unique.",
    )
