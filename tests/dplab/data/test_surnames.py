import numpy as np
import pytest

from dplab.data.surnames import Country, Residents


def test_residents_follow_the_countrys_laws():
    """200,000 people: a count is off by less than seven standard deviations, but with P < 1e-9."""
    rng = np.random.default_rng(4)
    groups, names = [[0.2, 0.8], [0.5, 0.5]], [[0.9, 0.1, 0.0], [0.1, 0.3, 0.6]]
    country = Country(np.array(groups), np.array(names))
    people = country.residents(200_000, rng)
    for block in (0, 1):
        for group in (0, 1):
            for surname in (0, 1, 2):
                share = country.group_of_block[block, group]
                share *= country.surname_of_group[group, surname] / 2
                here = (people.block == block) & (people.group == group)
                count = (here & (people.surname == surname)).sum()
                assert abs(count - 200_000 * share) <= 7 * (200_000 * share) ** 0.5


def test_a_country_has_laws():
    country = Country.random(np.random.default_rng(1), blocks=5, groups=3, surnames=7)
    assert country.group_of_block.shape == (5, 3)
    assert country.surname_of_group.shape == (3, 7)
    assert country.group_of_block.sum(axis=1) == pytest.approx(1)


def test_a_seed_gives_one_country():
    people = [
        Country.random(np.random.default_rng(9)).residents(50, np.random.default_rng(1))
        for _ in "ab"
    ]
    assert (people[0].surname == people[1].surname).all()
    assert len(people[0][:10]) == 10


def test_residents_by_mask():
    people = Residents(np.arange(3), np.arange(3), np.arange(3))
    assert people[people.block > 0].group.tolist() == [1, 2]


@pytest.mark.parametrize("name", ["blocks", "groups", "surnames"])
def test_sizes_are_whole(name):
    with pytest.raises(ValueError, match=f"{name} must be a whole number"):
        Country.random(np.random.default_rng(1), **{name: 0})
