"""The apps of a project file, from checked data to specs."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from pathlib import Path
from typing import Any, cast

from tapir_replay.files import is_folder
from tapir_replay.project.model import READY_TIMEOUT, AppSpec
from tapir_replay.project.schema import KINDS
from tapir_replay.scenario.diagnostics import quoted
from tapir_replay.scenario.load import shown
from tapir_replay.scenario.model import parse_duration
from tapir_replay.scenario.place import Place
from tapir_replay.scenario.reading import At, Reader
from tapir_replay.scenario.yaml_nodes import YamlTree

_OF_KINDS = {"cwd": ("launch",), "env": ("launch",), "device": ("uri", "launch")}
"""Keys of an app that only some kinds have."""


class Apps:
    """Makes specs of apps, short or long; what a schema cannot say is checked on the way.

    Args:
        tree: Collects the faults.
        read: For places.
        folder: What paths are relative to.
    """

    def __init__(self, tree: YamlTree, read: Reader, folder: Path) -> None:
        self._read = read
        self._folder = folder
        self._outside = _Outside(tree)

    def app(self, name: str, data: Any, at: At) -> AppSpec | None:
        """An app of checked data; None if it is wrong, which is reported."""
        place = self._read.place(at)
        if isinstance(data, str):
            return self._short(name, data, at, place)
        kinds = [kind for kind in KINDS if data.get(kind, False) is not False]
        if len(kinds) != 1:
            message = (
                f"{name} is reached in one way, not in two: {' and '.join(kinds)}"
                if kinds
                else f"{name} does not say how it is reached"
            )
            self._read.error("app-kind", message, at, f"one of {', '.join(KINDS)}", key=True)
            return None
        (kind,) = kinds
        self._check_fitting(name, kind, data, at)
        folder = data["session"] if isinstance(data.get("session"), str) else data.get("cwd")
        reset = data.get("reset", "none")
        return AppSpec(
            name=name,
            kind=cast("Any", kind),
            uri=self._uri(data["uri"], (*at, "uri")) if kind == "uri" else None,
            command=self._command(data["launch"], (*at, "launch")) if kind == "launch" else None,
            cwd=self._cwd(kind, folder, (*at, "session" if kind == "session" else "cwd")),
            env=self._texts(data.get("env", {}), (*at, "env")),
            ready_timeout=parse_duration(data["ready_timeout"])
            if "ready_timeout" in data
            else READY_TIMEOUT,
            reset=cast("Any", reset),
            route=data.get("route"),
            device=data.get("device"),
            place=place,
        )

    def _short(self, name: str, word: str, at: At, place: Place) -> AppSpec | None:
        if word == "demo":
            return AppSpec(name=name, kind="demo", place=place)
        if word == "session":
            return AppSpec(name=name, kind="session", cwd=self._folder, place=place)
        if "://" in word or "{{" in word:
            return AppSpec(name=name, kind="uri", uri=self._uri(word, at), place=place)
        hint = 'write demo, session, an address such as "http://127.0.0.1:8181/abc=/", or a map'
        if " " in word:
            hint = f"for a command write {{launch: {word}}}"
        self._read.error("app-kind", f"{quoted(word)} is no app", at, hint)
        return None

    def _check_fitting(self, name: str, kind: str, data: Mapping[str, Any], at: At) -> None:
        """Keys that say nothing about this kind of app are mistakes, not to be passed over."""
        for key, kinds in _OF_KINDS.items():
            if key in data and kind not in kinds:
                hint = f"it belongs to {' or '.join(kinds)}"
                message = f"{key} of {name} means nothing for {kind}"
                self._read.error("app-key", message, (*at, key), hint, key=True)
        if data.get("reset") == "route" and "route" not in data:
            message = f"reset of {name} needs a route"
            self._read.error("missing-key", message, (*at, "reset"), "such as route: /login")
        if "route" in data and data.get("reset") not in ("route", "restart"):
            message = f"route of {name} means nothing without reset: route or restart"
            self._read.error("app-key", message, (*at, "route"), key=True)

    def _uri(self, text: str, at: At) -> str:
        self._template(text, at)
        if "{{" not in text and "://" not in text:
            hint = "such as http://127.0.0.1:8181/abc=/, as the app prints it"
            self._read.error("app-uri", f"{quoted(text)} is no address", at, hint)
        return text

    def _command(self, written: str | list[str], at: At) -> tuple[str, ...]:
        if isinstance(written, list):
            for index, each in enumerate(written):
                self._template(each, (*at, index))
            return tuple(written)
        self._template(written, at)
        try:
            return tuple(shlex.split(written))
        except ValueError:
            hint = "or write the command as a list of words"
            self._read.error("app-command", "a quote in the command is not closed", at, hint)
            return (written,)

    def _cwd(self, kind: str, folder: str | None, at: At) -> Path | None:
        if kind not in ("launch", "session"):
            return None
        if folder is None:
            return self._folder
        path = self._folder / folder
        if not is_folder(path):
            hint = f"it is looked for as {shown(path)}"
            self._read.error("no-folder", f"there is no folder {quoted(folder)}", at, hint)
        return path

    def _texts(self, values: Mapping[str, str], at: At) -> dict[str, str]:
        for key, value in values.items():
            self._template(value, (*at, key))
        return dict(values)

    def _template(self, text: str, at: At) -> None:
        """Check a text that is rendered when the app is used: it knows `env` only."""
        self._outside.text(text, at)


class _Outside(Reader):
    """Reads texts that are rendered without a scenario."""

    def __init__(self, tree: YamlTree) -> None:
        super().__init__(tree, (), ())
        self.names = {"env"}
