"""The colours, after Material 3."""

from __future__ import annotations

from tapir_replay.demo.canvas import Colour, colour, mixed

PRIMARY = colour("#6750a4")
ON_PRIMARY = colour("#ffffff")
TONAL = colour("#e8def8")
ON_TONAL = colour("#4a4458")
SURFACE = colour("#fef7ff")
RAISED = colour("#f3edf7")
HIGH = colour("#ece6f0")
INK = colour("#1d1b20")
SOFT_INK = colour("#49454f")
OUTLINE = colour("#79747e")
DIVIDER = colour("#dcd5e2")
ERROR = colour("#b3261e")
WARNING = colour("#ffd600")

SCRIM = 0.42
FADED = 0.38


def faded(ink: Colour, on: Colour = SURFACE) -> Colour:
    """How a colour looks on what cannot be used."""
    return mixed(ink, on, FADED)
