"""One app for each of several workers."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Mapping

from tapir_replay.cli.apps import DEMO
from tapir_replay.cli.files import UsageError, counted
from tapir_replay.engine.events import Event, ScenarioFinished, ScenarioStarted
from tapir_replay.project.model import AppSpec
from tapir_replay.report.console import Console

_OWN = ("demo", "launch")
"""Kinds of apps that each worker can start for itself."""


def options_of_workers(
    options: argparse.Namespace,
    asked: int | None,
    names: Iterable[str | None],
    specs: Mapping[str, AppSpec],
) -> list[argparse.Namespace]:
    """The options for each worker's apps: the same, but for the address.

    Args:
        options: Of the run.
        asked: The number of workers, if one was given.
        names: The apps that the scenarios of the run are played on.
        specs: The apps of the project file.

    Raises:
        UsageError: There are not enough apps, and none can be started.
    """
    addresses = [each.strip() for each in (options.uri or "").split(",") if each.strip()]
    count = asked or max(1, len(addresses))
    if len(addresses) > 1 or (addresses and count > 1):
        if count > len(addresses):
            raise UsageError(
                f"--workers {count}: --uri has {counted(len(addresses), 'address', 'addresses')};"
                " each worker needs one of its own, separated by commas"
            )
        return [_with_uri(options, each) for each in addresses[:count]]
    if count > 1:
        for name in names:
            _require_own(name, specs, count)
    return [options] * count


def _with_uri(options: argparse.Namespace, uri: str) -> argparse.Namespace:
    return argparse.Namespace(**{**vars(options), "uri": uri})


def _require_own(name: str | None, specs: Mapping[str, AppSpec], count: int) -> None:
    spec = specs.get(name or "")
    kind = spec.kind if spec is not None else ("demo" if name == DEMO else "uri")
    if kind not in _OWN:
        what = f'the app "{name}" is' if name else "the running session is"
        raise UsageError(
            f"--workers {count}: {what} one app; give --uri with an address for each worker,"
            " or an app with a launch command"
        )


class OneByOne:
    """Tells a console of scenarios that are played at once as if they came one after the other.

    What happens in a scenario is told when it has ended; until then, a live line says what is on.
    """

    def __init__(self, console: Console) -> None:
        self._console = console
        self._held: dict[str, list[Event]] = {}
        self._on: dict[str, str] = {}

    def on_event(self, event: Event) -> None:
        """Take the next event of the run."""
        scenario = getattr(event, "scenario", None)
        if isinstance(event, ScenarioStarted):
            self._on[event.scenario] = event.title
        if scenario is not None and scenario in self._on:
            self._held.setdefault(scenario, []).append(event)
        else:
            self._console.on_event(event)
        if isinstance(event, ScenarioFinished) and scenario in self._on:
            del self._on[event.scenario]
            for each in self._held.pop(event.scenario):
                self._console.on_event(each)
        self._console.status(", ".join(self._on.values()))

    def close(self) -> None:
        """Tell of what never ended."""
        for held in self._held.values():
            for each in held:
                self._console.on_event(each)
        self._held.clear()
