"""Verbs that are no extensions of the app: carried out from here, in the shape of the wire.

Each is one function with one signature and one entry in a table.
"""

from __future__ import annotations

import base64
import io
import re
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import asdict
from typing import Any, Protocol, TypeVar

from tapir_replay.app.cdp import CdpError, Page
from tapir_replay.app.devices import DEVICES, Viewport, find_device
from tapir_replay.app.dialects import REASSEMBLE
from tapir_replay.app.envelope import INTERNAL_ERROR, INVALID_PARAMS, decode, error_of
from tapir_replay.app.errors import (
    AppError,
    AppGone,
    AppPaused,
    CallTimeout,
    ProtocolError,
    VerbRefused,
    VerbUnavailable,
)
from tapir_replay.app.interface import AppEvent
from tapir_replay.app.jsonrpc import RpcError

_EXTENSION_SCREENSHOT = 4.0
"""Seconds that the app itself gets for a picture when the browser could take one."""


_T = TypeVar("_T")


class Host(Protocol):
    """What a command needs of the app."""

    allow_evaluate: bool
    draws_screenshots: bool

    async def extension(
        self, verb: str, params: Mapping[str, str], *, timeout: float
    ) -> dict[str, Any]: ...

    async def call(
        self, verb: str, params: Mapping[str, str] | None = None, *, timeout: float = 10.0
    ) -> dict[str, Any]: ...

    async def plain(
        self, verb: str, params: Mapping[str, str], *, timeout: float
    ) -> dict[str, Any]:
        """The verb as the app itself has it, in the shape of the wire whatever it speaks."""

    async def ask(
        self, method: str, params: Mapping[str, str] | None = None, *, timeout: float
    ) -> dict[str, Any]:
        """Ask the service about the app's isolate; raises RpcError for an error answer."""

    def has(self, extension: str) -> bool: ...

    def subscribe(self, listener: Callable[[AppEvent], None]) -> Callable[[], None]: ...

    def service_method(self, service: str) -> str | None:
        """What a service registered by another client is to be called by."""

    async def page(self, verb: str, *, timeout: float) -> Page:
        """The browser's page; raises VerbUnavailable when the app has none."""


Command = Callable[[Host, Mapping[str, str], float], Awaitable[dict[str, Any]]]


class _Budget:
    """Seconds left of a time that several requests share."""

    def __init__(self, seconds: float) -> None:
        self._end = time.monotonic() + seconds

    def left(self) -> float:
        return max(0.05, self._end - time.monotonic())


async def evaluate(host: Host, params: Mapping[str, str], timeout: float) -> dict[str, Any]:
    """A Dart expression, in the scope of the app's main library."""
    expression = params.get("expression", "")
    if not host.allow_evaluate:
        raise VerbUnavailable(
            "evaluate",
            "`evaluate` runs any code inside the app and is switched off",
            hint="Allow it for this app if the scenarios are to be trusted.",
        )
    if not expression.strip():
        raise _missing("evaluate", "expression param is required")
    budget = _Budget(timeout)
    try:
        library = (await host.ask("getIsolate", timeout=budget.left())).get("rootLib")
        if not isinstance(library, dict):
            raise VerbUnavailable("evaluate", "The app's isolate has not loaded its program yet")
        # The service refuses `await` at the top; the value is then the future.
        awaits = re.search(r"\bawait\b", expression) is not None
        found = await host.ask(
            "evaluate",
            {
                "targetId": str(library.get("id")),
                "expression": f"(() async => ({expression}))()" if awaits else expression,
            },
            timeout=budget.left(),
        )
        if found.get("type") == "@Error":
            text = str(found.get("message", "")).removeprefix("Unhandled exception:").strip()
            raise VerbRefused("evaluate", text.partition("\n#0 ")[0])
        result = await _text_of(host, found, budget)
    except RpcError as error:
        raise error_of("evaluate", error.failure, registered=True) from None
    return {"expression": expression, "result": result, "kind": str(found.get("kind", ""))}


