"""What is written, read back by our own loader, is the same."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tapir_replay.scenario.check import runtime_schema
from tapir_replay.scenario.load import load, load_bytes
from tapir_replay.scenario.model import Scenario
from tapir_replay.scenario.templates import compile_text, has_template
from tapir_replay.scenario.values import construct
from tapir_replay.scenario.writing import (
    Commented,
    literal,
    scalar,
    shortest,
    write_scenario,
    write_step,
)
from tapir_replay.scenario.yaml_tree import parse
from tests.scenario.documents import pure_loader

SOME = settings(max_examples=300, deadline=None)

HARD = (
    *(
        "",
        " ",
        "a ",
        " a",
        "\t",
        "a\tb",
        "\n",
        "a\n",
        "\na",
        "a\nb",
        "a\n\nb\n",
        "a\nb\n\n",
        " a\nb",
    ),
    *("yes", "no", "on", "off", "null", "~", "true", "False", "NULL", "<<", "=", "y"),
    *(
        "0",
        "0123",
        "12:30",
        "1e3",
        "1.0",
        "1.50",
        "-1",
        "+1",
        ".5",
        "5.",
        "0x1F",
        "1_000",
        "2026-11-30",
    ),
    *(
        "@a",
        "- a",
        "-",
        "-a",
        "--",
        "---",
        "--- a",
        "...",
        "? a",
        "?",
        "?a",
        ": a",
        ":",
        ":a",
        "# a",
    ),
    *(
        "a # b",
        "a #b",
        "a#b",
        "a: b",
        "a:b",
        "a:",
        "&a",
        "*a",
        "!a",
        "|",
        "| a",
        "> a",
        "%a",
        "`a`",
    ),
    *(
        "a, b",
        "[a]",
        "{a: b}",
        "a]b",
        "a}b",
        "a{b",
        "a[b",
        "Forgot password?",
        "a?b",
        "http://a/b?c=d",
    ),
    *('"a"', "'a'", "it's", 'say "hi"', "\\", "a\\n", "'\"\\", "^\\d+ 'x'$"),
    *("\u0000", "\u0007", "\u001b[0m", "\u007f", "\u0085", "\u009f", "\u00a0", "\u2028", "\ufeff"),
    *("\ufffe", "\r", "a\r\nb", "\u200b", "\u202e", "\u3000", "\u00ad", "e\u0301", "\u0301"),
    *(
        "日本語",
        "שלום",
        "مرحبا",
        "می\u200cخواهم",
        "👩\u200d🚀",
        "🇨🇭",
        "🏴\U000e0067",
        "\ue000",
        "\U0010ffff",
    ),
    *(
        "{{",
        "}}",
        "{{ x }}",
        "{{-x-}}",
        "{{{",
        "{{{{",
        "{ {",
        "{% x %}",
        "{# x #}",
        "-}}",
        "{{ a -}} b",
    ),
    *(
        "{{\r",
        "{{\r\n",
        "{{\0never%",
        "{{ '",
        '{{ "',
        "{{}}",
        "{{\\",
        "a {{ '}}' }} b",
        "{{--}}",
        "{}}",
    ),
)

TEXTS = st.one_of(
    st.sampled_from(HARD),
    st.text(max_size=12),
    st.text(alphabet="{}-'\"\\ \n\r\0ax:#?,[]&*!|>%@`~0", max_size=10),
)


def read(text: str) -> Any:
    """The data that our loader makes of it."""
    tree = parse(text.encode(), "test.yaml")
    assert tree.root is not None, [str(each) for each in tree.diagnostics]
    assert not tree.diagnostics
    return construct(tree.root, runtime_schema())


def meaning(text: str) -> Any:
    return compile_text(text).render({}) if has_template(text) else text


def holds(text: str) -> None:
    """The text comes back, wherever it stands."""
    document = {
        "name": "x",
        "vars": {"a": text, "b": [text, [text]], "c": {"d": text, "e": None, text: text}},
        "steps": [
            {"log": {"text": text, "x": "y"}},
            {"expect": {"value": {"of": {"label": text}, "gt": text, "in": [text], "is": text}}},
            {"set": {"a": text}, "name": text},
        ],
    }
    written = write_scenario(document)
    assert read(written) == document


@pytest.mark.parametrize("text", HARD)
def test_hard_texts(text: str) -> None:
    """Texts that YAML, our rules or a reader might take for something else."""
    holds(text)


@pytest.mark.parametrize("text", HARD)
def test_hard_texts_in_pure_python(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same without libyaml, which is stricter."""
    pure_loader(monkeypatch)
    holds(text)


@given(TEXTS)
@SOME
def test_texts(text: str) -> None:
    """Any text."""
    holds(text)


@given(TEXTS)
@SOME
def test_texts_are_never_expressions(text: str) -> None:
    """What was made literal means itself, wherever it stands."""
    escaped = literal(text)
    assert meaning(escaped) == text
    assert read(write_scenario({"vars": {"a": escaped}}))["vars"]["a"] == escaped
    beside = literal(text, beside=True)
    assert meaning(f"{beside}{{{{ 'x' }}}}{beside}") == f"{text}x{text}"


@given(st.text(alphabet=st.characters(min_codepoint=0xD000, max_codepoint=0xE100), max_size=6))
@example("\ud800")
@example("a\udfff{{ x }}")
@SOME
def test_half_characters(text: str) -> None:
    """YAML cannot hold a lone surrogate; an expression makes it."""
    kept = read(write_scenario({"vars": {"a": literal(text)}}))["vars"]["a"]
    assert meaning(kept) == text
    again = read(write_scenario({"vars": {"a": text}}))["vars"]["a"]
    assert has_template(text) or meaning(again) == text


