import numpy as np
import pytest

from dplab.widgets import ManyQueries
from dplab.widgets.many_queries import (
    BITS,
    CELLS,
    KS,
    METHODS,
    PEOPLE,
    count_moved_answers,
    largest_errors,
    questions,
    town,
)


def test_questions_are_all_cells_of_all_marginals_once():
    queries = questions()
    assert queries.shape == (8 * BITS * (BITS - 1) * (BITS - 2) // 6, CELLS)
    assert KS[-1] == len(queries) == len(np.unique(queries, axis=0))
    assert set(queries.sum(axis=1)) == {CELLS / 8}


@pytest.mark.parametrize("k", KS)
def test_noise_covers_whom_one_person_moves_and_no_more(k):
    """By all pairs of what somebody may have answered; of all 56 marginals one cell each, twice."""
    columns = questions()[:k].T.astype(bool)
    apart = [(columns ^ one).sum(axis=1).max() for one in columns]
    assert count_moved_answers(k) == max(apart) <= min(k, 2 * 56)
    assert count_moved_answers(KS[-1]) == 2 * 56


@pytest.mark.parametrize("n", PEOPLE)
def test_people_are_as_many_as_said(n):
    assert town(n).shape == (n,)
    assert 0 <= town(n).min() <= town(n).max() < CELLS


def test_errors_of_independent_noise_are_those_of_its_scale():
    """The mean of the largest of k Laplace errors is moved / (n epsilon) times the k-th harmonic
    number; 40 releases, within 8 of their deviations."""
    k, n, epsilon = 25, 500, 0.5
    found = np.array([largest_errors(n, k, epsilon, seed) for seed in range(40)])
    expected = count_moved_answers(k) / (n * epsilon) * sum(1 / i for i in range(1, k + 1))
    laplace = found[:, METHODS.index("Laplace")]
    assert abs(laplace.mean() - expected) < 8 * laplace.std() / 40**0.5
    normal = found[:, METHODS.index("normal")].mean()
    assert found[:, METHODS.index("projection")].mean() <= normal


def test_weights_are_best_for_many_questions_and_worst_for_few():
    def means(n, k):
        rows = [largest_errors(n, k, 1.0, seed) for seed in range(12)]
        return dict(zip(METHODS, np.mean(rows, axis=0), strict=True))

    few, many = means(2000, 4), means(500, 448)
    assert few["Laplace"] < few["weights"]
    assert many["weights"] < many["normal"] < many["Laplace"]


def test_picture_follows_the_controls():
    explorer = ManyQueries()
    for name, value in (("k", 170), ("n", 250), ("epsilon", 0.1)):
        explorer.controls[name].value = value
    view = explorer.view()
    assert [bar.get_width() for bar in explorer.bars] == pytest.approx(
        [min(error, 1) for error in view.here.values()]
    )
    for line, name in zip(explorer.lines, METHODS, strict=True):
        assert line.get_ydata() == pytest.approx(view.errors[name])
    assert explorer.rule.get_xdata() == [170, 170]
    before = view.here
    explorer.controls["again"].click()
    assert explorer.view().here != before


def test_caption_says_guess_errors_and_the_best():
    explorer = ManyQueries()
    caption, view = explorer.picture.tooltip, explorer.view()
    assert "65 questions about 1,000 people, ε = 1: a 50% guess becomes at most 73%" in caption
    assert f"by {100 * view.here['weights']:.2g}% with multiplicative weights" in caption
    assert (
        f"The best of the five here is {view.best}, with {100 * view.here[view.best]:.2g}%"
        in caption
    )