async def _text_of(host: Host, instance: Mapping[str, Any], budget: _Budget) -> str:
    """The whole text of an instance: its value, or what its toString says."""
    value, reference = instance.get("valueAsString"), str(instance.get("id"))
    if instance.get("valueAsStringIsTruncated"):
        whole = await host.ask("getObject", {"objectId": reference}, timeout=budget.left())
        return str(whole.get("valueAsString", value))
    if isinstance(value, str):
        return value
    said = await host.ask(
        "invoke",
        {"targetId": reference, "selector": "toString", "argumentIds": "[]"},
        timeout=budget.left(),
    )
    if isinstance(said.get("valueAsString"), str):
        return await _text_of(host, said, budget)
    return f"Instance of {(instance.get('class') or {}).get('name', 'an unknown class')!r}"


async def hot_reload_and_snap(
    host: Host, params: Mapping[str, str], timeout: float
) -> dict[str, Any]:
    """Load changed sources into the running app, then look at it."""
    budget = _Budget(timeout)
    started = time.monotonic()
    failure = await _reload(host, budget)
    duration = round((time.monotonic() - started) * 1000)
    reply: dict[str, Any] = {"reloaded": failure is None, "durationMs": duration}
    if failure is None:
        seen = await host.call("snap", timeout=budget.left())
        reply["snapshot"] = seen.get("snapshot")
        reply["screenshot"] = None
        if _flag(params, "screenshot", default=True):
            try:
                picture = await host.call("screenshot", timeout=budget.left())
                reply["screenshot"] = picture.get("base64")
            except AppGone:
                raise
            except AppError as error:
                reply["screenshotError"] = error.message
    else:
        reply["error"] = failure
    reply["recentExceptions"] = await _recent_exceptions(host, budget)
    return reply


async def _reload(host: Host, budget: _Budget) -> str | None:
    """Reload; the text is why it failed.

    The flutter tool has to do it where it is there: on a device the service itself has no compiler.
    """
    tool = host.service_method("reloadSources")
    try:
        report = await host.ask(tool or "reloadSources", timeout=budget.left())
    except RpcError as error:
        return decode(error.failure).message
    if report.get("success") is False:
        notices = report.get("notices") or (report.get("details") or {}).get("notices") or ()
        texts = [str(notice.get("message", "")) for notice in notices if isinstance(notice, dict)]
        return "\n".join(filter(None, texts)) or "the sources were refused without a reason"
    if tool is None and host.has(REASSEMBLE):
        await host.extension(REASSEMBLE, {}, timeout=budget.left())
    return None


async def _recent_exceptions(host: Host, budget: _Budget) -> list[Any]:
    try:
        answer = await host.call("exceptions", timeout=budget.left())
    except (CallTimeout, VerbRefused, VerbUnavailable):
        return []
    found = answer.get("exceptions")
    return found if isinstance(found, list) else []


async def resize_viewport(host: Host, params: Mapping[str, str], timeout: float) -> dict[str, Any]:
    """Another size for a web app's page."""
    verb = "resize_viewport"
    page = await host.page(verb, timeout=timeout)
    if _flag(params, "reset"):
        await _browse(verb, page.reset(timeout=timeout))
        return {"reset": True, "message": "Viewport reset to defaults."}
    if "deviceScaleFactor" in params:
        raise _missing(verb, "deviceScaleFactor is called dpr")
    width, height = _number(params, "width"), _number(params, "height")
    dpr = _number(params, "dpr", 1.0)
    if width < 1 or height < 1:
        raise _missing(verb, "A resize needs a positive width and height, or reset")
    if dpr <= 0:
        raise _missing(verb, "dpr has to be above 0")
    viewport = Viewport(
        round(width),
        round(height),
        dpr,
        mobile=_flag(params, "mobile"),
        touch=_flag(params, "touch"),
    )
    await _browse(verb, page.resize(viewport, timeout=timeout))
    return {
        "resized": True,
        "viewport": asdict(viewport),
        "message": f"Viewport override sent: {viewport.width}x{viewport.height} @ {dpr:g}x.",
    }


