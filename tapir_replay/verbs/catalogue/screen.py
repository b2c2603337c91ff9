"""Verbs that look at the app, and that wait for what it shows."""

from __future__ import annotations

from tapir_replay.verbs.catalogue.parts import boolean, field, integer, param, target, text
from tapir_replay.verbs.model import Dispatch, Type, Unmatched, Verb

VERBS: tuple[Verb, ...] = (
    Verb(
        name="find",
        summary="Look a widget up by one predicate; `save` its ref to use it later.",
        params=(
            text("text", "The exact label, else the exact text."),
            text("contains", "A part of the label, else of the text."),
            text("semanticsLabel", "The exact label only."),
            text("key", "The widget's key."),
            target("within", "Search inside this widget only.", wire="within"),
        ),
        results=(
            field("ref", Type.TEXT, "The widget, null when there is none.", nullable=True),
            field("matched", Type.BOOL, "Whether there is one."),
            field("matchCount", Type.INT, "How many the app counted.", optional=True),
            field("diagnostic", Type.TEXT, "A remark of the app's.", optional=True),
        ),
        short="text",
        any_of=("text", "contains", "semanticsLabel", "key"),
        unmatched=(Unmatched(field="matched", value=False, says="nothing on screen matches"),),
    ),
    Verb(
        name="observe",
        summary="List the interactive widgets of the screen.",
        params=(
            text("intent", "A remark for the app's own log."),
            param(
                Type.TEXTS,
                "roles",
                "Only these roles.",
                choices=("button", "textbox", "link", "checkbox", "heading", "image"),
            ),
            integer("limit", "The most to list.", default=50, minimum=1),
            text(
                "includeEnrichers",
                "How much of the app's extra information to add.",
                default="true",
                choices=("true", "false", "full"),
            ),
        ),
        results=(
            field("candidates", Type.LIST, "Ref, role, label, value, bounds, state of each."),
            field("count", Type.INT, "How many are listed.", optional=True),
        ),
    ),
    Verb(
        name="snap",
        summary="Take the snapshot text of the screen; with a file name, keep it as an artifact.",
        params=(
            param(Type.PATH, "path", "Keep it under this name.", wire=""),
            integer("depth", "The deepest level to print.", minimum=0),
            target("within", "Only what is inside this widget.", wire="within"),
            boolean("interactiveOnly", "Leave plain text out.", default=False),
            boolean("includeEnrichers", "Add the app's extra information.", default=False),
            text("grep", "Only lines that this regular expression matches, and their parents."),
        ),
        results=(
            field("snapshot", Type.TEXT, "One line a node."),
            field("groupId", Type.TEXT, "Names this snapshot."),
            field("renderErrors", Type.OBJECT, "Errors the app has recorded.", optional=True),
            field("grepLiteral", Type.BOOL, "`grep` was not a valid expression.", optional=True),
        ),
        short="path",
    ),
    Verb(
        name="get_routes",
        summary="Where the app is.",
        results=(
            field("location", Type.TEXT, "The root navigator's page name."),
            field("title", Type.TEXT, "A hint from the platform."),
            field("uri", Type.TEXT, "The router's location.", nullable=True),
        ),
    ),
    Verb(
        name="console",
        summary="Read the app's recent log lines.",
        params=(
            integer("limit", "The most to return.", default=50, minimum=1),
            text("minLevel", "Only from this level on.", choices=("INFO", "WARNING", "ERROR")),
        ),
        results=(
            field("logs", Type.LIST, "Level, message, time and logger of each, newest first."),
            field("count", Type.INT, "How many are returned."),
        ),
    ),
    Verb(
        name="exceptions",
        summary="Read the errors the app has recorded.",
        params=(
            integer("limit", "The most to return.", default=20, minimum=1),
            text("since", "Only those after this time (ISO 8601)."),
            boolean("clear", "Empty the app's buffer afterwards.", default=False),
        ),
        results=(
            field("exceptions", Type.LIST, "Type, message, stack head and time of each."),
            field("count", Type.INT, "How many are returned."),
        ),
    ),
    Verb(
        name="screenshot",
        summary="Take a picture; with a file name, keep it as an artifact.",
        params=(
            param(Type.PATH, "path", "Keep it under this name.", wire=""),
            target("target", "Only this widget; left out, the whole screen."),
            text(
                "format",
                "Left out, what the file name says, else png.",
                choices=("jpeg", "png"),
            ),
            integer("quality", "Of a jpeg, 1 to 100.", default=70, minimum=1),
            text("rect", "`x,y,w,h` inside the target, in logical pixels."),
        ),
        results=(
            field("format", Type.TEXT, "`jpeg` or `png`."),
            field("base64", Type.TEXT, "The picture."),
            field("width", Type.INT, "In pixels."),
            field("height", Type.INT, "In pixels."),
        ),
        short="path",
    ),
    Verb(
        name="evaluate",
        summary="Evaluate a Dart expression in the app. Needs --allow-evaluate.",
        params=(text("expression", "One expression, without a semicolon.", required=True),),
        results=(
            field("expression", Type.TEXT, "What was evaluated."),
            field("result", Type.TEXT, "Its value as text."),
        ),
        dispatch=Dispatch.COMMAND,
        short="expression",
    ),
    Verb(
        name="wait_for",
        summary="Wait until a text shows, or is gone.",
        params=(
            text("text", "The exact text."),
            text("textGone", "The text that must not show any more."),
            text("expression", "The same as text."),
            integer("timeoutMs", "How long to wait, in milliseconds.", default=5000, minimum=0),
        ),
        results=(
            field("matched", Type.BOOL, "Whether it came to that."),
            field("elapsedMs", Type.INT, "How long it took.", optional=True),
            field("reason", Type.TEXT, "`timeout`.", optional=True),
        ),
        short="text",
        any_of=("text", "textGone", "expression"),
        unmatched=(
            Unmatched(field="matched", value=False, says="it did not come to that in time"),
        ),
    ),
    Verb(
        name="wait_for_network_idle",
        summary="Wait until the app has no request under way.",
        params=(
            integer("timeoutMs", "How long to wait, in milliseconds.", default=5000, minimum=0),
            integer(
                "idleMs", "How long it must be quiet, in milliseconds.", default=500, minimum=0
            ),
            integer("pollIntervalMs", "How often it looks.", default=200, minimum=100),
        ),
        results=(
            field("matched", Type.BOOL, "Always true; a timeout is an error."),
            field("idleAchievedMs", Type.INT, "How long it was quiet."),
        ),
        unmatched=(Unmatched(field="matched", value=False, says="the network did not go quiet"),),
    ),
)
