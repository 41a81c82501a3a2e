"""Pictures as PNG: read back by another reader than their writer."""

import io

import numpy as np
import pytest
from PIL import Image

from dplab.widgets import ErrorCurves, png
from dplab.widgets.__main__ import EXPLORERS


def read(picture):
    return np.asarray(Image.open(io.BytesIO(picture)).convert("RGB"))


@pytest.mark.parametrize("shape", [(1, 1), (3, 7), (240, 5), (590, 1296)])
@pytest.mark.parametrize("seed", range(5))
def test_a_quick_one_of_few_colours_has_every_pixel_nearly(shape, seed):
    rng = np.random.default_rng(seed)  # fixed: what is tested is the reader's and writer's, no law
    colours = rng.permutation(np.stack(np.meshgrid(*[range(0, 256, 51)] * 3), -1).reshape(-1, 3))
    pixels = colours[rng.integers(8, size=shape)].astype(np.uint8)
    if shape == (590, 1296):
        pixels = np.kron(pixels[:59, :144], np.ones((10, 9, 1), dtype=np.uint8))
    off = abs(read(png.quick(pixels)).astype(int) - pixels)
    sampled = pixels.reshape(-1, 3)[:: png.SAMPLED]
    if len(np.unique(sampled, axis=0)) == len(np.unique(pixels.reshape(-1, 3), axis=0)):
        assert off.max() <= 8
    assert (read(png.quick(pixels))[(pixels == 255).all(axis=-1)] == 255).all()


def test_a_quick_one_of_all_colours_can_be_read():
    pixels = np.random.default_rng(1).integers(0, 256, (60, 80, 4), dtype=np.uint8)[..., :3]
    before, after = pixels.astype(int), read(png.quick(pixels)).astype(int)
    assert len(np.unique(after.reshape(-1, 3), axis=0)) <= 256
    assert abs(after - before).mean() < 30


@pytest.mark.parametrize("colour", [(0, 114, 178), (153, 153, 153), (213, 94, 0), (0, 0, 0)])
def test_the_thinnest_lines_keep_their_colour(colour):
    pixels = np.full((576, 1296, 3), 255, dtype=np.uint8)
    pixels[123] = pixels[:, 456] = colour
    read_back = read(png.quick(pixels)).astype(int)
    assert abs(read_back - pixels).max() <= 8
    assert (read_back[0, 0] == 255).all()


@pytest.mark.parametrize("kind", list(EXPLORERS))
def test_an_explorer_s_picture_is_what_was_drawn(kind):
    explorer = EXPLORERS[kind]()
    before = np.asarray(explorer.canvas.buffer_rgba())[..., :3].astype(int)
    assert before.shape[1] % png.SAMPLED, "some columns would not be sampled"
    after = read(explorer.picture.value).astype(int)
    off = abs(after - before).max(axis=-1)
    assert (off > 16).mean() < 0.002
    assert (off > 8).mean() < 0.06
    assert (after[(before == 255).all(axis=-1)] == 255).all()
    assert len(explorer.picture.value) < 80_000


def test_a_light_one_has_few_bytes_and_colours_and_none_far_off():
    whole = ErrorCurves().picture.value
    few = png.light(whole)
    before, after = read(whole).astype(int), read(few).astype(int)
    assert len(few) < len(whole) * 0.8
    assert len(np.unique(after.reshape(-1, 3), axis=0)) <= png.COLOURS
    assert abs(after - before).max() < 30
    assert (after[(before == 255).all(axis=-1)] == 255).all()
