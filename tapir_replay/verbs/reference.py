"""The reference page of all verbs, made from the catalogue."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from tapir_replay.verbs.catalogue import VERBS
from tapir_replay.verbs.model import Dispatch, Field, Param, Type, Verb

_INTRODUCTION = """\
# Verbs

Made from the catalogue by `tapir-replay schema --write .`; do not edit.

What stands under "answer" is what `expect` and `save` can name. A `target` is written as in every
step: a label, or a map of `key`, `label`, `text`, `contains`, `matches`, `role`, `value`, `within`
and `nth`.
"""

_OURS = (Dispatch.COMMAND, Dispatch.RUNNER)

_GROUPS: tuple[tuple[str, Callable[[Verb], bool]], ...] = (
    ("Steps the app carries out", lambda verb: verb.step and verb.dispatch is Dispatch.EXTENSION),
    ("Steps the runner carries out", lambda verb: verb.step and verb.dispatch in _OURS),
    ("On the wire only", lambda verb: not verb.step and verb.dispatch is Dispatch.EXTENSION),
    ("Commands of Tapir's own tool", lambda verb: verb.dispatch is Dispatch.TOOL),
)


def reference() -> str:
    """The page, as Markdown."""
    lines = [_INTRODUCTION]
    for title, belongs in _GROUPS:
        lines.append(f"## {title}\n")
        for verb in VERBS:
            if belongs(verb):
                lines += _verb(verb)
    return "\n".join(lines).rstrip() + "\n"


def _verb(verb: Verb) -> Iterator[str]:
    yield f"### {verb.name}\n\n{verb.summary}\n"
    if verb.short is not None and verb.step:
        yield f"Short form: `{verb.name}: ...` stands for `{verb.short}`.\n"
    if verb.any_of:
        yield f"Needs {_or(verb.any_of)}.\n"
    if verb.params:
        yield "| parameter | type | default | |\n|---|---|---|---|"
        yield from (_param(each) for each in verb.params)
        yield ""
    if verb.results:
        yield "| answer | type | |\n|---|---|---|"
        yield from (_field(each) for each in verb.results)
        yield ""
    yield from _checks(verb)


def _checks(verb: Verb) -> Iterator[str]:
    if verb.effect is not None and verb.effect.verified:
        yield "Fails when `effect.verified` is false: the widget holds something else.\n"
    elif verb.effect is not None:
        yield "Warns when `effect.changed` is false.\n"
    for rule in verb.unmatched:
        yield f"Fails when `{rule.field}` is {str(rule.value).lower()}.\n"


def _param(param: Param) -> str:
    kind = " · ".join(f"`{each}`" for each in param.choices) or param.type.value
    if param.choices and param.type is Type.TEXTS:
        kind = f"list of {kind}"
    default = "" if param.default is None else f"`{str(param.default).lower()}`"
    default = "required" if param.required else default
    return f"| `{param.name}` | {kind} | {default} | {param.doc} |"


def _field(field: Field) -> str:
    kind = field.type.value + (" or null" if field.nullable else "")
    often = " (not always there)" if field.optional else ""
    return f"| `{field.name}` | {kind} | {field.doc}{often} |"


def _or(names: tuple[str, ...]) -> str:
    return " or ".join(f"`{each}`" for each in names)
