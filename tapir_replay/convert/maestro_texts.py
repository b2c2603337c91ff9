r"""Texts of Maestro: `${...}` in them, and what they mean as a selector.

A text of a selector is a regular expression for the whole of what shows, which ignores case; but a
text that is just what shows matches too, whatever it would mean as an expression.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from tapir_replay.convert.model import Left, Notes
from tapir_replay.convert.source import Node
from tapir_replay.scenario.diagnostics import quoted
from tapir_replay.scenario.matchers import expression_fault
from tapir_replay.scenario.reading import _WORDS, BUILT_IN
from tapir_replay.scenario.writing import literal

_PLACEHOLDER = re.compile(r"(?<!\\)\$\{([^$}]*)\}")
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\Z")

COPIED = "copiedText"
"""What we call what Maestro has copied."""


def names_in(text: str) -> list[str]:
    """The variables that a text is made of; not those of JavaScript."""
    return [each.strip() for each in _PLACEHOLDER.findall(text) if _NAME.match(each.strip())]


class Names:
    """The variables of one file.

    Attributes:
        ours: What we call those that the file defines, by Maestro's name.
        needed: Those that come from outside, and where they are used first.
    """

    def __init__(self, notes: Notes) -> None:
        self._notes = notes
        self.ours: dict[str, str] = {}
        self.needed: dict[str, Node] = {}

    def define(self, name: str, node: Node) -> str:
        """The name that we have for a variable.

        Raises:
            Left: It cannot be the name of a variable.
        """
        if not _NAME.match(name):
            raise Left(f"{name} cannot be a name here", node, hint="letters, digits and _")
        reserved = name in BUILT_IN or name in _WORDS
        self.ours[name] = f"{name}_" if reserved else name
        if reserved:
            self._notes.differs(
                "renamed", node.span, f"{name} means something else here; it is now {name}_"
            )
        return self.ours[name]

    def expression(self, script: str, node: Node) -> str:
        """`{{ name }}` for the inside of `${...}`.

        Raises:
            Left: It is more than a name.
        """
        inside = script.strip()
        if inside == "maestro.copiedText":
            if COPIED in self.ours:
                return f"{{{{ {COPIED} }}}}"
            raise Left("nothing was copied before", node, hint="keep a text with read")
        if inside.startswith("output."):
            raise Left(
                f"${{{inside}}} is made by a script",
                node,
                hint="give the value as a variable, or keep what shows with read",
            )
        if not _NAME.match(inside):
            raise Left(
                f"${{{inside}}} is JavaScript",
                node,
                hint="{{ }} calculates and compares: write it by hand",
            )
        if inside not in self.ours:
            name = self.define(inside, node)
            self.needed[inside] = node
            return f"{{{{ {name} }}}}"
        return f"{{{{ {self.ours[inside]} }}}}"

    def filled(self, text: str, node: Node) -> str:
        """A text that is typed, named or compared as it is, with our expressions in it.

        Raises:
            Left: There is JavaScript in it.
        """
        parts = _PLACEHOLDER.split(text)
        if len(parts) == 1:
            return literal(_unescaped(text))
        return "".join(
            self.expression(part, node) if index % 2 else literal(_unescaped(part), beside=True)
            for index, part in enumerate(parts)
        )

    def one(self, text: str, node: Node) -> str:
        """One expression and nothing else, where a number or the like is wanted.

        Raises:
            Left: It is not.
        """
        found = _PLACEHOLDER.fullmatch(text.strip())
        if found is None:
            raise Left(f"{quoted(text)} is neither a value nor one variable", node)
        return self.expression(found[1], node)

    def sought(self, text: str, node: Node) -> Mapping[str, Any]:
        """What a selector's text means: a target of `text`, `contains` or `matches`.

        Raises:
            Left: There is JavaScript in it, or an expression that is Java's own.
        """
        if not text:
            raise Left("an empty text", node)
        if _PLACEHOLDER.search(text):
            if _SPECIAL.search(_PLACEHOLDER.sub("", text)) is None:
                return {"text": self.filled(text, node)}
            raise Left(
                "a regular expression with a variable in it",
                node,
                hint='write matches: "^...{{ name }}...$"',
            )
        kind, wanted = self._meaning(_unescaped(text), node)
        return {kind: literal(wanted)}

    def _meaning(self, text: str, node: Node) -> tuple[str, str]:
        if _SPECIAL.search(text) is None or _MONEY.match(text):
            return "text", text
        span = node.value_span
        if _DOTS_ONLY.match(text):
            self._notes.differs_once(
                "dot", span, "a dot in a text is taken as a dot; in Maestro it is any character"
            )
            return "text", text
        if _A_QUESTION.match(text):
            self._notes.differs(
                "question-mark",
                span,
                "taken as a question; in Maestro the ? makes the letter before it optional too",
                "if that was meant: matches",
            )
            return "text", text
        if _PARENTHESES.match(text):
            self._notes.differs(
                "parentheses", span, "taken as parentheses; in Maestro they are a group too"
            )
            return "text", text
        if _NOT_FOR_JAVA.search(text) or (
            (fault := expression_fault(text)) and "escape" not in fault and "?" not in fault
        ):
            self._notes.differs(
                "no-expression", span, "not a regular expression; taken as it stands"
            )
            return "text", text
        return self._expression(text, node)

    def _expression(self, text: str, node: Node) -> tuple[str, str]:
        self._notes.differs_once(
            "expression",
            node.value_span,
            "a regular expression: here case counts, and a dot is no line break",
        )
        before, inside, after = _ANYTHING_AROUND.match(text).groups()  # type: ignore[union-attr]
        if (before or after) and (not _SPECIAL.search(inside) or _DOTS_ONLY.match(inside)):
            if before and after and inside:
                return "contains", inside
            return "matches", _escaped(inside) + "$" if before else "^" + _escaped(inside)
        whole = text.removeprefix("(?i)").removeprefix("^")
        if whole.endswith("$") and not whole.endswith("\\$"):
            whole = whole[:-1]
        if not _IS_AN_EXPRESSION.search(text) and re.fullmatch(text, text) is None:
            whole = f"{whole}|{_escaped(text)}"
        wanted = f"^(?:{whole})$" if "|" in whole else f"^{whole}$"
        if expression_fault(wanted):
            raise Left("a regular expression of Java", node, hint="write it as matches by hand")
        return "matches", wanted


_SPECIAL = re.compile(r"[\\.\[\]{}()*+?^$|]")
_DOTS_ONLY = re.compile(r"(?:[^\\.\[\]{}()*+?^$|]|\.(?![*+?{]))*\Z")
_MONEY = re.compile(
    r"(?:[^\\.\[\]{}()*+?^$|]|\.(?![*+?{])|\$(?=[0-9]))*\$(?=[0-9])[^\\\[\]{}()*+?^$|]*\Z"
)
"""`$5.00` is an expression that nothing fits, so it can only be meant as it stands."""
_A_QUESTION = re.compile(r"(?:[^\\.\[\]{}()*+?^$|]|\.(?![*+?{]))*\w\?\Z")
_NOT_FOR_JAVA = re.compile(r"(?<![\\\[pP])\{(?![0-9]+(?:,[0-9]*)?\})")
"""A brace that says not how often is a mistake in Java, and the text is then taken as it stands."""
_PARENTHESES = re.compile(r"(?:[^\\.\[\]{}()*+?^$|]|\.(?![*+?{])|\)(?![*+?{])|\()*\Z")
"""In a group that is neither repeated nor a choice there is no use."""
_ANYTHING_AROUND = re.compile(r"(\.\*)?(.*?)(\.\*)?\Z", re.DOTALL)
_IS_AN_EXPRESSION = re.compile(r"[\\\[\]{}*^|]|\.[*+?]|\)[*+?{]|\$\Z|\(\?")


def _escaped(text: str) -> str:
    return re.sub(r"([\\.\[\]{}()*+?^$|])", r"\\\1", text)


def _unescaped(text: str) -> str:
    r"""`\${x}` is how Maestro writes the characters `${x}`."""
    return text.replace("\\${", "${")
