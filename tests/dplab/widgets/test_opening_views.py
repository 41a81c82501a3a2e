"""Each explorer opens on a caption that is short, and on a picture that fills its frame."""

import re
import statistics

from dplab import widgets
from tests.dplab.widgets.opening_views import caption, numbers, spans

MOST_WORDS, MOST_NUMBERS = 30, 5
LEAST_AREA = 0.4  # of a panel, spanned by what it shows


def test_captions_are_short_and_pictures_fill_their_frames():
    faults, words, counts = [], [], []
    for name in widgets.EXPLORERS:
        explorer = getattr(widgets, name)()
        said = caption(explorer)
        words.append(len(said.split()))
        counts.append(len(numbers(said)))
        if words[-1] > MOST_WORDS or counts[-1] > MOST_NUMBERS:
            faults.append(f"{name} opens with {words[-1]} words and {counts[-1]} numbers")
        if re.search(r"10\^", said):
            faults.append(f"{name} writes a power of ten without a raised number: {said}")
        faults += [
            f"{name}, panel {n}: {width:.0%} x {height:.0%} of it is used"
            for n, (width, height) in enumerate(spans(explorer), start=1)
            if width * height < LEAST_AREA
        ]
    assert not faults, "\n".join(faults)
    assert statistics.median(words) <= 21
    assert statistics.median(counts) <= 4
