"""The generated files are those of the catalogue, and the catalogue is whole."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest

from tapir_replay.cli.main import main
from tapir_replay.cli.schema import generated_files
from tapir_replay.engine import runlog
from tapir_replay.scenario.schema import scenario_schema
from tapir_replay.verbs.catalogue import VERBS

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize(("what", "file"), generated_files().items())
def test_generated_files_are_up_to_date(
    what: str, file: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """What is checked in is what the command prints now: `make schema` writes it."""
    assert main(["schema", what]) == 0
    assert (ROOT / file).read_text(encoding="utf-8") == capsys.readouterr().out


def test_write_makes_all_of_them(tmp_path: Path) -> None:
    """`schema --write DIR` lays the files out as in the repository."""
    assert main(["schema", "--write", str(tmp_path)]) == 0
    for file in generated_files().values():
        assert (tmp_path / file).read_bytes() == (ROOT / file).read_bytes()


@pytest.mark.parametrize("schema", [scenario_schema(), runlog.schema()])
def test_schemas_are_schemas(schema: dict[str, object]) -> None:
    """Both are valid JSON Schema 2020-12."""
    jsonschema.Draft202012Validator.check_schema(schema)
    json.dumps(schema)


def test_the_reference_names_every_verb() -> None:
    """No verb is missing from the page."""
    page = (ROOT / "docs/verbs.md").read_text(encoding="utf-8")
    for verb in VERBS:
        assert f"\n### {verb.name}\n" in page
