"""Verbs that measure."""

from __future__ import annotations

from tapir_replay.verbs.catalogue.parts import boolean, field, param, text
from tapir_replay.verbs.model import Type, Unmatched, Verb

_END_FIELDS = (
    field("sessionToken", Type.TEXT, "Names the session."),
    field("refused", Type.BOOL, "True when no frame was drawn: there are no numbers then."),
    field("mode", Type.TEXT, "`attribution` or `timing`."),
    field("coverage", Type.OBJECT, "How much of the session the numbers cover."),
    field("env", Type.OBJECT, "Platform, build mode, renderer.", optional=True),
    field("summary", Type.OBJECT, "Frames, build and raster times, blocks.", optional=True),
    field("counters", Type.OBJECT, "Counters by source.", optional=True, nullable=True),
    field("insights", Type.LIST, "At most six, worst first.", optional=True),
    field("omitted", Type.OBJECT, "How many entries each list left out.", optional=True),
    field("reason", Type.TEXT, "Why it was refused.", optional=True),
)

VERBS: tuple[Verb, ...] = (
    Verb(
        name="perf_begin",
        summary="Open a performance session around what comes next.",
        params=(
            text(
                "mode",
                "`attribution` tells who is to blame; `timing` costs the app nothing.",
                default="attribution",
                choices=("attribution", "timing"),
            ),
            boolean("phases", "Profile layout and paint too.", default=False),
        ),
        results=(
            field("sessionToken", Type.TEXT, "Names the session."),
            field("mode", Type.TEXT, "The mode."),
            field("phases", Type.BOOL, "Whether layout and paint are profiled."),
            field("livenessBaseline", Type.INT, "Frames drawn so far."),
            field("restartedPreviousSession", Type.BOOL, "Whether one was open."),
        ),
    ),
    Verb(
        name="perf_end",
        summary="Close the performance session and read its report.",
        params=(boolean("full", "Do not cut the lists.", default=False),),
        results=_END_FIELDS,
        unmatched=(
            Unmatched(field="refused", value=True, says="the app drew no frame in the session"),
        ),
    ),
    Verb(
        name="perf_insight",
        summary="Read what is behind one insight of the last report.",
        params=(
            text("id", "`I1`, `I2`, ...", required=True),
            text("token", "The report's sessionToken."),
        ),
        results=(
            field("sessionToken", Type.TEXT, "Names the session."),
            field("id", Type.TEXT, "The insight."),
            field("severity", Type.TEXT, "`error`, `warn` or `info`."),
            field("title", Type.TEXT, "In a few words."),
            field("summary", Type.TEXT, "In a sentence."),
            field("detail", Type.OBJECT, "The rows behind it."),
            field("estimatedSavingsMs", Type.NUMBER, "What it may save.", nullable=True),
            field("nextStep", Type.TEXT, "What to do about it."),
        ),
        short="id",
    ),
    Verb(
        name="perf_trace",
        summary="Export the last performance session as a Chrome trace.",
        params=(
            param(Type.PATH, "path", "Keep it under this name.", wire=""),
            text("token", "The report's sessionToken."),
        ),
        results=(
            field("sessionToken", Type.TEXT, "Names the session."),
            field("traceEvents", Type.LIST, "Chrome Trace Event JSON."),
            field("displayTimeUnit", Type.TEXT, "`ms`."),
            field("otherData", Type.OBJECT, "About the session."),
        ),
        short="path",
    ),
)
