"""The town is what its description says: each dependence is measured, each test at 1e-10."""

import numpy as np
import pytest
from scipy.stats import norm

from dplab.audit import goodness_of_fit
from dplab.data import make_town
from dplab.data.town import chance_of_illness
from dplab.distributions import Finite


@pytest.fixture(scope="module")
def people():
    return make_town(40_000, np.random.default_rng(7))


def share_within(values, expected, failure=1e-10):
    """Whether a mean of independent indicators is within Hoeffding's distance of `expected`."""
    return abs(np.mean(values) - expected) <= np.sqrt(np.log(2 / failure) / (2 * len(values)))


def uniform(values):
    return Finite.of({int(value): 1 / len(values) for value in values})


def test_one_seed_one_town_and_another_seed_another():
    first, again, other = (make_town(300, np.random.default_rng(seed)) for seed in (1, 1, 2))
    assert first.equals(again)
    assert not first.equals(other)


def test_columns_have_the_values_that_are_documented(people):
    first, *others = people
    assert first == "name"
    assert " ".join(others) == "sex age birthday block education marital income ill"
    assert all(people[c].dtype.kind == "i" for c in people if c not in ("name", "sex", "marital"))
    assert set(people.sex) == {"F", "M"}
    assert set(people.marital) == {"single", "married", "divorced", "widowed"}
    for column, (least, most) in {
        "age": (18, 95),
        "birthday": (1, 365),
        "block": (1, 800),
        "education": (8, 20),
        "ill": (0, 1),
    }.items():
        assert (people[column].min(), people[column].max()) == (least, most)
    assert (people.income > 0).all()
    assert (people.income % 100 == 0).all()


def test_sex_birthday_and_block_are_uniform_and_age_is_up_to_55(people):
    """Four fits: false-failure probability 4e-10."""
    assert share_within(people.sex == "F", 1 / 2)
    assert goodness_of_fit(people.birthday.to_numpy(), uniform(range(1, 366))).passed
    assert goodness_of_fit(people.block.to_numpy(), uniform(range(1, 801))).passed
    young = people.age[people.age <= 55].to_numpy()
    assert goodness_of_fit(young, uniform(range(18, 56))).passed
    assert (people.age > 90).sum() < (people.age.between(51, 55)).sum() / 2


def test_illness_follows_its_formula_at_every_age(people):
    """Three Hoeffding bounds: 3e-10."""
    for low, high in ((18, 30), (31, 60), (61, 95)):
        group = people[people.age.between(low, high)]
        assert share_within(group.ill, chance_of_illness(group.age).mean())
    assert chance_of_illness(18) == pytest.approx(0.05)
    assert chance_of_illness(95) == pytest.approx(0.281)


def test_marital_status_follows_its_formula(people):
    """Four Hoeffding bounds: 4e-10."""
    still = np.exp(-(people.age - 18) / 12)
    assert share_within(people.marital == "single", still.mean())
    for sex, factor in (("F", 1), ("M", 0.5)):
        group = people[people.sex == sex]
        lost = (1 - still[group.index]) * ((group.age - 18) / 77) ** 3 * factor
        assert share_within(group.marital == "widowed", lost.mean())
    wed = people[people.marital.isin(["married", "divorced"])]
    assert share_within(wed.marital == "divorced", 0.15)


def test_the_young_have_longer_schooling(people):
    """The median of the rounded normal is within a year of its centre: at 30 and at 65."""
    for age, centre in ((30, 14.4), (65, 13.0)):
        assert abs(people.education[people.age.between(age - 2, age + 2)].median() - centre) < 1


def test_income_follows_education_and_block(people):
    """Regression within blocks: slope 0.1 and residual 0.5, six standard errors: 4e-9, fixed seed.

    Means of the log income by block spread as 0.4 (wealth), sqrt(0.25 / 50) more by chance.
    """
    logs, by_block = np.log(people.income / 20_000), people.groupby("block")
    schooling = people.education - by_block.education.transform("mean")
    within = logs - logs.groupby(people.block).transform("mean")
    slope = (schooling @ within) / (schooling @ schooling)
    noise = np.std(within - slope * schooling)
    assert noise == pytest.approx(0.5, abs=6 * 0.5 / np.sqrt(2 * len(people)) + 0.006)
    assert slope == pytest.approx(0.1, abs=6 * 0.5 / np.sqrt(schooling @ schooling))
    wealth = (logs - 0.1 * (people.education - 12)).groupby(people.block).mean()
    assert np.std(wealth) == pytest.approx(0.4, abs=0.4 * norm.isf(1e-10) / np.sqrt(2 * 800))


def test_illness_depends_on_age_alone(people):
    """Given age, women and men are ill alike: two Hoeffding bounds, 2e-10."""
    for sex in "FM":
        group = people[people.sex == sex]
        assert share_within(group.ill, chance_of_illness(group.age).mean())


def test_a_small_town_is_one_block_and_an_impossible_one_is_refused():
    assert set(make_town(20, np.random.default_rng(3)).block) == {1}
    for n in (0, 2.5, True):
        with pytest.raises(ValueError, match="n must be a whole number"):
            make_town(n, np.random.default_rng(3))