ANY = st.recursive(
    st.one_of(
        st.none(),
        st.booleans(),
        st.integers(),
        st.floats(allow_nan=False, allow_infinity=False),
        TEXTS,
    ),
    lambda inside: st.one_of(
        st.lists(inside, max_size=4), st.dictionaries(TEXTS, inside, max_size=4)
    ),
    max_leaves=12,
)


@given(ANY)
@SOME
def test_values(value: Any) -> None:
    """Any value where any value may stand."""
    assert read(write_scenario({"vars": {"a": value}}))["vars"]["a"] == value


def test_long_keys() -> None:
    """YAML has a form of its own for those."""
    for length in (1, 99, 1000, 1024, 5000):
        value = {"k" * length: {"x": "y"}, "é" * length: [1, None]}
        assert read(write_scenario({"vars": {"a": value}}))["vars"]["a"] == value


ROOT = Path(__file__).parents[2]
OURS = sorted((ROOT / "scenarios").rglob("*.yaml"))


@pytest.mark.parametrize(
    "path", [each for each in OURS if "goldens" not in each.parts and "data" not in each.parts]
)
def test_our_own_scenarios(path: Path) -> None:
    """Written again, they are the same scenarios."""
    tree = parse(path.read_bytes(), "x")
    assert tree.root is not None
    data = construct(tree.root, runtime_schema())
    before = load(path)
    assert before.ok
    written = write_scenario(data)
    after = load_bytes(written.encode(), before.file, path)
    assert after.ok, [str(each) for each in after.diagnostics]
    assert [told(each) for each in after.scenarios] == [told(each) for each in before.scenarios]
    again = read(written)
    assert write_scenario(again) == written


def told(scenario: Scenario) -> str:
    """The model, without where in the file each part stands."""
    shown = repr([scenario.name, scenario.tags, scenario.vars, scenario.setup, scenario.steps])
    shown = re.sub(r"<function [^>]*>|<bound method [^>]*>", "", shown)
    return re.sub(r"Place\([^)]*\)", "", shown)


def test_as_people_write_it() -> None:
    """The whole of it, read by eye."""
    document = {
        "steps": [
            {"tap": {"until": "Welcome back", "target": {"text": "Sign in"}}},
            {"tap": {"target": {"key": "submit"}}, "timeout": "9s", "name": "Send"},
            "navigate_back",
            {"navigate_back": {}},
            {"navigate_back": None, "optional": True},
            Commented({"press_key": {"key": "Enter"}}, before=["two", "lines\nmore"], behind="end"),
            {"fill": {"text": "one\ntwo", "target": "Notes"}},
            {"fill": {"target": "Notes", "text": "Hello, you"}},
            {"expect": {"visible": {"text": "Hello, you"}, "gone": [{"text": "A"}, {"key": "b"}]}},
            {
                "expect": {
                    "visible": ["a text that is as long as it is", "another one, which is as long"],
                    "text": {"of": {"text": "Total"}, "matches": r"^\$\d+"},
                }
            },
            {
                "repeat": {
                    "steps": [
                        {"tap": {"target": "More"}},
                        Commented(None, before=["not converted: x"]),
                    ],
                    "while": {"visible": {"text": "More"}},
                }
            },
        ],
        "setup": [Commented(None, before=["nothing"])],
        "vars": {"pin": "0123", "n": 3, "note": "{{ n | default('none') }}"},
        "tags": ["smoke", "auth"],
        "name": "Sign in",
    }
    assert write_scenario(document, schema="../s.json", head=["from x.yaml", ""]) == (
        """\
# yaml-language-server: $schema=../s.json
# from x.yaml
name: Sign in
tags: [smoke, auth]
vars:
  pin: "0123"
  n: 3
  note: "{{ n | default('none') }}"
setup: []
  # nothing
steps:
  - tap: {target: Sign in, until: Welcome back}
  - name: Send
    tap: {target: {key: submit}}
    timeout: 9s
  - navigate_back
  - navigate_back
  - navigate_back:
    optional: true
  # two
  # lines
  # more
  - press_key: Enter  # end
  - fill:
      target: Notes
      text: |-
        one
        two
  - fill: {target: Notes, text: "Hello, you"}
  - expect: {visible: "Hello, you", gone: [A, {key: b}]}
  - expect:
      visible: [a text that is as long as it is, "another one, which is as long"]
      text: {of: Total, matches: ^\\$\\d+}
  - repeat:
      while: {visible: More}
      steps:
        - tap: More
        # not converted: x
"""
    )


def test_a_step() -> None:
    """One by itself, for whoever writes a file as it grows."""
    assert write_step({"tap": {"target": "OK"}}, 2) == "  - tap: OK\n"
    assert write_step(Commented("blur", behind="x"), 4) == "    - blur  # x\n"
    assert write_step({"expect": {"route": "/"}, "soft": True}, 0) == (
        "- expect: {route: /}\n  soft: true\n"
    )


def test_scalars() -> None:
    """Quotes only where they are needed."""
    assert scalar("Forgot password?") == "Forgot password?"
    assert scalar("Forgot password?", flow=True) == '"Forgot password?"'
    assert scalar(r"^\d$") == r"^\d$"
    assert scalar(r"[\d]") == r"'[\d]'"
    assert scalar("日本語 שלום 👩\u200d🚀") == "日本語 שלום 👩\u200d🚀"


def test_shortest() -> None:
    """Nothing is lost where there is no short form."""
    assert shortest({"tap": {"target": ""}}) == {"tap": {"target": ""}}
    assert shortest({"snap": None}) == "snap"
    assert shortest({"what": 1}) == {"what": 1}
    assert shortest({"hover": {"target": {"text": "A", "within": {"text": "B"}}}}) == {
        "hover": {"target": {"text": "A", "within": "B"}}
    }
