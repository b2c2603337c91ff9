"""What verbs have in common: makers of parameters and fields, and those that many have."""

from __future__ import annotations

from typing import Any

from tapir_replay.verbs.model import Field, Param, Type


def param(kind: Type, name: str, doc: str, **more: Any) -> Param:
    return Param(name=name, type=kind, doc=doc, **more)


def text(name: str, doc: str, **more: Any) -> Param:
    return param(Type.TEXT, name, doc, **more)


def boolean(name: str, doc: str, **more: Any) -> Param:
    return param(Type.BOOL, name, doc, **more)


def integer(name: str, doc: str, **more: Any) -> Param:
    return param(Type.INT, name, doc, **more)


def number(name: str, doc: str, **more: Any) -> Param:
    return param(Type.NUMBER, name, doc, **more)


def target(name: str, doc: str, **more: Any) -> Param:
    return param(Type.TARGET, name, doc, **{"wire": "ref", **more})


def field(name: str, kind: Type, doc: str, **more: Any) -> Field:
    return Field(name=name, type=kind, doc=doc, **more)


TARGET = target("target", "The widget to act on.", required=True)
INCLUDE = boolean("includeSnapshot", "Put the snapshot after the action into the answer.")
SNAPSHOT = (
    text(
        "snapshot",
        "Which snapshot the answer carries; wins over includeSnapshot.",
        choices=("full", "diff", "none"),
    ),
    INCLUDE,
)
GATE = (
    boolean("checkStable", "Refuse a widget that moves between two frames.", default=True),
    boolean("checkReceivesEvents", "Refuse a widget that something covers.", default=True),
)
REPORT_POINT = boolean("reportPoint", "Put the coordinates of the pointer into the answer.")
UNTIL_DOC = "After acting, wait for this text to show; the step fails if it does not."
UNTIL_TIMEOUT_DOC = "How long `until` waits, in milliseconds."
UNTIL = (
    text("until", UNTIL_DOC, wire=""),
    integer("untilTimeoutMs", UNTIL_TIMEOUT_DOC, default=3000, minimum=0, wire=""),
)

REF = field("ref", Type.TEXT, "The widget that was acted on.")
SNAPSHOT_FIELDS = (
    field("snapshot", Type.TEXT, "The screen after the action.", optional=True),
    field("snapshotMode", Type.TEXT, "`diff` when the snapshot is one.", optional=True),
)
CHECKS = field(
    "checks", Type.OBJECT, "What the gate could not establish; absent when all held.", optional=True
)
RERESOLVED = field("reresolved", Type.LIST, "Refs that were found again.", optional=True)
POINT = field("point", Type.OBJECT, "Where it went, with `reportPoint`.", optional=True)
EFFECT = field("effect", Type.OBJECT, "What the widget holds after the action, read back.")
