"""Expressions in texts."""

from __future__ import annotations

import contextlib
import time
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tapir_replay.scenario.templates import (
    MAX_TEXT,
    TemplateError,
    compile_text,
    has_template,
    render,
    render_text,
)

SCOPE: dict[str, Any] = {
    "name": "Ada",
    "n": 5,
    "half": 0.5,
    "yes": True,
    "none": None,
    "rows": [1, 2, 3],
    "user": {"name": "Ada", "list": ["x"], "items": 3},
    "self_": "s",
    "long": "a" * MAX_TEXT,
}


def value(text: str) -> Any:
    return compile_text(text).render(SCOPE)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("{{ n }}", 5),
        ("{{n}}", 5),
        ("{{ half }}", 0.5),
        ("{{ yes }}", True),
        ("{{ rows }}", [1, 2, 3]),
        ("{{ none }}", None),
        ("{{ user.name }}", "Ada"),
        ("{{ user['name'] }}", "Ada"),
        ("{{ user }}", SCOPE["user"]),
        ("{{ rows[0] }}", 1),
        ("{{ rows|length }}", 3),
        ("{{ n + 1 }}", 6),
        ("{{ n / 2 }}", 2.5),
        ("{{ 2000 * 2000 }}", 4_000_000),
        ("{{ 2 ** 10 }}", 1024),
        ("{{ n > 3 and yes }}", True),
        ("{{ 'a' if n else 'b' }}", "a"),
        ("{{ '007' }}", "007"),
        ("{{ name ~ n }}", "Ada5"),
        ("{{ name * 2 }}", "AdaAda"),
        ("{{ name|upper }}", "ADA"),
        ("{{ name.lower() }}", "ada"),
        ("{{ 'a,b'.split(',') }}", ["a", "b"]),
        ("{{ 1 in rows }}", True),
        ("{{ name|replace('A', 'a') }}", "ada"),
        ("{{ name.replace('A', 'a') }}", "ada"),
        ("{{ rows|join('-') }}", "1-2-3"),
        ("{{ ','.join(rows) }}", "1,2,3"),
        ("{{ n % 2 }}", 1),
        ("{{ user|tojson }}", '{"name": "Ada", "list": ["x"], "items": 3}'),
        ("{{ 2.345|round(2) }}", 2.35),
        ("{{ '{{' }}", "{{"),
        ("{{ {'a': 1}.a }}", 1),
        ("{{ n\n+ 1 }}", 6),
        ("{{-n}}", -5),
        ("{{ name[::-1] }}", "adA"),
        ("{{ rows|map('string') }}", ["1", "2", "3"]),
        ("{{ user.keys() }}", ["name", "list", "items"]),
        ("{{ rows|map('string')|list }}", ["1", "2", "3"]),
    ],
)
def test_a_whole_expression_keeps_its_type(text: str, expected: Any) -> None:
    """A text that is one expression has that value, of that type."""
    found = value(text)
    assert found == expected
    assert type(found) is type(expected)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("{{ n }} rows", "5 rows"),
        ("{{ n }}{{ n }}", "55"),
        (" {{ n }}", " 5"),
        ("{{ yes }}!", "true!"),
        ("[{{ none }}]", "[]"),
        ("{{ half }}x", "0.5x"),
        ("a\n{{ name }}\n", "a\nAda\n"),
        ("x{{-n}}y", "x-5y"),
        ("x {{ name }} y", "x Ada y"),
        ("<{{ '<&>' }}>", "<<&>>"),
        ("{% if n %}{{ n }}{% endif %}", "{% if n %}5{% endif %}"),
        ("{# {{ n }} #}", "{# 5 #}"),
        ("{{ n }} {%- x -%} # y", "5 {%- x -%} # y"),
        ("}} {{ n }}", "}} 5"),
        ("{ {{ n }} }", "{ 5 }"),
        ("\r\n{{ n }}", "\r\n5"),
    ],
)
def test_a_text_with_expressions_is_a_text(text: str, expected: str) -> None:
    """Around expressions everything stays as it is: statements, comments, white space, markup."""
    assert value(text).replace("\r\n", "\n") == expected.replace("\r\n", "\n")


@pytest.mark.parametrize("text", ["{% if x %}", "{# x #}", "{ x }", "}}", "{%", "plain", ""])
def test_plain_texts(text: str) -> None:
    """Only `{{` makes a template."""
    assert not has_template(text)


