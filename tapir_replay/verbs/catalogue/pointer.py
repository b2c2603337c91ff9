"""Verbs that send pointer events."""

from __future__ import annotations

from typing import Any

from tapir_replay.verbs.catalogue.parts import (
    CHECKS,
    EFFECT,
    GATE,
    POINT,
    REF,
    REPORT_POINT,
    RERESOLVED,
    SNAPSHOT,
    SNAPSHOT_FIELDS,
    TARGET,
    UNTIL,
    UNTIL_DOC,
    UNTIL_TIMEOUT_DOC,
    boolean,
    field,
    integer,
    number,
    target,
    text,
)
from tapir_replay.verbs.model import Effect, Param, Type, Unmatched, Verb


def _pointer(name: str, summary: str, *more: Param, **options: Any) -> Verb:
    """A gated verb that sends pointer events to one widget."""
    return Verb(
        name=name,
        summary=summary,
        params=(
            *options.pop("where", (TARGET,)),
            *SNAPSHOT,
            *GATE,
            *more,
            *options.pop("until", UNTIL),
        ),
        results=(
            options.pop("ref", REF),
            *options.pop("results", ()),
            *((POINT,) if REPORT_POINT in more else ()),
            RERESOLVED,
            CHECKS,
            *SNAPSHOT_FIELDS,
        ),
        short="target",
        gated=True,
        action=True,
        **options,
    )


VERBS: tuple[Verb, ...] = (
    _pointer(
        "tap",
        "Tap a widget at its live centre, once it can be tapped.",
        boolean(
            "retarget",
            "A tap on a merged row goes to its one labelled control; false taps the centre.",
            default=True,
        ),
        REPORT_POINT,
        where=(
            target("target", "The widget to act on."),
            number("x", "Or a place, from the left of the screen in logical pixels."),
            number("y", "And from its top."),
        ),
        any_of=("target", "x"),
        ref=field("ref", Type.TEXT, "The widget that was acted on.", optional=True),
        effect=Effect.TREE_CHANGED,
        until=(
            text("until", UNTIL_DOC),
            integer("untilTimeoutMs", UNTIL_TIMEOUT_DOC, default=3000, minimum=0),
        ),
        results=(
            EFFECT,
            field("untilMatched", Type.BOOL, "Whether `until` showed in time.", optional=True),
            field("retargeted", Type.OBJECT, "Where the tap went instead.", optional=True),
            field(
                "tapPointOutsideOwner",
                Type.OBJECT,
                "The tap stayed at the centre, off the row's own control.",
                optional=True,
            ),
        ),
        unmatched=(
            Unmatched(field="untilMatched", value=False, says='"{until}" did not show in time'),
        ),
    ),
    _pointer("dblclick", "Tap a widget twice in quick succession."),
    _pointer("triple_click", "Tap a widget three times; selects a paragraph in a text field."),
    _pointer(
        "long_press",
        "Press a widget and hold it for 600 ms. Only apps with our own plugin have it.",
        tool=False,
    ),
    _pointer("right_click", "Click a widget with the secondary mouse button."),
    _pointer("hover", "Move a mouse pointer over a widget.", REPORT_POINT),
    Verb(
        name="drag",
        summary="Drag from one widget to another, or by a distance.",
        params=(
            target("from", "Where the drag starts.", required=True, wire="startRef"),
            target("to", "Where the drag ends.", wire="endRef"),
            number("dx", "Or how far it goes to the right, in logical pixels."),
            number("dy", "And how far down."),
            *SNAPSHOT,
            *GATE,
            REPORT_POINT,
            *UNTIL,
        ),
        results=(
            field("startRef", Type.TEXT, "Where the drag started."),
            field("endRef", Type.TEXT, "Where the drag ended, with `to`.", optional=True),
            field("from", Type.OBJECT, "Where it began, with `reportPoint`.", optional=True),
            field("to", Type.OBJECT, "Where it ended, with `reportPoint`.", optional=True),
            RERESOLVED,
            CHECKS,
            *SNAPSHOT_FIELDS,
        ),
        any_of=("to", "dx", "dy"),
        gated=True,
        action=True,
    ),
    Verb(
        name="scroll",
        summary="Scroll a list by a distance, or a widget into view.",
        params=(
            target("target", "A widget in the list; left out, the first list of the screen."),
            text(
                "direction",
                "Where the content goes.",
                default="down",
                choices=("up", "down", "left", "right"),
            ),
            number("pixels", "Distance in logical pixels.", default=300),
            number("dx", "Horizontal distance, right is positive; wins over direction."),
            number("dy", "Vertical distance, down is positive; wins over direction."),
            boolean("intoView", "Bring the target itself into view instead.", default=False),
            *SNAPSHOT,
            *UNTIL,
        ),
        results=(
            field("scrolled", Type.BOOL, "Whether the offset moved."),
            field("finalOffset", Type.NUMBER, "The offset afterwards."),
            EFFECT,
            RERESOLVED,
            *SNAPSHOT_FIELDS,
        ),
        short="target",
        effect=Effect.SCROLL_OFFSET,
        action=True,
    ),
)
