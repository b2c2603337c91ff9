"""What a value is compared with: a table of small functions with one signature."""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from tapir_replay.scenario.templates import Scope, TemplateError, render
from tapir_replay.scenario.values import as_text


class Missing:
    """Stands for a value that is not there at all, which is not the same as null."""

    def __repr__(self) -> str:
        return "nothing"


MISSING = Missing()


@dataclass(frozen=True, slots=True)
class Matcher:
    """One comparison; `wanted` may hold templates until it is rendered."""

    name: str
    wanted: Any

    def render(self, scope: Scope) -> Matcher:
        wanted = render(self.wanted, scope)
        if self.name == "matches" and (fault := expression_fault(str(wanted))):
            raise TemplateError(f"{self.wanted}: {fault}")
        return Matcher(self.name, wanted)

    def holds(self, actual: Any) -> bool:
        """Whether it holds; a comparison that makes no sense for this value does not."""
        return MATCHERS[self.name].holds(actual, self.wanted)

    def __str__(self) -> str:
        """What is wanted, to be read after "expected"."""
        return MATCHERS[self.name].says.format(show(self.wanted))


@dataclass(frozen=True, slots=True)
class _Kind:
    holds: Callable[[Any, Any], bool]
    says: str


def equal(actual: Any, wanted: Any) -> bool:
    """Equal as people see it: the text `5` and the number 5 are, `true` and 1 are not."""
    if isinstance(actual, bool) or isinstance(wanted, bool):
        if isinstance(actual, bool) and isinstance(wanted, bool):
            return actual is wanted
        return isinstance(actual, str | bool) and as_text(actual) == as_text(wanted)
    if isinstance(actual, str) != isinstance(wanted, str):
        text, other = (actual, wanted) if isinstance(actual, str) else (wanted, actual)
        if isinstance(other, int | float):
            return text == as_text(other) or _number(text) == other
        return False
    if isinstance(actual, dict) and isinstance(wanted, dict):
        return actual.keys() == wanted.keys() and all(
            equal(actual[key], wanted[key]) for key in wanted
        )
    if isinstance(actual, list) and isinstance(wanted, list):
        return len(actual) == len(wanted) and all(map(equal, actual, wanted))
    return bool(actual == wanted)


def _not(actual: Any, wanted: Any) -> bool:
    if isinstance(wanted, Matcher):
        return not wanted.holds(actual)
    return not equal(actual, wanted)


def _contains(actual: Any, wanted: Any) -> bool:
    if isinstance(actual, str):
        return as_text(wanted) in actual
    if isinstance(actual, list):
        return any(equal(each, wanted) for each in actual)
    if isinstance(actual, dict):
        if isinstance(wanted, dict):
            return all(key in actual and equal(actual[key], wanted[key]) for key in wanted)
        return not isinstance(wanted, list) and as_text(wanted) in actual
    return False


def _matches(actual: Any, wanted: Any) -> bool:
    if actual is MISSING or actual is None or isinstance(actual, dict | list):
        return False
    return re.search(str(wanted), as_text(actual)) is not None


def _compare(test: Callable[[float, float], bool]) -> Callable[[Any, Any], bool]:
    def holds(actual: Any, wanted: Any) -> bool:
        left, right = _number(actual), _number(wanted)
        return left is not None and right is not None and test(left, right)

    return holds


def _in(actual: Any, wanted: Any) -> bool:
    return isinstance(wanted, list | tuple) and any(equal(actual, each) for each in wanted)


def _exists(actual: Any, wanted: Any) -> bool:
    return (actual is not MISSING and actual is not None) is bool(wanted)


def _length(actual: Any, wanted: Any) -> bool:
    if not isinstance(actual, str | list | dict):
        return False
    if isinstance(wanted, Matcher):
        return wanted.holds(len(actual))
    return equal(len(actual), wanted)


MATCHERS: dict[str, _Kind] = {
    "is": _Kind(equal, "{}"),
    "not": _Kind(_not, "not {}"),
    "contains": _Kind(_contains, "something that contains {}"),
    "matches": _Kind(_matches, "something that matches {}"),
    "gt": _Kind(_compare(lambda left, right: left > right), "more than {}"),
    "gte": _Kind(_compare(lambda left, right: left >= right), "at least {}"),
    "lt": _Kind(_compare(lambda left, right: left < right), "less than {}"),
    "lte": _Kind(_compare(lambda left, right: left <= right), "at most {}"),
    "in": _Kind(_in, "one of {}"),
    "exists": _Kind(_exists, "exists: {}"),
    "length": _Kind(_length, "length {}"),
}


def show(value: Any) -> str:
    """A value in a message: texts in quotes, the rest as in YAML."""
    if isinstance(value, Matcher):
        return str(value)
    if isinstance(value, str):
        return f'"{value}"'
    if isinstance(value, list | tuple):
        return f"[{', '.join(show(each) for each in value)}]"
    if isinstance(value, dict):
        return f"{{{', '.join(f'{key}: {show(each)}' for key, each in value.items())}}}"
    if value is None:
        return "null"
    return repr(value) if isinstance(value, Missing) else as_text(value)


def expression_fault(text: str) -> str:
    """Why a text is no regular expression; empty if it is one."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            re.compile(text)
    except (re.error, OverflowError, RecursionError) as error:
        return f"not a regular expression: {error}"
    return ""


def is_number(value: Any) -> bool:
    """Whether it can be compared as a number."""
    return _number(value) is not None


def _number(value: Any) -> float | None:
    if isinstance(value, bool):
        return None
    if isinstance(value, int | float):
        return value
    try:
        return float(value)
    except (TypeError, ValueError):
        return None
