"""Verbs for what the app runs on."""

from __future__ import annotations

from tapir_replay.verbs.catalogue.parts import boolean, field, integer, number, text
from tapir_replay.verbs.model import Dispatch, Type, Unmatched, Verb

VERBS: tuple[Verb, ...] = (
    Verb(
        name="hot_reload_and_snap",
        summary="Reload the app's code, then take a snapshot, a screenshot and its errors.",
        params=(boolean("screenshot", "Take a screenshot too.", default=True),),
        results=(
            field("reloaded", Type.BOOL, "Whether the code compiled and was loaded."),
            field("durationMs", Type.INT, "How long it took."),
            field("snapshot", Type.TEXT, "The screen afterwards.", optional=True),
            field("screenshot", Type.TEXT, "The picture, base64.", optional=True, nullable=True),
            field("screenshotError", Type.TEXT, "Why there is none.", optional=True),
            field("error", Type.TEXT, "What the compiler says.", optional=True),
            field("recentExceptions", Type.LIST, "Errors the app has recorded."),
        ),
        dispatch=Dispatch.COMMAND,
        unmatched=(
            Unmatched(field="reloaded", value=False, says="the code could not be reloaded"),
        ),
    ),
    Verb(
        name="resize_viewport",
        summary="Give a web app another window size. Needs --cdp-port.",
        params=(
            integer("width", "In logical pixels.", minimum=1),
            integer("height", "In logical pixels.", minimum=1),
            number("dpr", "Device pixel ratio.", default=1.0, minimum=0.1),
            boolean("mobile", "Behave as a mobile device.", default=False),
            boolean("touch", "Send touch events instead of mouse events.", default=False),
            boolean("reset", "Back to the real size.", default=False),
        ),
        results=(field("message", Type.TEXT, "What was set.", optional=True),),
        dispatch=Dispatch.COMMAND,
        any_of=("width", "reset"),
    ),
    Verb(
        name="device_profile",
        summary="Give a web app the size and the user agent of a device. Needs --cdp-port.",
        params=(
            text(
                "preset",
                "The device.",
                choices=(
                    "iphone-x",
                    "iphone-13",
                    "iphone-15-pro",
                    "pixel-5",
                    "pixel-8",
                    "ipad-pro-12.9",
                    "desktop-1440",
                    "desktop-1920",
                ),
            ),
            boolean("list", "Tell the presets instead.", default=False),
            boolean("reset", "Back to the real device.", default=False),
        ),
        results=(
            field("applied", Type.TEXT, "The preset.", optional=True),
            field("viewport", Type.OBJECT, "Its numbers.", optional=True),
            field("presets", Type.LIST, "All presets.", optional=True),
            field("reset", Type.BOOL, "True after a reset.", optional=True),
        ),
        dispatch=Dispatch.COMMAND,
        short="preset",
        any_of=("preset", "list", "reset"),
    ),
)
