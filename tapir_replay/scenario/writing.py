r"""Scenarios as text: YAML as people write it. Data in, text out; what is read back is the same.

Texts stand without quotes unless the YAML or our own rules (`values`) would take them for
something else. Small maps stand on one line, large ones do not, and a verb has its short form.

Texts of a document may hold `{{ expressions }}`, as in a file. What a person typed or an app
shows goes through `literal` first, so that nothing in it becomes an expression.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tapir_replay.scenario.diagnostics import lines_of
from tapir_replay.scenario.schema import BESIDE, ID, MODIFIERS
from tapir_replay.scenario.values import plain
from tapir_replay.verbs.catalogue import STEP_VERBS
from tapir_replay.verbs.model import Type, Verb

WIDTH = 100
"""What does not fit on a line of so many characters is written on several."""

KEYS = (
    "name",
    "description",
    "tags",
    "app",
    "kind",
    "params",
    "vars",
    "secrets",
    "timeout",
    "budget",
    "exceptions",
    "cases",
    "setup",
    "steps",
    "on_failure",
    "teardown",
)
"""The order in which the parts of a file are written."""

_STEPS = ("setup", "steps", "on_failure", "teardown")
_NEVER_ON_ONE_LINE = ("params", "vars", *_STEPS)
_BEHIND_THE_VERB = ("with", "when", "save", "expect", "log")


@dataclass(frozen=True, slots=True)
class Commented:
    """A step with comments.

    Attributes:
        step: None where there are only comments.
        before: Comments on lines of their own.
        behind: A comment at the end of the step's first line.
    """

    step: Mapping[str, Any] | str | None
    before: Sequence[str] = ()
    behind: str = ""


Step = Mapping[str, Any] | str | Commented


def write_scenario(
    document: Mapping[str, Any], *, schema: str | None = ID, head: Sequence[str] = ()
) -> str:
    """The text of a scenario or a fragment.

    Args:
        document: As in a file; steps may be `Commented`.
        schema: Where editors find the schema; None for no such line.
        head: Comments at the top.
    """
    lines = [] if schema is None else [f"# yaml-language-server: $schema={schema}"]
    lines += [f"# {each}".rstrip() for text in head for each in _comment_lines(text)]
    for key in sorted(document, key=_place_in_file):
        lines += _entry(key, document[key], 0)
    return "\n".join(lines) + "\n"


def _place_in_file(key: str) -> int:
    return KEYS.index(key) if key in KEYS else len(KEYS)


def write_step(step: Step, indent: int) -> str:
    """One step as an item of a list, with its comments.

    Args:
        step: The step.
        indent: How many spaces stand before its `- `.
    """
    return "".join(f"{line}\n" for line in _step(step, indent))


def scalar(text: str, *, flow: bool = False) -> str:
    r"""A text as it stands in YAML, on one line and in quotes only where it needs them.

    Args:
        text: Any text. A lone surrogate, which YAML cannot hold, becomes an expression.
        flow: It stands inside of braces or brackets.

    >>> [scalar(each) for each in ("Sign in", "5", "12:30", "a: b", chr(10), "")]
    ['Sign in', '"5"', '12:30', '"a: b"', '"\\n"', '""']
    """
    whole = _SURROGATE.sub(_expression, text) if "{{" in text else literal(text)
    if not all(map(_shows, whole)):
        return '"' + "".join(map(_in_quotes, whole)) + '"'
    if _stands_plain(whole, flow=flow):
        return whole
    if ("\\" in whole or '"' in whole) and "'" not in whole:
        return f"'{whole}'"
    return '"' + "".join(map(_in_quotes, whole)) + '"'


def literal(text: str, *, beside: bool = False) -> str:
    """The text with everything escaped that a scenario would take for an expression.

    Args:
        text: Any text.
        beside: An expression stands before or behind it, in the same text.

    >>> literal("{{ name }}")
    "{{ '{{' }} name }}"
    """
    if not beside and "{{" not in text and _SURROGATE.search(text) is None:
        return text
    return _MEANS_SOMETHING.sub(_expression, text)


_SURROGATE = re.compile("[\ud800-\udfff]")
# Where there is an expression, Jinja makes "\n" of "\r" around it, "-}}" is read as two tokens,
# two texts start with NUL that would be taken for marks, and one brace more stands in its way.
_ALONE = "-(?=\\}\\})|[\r\0\ud800-\udfff]"
_MEANS_SOMETHING = re.compile(f"\\{{\\{{|\\{{(?=\\Z|{_ALONE})|{_ALONE}")


def _expression(found: re.Match[str]) -> str:
    text = found[0]
    shown = text if text.isprintable() else f"\\u{ord(text):04x}"
    return "{{ '" + shown + "' }}"


# Scalars

_INDICATORS = frozenset(",[]{}#&*!|>'\"%@`?:")
_NUMBER = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?\Z")
_INSIDE = re.compile(r": |:\Z| #|\A[-.]{3}|\A-(?![A-Za-z0-9])")
_INSIDE_BRACES = re.compile(r"[,\[\]{}?]")
_INVISIBLE_BUT_COMMON = frozenset("\u200c\u200d\u3000")
"""Letters and emoji are joined and kept apart by these; a wide space is wide."""


def _stands_plain(text: str, *, flow: bool) -> bool:
    """Whether a printable text needs no quotes, whatever may be wanted at its place."""
    if text != text.strip() or text[:1] in _INDICATORS or text in ("", "<<", "="):
        return False
    if not isinstance(plain(text), str) or _NUMBER.match(text) or _INSIDE.search(text):
        return False
    return not (flow and _INSIDE_BRACES.search(text))


def _shows(char: str) -> bool:
    return char.isprintable() or char in _INVISIBLE_BUT_COMMON


_NAMED = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\t": "\\t", "\r": "\\r"}


def _in_quotes(char: str) -> str:
    if char in _NAMED:
        return _NAMED[char]
    if _shows(char):
        return char
    code = ord(char)
    if code < 0x100:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"


def _lines_of_block(text: str) -> list[str] | None:
    """The lines of a text that can be read more easily as such; None for any other text."""
    lines = text.removesuffix("\n").split("\n")
    if len(lines) < 2 or not lines[0] or not lines[-1] or lines[0] != lines[0].lstrip():
        return None
    tidy = all(map(_shows, "".join(lines))) and all(each == each.rstrip() for each in lines)
    return lines if tidy else None


# Values


def _flow(value: Any) -> str | None:
    """A value on one line, inside of braces; None if it is not written so."""
    if isinstance(value, str):
        return None if _lines_of_block(value) else scalar(value, flow=True)
    if isinstance(value, Mapping):
        parts = []
        for key, each in value.items():
            written = None if _holds_steps(key, each) else _flow(each)
            if written is None:
                return None
            parts.append(f"{scalar(key, flow=True)}: {written}")
        return "{" + ", ".join(parts) + "}"
    if isinstance(value, list | tuple):
        items = [_flow(each) for each in value]
        written_items = [each for each in items if each is not None]
        return f"[{', '.join(written_items)}]" if len(written_items) == len(items) else None
    return None if value is None else _number(value)


def flow(value: Any) -> str:
    """A value on one line; texts of several lines are quoted.

    >>> flow({"role": "button", "label": "Sign in"})
    '{role: button, label: Sign in}'
    """
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{scalar(k, flow=True)}: {flow(v)}" for k, v in value.items()) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(flow, value)) + "]"
    return scalar(value, flow=True) if isinstance(value, str) else _number(value)


def _number(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return repr(value)


def _holds_steps(key: str, value: Any) -> bool:
    return key in _STEPS and isinstance(value, list | tuple)


def _entry(key: str, value: Any, indent: int) -> list[str]:
    """One entry of a map, at the start of a line."""
    pad = " " * indent
    name = scalar(key)
    if len(name) > _LONGEST_KEY:
        return [f"{pad}? {name}", *_behind(f"{pad}:", value, indent)]
    if _holds_steps(key, value):
        steps = [line for each in value for line in _step(each, indent + 2)]
        any_left = any(not isinstance(each, Commented) or each.step is not None for each in value)
        return [f"{pad}{name}:{'' if any_left else ' []'}", *steps]
    several = indent == 0 and key in _NEVER_ON_ONE_LINE and bool(value)
    return _behind(f"{pad}{name}:", value, indent, several=several)


_LONGEST_KEY = 1000
"""YAML has no longer ones than 1024 characters, but for a form of their own."""


def _behind(start: str, value: Any, indent: int, *, several: bool = False) -> list[str]:
    """A value behind its key or its dash."""
    if value is None:
        return [start]
    if isinstance(value, str):
        lines = _lines_of_block(value)
        if lines is None or _SURROGATE.search(value):
            return [f"{start} {scalar(value)}"]
        mark = "|" if value.endswith("\n") else "|-"
        inside = " " * (indent + 2)
        return [f"{start} {mark}", *(f"{inside}{line}".rstrip() for line in lines)]
    flow = None if several else _flow(value)
    if flow is not None and (len(start) + 1 + len(flow) <= WIDTH or not _is_collection(value)):
        return [f"{start} {flow}"]
    if not value:
        return [f"{start} {flow}"]
    if isinstance(value, Mapping):
        inside_lines = [line for k, each in value.items() for line in _entry(k, each, indent + 2)]
    else:
        inside_lines = [line for each in value for line in _item(each, indent + 2)]
    return [start, *inside_lines]


def _is_collection(value: Any) -> bool:
    return isinstance(value, Mapping | list | tuple)


def _item(value: Any, indent: int) -> list[str]:
    """One item of a list that holds no steps."""
    if isinstance(value, Mapping) and value and _flow(value) is None:
        return _dashed(value, indent)
    pad = " " * indent
    return _behind(f"{pad}-", value, indent)


def _dashed(entries: Mapping[str, Any], indent: int) -> list[str]:
    """A map as an item, its first entry right behind the dash."""
    lines = [line for key, each in entries.items() for line in _entry(key, each, indent + 2)]
    return [" " * indent + "- " + lines[0][indent + 2 :], *lines[1:]]


# Steps


def _step(step: Step, indent: int) -> list[str]:
    if isinstance(step, Commented):
        pad = " " * indent
        before = [
            f"{pad}# {each}".rstrip() for text in step.before for each in _comment_lines(text)
        ]
        if step.step is None:
            return before
        first, *rest = _step(step.step, indent)
        behind = " ".join(_comment_lines(step.behind))
        return [*before, f"{first}  # {behind}" if behind else first, *rest]
    written = shortest(step)
    if isinstance(written, str):
        return [f"{' ' * indent}- {written}"]
    return _dashed(written, indent)


def _comment_lines(text: str) -> Iterator[str]:
    for line in lines_of(text) if text else ():
        yield "".join(each if _shows(each) else _in_quotes(each) for each in line)


def shortest(step: Mapping[str, Any] | str) -> Mapping[str, Any] | str:
    """The same step in its short form, with its parts in the order they are written in.

    >>> shortest({"timeout": "9s", "tap": {"target": {"text": "Sign in"}}})
    {'tap': 'Sign in', 'timeout': '9s'}
    """
    if isinstance(step, str):
        return step
    verb = _verb_of(step)
    entries = {key: step[key] for key in sorted(step, key=_place_in_step)}
    if verb is None:
        return entries
    alone = verb.name == "expect"
    entries[verb.name] = (_condition if alone else _arguments)(verb, step[verb.name])
    if "when" in entries:
        entries["when"] = _condition(verb, entries["when"])
    if len(entries) > 1 or entries[verb.name] is not None:
        return entries
    return verb.name


def _verb_of(step: Mapping[str, Any]) -> Verb | None:
    names = [key for key in step if key in STEP_VERBS]
    own = [key for key in names if key not in BESIDE]
    return STEP_VERBS[(own or names)[0]] if names else None


_AFTER = (*_BEHIND_THE_VERB, *(each for each in MODIFIERS if each not in _BEHIND_THE_VERB))


def _place_in_step(key: str) -> int:
    if key == "name":
        return -2
    return _AFTER.index(key) if key in _AFTER else -1


def _arguments(verb: Verb, given: Any) -> Any:
    if not isinstance(given, Mapping):
        return given
    if verb.open:
        return dict(given)
    order = [each.name for each in verb.params]
    args = {
        name: _argument(verb, name, given[name])
        for name in sorted(given, key=lambda each: order.index(each) if each in order else -1)
    }
    only = args.get(verb.short) if verb.short and len(args) == 1 else None
    if isinstance(only, str) and only:
        return only
    return args or None


def _argument(verb: Verb, name: str, value: Any) -> Any:
    param = verb.param(name)
    short = _SHORT_FORMS.get(param.type) if param is not None else None
    return value if short is None else short(verb, value)


def _target(_: Verb, value: Any) -> Any:
    """A target in its short form: the text alone."""
    if isinstance(value, Mapping):
        if list(value) == ["text"] and value["text"]:
            return value["text"]
        if "within" in value:
            return {**value, "within": _target(_, value["within"])}
    return value


def _condition(verb: Verb, value: Any) -> Any:
    """Conditions with their targets in short form."""
    if not isinstance(value, Mapping):
        return value
    return {
        name: _each(_CONDITIONS[name], verb, given) if name in _CONDITIONS else given
        for name, given in value.items()
    }


def _check(verb: Verb, value: Any) -> Any:
    if isinstance(value, Mapping) and "of" in value:
        return {**value, "of": _target(verb, value["of"])}
    return value


_Short = Callable[[Verb, Any], Any]

_SHORT_FORMS: dict[Type, _Short] = {Type.TARGET: _target, Type.CONDITION: _condition}

_CONDITIONS: dict[str, _Short] = {
    **dict.fromkeys(("visible", "gone", "enabled", "disabled", "checked", "unchecked"), _target),
    **dict.fromkeys(("value", "text", "count"), _check),
}


def _each(short: _Short, verb: Verb, value: Any) -> Any:
    return [short(verb, each) for each in value] if isinstance(value, list) else short(verb, value)
