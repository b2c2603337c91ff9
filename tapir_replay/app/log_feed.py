"""The app's events in their order, with log records completed that the service cut short."""

from __future__ import annotations

import asyncio
import contextlib
from collections import deque
from collections.abc import Callable
from dataclasses import replace

from tapir_replay.app.errors import AppError
from tapir_replay.app.events import EventReader, truncated_text
from tapir_replay.app.interface import AppEvent
from tapir_replay.app.jsonrpc import Event, RpcError
from tapir_replay.app.vm_service import VmService

_FETCH_TIMEOUT = 2.0


class LogFeed:
    """Hands events on. A log record whose text has to be fetched holds up later ones, no others."""

    def __init__(self, service: VmService, emit: Callable[[AppEvent], None]) -> None:
        self._service = service
        self._emit = emit
        self._reader = EventReader()
        self._waiting: deque[tuple[AppEvent, str | None, str | None]] = deque()
        self._fetching: asyncio.Task[None] | None = None

    def take(self, event: Event) -> None:
        for translated in self._reader.read(event):
            if translated.kind != "log":
                self._emit(translated)
                continue
            reference = truncated_text(event)
            if reference is None and not self._waiting:
                self._emit(translated)
                continue
            self._waiting.append((translated, reference, event.isolate))
            if self._fetching is None or self._fetching.done():
                self._fetching = asyncio.create_task(self._complete())

    def close(self) -> None:
        if self._fetching is not None:
            self._fetching.cancel()

    async def _complete(self) -> None:
        while self._waiting:
            event, reference, isolate = self._waiting[0]
            if reference is not None:
                event = await self._whole(event, reference, isolate)
            self._waiting.popleft()
            self._emit(event)

    async def _whole(self, event: AppEvent, reference: str, isolate: str | None) -> AppEvent:
        """The record with its full text; as it came, when that cannot be had any more."""
        with contextlib.suppress(AppError, RpcError):
            found = await self._service.request(
                "getObject", {"objectId": reference}, isolate=isolate, timeout=_FETCH_TIMEOUT
            )
            text = found.get("valueAsString") if isinstance(found, dict) else None
            if isinstance(text, str) and found.get("type") != "Sentinel":
                return replace(event, data={**event.data, "text": text})
        return replace(event, data={**event.data, "text": f"{event.data['text']}…"})
