"""What a step asserts, waits for and keeps: `expect`, `when`, `save`."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from pathlib import Path
from typing import Any

from tapir_replay.scenario import suggest
from tapir_replay.scenario.diagnostics import quoted
from tapir_replay.scenario.matchers import MATCHERS, Matcher, is_number
from tapir_replay.scenario.model import Condition, Golden, PathCheck, When
from tapir_replay.scenario.reading import At, Reader
from tapir_replay.scenario.templates import Template, has_template
from tapir_replay.scenario.yaml_nodes import lookup
from tapir_replay.verbs.model import Type, Verb

_NUMBER: tuple[Callable[[Any], bool], str] = (is_number, "a number")
_WANTED: dict[str, tuple[Callable[[Any], bool], str]] = {
    "matches": (lambda wanted: not isinstance(wanted, dict | list | None), "a regular expression"),
    "gt": _NUMBER,
    "gte": _NUMBER,
    "lt": _NUMBER,
    "lte": _NUMBER,
    "in": (lambda wanted: isinstance(wanted, list), "a list"),
    "exists": (lambda wanted: isinstance(wanted, bool), "true or false"),
    "length": (lambda wanted: isinstance(wanted, dict) or is_number(wanted), "a number"),
}
"""What a matcher must be given."""

_TARGET_KINDS = ("visible", "gone", "enabled", "disabled", "checked", "unchecked")
_CHECK_KINDS = ("value", "text", "count")
_OTHER_KINDS = ("route", "exceptions", "log", "snapshot", "screenshot")


class Assertions:
    """Reads the assertions of one file's steps."""

    def __init__(self, reader: Reader, folder: Path = Path()) -> None:
        self._read = reader
        self._folder = folder
        """What goldens are relative to."""

    def response(self, verb: Verb, data: Mapping[str, Any], at: At) -> tuple[PathCheck, ...]:
        checks = tuple(self._path_checks(data, (), at))
        for check in checks:
            self._check_path(verb, check.path, self._path_at(at, check.path), key=True)
        return checks

    def _path_checks(
        self, data: Mapping[str, Any], prefix: tuple[str, ...], at: At
    ) -> Iterable[PathCheck]:
        for key, value in data.items():
            path = (*prefix, *key.split("."))
            here = (*at, key)
            if isinstance(value, dict) and value and not set(value) & set(MATCHERS):
                yield from self._path_checks(value, path, here)
            else:
                yield PathCheck(
                    path=path, matchers=self.matchers(value, here), place=self._read.place(here)
                )

    def _path_at(self, at: At, path: tuple[str, ...]) -> At:
        """Where the path is written: nested, or in one key with dots."""
        _, node = lookup(self._read.root, at)
        written = [key.value for key, _ in node.value]
        return (*at, next(key for key in written if key.split(".")[0] == path[0]))

    def _check_path(self, verb: Verb, path: tuple[str, ...], at: At, *, key: bool = False) -> None:
        known = {field.name: field.type for field in verb.results}
        if verb.param("until") is not None:
            known["untilMatched"] = Type.BOOL
        if path[0] not in known:
            self._read.error(
                "unknown-path",
                f"the answer of {verb.name} has no {quoted(path[0])}",
                at,
                self._path_hint(path[0], known),
                key=key,
            )
        elif len(path) > 1 and known[path[0]] not in (Type.OBJECT, Type.LIST):
            self._read.error(
                "unknown-path",
                f"{path[0]} of {verb.name} is a single value; it has no {quoted(path[1])}",
                at,
                suggest.hint(path[1], MATCHERS, noun="matchers") if key else "",
                key=key,
            )

    def _path_hint(self, name: str, known: Collection[str]) -> str:
        if name in (*_TARGET_KINDS, *_CHECK_KINDS, *_OTHER_KINDS):
            return f"it is for the app: start a step of its own, - expect: {{{name}: ...}}"
        return suggest.hint(name, known, noun="it has")

    def matchers(self, value: Any, at: At) -> tuple[Matcher, ...]:
        """A value to be equal to, or a map of matchers."""
        if not isinstance(value, dict):
            return (Matcher("is", self._read.any(value, at)),)
        matchers = []
        for name, wanted in value.items():
            if name not in MATCHERS:
                self._read.error(
                    "unknown-matcher",
                    f"there is no matcher {quoted(name)}",
                    (*at, name),
                    suggest.hint(name, MATCHERS, noun="matchers"),
                    key=True,
                )
                continue
            self._check_wanted(name, wanted, (*at, name))
            if name in ("not", "length") and isinstance(wanted, dict):
                matchers += [Matcher(name, inner) for inner in self.matchers(wanted, (*at, name))]
            else:
                matchers.append(Matcher(name, self._read.any(wanted, (*at, name))))
        if not value:
            self._read.error("empty", "a matcher is missing here", at)
        return tuple(matchers)

    def _check_wanted(self, name: str, wanted: Any, at: At) -> None:
        """Refuse what a matcher can never be compared with."""
        if isinstance(wanted, str) and has_template(wanted):
            return
        if name == "matches" and isinstance(wanted, str):
            self._read.expression(wanted, at)
            return
        fits, expected = _WANTED.get(name, (None, ""))
        if fits is not None and not fits(wanted):
            self._read.error("wrong-type", f"{name}: expected {expected}", at)

    def conditions(self, data: Mapping[str, Any], at: At) -> tuple[Condition, ...]:
        found: list[Condition] = []
        for kind, value in data.items():
            here: At = (*at, kind)
            if kind == "log":
                found += self.lines(value, here)
            elif kind in (*_TARGET_KINDS, *_CHECK_KINDS) and isinstance(value, list):
                found += [
                    self._condition(kind, each, (*here, index)) for index, each in enumerate(value)
                ]
            else:
                found.append(self._condition(kind, value, here))
        return tuple(found)

    def _condition(self, kind: str, value: Any, at: At) -> Condition:
        place = self._read.place(at)
        if kind in _TARGET_KINDS:
            return Condition(kind=kind, place=place, target=self._read.target(value, at))
        if kind in _CHECK_KINDS:
            wanted = {key: each for key, each in value.items() if key != "of"}
            if not wanted:
                self._read.error(
                    "missing-key",
                    f"{kind} needs a matcher",
                    at,
                    f"one of: {', '.join(MATCHERS)}",
                )
            return Condition(
                kind=kind,
                place=place,
                target=self._read.target(value["of"], (*at, "of")),
                matchers=self.matchers(wanted, at) if wanted else (),
            )
        if kind == "exceptions":
            allow = value["allow"] if isinstance(value, dict) else ()
            texts = [
                self._read.text(each, (*at, "allow", index)) for index, each in enumerate(allow)
            ]
            return Condition(kind=kind, place=place, allow=tuple(texts))
        if kind in ("snapshot", "screenshot"):
            return self._golden(kind, value, at)
        return Condition(kind=kind, place=place, matchers=self.matchers(value, at))

    def lines(self, value: Any, at: At) -> tuple[Condition, ...]:
        """Log lines of the app: a part of one, a map of matchers, or a list of these."""
        if isinstance(value, list):
            return tuple(self._line(each, (*at, index)) for index, each in enumerate(value))
        return (self._line(value, at),)

    def _line(self, value: Any, at: At) -> Condition:
        wanted = {"contains": value} if isinstance(value, str) else dict(value)
        level = wanted.pop("level", None)
        matchers = self.matchers(wanted, at) if wanted else ()
        return Condition(kind="log", place=self._read.place(at), matchers=matchers, level=level)

    def _golden(self, kind: str, value: Any, at: At) -> Condition:
        written = {"file": value} if isinstance(value, str) else value
        file_at = at if isinstance(value, str) else (*at, "file")
        masks = written.get("masks", ())
        return Condition(
            kind=kind,
            place=self._read.place(at),
            target=self._read.target(written["of"], (*at, "of")) if "of" in written else None,
            golden=Golden(
                file=self._read.text(written["file"], file_at),
                folder=self._folder,
                tolerance=float(str(written.get("tolerance", "0")).rstrip(" %")),
                masks=tuple(
                    self._read.target(each, (*at, "masks", index))
                    for index, each in enumerate(masks)
                ),
            ),
        )

    def when(self, value: Any, at: At) -> When | None:
        if value is None:
            return None
        if isinstance(value, str):
            template = self._read.text(value, at)
            return template if isinstance(template, Template) else ()
        return self.conditions(value, at)

    def save(
        self, data: Mapping[str, str], verb: Verb, at: At
    ) -> tuple[tuple[str, tuple[str, ...]], ...]:
        saved = []
        for name, written in data.items():
            path = tuple(written.split("."))
            self._read.check_name(name, (*at, name))
            if verb.name != "use":  # that is up to the fragment
                self._check_path(verb, path, (*at, name))
            saved.append((name, path))
        return tuple(saved)
