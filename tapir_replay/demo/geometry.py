"""Points and rectangles in logical pixels, global coordinates."""

from __future__ import annotations

import math
from typing import NamedTuple


class Point(NamedTuple):
    x: float
    y: float

    def as_json(self) -> dict[str, float]:
        return {"x": float(self.x), "y": float(self.y)}


class Rect(NamedTuple):
    x: float
    y: float
    w: float
    h: float

    @property
    def right(self) -> float:
        return self.x + self.w

    @property
    def bottom(self) -> float:
        return self.y + self.h

    @property
    def centre(self) -> Point:
        return Point(self.x + self.w / 2, self.y + self.h / 2)

    @property
    def is_empty(self) -> bool:
        return self.w <= 0 or self.h <= 0

    def contains(self, point: Point) -> bool:
        """Whether the point is inside; the right and the bottom edge are not."""
        return self.x <= point.x < self.right and self.y <= point.y < self.bottom

    def overlaps(self, other: Rect) -> bool:
        return (
            self.x < other.right
            and other.x < self.right
            and self.y < other.bottom
            and other.y < self.bottom
        )

    def moved(self, dx: float, dy: float) -> Rect:
        return Rect(self.x + dx, self.y + dy, self.w, self.h)

    def distance_to(self, other: Rect) -> float:
        """Between the centres; only good for telling which of several is nearer."""
        (ax, ay), (bx, by) = self.centre, other.centre
        return math.hypot(ax - bx, ay - by)

    def as_json(self) -> dict[str, float]:
        return {"x": float(self.x), "y": float(self.y), "w": float(self.w), "h": float(self.h)}

    def as_owner_json(self) -> dict[str, float]:
        """The other spelling of a rectangle on the wire, used beside a retargeted tap."""
        left, top, width, height = map(float, self)
        return {"left": left, "top": top, "width": width, "height": height}

    def __str__(self) -> str:
        return f"Rect.fromLTRB({self.x:.1f}, {self.y:.1f}, {self.right:.1f}, {self.bottom:.1f})"


SCREEN = Rect(0, 0, 390, 844)
"""The one view of the app."""

PIXEL_RATIO = 2.0
