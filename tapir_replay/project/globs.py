"""Globs: `*`, `**`, `?`, `[a-z]`, `{a,b}`; those that start with `!` take files out again."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from tapir_replay.files import is_folder
from tapir_replay.scenario.diagnostics import quoted

MAGIC = re.compile(r"[*?\[{]")

_NOT_WALKED = frozenset({"node_modules", "tapir-results"})
"""Folders that hold no scenarios, but maybe thousands of files."""


class GlobError(ValueError):
    """A glob that cannot be read. The text is for people."""

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.hint = hint


def is_glob(path: str) -> bool:
    """Whether a path of the command line is a glob rather than a name."""
    return path.startswith("!") or MAGIC.search(path) is not None


class Globs:
    """Chooses files by globs, which apply in order: the last one that fits a file decides.

    Raises:
        GlobError: One of the patterns cannot be read.
    """

    def __init__(self, patterns: Iterable[str]) -> None:
        self._rules = [_Rule(each) for each in patterns]

    def matches(self, path: str) -> bool:
        """Whether a path, relative to the folder of the globs, is chosen."""
        chosen = False
        for rule in self._rules:
            if rule.takes_out == chosen and rule.fits(path):
                chosen = not rule.takes_out
        return chosen

    def files(self, folder: Path, *, skipped: Iterable[Path] = ()) -> list[Path]:
        """The files below the folder that are chosen, sorted by path.

        Args:
            folder: What the globs are relative to.
            skipped: Folders that are not looked into.
        """
        never = {os.path.normpath(each) for each in skipped}
        found: dict[str, None] = {}
        for start in sorted({rule.start for rule in self._rules if not rule.takes_out}):
            for path in _walk(folder, start, never):
                if self.matches(path):
                    found[path] = None
        return [folder / path for path in sorted(found, key=lambda path: path.split("/"))]

    def idle(self, folder: Path, files: Iterable[Path]) -> list[str]:
        """The patterns that choose files and have chosen none of these."""
        paths = [
            path.relative_to(folder).as_posix()
            if path.is_relative_to(folder)
            else os.path.relpath(path, folder).replace(os.sep, "/")
            for path in files
        ]
        return [
            rule.pattern
            for rule in self._rules
            if not rule.takes_out and not any(rule.fits(path) for path in paths)
        ]


class _Rule:
    def __init__(self, pattern: str) -> None:
        self.pattern = pattern
        self.takes_out = pattern.startswith("!")
        text = pattern.removeprefix("!").replace(os.sep, "/").removeprefix("./")
        if not text.strip():
            raise GlobError(f"the glob {quoted(pattern)} is empty", "such as flows/**/*.yaml")
        if "\\" in text:
            raise GlobError(f"the glob {quoted(pattern)} has a \\", "folders are separated by /")
        if text.startswith("/"):
            raise GlobError(
                f"the glob {quoted(pattern)} starts at the root",
                "globs are relative to the folder of the file that names them",
            )
        if text.endswith("/"):
            text += "**"
        self._expression = re.compile(_translated(text, pattern))
        before = text[: found.start()] if (found := MAGIC.search(text)) else text
        self.start = before.rpartition("/")[0]
        """The folder that all it fits are below of."""

    def fits(self, path: str) -> bool:
        return self._expression.fullmatch(path) is not None


def _walk(folder: Path, start: str, never: set[str]) -> Iterator[str]:
    """The paths of the YAML files below, relative to the folder."""
    top = folder / start if start else folder
    if not is_folder(top):
        return
    for here, folders, files in os.walk(top):
        folders[:] = [
            each
            for each in folders
            if not each.startswith(".")
            and each not in _NOT_WALKED
            and os.path.normpath(os.path.join(here, each)) not in never  # noqa: PTH118
        ]
        inside = os.path.relpath(here, top).replace(os.sep, "/")
        prefix = "/".join(part for part in (start, inside) if part not in ("", "."))
        for each in files:
            if is_scenario_name(each):
                yield f"{prefix}/{each}" if prefix else each


def is_scenario_name(name: str) -> bool:
    """Whether a file of this name may be a scenario."""
    stem, dot, ending = name.rpartition(".")
    return (
        dot == "."
        and ending in ("yaml", "yml")
        and not stem.startswith(".")
        and not stem.endswith(".snap")
        and stem not in ("", "tapir-replay")
    )


def _translated(text: str, pattern: str) -> str:
    """The regular expression of a glob."""
    out, at, depth = [], 0, 0
    while at < len(text):
        char = text[at]
        if char == "*":
            stars = len(text[at:]) - len(text[at:].lstrip("*"))
            alone = text[at - 1 : at] in ("", "/") and text[at + stars : at + stars + 1] in (
                "",
                "/",
            )
            if stars == 1:
                out.append("[^/]*")
            elif stars > 2 or not alone:
                raise GlobError(
                    f"the glob {quoted(pattern)} has {'*' * stars} inside of a name",
                    "** stands for any folders, alone between two /: a/**/b.yaml",
                )
            elif text[at + stars :].startswith("/"):
                out.append("(?:[^/]+/)*")
                stars += 1
            else:
                out.append(".*")
            at += stars
            continue
        if char == "?":
            out.append("[^/]")
        elif char == "[":
            end = text.find("]", at + 2)
            if end < 0:
                raise GlobError(f"the glob {quoted(pattern)} has a [ without ]")
            out.append(_set(text[at + 1 : end], pattern))
            at = end
        elif char == "{":
            depth += 1
            out.append("(?:")
        elif char == "}" and depth:
            depth -= 1
            out.append(")")
        elif char == "," and depth:
            out.append("|")
        else:
            out.append(re.escape(char))
        at += 1
    if depth:
        raise GlobError(f"the glob {quoted(pattern)} has a {{ without }}")
    return "".join(out)


def _set(inside: str, pattern: str) -> str:
    turned = inside[:1] in ("!", "^")
    letters = inside[1:] if turned else inside
    escaped = re.sub(r"([\\\[\]^&~|])", r"\\\1", letters)
    expression = f"[{'^/' if turned else ''}{escaped}]"
    try:
        re.compile(expression)
    except re.error:
        raise GlobError(f"the glob {quoted(pattern)} has a wrong range [{inside}]") from None
    return expression
