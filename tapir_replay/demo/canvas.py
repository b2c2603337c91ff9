"""A drawing surface in logical pixels. Drawn at twice the final scale, so that edges are smooth."""

from __future__ import annotations

import unicodedata
from functools import lru_cache
from typing import TYPE_CHECKING

from PIL import Image, ImageDraw, ImageFont

from tapir_replay.demo.geometry import PIXEL_RATIO, Rect

if TYPE_CHECKING:
    from collections.abc import Sequence

Colour = tuple[int, int, int]

OVERSAMPLING = 2
SCALE = int(PIXEL_RATIO) * OVERSAMPLING


def colour(text: str) -> Colour:
    """`#rrggbb`."""
    return int(text[1:3], 16), int(text[3:5], 16), int(text[5:7], 16)


def mixed(over: Colour, under: Colour, share: float) -> Colour:
    """`over` with an opacity of `share`, on `under`."""
    red, green, blue = (
        round(a * share + b * (1 - share)) for a, b in zip(over, under, strict=True)
    )
    return red, green, blue


@lru_cache(maxsize=64)
def _font(size: int) -> ImageFont.FreeTypeFont:
    font = ImageFont.load_default(size)
    assert isinstance(font, ImageFont.FreeTypeFont)
    return font


@lru_cache(maxsize=1)
def _no_glyph() -> bytes:
    return bytes(_font(32).getmask("\uffff"))


@lru_cache(maxsize=4096)
def drawable(letter: str) -> str | None:
    """What stands for a letter: itself, a simpler one, nothing; None where only a box is left."""
    category = unicodedata.category(letter)
    if category.startswith(("C", "M")):  # controls, halves of surrogates, marks: nothing by itself
        return None if category == "Cn" else ""
    if letter.isspace():
        return " "
    if bytes(_font(32).getmask(letter)) != _no_glyph():
        return letter
    simpler = unicodedata.normalize("NFKD", letter)[0]
    return drawable(simpler) if simpler != letter else None


@lru_cache(maxsize=4096)
def _advance(letters: str, size: int) -> float:
    return _font(size).getlength(letters)


def _runs(text: str) -> list[str | None]:
    """The text cut into what the font can draw, and boxes."""
    runs: list[str | None] = []
    for letter in text:
        shown = drawable(letter)
        if shown is None or not runs or runs[-1] is None:
            runs.append(shown)
        else:
            runs[-1] += shown
    return runs


class Canvas:
    """Shapes and text on a part of the screen."""

    def __init__(self, area: Rect, background: Colour) -> None:
        self.area = area
        size = (max(1, round(area.w * SCALE)), max(1, round(area.h * SCALE)))
        self.image = Image.new("RGB", size, background)
        self._draw = ImageDraw.Draw(self.image)

    def _at(self, x: float, y: float) -> tuple[float, float]:
        return (x - self.area.x) * SCALE, (y - self.area.y) * SCALE

    def _corners(self, rect: Rect) -> tuple[float, float, float, float]:
        left, top = self._at(rect.x, rect.y)
        right, bottom = self._at(rect.right, rect.bottom)
        return left, top, max(left, right - 1), max(top, bottom - 1)

    def box(
        self,
        rect: Rect,
        fill: Colour | None = None,
        *,
        radius: float = 0,
        outline: Colour | None = None,
        width: float = 1,
    ) -> None:
        radius = min(radius, rect.h / 2, rect.w / 2)
        self._draw.rounded_rectangle(
            self._corners(rect),
            radius * SCALE,
            fill,
            outline,
            round(width * SCALE) if outline else 0,
        )

    def circle(
        self,
        x: float,
        y: float,
        radius: float,
        fill: Colour | None = None,
        *,
        outline: Colour | None = None,
        width: float = 1,
    ) -> None:
        area = Rect(x - radius, y - radius, 2 * radius, 2 * radius)
        self._draw.ellipse(
            self._corners(area), fill, outline, round(width * SCALE) if outline else 0
        )

    def line(self, points: Sequence[tuple[float, float]], ink: Colour, width: float = 1) -> None:
        placed = [self._at(x, y) for x, y in points]
        self._draw.line(placed, ink, max(1, round(width * SCALE)), joint="curve")

    def polygon(self, points: Sequence[tuple[float, float]], ink: Colour) -> None:
        self._draw.polygon([self._at(x, y) for x, y in points], ink)

    def arc(
        self, rect: Rect, degrees: tuple[float, float], ink: Colour, width: float
    ) -> None:  # fmt: skip
        self._draw.arc(self._corners(rect), *degrees, ink, round(width * SCALE))

    def dim(self, rect: Rect, share: float) -> None:
        """Darken what is there, as a scrim does."""
        box = tuple(round(edge) for edge in self._corners(rect))
        left, top, right, bottom = box
        part = self.image.crop((left, top, right + 1, bottom + 1))
        black = Image.new("RGB", part.size, (0, 0, 0))
        self.image.paste(Image.blend(part, black, share), (left, top))

    def paste(self, other: Canvas) -> None:
        left, top = self._at(other.area.x, other.area.y)
        self.image.paste(other.image, (round(left), round(top)))

    def text_width(self, text: str, size: float) -> float:
        pixels = round(size * SCALE)
        return (
            sum(pixels * 0.9 if run is None else _advance(run, pixels) for run in _runs(text))
            / SCALE
        )

    def text(
        self,
        text: str,
        place: tuple[float, float],
        size: float,
        ink: Colour,
        *,
        strong: bool = False,
        room: float | None = None,
    ) -> None:
        """One line of text; `place` is the middle of its left edge. Cut where there is no room."""
        if room is not None and self.text_width(text, size) > room:
            while text and self.text_width(f"{text}…", size) > room:
                text = text[:-1]
            text += "…"
        x, y = self._at(*place)
        pixels = round(size * SCALE)
        for run in _runs(text):
            if run is None:
                edge = pixels * 0.72
                corners = (x + pixels * 0.08, y - edge / 2, x + pixels * 0.08 + edge, y + edge / 2)
                width = max(1, round(pixels * 0.06))
                self._draw.rounded_rectangle(corners, pixels * 0.14, None, ink, width)
                x += pixels * 0.9
                continue
            stroke = max(1, round(pixels / 55)) if strong else 0
            self._draw.text((x, y), run, ink, _font(pixels), anchor="lm", stroke_width=stroke)
            x += _advance(run, pixels)

    def finished(self) -> Image.Image:
        """The picture at its final scale."""
        return self.image.reduce(OVERSAMPLING)