async def device_profile(host: Host, params: Mapping[str, str], timeout: float) -> dict[str, Any]:
    """The size and looks of a known device for a web app's page."""
    verb = "device_profile"
    if _flag(params, "list"):
        return {"presets": list(DEVICES)}
    if _flag(params, "reset"):
        page = await host.page(verb, timeout=timeout)
        await _browse(verb, page.reset(timeout=timeout))
        return {"reset": True}
    wanted = params.get("preset", "")
    if not wanted:
        raise _missing(verb, "one of preset, list and reset is required")
    device = find_device(wanted)
    if device is None:
        known = ", ".join(DEVICES)
        raise VerbRefused(
            verb, f"There is no preset {wanted!r}; there are {known}", kind="not_found"
        )
    page = await host.page(verb, timeout=timeout)
    await _browse(verb, page.emulate(device.viewport, device.user_agent, timeout=timeout))
    return {"applied": device.name, "viewport": asdict(device.viewport)}


async def screenshot(host: Host, params: Mapping[str, str], timeout: float) -> dict[str, Any]:
    """A picture by the app, or by its browser: on the web the app itself may never answer."""
    verb = "screenshot"
    if params.get("geometry") == "true":
        return await host.plain(verb, params, timeout=timeout)
    budget = _Budget(timeout)
    if host.draws_screenshots:
        try:
            return await host.plain(verb, params, timeout=min(_EXTENSION_SCREENSHOT, timeout / 2))
        except AppPaused:
            raise
        except (CallTimeout, VerbUnavailable):
            host.draws_screenshots = False
        except VerbRefused as error:
            if error.code != INTERNAL_ERROR:
                raise
    clip = await _clip(host, params, budget)
    page = await host.page(verb, timeout=budget.left())
    image = "png" if params.get("format") == "png" else "jpeg"
    quality = round(_number(params, "quality", 70))
    taken = page.screenshot(image, quality=quality, clip=clip, timeout=budget.left())
    data = await _browse(verb, taken)
    width, height = _pixels(data)
    return {"format": image, "base64": data, "width": width, "height": height}


async def _clip(host: Host, params: Mapping[str, str], budget: _Budget) -> dict[str, float] | None:
    """Where the wanted part is on the page; only the app knows."""
    if not params.get("ref") and not params.get("rect"):
        return None
    where = await host.plain("screenshot", {**params, "geometry": "true"}, timeout=budget.left())
    rect = where.get("rect")
    if not isinstance(rect, dict) or not all(
        isinstance(rect.get(side), (int, float)) for side in ("x", "y", "width", "height")
    ):
        raise ProtocolError("screenshot: the app's geometry holds no rectangle")
    return {side: float(rect[side]) for side in ("x", "y", "width", "height")}


def _pixels(data: str) -> tuple[int, int]:
    from PIL import Image  # noqa: PLC0415 - heavy, and rarely needed

    with Image.open(io.BytesIO(base64.b64decode(data))) as image:
        return image.size


async def _browse(verb: str, doing: Awaitable[_T]) -> _T:
    try:
        return await doing
    except CdpError as error:
        raise VerbRefused(verb, error.message) from error


def _flag(params: Mapping[str, str], name: str, *, default: bool = False) -> bool:
    text = params.get(name, "")
    return default if not text else text not in {"false", "0"}


def _number(params: Mapping[str, str], name: str, default: float = 0.0) -> float:
    try:
        return float(params.get(name) or default)
    except ValueError:
        return default


def _missing(verb: str, message: str) -> VerbRefused:
    return VerbRefused(verb, message, code=INVALID_PARAMS, kind="missing_param")


COMMANDS: dict[str, Command] = {
    "device_profile": device_profile,
    "evaluate": evaluate,
    "hot_reload_and_snap": hot_reload_and_snap,
    "resize_viewport": resize_viewport,
}

BROWSER_COMMANDS: dict[str, Command] = {"screenshot": screenshot}
"""In place of the app's own when there is a browser to ask."""
