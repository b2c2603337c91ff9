"""Values of a checked file to parts of the model: texts, durations, targets; and faults in them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import yaml

from tapir_replay.scenario import suggest
from tapir_replay.scenario.diagnostics import Diagnostic, Severity, Span
from tapir_replay.scenario.matchers import expression_fault
from tapir_replay.scenario.model import PREDICATES, Target, parse_duration
from tapir_replay.scenario.place import Place
from tapir_replay.scenario.templates import Template, TemplateError, compile_text, has_template
from tapir_replay.scenario.yaml_nodes import YamlTree, lookup, span_of, span_within

BUILT_IN = ("case", "env", "vars", "run", "now", "random")
"""Names every template can use."""

_WORDS = frozenset(
    [
        "and",
        "or",
        "not",
        "in",
        "is",
        "if",
        "else",
        "true",
        "false",
        "none",
        "True",
        "False",
        "None",
        "self",
        "loop",
    ]
)
"""What a template does not take for the name of a variable."""

At = tuple[str | int, ...]
"""Where a value stands in the data."""


class Reader:
    """Reads the values of one file.

    Attributes:
        tree: For places, and to collect diagnostics.
        names: What templates may use by now; grows as the file is read.
        later: What is defined anywhere in the file.
    """

    def __init__(self, tree: YamlTree, names: Iterable[str], later: Iterable[str]) -> None:
        assert tree.root is not None
        self.tree = tree
        self.root: yaml.Node = tree.root
        self.names = {*BUILT_IN, *names}
        self.later = set(later)

    def any(self, value: Any, at: At) -> Any:
        """Any value, with its templates compiled."""
        if isinstance(value, str):
            return self.text(value, at)
        if isinstance(value, dict):
            return {key: self.any(each, (*at, key)) for key, each in value.items()}
        if isinstance(value, list):
            return [self.any(each, (*at, index)) for index, each in enumerate(value)]
        return value

    def text(self, value: str | None, at: At) -> Any:
        """None, a plain text, or a template."""
        if value is None or not has_template(value):
            return value
        try:
            template = compile_text(value)
        except TemplateError as error:
            self.error("template", error.message, at, error.hint)
            return value
        for name in sorted(template.names - self.names):
            _, node = lookup(self.root, at)
            self.report(
                Severity.ERROR,
                "undefined-name",
                f'the name "{name}" is not defined here',
                span_within(node, self.tree.text, name),
                self._definition_hint(name),
            )
        return template

    def _definition_hint(self, name: str) -> str:
        if name in self.later:
            return "it is defined further down only"
        return suggest.hint(name, self.names, noun="known names")

    def flag(self, data: Mapping[str, Any], name: str, at: At) -> Any:
        value = data.get(name, False)
        return self.text(value, (*at, name)) if isinstance(value, str) else value

    def duration(self, value: str | None, at: At) -> float | Template | None:
        text = self.text(value, at)
        if not isinstance(text, str):
            return text  # type: ignore[no-any-return]
        try:
            return parse_duration(text)
        except ValueError as error:
            self.error("wrong-form", str(error), at)
            return None

    def target(self, value: Any, at: At) -> Target:
        if isinstance(value, str):
            return Target(text=self.text(value, at))
        if not set(value) - {"nth", "within"}:
            self.error(
                "missing-key",
                f"a target needs more than {' and '.join(sorted(value))}",
                at,
                f"one of: {', '.join(PREDICATES)}, ref",
            )
        if "ref" in value and len(value) > 1:
            self.error(
                "ref-alone",
                "a ref stands alone in a target",
                (*at, "ref"),
                "it names one widget already",
                key=True,
            )
        self.expression(value.get("matches"), (*at, "matches"))
        parts: dict[str, Any] = {
            name: self.target(each, (*at, name))
            if name == "within"
            else self.any(each, (*at, name))
            for name, each in value.items()
        }
        return Target(**parts)

    def expression(self, value: Any, at: At) -> None:
        if (
            isinstance(value, str)
            and not has_template(value)
            and (fault := expression_fault(value))
        ):
            hint = "contains: looks for the characters as they are"
            self.error("bad-expression", fault, at, hint)

    def check_name(self, name: str, at: At) -> None:
        if name in BUILT_IN:
            message = f'"{name}" is a built-in name'
        elif name in _WORDS:
            message = f'"{name}" means something else in {{{{ }}}}'
        else:
            return
        self.error("reserved-name", message, at, "choose another", key=True)

    # Places and faults

    def place(self, at: At) -> Place:
        key, node = lookup(self.root, at)
        mark = (key or node).start_mark
        return Place(file=self.tree.file, line=mark.line + 1, column=mark.column + 1)

    def error(self, code: str, message: str, at: At, hint: str = "", *, key: bool = False) -> None:
        """Report a fault of the value there, or of its key."""
        self.report(Severity.ERROR, code, message, self.span(at, key=key), hint)

    def span(self, at: At, *, key: bool) -> Span:
        named, node = lookup(self.root, at)
        on_value = isinstance(node, yaml.ScalarNode) and node.value and not key
        return span_of(node if on_value or named is None else named)

    def report(self, severity: Severity, code: str, message: str, span: Span, hint: str) -> None:
        self.tree.diagnostics.append(
            Diagnostic(
                code=code,
                file=self.tree.file,
                message=message,
                span=span,
                hint=hint,
                severity=severity,
            )
        )
