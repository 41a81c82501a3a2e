import numpy as np
import pytest

from dplab import GeometricMechanism, SnappingMechanism
from dplab.widgets import GridNoise
from dplab.widgets.grid_noise import GEOMETRIC, GRIDS, SNAPPING, grid_view


@pytest.mark.parametrize("grid", GRIDS)
@pytest.mark.parametrize("epsilon", [0.2, 1.0, 2.0])
def test_the_geometric_law_is_the_librarys_and_keeps_its_promise(grid, epsilon):
    view = grid_view(GEOMETRIC, epsilon=epsilon, grid=grid)
    mechanism = GeometricMechanism(int, sensitivity=1, epsilon=epsilon, grid=view.grid)
    for law, answer in zip(view.laws, (0, 1), strict=True):
        density = mechanism.distribution(answer).log_density(view.outputs)
        assert law.log_densities(view.outputs.tolist()) == pytest.approx(density)
    assert abs(view.log_ratio).max() == pytest.approx(epsilon)
    assert view.deviation**2 == pytest.approx(mechanism.distribution(0).variance, rel=0.01)


def test_snapping_has_a_grid_at_least_as_wide_as_its_scale():
    view = grid_view(SNAPPING, epsilon=0.7, grid="1")
    mechanism = SnappingMechanism(float, sensitivity=1, epsilon=0.7, bound=32)
    assert view.grid == 2.0 >= mechanism.scale
    assert set(view.outputs % 2) == {0.0}
    assert 0.69 < abs(view.log_ratio).max() <= 0.7


def test_finer_grids_bring_the_noise_of_real_numbers():
    deviations = [grid_view(GEOMETRIC, epsilon=1.0, grid=grid).deviation for grid in GRIDS]
    assert np.all(np.diff(deviations) < 0)
    assert deviations[0] == pytest.approx(2**0.5, rel=1e-3)
    assert grid_view(SNAPPING, epsilon=1.0, grid="1").deviation > 2**0.5


def test_picture_shows_both_laws_and_their_ratio():
    explorer = GridNoise()
    explorer.controls["grid"].value = "1/4"
    view = explorer.view()
    for bars, heights in zip(explorer.bars, view.probabilities, strict=True):
        assert [segment[1, 1] for segment in bars.get_segments()] == pytest.approx(heights)
    assert explorer.ratio.get_ydata() == pytest.approx(view.log_ratio)
    assert [line.get_ydata()[0] for line in explorer.promise] == [1.0, -1.0]
    said = "multiples of 1/4, with standard deviation 1.41; Laplace noise has 1.41. "
    assert said + "A 50% guess becomes at most 73%." in explorer.picture.tooltip


def test_snapping_chooses_its_own_grid():
    explorer = GridNoise()
    assert not explorer.controls["grid"].disabled
    explorer.controls["mechanism"].value = SNAPPING
    assert explorer.controls["grid"].disabled
    said = "Outputs are multiples of 2, with standard deviation 1.49; Laplace noise has 1.41. "
    assert explorer.picture.tooltip.startswith(said)


def test_bars_stay_inside_their_axis():
    explorer = GridNoise()
    for mechanism in (GEOMETRIC, SNAPPING):
        for epsilon in (0.2, 2.0):
            explorer.controls["mechanism"].value = mechanism
            explorer.controls["epsilon"].value = epsilon
            top = explorer.bars[0].axes.get_ylim()[1]
            assert max(s[1, 1] for b in explorer.bars for s in b.get_segments()) < top
            end = explorer.ratio.axes.get_ylim()[1]
            assert abs(explorer.ratio.get_ydata()).max() <= epsilon + 1e-9 < end
