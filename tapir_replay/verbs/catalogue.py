"""Every verb. Adding one is adding an entry here.

Wire shapes are those of the Tapir MCP tool reference and of the `ext.tapir.*` handlers behind it.
"""

from __future__ import annotations

from typing import Any

from tapir_replay.verbs.model import Dispatch, Effect, Field, Param, Type, Unmatched, Verb


def _param(kind: Type, name: str, doc: str, **more: Any) -> Param:
    return Param(name=name, type=kind, doc=doc, **more)


def _text(name: str, doc: str, **more: Any) -> Param:
    return _param(Type.TEXT, name, doc, **more)


def _bool(name: str, doc: str, **more: Any) -> Param:
    return _param(Type.BOOL, name, doc, **more)


def _int(name: str, doc: str, **more: Any) -> Param:
    return _param(Type.INT, name, doc, **more)


def _number(name: str, doc: str, **more: Any) -> Param:
    return _param(Type.NUMBER, name, doc, **more)


def _target(name: str, doc: str, **more: Any) -> Param:
    return _param(Type.TARGET, name, doc, **{"wire": "ref", **more})


def _field(name: str, kind: Type, doc: str, **more: Any) -> Field:
    return Field(name=name, type=kind, doc=doc, **more)


_TARGET = _target("target", "The widget to act on.", required=True)
_INCLUDE = _bool("includeSnapshot", "Put the snapshot after the action into the answer.")
_SNAPSHOT = (
    _text(
        "snapshot",
        "Which snapshot the answer carries; wins over includeSnapshot.",
        choices=("full", "diff", "none"),
    ),
    _INCLUDE,
)
_GATE = (
    _bool("checkStable", "Refuse a widget that moves between two frames.", default=True),
    _bool("checkReceivesEvents", "Refuse a widget that something covers.", default=True),
)
_REPORT_POINT = _bool("reportPoint", "Put the coordinates of the pointer into the answer.")
_UNTIL_DOC = "After acting, wait for this text to show; the step fails if it does not."
_UNTIL_TIMEOUT_DOC = "How long `until` waits, in milliseconds."
_UNTIL = (
    _text("until", _UNTIL_DOC, wire=""),
    _int("untilTimeoutMs", _UNTIL_TIMEOUT_DOC, default=3000, minimum=0, wire=""),
)

_STEPS = _param(Type.STEPS, "steps", "The steps.", required=True)

_REF = _field("ref", Type.TEXT, "The widget that was acted on.")
_SNAPSHOT_FIELDS = (
    _field("snapshot", Type.TEXT, "The screen after the action.", optional=True),
    _field("snapshotMode", Type.TEXT, "`diff` when the snapshot is one.", optional=True),
)
_CHECKS = _field(
    "checks", Type.OBJECT, "What the gate could not establish; absent when all held.", optional=True
)
_RERESOLVED = _field("reresolved", Type.LIST, "Refs that were found again.", optional=True)
_POINT = _field("point", Type.OBJECT, "Where it went, with `reportPoint`.", optional=True)
_EFFECT = _field("effect", Type.OBJECT, "What the widget holds after the action, read back.")

_PERF_END_FIELDS = (
    _field("sessionToken", Type.TEXT, "Names the session."),
    _field("refused", Type.BOOL, "True when no frame was drawn: there are no numbers then."),
    _field("mode", Type.TEXT, "`attribution` or `timing`."),
    _field("coverage", Type.OBJECT, "How much of the session the numbers cover."),
    _field("env", Type.OBJECT, "Platform, build mode, renderer.", optional=True),
    _field("summary", Type.OBJECT, "Frames, build and raster times, blocks.", optional=True),
    _field("counters", Type.OBJECT, "Counters by source.", optional=True, nullable=True),
    _field("insights", Type.LIST, "At most six, worst first.", optional=True),
    _field("omitted", Type.OBJECT, "How many entries each list left out.", optional=True),
    _field("reason", Type.TEXT, "Why it was refused.", optional=True),
)


