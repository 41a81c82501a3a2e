import numpy as np
import pytest

from dplab.queries import banded_factorization, optimal_factors, tree_factorization
from dplab.widgets import NoiseMemory
from dplab.widgets.noise_memory import BANDS, BEST, FACTORS, ROOT, SIZES, STEPS, TREE, paint


def test_errors_are_the_library_s():
    explorer = NoiseMemory()
    for n in SIZES:
        explorer.controls["n"].value = n
        errors = explorer.view().errors
        assert errors[STEPS] == pytest.approx(np.sqrt(np.arange(1, n + 1)))
        assert errors[TREE] == pytest.approx(tree_factorization(n).errors())
        assert errors[BANDS] == pytest.approx(banded_factorization(n, min(4, n)).errors())
        assert errors[ROOT] == pytest.approx(banded_factorization(n, n).errors())
        best = optimal_factors(np.tri(n), gap=1e-4)
        assert errors[BEST].max() == pytest.approx(best.error, rel=0.005)
        assert explorer.view().bound == pytest.approx(best.bound, rel=0.005)
        assert explorer.view().bound <= min(row.max() for row in errors.values()) + 1e-12


@pytest.mark.parametrize("name", FACTORS)
def test_picture_follows_the_controls(name):
    explorer = NoiseMemory()
    for control, value in (("name", name), ("n", 8), ("t", 7)):
        explorer.controls[control].value = value
    view = explorer.view()
    assert (view.name, view.n, view.t) == (name, 8, 7)
    assert view.factorization.workload == pytest.approx(np.tri(8), abs=1e-9)
    matrices = view.factorization.strategy, view.factorization.recovery
    for image, matrix in zip(explorer.images, matrices, strict=True):
        shown = image.get_array()
        assert shown.shape == (*matrix.shape, 3)
        assert ((shown == 255).all(axis=-1) == (abs(matrix) < 1e-5)).all()
        assert list(image.get_extent()) == [0, 1, 1, 0]
    assert (explorer.frame.get_y(), explorer.frame.get_height()) == (6 / 8, 1 / 8)
    assert explorer.line.get_ydata() == pytest.approx(view.errors[name])
    for line, other in zip(explorer.others, FACTORS, strict=True):
        assert line.get_ydata() == pytest.approx(view.errors[other])
    assert explorer.dot.get_data() == ([7], [view.here])
    assert explorer.bound.get_ydata() == [view.bound] * 2


def test_the_last_count_moves_with_the_number_of_steps():
    explorer = NoiseMemory()
    explorer.controls["n"].value = 4
    assert (explorer.value("t"), explorer.controls["t"].max) == (4, 4)
    explorer.controls["n"].value = 32
    assert (explorer.value("t"), explorer.controls["t"].max) == (4, 32)


def test_pixels_are_darker_for_larger_entries_and_of_another_colour_below_zero():
    pixels = paint(np.array([[0.0, 1, 4, -4]]), "#000000")[0].tolist()
    assert pixels[:3] == [[255] * 3, [128] * 3, [0] * 3]
    assert pixels[3] == [230, 159, 0]


def test_caption_says_how_far_off_counts_are():
    explorer = NoiseMemory()
    explorer.controls["name"].value = TREE
    explorer.controls["n"].value = 32
    explorer.controls["t"].value = 32
    assert explorer.picture.tooltip == (
        "With the tree, count 32 is off by 2.4, the worst by 5.5; the least possible is 1.9."
    )
    explorer.controls["name"].value = STEPS
    assert "With noise on each step, count 32 is off by 5.7, the" in explorer.picture.tooltip
