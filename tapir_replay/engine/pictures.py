"""Pictures: read, painted over, compared. Pillow is loaded only where there is one."""

from __future__ import annotations

import base64
import binascii
import io
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tapir_replay.engine.screen import Bounds

if TYPE_CHECKING:
    from PIL.Image import Image

HIDDEN = (90, 90, 90)
"""What is painted over secrets and masks."""

_NOISE = 10
"""How much of 255 a colour may differ and still count as the same: what rounding makes of it."""


def decoded(text: str) -> bytes:
    """A picture as the app sends it.

    Raises:
        ValueError: It is not base64.
    """
    try:
        return base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        raise ValueError("the app's picture is not valid base64") from None


def opened(data: bytes) -> Image:
    """The pixels of a file.

    Raises:
        ValueError: It is no picture.
    """
    from PIL import Image, UnidentifiedImageError  # noqa: PLC0415

    try:
        with Image.open(io.BytesIO(data)) as image:
            return image.convert("RGB")
    except (UnidentifiedImageError, OSError, SyntaxError, Image.DecompressionBombError) as error:
        raise ValueError(f"this is no picture: {error}") from None


def encoded(image: Image, kind: str = "PNG") -> bytes:
    out = io.BytesIO()
    image.save(out, format=kind)
    return out.getvalue()


def paint_over(image: Image, places: Iterable[Bounds], scale: float) -> None:
    """Hide rectangles, in logical pixels of the picture."""
    from PIL import ImageDraw  # noqa: PLC0415

    draw = ImageDraw.Draw(image)
    for each in places:
        corners = (each.x, each.y, each.x + each.w, each.y + each.h)
        draw.rectangle([corner * scale for corner in corners], fill=HIDDEN)


def painted(data: bytes, places: Iterable[Bounds], scale: float) -> bytes:
    """A picture file with rectangles hidden, in the format it had."""
    from PIL import Image  # noqa: PLC0415

    with Image.open(io.BytesIO(data)) as image:
        kind = image.format or "PNG"
        picture = image.convert("RGB")
    paint_over(picture, places, scale)
    return encoded(picture, kind)


@dataclass(frozen=True, slots=True)
class Difference:
    """How two pictures differ; what holds and what is told of it come from these numbers alone.

    Attributes:
        sizes: Of the expected and the actual one, in pixels.
        differing: How many pixels differ.
        total: How many were compared.
        box: The smallest rectangle around all that differ: left, top, right, bottom.
    """

    sizes: tuple[tuple[int, int], tuple[int, int]]
    differing: int = 0
    total: int = 0
    box: tuple[int, int, int, int] | None = None

    @property
    def same_size(self) -> bool:
        return self.sizes[0] == self.sizes[1]

    def allowed(self, tolerance: float) -> int:
        """How many pixels may differ, of a percentage."""
        return int(self.total * tolerance / 100)

    def holds(self, tolerance: float) -> bool:
        return self.same_size and self.differing <= self.allowed(tolerance)


def compare(expected: Image, actual: Image) -> Difference:
    """Count the pixels that differ by more than noise."""
    sizes = (expected.size, actual.size)
    if expected.size != actual.size:
        return Difference(sizes)
    marks = _marks(expected, actual)
    differing = marks.histogram()[255]
    return Difference(sizes, differing, marks.width * marks.height, marks.getbbox())


def highlighted(expected: Image, actual: Image) -> Image:
    """The actual picture, pale, with what differs in red; both of one size."""
    from PIL import Image  # noqa: PLC0415

    pale = Image.blend(
        actual.convert("L").convert("RGB"), Image.new("RGB", actual.size, "white"), 0.7
    )
    return Image.composite(
        Image.new("RGB", actual.size, (220, 0, 0)), pale, _marks(expected, actual)
    )


def _marks(expected: Image, actual: Image) -> Image:
    """White where the two differ, else black."""
    from PIL import ImageChops  # noqa: PLC0415

    red, green, blue = ImageChops.difference(expected, actual).split()
    most = ImageChops.lighter(ImageChops.lighter(red, green), blue)
    return most.point([0] * (_NOISE + 1) + [255] * (255 - _NOISE))
