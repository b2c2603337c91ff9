"""Whether a control can be acted on at all: the checks, in their order, first failure wins."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tapir_replay.demo.clock import FRAME, sleep
from tapir_replay.demo.faults import Fault, FaultType
from tapir_replay.demo.geometry import SCREEN
from tapir_replay.demo.pointer import hit, show_on_screen, what_covers

if TYPE_CHECKING:
    from tapir_replay.demo.app import App
    from tapir_replay.demo.geometry import Rect
    from tapir_replay.demo.refs import Target

TOLERANCE = 0.5
"""Pixels a side may move between two frames and still count as standing still."""


def refused(target: Target, reason: str, type_: FaultType) -> Fault:
    return Fault(f"Widget ref={target.ref} is not actionable: {reason}", type_, ref=target.ref)


def _sides(rect: Rect) -> tuple[float, float, float, float]:
    return rect.x, rect.y, rect.right, rect.bottom


async def check(
    app: App, target: Target, *, stable: bool = True, receives: bool = True
) -> dict[str, Any] | None:
    """Raise the fault of the first failing check; else answer what could not be established."""
    node = target.node
    app.refresh()
    if not target.nodeless and not node.is_enabled:
        raise refused(target, "not enabled", "disabled")
    rect = node.live_rect()
    if rect.is_empty:
        raise refused(target, "zero rect", "zero_rect")
    scrollable = node.scrollable
    if scrollable is not None and scrollable is not node:
        centre = rect.centre
        if not (SCREEN.contains(centre) and scrollable.rect.contains(centre)):
            show_on_screen(node)
            app.refresh()
            rect = node.live_rect()
    if not rect.overlaps(SCREEN):
        raise refused(target, f"off-viewport (rect={rect}, viewport={SCREEN})", "off_viewport")
    if stable and node.is_animated:
        await sleep(app.clock, FRAME)
        later = node.live_rect()
        moved = max(abs(a - b) for a, b in zip(_sides(rect), _sides(later), strict=True))
        if moved > TOLERANCE:
            raise refused(target, f"not stable (rect changed by {moved:.1f}px)", "not_stable")
        rect = later
    if not receives:
        return {"gate": "skipped", "why": "checkReceivesEvents is false"}
    found = hit(app, rect.centre)
    if found is None:
        return {"gate": "indeterminate", "why": "nothing was hit at the centre"}
    if not found.is_inside(node):
        top = what_covers(node, found)
        raise refused(target, f"obscured by other widget (top={top})", "obscured")
    return None
