"""Flows of our own, what becomes of them, and every message; `UPDATE_GOLDENS=1` writes them."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from tapir_replay.cli.files import load_all
from tapir_replay.convert.files import Conversion, Given, convert_files
from tapir_replay.convert.maestro_commands import COMMANDS
from tapir_replay.convert.maestro_targets import _READ
from tapir_replay.convert.pilot import ACTIONS
from tapir_replay.files import replacing
from tapir_replay.scenario.diagnostics import render

HERE = Path(__file__).parent
FLOWS = sorted((HERE / "flows").glob("*/*.yaml"))
EXPECTED = HERE / "expected"


def convert(path: Path, monkeypatch: pytest.MonkeyPatch) -> Conversion:
    monkeypatch.chdir(path.parent)
    return convert_files(
        [Given(Path(path.name), Path(), named=True)], schema=lambda _: "schema.json"
    )


def told(done: Conversion) -> str:
    """All that is said and written."""
    parts = [f"left: {done.left}{', wrong' if done.wrong else ''}\n"]
    parts += [render(each, done.sources.get(each.file)) + "\n" for each in done.diagnostics]
    parts += [f"=== {each.name}\n{each.text}" for each in done.outputs]
    return "\n".join(parts)


@pytest.mark.parametrize("path", FLOWS, ids=lambda each: f"{each.parent.name}-{each.stem}")
def test_flow(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The very output and the very messages; and what is written is right."""
    done = convert(path, monkeypatch)
    golden = EXPECTED / f"{path.parent.name}-{path.stem}.txt"
    if os.environ.get("UPDATE_GOLDENS"):
        golden.parent.mkdir(exist_ok=True)
        golden.write_text(told(done), encoding="utf-8")
    assert told(done) == golden.read_text(encoding="utf-8")
    for each in done.outputs:
        with replacing(tmp_path / each.name) as stream:
            stream.write(each.text)
    loaded = load_all(tmp_path / each.name for each in done.outputs)
    assert [str(fault) for each in loaded for fault in each.diagnostics] == []
    assert done.left == sum(each.code == "not-converted" for each in done.diagnostics)
    assert all(fault.span is not None for fault in done.diagnostics)
    assert {fault.file for fault in done.diagnostics} <= set(done.sources)


def test_goldens_have_flows() -> None:
    """None is left over."""
    names = {f"{each.parent.name}-{each.stem}" for each in FLOWS}
    assert {each.stem for each in EXPECTED.iterdir()} == names


def test_everything_occurs() -> None:
    """Every command, selector and action stands in some flow."""
    texts = {
        kind: "\n".join(each.read_text() for each in (HERE / "flows" / kind).rglob("*.yaml"))
        for kind in ("maestro", "pilot")
    }
    assert [each for each in (*COMMANDS, *_READ) if each not in texts["maestro"]] == []
    assert [each for each in ACTIONS if f"{each}:" not in texts["pilot"]] == []


def test_the_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The example of docs/convert.md is what one gets."""
    page = (HERE.parents[1] / "docs" / "convert.md").read_text(encoding="utf-8")
    flow, scenario = re.findall(r"^```yaml\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    monkeypatch.chdir(tmp_path)
    Path("login.yaml").write_text(flow, encoding="utf-8")
    schema = "../.tapir-replay/scenario.schema.json"
    given = [Given(Path("login.yaml"), Path(), named=True)]
    (output,) = convert_files(given, schema=lambda _: schema).outputs
    assert output.text == scenario
