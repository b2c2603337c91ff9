"""Frames, and the sessions that measure them. The app is small, the arithmetic is real: what was
not measured is named in `coverage.missing` and not made up.
"""

from __future__ import annotations

import time
from collections import Counter, deque
from dataclasses import dataclass, field
from statistics import median
from typing import TYPE_CHECKING, Any

from tapir_replay.demo.faults import INVALID_PARAMS, Fault

if TYPE_CHECKING:
    from collections.abc import Iterable

BUDGET_MS = 16.7
TOP = 10
MODES = ("attribution", "timing")
COLUMNS = ["name", "count", "perFrame"]


@dataclass(frozen=True)
class Frame:
    number: int
    at_us: int
    build_ms: float


class FrameLog:
    """Every frame since the start is counted, the newest are kept."""

    def __init__(self) -> None:
        self.drawn = 0
        self.kept: deque[Frame] = deque(maxlen=2000)
        self.blocks: Counter[str] | None = None
        """While profiling: how often a widget of a type was laid out."""

    def drew(self, seconds: float, types: Iterable[str]) -> None:
        self.drawn += 1
        self.kept.append(Frame(self.drawn, now_us(), seconds * 1000))
        if self.blocks is not None:
            self.blocks.update(types)


def now_us() -> int:
    return time.monotonic_ns() // 1000


@dataclass
class Session:
    token: str
    mode: str
    phases: bool
    baseline: int
    start_us: int
    end_us: int = 0
    final: int = 0
    semantics_released: bool = False
    frames: list[Frame] = field(default_factory=list)
    blocks: Counter[str] = field(default_factory=Counter)
    insights: list[dict[str, Any]] = field(default_factory=list)

    @property
    def refused(self) -> bool:
        return self.final - self.baseline <= 1


class Perf:
    """At most one open session, and the last closed one."""

    def __init__(self, frames: FrameLog) -> None:
        self._frames = frames
        self._count = 0
        self.open: Session | None = None
        self.closed: Session | None = None

    def begin(self, mode: str, phases: bool) -> dict[str, Any]:
        if mode not in MODES:
            known = " or ".join(MODES)
            raise Fault(
                f'ext.tapir.perf_begin: unknown mode "{mode}", expected {known}',
                "missing_param",
                code=INVALID_PARAMS,
            )
        if phases and mode == "timing":
            raise Fault(
                "ext.tapir.perf_begin: phases cannot be combined with mode=timing",
                "missing_param",
                code=INVALID_PARAMS,
            )
        restarted = self.open is not None
        self._count += 1
        session = Session(f"perf-{self._count}", mode, phases, self._frames.drawn, now_us())
        self.open = session
        self._frames.blocks = Counter() if mode == "attribution" else None
        return {
            "sessionToken": session.token,
            "mode": mode,
            "phases": phases,
            "livenessBaseline": session.baseline,
            "restartedPreviousSession": restarted,
        }

    def end(self, *, full: bool) -> dict[str, Any]:
        session = self.open
        if session is None:
            raise Fault("ext.tapir.perf_end: no session is open; call perf_begin first")
        session.end_us, session.final = now_us(), self._frames.drawn
        session.frames = [f for f in self._frames.kept if f.number > session.baseline]
        session.blocks = self._frames.blocks or Counter()
        self._frames.blocks = None
        self.open, self.closed = None, session
        drawn = session.final - session.baseline
        head = {"sessionToken": session.token, "refused": session.refused, "mode": session.mode}
        if session.refused:
            coverage = {
                "framesDrawn": drawn,
                "livenessBaseline": session.baseline,
                "livenessFinal": session.final,
                "complete": False,
            }
            reason = f"the app drew {drawn} frame(s) in the session, too few to measure anything"
            return {**head, "coverage": coverage, "reason": reason}
        return {**head, **_report(session, full=full)}

    def last(self, verb: str, token: str) -> Session:
        """The last closed session, if it is the one that is meant."""
        session = self.closed
        if session is None:
            raise Fault(f"ext.tapir.{verb}: no closed session; call perf_begin and perf_end first")
        if token and token != session.token:
            raise Fault(
                f'ext.tapir.{verb}: session "{token}" is not kept any more, '
                f'the last one is "{session.token}"',
                "stale",
            )
        return session

    def insight(self, id_: str, token: str) -> dict[str, Any]:
        if not id_:
            raise Fault(
                "ext.tapir.perf_insight: id is required; read it from perf_end's insights[]",
                "missing_param",
                code=INVALID_PARAMS,
            )
        session = self.last("perf_insight", token)
        if session.refused:
            raise Fault(f'ext.tapir.perf_insight: session "{session.token}" was refused')
        known = next((i for i in session.insights if i["id"] == id_), None)
        if known is None:
            raise Fault(
                f'ext.tapir.perf_insight: no insight "{id_}"; see the insights[] of perf_end',
                "not_found",
            )
        return {
            "sessionToken": session.token,
            "id": id_,
            "severity": known["severity"],
            "title": known["title"],
            "summary": known["summary"],
            "detail": known["detail"],
            "estimatedSavingsMs": known.get("estimatedSavingsMs"),
            "nextStep": known["nextStep"],
        }

    def trace(self, token: str) -> dict[str, Any]:
        if self.open is not None:
            raise Fault("ext.tapir.perf_trace: a session is open; call perf_end first")
        session = self.last("perf_trace", token)
        events = [
            {
                "name": "BUILD",
                "cat": "tapir",
                "ph": "X",
                "ts": frame.at_us - int(frame.build_ms * 1000),
                "dur": int(frame.build_ms * 1000),
                "pid": 1,
                "tid": 1,
                "args": {"frameNumber": frame.number},
            }
            for frame in session.frames
        ]
        other = {
            "sessionToken": session.token,
            "startUs": session.start_us,
            "endUs": session.end_us,
            "interactions": 0,
            "frames": len(events),
            "framesOutsideWindow": 0,
            "rows": 0,
            "skippedRows": 0,
        }
        return {
            "sessionToken": session.token,
            "traceEvents": events,
            "displayTimeUnit": "ms",
            "otherData": other,
        }


