"""What is kept of a failure: the screen as picture and text, errors, log lines, the target."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from tapir_replay.app.errors import AppError
from tapir_replay.engine.conditions import Observer
from tapir_replay.engine.events import Artifact, Fault, Note
from tapir_replay.engine.goldens import Picture
from tapir_replay.engine.places import PATIENCE, area_of, secret_places
from tapir_replay.engine.screen import Bounds, Match
from tapir_replay.engine.stage import Stage


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """Collects for one scenario."""

    stage: Stage
    observer: Observer
    scenario: str
    folder: str

    async def of_failure(
        self,
        step: str,
        fault: Fault,
        matches: tuple[Match, ...],
        pictures: Iterable[Picture] = (),
    ) -> None:
        """Keep what helps to understand a failed step; what cannot be had is noted.

        Args:
            step: The step's id.
            fault: Why it failed.
            matches: What it acted on.
            pictures: What was compared, without secrets.
        """
        name = file_name_of(step)
        pieces: tuple[tuple[str, Callable[[str], Awaitable[str | None]]], ...] = (
            ("screenshot", self._screenshot),
            ("snapshot", self._snapshot),
            ("exceptions", self._exceptions),
            ("console", self._console),
        )
        for kind, take in pieces:
            try:
                path = await take(name)
            except (AppError, ValueError, OSError) as error:
                self._note(f"no {kind} of the failure: {error}")
            else:
                if path is not None:
                    self._tell(step, kind, path, on_failure=True)
        target = {
            "fault": asdict(fault),
            "matched": [asdict(each) for each in matches],
        }
        path = self.stage.artifacts.write_json(self.folder, f"{name}-target.json", target)
        self._tell(step, "target", path, on_failure=True)
        for each in pictures:
            file = f"{name}-{each.stem}-{each.kind}.png"
            path = self.stage.artifacts.write_bytes(self.folder, file, each.data)
            self._tell(step, each.kind, path, on_failure=True)

    async def keep_picture(
        self,
        step: str,
        name: str,
        answer: Mapping[str, Any],
        *,
        of: Match | None = None,
        rect: str | None = None,
    ) -> None:
        """Keep the picture of a `screenshot` step.

        Args:
            step: The step's id.
            name: The file's name.
            answer: The answer that holds the picture.
            of: The widget it shows; None for the whole screen.
            rect: The part of that widget, as the step has it.
        """
        hide, scale = await self._secret_places(answer, of, rect)
        path = self.stage.artifacts.write_picture(
            self.folder, name, str(answer.get("base64", "")), hide, scale
        )
        self._tell(step, "screenshot", path)

    def keep_text(self, step: str, kind: str, name: str, text: str) -> None:
        """Keep the text of a step under a name of its own."""
        self._tell(step, kind, self.stage.artifacts.write_text(self.folder, name, text))

    def keep_json(self, step: str, name: str, value: Any) -> None:
        self._tell(step, "file", self.stage.artifacts.write_json(self.folder, name, value))

    async def _screenshot(self, name: str) -> str:
        app = self.observer.app
        answer = await app.call("screenshot", {"format": "png"}, timeout=PATIENCE)
        hide, scale = await self._secret_places(answer)
        return self.stage.artifacts.write_picture(
            self.folder, f"{name}.png", str(answer.get("base64", "")), hide, scale
        )

    async def _secret_places(
        self, answer: Mapping[str, Any], of: Match | None = None, rect: str | None = None
    ) -> tuple[list[Bounds], float]:
        """Where in the picture of an answer secrets show, in logical pixels, and its scale."""
        if not self.stage.redactor.active:
            return [], 1.0
        area = await area_of(self.observer.app, answer, of, rect)
        places = await secret_places(self.observer.locator, self.stage.redactor)
        return area.inside(places), area.scale

    async def _snapshot(self, name: str) -> str:
        answer = await self.observer.app.call("snap", timeout=PATIENCE)
        text = str(answer.get("snapshot", ""))
        return self.stage.artifacts.write_text(self.folder, f"{name}.snapshot.txt", text)

    async def _exceptions(self, name: str) -> str | None:
        entries = await self.observer.new_exceptions()
        if not entries:
            return None
        return self.stage.artifacts.write_json(self.folder, f"{name}-exceptions.json", entries)

    async def _console(self, name: str) -> str | None:
        entries = await self.observer.new_logs()
        if not entries:
            return None
        lines = [
            f"{each.get('time', '')} {each.get('level', '')} {each.get('message', '')}"
            for each in reversed(entries)
        ]
        text = "\n".join(lines) + "\n"
        return self.stage.artifacts.write_text(self.folder, f"{name}-console.log", text)

    def _tell(self, step: str, kind: str, path: str, *, on_failure: bool = False) -> None:
        self.stage.emit(
            Artifact(
                t=self.stage.t,
                scenario=self.scenario,
                step=step,
                kind=kind,
                path=path,
                media_type=_media_type(path),
                on_failure=on_failure,
            )
        )

    def _note(self, text: str) -> None:
        self.stage.emit(Note(t=self.stage.t, scenario=self.scenario, text=text))


def file_name_of(step: str) -> str:
    """What files about a step are called: `failure-steps.3-2.1` for `steps.3(2).1`."""
    return f"failure-{step.replace('(', '-').replace(')', '')}"


def _media_type(path: str) -> str:
    ending = path.rpartition(".")[2].lower()
    return {
        "png": "image/png",
        "jpg": "image/jpeg",
        "jpeg": "image/jpeg",
        "json": "application/json",
    }.get(ending, "text/plain")
