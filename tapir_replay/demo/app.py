"""The running app: one tree, its routes, its clock, its buffers, and whoever waits for a change."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING

from tapir_replay.demo.buffers import Console, Exceptions
from tapir_replay.demo.clock import Clock, RealClock
from tapir_replay.demo.geometry import SCREEN
from tapir_replay.demo.layout import lay_out
from tapir_replay.demo.perf import FrameLog
from tapir_replay.demo.router import Router
from tapir_replay.demo.tree import Box, Node

if TYPE_CHECKING:
    from collections.abc import Callable

LIFECYCLE_WITH_FRAMES = ("resumed", "inactive")


class App:
    """Everything a verb can ask about or act on."""

    def __init__(self, *, clock: Clock | None = None, lifecycle: str = "resumed") -> None:
        self.clock: Clock = clock or RealClock()
        self.lifecycle = lifecycle
        self.console = Console()
        self.exceptions = Exceptions()
        self.frames = FrameLog()
        self.pending_requests = 0
        self.signed_in: str | None = None
        self.version = 0
        self.focus: Node | None = None
        self.listeners: list[Callable[[], None]] = []
        """Told of every change of the tree, which may be half done by then."""
        self._dirty = True
        self._soon = False
        self._elements: list[Node] | None = None
        self._reachable: list[Node] | None = None
        self._waiters: list[tuple[Callable[[], bool], asyncio.Future[bool]]] = []
        self.router = Router(self)
        self.root = Node("WidgetsApp", self.router.navigator, box=Box("stack"))
        self.root.owner = self
        self.router.go("/login")

    @property
    def frames_enabled(self) -> bool:
        return self.lifecycle in LIFECYCLE_WITH_FRAMES

    # --- changes -------------------------------------------------------------------------------

    def tree_changed(self) -> None:
        """Called by the tree. Several changes in one turn of the loop make one frame."""
        self.version += 1
        self._dirty = True
        for tell in self.listeners:
            tell()
        if self._soon:
            return
        try:
            loop = asyncio.get_running_loop()
        except RuntimeError:  # a test that drives the app by hand
            return
        self._soon = True
        loop.call_soon(self._draw)

    def refresh(self) -> None:
        """Lay the tree out if it changed."""
        if not self._dirty:
            return
        self._dirty = False
        started = time.perf_counter()
        lay_out(self.root, SCREEN)
        self._elements = self._reachable = None
        if self.focus is not None and not self.focus.is_mounted:
            self.focus = None
        self.frames.drew(time.perf_counter() - started, (n.type for n in self.root.walk()))

    def _draw(self) -> None:
        self._soon = False
        self.refresh()
        for holds, future in tuple(self._waiters):
            if not future.done() and holds():
                future.set_result(True)

    async def until(self, holds: Callable[[], bool], seconds: float) -> bool:
        """Wait for a condition of the tree; it is looked at when something changed, not polled."""
        if seconds <= 0:
            return False
        if holds():
            return True
        future: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        waiter = (holds, future)
        self._waiters.append(waiter)

        def give_up() -> None:
            if not future.done():
                future.set_result(False)

        timer = self.clock.call_later(seconds, give_up)
        try:
            return await future
        finally:
            timer.cancel()
            self._waiters.remove(waiter)

    # --- the tree as seen ----------------------------------------------------------------------

    @property
    def elements(self) -> list[Node]:
        """Every mounted node in tree order, covered routes included."""
        self.refresh()
        if self._elements is None:
            self._elements = list(self.root.walk())
        return self._elements

    @property
    def reachable(self) -> list[Node]:
        """What is left when covered routes are dropped, as they are from the semantics tree."""
        self.refresh()
        if self._reachable is None:
            found: list[Node] = []
            stack = [self.root]
            while stack:
                node = stack.pop()
                found.append(node)
                below = node.children[-1:] if node.type == "Navigator" else node.children
                stack.extend(reversed(below))
            self._reachable = found
        return self._reachable

    def has_text(self, data: str) -> bool:
        """Whether some `Text` of any mounted route shows exactly this."""
        return any(node.data == data for node in self.elements)

    # --- focus and requests --------------------------------------------------------------------

    def set_focus(self, node: Node | None) -> None:
        before, self.focus = self.focus, node
        if node is before:
            return
        for changed, focused in ((before, False), (node, True)):
            if changed is not None and changed.on_focus is not None:
                changed.on_focus(focused)
        self.tree_changed()

    def request(self, seconds: float, answered: Callable[[], None]) -> None:
        """Something like an HTTP call: pending for a while, then answered."""
        self.pending_requests += 1
        self.tree_changed()

        def finish() -> None:
            self.pending_requests -= 1
            answered()
            self.tree_changed()

        self.clock.call_later(seconds, finish)
