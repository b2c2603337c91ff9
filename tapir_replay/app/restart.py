"""A hot restart: the app begins anew in the same process, and has to be found again."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from tapir_replay.app.envelope import decode
from tapir_replay.app.errors import (
    AppError,
    AppGone,
    CallTimeout,
    ResetFailed,
    VerbRefused,
    VerbUnavailable,
)
from tapir_replay.app.jsonrpc import RpcError
from tapir_replay.app.vm_app import VmApp

SERVICE = "hotRestart"

_LOOK = 0.05
"""Seconds between two questions whether the app has begun anew."""


async def hot_restart(
    app: VmApp,
    *,
    timeout: float,
    tool: Callable[[float], Awaitable[None]] | None = None,
) -> None:
    """Restart the app, and come back when its verbs answer again.

    Args:
        app: Connected; it is found again.
        timeout: Seconds for all of it.
        tool: How the tool that runs the app restarts it, where it registered no service for that.

    Raises:
        VerbUnavailable: Nobody can restart this app.
        ResetFailed: It was asked for, and did not happen.
    """
    loop = asyncio.get_running_loop()
    deadline = loop.time() + timeout
    before = await boot_of(app)
    service = app.service_method(SERVICE)
    if service is not None:
        await _by_service(app, service, timeout)
    elif tool is not None:
        await tool(timeout)
    else:
        raise VerbUnavailable(
            "restart",
            "nobody can restart this app: no flutter tool is connected to it",
            hint="start it with `flutter run` (launch), or reset by a route",
        )
    while True:
        left = deadline - loop.time()
        if left <= 0:
            raise ResetFailed(
                f"the app was to restart, and did not begin anew within {timeout:g} s"
            )
        try:
            await app.reattach(left)
            if await boot_of(app) != before:
                return
        except (AppGone, CallTimeout, VerbRefused):
            pass  # it is on its way
        await asyncio.sleep(min(_LOOK, max(0.0, deadline - loop.time())))


async def boot_of(app: VmApp) -> str:
    """What is another one after each start of the app."""
    try:
        answer = await app.call("boot_id")
    except VerbUnavailable:
        return app.isolate
    return f"{app.isolate} {answer.get('bootId', '')}"


async def _by_service(app: VmApp, method: str, timeout: float) -> None:
    """Ask the tool; it says what is wrong with the program, if anything is."""
    try:
        report = await app.service.request(method, timeout=timeout)
    except RpcError as error:
        raise ResetFailed(f"the app did not restart: {decode(error.failure).message}") from error
    if isinstance(report, dict) and report.get("code", 0) != 0:
        raise AppError(f"the flutter tool did not restart the app: {report.get('message', '')}")
