"""Device presets."""

from __future__ import annotations

import pytest

from tapir_replay.app.devices import DEVICES, find_device


@pytest.mark.parametrize("spelling", ["iphone-15-pro", "iPhone 15 Pro", " IPHONE_15_PRO "])
def test_a_device_is_found_however_it_is_spelled(spelling: str) -> None:
    assert find_device(spelling) is DEVICES["iphone-15-pro"]


def test_an_unknown_device_is_not_found() -> None:
    assert find_device("nokia-3310") is None


def test_the_presets_are_the_ones_of_the_protocol() -> None:
    sizes = {
        name: (device.viewport.width, device.viewport.height, device.viewport.dpr)
        for name, device in DEVICES.items()
    }
    assert sizes == {
        "iphone-x": (375, 812, 3),
        "iphone-13": (390, 844, 3),
        "iphone-15-pro": (393, 852, 3),
        "pixel-5": (393, 851, 2.75),
        "pixel-8": (412, 915, 2.625),
        "ipad-pro-12.9": (1024, 1366, 2),
        "desktop-1440": (1440, 900, 1),
        "desktop-1920": (1920, 1080, 1),
    }


def test_only_handhelds_are_touched() -> None:
    touched = {name for name, device in DEVICES.items() if device.viewport.touch}
    assert touched == {name for name in DEVICES if not name.startswith("desktop")}