def _pointer(name: str, summary: str, *more: Param, **options: Any) -> Verb:
    """A gated verb that sends pointer events to one widget."""
    return Verb(
        name=name,
        summary=summary,
        params=(
            *options.pop("where", (_TARGET,)),
            *_SNAPSHOT,
            *_GATE,
            *more,
            *options.pop("until", _UNTIL),
        ),
        results=(
            options.pop("ref", _REF),
            *options.pop("results", ()),
            *((_POINT,) if _REPORT_POINT in more else ()),
            _RERESOLVED,
            _CHECKS,
            *_SNAPSHOT_FIELDS,
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
        _bool(
            "retarget",
            "A tap on a merged row goes to its one labelled control; false taps the centre.",
            default=True,
        ),
        _REPORT_POINT,
        where=(
            _target("target", "The widget to act on."),
            _number("x", "Or a place, from the left of the screen in logical pixels."),
            _number("y", "And from its top."),
        ),
        any_of=("target", "x"),
        ref=_field("ref", Type.TEXT, "The widget that was acted on.", optional=True),
        effect=Effect.TREE_CHANGED,
        until=(
            _text("until", _UNTIL_DOC),
            _int("untilTimeoutMs", _UNTIL_TIMEOUT_DOC, default=3000, minimum=0),
        ),
        results=(
            _EFFECT,
            _field("untilMatched", Type.BOOL, "Whether `until` showed in time.", optional=True),
            _field("retargeted", Type.OBJECT, "Where the tap went instead.", optional=True),
            _field(
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
    _pointer("hover", "Move a mouse pointer over a widget.", _REPORT_POINT),
    Verb(
        name="drag",
        summary="Drag from one widget to another, or by a distance.",
        params=(
            _target("from", "Where the drag starts.", required=True, wire="startRef"),
            _target("to", "Where the drag ends.", wire="endRef"),
            _number("dx", "Or how far it goes to the right, in logical pixels."),
            _number("dy", "And how far down."),
            *_SNAPSHOT,
            *_GATE,
            _REPORT_POINT,
            *_UNTIL,
        ),
        results=(
            _field("startRef", Type.TEXT, "Where the drag started."),
            _field("endRef", Type.TEXT, "Where the drag ended, with `to`.", optional=True),
            _field("from", Type.OBJECT, "Where it began, with `reportPoint`.", optional=True),
            _field("to", Type.OBJECT, "Where it ended, with `reportPoint`.", optional=True),
            _RERESOLVED,
            _CHECKS,
            *_SNAPSHOT_FIELDS,
        ),
        any_of=("to", "dx", "dy"),
        gated=True,
        action=True,
    ),
    Verb(
        name="scroll",
        summary="Scroll a list by a distance, or a widget into view.",
        params=(
            _target("target", "A widget in the list; left out, the first list of the screen."),
            _text(
                "direction",
                "Where the content goes.",
                default="down",
                choices=("up", "down", "left", "right"),
            ),
            _number("pixels", "Distance in logical pixels.", default=300),
            _number("dx", "Horizontal distance, right is positive; wins over direction."),
            _number("dy", "Vertical distance, down is positive; wins over direction."),
            _bool("intoView", "Bring the target itself into view instead.", default=False),
            *_SNAPSHOT,
            *_UNTIL,
        ),
        results=(
            _field("scrolled", Type.BOOL, "Whether the offset moved."),
            _field("finalOffset", Type.NUMBER, "The offset afterwards."),
            _EFFECT,
            _RERESOLVED,
            *_SNAPSHOT_FIELDS,
        ),
        short="target",
        effect=Effect.SCROLL_OFFSET,
        action=True,
    ),
    Verb(
        name="type",
        summary="Put text into a field, as a person types it. Replaces what is there.",
        params=(
            _TARGET,
            _text("text", "The text as it stands in the file.", required=True),
            *_SNAPSHOT,
            *_GATE,
            *_UNTIL,
        ),
        results=(
            _field("text", Type.TEXT, "The text that was sent."),
            _EFFECT,
            _RERESOLVED,
            _CHECKS,
            *_SNAPSHOT_FIELDS,
        ),
        effect=Effect.TEXT,
        gated=True,
        action=True,
    ),
    Verb(
        name="fill",
        summary="Focus a field, empty it, type into it, and check what it holds.",
        params=(
            _TARGET,
            _text("text", "The text as it stands in the file.", required=True),
            *_SNAPSHOT,
            *_GATE,
            *_UNTIL,
        ),
        results=(
            _REF,
            _field("text", Type.TEXT, "The text that was sent."),
            _field("filled", Type.BOOL, "Always true; `effect.verified` is what counts."),
            _EFFECT,
            _RERESOLVED,
            *_SNAPSHOT_FIELDS,
        ),
        effect=Effect.TEXT,
        gated=True,
        action=True,
    ),
    Verb(
        name="clear",
        summary="Empty a text field.",
        params=(_TARGET, _INCLUDE, *_UNTIL),
        results=(
            _REF,
            _field("text", Type.TEXT, "Always empty."),
            _EFFECT,
            _RERESOLVED,
            *_SNAPSHOT_FIELDS[:1],
        ),
        short="target",
        effect=Effect.TEXT,
        action=True,
    ),
    Verb(
        name="focus",
        summary="Give a widget the keyboard focus.",
        params=(_TARGET, _INCLUDE, *_UNTIL),
        results=(
            _REF,
            _field("focused", Type.BOOL, "True when the focus was asked for."),
            _RERESOLVED,
            *_SNAPSHOT_FIELDS[:1],
        ),
        short="target",
        action=True,
    ),
    Verb(
        name="blur",
        summary="Take the keyboard focus away from whatever holds it.",
        params=(_INCLUDE, *_UNTIL),
        results=(
            _field("blurred", Type.BOOL, "Always true."),
            _field("hadFocus", Type.BOOL, "Whether something held the focus."),
            *_SNAPSHOT_FIELDS[:1],
        ),
        action=True,
    ),
    Verb(
        name="press_key",
        summary="Press a key, with modifiers held if asked. Types no text.",
        params=(
            _text(
                "key",
                "`Enter`, `Tab`, `Escape`, `ArrowDown`, `F5`, ..., or one letter or digit.",
                required=True,
            ),
            _param(
                Type.TEXTS,
                "modifiers",
                "Held while the key is pressed.",
                choices=("control", "ctrl", "shift", "alt", "meta"),
            ),
            *_SNAPSHOT,
            *_UNTIL,
        ),
        results=(
            _field("ok", Type.BOOL, "Always true."),
            _field("key", Type.TEXT, "The key as it was asked for."),
            *_SNAPSHOT_FIELDS,
        ),
        short="key",
        action=True,
    ),
    Verb(
        name="select_option",
        summary="Choose an option of a dropdown, and check that it holds it.",
        params=(_TARGET, _text("value", "The option's value.", required=True), *_UNTIL),
        results=(
            _field("selected", Type.BOOL, "Always true; `effect.verified` is what counts."),
            _field("value", Type.TEXT, "The value that was asked for."),
            _EFFECT,
            _RERESOLVED,
        ),
        effect=Effect.SELECTED,
        action=True,
    ),
    Verb(
        name="set_checkbox",
        summary="Turn a checkbox, switch or radio on or off; taps only when it has to.",
        params=(_TARGET, _bool("value", "On or off.", required=True), _INCLUDE, *_UNTIL),
        results=(
            _REF,
            _field("previousValue", Type.BOOL, "Null for a mixed one.", nullable=True),
            _field("value", Type.BOOL, "The state that was asked for."),
            _field("toggled", Type.BOOL, "Whether it was tapped."),
            _EFFECT,
            _RERESOLVED,
            *_SNAPSHOT_FIELDS[:1],
        ),
        effect=Effect.CHECKED,
        action=True,
    ),
    Verb(
        name="navigate",
        summary="Go to a route.",
        params=(_text("route", "A path, such as `/login`.", required=True), *_SNAPSHOT, *_UNTIL),
        results=(
            _field("navigated", Type.BOOL, "Whether the router is at that route, or below it."),
            _field("route", Type.TEXT, "The route that was asked for."),
            _field("exactPath", Type.BOOL, "Whether the path is the very one."),
            _field("reason", Type.TEXT, "Why it did not go there.", optional=True),
            *_SNAPSHOT_FIELDS,
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
        params=(*_SNAPSHOT, *_UNTIL),
        results=(
            _field("navigatedBack", Type.BOOL, "The same as `popped`."),
            _field("popped", Type.BOOL, "Whether there was a page to leave."),
            *_SNAPSHOT_FIELDS[:1],
        ),
        action=True,
        unmatched=(Unmatched(field="popped", value=False, says="there was no page to leave"),),
    ),
    Verb(
        name="dismiss_modals",
        summary="Close every dialog, sheet and menu.",
        params=_UNTIL,
        results=(_field("popped", Type.INT, "How many were closed."),),
        action=True,
    ),
    Verb(
        name="reset_overlays",
        summary="Clear the screen of whatever lies over it: pop, press Escape, tap Cancel or OK.",
        params=_UNTIL,
        results=(
            _field("popped", Type.INT, "How many were popped."),
            _field("escaped", Type.BOOL, "Whether Escape was needed."),
            _field("dismissTapped", Type.BOOL, "Whether a button was tapped."),
        ),
        action=True,
    ),
    Verb(
        name="close_app",
        summary="Ask the app to end.",
        results=(_field("closed", Type.BOOL, "Always true; sent before the app ends."),),
    ),
    Verb(
        name="find",
        summary="Look a widget up by one predicate; `save` its ref to use it later.",
        params=(
            _text("text", "The exact label, else the exact text."),
            _text("contains", "A part of the label, else of the text."),
            _text("semanticsLabel", "The exact label only."),
            _text("key", "The widget's key."),
            _target("within", "Search inside this widget only.", wire="within"),
        ),
        results=(
            _field("ref", Type.TEXT, "The widget, null when there is none.", nullable=True),
            _field("matched", Type.BOOL, "Whether there is one."),
            _field("matchCount", Type.INT, "How many the app counted.", optional=True),
            _field("diagnostic", Type.TEXT, "A remark of the app's.", optional=True),
        ),
        short="text",
        any_of=("text", "contains", "semanticsLabel", "key"),
        unmatched=(Unmatched(field="matched", value=False, says="nothing on screen matches"),),
    ),
    Verb(
        name="observe",
        summary="List the interactive widgets of the screen.",
        params=(
            _text("intent", "A remark for the app's own log."),
            _param(
                Type.TEXTS,
                "roles",
                "Only these roles.",
                choices=("button", "textbox", "link", "checkbox", "heading", "image"),
            ),
            _int("limit", "The most to list.", default=50, minimum=1),
            _text(
                "includeEnrichers",
                "How much of the app's extra information to add.",
                default="true",
                choices=("true", "false", "full"),
            ),
        ),
        results=(
            _field("candidates", Type.LIST, "Ref, role, label, value, bounds, state of each."),
            _field("count", Type.INT, "How many are listed.", optional=True),
        ),
    ),
    Verb(
        name="snap",
        summary="Take the snapshot text of the screen; with a file name, keep it as an artifact.",
        params=(
            _param(Type.PATH, "path", "Keep it under this name.", wire=""),
            _int("depth", "The deepest level to print.", minimum=0),
            _target("within", "Only what is inside this widget.", wire="within"),
            _bool("interactiveOnly", "Leave plain text out.", default=False),
            _bool("includeEnrichers", "Add the app's extra information.", default=False),
            _text("grep", "Only lines that this regular expression matches, and their parents."),
        ),
        results=(
            _field("snapshot", Type.TEXT, "One line a node."),
            _field("groupId", Type.TEXT, "Names this snapshot."),
            _field("renderErrors", Type.OBJECT, "Errors the app has recorded.", optional=True),
            _field("grepLiteral", Type.BOOL, "`grep` was not a valid expression.", optional=True),
        ),
        short="path",
    ),
    Verb(
        name="get_routes",
        summary="Where the app is.",
        results=(
            _field("location", Type.TEXT, "The root navigator's page name."),
            _field("title", Type.TEXT, "A hint from the platform."),
            _field("uri", Type.TEXT, "The router's location.", nullable=True),
        ),
    ),
    Verb(
        name="console",
        summary="Read the app's recent log lines.",
        params=(
            _int("limit", "The most to return.", default=50, minimum=1),
            _text("minLevel", "Only from this level on.", choices=("INFO", "WARNING", "ERROR")),
        ),
        results=(
            _field("logs", Type.LIST, "Level, message, time and logger of each, newest first."),
            _field("count", Type.INT, "How many are returned."),
        ),
    ),
    Verb(
        name="exceptions",
        summary="Read the errors the app has recorded.",
        params=(
            _int("limit", "The most to return.", default=20, minimum=1),
            _text("since", "Only those after this time (ISO 8601)."),
            _bool("clear", "Empty the app's buffer afterwards.", default=False),
        ),
        results=(
            _field("exceptions", Type.LIST, "Type, message, stack head and time of each."),
            _field("count", Type.INT, "How many are returned."),
        ),
    ),
    Verb(
        name="screenshot",
        summary="Take a picture; with a file name, keep it as an artifact.",
        params=(
            _param(Type.PATH, "path", "Keep it under this name.", wire=""),
            _target("target", "Only this widget; left out, the whole screen."),
            _text(
                "format",
                "Left out, what the file name says, else png.",
                choices=("jpeg", "png"),
            ),
            _int("quality", "Of a jpeg, 1 to 100.", default=70, minimum=1),
            _text("rect", "`x,y,w,h` inside the target, in logical pixels."),
        ),
        results=(
            _field("format", Type.TEXT, "`jpeg` or `png`."),
            _field("base64", Type.TEXT, "The picture."),
            _field("width", Type.INT, "In pixels."),
            _field("height", Type.INT, "In pixels."),
        ),
        short="path",
    ),
    Verb(
        name="evaluate",
        summary="Evaluate a Dart expression in the app. Needs --allow-evaluate.",
        params=(_text("expression", "One expression, without a semicolon.", required=True),),
        results=(
            _field("expression", Type.TEXT, "What was evaluated."),
            _field("result", Type.TEXT, "Its value as text."),
        ),
        dispatch=Dispatch.COMMAND,
        short="expression",
    ),
    Verb(
        name="wait_for",
        summary="Wait until a text shows, or is gone.",
        params=(
            _text("text", "The exact text."),
            _text("textGone", "The text that must not show any more."),
            _text("expression", "The same as text."),
            _int("timeoutMs", "How long to wait, in milliseconds.", default=5000, minimum=0),
        ),
        results=(
            _field("matched", Type.BOOL, "Whether it came to that."),
            _field("elapsedMs", Type.INT, "How long it took.", optional=True),
            _field("reason", Type.TEXT, "`timeout`.", optional=True),
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
            _int("timeoutMs", "How long to wait, in milliseconds.", default=5000, minimum=0),
            _int("idleMs", "How long it must be quiet, in milliseconds.", default=500, minimum=0),
            _int("pollIntervalMs", "How often it looks.", default=200, minimum=100),
        ),
        results=(
            _field("matched", Type.BOOL, "Always true; a timeout is an error."),
            _field("idleAchievedMs", Type.INT, "How long it was quiet."),
        ),
        unmatched=(Unmatched(field="matched", value=False, says="the network did not go quiet"),),
    ),
    Verb(
        name="hot_reload_and_snap",
        summary="Reload the app's code, then take a snapshot, a screenshot and its errors.",
        params=(_bool("screenshot", "Take a screenshot too.", default=True),),
        results=(
            _field("reloaded", Type.BOOL, "Whether the code compiled and was loaded."),
            _field("durationMs", Type.INT, "How long it took."),
            _field("snapshot", Type.TEXT, "The screen afterwards.", optional=True),
            _field("screenshot", Type.TEXT, "The picture, base64.", optional=True, nullable=True),
            _field("screenshotError", Type.TEXT, "Why there is none.", optional=True),
            _field("error", Type.TEXT, "What the compiler says.", optional=True),
            _field("recentExceptions", Type.LIST, "Errors the app has recorded."),
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
            _int("width", "In logical pixels.", minimum=1),
            _int("height", "In logical pixels.", minimum=1),
            _number("dpr", "Device pixel ratio.", default=1.0, minimum=0.1),
            _bool("mobile", "Behave as a mobile device.", default=False),
            _bool("touch", "Send touch events instead of mouse events.", default=False),
            _bool("reset", "Back to the real size.", default=False),
        ),
        results=(_field("message", Type.TEXT, "What was set.", optional=True),),
        dispatch=Dispatch.COMMAND,
        any_of=("width", "reset"),
    ),
    Verb(
        name="device_profile",
        summary="Give a web app the size and the user agent of a device. Needs --cdp-port.",
        params=(
            _text(
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
            _bool("list", "Tell the presets instead.", default=False),
            _bool("reset", "Back to the real device.", default=False),
        ),
        results=(
            _field("applied", Type.TEXT, "The preset.", optional=True),
            _field("viewport", Type.OBJECT, "Its numbers.", optional=True),
            _field("presets", Type.LIST, "All presets.", optional=True),
            _field("reset", Type.BOOL, "True after a reset.", optional=True),
        ),
        dispatch=Dispatch.COMMAND,
        short="preset",
        any_of=("preset", "list", "reset"),
    ),
    Verb(
        name="perf_begin",
        summary="Open a performance session around what comes next.",
        params=(
            _text(
                "mode",
                "`attribution` tells who is to blame; `timing` costs the app nothing.",
                default="attribution",
                choices=("attribution", "timing"),
            ),
            _bool("phases", "Profile layout and paint too.", default=False),
        ),
        results=(
            _field("sessionToken", Type.TEXT, "Names the session."),
            _field("mode", Type.TEXT, "The mode."),
            _field("phases", Type.BOOL, "Whether layout and paint are profiled."),
            _field("livenessBaseline", Type.INT, "Frames drawn so far."),
            _field("restartedPreviousSession", Type.BOOL, "Whether one was open."),
        ),
    ),
    Verb(
        name="perf_end",
        summary="Close the performance session and read its report.",
        params=(_bool("full", "Do not cut the lists.", default=False),),
        results=_PERF_END_FIELDS,
        unmatched=(
            Unmatched(field="refused", value=True, says="the app drew no frame in the session"),
        ),
    ),
    Verb(
        name="perf_insight",
        summary="Read what is behind one insight of the last report.",
        params=(
            _text("id", "`I1`, `I2`, ...", required=True),
            _text("token", "The report's sessionToken."),
        ),
        results=(
            _field("sessionToken", Type.TEXT, "Names the session."),
            _field("id", Type.TEXT, "The insight."),
            _field("severity", Type.TEXT, "`error`, `warn` or `info`."),
            _field("title", Type.TEXT, "In a few words."),
            _field("summary", Type.TEXT, "In a sentence."),
            _field("detail", Type.OBJECT, "The rows behind it."),
            _field("estimatedSavingsMs", Type.NUMBER, "What it may save.", nullable=True),
            _field("nextStep", Type.TEXT, "What to do about it."),
        ),
        short="id",
    ),
    Verb(
        name="perf_trace",
        summary="Export the last performance session as a Chrome trace.",
        params=(
            _param(Type.PATH, "path", "Keep it under this name.", wire=""),
            _text("token", "The report's sessionToken."),
        ),
        results=(
            _field("sessionToken", Type.TEXT, "Names the session."),
            _field("traceEvents", Type.LIST, "Chrome Trace Event JSON."),
            _field("displayTimeUnit", Type.TEXT, "`ms`."),
            _field("otherData", Type.OBJECT, "About the session."),
        ),
        short="path",
    ),
    # On the wire, but neither a tool nor a step.
    Verb(
        name="boot_id",
        summary="Tell one run of the app's `main` from the next; answers once all verbs do.",
        results=(_field("bootId", Type.TEXT, "New at every start and hot restart."),),
        step=False,
        tool=False,
    ),
    Verb(
        name="find_by_text",
        summary="A ref for every Text widget that is equal, or contains the text.",
        params=(
            _text("text", "The text.", required=True),
            _bool("exact", "Equal, not contained.", default=True),
        ),
        results=(_field("refs", Type.LIST, "One for each."),),
        short="text",
        step=False,
        tool=False,
    ),
    Verb(
        name="find_by_label",
        summary="A ref for every node with this label.",
        params=(
            _text("label", "The exact label.", required=True),
            _text(
                "role",
                "Only this role.",
                choices=("button", "textField", "checkbox", "link", "image"),
            ),
        ),
        results=(_field("refs", Type.LIST, "One for each."),),
        short="label",
        step=False,
        tool=False,
    ),
    Verb(
        name="semantics_hold",
        summary="Let go of the semantics tree during a performance session, or take it again.",
        params=(_text("action", "What to do.", default="release", choices=("release", "acquire")),),
        results=(
            _field("action", Type.TEXT, "What was done."),
            _field("released", Type.BOOL, "Whether it was held until now.", optional=True),
            _field("heldByPlatform", Type.BOOL, "Whether others hold it as well.", optional=True),
            _field("acquired", Type.BOOL, "Whether it is held again.", optional=True),
            _field("treeReady", Type.BOOL, "Whether there is a tree already.", optional=True),
            _field("semanticsEnabled", Type.BOOL, "Whether semantics are on now."),
        ),
        step=False,
        tool=False,
    ),
    # Tools of Tapir's own command line.
    Verb(
        name="run",
        summary="Several verbs of Tapir's command line in one call; a scenario does that here.",
        params=(
            _param(Type.TEXTS, "steps", "Verb lines.", required=True),
            _bool("continue", "Go on after a failing one.", default=False),
        ),
        dispatch=Dispatch.TOOL,
        step=False,
    ),
    Verb(
        name="perf_run",
        summary="Measure a performance scenario several times from a clean start.",
        params=(
            _text("scenario", "The scenario's path.", required=True),
            _text("variant", "A key of its variants."),
            _text("label", "Names the run file.", default="run"),
            _text("out", "The output folder.", default="build/perf"),
            _int("repeat", "Repeats per series.", minimum=1),
            _text("platform", "The platform.", choices=("chrome", "android", "ios")),
            _bool("timing", "Repeats in timing mode, interleaved.", default=False),
            _text("against", "A baseline scenario, in the same rounds."),
            _bool("semantics-pass", "Measure without semantics too.", default=False),
            _bool("json", "Return the run file.", default=False),
        ),
        dispatch=Dispatch.TOOL,
        step=False,
    ),
    Verb(
        name="perf_compare",
        summary="Judge one performance run against another.",
        params=(
            _text("a", "The baseline run file.", required=True),
            _text("b", "The candidate run file.", required=True),
            _bool("json", "Return JSON instead of a table.", default=False),
        ),
        results=(
            _field("verdict", Type.TEXT, "`regressed`, `improved` or `unchanged`."),
            _field("rows", Type.LIST, "What changed, worst first."),
        ),
        dispatch=Dispatch.TOOL,
        step=False,
    ),
    # Ours.
    Verb(
        name="expect",
        summary="Check the app; looks again until everything holds or the time is over.",
        dispatch=Dispatch.RUNNER,
        tool=False,
    ),
    Verb(
        name="wait",
        summary="A plain pause. Waiting for something that shows is nearly always better.",
        params=(_param(Type.DURATION, "for", "How long: `2s`, `300ms`.", required=True, wire=""),),
        dispatch=Dispatch.RUNNER,
        short="for",
        tool=False,
    ),
    Verb(
        name="use",
        summary="Do the steps of a fragment; its params are given `with` values beside it.",
        params=(_param(Type.FILE, "file", "The fragment, as seen from this file.", required=True),),
        dispatch=Dispatch.RUNNER,
        short="file",
        tool=False,
    ),
    Verb(
        name="group",
        summary="Several steps under one name, one `when`, one `optional`.",
        params=(_STEPS,),
        dispatch=Dispatch.RUNNER,
        tool=False,
    ),
    Verb(
        name="repeat",
        summary="Do steps a number of times, or while something holds.",
        params=(
            _int("times", "How often.", minimum=0),
            _param(Type.CONDITION, "while", "Looked at before each round."),
            _int("max", "The most rounds of a `while`; more is a failure.", default=100, minimum=1),
            _STEPS,
        ),
        dispatch=Dispatch.RUNNER,
        any_of=("times", "while"),
        tool=False,
    ),
    Verb(
        name="for_each",
        summary="Do steps for every item of a list.",
        params=(
            _param(Type.ANY, "in", "The list, or one expression that is one.", required=True),
            _param(Type.NAME, "as", "What the steps call the item.", default="item"),
            _STEPS,
        ),
        dispatch=Dispatch.RUNNER,
        tool=False,
    ),
    Verb(
        name="retry",
        summary="Do steps again from the first when one does not pass; every attempt is reported.",
        params=(_int("attempts", "The most attempts.", default=3, minimum=1), _STEPS),
        dispatch=Dispatch.RUNNER,
        tool=False,
    ),
    Verb(
        name="scroll_until",
        summary="Scroll until a widget shows.",
        params=(
            _target("target", "The widget that has to show.", required=True, wire=""),
            _target("within", "The list; left out, the first one of the screen.", wire=""),
            _text(
                "direction",
                "Where the content goes.",
                default="down",
                choices=("up", "down", "left", "right"),
            ),
            _number("pixels", "How far at a time, in logical pixels.", default=300),
            _int("max", "The most times to scroll.", default=50, minimum=1),
        ),
        dispatch=Dispatch.RUNNER,
        short="target",
        tool=False,
    ),
    Verb(
        name="read",
        summary="Keep what a widget holds or shows under a name.",
        params=(
            _target("target", "The widget.", required=True, wire=""),
            _param(Type.NAME, "as", "The name.", required=True),
        ),
        dispatch=Dispatch.RUNNER,
        tool=False,
    ),
    Verb(
        name="set",
        summary='Keep values under names: `set: {total: "{{ price * 2 }}"}`.',
        dispatch=Dispatch.RUNNER,
        tool=False,
        open=True,
    ),
    Verb(
        name="log",
        summary="Write a line into the reports.",
        params=(_text("text", "The line.", required=True, wire=""),),
        dispatch=Dispatch.RUNNER,
        short="text",
        tool=False,
    ),
)

BY_NAME: dict[str, Verb] = {verb.name: verb for verb in VERBS}

STEP_VERBS: dict[str, Verb] = {verb.name: verb for verb in VERBS if verb.step}
