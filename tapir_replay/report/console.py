"""The run as it happens, for a person at a terminal or the log of a CI job."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TextIO

from tapir_replay.engine.events import (
    Artifact,
    Event,
    Fault,
    Note,
    Outcome,
    RunStarted,
    ScenarioFinished,
    ScenarioStarted,
    StepFinished,
    StepStarted,
)
from tapir_replay.report.explain import Source, fault_lines, flat, labelled
from tapir_replay.report.fold import Fold
from tapir_replay.report.model import FAULTY, ScenarioResult, untold
from tapir_replay.report.terminal import Terminal
from tapir_replay.report.wording import duration, quantity, tally
from tapir_replay.scenario.place import Place


class Console:
    """Takes the events of a run and tells of them on a stream.

    Args:
        stream: Where to write; any encoding will do.
        source: Gives the text of a scenario file, to show the line of a fault. That is shown as it
            is: masking secrets is up to whoever gives it.
        artifacts: What to put before the paths of artifacts: the run's folder, as a person at this
            terminal would name it, with its slash.
        quiet: Tell only of what did not pass, and the summary.
        verbose: Tell also what was acted on, what the app answered, and of all artifacts.
        color: Whether to colour; None to find out from the stream and the environment.
        env: The environment, for NO_COLOR, FORCE_COLOR and TERM.
        width: Tells the columns of the terminal; None to ask the system.
    """

    def __init__(
        self,
        stream: TextIO,
        *,
        source: Source | None = None,
        artifacts: str = "",
        quiet: bool = False,
        verbose: bool = False,
        color: bool | None = None,
        env: Mapping[str, str] | None = None,
        width: Callable[[], int] | None = None,
    ) -> None:
        self._out = Terminal(
            stream,
            color=color,
            env=os.environ if env is None else env,
            width=width,
        )
        self._source = source
        self._artifacts = artifacts
        self._quiet = quiet
        self._verbose = verbose
        # Steps are told as they come: of them, the summary needs no more than where a fault was.
        self._fold = Fold(ends=0, faults=20)
        self._open: dict[str, _Progress] = {}
        self._noted: list[ScenarioResult] = []
        self._shown = ""
        self._notes_told = 0
        self._closed = False

    def on_event(self, event: Event) -> None:
        """Tells of one event."""
        ended = self._fold.add(event)
        if ended is not None:
            self._scenario_ended(ended)
        match event:
            case RunStarted():
                self._run_started(event)
            case ScenarioStarted():
                self._open[event.scenario] = _Progress(event)
                if not self._quiet:
                    self._head(self._open[event.scenario])
            case ScenarioFinished(again=True):
                self._attempt_ended(event)
            case StepStarted() | Artifact() | StepFinished() | Note():
                progress = self._open.get(event.scenario or "")
                if progress is not None:
                    self._in_scenario(progress, event)
            case _:
                pass
        if not self._quiet:
            self._run_notes()

    def status(self, text: str) -> None:
        """Says on the live line, where there is one, what is going on."""
        self._out.status(f"  {self._out.marks.running} {flat(text)}" if text else "")

    def close(self, *, reports: Mapping[str, str] | None = None) -> None:
        """Tells of what the run left open, and sums up.

        Args:
            reports: What was written, by name: `{"junit": "build/junit.xml"}`.
        """
        if self._closed:
            return
        self._closed = True
        for scenario in self._fold.close():
            self._scenario_ended(scenario)
        self._run_notes()
        self._summary(reports or {})

    # --- the parts of a run ---------------------------------------------------------------------

    def _run_started(self, event: RunStarted) -> None:
        if not self._quiet:
            app = event.app and f"app {event.app}"
            scenarios = quantity(len(event.plan) // max(1, event.rounds), "scenario")
            told = [
                event.tool,
                app,
                event.profile and f"profile {event.profile}",
                event.shard and f"shard {event.shard}",
                scenarios,
                f"{event.rounds} rounds" if event.rounds > 1 else "",
                event.seed and f"shuffled by {event.seed}",
            ]
            self._out.line(self._out.dim(self._joined(told)))

    def _head(self, progress: _Progress) -> None:
        """The scenario's line, unless the lines before are of this scenario already."""
        begun = progress.begun
        if self._shown != begun.scenario:
            self._shown = begun.scenario
            self._out.gap()
            name = self._out.bold(flat(begun.title) or "(unnamed)")
            which = ", ".join(self._which(begun))
            aside = f"{_short(begun.place)}  {which}" if which else _short(begun.place)
            self._out.line(f"{name}  {self._out.dim(aside)}")

    def _which(self, begun: ScenarioStarted) -> Iterator[str]:
        """Which time the scenario is played, where it is several."""
        rounds = self._fold.run.rounds
        if rounds > 1:
            yield f"round {begun.round} of {rounds}"
        if begun.attempt > 1:
            yield f"attempt {begun.attempt} of {max(begun.attempt, self._fold.run.retries + 1)}"

    def _in_scenario(
        self, progress: _Progress, event: StepStarted | Artifact | StepFinished | Note
    ) -> None:
        match event:
            case StepStarted():
                self._step_started(progress, event)
            case Artifact():
                self._artifact(progress, event)
            case StepFinished():
                self._step_finished(progress, event)
            case Note():
                if not self._quiet:
                    self._head(progress)
                    self._note(event, indent=2)

    def _step_started(self, progress: _Progress, event: StepStarted) -> None:
        progress.count += 1
        progress.running[event.step] = event
        planned = progress.begun.steps
        number = f"{progress.count}/{planned}" if planned >= progress.count else progress.count
        self._out.status(f"  {self._out.marks.running} {number}  {_title(event)}")

    def _step_finished(self, progress: _Progress, event: StepFinished) -> None:
        step = progress.running.pop(event.step, None)
        artifacts = progress.take_artifacts(event.step)
        progress.last = event.step
        progress.last_told = not self._quiet or event.outcome in FAULTY
        if not progress.last_told:
            return
        self._head(progress)
        within = step.within if step else ()
        for depth, block in progress.new_blocks(within):
            phase = f"{flat(step.phase)}: " if step and step.phase != "steps" and not depth else ""
            self._out.line(f"  {'  ' * depth}{self._out.dim(phase + flat(block))}")
        mark, title = self._out.mark(event.outcome), _title(step) if step else flat(event.step)
        begun = f", begun at {duration(step.t)}" if step and self._verbose else ""
        aside = f"{duration(event.duration)}{begun}{_why_skipped(event)}"
        indent = "  " * len(within)
        self._out.line(f"  {indent}{mark} {title}  {self._out.dim(aside)}")
        for warning in event.warnings:
            self._labelled("warning", warning, paint=self._out.yellow)
        if event.outcome in FAULTY:
            self._fault(
                event.fault or untold(event.outcome),
                step.place if step else progress.begun.place,
                aside="soft, the scenario goes on" if event.soft else "",
            )
        if self._verbose:
            self._answer(event)
        for artifact in artifacts:
            self._path(artifact)

    def _answer(self, event: StepFinished) -> None:
        if event.target:
            self._labelled("target", event.target)
        if event.effect is not None:
            effect = json.dumps(event.effect, ensure_ascii=False, default=str)
            self._labelled("effect", effect)
        for remark in event.remarks:
            self._labelled("remark", remark)
        if event.tries > 1:
            self._labelled("tries", str(event.tries))

    def _artifact(self, progress: _Progress, event: Artifact) -> None:
        if not (self._verbose or event.on_failure):
            return
        if event.step in progress.running:
            progress.artifacts.append(event)
        elif event.step == progress.last and progress.last_told:
            self._head(progress)
            self._path(event)

    def _attempt_ended(self, event: ScenarioFinished) -> None:
        """Of an attempt that another one follows; what its steps said has been told."""
        progress = self._open.pop(event.scenario, None)
        if progress is None:
            return
        self._head(progress)
        told_with_step = event.step is not None and event.step not in progress.running
        if event.fault is not None and not told_with_step:
            self._fault(event.fault, None, indent=2)
        steps = quantity(progress.count, "step")
        told = self._joined([event.outcome, steps, duration(event.duration)])
        self._out.line(f"  {self._out.paint(event.outcome, told)}  {self._out.dim('played again')}")
        self._shown = ""

    def _scenario_ended(self, result: ScenarioResult) -> None:
        progress = self._open.pop(result.id, None)
        faulty = result.outcome in FAULTY
        if faulty or result.outcome is Outcome.FLAKY:
            self._noted.append(result)
        elif self._quiet:
            return
        reason = self._out.dim(f"  {flat(result.reason)}") if result.reason else ""
        if progress is None:
            if self._shown:
                self._out.gap()
            mark, file = self._out.mark(result.outcome), self._out.dim(_short(result.place))
            self._out.line(f"{mark} {self._out.bold(flat(result.name))}  {file}{reason}")
        else:
            self._head(progress)
        if faulty and (progress is None or not progress.has_told(result)):
            place = result.step.place if result.step else None
            self._fault(result.fault or untold(result.outcome), place, indent=2)
        if progress is not None:
            steps = quantity(result.steps_played, "step")
            told = self._joined([result.outcome, steps, duration(result.duration)])
            self._out.line(f"  {self._out.paint(result.outcome, told)}{reason}")
        self._shown = "" if progress is None else self._shown

    def _run_notes(self) -> None:
        notes = self._fold.run.notes
        for note in notes[self._notes_told :]:
            self._note(note)
        self._notes_told = len(notes)

    def _summary(self, reports: Mapping[str, str]) -> None:
        run, out = self._fold.run, self._out
        out.gap()
        for result in self._noted:
            bad = result.attempts[-1] if result.attempts and not result.fault else result
            fault = bad.fault or untold(bad.outcome)
            place = _short(fault.place or (bad.step or bad).place)
            before = "failed before it passed: " if result.outcome is Outcome.FLAKY else ""
            told = f"{flat(result.name)}: {before}{flat(fault.message)}"
            out.line(f"{out.mark(result.outcome)} {out.dim(place)}  {told}")
        out.gap()
        counts = ", ".join(out.paint(outcome, text) for outcome, text in tally(run.counts))
        out.line(f"{counts or 'no scenarios'} {out.dim(f'in {duration(run.duration)}')}")
        if run.reason:
            out.line(flat(run.reason))
        wide = max((len(flat(name)) for name in reports), default=0)
        for name, path in reports.items():
            out.line(f"{out.dim(flat(name).ljust(wide))}  {flat(path)}")

    # --- lines ----------------------------------------------------------------------------------

    def _fault(
        self, fault: Fault, place: Place | None, *, indent: int = 4, aside: str = ""
    ) -> None:
        self._indented(fault_lines(self._out, fault, place, self._source, aside=aside), indent)

    def _path(self, artifact: Artifact) -> None:
        self._labelled(artifact.kind, flat(f"{self._artifacts}{artifact.path}"))

    def _note(self, note: Note, *, indent: int = 0) -> None:
        paint = self._out.yellow if note.level == "warning" else self._out.dim
        self._indented(labelled(paint, note.level, note.text), indent)

    def _labelled(
        self, label: str, text: str, *, paint: Callable[[str], str] | None = None
    ) -> None:
        self._indented(labelled(paint or self._out.dim, label, text), 4)

    def _indented(self, lines: Iterable[str], indent: int) -> None:
        for line in lines:
            self._out.line(f"{' ' * indent}{line}")

    def _joined(self, texts: Iterable[str]) -> str:
        return f" {self._out.marks.dot} ".join(filter(None, map(flat, texts)))


