"""`{{ expression }}` in texts: compiled once, rendered per scalar after the YAML is parsed.

Jinja's sandbox evaluates the expressions; statements and comments are not part of the format, so
`{%` and `{#` are ordinary text. A text that is one whole expression keeps the type of its value.
"""

from __future__ import annotations

import functools
import json
import math
import re
from collections.abc import Callable, ItemsView, Iterator, KeysView, Mapping, ValuesView
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

from tapir_replay.scenario import suggest
from tapir_replay.scenario.values import as_text

if TYPE_CHECKING:
    from jinja2 import Undefined
    from jinja2.sandbox import ImmutableSandboxedEnvironment

Scope = Mapping[str, Any]

MAX_TEXT = 1_000_000
"""The longest text an expression may make, in characters."""
_MAX_LIST = 10_000
_TOO_LONG = f"the text has more than {MAX_TEXT} characters"


class TemplateError(Exception):
    """An expression that cannot be read, or has no value. The text is for people."""

    def __init__(self, message: str, *, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint


@dataclass(frozen=True, slots=True, eq=False)
class Template:
    """A text with expressions in it.

    Attributes:
        source: As written.
        names: What it needs from the scope.
        whole: It is one expression and nothing else.
    """

    source: str
    names: frozenset[str]
    whole: bool
    _evaluate: Callable[[Scope], Any]

    def render(self, scope: Scope) -> Any:
        """Its value: of any type when `whole`, else a text.

        Raises:
            TemplateError: A name or an attribute is not there, or the expression fails.
        """
        from jinja2 import UndefinedError  # noqa: PLC0415
        from jinja2.exceptions import SecurityError  # noqa: PLC0415

        try:
            value = _settled(self._evaluate(scope))
        except UndefinedError as error:
            raise self._failed(str(error), self._guess(scope)) from None
        except SecurityError:
            raise self._failed("this is not allowed in an expression") from None
        except Exception as error:
            raise self._failed(str(error) or type(error).__name__) from None
        if isinstance(value, str) and len(value) > MAX_TEXT:
            raise self._failed(_TOO_LONG)
        return value

    def _failed(self, reason: str, hint: str = "") -> TemplateError:
        return TemplateError(f"{' '.join(self.source.split())}: {reason}", hint=hint)

    def _guess(self, scope: Scope) -> str:
        missing = sorted(self.names - set(scope))
        return suggest.hint(missing[0], scope, noun="known names") if missing else ""

    def __str__(self) -> str:
        return self.source


def has_template(text: str) -> bool:
    return "{{" in text


@functools.lru_cache(maxsize=4096)
def compile_text(source: str) -> Template:
    """Compile a text that `has_template`.

    Raises:
        TemplateError: The expression is not valid.
    """
    import jinja2  # noqa: PLC0415
    from jinja2 import meta, nodes  # noqa: PLC0415

    environment = _environment()
    # Jinja takes "{{-" for "trim what is before", not for a minus.
    text = source.replace("{{-", "{{ -").replace("{{+", "{{ +").replace("-}}", "- }}")
    try:
        tree = environment.parse(text)
        names = frozenset(meta.find_undeclared_variables(tree))
        if any(each.name == "self" for each in tree.find_all(nodes.Name)):
            names |= {"self"}  # Jinja has a meaning of its own for it
        parts = [part for output in tree.body for part in getattr(output, "nodes", [output])]
        whole = len(parts) == 1 and not isinstance(parts[0], nodes.TemplateData)
        if whole:
            evaluate = environment.compile_expression(text[2:-2], undefined_to_none=False)
            return Template(source, names, True, evaluate)
        return Template(source, names, False, environment.from_string(tree).render)
    except jinja2.TemplateSyntaxError as error:
        raise _syntax_error(text, error.message or "") from None
    except (RecursionError, MemoryError, SyntaxError, ValueError, OverflowError):
        raise TemplateError("the expression is too large or nested too deeply") from None


def _syntax_error(text: str, problem: str) -> TemplateError:
    """The complaint of Jinja, as people say it."""
    unknown = re.match(r"No (filter|test) named '(.*)'\.", problem)
    if unknown is not None:
        kind, name = unknown.groups()
        known = _environment().filters if kind == "filter" else _environment().tests
        words = [each for each in known if each.isidentifier()]
        return TemplateError(
            f'there is no {kind} "{name}"', hint=suggest.hint(name, words, noun=f"{kind}s")
        )
    if re.search(r"\{\{\s*\}\}", text):
        return TemplateError("the expression is empty", hint="write a name: {{ name }}")
    if text.count("{{") > text.count("}}"):
        return TemplateError(
            "an expression is not closed by }}", hint="for the characters {{ write {{ '{{' }}"
        )
    odd = re.match(r"unexpected char (\S+) at", problem)
    if odd is not None:
        if odd[1].strip("'\"") in ("", "'", '"'):
            return TemplateError("a quote in the expression is not closed")
        return TemplateError(
            f"the character {odd[1]} cannot stand in an expression", hint="a text needs quotes"
        )
    names = re.search(r"\{\{\s*\w+(\s+\w+)+\s*\}\}", text)
    if names is not None and "got 'name'" in problem:
        return TemplateError("an operator is missing between two names", hint="a text needs quotes")
    return TemplateError(
        "the expression cannot be read",
        hint="an expression is a name, a text in quotes, a number, or made of these",
    )


def _settled(value: Any) -> Any:
    """The same without what is made on demand.

    Raises:
        UndefinedError: Something in it has no value.
    """
    from jinja2 import Undefined  # noqa: PLC0415

    if isinstance(value, Undefined):
        return str(value)
    if isinstance(value, dict):
        return {key: _settled(each) for key, each in value.items()}
    if isinstance(value, Iterator | KeysView | ValuesView | ItemsView):
        value = list(value)
    if isinstance(value, list | tuple):
        return type(value)(_settled(each) for each in value)
    return value


def render(value: Any, scope: Scope) -> Any:
    """A value with every template in it rendered; other objects with a `render` are asked too."""
    if isinstance(value, str | int | float | bool) or value is None:
        return value
    if isinstance(value, Template):
        return value.render(scope)
    if isinstance(value, dict):
        return {key: render(each, scope) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return type(value)(render(each, scope) for each in value)
    return value.render(scope)


def render_text(value: str | Template, scope: Scope) -> str:
    """The same, as a text."""
    return value if isinstance(value, str) else as_text(value.render(scope))


@functools.cache
def _environment() -> ImmutableSandboxedEnvironment:
    never = "\0never"
    environment = _sandbox()(
        undefined=_undefined(),
        autoescape=False,
        keep_trailing_newline=True,
        block_start_string=never + "%",
        block_end_string="%" + never,
        comment_start_string=never + "#",
        comment_end_string="#" + never,
        finalize=lambda value: as_text(_settled(value)),
        cache_size=0,
    )
    environment.globals.clear()
    environment.filters = {name: environment.filters[name] for name in _FILTERS.split()}
    environment.filters |= {"join": _join, "replace": _replace}
    environment.filters |= {"round": _round, "tojson": _to_json}
    return environment


_FILTERS = (
    "abs capitalize count d default dictsort first float int items join last length list lower map"
    " max min reject rejectattr replace reverse round select selectattr sort string sum title"
    " tojson trim truncate unique upper urlencode wordcount"
)
"""What a scenario needs of Jinja's filters. Those that pad or repeat could fill the memory."""


def _join(value: Any, separator: str = "") -> str:
    texts = [as_text(each) for each in value]
    _limit(sum(map(len, texts)) + len(separator) * len(texts))
    return separator.join(texts)


def _replace(value: Any, old: str, new: str) -> str:
    text = as_text(value)
    _limit(len(text) + text.count(old) * len(new))
    return text.replace(old, new)


def _round(value: Any, precision: int = 0, method: str = "common") -> Any:
    if method not in _ROUNDING:
        raise ValueError(f"round is one of {', '.join(_ROUNDING)}")
    if not _small(precision, 15):
        raise ValueError("the precision of round is too large")
    return _ROUNDING[method](value * 10**precision) / 10**precision


_ROUNDING: dict[str, Callable[[Any], float]] = {
    "common": round,
    "ceil": math.ceil,
    "floor": math.floor,
}


def _to_json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def _limit(length: int) -> None:
    if length > MAX_TEXT:
        raise ValueError(_TOO_LONG)


@functools.cache
def _undefined() -> type[Undefined]:
    from jinja2 import StrictUndefined  # noqa: PLC0415
    from jinja2.utils import missing  # noqa: PLC0415

    class Missing(StrictUndefined):
        """Says what is missing in our words."""

        @property
        def _undefined_message(self) -> str:
            if self._undefined_hint:
                return self._undefined_hint
            name, owner = cast("Any", self._undefined_name), self._undefined_obj
            if owner is missing:
                return f'the name "{name}" is not defined'
            if isinstance(name, int):
                return f"there is no item {name} in {_kind(owner)}"
            guess = suggest.nearest(str(name), owner) if isinstance(owner, dict) else None
            return f'{_kind(owner)} has no "{name}"' + (
                f', did you mean "{guess}"?' if guess is not None else ""
            )

    return Missing


def _kind(value: Any) -> str:
    kinds = {dict: "the map", list: "the list", str: "the text", type(None): "nothing"}
    return kinds.get(type(value), "the value")


@functools.cache
def _sandbox() -> type[ImmutableSandboxedEnvironment]:
    """Jinja's sandbox keeps code out; this one also refuses to fill the memory by accident."""
    from jinja2.sandbox import ImmutableSandboxedEnvironment  # noqa: PLC0415

    class Sandbox(ImmutableSandboxedEnvironment):
        intercepted_binops = frozenset(("*", "**", "%"))

        def call_binop(self, context: Any, operator: str, left: Any, right: Any) -> Any:
            if operator == "**" and not (_small(left, 10_000) and _small(right, 64)):
                raise ValueError("the numbers of ** are too large")
            if operator == "%" and isinstance(left, str):
                raise ValueError("% is for numbers")
            if operator == "*" and _too_large(left, right):
                raise ValueError("the result of * is too large")
            return super().call_binop(context, operator, left, right)

        def is_safe_attribute(self, obj: Any, attr: str, value: Any) -> bool:
            if isinstance(obj, str | bytes) and attr in _GROWING:
                return False
            return super().is_safe_attribute(obj, attr, value)

        def wrap_str_format(self, value: Any) -> None:
            """No `format`, not in Jinja's safe form either: it pads."""

        def call(self, context: Any, called: Any, *args: Any, **named: Any) -> Any:
            owner = getattr(called, "__self__", None)
            if isinstance(owner, str) and called.__name__ in ("join", "replace"):
                growing = _replace if called.__name__ == "replace" else _join_by
                return growing(owner, *args)
            return super().call(context, called, *args, **named)

    return Sandbox


_GROWING = frozenset(
    ["center", "expandtabs", "format", "format_map", "ljust", "rjust", "translate", "zfill"]
)
"""Methods of texts that pad or repeat."""


def _join_by(separator: str, value: Any) -> str:
    return _join(value, separator)


def _small(value: Any, limit: int) -> bool:
    return isinstance(value, int | float) and abs(value) <= limit


def _too_large(left: Any, right: Any) -> bool:
    for one, times in ((left, right), (right, left)):
        if isinstance(one, str | bytes | list | tuple) and isinstance(times, int):
            limit = MAX_TEXT if isinstance(one, str | bytes) else _MAX_LIST
            return len(one) * times > limit
    return any(isinstance(each, int) and abs(each) > _LARGEST for each in (left, right))


_LARGEST = 10**300
