import numpy as np
import pytest

from dplab.theorems.reconstruction_law import collapsed_share, contrary_share
from dplab.widgets import ReconstructBits, style
from dplab.widgets.reconstruct_bits import MEASURED_AT, SIZES, TILE, bits_view


def view(**changed):
    chosen = {"n": 256, "kappa": 4.0, "error": 2.0, "curator": "random"} | changed
    return bits_view(**chosen, rng=np.random.default_rng(4))


def test_curves_are_the_two_laws():
    found = view(n=64, kappa=6.0).laws
    assert found["random"] == pytest.approx(collapsed_share(SIZES / 8, 6.0))
    assert found["contrary"] == pytest.approx(contrary_share(SIZES / 8, 6.0))


@pytest.mark.parametrize("curator", ["random", "contrary"])
def test_attacks_follow_the_law_of_their_curator(curator):
    found = view(curator=curator)
    assert found.measured == pytest.approx(found.laws[curator][::8], abs=0.12)
    assert len(found.measured) == len(MEASURED_AT)


def test_the_contrary_curator_turns_the_bits_over():
    assert view(error=16.0, curator="contrary").share < 0.1
    assert view(error=16.0).share > 0.5


def test_picture_colours_each_bit_and_counts_them():
    explorer = ReconstructBits()
    explorer.controls["error"].value = 10.0
    hits = explorer.view().hits
    colours = np.asarray(explorer.people.get_array())[::TILE, ::TILE].reshape(-1, 4)
    blue = (colours == style.shades(style.BLUE)).all(axis=1)
    assert (blue == hits).all()
    holes = np.asarray(explorer.people.get_array())[5::TILE, 5::TILE].reshape(-1, 4)
    assert ((holes == 255).all(axis=1) == ~hits).all()
    assert explorer.tally.get_text().startswith(f"{hits.sum()} right")
    assert explorer.marker.get_ydata() == [hits.mean()]


def test_controls_change_the_picture():
    explorer = ReconstructBits()
    for name, value in (("n", 256), ("kappa", 8.0), ("error", 5.0), ("curator", "contrary")):
        before = explorer.picture.value
        explorer.controls[name].value = value
        assert explorer.picture.value != before
    before = explorer.picture.value
    explorer.controls["again"].click()
    assert explorer.picture.value != before
    assert explorer.root.get_xdata() == [16, 16]
    right = explorer.view().hits.sum()
    said = f"Each of 2,048 counts is moved by 5. Least squares guesses {right} of 256 bits right."
    assert explorer.picture.tooltip == said
