"""`--watch`: play again when a scenario or the app's code changes."""

from __future__ import annotations

import argparse
import asyncio
import time
from collections.abc import Callable, Iterable
from pathlib import Path

from tapir_replay.app.errors import AppError
from tapir_replay.cli.files import UsageError, counted, say
from tapir_replay.cli.surroundings import surroundings
from tapir_replay.engine.exits import Exit
from tapir_replay.files import is_file, is_folder
from tapir_replay.scenario.load import shown

_PAUSE = 0.3
"""Seconds between two looks at the files."""

_YAML = ("*.yaml", "*.yml", "*.csv", "*.json", "*.env")


class Watcher:
    """Knows what the files looked like, and tells what has changed since.

    Args:
        files: The files to watch now; asked anew each time, so that new ones are seen.
    """

    def __init__(self, files: Callable[[], Iterable[Path]]) -> None:
        self._files = files
        self._seen = self._look()

    def __len__(self) -> int:
        return len(self._seen)

    def changed(self) -> set[Path]:
        """The files that came, went or were written since the last call."""
        now = self._look()
        before, self._seen = self._seen, now
        return {path for path in before.keys() | now.keys() if before.get(path) != now.get(path)}

    def _look(self) -> dict[Path, tuple[int, int]]:
        found = {}
        for path in self._files():
            try:
                state = path.stat()
            except OSError:
                continue
            found[path] = (state.st_mtime_ns, state.st_size)
        return found


def watch(
    options: argparse.Namespace,
    play: Callable[[argparse.Namespace], int],
    *,
    pause: Callable[[], None] = lambda: time.sleep(_PAUSE),
) -> int:
    """Play, and play again after every change, until Ctrl-C.

    Args:
        options: Of `run`.
        play: Plays once.
        pause: Between two looks.
    """
    code = play(options)
    watcher = Watcher(lambda: watched(options.paths))
    say(f"watching {counted(len(watcher), 'file')}; Ctrl-C ends")
    try:
        while code != Exit.INTERRUPTED:
            pause()
            changed = watcher.changed()
            if not changed:
                continue
            say(f"changed: {', '.join(sorted(shown(path) for path in changed))}")
            code_changed = any(path.suffix == ".dart" for path in changed)
            if code_changed and not asyncio.run(_reload(options)):
                continue
            code = play(options)
    except KeyboardInterrupt:
        pass
    return code


def watched(paths: Iterable[str]) -> set[Path]:
    """What may change: the scenarios and what lies beside them, the project, the app's code."""
    found: set[Path] = set()
    for each in (*paths, "tapir-replay.yaml"):
        path = Path(each)
        folder = path if is_folder(path) else path.parent
        if is_folder(path) or is_file(path):
            for pattern in _YAML:
                found.update(_visible(folder, pattern))
    found.update(_visible(Path("lib"), "*.dart"))
    return found


def _visible(folder: Path, pattern: str) -> Iterable[Path]:
    for path in folder.rglob(pattern):
        parts = path.relative_to(folder).parts
        if not any(part.startswith(".") or part == "tapir-results" for part in parts):
            yield path


async def _reload(options: argparse.Namespace) -> bool:
    """Give a running app the new code; whether it can be played on."""
    try:
        around = surroundings(options, "reloaded", options.paths, options.env_file)
    except UsageError as error:
        say(f"the code could not be reloaded: {error}")
        return False
    if around is None:
        return False
    async with around.apps(options, tell=say) as apps:
        if apps.default is None or apps.starts(None):
            return True  # it is started anew, with the new code
        try:
            app = await apps.app_for(None)
            answer = await app.call("hot_reload_and_snap", {"screenshot": "false"}, timeout=60)
        except AppError as error:
            say(f"the code could not be reloaded: {error}")
            return False
    if answer.get("reloaded"):
        say(f"reloaded in {answer.get('durationMs', 0)} ms")
        return True
    say(f"the code could not be reloaded: {answer.get('error', '')}")
    return False
