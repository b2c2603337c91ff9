"""Whatever a file holds: no exception, and what is written is right."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import yaml
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tapir_replay.convert.files import Given, convert_files
from tapir_replay.convert.maestro_commands import COMMANDS
from tapir_replay.convert.maestro_targets import _KNOWN
from tapir_replay.convert.pilot import ACTIONS
from tapir_replay.files import replacing
from tapir_replay.scenario.diagnostics import lines_of, render
from tapir_replay.scenario.load import Library
from tests.convert.test_flows import FLOWS

SOME = settings(max_examples=200, deadline=None)

TEXTS = st.one_of(
    st.sampled_from(
        [
            *(
                "Sign in",
                "a.b",
                "a?",
                "(a)",
                "a+b",
                "a|b",
                "[a]",
                ".*",
                ".*a",
                "a.*",
                "(",
                "\\",
                "\\d+",
            ),
            *("${a}", "${a} b", "${a", "\\${a}", "${a.b}", "${output.x}", "${maestro.copiedText}"),
            *(
                "${if}",
                "${env}",
                "${a || 'b'}",
                "{{ a }}",
                "{{",
                "-}}",
                "{",
                "",
                " ",
                "\n",
                "5",
                "-1",
            ),
            *(
                "true",
                "x.yaml",
                "flow.yaml",
                "a/../b.png",
                "https://a/b?c",
                "https://[",
                "UP",
                "Enter",
            ),
            *(
                "(a+)+b",
                "^$",
                "(?i)x",
                "(?<n>x)",
                "a{2}",
                "a{,}",
                "\ud83d\ude00".encode("utf-16", "surrogatepass").decode("utf-16"),
            ),
        ]
    ),
    st.text(max_size=8),
    st.text(alphabet="$aA0_ {}()[]|?*+.^\\'\"", max_size=10),
)

WORDS = (
    *_KNOWN,
    *(
        "file",
        "commands",
        "when",
        "env",
        "while",
        "times",
        "true",
        "visible",
        "notVisible",
        "platform",
    ),
    *(
        "element",
        "direction",
        "from",
        "start",
        "timeout",
        "path",
        "cropOn",
        "length",
        "text",
        "link",
    ),
    *("maxRetries", "thresholdPercentage", "charactersToErase", "key", "label", "optional"),
)

SCALARS = st.one_of(TEXTS, st.none(), st.booleans(), st.integers(), st.floats())
VALUES = st.recursive(
    SCALARS,
    lambda inside: st.one_of(
        st.dictionaries(st.sampled_from(WORDS), inside, max_size=4),
        st.lists(inside, max_size=3),
    ),
    max_leaves=6,
)
SELECTORS = st.one_of(
    TEXTS,
    st.fixed_dictionaries(
        {}, optional={"text": TEXTS, "id": TEXTS, "index": SCALARS, "label": TEXTS}
    ),
)


def commands(inside: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.one_of(
        st.sampled_from(list(COMMANDS)),
        st.builds(lambda name, value: {name: value}, st.sampled_from(list(COMMANDS)), VALUES),
        st.builds(lambda name, value: {name: value}, st.sampled_from(list(COMMANDS)), SELECTORS),
        st.builds(
            lambda name, steps, more: {name: {"commands": steps, **more}},
            st.sampled_from(["repeat", "retry", "runFlow"]),
            st.lists(inside, max_size=4),
            st.fixed_dictionaries(
                {},
                optional={
                    "times": SCALARS,
                    "while": st.dictionaries(st.sampled_from(["visible", "true"]), SELECTORS),
                    "when": st.dictionaries(st.sampled_from(["visible", "notVisible"]), SELECTORS),
                    "env": st.dictionaries(TEXTS, TEXTS, max_size=2),
                    "label": TEXTS,
                    "optional": SCALARS,
                },
            ),
        ),
    )


FLOW = st.lists(st.recursive(st.just("back"), commands, max_leaves=5), max_size=5)
CONFIG = st.fixed_dictionaries(
    {"appId": TEXTS},
    optional={
        "name": VALUES,
        "tags": VALUES,
        "env": st.dictionaries(TEXTS, TEXTS, max_size=3),
        "onFlowStart": FLOW,
        "onFlowComplete": FLOW,
    },
)
FINDERS = st.fixed_dictionaries(
    {},
    optional={
        "byText": TEXTS,
        "byKey": TEXTS,
        "byType": st.sampled_from(["button", "textField", "scrollable", "text"]),
        "text": TEXTS,
        "deltaY": SCALARS,
        "timeoutMs": SCALARS,
        "logs": SCALARS,
    },
)
PILOT = st.fixed_dictionaries(
    {
        "steps": st.lists(
            st.builds(
                lambda name, value, label: {"label": label, name: value},
                st.sampled_from(list(ACTIONS)),
                st.one_of(FINDERS, VALUES),
                SCALARS,
            ),
            max_size=5,
        )
    },
    optional={
        "scenario": st.fixed_dictionaries({}, optional={"name": TEXTS, "description": TEXTS})
    },
)


def sound(data: bytes, kind: str | None = None) -> None:
    """Convert, and check what must hold of any result."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "flow.yaml").write_bytes(data)
        (folder / "x.yaml").write_text("- tapOn: ${NEEDED}\n")
        done = convert_files([Given(folder / "flow.yaml", folder, named=True)], kind=kind)
        for each in done.diagnostics:
            assert "\n" not in each.message + each.hint
            assert len(each.message) < 300
            if each.span is not None:
                lines = lines_of(done.sources[each.file])
                assert 1 <= each.span.line <= len(lines)
                assert 1 <= each.span.column <= len(lines[each.span.line - 1]) + 1
            assert render(each, done.sources[each.file])
        if done.wrong:
            return
        assert done.outputs or done.left
        for output in done.outputs:
            with replacing(folder / "out" / output.name) as stream:
                stream.write(output.text)
        library = Library()
        for output in done.outputs:
            loaded = library.load(folder / "out" / output.name)
            wrong = [str(each) for each in loaded.diagnostics if each.is_error]
            assert not wrong, f"{wrong}\n{output.text}"


