"""Addresses of a VM Service, in whatever form a tool printed them.

>>> normalise("http://127.0.0.1:44255/8fIA7bGAav0=/")
'ws://127.0.0.1:44255/8fIA7bGAav0=/ws'
"""

from __future__ import annotations

import re
from urllib.parse import parse_qs, urlsplit

from tapir_replay.app.errors import ConnectError

_SCHEMES = {"http": "ws", "https": "wss", "ws": "ws", "wss": "wss"}

_UNSPECIFIED = {"0.0.0.0": "127.0.0.1", "::": "::1"}  # noqa: S104 - read, never bound
"""A service bound to every interface prints an address that not every system can connect to."""

_EXAMPLE = "An address looks like http://127.0.0.1:44255/8fIA7bGAav0=/; `flutter run` prints it."


def normalise(text: str) -> str:
    """The one WebSocket form of `text`: `ws://host:port/code=/ws`.

    Raises:
        ConnectError: It is no address of a VM Service.
    """
    address = text.strip().strip("'\"<>")
    parts = None
    try:
        parts = urlsplit(address)
        host, port = parts.hostname, parts.port
    except ValueError as error:
        raise _refused(address, str(error)) from None
    scheme = _SCHEMES.get(parts.scheme)
    if scheme is None:
        raise _refused(address, _scheme_fault(address, parts.scheme))
    if not host or re.search(r"[\s\x00-\x1f\\]", address):
        raise _refused(
            address, "it names no host" if not host else "it holds a blank or a backslash"
        )
    inner = _devtools_target(parts.query, parts.fragment)
    if inner is not None:
        return normalise(inner)
    if parts.query or parts.fragment:
        raise _refused(address, "it has a query, and no `uri=` in it")
    if "@" in parts.netloc:
        raise _refused(address, "a user name in the address means nothing to a VM Service")
    host = _UNSPECIFIED.get(host, host)
    authority = f"[{host}]" if ":" in host else host
    if port is not None:
        authority += f":{port}"
    return f"{scheme}://{authority}{_path(parts.path)}"


def place(uri: str) -> str:
    """Host and port of a normalised address: fit for a report, as it leaves out the code."""
    return urlsplit(uri).netloc


def _path(path: str) -> str:
    """One slash between segments, the code's `=` plain, `/ws` at the end."""
    segments = [part for part in re.sub("%3d", "=", path, flags=re.IGNORECASE).split("/") if part]
    if not segments or segments[-1] != "ws":
        segments.append("ws")
    return "/" + "/".join(segments)


def _devtools_target(query: str, fragment: str) -> str | None:
    """The service a DevTools link is about: `?uri=…`, or `#/inspector?uri=…`."""
    for text in (query, fragment.partition("?")[2]):
        found = parse_qs(text).get("uri")
        if found:
            return found[0]
    return None


def _scheme_fault(address: str, scheme: str) -> str:
    if not scheme or re.match(r"[\w.\-]+:\d+(/|$)", address):
        return "it lacks http:// or ws:// at the start"
    return f"{scheme}:// is not a scheme of a VM Service (http, https, ws and wss are)"


def _refused(address: str, why: str) -> ConnectError:
    return ConnectError(f"{address!r} is not the address of a VM Service: {why}", hint=_EXAMPLE)
