"""Tags as boolean expressions: `smoke and not (slow or wip)`.

`not` binds closest, then `and`, then `or`, as in Python.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from dataclasses import dataclass

from tapir_replay.scenario import suggest
from tapir_replay.scenario.diagnostics import Span, quoted

Test = Callable[[Collection[str]], bool]

_WORDS = re.compile(r"\s*(?:(?P<word>[A-Za-z0-9_][A-Za-z0-9_.-]*)|(?P<sign>[()])|(?P<odd>\S))")
_KEYWORDS = ("and", "or", "not")
_SIGNS = {"&": "and", "|": "or", "!": "not", ",": "or", "+": "and", "-": "not", "~": "not"}
_TAG_HINT = "a tag is made of letters, digits, _, - and ."
_TAG_HINTS = {"@": "write the tag without it"}
_DEEPEST = 50


class TagError(ValueError):
    """An expression that cannot be read. The text is for people.

    Attributes:
        span: Where in the expression.
    """

    def __init__(self, message: str, span: Span, hint: str = "") -> None:
        super().__init__(message)
        self.span = span
        self.hint = hint


@dataclass(frozen=True, slots=True)
class TagExpression:
    """An expression that can be asked about the tags of a scenario.

    Attributes:
        source: As written.
        names: The tags in it, each with where it stands first.
    """

    source: str
    names: dict[str, Span]
    holds: Test


def parse_tags(source: str) -> TagExpression:
    """Read an expression.

    Raises:
        TagError: It is none.
    """
    parser = _Parser(source)
    return TagExpression(source, parser.names, parser.whole())


@dataclass(frozen=True, slots=True)
class _Token:
    text: str
    at: int

    @property
    def span(self) -> Span:
        return Span(line=1, column=self.at + 1, length=max(1, len(self.text)))


class _Parser:
    def __init__(self, source: str) -> None:
        # A line break would move the caret; it separates words as a blank does.
        self._source = re.sub(r"\s", " ", source)
        self._tokens = self._read()
        self._next = 0
        self._depth = 0
        self.names: dict[str, Span] = {}

    def whole(self) -> Test:
        if not self._peek().text:
            raise TagError("the expression is empty", self._peek().span, 'such as "smoke"')
        test = self._either()
        rest = self._peek()
        if rest.text == ")":
            raise TagError("this ) closes nothing", rest.span)
        if rest.text:
            raise self._no_operator(rest)
        return test

    def _read(self) -> list[_Token]:
        tokens = []
        for found in _WORDS.finditer(self._source):
            if odd := found["odd"]:
                raise self._odd(odd, found.start("odd"))
            name = "word" if found["word"] else "sign"
            tokens.append(_Token(found[name], found.start(name)))
        return [*tokens, _Token("", len(self._source.rstrip()))]

    def _odd(self, sign: str, at: int) -> TagError:
        meant = _SIGNS.get(sign, "")
        length = 2 if self._source[at : at + 2] in ("&&", "||") else 1
        return TagError(
            f"{quoted(self._source[at : at + length])} cannot stand here",
            Span(line=1, column=at + 1, length=length),
            f"write {meant}" if meant else _TAG_HINTS.get(sign, _TAG_HINT),
        )

    def _peek(self) -> _Token:
        return self._tokens[self._next]

    def _take(self, word: str) -> bool:
        if self._peek().text == word:
            self._next += 1
            return True
        return False

    def _either(self) -> Test:
        tests = [self._both()]
        while self._take("or"):
            tests.append(self._both())
        return tests[0] if len(tests) == 1 else lambda tags: any(test(tags) for test in tests)

    def _both(self) -> Test:
        tests = [self._one()]
        while self._take("and"):
            tests.append(self._one())
        return tests[0] if len(tests) == 1 else lambda tags: all(test(tags) for test in tests)

    def _one(self) -> Test:
        self._depth += 1
        if self._depth > _DEEPEST:
            raise TagError(f"nested more than {_DEEPEST} deep", self._peek().span)
        test = self._operand()
        self._depth -= 1
        return test

    def _operand(self) -> Test:
        token = self._peek()
        if self._take("not"):
            turned = self._one()
            return lambda tags: not turned(tags)
        if self._take("("):
            inside = self._either()
            if not self._take(")"):
                if self._peek().text:
                    raise self._no_operator(self._peek())
                raise TagError("this ( is not closed", token.span)
            return inside
        if not token.text or token.text in (*_KEYWORDS, ")"):
            raise self._no_tag(token)
        self._next += 1
        name = token.text
        self.names.setdefault(name, token.span)
        return lambda tags: name in tags

    def _no_tag(self, token: _Token) -> TagError:
        before = self._tokens[self._next - 1].text if self._next else ""
        after = f" after {quoted(before)}" if before else f" before {quoted(token.text)}"
        return TagError(f"a tag is missing{after}", token.span)

    def _no_operator(self, token: _Token) -> TagError:
        """Two tags, or a tag and a (, stand side by side."""
        for each in (self._tokens[self._next - 1], token):
            meant = suggest.nearest(each.text, _KEYWORDS)
            if meant is not None and each.text not in _KEYWORDS:
                message = f'{quoted(each.text)} is neither "and" nor "or"'
                return TagError(message, each.span, f'did you mean "{meant}"?')
        message = f'"and" or "or" is missing before {quoted(token.text)}'
        return TagError(message, token.span)
