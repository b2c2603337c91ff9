"""Verbs for what holds a choice."""

from __future__ import annotations

from tapir_replay.verbs.catalogue.parts import (
    EFFECT,
    INCLUDE,
    REF,
    RERESOLVED,
    SNAPSHOT_FIELDS,
    TARGET,
    UNTIL,
    boolean,
    field,
    text,
)
from tapir_replay.verbs.model import Effect, Type, Verb

VERBS: tuple[Verb, ...] = (
    Verb(
        name="select_option",
        summary="Choose an option of a dropdown, and check that it holds it.",
        params=(TARGET, text("value", "The option's value.", required=True), *UNTIL),
        results=(
            field("selected", Type.BOOL, "Always true; `effect.verified` is what counts."),
            field("value", Type.TEXT, "The value that was asked for."),
            EFFECT,
            RERESOLVED,
        ),
        effect=Effect.SELECTED,
        action=True,
    ),
    Verb(
        name="set_checkbox",
        summary="Turn a checkbox, switch or radio on or off; taps only when it has to.",
        params=(TARGET, boolean("value", "On or off.", required=True), INCLUDE, *UNTIL),
        results=(
            REF,
            field("previousValue", Type.BOOL, "Null for a mixed one.", nullable=True),
            field("value", Type.BOOL, "The state that was asked for."),
            field("toggled", Type.BOOL, "Whether it was tapped."),
            EFFECT,
            RERESOLVED,
            *SNAPSHOT_FIELDS[:1],
        ),
        effect=Effect.CHECKED,
        action=True,
    ),
)
