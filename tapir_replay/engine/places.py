"""Where on a picture something is: from logical pixels of the screen to those of a part of it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from tapir_replay.app.interface import App
from tapir_replay.engine.locate import Locator
from tapir_replay.engine.redact import Redactor
from tapir_replay.engine.screen import Bounds, Match, bounds_of
from tapir_replay.scenario.model import Target

PATIENCE = 10.0
"""Seconds that a picture, or a question about one, may take."""

_TAPIR_SCALE = 2.0
"""Pixels a logical pixel in a screenshot, where the app does not tell its size."""


@dataclass(frozen=True, slots=True)
class Area:
    """The part of the screen that a picture shows, and its pixels a logical pixel."""

    bounds: Bounds
    scale: float

    def inside(self, places: Iterable[Bounds]) -> list[Bounds]:
        """Places of the screen as places of the picture."""
        return [
            replace(each, x=each.x - self.bounds.x, y=each.y - self.bounds.y) for each in places
        ]


async def area_of(
    app: App, answer: Mapping[str, Any], of: Match | None = None, rect: str | None = None
) -> Area:
    """What the picture of an answer shows.

    Args:
        app: Whose picture.
        answer: Of `screenshot`.
        of: The widget it was taken of; None for the whole screen.
        rect: The part of that widget, as the step has it.
    """
    asked = {"geometry": "true"} if of is None else {"geometry": "true", "ref": of.ref}
    geometry = await app.call("screenshot", asked, timeout=PATIENCE)
    area = bounds_of(geometry.get("rect")) or Bounds(0, 0, 0, 0)
    if rect is not None:
        x, y, w, h = map(float, rect.split(","))
        area = Bounds(area.x + x, area.y + y, min(w, area.w - x), min(h, area.h - y))
    return Area(area, answer.get("width", 0) / area.w if area.w else _TAPIR_SCALE)


async def secret_places(locator: Locator, redactor: Redactor) -> list[Bounds]:
    """Where on the screen secrets show.

    Raises:
        ValueError: One does, and the app does not tell where.
    """
    return [
        place
        for each in await locator.listing()
        if any(redactor.holds_secret(text) for text in (each.label, each.value, each.text))
        for place in await _places_of(locator, each)
    ]


async def _places_of(locator: Locator, shown: Match) -> list[Bounds]:
    """Where it is; a plain text has to be looked up where the app lists it without a place."""
    if shown.bounds is not None:
        return [shown.bounds]
    found = await locator.find(Target(text=shown.text or shown.label))
    places = [each.bounds for each in found.matches if each.bounds is not None]
    if not places:
        raise ValueError("the picture shows a secret, and the app does not tell where")
    return places
