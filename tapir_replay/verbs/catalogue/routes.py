"""Verbs for where the app is, and what lies over it."""

from __future__ import annotations

from tapir_replay.verbs.catalogue.parts import SNAPSHOT, SNAPSHOT_FIELDS, UNTIL, field, text
from tapir_replay.verbs.model import Type, Unmatched, Verb

VERBS: tuple[Verb, ...] = (
    Verb(
        name="navigate",
        summary="Go to a route.",
        params=(text("route", "A path, such as `/login`.", required=True), *SNAPSHOT, *UNTIL),
        results=(
            field("navigated", Type.BOOL, "Whether the router is at that route, or below it."),
            field("route", Type.TEXT, "The route that was asked for."),
            field("exactPath", Type.BOOL, "Whether the path is the very one."),
            field("reason", Type.TEXT, "Why it did not go there.", optional=True),
            *SNAPSHOT_FIELDS,
        ),
        short="route",
        action=True,
        unmatched=(
            Unmatched(field="navigated", value=False, says="the app did not go to {route}"),
        ),
    ),
    Verb(
        name="navigate_back",
        summary="Go back one page, as the system's back button does.",
        params=(*SNAPSHOT, *UNTIL),
        results=(
            field("navigatedBack", Type.BOOL, "The same as `popped`."),
            field("popped", Type.BOOL, "Whether there was a page to leave."),
            *SNAPSHOT_FIELDS[:1],
        ),
        action=True,
        unmatched=(Unmatched(field="popped", value=False, says="there was no page to leave"),),
    ),
    Verb(
        name="press_back",
        summary="Press the platform's back button. Only apps with our own plugin have it.",
        params=(*SNAPSHOT, *UNTIL),
        results=(
            field("handled", Type.BOOL, "Whether something in the app took it."),
            *SNAPSHOT_FIELDS,
        ),
        action=True,
        tool=False,
        unmatched=(
            Unmatched(field="handled", value=False, says="nothing in the app took the back button"),
        ),
    ),
    Verb(
        name="dismiss_modals",
        summary="Close every dialog, sheet and menu.",
        params=UNTIL,
        results=(field("popped", Type.INT, "How many were closed."),),
        action=True,
    ),
    Verb(
        name="reset_overlays",
        summary="Clear the screen of whatever lies over it: pop, press Escape, tap Cancel or OK.",
        params=UNTIL,
        results=(
            field("popped", Type.INT, "How many were popped."),
            field("escaped", Type.BOOL, "Whether Escape was needed."),
            field("dismissTapped", Type.BOOL, "Whether a button was tapped."),
        ),
        action=True,
    ),
    Verb(
        name="close_app",
        summary="Ask the app to end.",
        results=(field("closed", Type.BOOL, "Always true; sent before the app ends."),),
    ),
)
