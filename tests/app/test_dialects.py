"""Names on the wire."""

from __future__ import annotations

import pytest

from tapir_replay.app.dialects import DUSK, TAPIR, Dialect, is_read, spoken


@pytest.mark.parametrize(
    ("dialect", "verb", "method"),
    [
        (TAPIR, "tap", "ext.tapir.tap"),
        (DUSK, "tap", "ext.dusk.tap"),
        (TAPIR, "query", "ext.tapir_replay.query"),
        (DUSK, "info", "ext.tapir_replay.info"),
        (DUSK, "ext.flutter.exit", "ext.flutter.exit"),
    ],
)
def test_a_verb_has_one_name_in_each_dialect(dialect: Dialect, verb: str, method: str) -> None:
    assert dialect.method(verb) == method


@pytest.mark.parametrize(
    ("extensions", "dialect"),
    [
        (["ext.dart.io.x", "ext.tapir.snap"], TAPIR),
        (["ext.dusk.snap"], DUSK),
        (["ext.dusk.snap", "ext.tapir.snap"], TAPIR),
        (["ext.tapir_replay.info"], None),
        (["ext.tapirus.snap"], None),
        ([], None),
    ],
)
def test_the_best_dialect_of_an_isolate_is_spoken(
    extensions: list[str], dialect: Dialect | None
) -> None:
    assert spoken(extensions) is dialect


@pytest.mark.parametrize(
    ("verb", "params", "expected"),
    [
        ("snap", {}, True),
        ("exceptions", {"limit": "3"}, True),
        ("exceptions", {"clear": "false"}, True),
        ("exceptions", {"clear": "true"}, False),
        ("tap", {}, False),
        ("ext.flutter.exit", {}, False),
    ],
)
def test_only_what_changes_nothing_may_be_asked_twice(
    verb: str, params: dict[str, str], expected: bool
) -> None:
    assert is_read(verb, params) is expected
