"""How the parameters of a call are read: all are strings, and nothing unparseable is an error."""

from __future__ import annotations

import contextlib
import math
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from tapir_replay.demo.faults import missing

if TYPE_CHECKING:
    from collections.abc import Mapping


class Params:
    """The parameters of one call. Unknown ones are ignored, as they always are."""

    def __init__(self, method: str, values: Mapping[str, str]) -> None:
        self.method = method
        self._values = values

    def get(self, name: str) -> str | None:
        """The text, or None when the parameter is not there; an empty text is there."""
        return self._values.get(name)

    def text(self, name: str, default: str = "") -> str:
        """The text; an empty one is as good as none."""
        return self._values.get(name) or default

    def required(self, name: str) -> str:
        """A text that has to be there and not be empty."""
        value = self._values.get(name)
        if not value:
            raise missing(self.method, name)
        return value

    def given(self, name: str) -> str:
        """A text that has to be there, and may be empty."""
        value = self._values.get(name)
        if value is None:
            raise missing(self.method, name)
        return value

    def flag(self, name: str, default: bool) -> bool:
        value = self._values.get(name)
        return value not in {"false", "0"} if value else default

    def is_on(self, name: str) -> bool:
        """A flag of the stricter kind: only these two spellings count."""
        return self._values.get(name) in {"true", "1"}

    def int(self, name: str, default: int) -> int:
        with contextlib.suppress(ValueError):
            return int(self._values.get(name, ""))
        return default

    def number(self, name: str) -> float | None:
        """A finite number, or None."""
        with contextlib.suppress(ValueError):
            number = float(self._values.get(name, ""))
            return number if math.isfinite(number) else None
        return None

    def time(self, name: str) -> datetime | None:
        with contextlib.suppress(ValueError):
            moment = datetime.fromisoformat(self._values.get(name, ""))
            return moment if moment.tzinfo is not None else moment.replace(tzinfo=UTC)
        return None
