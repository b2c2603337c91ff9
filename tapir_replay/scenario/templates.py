"""`{{ expression }}` in texts: compiled once, rendered per scalar after the YAML is parsed.

Jinja's sandbox evaluates the expressions; statements and comments are not part of the format, so
`{%` and `{#` are ordinary text. A text that is one whole expression keeps the type of its value.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tapir_replay.scenario import suggest
from tapir_replay.scenario.values import as_text

if TYPE_CHECKING:
    from jinja2.sandbox import ImmutableSandboxedEnvironment

Scope = Mapping[str, Any]

MAX_TEXT = 1_000_000
"""The longest text an expression may make, in characters."""


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
        from jinja2 import Undefined, UndefinedError  # noqa: PLC0415

        try:
            value = self._evaluate(scope)
            if isinstance(value, Undefined):
                str(value)
        except UndefinedError as error:
            raise TemplateError(self._explain(str(error)), hint=self._guess(scope)) from None
        except Exception as error:
            raise TemplateError(f"{self.source}: {error}") from None
        if isinstance(value, str) and len(value) > MAX_TEXT:
            raise TemplateError(f"{self.source}: the text has more than {MAX_TEXT} characters")
        return value

    def _explain(self, text: str) -> str:
        return f"{self.source}: {text}".replace("'dict object' has", "it has")

    def _guess(self, scope: Scope) -> str:
        missing = sorted(self.names - set(scope))
        return suggest.hint(missing[0], scope, noun="known names") if missing else ""

    def __str__(self) -> str:
        return self.source


def has_template(text: str) -> bool:
    return "{{" in text


@functools.lru_cache(maxsize=4096)
def compile_text(text: str) -> Template:
    """Compile a text that `has_template`.

    Raises:
        TemplateError: The expression is not valid.
    """
    import jinja2  # noqa: PLC0415
    from jinja2 import meta, nodes  # noqa: PLC0415

    environment = _environment()
    try:
        tree = environment.parse(text)
        names = frozenset(meta.find_undeclared_variables(tree))
        parts = [part for output in tree.body for part in getattr(output, "nodes", [output])]
        whole = len(parts) == 1 and not isinstance(parts[0], nodes.TemplateData)
        if whole:
            evaluate = environment.compile_expression(text[2:-2], undefined_to_none=False)
            return Template(text, names, True, lambda scope: evaluate(**scope))
        return Template(text, names, False, environment.from_string(tree).render)
    except jinja2.TemplateSyntaxError as error:
        raise TemplateError(
            f"the expression cannot be read: {error.message}",
            hint="an expression is a name, a text in quotes, a number, or made of these",
        ) from None
    except RecursionError:
        raise TemplateError("the expression is nested too deeply") from None


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
    from jinja2 import StrictUndefined  # noqa: PLC0415

    never = "\0never"
    environment = _sandbox()(
        undefined=StrictUndefined,
        autoescape=False,
        keep_trailing_newline=True,
        block_start_string=never + "%",
        block_end_string="%" + never,
        comment_start_string=never + "#",
        comment_end_string="#" + never,
        finalize=as_text,
        cache_size=0,
    )
    environment.globals.clear()
    for unsafe in ("attr", "center", "format", "indent", "pprint", "xmlattr"):
        environment.filters.pop(unsafe, None)
    return environment


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
            if operator == "*" and _length(left) * _length(right) > MAX_TEXT:
                raise ValueError("the result of * is too large")
            return super().call_binop(context, operator, left, right)

        def is_safe_attribute(self, obj: Any, attr: str, value: Any) -> bool:
            padding = ("center", "expandtabs", "format", "format_map", "ljust", "rjust", "zfill")
            if isinstance(obj, str) and attr in padding:
                return False
            return super().is_safe_attribute(obj, attr, value)

    return Sandbox


def _small(value: Any, limit: int) -> bool:
    return isinstance(value, int | float) and abs(value) <= limit


def _length(value: Any) -> float:
    """How much a factor of `*` contributes: the size of a sequence, the count it is taken."""
    if isinstance(value, str | list | tuple):
        return len(value)
    return 1 if isinstance(value, float) else abs(value)
