"""Why an app did not answer: only the service can tell, and only when it is asked."""

from __future__ import annotations

from tapir_replay.app.errors import AppError, AppPaused, AppRestarted, CallTimeout
from tapir_replay.app.isolates import Isolate, pause_kind
from tapir_replay.app.jsonrpc import RpcError
from tapir_replay.app.vm_service import VmService

_SECOND_CALL = 0.5
"""Seconds for a call that an idle app answers at once."""


async def why_silent(
    service: VmService,
    isolate: Isolate,
    verb: str,
    *,
    timeout: float,
    ready: str,
    patience: float,
) -> AppError:
    """The exception for a call that was not answered.

    Args:
        service: The connection.
        isolate: The one that should have answered.
        verb: What it was asked.
        timeout: The seconds it had.
        ready: An extension that answers at once, if the isolate has it.
        patience: Seconds for the answer to each question asked here.
    """
    late = f"`{verb}` was not answered within {timeout:g} s"
    try:
        body = await service.request("getIsolate", isolate=isolate.id, timeout=patience)
    except CallTimeout:
        return CallTimeout(
            f"{late}, and the VM Service itself does not answer either: the process is frozen",
            hint="A sleeping phone, an app in the background or a native debugger do that.",
        )
    except RpcError as error:
        return CallTimeout(f"{late} ({error})")
    if not isinstance(body, dict) or body.get("type") == "Sentinel":
        return restarted(isolate)
    kind = pause_kind(body)
    if kind.startswith("Pause"):
        return AppPaused(
            f"{late}: the app is paused ({kind})",
            hint="Resume it in its debugger. What was asked meanwhile is carried out then.",
        )
    if ready in isolate.extensions and await _answers(service, isolate, ready, patience):
        return CallTimeout(f"{late}; the app does answer other calls, this one never completed")
    return CallTimeout(f"{late}: the app is busy, or does not come to answer; it is not paused")


def restarted(isolate: Isolate) -> AppRestarted:
    return AppRestarted(
        f"The isolate that served the verbs ({isolate.name or isolate.id}) is gone: "
        "the app was restarted, or it ended"
    )


async def _answers(service: VmService, isolate: Isolate, ready: str, patience: float) -> bool:
    """Whether the isolate serves calls at all."""
    try:
        await service.request(ready, isolate=isolate.id, timeout=min(_SECOND_CALL, patience))
    except (CallTimeout, RpcError):
        return False
    return True
