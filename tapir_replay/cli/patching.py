"""Scenarios mended as a run proposes it: shown always, written when asked for."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import yaml

from tapir_replay.engine.events import Proposal
from tapir_replay.engine.redact import MASK
from tapir_replay.report.results import Results
from tapir_replay.scenario.load import target_of
from tapir_replay.scenario.model import Target
from tapir_replay.scenario.place import Place
from tapir_replay.scenario.yaml_tree import parse

_BESIDE = "# or: "


@dataclass(frozen=True, slots=True)
class Patch:
    """A change of one place in a file.

    Attributes:
        start: Where the old text begins, and ends, in characters.
        text: The new text.
    """

    start: int
    end: int
    text: str


def proposals(results: Results) -> Iterator[tuple[Place, str, Proposal]]:
    """What the failed steps of a run propose: the place and the verb of the step with each."""
    for scenario in results:
        steps = [*scenario.steps, *([scenario.step] if scenario.step else [])]
        for step in steps:
            if step.fault is not None and step.fault.proposal is not None:
                yield step.place, step.verb, step.fault.proposal


def patches(
    found: Iterable[tuple[Place, str, Proposal]], sources: Mapping[str, str]
) -> dict[str, list[Patch]]:
    """The changes by file. One that cannot be told for certain is left out.

    Args:
        found: See `proposals`.
        sources: The text of each file as it was played.
    """
    made: dict[str, dict[tuple[int, int], Patch]] = {}
    for place, verb, proposal in found:
        text = sources.get(place.file)
        if text is None or MASK in proposal.target:
            continue
        patch = _patch(text, place, verb, proposal)
        if patch is not None:
            made.setdefault(place.file, {})[patch.start, patch.end] = patch
    return {
        file: sorted(each.values(), key=lambda patch: patch.start) for file, each in made.items()
    }


def patched(text: str, changes: Iterable[Patch]) -> str:
    """The text with all changes made."""
    for patch in sorted(changes, key=lambda patch: -patch.start):
        text = text[: patch.start] + patch.text + text[patch.end :]
    return text


def difference(file: str, text: str, changes: Iterable[Patch]) -> str:
    """What the changes do, as a unified diff without context."""
    before, after = text.splitlines(), patched(text, changes).splitlines()
    return "\n".join(difflib.unified_diff(before, after, file, file, lineterm="", n=0))


def beside(sources: Mapping[str, str]) -> Callable[[Place], Target | None]:
    """Reads what the recorder wrote at the end of a step's line: `# or: {role: button, ...}`."""

    def read(place: Place) -> Target | None:
        lines = sources.get(place.file, "").splitlines()
        if not 0 < place.line <= len(lines):
            return None
        _, mark, written = lines[place.line - 1].rpartition(_BESIDE)
        if not mark:
            return None
        try:
            target = target_of(written.strip())
        except ValueError:
            return None
        return target if target.constant else None

    return read


def _patch(text: str, place: Place, verb: str, proposal: Proposal) -> Patch | None:
    root = parse(text.encode("utf-8", "surrogatepass"), place.file).root
    value = _value_at(root, place, verb)
    if value is None:
        return None
    new = proposal.target
    node = value
    if isinstance(value, yaml.MappingNode):
        node = next((each for key, each in value.value if key.value == proposal.param), None)
    elif new.startswith("{"):
        new = f"{{{proposal.param}: {new}}}"
    if node is None or node.start_mark.line != node.end_mark.line:
        return None
    return Patch(node.start_mark.index, node.end_mark.index, new)


def _value_at(node: Any, place: Place, verb: str) -> Any:
    """What a step says to its verb: the value of the key that stands at the place."""
    if isinstance(node, yaml.SequenceNode):
        found = (_value_at(each, place, verb) for each in node.value)
    elif isinstance(node, yaml.MappingNode):
        for key, value in node.value:
            mark = key.start_mark
            at_place = (mark.line + 1, mark.column + 1) == (place.line, place.column)
            if at_place and key.value == verb:
                return value
        found = (_value_at(each, place, verb) for _, each in node.value)
    else:
        return None
    return next((each for each in found if each is not None), None)
