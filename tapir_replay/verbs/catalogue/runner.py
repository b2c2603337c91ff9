"""Verbs of our own, which the runner carries out."""

from __future__ import annotations

from tapir_replay.verbs.catalogue.parts import integer, number, param, target, text
from tapir_replay.verbs.model import Dispatch, Type, Verb

_STEPS = param(Type.STEPS, "steps", "The steps.", required=True)

VERBS: tuple[Verb, ...] = (
    Verb(
        name="expect",
        summary="Check the app; looks again until everything holds or the time is over.",
        dispatch=Dispatch.RUNNER,
        tool=False,
    ),
    Verb(
        name="wait",
        summary="A plain pause. Waiting for something that shows is nearly always better.",
        params=(param(Type.DURATION, "for", "How long: `2s`, `300ms`.", required=True, wire=""),),
        dispatch=Dispatch.RUNNER,
        short="for",
        tool=False,
    ),
    Verb(
        name="use",
        summary="Do the steps of a fragment: `with` gives its params values, `save` keeps what it "
        "returns.",
        params=(param(Type.FILE, "file", "The fragment, as seen from this file.", required=True),),
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
            integer("times", "How often.", minimum=0),
            param(Type.CONDITION, "while", "Looked at before each round."),
            integer(
                "max", "The most rounds of a `while`; more is a failure.", default=100, minimum=1
            ),
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
            param(Type.ANY, "in", "The list, or one expression that is one.", required=True),
            param(Type.NAME, "as", "What the steps call the item.", default="item"),
            _STEPS,
        ),
        dispatch=Dispatch.RUNNER,
        tool=False,
    ),
    Verb(
        name="retry",
        summary="Do steps again from the first when one does not pass; every attempt is reported.",
        params=(integer("attempts", "The most attempts.", default=3, minimum=1), _STEPS),
        dispatch=Dispatch.RUNNER,
        tool=False,
    ),
    Verb(
        name="scroll_until",
        summary="Scroll until a widget shows.",
        params=(
            target("target", "The widget that has to show.", required=True, wire=""),
            target("within", "The list; left out, the first one of the screen.", wire=""),
            text(
                "direction",
                "Where the content goes.",
                default="down",
                choices=("up", "down", "left", "right"),
            ),
            number("pixels", "How far at a time, in logical pixels.", default=300),
            integer("max", "The most times to scroll.", default=50, minimum=1),
        ),
        dispatch=Dispatch.RUNNER,
        short="target",
        tool=False,
    ),
    Verb(
        name="read",
        summary="Keep what a widget holds or shows under a name.",
        params=(
            target("target", "The widget.", required=True, wire=""),
            param(Type.NAME, "as", "The name.", required=True),
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
        params=(text("text", "The line.", required=True, wire=""),),
        dispatch=Dispatch.RUNNER,
        short="text",
        tool=False,
    ),
)
