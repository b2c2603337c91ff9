"""Events of a recording as an app sends them."""

from __future__ import annotations

from typing import Any

from tapir_replay.recorder.document import Document, NewFile, Start
from tapir_replay.recorder.steps import Writer
from tapir_replay.recorder.timeline import Timeline
from tapir_replay.recorder.wire import Action, After, read_event


def widget(
    role: str = "button", label: str = "", key: str | None = None, **more: Any
) -> dict[str, Any]:
    """A target with the candidates that an app would list, each found once."""
    count, index = more.pop("count", 1), more.pop("index", 0)
    within = more.pop("within", None)
    bys: list[dict[str, str]] = []
    if key is not None:
        bys.append({"key": key})
    if label:
        bys += [{"role": role, "label": label}, {"label": label}]
    found: list[dict[str, Any]] = [
        {
            "by": by,
            "count": 1 if "key" in by else count,
            "index": 0 if "key" in by else index,
        }
        for by in bys
    ]
    if within is not None:
        found += [
            {"by": by, "within": {"key": within}, "count": 1, "index": 0}
            for by in bys
            if "key" not in by
        ]
    return {
        "role": role,
        "label": label,
        "value": None,
        "text": label or None,
        "key": key,
        "type": "Button",
        "bounds": {"x": 0, "y": 0, "w": 10, "h": 10},
        "isEnabled": True,
        "candidates": found,
        **more,
    }


class App:
    """Tells what a person does, and keeps the books of it."""

    def __init__(self, run: str = "r1") -> None:
        self.run = run
        self.seq = 0
        self.now = 0
        self.timeline = Timeline()

    def act(self, action: str, target: dict[str, Any] | None = None, **fields: Any) -> int:
        """An action; returns its number."""
        self.seq += 1
        data = {"kind": "action", "by": "person", "action": action, "target": target, **fields}
        self._tell(data)
        return self.seq

    def after(self, of: int, **fields: Any) -> None:
        """What came of an action."""
        self.seq += 1
        self._tell(
            {"kind": "after", "of": of, "appeared": [], "gone": [], "target": None, **fields}
        )

    def _tell(self, data: dict[str, Any]) -> None:
        event = read_event({"run": self.run, "seq": self.seq, **data})
        assert isinstance(event, Action | After)
        self.timeline.feed(event, self.now)

    def text(self, writer: Writer | None = None, *, name: str = "Recorded") -> str:
        """The file that comes of it, without its first line."""
        start = Start(name=name, route="/start")
        document = Document(writer or Writer(), NewFile(start), "/start")
        return document.text(self.timeline.entries).partition("\n")[2]

    def steps(self, writer: Writer | None = None) -> str:
        """Its steps alone."""
        text = self.text(writer).partition("\nsteps:\n")[2]
        return text.removesuffix("  - log: nothing was recorded yet\n")


def shown(text: str, role: str = "", **more: Any) -> dict[str, Any]:
    return {"text": text, "role": role, "count": 1, **more}
