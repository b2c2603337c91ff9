"""A command as a person writes it, to the arguments of a process: no shell in between."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from tapir_replay.app.errors import LaunchFailed

URI_FILE = "{uri_file}"
"""Stands for a file that the program is to write its address into."""

_FILE_OPTIONS = ("--vmservice-out-file", "--write-service-info")

_SHELL_WORDS = frozenset({"&&", "||", "|", "&", ">", ">>", "<", "2>&1"})


def arguments_of(command: str | Sequence[str]) -> tuple[str, ...]:
    """The program and its arguments.

    >>> arguments_of("flutter run -d 'iPhone 15' --machine")
    ('flutter', 'run', '-d', 'iPhone 15', '--machine')

    Raises:
        LaunchFailed: It is empty, has an open quote, or needs a shell.
    """
    if isinstance(command, str):
        try:
            words = shlex.split(command)
        except ValueError as error:
            raise LaunchFailed(f"the command `{command}` cannot be read: {error}") from None
    else:
        words = [str(each) for each in command]
    needs_shell = next((each for each in words if each in _SHELL_WORDS), None)
    if needs_shell is not None:
        written = command if isinstance(command, str) else " ".join(words)
        raise LaunchFailed(
            f"the command `{written}` is run without a shell, where `{needs_shell}` means nothing",
            hint="put it into a script, or write the command as [sh, -c, '...']",
        )
    if not words or not words[0]:
        raise LaunchFailed("the command is empty")
    return tuple(words)


@dataclass(frozen=True, slots=True)
class Command:
    """A command to start.

    Attributes:
        arguments: The program first.
        uri_file: The file that it was told to write its address into.
    """

    arguments: tuple[str, ...]
    uri_file: Path | None = None

    @classmethod
    def of(cls, command: str | Sequence[str], folder: Path, cwd: Path) -> Command:
        """The command with `{uri_file}` filled in.

        Args:
            command: As written.
            folder: Where that file may be put.
            cwd: What a relative file in the command is relative to.
        """
        arguments = arguments_of(command)
        if any(URI_FILE in each for each in arguments):
            file = folder / "vm-service-uri"
            return cls(tuple(each.replace(URI_FILE, str(file)) for each in arguments), file)
        named = _named_file(arguments)
        return cls(arguments, cwd / named if named is not None else None)

    @property
    def machine(self) -> bool:
        """Whether it talks in messages."""
        return "--machine" in self.arguments[1:]

    @property
    def by_flutter(self) -> bool:
        """Whether the flutter tool runs the app, so that its word counts and not the VM's."""
        return any(Path(each).stem == "flutter" for each in self.arguments[:3])

    def __str__(self) -> str:
        text = shlex.join(self.arguments)
        return text if len(text) <= 120 else f"{text[:117]}..."


def _named_file(arguments: tuple[str, ...]) -> Path | None:
    for index, each in enumerate(arguments):
        for option in _FILE_OPTIONS:
            if each.startswith(f"{option}="):
                return _path(each.partition("=")[2])
            if each == option and index + 1 < len(arguments):
                return _path(arguments[index + 1])
    return None


def _path(text: str) -> Path | None:
    if text.startswith("file://"):
        from urllib.parse import unquote, urlsplit  # noqa: PLC0415

        text = unquote(urlsplit(text).path)
    return Path(text) if text else None
