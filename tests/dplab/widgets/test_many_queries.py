import numpy as np
import pytest

from dplab.widgets import ManyQueries
from dplab.widgets.many_queries import (
    BITS,
    CELLS,
    KS,
    LIMITS,
    METHODS,
    PEOPLE,
    ROOM,
    WAYS,
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
        assert explorer.right_ax.get_ylim()[0] <= min(line.get_ydata())
        assert explorer.right_ax.get_ylim()[1] > max(line.get_ydata())
    assert explorer.rule.get_xdata() == [170, 170]
    before = view.here
    explorer.controls["again"].click()
    assert explorer.view().here != before


def test_left_axis_ends_where_the_largest_error_needs_it():
    explorer = ManyQueries()
    for k in KS:
        explorer.controls["k"].value = k
        largest = min(1, max(explorer.view().here.values()))
        fitting = [limit for limit in LIMITS if limit >= ROOM * largest]
        assert explorer.left_ax.get_xlim() == (0, fitting[0])


def test_each_number_is_beside_its_bar_and_within_the_axis():
    explorer = ManyQueries()
    renderer = explorer.canvas.get_renderer()
    for k, n in ((65, 1000), (448, 1000), (448, 250), (4, 10_000)):
        explorer.controls["k"].value, explorer.controls["n"].value = k, n
        for bar, number in zip(explorer.bars, explorer.numbers, strict=True):
            text = number.get_window_extent(renderer)
            assert bar.get_window_extent(renderer).x1 < text.x0
            assert text.x1 < explorer.left_ax.bbox.x1


def test_caption_says_guess_errors_and_the_best():
    explorer = ManyQueries()
    here, best = explorer.view().here, explorer.view().best
    assert best != "Laplace"
    assert explorer.picture.tooltip == (
        f"The worst of 65 answers is off by {100 * here['Laplace']:.2g}% of the people with "
        f"Laplace noise, {100 * here[best]:.2g}% with {WAYS[best]}. "
        "A 50% guess becomes at most 73%."
    )
    explorer.controls["k"].value = 4
    assert explorer.view().best == "Laplace"
    assert "with Laplace noise, the best way here. A 50% guess" in explorer.picture.tooltip
