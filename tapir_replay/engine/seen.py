"""What one look at the app gave."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Renewal:
    """How the file that the screen is compared with would be brought up to date.

    Attributes:
        content: What it would hold; the same twice means that the screen stands still.
        write: Writes it.
    """

    content: bytes
    write: Callable[[], None]


@dataclass(frozen=True, slots=True)
class Seen:
    """What one look at a condition gave.

    Attributes:
        message: What to say instead of the condition and `seen`.
        renewal: Of a golden that does not hold.
    """

    holds: bool
    expected: str
    seen: str
    details: tuple[str, ...] = ()
    message: str = ""
    hint: str = ""
    renewal: Renewal | None = None
