"""Tools of Tapir's own command line; a scenario does without."""

from __future__ import annotations

from tapir_replay.verbs.catalogue.parts import boolean, field, integer, param, text
from tapir_replay.verbs.model import Dispatch, Type, Verb

VERBS: tuple[Verb, ...] = (
    Verb(
        name="run",
        summary="Several verbs of Tapir's command line in one call; a scenario does that here.",
        params=(
            param(Type.TEXTS, "steps", "Verb lines.", required=True),
            boolean("continue", "Go on after a failing one.", default=False),
        ),
        dispatch=Dispatch.TOOL,
        step=False,
    ),
    Verb(
        name="perf_run",
        summary="Measure a performance scenario several times from a clean start.",
        params=(
            text("scenario", "The scenario's path.", required=True),
            text("variant", "A key of its variants."),
            text("label", "Names the run file.", default="run"),
            text("out", "The output folder.", default="build/perf"),
            integer("repeat", "Repeats per series.", minimum=1),
            text("platform", "The platform.", choices=("chrome", "android", "ios")),
            boolean("timing", "Repeats in timing mode, interleaved.", default=False),
            text("against", "A baseline scenario, in the same rounds."),
            boolean("semantics-pass", "Measure without semantics too.", default=False),
            boolean("json", "Return the run file.", default=False),
        ),
        dispatch=Dispatch.TOOL,
        step=False,
    ),
    Verb(
        name="perf_compare",
        summary="Judge one performance run against another.",
        params=(
            text("a", "The baseline run file.", required=True),
            text("b", "The candidate run file.", required=True),
            boolean("json", "Return JSON instead of a table.", default=False),
        ),
        results=(
            field("verdict", Type.TEXT, "`regressed`, `improved` or `unchanged`."),
            field("rows", Type.LIST, "What changed, worst first."),
        ),
        dispatch=Dispatch.TOOL,
        step=False,
    ),
)
