"""Gets the real parts that the tests need, and tells so: `python -m tests.support.setup`."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from pathlib import Path

from tests.support.chromium import ChromiumUnavailableError, find_chromium
from tests.support.dart_vm import DartUnavailableError, find_dart


def main() -> int:
    parts: tuple[tuple[str, Callable[[], Path]], ...] = (
        ("a Dart VM", find_dart),
        ("Chromium", find_chromium),
    )
    for name, find in parts:
        print(f"looking for {name} ...", flush=True)
        started = time.monotonic()
        try:
            path = find()
        except (DartUnavailableError, ChromiumUnavailableError) as error:
            print(f"there is none: {error}", file=sys.stderr)
            return 1
        print(f"  {path} ({time.monotonic() - started:.1f} s)", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
