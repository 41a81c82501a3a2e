import numpy as np
import pytest
from matplotlib.colors import to_hex

from dplab import Laplace
from dplab.attacks.floating_point import UNIFORMS, multiplicity
from dplab.widgets import FloatLattice, style
from dplab.widgets.float_lattice import CELLS, EXPONENTS, lattice_view


def view_at(exponent, answer=0, offset=0.3, epsilon=1.0):
    return lattice_view(answer=answer, offset=offset, epsilon=epsilon, exponent=exponent)


@pytest.mark.parametrize("epsilon", [0.3, 1.0])
def test_from_afar_cells_have_the_probabilities_of_the_two_densities(epsilon):
    view = view_at(3, epsilon=epsilon)
    for counts, center in zip(view.counts, (0, 1), strict=True):
        law = Laplace(center, 1 / epsilon)
        assert counts / UNIFORMS == pytest.approx(np.diff(law.cdf(view.edges)), rel=1e-9)
    assert abs(view.log_ratio).max() == pytest.approx(epsilon)


def test_a_cell_of_one_float_is_counted_as_that_float():
    view = view_at(54)
    assert view.one_float
    assert view.width == 2.0**-54
    for counts, center in zip(view.counts, (0, 1), strict=True):
        assert (counts == multiplicity(view.edges[:-1], center, 1)).all()


def test_float_by_float_the_two_datasets_come_apart():
    view = view_at(54)
    on_x, on_neighbor = view.possible
    loss = view.log_ratio
    assert (np.isposinf(loss) == (on_x & ~on_neighbor)).all()
    assert (np.isneginf(loss) == (~on_x & on_neighbor)).all()
    assert (np.isnan(loss) == ~(on_x | on_neighbor)).all()
    assert np.isposinf(loss).sum() > np.isfinite(loss).sum() > 0
    assert view.proof_share == pytest.approx(0.81, abs=0.02)


def test_cells_never_get_narrower_than_a_float():
    far = view_at(54, answer=1000)
    assert far.one_float
    assert far.width == np.spacing(1000.0)
    assert far.possible.all()  # around 1000 floats are coarse: each is reached often, on both
    assert abs(far.log_ratio).max() < 1.05
    near_zero = view_at(54, offset=0.0)
    assert near_zero.width == 2.0**-54
    assert not near_zero.one_float


def test_picture_shows_what_the_view_says():
    explorer = FloatLattice()
    view = explorer.view()
    assert view.one_float
    for bars, possible in zip(explorer.bars, view.possible, strict=True):
        assert len(bars.get_segments()) == possible.sum()
    up, down = (len(marks.get_xdata()) for marks in explorer.infinite)
    assert (up, down) == tuple(
        (np.isinf(view.log_ratio) & (np.sign(view.log_ratio) == s)).sum() for s in (1, -1)
    )
    assert len(explorer.finite.get_xdata()) == np.isfinite(view.log_ratio).sum()
    assert explorer.note.get_text() == "floats 2⁻⁵⁴ wide, around 0.3"


def test_floats_that_are_possible_on_both_are_green():
    explorer = FloatLattice()
    both = explorer.view().possible.all(axis=0).sum()
    for bars in explorer.bars:
        assert [to_hex(c) for c in bars.get_color()].count(style.GREEN.lower()) == both
    explorer.controls["exponent"].value = 3
    assert {to_hex(colour) for colour in explorer.bars[0].get_color()} == {style.BLUE.lower()}


def test_words_give_counts_and_what_a_guess_becomes():
    explorer = FloatLattice()
    both, share = explorer.view().possible.all(axis=0).sum(), explorer.view().proof_share
    assert explorer.picture.tooltip == (
        f"Of {CELLS} floats, {both} are possible on both (green). {share:.0%} of single outputs on "
        "x prove that it was x. The promise: a 50% guess becomes at most 73%."
    )
    explorer.controls["epsilon"].value = 0.1
    assert "a 50% guess becomes at most 52.5%" in explorer.picture.tooltip
    explorer.controls["exponent"].value = 3
    assert f"Of {CELLS} cells, all are possible on both. " in explorer.picture.tooltip
    explorer.controls["answer"].value = 1000
    assert "of 1,000 single outputs on x prove that it was x" in explorer.picture.tooltip
    explorer.controls["answer"].value = 1_000_000
    assert "None of 3,000 outputs drawn on x prove that it was x" in explorer.picture.tooltip


def test_bars_stay_inside_their_axis():
    explorer = FloatLattice()
    for exponent in EXPONENTS[::3]:
        for offset in (-3.0, 0.0, 0.5):
            explorer.controls["exponent"].value = exponent
            explorer.controls["offset"].value = offset
            tops = [np.abs(segment[1, 1]) for segment in explorer.bars[0].get_segments()]
            assert max(tops, default=0) < explorer.bars[0].axes.get_ylim()[1]
