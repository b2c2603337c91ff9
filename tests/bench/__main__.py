"""`make bench`: prints a table of ratios; exit 1 when one is over its bar."""

from __future__ import annotations

import sys
from collections.abc import Callable

from tests.bench import offline, online
from tests.bench.measure import Row, table


def main() -> int:
    parts: tuple[tuple[str, Callable[[], Row | list[Row]]], ...] = (
        ("start-up", offline.start_up),
        ("validate", offline.validate),
        ("plan", offline.plan),
        ("JUnit", offline.junit),
        ("steps and memory on a real Dart VM", online.run_all),
    )
    rows: list[Row] = []
    for name, measure in parts:
        print(f"measuring {name} ...", file=sys.stderr, flush=True)
        found = measure()
        rows += found if isinstance(found, list) else [found]
    print(table(rows))
    return 0 if all(row.kept for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main())
