"""What the engine needs of an app, whatever stands behind it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

QUERY = "query"
"""Capability: `ext.tapir_replay.query` answers all predicates (docs/extended-protocol.md)."""

QUERY_MORE = "query.more"
"""Capability: it answers `identifier`, `tooltip` and `hint` as well."""


@dataclass(frozen=True, slots=True)
class AppEvent:
    """Something the app reported by itself.

    Attributes:
        kind: ``extension``, ``stdout``, ``stderr``, ``log``, ``reload``.
        data: For ``extension`` its ``name`` and ``data``; for the text kinds ``text`` (one line);
            for ``log`` also ``level`` and ``logger``.
        timestamp: Milliseconds since the epoch, by the app's clock.
    """

    kind: str
    data: Mapping[str, Any]
    timestamp: int


class App(Protocol):
    """An app that answers verbs.

    Implementations serialise nothing and retry nothing: one call is one request. Verbs that are
    not extensions of the app (`evaluate`, `hot_reload_and_snap`, `resize_viewport`,
    `device_profile`) go through the same `call`; where one cannot be carried out,
    `VerbUnavailable` is raised.
    """

    @property
    def name(self) -> str:
        """How reports call the app: an address, or a name of the project file."""

    @property
    def capabilities(self) -> frozenset[str]:
        """What it offers beyond the public verbs."""

    async def call(
        self, verb: str, params: Mapping[str, str] | None = None, *, timeout: float = 10.0
    ) -> dict[str, Any]:
        """Send one verb and return the app's answer.

        Args:
            verb: The name without prefix (`tap`); `query` for `ext.tapir_replay.query`.
            params: Strings only, as the wire wants them.
            timeout: Seconds until `CallTimeout`.

        Raises:
            AppError: See `tapir_replay.app.errors` for the tree.
        """

    def subscribe(self, listener: Callable[[AppEvent], None]) -> Callable[[], None]:
        """Call `listener` for each event from now on; the returned function ends it."""

    async def close(self) -> None:
        """Let go of the app; it keeps running unless it was started by us."""
