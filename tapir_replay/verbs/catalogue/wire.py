"""Extensions on the wire that are neither tools nor steps."""

from __future__ import annotations

from tapir_replay.verbs.catalogue.parts import boolean, field, text
from tapir_replay.verbs.model import Type, Verb

VERBS: tuple[Verb, ...] = (
    Verb(
        name="boot_id",
        summary="Tell one run of the app's `main` from the next; answers once all verbs do.",
        results=(field("bootId", Type.TEXT, "New at every start and hot restart."),),
        step=False,
        tool=False,
    ),
    Verb(
        name="find_by_text",
        summary="A ref for every Text widget that is equal, or contains the text.",
        params=(
            text("text", "The text.", required=True),
            boolean("exact", "Equal, not contained.", default=True),
        ),
        results=(field("refs", Type.LIST, "One for each."),),
        short="text",
        step=False,
        tool=False,
    ),
    Verb(
        name="find_by_label",
        summary="A ref for every node with this label.",
        params=(
            text("label", "The exact label.", required=True),
            text(
                "role",
                "Only this role.",
                choices=("button", "textField", "checkbox", "link", "image"),
            ),
        ),
        results=(field("refs", Type.LIST, "One for each."),),
        short="label",
        step=False,
        tool=False,
    ),
    Verb(
        name="semantics_hold",
        summary="Let go of the semantics tree during a performance session, or take it again.",
        params=(text("action", "What to do.", default="release", choices=("release", "acquire")),),
        results=(
            field("action", Type.TEXT, "What was done."),
            field("released", Type.BOOL, "Whether it was held until now.", optional=True),
            field("heldByPlatform", Type.BOOL, "Whether others hold it as well.", optional=True),
            field("acquired", Type.BOOL, "Whether it is held again.", optional=True),
            field("treeReady", Type.BOOL, "Whether there is a tree already.", optional=True),
            field("semanticsEnabled", Type.BOOL, "Whether semantics are on now."),
        ),
        step=False,
        tool=False,
    ),
)
