import numpy as np
import pytest

from dplab.synthesis import ExponentialOverDatasets, ks_distance
from dplab.widgets import DatasetSize
from dplab.widgets.dataset_size import GRID, PEOPLE, SIZES, mean_distance, people


@pytest.mark.parametrize("n", PEOPLE)
def test_people_are_as_many_as_said_and_on_the_grid(n):
    assert len(people(n)) == n
    assert set(people(n).tolist()) <= set(GRID)


@pytest.mark.parametrize("k", [2, 16, 64])
def test_the_mean_is_that_of_draws(k):
    """150 draws, within 8 of their standard deviations: P below 1e-12."""
    release, rng = ExponentialOverDatasets(GRID, 250, k, 0.5), np.random.default_rng()
    drawn = [ks_distance(people(250), release(people(250), rng)) for _ in range(150)]
    assert abs(np.mean(drawn) - mean_distance(250, k, 0.5)) < 8 * np.std(drawn) / 150**0.5 + 1e-6


@pytest.mark.parametrize("epsilon", [0.1, 1.0, 10.0])
def test_the_mean_is_that_of_the_library(epsilon):
    law = ExponentialOverDatasets(GRID, 250, 8, epsilon).distance_law(people(250))
    assert mean_distance(250, 8, epsilon) == pytest.approx(law.expectation(float))


def test_the_best_size_grows_with_the_people():
    best = [min(SIZES, key=lambda k, n=n: mean_distance(n, k, 1.0)) for n in (64, 512, 2000)]
    assert best[0] < best[1] < best[2]


def test_picture_follows_the_controls():
    explorer = DatasetSize()
    view = explorer.view()
    assert explorer.release.get_data().values[-1] == 1
    assert explorer.means.get_ydata() == pytest.approx(view.means)
    before = explorer.release.get_data().values
    explorer.controls["again"].click()
    assert explorer.release.get_data().values != pytest.approx(before)
    for name, value in (("n", 64), ("k", 128), ("epsilon", 0.1)):
        explorer.controls[name].value = value
    view = explorer.view()
    assert len(view.published) == 128
    assert explorer.here.get_data() == ([128], [mean_distance(64, 128, 0.1)])
    assert explorer.rule.get_xdata() == pytest.approx([16, 16])
    assert view.means.max() < explorer.means.axes.get_ylim()[1]
    shares = [np.mean(view.published <= at) for at in GRID]
    assert explorer.release.get_data().values == pytest.approx(shares)
    assert [np.mean(people(64) <= at) for at in GRID] == pytest.approx(
        explorer.data.get_data().values
    )


def test_caption_says_guess_distance_and_the_best_size():
    explorer = DatasetSize()
    caption, view = explorer.picture.tooltip, explorer.view()
    assert "A 50% guess becomes at most 73%" in caption
    assert f"16 points are {mean_distance(512, 16, 1.0):.2g} from the data on average" in caption
    assert f"{view.best} points would be best" in caption
