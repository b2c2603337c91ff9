"""What kinds of YAML documents there are: each has a schema, and words to speak of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from jsonschema.protocols import Validator

from tapir_replay.scenario.schema import linked, scenario_schema
from tapir_replay.scenario.validator import validator_for


@dataclass(frozen=True)
class Document:
    """One kind of document; reading, checking and hints are the same for all.

    Attributes:
        whole: How messages call it: `a scenario`.
        published: Makes its schema, as editors get it.
        blocks: The keys that hold steps.
        tables: The keys whose entries are right or wrong each for itself.
    """

    whole: str
    published: Callable[[], dict[str, Any]]
    blocks: frozenset[str] = frozenset()
    tables: frozenset[str] = frozenset()

    @cached_property
    def schema(self) -> dict[str, Any]:
        """The schema, linked for speed."""
        return linked(self.published())

    @cached_property
    def validator(self) -> Validator:
        return validator_for(self.schema)


SCENARIO = Document(
    "a scenario", scenario_schema, frozenset({"setup", "steps", "on_failure", "teardown"})
)
