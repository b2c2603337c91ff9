"""The plugin's own unit tests, on the real VM.

They are written for `package:test`; where that cannot be fetched a stand-in of the same name runs
them (`dart_plugin/test/support/test_shim`).
"""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING

import pytest

from tests.support.dart_vm import ROOT, compile_program, find_dart

if TYPE_CHECKING:
    from pathlib import Path

PLUGIN = ROOT / "dart_plugin"
PACKAGES = PLUGIN / "test" / "support" / "package_config.json"
FILES = sorted((PLUGIN / "test" / "core").glob("*_test.dart"))


def test_there_are_tests() -> None:
    assert FILES


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_core(file: Path) -> None:
    program = compile_program(file, PACKAGES)
    done = subprocess.run(
        [find_dart(), "--disable-dart-dev", program],
        check=False,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, f"{done.stdout}{done.stderr}"
    assert done.stdout.splitlines()[-1].endswith(" passed, 0 failed")
