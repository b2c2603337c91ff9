"""The guide: every example in it is valid, and what it shows as output is what one gets."""

from __future__ import annotations

import re
import textwrap
from pathlib import Path

import pytest

from tapir_replay.scenario.load import load_bytes
from tests.e2e.conftest import Play
from tests.e2e.tool import ROOT

PAGE = (ROOT / "docs" / "scenarios.md").read_text(encoding="utf-8")

BLOCKS: list[str] = re.findall(r"^```yaml\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
OUTPUTS: list[str] = re.findall(r"^```console\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)

NAMED: dict[str, str] = {
    found[1]: each for each in BLOCKS if (found := re.match(r"# ([\w/.-]+\.yaml)\n", each))
}
"""Files that the examples use: their first line is a name."""

ROWS = re.search(r"^```csv\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)

WHOLE: list[str] = [
    each for each in BLOCKS if not each.startswith("- ") and each not in NAMED.values()
]


@pytest.fixture(autouse=True)
def files_of_the_guide(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Put the files that examples use where they look for them."""
    monkeypatch.chdir(tmp_path)
    assert ROWS is not None
    for name, text in {**NAMED, "data/quantities.csv": ROWS[1]}.items():
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")


def scenario_of(block: str) -> str:
    """A block of steps is made into a scenario."""
    return f"steps:\n{textwrap.indent(block, '  ')}" if block.startswith("- ") else block


def told(text: str) -> list[str]:
    """Lines without what differs from run to run: times, counts of looks, the folder, places."""
    text = re.sub(r"\b[\d.]+ ?m?s\b", "TIME", text)
    text = re.sub(r"looked (once|\d+ times)", "looked TIMES", text)
    text = re.sub(r"\bat \d+,\d+", "at X,Y", text)
    text = re.sub(r"(tapir-results/[\w-]+|\bout)/", "OUT/", text)
    return [each.rstrip() for each in text.splitlines() if not each.startswith("$ ")]


def test_there_are_examples() -> None:
    assert len(BLOCKS) > 15
    assert len(OUTPUTS) > 4


@pytest.mark.parametrize("number", range(len(BLOCKS)))
def test_every_example_is_valid(number: int) -> None:
    if BLOCKS[number] in NAMED.values() and "params" not in BLOCKS[number]:
        return  # a golden: that it fits shows where it is used
    text = scenario_of(BLOCKS[number])
    loaded = load_bytes(text.encode(), "guide.yaml", Path("guide.yaml"))
    assert loaded.ok, loaded.diagnostics
    assert not any(each.is_error for each in loaded.diagnostics)


@pytest.mark.parametrize(
    "block", WHOLE, ids=lambda each: each.partition("name: ")[2].partition("\n")[0]
)
def test_every_whole_example_does_what_the_guide_says(play: Play, block: str) -> None:
    ran = play(block)
    assert ran.code == (1 if "name: Delete a task" in block else 0), ran.out


def output(start: str) -> str:
    return next(each for each in OUTPUTS if each.startswith(start))


def test_the_first_output(play: Play) -> None:
    Path("first.yaml").write_text(BLOCKS[0])
    shown = output("$ tapir-replay first.yaml")
    assert told(play(Path("first.yaml")).out) == told(shown)


def test_the_output_of_a_failure(play: Play) -> None:
    block = next(each for each in BLOCKS if "name: Delete a task" in each)
    Path("tasks.yaml").write_text(block)
    shown = output("$ tapir-replay tasks.yaml")
    assert told(play(Path("tasks.yaml")).out) == told(shown)


def test_the_output_of_a_wrong_wording(play: Play) -> None:
    text = BLOCKS[0].replace("visible: Wrong email or password", "visible: Wrong email or pasword")
    Path("second.yaml").write_text(text)
    shown = told(output("  ✗ expect visible"))
    lines = told(play(Path("second.yaml")).out)
    start = lines.index(shown[0])
    assert lines[start : start + len(shown)] == shown


def test_the_output_of_a_mistake(play: Play) -> None:
    Path("t.yaml").write_text(BLOCKS[0].replace("fill:", "fil:"))
    shown = told(output("$ tapir-replay validate t.yaml"))
    lines = told(play(Path("t.yaml")).err)
    assert lines[: len(shown)] == shown


@pytest.mark.parametrize("target", sorted(set(re.findall(r"\]\(([^)]+)\)", PAGE))))
def test_every_link_leads_somewhere(target: str) -> None:
    if target.startswith("#"):
        headings = re.findall(r"^## (.+)$", PAGE, re.MULTILINE)
        assert target[1:] in [
            re.sub(r"[^\w -]", "", each.lower()).replace(" ", "-") for each in headings
        ]
    else:
        assert (ROOT / "docs" / target).exists()