@pytest.mark.parametrize(
    ("text", "message", "hint"),
    [
        ("{{ nam }}", 'the name "nam" is not defined', 'did you mean "name"?'),
        ("Hi {{ nam }}", 'the name "nam" is not defined', 'did you mean "name"?'),
        ("{{ user.nme }}", 'the map has no "nme", did you mean "name"?', ""),
        ("{{ user['nme'] }}!", 'the map has no "nme", did you mean "name"?', ""),
        ("{{ user.zzz.name }}", 'the map has no "zzz"', ""),
        ("{{ rows[7] }}", "there is no item 7 in the list", ""),
        ("{{ name.foo }}", 'the text has no "foo"', ""),
        ("{{ n.foo }}", 'the value has no "foo"', ""),
        ("{{ none.foo }}", 'nothing has no "foo"', ""),
        ("{{ n // 0 }}", "integer division or modulo by zero", ""),
        ("{{ range(3) }}", 'the name "range" is not defined', None),
        ("{{ lipsum() }}", 'the name "lipsum" is not defined', None),
    ],
)
def test_what_has_no_value(text: str, message: str, hint: str | None) -> None:
    """The message quotes the text and says what is missing."""
    with pytest.raises(TemplateError) as caught:
        value(text)
    assert caught.value.message == f"{text}: {message}"
    assert hint is None or caught.value.hint == hint


def test_an_undefined_value_never_passes_for_nothing() -> None:
    """A missing name is an error in a condition and in a comparison too."""
    for text in (
        "{{ nam == '' }}",
        "{{ not nam }}",
        "{{ nam or 1 }}",
        "{{ user.nme ~ '' }}",
        "{{ [user.nme] }}",
    ):
        with pytest.raises(TemplateError):
            value(text)


@pytest.mark.parametrize(
    "text",
    [
        "{{ ''.__class__ }}",
        "{{ ''.__class__.__mro__[1].__subclasses__() }}",
        "{{ n.__init__ }}",
        "{{ rows.append(1) }}",
        "{{ user.update({'a': 1}) }}",
        "{{ user.pop('name') }}",
        "{{ user.clear() }}",
        "{{ rows.sort() }}",
        "{{ ''['__class__'] }}",
        "{{ name['__class__'] }}",
        "{{ '{0.__class__}'.format(n) }}",
        "{{ '%s' % n }}",
        "{{ name.format_map(user) }}",
        "{{ rows|map(attribute='__class__')|list }}",
        "{{ name.encode().__class__ }}",
        "{{ user.items.__func__ }}",
        "{{ rows.__len__() }}",
        "{{ ''.join.__self__ }}",
    ],
)
def test_the_sandbox(text: str) -> None:
    """No way leads out of the expression, and nothing can be changed."""
    with pytest.raises(TemplateError):
        value(text)
    assert SCOPE["rows"] == [1, 2, 3]
    assert SCOPE["user"] == {"name": "Ada", "list": ["x"], "items": 3}


@pytest.mark.parametrize(
    "text",
    [
        "{{ 'a' * 10**9 }}",
        "{{ 10**9 * 'a' }}",
        "{{ [0] * 10**9 }}",
        "{{ (1,) * 100000000 }}",
        "{{ 10**10**10 }}",
        "{{ 2 ** 10000 ** 2 }}",
        "{{ 9999 ** 65 }}",
        "{{ 'a'.center(10**9) }}",
        "{{ 'a'.ljust(1000000000) }}",
        "{{ 'a'.rjust(1000000000) }}",
        "{{ 'a'.zfill(1000000000) }}",
        "{{ '\t'.expandtabs(1000000000) }}",
        "{{ '%1000000000d' % 1 }}",
        "{{ '{:1000000000}'.format(1) }}",
        "{{ 'a'|center(1000000000) }}",
        "{{ rows|batch(1000000000, 'x')|list }}",
        "{{ rows|slice(1000000000)|list }}",
        "{{ 1|round(1000000000, 'floor') }}",
        "{{ rows|tojson(indent=1000000000) }}",
        "{{ 'a'|indent(1000000000) }}",
        "{{ '%1000000000d'|format(1) }}",
        "{{ 'a b'|wordwrap(1) }}",
        "{{ long|replace('a', long) }}",
        "{{ long.replace('a', long) }}",
        "{{ ([long] * 10000)|join }}",
        "{{ long.join([1] * 10000) }}",
        "{{ rows|pprint }}",
        "{{ [[long] * 1000, [long] * 1000]|map('join')|list }}",
        "{{ long ~ long }}!",
        "{{ long }}{{ long }}",
        "{{ n|filesizeformat }}",
        "{{ 'x'|urlize }}",
        "{{ 'x'|xmlattr }}",
    ],
)
def test_nothing_fills_the_memory(text: str) -> None:
    """What would pad, repeat or raise to a power without end is refused, and at once."""
    start = time.perf_counter()
    with pytest.raises(TemplateError):
        value(text)
    assert time.perf_counter() - start < 2


