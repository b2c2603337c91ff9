"""Measuring on a noisy machine: both sides in turns, and the ratio of the best of each."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Row:
    """One line of the table.

    Attributes:
        what: What was measured.
        ours: Our time or size, with its unit.
        baseline: What it is held against.
        ratio: Ours divided by the baseline.
        bar: The most the ratio may be; None when there is no bar.
    """

    what: str
    ours: str
    baseline: str
    ratio: float
    bar: float | None = None

    @property
    def kept(self) -> bool:
        return self.bar is None or self.ratio <= self.bar


def in_turns(
    ours: Callable[[], object], baseline: Callable[[], object], rounds: int
) -> tuple[float, float]:
    """The best time of each, in seconds; they take turns, so that both meet the same noise."""
    best_ours = best_baseline = float("inf")
    for _ in range(rounds):
        best_baseline = min(best_baseline, timed(baseline))
        best_ours = min(best_ours, timed(ours))
    return best_ours, best_baseline


def undisturbed(times: list[float]) -> float:
    """The time at the lower quartile: what something takes when nothing else gets in its way."""
    return sorted(times)[len(times) // 4]


def timed(work: Callable[[], object]) -> float:
    started = time.perf_counter()
    work()
    return time.perf_counter() - started


def command(*arguments: str) -> Callable[[], object]:
    """A Python process with these arguments, output thrown away."""

    def work() -> object:
        return subprocess.run([sys.executable, *arguments], check=True, capture_output=True)

    return work


def resident_mb() -> float:
    """The memory of this process now, in MB."""
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * os.sysconf("SC_PAGESIZE") / 1024 / 1024


def table(rows: list[Row]) -> str:
    """The rows as text, aligned."""
    cells = [("", "ours", "against", "ratio", "bar")]
    for row in rows:
        bar = "" if row.bar is None else f"{'<=' if row.kept else '>  '} {row.bar:g}"
        cells.append((row.what, row.ours, row.baseline, f"{row.ratio:.2f}", bar))
    widths = [max(len(line[column]) for line in cells) for column in range(5)]
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip()
        for line in cells
    )
