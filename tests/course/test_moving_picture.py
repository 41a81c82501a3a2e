"""The README's moving picture: it is light, it moves, and its script still draws it."""

import re

import numpy as np
import pytest
from PIL import Image

from course.site.moving_picture import EXPLORER, PICTURE, WIDTH, frames, story
from dplab import widgets
from dplab.widgets.explorer import Again


def small(picture):
    """The picture in grey and a fifth of its size, where other fonts make little difference."""
    return np.asarray(picture.convert("L").resize((200, 127))).astype(float)


def test_picture_is_light_and_moves():
    assert PICTURE.stat().st_size < 1_000_000
    with Image.open(PICTURE) as picture:
        assert picture.width == WIDTH
        assert picture.n_frames == len(list(story()))
        assert picture.info["loop"] == 0  # it begins again


def test_moves_are_moves_of_an_explorer_of_the_course():
    assert EXPLORER.__name__ in widgets.EXPLORERS
    controls = EXPLORER().controls
    for name, value, _ in story():
        if not isinstance(controls[name], Again):
            controls[name].value = value
            assert controls[name].value == pytest.approx(value)


def test_the_words_of_the_picture_have_the_caption_with_which_the_explorer_opens():
    readme = (PICTURE.parents[3] / "README.md").read_text(encoding="utf-8")
    words = re.search(r"!\[([^\]]*)\]\([^)]*class-survey\.gif\)", readme)[1]
    assert EXPLORER().picture.tooltip in " ".join(words.split())


def test_committed_picture_is_the_present_one():
    """Each of its frames is as close to the script's frame of that number as to any."""
    present, milliseconds = zip(*frames(EXPLORER()), strict=True)
    present = np.array([small(frame) for frame in present])
    with Image.open(PICTURE) as picture:
        for number, duration in enumerate(milliseconds):
            picture.seek(number)
            assert picture.info["duration"] == duration
            differences = np.abs(present - small(picture)).mean(axis=(1, 2))
            assert differences[number] == differences.min()
            assert differences[number] < 2  # of 255: other fonts may differ a little
