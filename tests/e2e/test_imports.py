"""`--help` feels instant: nothing heavy is imported for it."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest

HEAVY = frozenset(
    ("jsonschema", "jinja2", "websockets", "asyncio", "yaml", "rich", "pytest", "PIL")
)


@pytest.mark.parametrize(
    "arguments",
    [
        ("--help",),
        ("--version",),
        ("run", "--help"),
        ("validate", "--help"),
        ("call", "--help"),
        ("report", "--help"),
        ("demo", "--help"),
        ("schema", "--help"),
    ],
    ids=" ".join,
)
def test_help_imports_nothing_heavy(arguments: tuple[str, ...]) -> None:
    done = subprocess.run(
        [sys.executable, "-X", "importtime", "-m", "tapir_replay", *arguments],
        capture_output=True,
        text=True,
        check=True,
        timeout=30,
    )
    imported = set(re.findall(r"^import time:.*\|\s+([\w.]+)$", done.stderr, re.MULTILINE))
    assert "argparse" in imported
    assert {each.partition(".")[0] for each in imported} & HEAVY == set()
    assert "tapir-replay" in done.stdout
