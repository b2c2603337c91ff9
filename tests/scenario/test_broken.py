"""What is said of wrong files: `fixtures/broken/NAME.yaml`, and `NAME.txt` with the whole text.

After a change that is meant: `TAPIR_REPLAY_WRITE_GOLDEN=1 pytest tests/scenario/test_broken.py`,
and look at the difference.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from tapir_replay.cli.main import main
from tapir_replay.scenario import yaml_tree
from tapir_replay.scenario.check import _SAY
from tapir_replay.scenario.diagnostics import render
from tapir_replay.scenario.load import Loaded, load
from tapir_replay.scenario.schema import scenario_schema
from tests.scenario.documents import pure_loader

BROKEN = Path(__file__).parents[2] / "fixtures" / "broken"
FILES = sorted(BROKEN.glob("*.yaml"))
NO_FILE = {
    "unreadable": "needs a file that cannot be read",
    "too-large": "needs a file of 8 MB",
    "schema": "for keywords of JSON Schema that are not in use",
}
"""Codes without a fixture."""


def loaded(path: Path, monkeypatch: pytest.MonkeyPatch) -> Loaded:
    monkeypatch.chdir(BROKEN)
    return load(Path(path.name))


def said(file: Loaded) -> str:
    return "".join(render(each, file.sources.get(each.file)) + "\n\n" for each in file.diagnostics)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_messages(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every wrong file has exactly these messages."""
    text = said(loaded(path, monkeypatch))
    golden = path.with_suffix(".txt")
    if os.environ.get("TAPIR_REPLAY_WRITE_GOLDEN"):
        golden.write_bytes(text.encode())
    assert text == golden.read_bytes().decode()


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_style(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A message is one line without a full stop, and without words of the machinery."""
    file = loaded(path, monkeypatch)
    assert file.diagnostics
    assert file.ok is not any(each.is_error for each in file.diagnostics)
    for each in file.diagnostics:
        assert not each.message.endswith(".")
        assert each.message.isprintable() or "\u200d" in each.message
        for word in ("schema", "instance", "token", "node", "regex", "NoneType", "dict"):
            assert word not in each.message


def test_every_golden_has_its_file() -> None:
    """No text is left over from a file that went."""
    assert {path.stem for path in BROKEN.glob("*.txt")} == {path.stem for path in FILES}


def test_every_code_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    """There is a wrong file for every code the scenario layer can report."""
    shown = {each.code for path in FILES for each in loaded(path, monkeypatch).diagnostics}
    source = Path(yaml_tree.__file__).parent
    written = "".join(path.read_text(encoding="utf-8") for path in source.glob("*.py"))
    reported = re.findall(
        r'(?:code=|error\(|report\(|_stop\(|_Fault\(|Severity\.\w+,)\s*"([a-z0-9-]+)"',
        written,
    )
    assert len(set(reported)) > 20
    assert set(reported) - set(NO_FILE) == shown & set(reported)
    assert shown <= set(reported)


def test_every_keyword_of_the_schema_has_words() -> None:
    """No fault is told in the words of JSON Schema."""
    asserting = {
        *("type", "enum", "const", "pattern", "required", "additionalProperties"),
        *("minItems", "maxItems", "minLength", "maxLength", "minProperties", "maxProperties"),
        *("minimum", "maximum", "uniqueItems", "oneOf", "anyOf", "not", "format"),
    }
    used: set[str] = set()

    def walk(node: object, *, names: bool = False) -> None:
        if isinstance(node, dict):
            used.update(() if names else set(node) & asserting)
            for key, value in node.items():
                walk(value, names=not names and key in ("properties", "$defs"))
        elif isinstance(node, list):
            for each in node:
                walk(each)

    walk(scenario_schema())
    assert used <= set(_SAY)


ALIKE = [path for path in FILES if path.stem != "yaml-tab-after-colon"]
"""libyaml takes a tab between words, the other parser does not."""


@pytest.mark.parametrize("path", ALIKE, ids=lambda path: path.stem)
def test_the_pure_python_parser_finds_the_same(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without libyaml the same codes are reported on the same lines."""
    with_c = loaded(path, monkeypatch)
    pure_loader(monkeypatch)
    without = loaded(path, monkeypatch)
    exact = path.stem != "yaml-far-too-deep"
    assert places(with_c, lines=exact) == places(without, lines=exact)


def places(file: Loaded, *, lines: bool) -> list[tuple[str, int]]:
    return [(each.code, each.span.line if lines and each.span else 0) for each in file.diagnostics]


def test_the_command(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """`validate` prints these texts, counts, and ends with 2."""
    monkeypatch.chdir(BROKEN)
    assert main(["validate", "look-several.yaml"]) == 2
    out, err = capsys.readouterr()
    assert err == (BROKEN / "look-several.txt").read_text(encoding="utf-8")
    assert out == "1 file: 7 errors, 1 warning\n"


def test_warnings_are_no_errors(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A file with warnings only is good, unless `--strict` is asked for."""
    monkeypatch.chdir(BROKEN)
    assert main(["validate", "step-plain-wait.yaml"]) == 0
    assert main(["validate", "--strict", "step-plain-wait.yaml"]) == 2
    assert "1 file: 2 warnings" in capsys.readouterr().out
