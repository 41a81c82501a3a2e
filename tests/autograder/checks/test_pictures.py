"""Pictures of a sample beside its law: what they show, and that they are harmless SVG."""

import xml.etree.ElementTree as ElementTree

import numpy as np
import pytest

from autograder import checks
from autograder.checks import pictures
from autograder.wire.run import Run, use_run
from dplab import Finite, Laplace, RandomizedResponse

SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture
def shown():
    """The pictures that the checks of a test have shown."""
    taken = []
    with use_run(Run(take_picture=taken.append)):
        yield taken


def bars(picture, colour):
    """Heights of the bars of one colour, from left to right."""
    found = ElementTree.fromstring(picture).iter(f"{SVG}rect")
    return [float(bar.get("height")) for bar in found if bar.get("fill") == colour]


def test_a_sample_that_misses_its_law_is_shown_beside_it(shown):
    sample = np.repeat([0, 1], [100, 300])
    with pytest.raises(AssertionError, match="share"):
        checks.expect_law(sample, Finite.of({0: 0.75, 1: 0.25}), "answers")
    (picture,) = shown
    law, drawn = bars(picture, pictures._LAW), bars(picture, pictures._SAMPLE)
    assert law == drawn[::-1]
    assert law[0] == pytest.approx(3 * law[1])


def test_a_right_sample_needs_no_picture(shown):
    checks.expect_law(np.repeat([0, 1], 200), Finite.of({0: 0.5, 1: 0.5}), "answers")
    assert shown == []


def test_the_outcomes_that_differ_most_are_kept_where_there_are_many():
    law = RandomizedResponse(1.0).distribution([0, 1, 1, 0])
    sample = np.zeros((50, 4))
    picture = pictures.sample_and_law(sample, law)
    assert len(bars(picture, pictures._LAW)) == pictures.MAX_BARS
    assert ">0000</text>" in picture  # the outcome that is much too frequent


def test_a_real_law_is_shown_by_its_distribution_function():
    draws = np.linspace(-3, 3, 500)
    drawing = ElementTree.fromstring(pictures.sample_and_law(draws, Laplace(0.0, 1.0)))
    law, sample = drawing.iter(f"{SVG}polyline")
    assert law.get("points") != sample.get("points")
    assert len(law.get("points").split()) == len(sample.get("points").split()) == 121


@pytest.mark.parametrize("strange", [np.array([np.nan, np.inf, 7]), np.array([1e300, -1e300])])
def test_strange_draws_are_drawn_all_the_same(strange):
    picture = pictures.sample_and_law(strange, Finite.of({0: 1.0}))
    drawn = [height for height in bars(picture, pictures._SAMPLE) if height]
    assert len(drawn) == len(strange)
    assert sum(drawn) == pytest.approx(max(bars(picture, pictures._LAW)), abs=0.5)


def test_labels_are_text_and_no_markup():
    law = Finite.of({"<script>": 1.0})
    picture = pictures.sample_and_law(np.array(["<script>"]), law)
    assert "<script" not in picture
    ElementTree.fromstring(picture)
