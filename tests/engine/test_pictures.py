"""Pictures: one count decides whether they are the same and is what is told."""

from __future__ import annotations

import base64

import pytest
from PIL import Image

from tapir_replay.engine.pictures import (
    HIDDEN,
    compare,
    decoded,
    encoded,
    highlighted,
    opened,
    paint_over,
)
from tapir_replay.engine.screen import Bounds

WHITE = (255, 255, 255)


def plain(width: int = 20, height: int = 10, color: tuple[int, int, int] = WHITE) -> Image.Image:
    return Image.new("RGB", (width, height), color)


def dotted(*dots: tuple[int, int], color: tuple[int, int, int] = (0, 0, 0)) -> Image.Image:
    image = plain()
    for dot in dots:
        image.putpixel(dot, color)
    return image


def test_the_same() -> None:
    found = compare(plain(), plain())
    assert (found.differing, found.total, found.box) == (0, 200, None)
    assert found.holds(0)


def test_each_pixel_counts() -> None:
    found = compare(plain(), dotted((3, 2), (7, 5)))
    assert (found.differing, found.box) == (2, (3, 2, 8, 6))
    assert not found.holds(0)
    assert not found.holds(0.9)
    assert found.holds(1)
    assert found.allowed(1) == 2


@pytest.mark.parametrize(
    ("color", "differs"),
    [
        ((245, 245, 245), False),
        ((255, 255, 245), False),
        ((255, 255, 244), True),
        ((244, 255, 255), True),
    ],
)
def test_noise(color: tuple[int, int, int], differs: bool) -> None:
    assert compare(plain(), dotted((0, 0), color=color)).differing == differs


def test_sizes() -> None:
    found = compare(plain(), plain(10, 20))
    assert found.sizes == ((20, 10), (10, 20))
    assert not found.holds(100)


def test_painted_over() -> None:
    image = plain()
    paint_over(image, [Bounds(1, 1, 2, 1)], 2)
    assert image.getpixel((2, 2)) == HIDDEN
    assert image.getpixel((6, 4)) == HIDDEN
    assert image.getpixel((1, 1)) == WHITE
    assert image.getpixel((7, 4)) == WHITE


def test_what_differs_is_red() -> None:
    image = highlighted(plain(), dotted((3, 2)))
    assert image.getpixel((3, 2)) == (220, 0, 0)
    assert image.getpixel((0, 0)) == WHITE


def test_files() -> None:
    data = encoded(dotted((1, 1)))
    assert opened(data).tobytes() == dotted((1, 1)).tobytes()
    assert decoded(base64.b64encode(data).decode()) == data
    for wrong in (b"", b"GIF89a", data[:40]):
        with pytest.raises(ValueError, match="no picture"):
            opened(wrong)
    with pytest.raises(ValueError, match="base64"):
        decoded("#")
