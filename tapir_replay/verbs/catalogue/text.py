"""Verbs for text fields, the keyboard and its focus."""

from __future__ import annotations

from tapir_replay.verbs.catalogue.parts import (
    CHECKS,
    EFFECT,
    GATE,
    INCLUDE,
    REF,
    RERESOLVED,
    SNAPSHOT,
    SNAPSHOT_FIELDS,
    TARGET,
    UNTIL,
    field,
    param,
    text,
)
from tapir_replay.verbs.model import Effect, Type, Verb

VERBS: tuple[Verb, ...] = (
    Verb(
        name="type",
        summary="Put text into a field, as a person types it. Replaces what is there.",
        params=(
            TARGET,
            text("text", "The text as it stands in the file.", required=True),
            *SNAPSHOT,
            *GATE,
            *UNTIL,
        ),
        results=(
            field("text", Type.TEXT, "The text that was sent."),
            EFFECT,
            RERESOLVED,
            CHECKS,
            *SNAPSHOT_FIELDS,
        ),
        effect=Effect.TEXT,
        gated=True,
        action=True,
    ),
    Verb(
        name="fill",
        summary="Focus a field, empty it, type into it, and check what it holds.",
        params=(
            TARGET,
            text("text", "The text as it stands in the file.", required=True),
            *SNAPSHOT,
            *GATE,
            *UNTIL,
        ),
        results=(
            REF,
            field("text", Type.TEXT, "The text that was sent."),
            field("filled", Type.BOOL, "Always true; `effect.verified` is what counts."),
            EFFECT,
            RERESOLVED,
            CHECKS,
            *SNAPSHOT_FIELDS,
        ),
        effect=Effect.TEXT,
        gated=True,
        action=True,
    ),
    Verb(
        name="clear",
        summary="Empty a text field.",
        params=(TARGET, INCLUDE, *UNTIL),
        results=(
            REF,
            field("text", Type.TEXT, "Always empty."),
            EFFECT,
            RERESOLVED,
            CHECKS,
            *SNAPSHOT_FIELDS[:1],
        ),
        short="target",
        effect=Effect.TEXT,
        action=True,
    ),
    Verb(
        name="focus",
        summary="Give a widget the keyboard focus.",
        params=(TARGET, INCLUDE, *UNTIL),
        results=(
            REF,
            field("focused", Type.BOOL, "True when the focus was asked for."),
            RERESOLVED,
            *SNAPSHOT_FIELDS[:1],
        ),
        short="target",
        action=True,
    ),
    Verb(
        name="blur",
        summary="Take the keyboard focus away from whatever holds it.",
        params=(INCLUDE, *UNTIL),
        results=(
            field("blurred", Type.BOOL, "Always true."),
            field("hadFocus", Type.BOOL, "Whether something held the focus."),
            *SNAPSHOT_FIELDS[:1],
        ),
        action=True,
    ),
    Verb(
        name="press_key",
        summary="Press a key, with modifiers held if asked. Types no text.",
        params=(
            text(
                "key",
                "`Enter`, `Tab`, `Escape`, `ArrowDown`, `F5`, ..., or one letter or digit.",
                required=True,
            ),
            param(
                Type.TEXTS,
                "modifiers",
                "Held while the key is pressed.",
                choices=("control", "ctrl", "shift", "alt", "meta"),
            ),
            *SNAPSHOT,
            *UNTIL,
        ),
        results=(
            field("ok", Type.BOOL, "Always true."),
            field("key", Type.TEXT, "The key as it was asked for."),
            *SNAPSHOT_FIELDS,
        ),
        short="key",
        action=True,
    ),
)