@given(st.binary(max_size=80))
@example(b"\xff\xfe---")
@example(b"--- \n---\n--- x\n...\n%YAML 1.1\n---")
@example(b"- &a [*a]")
@example(b"? [a]\n: b")
@SOME
def test_bytes(data: bytes) -> None:
    """Any bytes, taken for anything."""
    for kind in (None, "maestro", "pilot"):
        sound(data, kind)


def dumped(*documents: Any) -> bytes:
    return yaml.safe_dump_all(documents, allow_unicode=True).encode("utf-8", "replace")


@given(FLOW)
@example([{"tapOn": "${a}"}, {"inputText": "${a}"}, {"inputText": "{"}, {"inputText": "{ x }}"}])
@SOME
def test_flows(flow: list[Any]) -> None:
    """Commands with any arguments."""
    sound(dumped({"appId": "x"}, flow))


@given(CONFIG, FLOW)
@SOME
def test_configurations(config: dict[str, Any], flow: list[Any]) -> None:
    """Anything that may stand above a flow."""
    sound(dumped(config, flow))


@given(PILOT)
@SOME
def test_pilot(document: dict[str, Any]) -> None:
    """Scenarios of flutter_pilot with any arguments."""
    sound(dumped(document), "pilot")


@given(st.sampled_from(FLOWS), st.data())
@SOME
def test_damaged(path: Path, data: st.DataObject) -> None:
    """Flows with something taken out, or put in."""
    text = path.read_text(encoding="utf-8")
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, min(len(text), start + 30)))
    put = data.draw(
        st.one_of(TEXTS, st.sampled_from(["- ", ": ", "\n---\n", "  ", "{", "}", "&a ", "*a"]))
    )
    sound((text[:start] + put + text[end:]).encode("utf-8", "replace"))