class _Progress:
    """What has been told of a scenario that is on."""

    __slots__ = ("artifacts", "begun", "blocks", "count", "last", "last_told", "running")

    def __init__(self, begun: ScenarioStarted) -> None:
        self.begun = begun
        self.blocks: tuple[str, ...] = ()
        self.count = 0
        self.running: dict[str, StepStarted] = {}
        self.artifacts: list[Artifact] = []
        self.last = ""
        self.last_told = False

    def take_artifacts(self, step: str) -> list[Artifact]:
        taken = [artifact for artifact in self.artifacts if artifact.step == step]
        self.artifacts = [artifact for artifact in self.artifacts if artifact.step != step]
        return taken

    def new_blocks(self, within: tuple[str, ...]) -> list[tuple[int, str]]:
        """The blocks that a step is in and the last one was not, with how deep they are."""
        before, self.blocks = self.blocks, within
        alike = 0
        while alike < min(len(before), len(within)) and before[alike] == within[alike]:
            alike += 1
        return list(enumerate(within))[alike:]

    def has_told(self, result: ScenarioResult) -> bool:
        """Whether the fault that decided was told with its step."""
        return result.step is not None and result.step.id not in self.running


def _title(step: StepStarted) -> str:
    title = flat(step.title) or flat(step.step)
    own = step.phase == "steps" or step.within
    return title if own else f"{flat(step.phase)}: {title}"


def _why_skipped(event: StepFinished) -> str:
    if event.outcome is not Outcome.SKIPPED:
        return ""
    why = event.reason or (event.fault and f"optional, {event.fault.message}")
    return f"  {flat(why)}" if why else ""


def _short(place: Place) -> str:
    return f"{flat(place.file)}:{place.line}"
