"""Verbs that wait inside the app, cut into pieces that the way there allows.

A web app is asked through its debugger, which gives up on a call after ten seconds: the app would
go on waiting, and nobody would hear its answer.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tapir_replay.app.commands import Command, Host
from tapir_replay.app.errors import VerbRefused

LONGEST_MS = 5000
"""The longest that one call waits in a web app."""

_MARGIN = 5.0
"""Seconds an answer may take beyond the wait, well within the debugger's patience."""


async def wait_for(host: Host, params: Mapping[str, str], timeout: float) -> dict[str, Any]:
    """`wait_for`, in pieces."""
    total = _limit(params, "timeoutMs", 5000)
    if total <= LONGEST_MS:
        return await host.plain("wait_for", params, timeout=timeout)
    left = total
    while True:
        piece = min(left, LONGEST_MS)
        answer = await _piece(host, "wait_for", {**params, "timeoutMs": str(piece)})
        left -= piece
        if answer.get("matched") is True:
            waited = total - left - piece + int(answer.get("elapsedMs") or 0)
            return {**answer, "elapsedMs": waited}
        if left <= 0:
            return answer


async def wait_for_network_idle(
    host: Host, params: Mapping[str, str], timeout: float
) -> dict[str, Any]:
    """`wait_for_network_idle`, in pieces; a longer silence than one of them cannot be told."""
    verb = "wait_for_network_idle"
    total = _limit(params, "timeoutMs", 5000)
    idle = _limit(params, "idleMs", 500)
    if idle > LONGEST_MS:
        raise VerbRefused(
            verb,
            f"a web app can be asked for a silence of {LONGEST_MS}ms at most, not of {idle}ms",
            kind="missing_param",
        )
    if total <= LONGEST_MS:
        return await host.plain(verb, params, timeout=timeout)
    left = total
    while True:
        piece = min(left, LONGEST_MS)
        left -= piece
        try:
            return await _piece(host, verb, {**params, "timeoutMs": str(piece)})
        except VerbRefused as refused:
            if refused.kind != "timeout" or left <= 0:
                raise


async def tap(host: Host, params: Mapping[str, str], timeout: float) -> dict[str, Any]:
    """`tap` with a long `until`: the tap once, the wait in pieces."""
    total = _limit(params, "untilTimeoutMs", 3000)
    if not params.get("until") or total <= LONGEST_MS:
        return await host.plain("tap", params, timeout=timeout)
    first = {**params, "untilTimeoutMs": str(LONGEST_MS)}
    answer = await _piece(host, "tap", first)
    if answer.get("untilMatched") is not False:
        return answer
    rest = {"text": params["until"], "timeoutMs": str(total - LONGEST_MS)}
    later = await wait_for(host, rest, timeout)
    return {**answer, "untilMatched": later.get("matched") is True}


async def _piece(host: Host, verb: str, params: Mapping[str, str]) -> dict[str, Any]:
    return await host.plain(verb, params, timeout=LONGEST_MS / 1000 + _MARGIN)


def _limit(params: Mapping[str, str], name: str, default: int) -> int:
    try:
        return int(params.get(name) or default)
    except ValueError:
        return default


WEB_COMMANDS: dict[str, Command] = {
    "tap": tap,
    "wait_for": wait_for,
    "wait_for_network_idle": wait_for_network_idle,
}
"""In place of the app's own where a call has a limit."""


def on_the_web(isolate: str) -> bool:
    """Whether an isolate is the made-up one of a web app's debugger: those have short numbers."""
    return bool(isolate) and not isolate.startswith("isolates/")
