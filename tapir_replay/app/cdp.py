"""A page of Chrome, by the DevTools protocol: what a web app's size and looks depend on.

Overrides last as long as the session that made them, so whoever makes one keeps the `Page`.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import Mapping
from typing import Any

from websockets.exceptions import InvalidHandshake, InvalidURI

from tapir_replay.app.connection import Connection
from tapir_replay.app.devices import Viewport
from tapir_replay.app.errors import AppError, AppUnreachable, ConnectionLost, ProtocolError
from tapir_replay.app.jsonrpc import RpcError
from tapir_replay.app.websocket import WebSocket, open_websocket

_CONNECT_TIMEOUT = 10.0
_REQUEST_TIMEOUT = 30.0

_WINDOW_FRAME = 130
"""Pixels that tabs and tool bars take from a window's height."""

_DEFAULT_WINDOW = {"width": 1440, "height": 900}

_encode = json.JSONEncoder(separators=(",", ":")).encode


class CdpError(AppError):
    """The browser refused a command, or it went away."""


class Page:
    """A session with one page. Overrides are undone when it closes."""

    def __init__(self, socket: WebSocket, *, url: str, port: int) -> None:
        self.url = url
        self._connection = Connection(
            socket, peer=f"the browser at port {port}", build=_build, on_event=None
        )

    @classmethod
    async def connect(
        cls,
        port: int,
        *,
        host: str = "localhost",
        matching: str = "",
        timeout: float = _CONNECT_TIMEOUT,
    ) -> Page:
        """A session with the browser's first page.

        Args:
            port: As in `--remote-debugging-port`.
            host: Where the browser runs.
            matching: Text that the page's address has to contain.
            timeout: Seconds, for each of the two steps.

        Raises:
            AppUnreachable: No browser answers there, or it has no such page.
        """
        targets = await _targets(host, port, timeout)
        for target in targets:
            url, socket_url = str(target.get("url", "")), target.get("webSocketDebuggerUrl")
            if target.get("type") != "page" or matching not in url:
                continue
            if isinstance(socket_url, str):
                return cls(await _open(socket_url, port, timeout), url=url, port=port)
        which = f" whose address contains {matching!r}" if matching else ""
        raise AppUnreachable(f"The browser at port {port} has no page{which}")

    @property
    def lost(self) -> bool:
        return self._connection.lost is not None

    async def send(
        self,
        method: str,
        params: Mapping[str, Any] | None = None,
        *,
        timeout: float = _REQUEST_TIMEOUT,
    ) -> dict[str, Any]:
        """Any command of the protocol.

        Raises:
            CdpError: The browser refused it or is gone.
            CallTimeout: It does not answer.
        """
        try:
            result = await self._connection.request(method, params or {}, timeout=timeout)
        except RpcError as error:
            raise CdpError(f"The browser refused {method}: {error.failure.message}") from error
        except ConnectionLost as error:
            raise CdpError(f"The browser's page is gone: {error}") from error
        if not isinstance(result, dict):
            raise ProtocolError(f"{method}: the browser's answer is no object")
        return result

    async def resize(self, viewport: Viewport, *, timeout: float = _REQUEST_TIMEOUT) -> None:
        """Give the page another size."""
        await self.send(
            "Emulation.setDeviceMetricsOverride",
            {
                "width": viewport.width,
                "height": viewport.height,
                "deviceScaleFactor": viewport.dpr,
                "mobile": viewport.mobile,
            },
            timeout=timeout,
        )
        await self._set_touch(viewport.touch, timeout)

    async def emulate(
        self, viewport: Viewport, user_agent: str, *, timeout: float = _REQUEST_TIMEOUT
    ) -> None:
        """Make the page believe that it is on another device."""
        await self.resize(viewport, timeout=timeout)
        await self.send(
            "Emulation.setUserAgentOverride", {"userAgent": user_agent}, timeout=timeout
        )
        bounds = {"width": viewport.width, "height": viewport.height + _WINDOW_FRAME}
        await self._set_window(bounds, timeout)

    async def reset(self, *, timeout: float = _REQUEST_TIMEOUT) -> None:
        """Undo all overrides."""
        await self.send("Emulation.setUserAgentOverride", {"userAgent": ""}, timeout=timeout)
        await self._set_touch(False, timeout)
        await self.send("Emulation.clearDeviceMetricsOverride", timeout=timeout)
        await self._set_window(_DEFAULT_WINDOW, timeout)

    async def screenshot(
        self,
        format: str = "png",  # noqa: A002 - the protocol's word
        *,
        quality: int | None = None,
        clip: Mapping[str, float] | None = None,
        timeout: float = _REQUEST_TIMEOUT,
    ) -> str:
        """What the page shows, in base64; `clip` (x, y, width, height) is in CSS pixels."""
        params: dict[str, Any] = {"format": format, "fromSurface": True}
        if quality is not None and format == "jpeg":
            params["quality"] = quality
        if clip is not None:
            params["clip"] = {**clip, "scale": 1}
        await self.send("Page.enable", timeout=timeout)
        answer = await self.send("Page.captureScreenshot", params, timeout=timeout)
        data = answer.get("data")
        if not isinstance(data, str):
            raise ProtocolError("Page.captureScreenshot: the answer holds no image")
        return data

    async def close(self) -> None:
        await self._connection.close()

    async def _set_touch(self, touch: bool, timeout: float) -> None:
        await self.send("Emulation.setTouchEmulationEnabled", {"enabled": touch}, timeout=timeout)

    async def _set_window(self, bounds: Mapping[str, int], timeout: float) -> None:
        """The window follows the page; an embedded browser may have none."""
        with contextlib.suppress(CdpError):
            found = await self.send("Browser.getWindowForTarget", timeout=timeout)
            await self.send(
                "Browser.setWindowBounds",
                {"windowId": found["windowId"], "bounds": {**bounds, "windowState": "normal"}},
                timeout=timeout,
            )


def _build(number: int, method: str, params: Mapping[str, Any]) -> str:
    """The protocol is JSON-RPC in all but the version field, which it does not accept."""
    return _encode({"id": number, "method": method, "params": params})


async def _targets(host: str, port: int, timeout: float) -> list[dict[str, Any]]:
    hint = "Start Chrome with --remote-debugging-port, and give that port."
    try:
        text = await asyncio.to_thread(_get, f"http://{host}:{port}/json", timeout)
        listed = json.loads(text)
    except OSError as error:
        reason = getattr(error, "reason", error)
        raise AppUnreachable(f"No browser answers at port {port} ({reason})", hint=hint) from error
    except Exception as error:  # what else urllib and json make of a peer that is no browser
        raise AppUnreachable(f"Port {port} is not a browser's debugging port", hint=hint) from error
    if not isinstance(listed, list):
        raise AppUnreachable(f"Port {port} is not a browser's debugging port", hint=hint)
    return [target for target in listed if isinstance(target, dict)]


def _get(url: str, timeout: float) -> bytes:
    from urllib.request import ProxyHandler, build_opener  # noqa: PLC0415 - for this alone

    # Proxy settings of the environment are not meant for this machine.
    with build_opener(ProxyHandler({})).open(url, timeout=timeout) as answer:
        content: bytes = answer.read()
        return content


async def _open(url: str, port: int, timeout: float) -> WebSocket:
    try:
        return await open_websocket(url, open_timeout=timeout)
    except (OSError, TimeoutError, InvalidURI, InvalidHandshake) as error:
        raise AppUnreachable(
            f"The browser at port {port} offers a page that cannot be reached: {error}"
        ) from error
