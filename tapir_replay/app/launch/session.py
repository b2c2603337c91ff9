"""Apps that dowel, or artisan as it was called, has running: the state files they leave.

All functions are pure over a home folder and an environment, but for reading the files.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tapir_replay.app.errors import ConnectError, NoSession
from tapir_replay.app.launch.uri_scan import last_address
from tapir_replay.app.uri import normalise, place
from tapir_replay.files import is_file, resolved

_FOLDERS = (".dowel", ".artisan")
"""The tool's folder under its present and its former name."""

_OVERRIDES = ("DOWEL_STATE_FILE", "ARTISAN_STATE_FILE")

_LOG = "flutter-dev.log"

_HINT = "start the app with dowel, or name it by its address (--uri) or by a command (launch)"


@dataclass(frozen=True, slots=True, kw_only=True)
class Session:
    """One state file.

    Attributes:
        file: The state file.
        uri: The VM Service's address in its one form; None while it is not known.
        booting: The app is being started.
        root: The project it belongs to; None in old files.
        cdp_port: The debugging port of the browser that shows it.
        device: As the flutter tool calls it.
        pid: The flutter tool's process.
        started: When, as the file has it.
    """

    file: Path
    uri: str | None
    booting: bool = False
    root: Path | None = None
    cdp_port: int | None = None
    device: str = ""
    pid: int | None = None
    started: str = ""

    def __str__(self) -> str:
        words = [str(self.root or self.file)]
        if self.device:
            words.append(f"on {self.device}")
        words.append(f"at {place(self.uri)}" if self.uri else "(starting)")
        return " ".join(words)


def project_root(folder: Path) -> Path:
    """The nearest folder at or above that holds a `pubspec.yaml`, else the folder itself."""
    start = resolved(folder)
    for each in (start, *start.parents):
        if is_file(each / "pubspec.yaml"):
            return each
    return start


def session_name(root: Path) -> str:
    """The folder name of a project's session."""
    return hashlib.sha256(os.fsencode(root)).hexdigest()[:12]


def home_of(env: Mapping[str, str]) -> Path:
    return Path(env.get("HOME") or env.get("USERPROFILE") or "/tmp")  # noqa: S108 - as the tool has it


def find_session(
    folder: Path, env: Mapping[str, str], alive: Callable[[int], bool] = lambda _: True
) -> Session:
    """The session of the project that a folder belongs to.

    Args:
        folder: In the project.
        env: The environment: where home is, and a state file that is named outright.
        alive: Whether a process runs.

    Raises:
        NoSession: There is none, or several; those that there are get listed.
    """
    for name in _OVERRIDES:
        if env.get(name):
            return _named(Path(env[name]), name, alive)
    root = project_root(folder)
    home = home_of(env)
    own = _distinct(_running(_own(home, root), alive))
    if not own:
        own = _distinct(each for each in _running(_pointers(home), alive) if _owns(each, root))
    if len(own) == 1:
        return own[0]
    if own:
        raise NoSession(
            "\n".join([f"{len(own)} sessions of {root} run:", *_listed(own)]),
            hint="stop the one that is not meant, or set DOWEL_STATE_FILE to the state file",
        )
    others = _distinct(_running(_all(home), alive))
    lines = [f"no session of {root} runs"]
    if others:
        lines += ["running are:", *_listed(others)]
    raise NoSession(
        "\n".join(lines),
        hint="go to the project's folder, or name it as the app's cwd" if others else _HINT,
    )


def read_session(file: Path) -> Session | None:
    """A state file; None when it is not there, or holds no session."""
    try:
        state = json.loads(file.read_text(encoding="utf-8", errors="replace"))
    except (OSError, ValueError):
        return None
    if not isinstance(state, dict):
        return None
    root = state.get("projectRoot")
    return Session(
        file=file,
        uri=_address(state, file),
        booting=state.get("booting") is True,
        root=Path(root) if isinstance(root, str) and root else None,
        cdp_port=_number(state.get("cdpPort")),
        device=str(state.get("device") or ""),
        pid=_number(state.get("pid")),
        started=str(state.get("startedAt") or ""),
    )


def _named(file: Path, variable: str, alive: Callable[[int], bool]) -> Session:
    """A state file that somebody named is meant, whosever it is."""
    session = read_session(file)
    if session is None:
        raise NoSession(f"{variable} names {file}, which holds no session", hint=_HINT)
    if session.pid is not None and not alive(session.pid):
        raise NoSession(f"the session of {file} has ended", hint=_HINT)
    return session


def _own(home: Path, root: Path) -> list[Session]:
    """What the tool keeps under the project's own name."""
    name = session_name(root)
    return _read(home / folder / "sessions" / name / "state.json" for folder in _FOLDERS)


def _pointers(home: Path) -> list[Session]:
    """Copies of the session that was started last, of whatever project."""
    return _read(home / folder / "state.json" for folder in _FOLDERS)


def _all(home: Path) -> list[Session]:
    own = [
        file
        for folder in _FOLDERS
        for file in sorted((home / folder / "sessions").glob("*/state.json"))
    ]
    return [*_read(own), *_pointers(home)]


def _read(files: Iterable[Path]) -> list[Session]:
    return [session for each in files if (session := read_session(each)) is not None]


def _running(sessions: Iterable[Session], alive: Callable[[int], bool]) -> list[Session]:
    return [
        each
        for each in sessions
        if (each.uri or each.booting) and (each.pid is None or alive(each.pid))
    ]


def _distinct(sessions: Iterable[Session]) -> list[Session]:
    """Each app once: a pointer is a copy, and the tool may have kept a file under both names."""
    found: dict[tuple[str | None, int | None], Session] = {}
    for each in sessions:
        found.setdefault((each.uri, each.pid), each)
    return list(found.values())


def _owns(session: Session, root: Path) -> bool:
    """Whether a session is of this project, or of one that this folder is in."""
    if session.root is None:
        return True
    owner = resolved(session.root)
    return owner == root or owner in root.parents


def _listed(sessions: Iterable[Session]) -> list[str]:
    return [f"  {each}" for each in sessions]


def _address(state: Mapping[str, Any], file: Path) -> str | None:
    """As the state has it, else as the log has it."""
    address = state.get("vmServiceUri")
    if isinstance(address, str) and address:
        try:
            return normalise(address)
        except ConnectError:
            return None
    try:
        log = (file.parent / _LOG).read_text(encoding="utf-8", errors="replace")
    except OSError:
        return None
    found = last_address(log.splitlines())
    return found.uri if found is not None else None


def _number(value: object) -> int | None:
    """A number, or a text of one."""
    if type(value) is int:
        return value
    return int(value) if isinstance(value, str) and value.isdigit() else None
