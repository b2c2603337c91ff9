"""What the verbs are called on the wire: the one place that knows prefixes and method names."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

OWN_PREFIX = "ext.tapir_replay."
"""Of what an app may offer beyond the verbs (docs/extended-protocol.md)."""

OWN_VERBS = frozenset({"info", "long_press", "press_back", "query"})

INFO = OWN_PREFIX + "info"

REASSEMBLE = "ext.flutter.reassemble"
"""Flutter's own: rebuild everything, which a reload past the flutter tool does not do by itself."""


@dataclass(frozen=True, slots=True)
class Dialect:
    """One family of extensions.

    Attributes:
        name: For people.
        prefix: Before the verb's name.
        last: The verb that is registered last: once it answers, all are there. Older apps lack it.
    """

    name: str
    prefix: str
    last: str = "boot_id"

    @property
    def ready(self) -> str:
        return self.prefix + self.last

    def method(self, verb: str) -> str:
        """The wire's name of a verb; a full name is left as it is."""
        if verb.startswith("ext."):
            return verb
        return (OWN_PREFIX if verb in OWN_VERBS else self.prefix) + verb


TAPIR = Dialect("Tapir", "ext.tapir.")
DUSK = Dialect("Dusk", "ext.dusk.")

DIALECTS = (TAPIR, DUSK)
"""Best first."""

_READS = frozenset(
    {
        "boot_id",
        "console",
        "exceptions",
        "find",
        "find_by_label",
        "find_by_text",
        "get_routes",
        "info",
        "observe",
        "perf_insight",
        "query",
        "screenshot",
        "snap",
        "wait_for",
        "wait_for_network_idle",
    }
)


def spoken(extensions: Iterable[str], dialects: Iterable[Dialect] = DIALECTS) -> Dialect | None:
    """The best dialect that an isolate with these extensions understands."""
    names = tuple(extensions)
    for dialect in dialects:
        if any(name.startswith(dialect.prefix) for name in names):
            return dialect
    return None


def is_read(verb: str, params: Mapping[str, str]) -> bool:
    """Whether asking twice is the same as asking once."""
    return verb in _READS and params.get("clear", "false") in {"", "0", "false"}
