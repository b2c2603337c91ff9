"""Devices that a browser can be made to look like."""

from __future__ import annotations

import re
from dataclasses import dataclass

_IPHONE = (
    "Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) AppleWebKit/605.1.15 "
    "(KHTML, like Gecko) Version/17.0 Mobile/15E148 Safari/604.1"
)
_IPAD = (
    "Mozilla/5.0 (iPad; CPU OS 17_0 like Mac OS X) AppleWebKit/605.1.15 "
    "(KHTML, like Gecko) Version/17.0 Mobile/15E148 Safari/604.1"
)
_CHROME = "AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0"
_MAC = f"Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) {_CHROME} Safari/537.36"


def _pixel(android: int, model: str) -> str:
    return f"Mozilla/5.0 (Linux; Android {android}; {model}) {_CHROME} Mobile Safari/537.36"


@dataclass(frozen=True, slots=True)
class Viewport:
    """A page's size in CSS pixels, and how it is looked at."""

    width: int
    height: int
    dpr: float = 1.0
    mobile: bool = False
    touch: bool = False


@dataclass(frozen=True, slots=True)
class Device:
    name: str
    viewport: Viewport
    user_agent: str


DEVICES = {
    device.name: device
    for device in (
        Device("iphone-x", Viewport(375, 812, 3, mobile=True, touch=True), _IPHONE),
        Device("iphone-13", Viewport(390, 844, 3, mobile=True, touch=True), _IPHONE),
        Device("iphone-15-pro", Viewport(393, 852, 3, mobile=True, touch=True), _IPHONE),
        Device("pixel-5", Viewport(393, 851, 2.75, mobile=True, touch=True), _pixel(13, "Pixel 5")),
        Device(
            "pixel-8", Viewport(412, 915, 2.625, mobile=True, touch=True), _pixel(14, "Pixel 8")
        ),
        Device("ipad-pro-12.9", Viewport(1024, 1366, 2, mobile=True, touch=True), _IPAD),
        Device("desktop-1440", Viewport(1440, 900), _MAC),
        Device("desktop-1920", Viewport(1920, 1080), _MAC),
    )
}


def find_device(name: str) -> Device | None:
    """The preset of that name; capitals, blanks and underscores do not matter."""
    return DEVICES.get(re.sub(r"[\s_]+", "-", name.strip().lower()))
