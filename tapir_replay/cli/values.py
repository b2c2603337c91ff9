"""Variables and env files of the command line."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from tapir_replay.cli.files import UsageError
from tapir_replay.files import is_file, why_refused
from tapir_replay.scenario.load import shown


def overrides_of(given: Iterable[str]) -> dict[str, str]:
    """`--var NAME=VALUE` options as a map."""
    found = {}
    for each in given:
        name, equals, value = each.partition("=")
        if not equals or not name.isidentifier():
            raise UsageError(f"--var {each}: expected NAME=VALUE")
        found[name] = value
    return found


def environment(
    files: Sequence[str], environ: Mapping[str, str], of_project: Iterable[Path] = ()
) -> dict[str, str]:
    """The environment with env files below it: what is set already wins.

    Args:
        files: Those of the command line; they win over the project's.
        environ: What is set already.
        of_project: Those of the project; they hold secrets, so they need not be everywhere.
    """
    found: dict[str, str] = {}
    for each in of_project:
        if is_file(each):
            found.update(read_env_file(each, shown(each)))
    for name in files:
        found.update(read_env_file(Path(name), f"--env-file {name}"))
    return {**found, **environ}


def read_env_file(path: Path, named: str) -> dict[str, str]:
    """`NAME=VALUE` lines; `#` starts a comment line, quotes around a value are taken off."""
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, ValueError) as error:
        raise UsageError(f"{named}: cannot be read: {why_refused(error)}") from None
    found = {}
    for number, line in enumerate(text.splitlines(), start=1):
        stripped = line.strip().removeprefix("export ").strip()
        if not stripped or stripped.startswith("#"):
            continue
        name, equals, value = stripped.partition("=")
        if not equals or not name.strip().isidentifier():
            raise UsageError(f"{shown(path)}:{number}: expected NAME=VALUE")
        value = value.strip()
        if len(value) >= 2 and value[0] == value[-1] and value[0] in "'\"":
            value = value[1:-1]
        found[name.strip()] = value
    return found
