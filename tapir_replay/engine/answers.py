"""Reading what every app answers alike: its route, and the errors it has recorded."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def route_of(answer: Mapping[str, Any]) -> str:
    """Where the app says it is, as `get_routes` tells; empty where it does not tell."""
    return str(answer.get("uri") or answer.get("location") or "")


def recorded(answer: Mapping[str, Any], name: str) -> list[Mapping[str, Any]]:
    """The list of maps under this name; what is no map is passed over."""
    return [each for each in answer.get(name, ()) if isinstance(each, Mapping)]


def identity_of(error: Mapping[str, Any]) -> tuple[str, str, str]:
    """What tells one recorded error from another."""
    return (str(error.get("type")), str(error.get("message")), str(error.get("time")))


def first_line(error: Mapping[str, Any]) -> str:
    """The first line of what an error says."""
    return str(error.get("message", "")).partition("\n")[0]


def headline(error: Mapping[str, Any]) -> str:
    """The type and the first line of an error."""
    return f"{error.get('type')}: {first_line(error)}"
