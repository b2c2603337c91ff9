"""Dusk's pictures in the device's own pixels, as Tapir's are."""

from __future__ import annotations

import base64
import io
from typing import Any

Answer = dict[str, Any]


def scaled(answer: Answer, size: tuple[int, int] | None, quality: int) -> Answer:
    """A picture of that size.

    Args:
        answer: Of `screenshot`.
        size: In pixels; None leaves it as it is.
        quality: Of a JPEG.
    """
    if size is None or (answer.get("width"), answer.get("height")) == size or min(size) < 1:
        return answer
    from PIL import Image  # noqa: PLC0415 - heavy, and rarely needed

    kind = "PNG" if answer.get("format") == "png" else "JPEG"
    out = io.BytesIO()
    with Image.open(io.BytesIO(base64.b64decode(str(answer.get("base64"))))) as image:
        picture = image.convert("RGB").resize(size, Image.Resampling.BOX)
    picture.save(out, format=kind, quality=quality)
    data = base64.b64encode(out.getvalue()).decode("ascii")
    return {**answer, "base64": data, "width": size[0], "height": size[1]}