def _report(session: Session, *, full: bool) -> dict[str, Any]:
    painted = len(session.frames)
    timing = session.mode == "timing"
    missing = [] if timing else ["wind", "blockSelfTime"]
    drawn = session.final - session.baseline
    builds = [frame.build_ms for frame in session.frames]
    over = sum(build > BUDGET_MS for build in builds)
    summary: dict[str, Any] = {
        "durationMs": round((session.end_us - session.start_us) / 1000, 3),
        "budgetMs": BUDGET_MS,
        "frames": {
            "count": painted,
            "painted": painted,
            "dropped": 0,
            "overBudget": over,
            "overBudgetBuild": over,
            "overBudgetRaster": 0,
            "buildMs": _spread(builds),
            "rasterMs": _spread([]),
        },
    }
    counts = [
        {"name": name, "count": count, "perFrame": round(count / painted, 3)}
        for name, count in session.blocks.most_common()
    ]
    omitted: dict[str, int] = {}
    if not timing:
        shown = counts if full else counts[:TOP]
        if len(shown) < len(counts):
            omitted["blocksByCount"] = len(counts) - len(shown)
        summary |= {"blocksBySelf": [], "blocksByCount": shown, "routeTransitions": []}
    session.insights = _insights(session, counts, missing)
    return {
        "env": {
            "platform": "linux",
            "isWeb": False,
            "buildMode": "debug",
            "renderer": "unknown",
            "semanticsEnabled": not session.semantics_released,
            "phases": session.phases,
        },
        "coverage": {
            "framesDrawn": drawn,
            "framesSummarized": painted,
            "framesOutsideSession": drawn - painted,
            "complete": drawn == painted and not missing,
            "missing": missing,
        },
        "summary": summary,
        "counters": None if timing else {"columns": COLUMNS, "wind": None, "magic": None},
        "insights": [
            {k: v for k, v in insight.items() if k not in {"summary", "detail"}}
            for insight in session.insights
        ],
        "omitted": omitted,
    }


def _spread(values: list[float]) -> dict[str, float]:
    ordered = sorted(values) or [0.0]

    def at(share: float) -> float:
        return round(ordered[min(len(ordered) - 1, int(share * len(ordered)))], 3)

    return {"p50": at(0.5), "p90": at(0.9), "p99": at(0.99), "worst": round(ordered[-1], 3)}


def _insights(
    session: Session, counts: list[dict[str, Any]], missing: list[str]
) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []

    def add(severity: str, title: str, evidence: tuple[str, float, float], **more: Any) -> None:
        metric, value, threshold = evidence
        per_frame = round(value / max(1, len(session.frames)), 3)
        found.append(
            {
                "id": f"I{len(found) + 1}",
                "severity": severity,
                "title": title,
                "evidence": {
                    "metric": metric,
                    "value": value,
                    "perFrame": per_frame,
                    "threshold": threshold,
                },
                **more,
            }
        )

    slow = [frame for frame in session.frames if frame.build_ms > BUDGET_MS]
    if slow:
        share = len(slow) / len(session.frames)
        worst = sorted(slow, key=lambda frame: -frame.build_ms)[:5]
        add(
            "error" if share > 0.1 else "warn",
            f"{len(slow)} frames took longer than {BUDGET_MS} ms",
            ("framesOverBudget", len(slow), BUDGET_MS),
            summary="Building them alone was over the budget of a frame.",
            detail={
                "worstFrames": [
                    {"frameNumber": f.number, "buildMs": f.build_ms, "rasterMs": 0.0, "blocks": []}
                    for f in worst
                ]
            },
            nextStep="Look at what was built in the worst frames.",
        )
    typical = median(entry["count"] for entry in counts) if counts else 0
    for entry in counts:
        if entry["perFrame"] >= 20 and entry["count"] >= 10 * typical:
            add(
                "warn",
                f"{entry['name']} is laid out {entry['perFrame']:.0f} times a frame",
                ("blockCountPerFrame", entry["count"], 20),
                summary="One kind of widget is by far the most frequent.",
                detail={"block": entry, "frames": []},
                nextStep="Build fewer of them, or build them lazily.",
            )
    if missing:
        add(
            "info",
            f"Not measured: {', '.join(missing)}",
            ("sourcesMissing", len(missing), 0),
            summary="The report has no numbers from these sources.",
            detail={"missing": missing},
            nextStep="Read the counts, not the self times.",
        )
    order = {"error": 0, "warn": 1, "info": 2}
    return sorted(found, key=lambda insight: order[insight["severity"]])
