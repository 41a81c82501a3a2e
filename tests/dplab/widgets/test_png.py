"""Pictures as PNG: read back by another reader than their writer."""

import io

import numpy as np
import pytest
from PIL import Image

from dplab.widgets import ErrorCurves, png


def read(picture):
    return np.asarray(Image.open(io.BytesIO(picture)).convert("RGB"))


@pytest.mark.parametrize("shape", [(1, 1), (3, 7), (240, 5)])
def test_a_quick_one_has_every_pixel(shape):
    pixels = np.random.default_rng(1).integers(0, 256, (*shape, 4), dtype=np.uint8)[..., :3]
    assert Image.open(io.BytesIO(png.quick(pixels))).mode == "RGB"
    assert (read(png.quick(pixels)) == pixels).all()


def test_a_light_one_has_few_bytes_and_colours_and_none_far_off():
    whole = ErrorCurves().picture.value
    few = png.light(whole)
    before, after = read(whole).astype(int), read(few).astype(int)
    assert len(few) < len(whole) / 2
    assert len(np.unique(after.reshape(-1, 3), axis=0)) <= png.COLOURS
    assert abs(after - before).max() < 30
    assert (after[(before == 255).all(axis=-1)] == 255).all()