@pytest.mark.parametrize(
    "text",
    [
        "{{ " + "(" * 300 + "1" + ")" * 300 + " }}",
        "{{ " + "-" * 3000 + "1 }}",
        "{{ " + "n + " * 3000 + "n }}",
        "{{ " + "9" * 5000 + " }}",
        "{{ " + "[" * 500 + " }}",
        "{{ " + "not " * 3000 + "n }}",
    ],
)
def test_huge_expressions(text: str) -> None:
    """An expression that no parser takes is a fault of the file, not of ours."""
    with pytest.raises(TemplateError) as caught:
        compile_text(text).render(SCOPE)
    assert len(caught.value.message) < 20_000


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{{ }}", "the expression is empty"),
        ("{{ n", "an expression is not closed by }}"),
        ("{{ n }", "an expression is not closed by }}"),
        ("{{ my name }}", "an operator is missing between two names"),
        ("{{ n | uper }}", 'there is no filter "uper"'),
        ("{{ n is evn }}", 'there is no test "evn"'),
        ("{{ 'n }}", "a quote in the expression is not closed"),
        ("{{ @n }}", "the character '@' cannot stand in an expression"),
        ("{{ n + }}", "the expression cannot be read"),
        ("{{ n }} {{ n + }}", "the expression cannot be read"),
    ],
)
def test_syntax(text: str, message: str) -> None:
    """What cannot be read is told in plain words."""
    with pytest.raises(TemplateError) as caught:
        compile_text(text)
    assert caught.value.message == message


def test_names() -> None:
    """A template knows what it needs."""
    template = compile_text("{{ a.b }} {{ c[d] }} {{ 'e' }} {{ f(g=h)|upper }}")
    assert template.names == {"a", "c", "d", "f", "h"}


def test_names_of_python_are_ordinary() -> None:
    """A variable may be called as a word inside of Jinja or Python."""
    for name in ("self", "context", "environment", "lambda", "class", "range", "dict", "scope"):
        assert compile_text(f"x{{{{ {name} }}}}").names == {name}
    for name in ("context", "environment", "lambda", "class", "range", "dict", "scope", "args"):
        assert compile_text(f"{{{{ {name} }}}}").render({name: 1}) == 1
        assert compile_text(f"x{{{{ {name} }}}}").render({name: 1}) == "x1"


def test_render_goes_all_the_way_down() -> None:
    """Lists, maps and tuples are rendered part by part; the original stays."""
    n = compile_text("{{ n }}")
    written = {"a": [n, "x", {"b": n}], "c": (n, None, 1.5, True)}
    assert render(written, SCOPE) == {"a": [5, "x", {"b": 5}], "c": (5, None, 1.5, True)}
    assert written["a"] == [n, "x", {"b": n}]


def test_render_text() -> None:
    """Where a text is needed a value becomes one as it is written in YAML."""
    assert render_text(compile_text("{{ yes }}"), SCOPE) == "true"
    assert render_text(compile_text("{{ n }}"), SCOPE) == "5"
    assert render_text("{{ n }}", SCOPE) == "{{ n }}"
    assert str(compile_text("{{ n }}")) == "{{ n }}"


def test_a_value_is_never_rendered_again() -> None:
    """Braces in a value are text."""
    assert compile_text("{{ a }}!").render({"a": "{{ 1 + 1 }}"}) == "{{ 1 + 1 }}!"


@given(st.text("{}%#'\" na.|()[]+-*~1\n\\", max_size=30))
@settings(deadline=None)
def test_any_text(text: str) -> None:
    """No text raises anything but a TemplateError."""
    with contextlib.suppress(TemplateError):
        compile_text("{{" + text).render(SCOPE)
