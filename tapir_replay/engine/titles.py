"""What a step is called where it has no name of its own."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tapir_replay.scenario.matchers import show
from tapir_replay.scenario.model import Condition, Step, Target
from tapir_replay.scenario.templates import Template
from tapir_replay.scenario.values import as_text
from tapir_replay.verbs.model import Verb

_LONGEST = 120


def title_of(step: Step, args: Mapping[str, Any], conditions: tuple[Condition, ...] = ()) -> str:
    """`tap "Sign in" until "Welcome back"`, `fill key "email" with "ada@example.com"`.

    Args:
        step: The step.
        args: Its rendered parameters, or those of the file where they cannot be rendered.
        conditions: Its conditions, likewise.
    """
    if step.verb.name == "expect":
        words = ["expect", ", ".join(_condition(each) for each in conditions)]
    else:
        words = [step.verb.name, *_words(step.verb, args)]
    title = " ".join(words)
    return title if len(title) <= _LONGEST else title[: _LONGEST - 1] + "…"


def _words(verb: Verb, args: Mapping[str, Any]) -> list[str]:
    words = []
    for name, value in args.items():
        if name in _TOLD_BY_ROUNDS.get(verb.name, ()):
            continue
        if isinstance(value, Target):
            words.append(str(value) if name == "target" else f"{name} {value}")
        elif name in ("text", "value") and verb.targets:
            words.append(f"{'with' if name == 'text' else 'to'} {show(value)}")
        elif isinstance(value, float) and name == "for":
            words.append(f"{value:g}s")
        elif name == verb.short:
            words.append(value if name in ("route", "path", "key", "file") else _plain(value))
        elif name == "as":
            words.append(f"as {value}")
        elif name == "until":
            words.append(f"until {show(value)}")
        elif isinstance(value, Template):
            words.append(f"{name} {value}")
        elif isinstance(value, tuple):
            words.append(f"{name} {', '.join(_condition(each) for each in value)}")
        elif name != "untilTimeoutMs":
            words.append(f"{name} {_plain(value)}")
    return [str(each) for each in words]


_TOLD_BY_ROUNDS = {
    "repeat": ("times", "max"),
    "for_each": ("in", "as"),
    "retry": ("attempts",),
}
"""What the rounds of a block tell already: `repeat, round 2 of 3`."""


def _plain(value: Any) -> str:
    if isinstance(value, float):
        return f"{value:g}"
    return show(value)


def _condition(condition: Condition) -> str:
    words = [condition.kind]
    if condition.target is not None and condition.golden is None:
        words.append(str(condition.target))
    words += [str(each) for each in condition.matchers]
    if condition.golden is not None:
        words.append(str(condition.golden.file))
    if condition.kind == "exceptions":
        words.append("none")
    return " ".join(words)


def short(value: Any) -> str:
    """A value inside of a title."""
    text = " ".join(as_text(value).split())
    return text if len(text) <= _SHORT else text[: _SHORT - 1] + "…"


_SHORT = 40
