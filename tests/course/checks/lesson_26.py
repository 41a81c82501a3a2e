"""The numbers of lesson 26; what is random among them is so by the lesson's generator."""

import numpy as np

from dplab.mechanisms.partition_selection import PartitionSelection


def after_outcome(share):
    """The text says "nearly half" of a table that is always the same."""
    assert 0.4 < share < 0.5


def after_sql_table(rides, per_rider):
    """At most 150 rides of a rider, one at least; half of the riders ride once or twice.

    Of 10,000 riders 54% do: by Hoeffding an error of 4 points has probability below 1e-13.
    """
    assert per_rider.sum() == len(rides)
    assert 1 == per_rider.min() < per_rider.max() <= 150
    assert abs((per_rider <= 2).mean() - 0.54) < 0.04


def after_sql_hand(kept, per_rider):
    """The query keeps five of each who has more, and all of the others."""
    assert [kept[rider] for rider in sorted(kept)] == np.minimum(per_rider, 5).tolist()


def after_naming_hand(pi):
    """The recursion by hand is the library's closed form."""
    assert np.allclose(pi, PartitionSelection(1, 0.01).naming_probability(np.arange(len(pi))))


def after_naming_audit(names, audited):
    """One person spends delta, and no table of up to six people more."""
    assert np.isclose(audited, names.delta)
    assert np.isclose(names.naming_probability(1), names.delta)


def after_naming_picture(best, laws):
    """A threshold names no station more often."""
    assert (best >= 1 - np.array([law[0] for law in laws]) - 1e-12).all()


def after_release_records(riders, per_rider, C):
    """A record for each rider, with at most C stations."""
    assert [len(stations) for stations in riders] == np.minimum(per_rider, C).tolist()


def after_release(riders, named, curator, C):
    """Stations of many riders are named for certain, those of nobody never; nothing is left."""
    selection = PartitionSelection(1, 1e-6, bound=C)
    people = selection.count_people(riders)
    assert {s for s, n in people.items() if selection.naming_probability(n) == 1} <= set(named)
    assert set(named) <= set(people)
    assert curator.budget.remaining.epsilon < 1e-9


def after_release_picture(published, counts, riders, true, named):
    """Noise of scale 5 passes 200 in one of 80 counts with probability 80 e^-40, below 1e-15."""
    assert abs(published - counts.query(riders)).max() < 200
    assert (counts.query(riders) <= true[named]).all()


def after_dp_accounting(exact, counts):
    """Laplace noise with delta = 1e-6 costs a bit less than epsilon."""
    assert counts.epsilon - 1e-5 < exact.upper < counts.epsilon


def after_year(years):
    """By hand, and by the conversion of lesson 12."""
    assert np.allclose([year.epsilon for year in years], [963.6, 23.2, 418.8], atol=0.05)


def after_odds(at):
    """Of epsilon = 10."""
    assert at == ["over 99.99%", "99.96%", "99.6%"]


def after_join(most, own):
    """Each ride meets all rides from its station."""
    assert most > 10 * own


def after_sign_try(per_rider, one, ten):
    """At epsilon = 1 one rider may exceed the bound, and ten rides may be from one station."""
    best = min(c for c in range(151) if (per_rider > c).sum() <= 1)
    assert best == np.sort(per_rider)[-2]
    assert np.linalg.norm(one) == 10
    assert np.isclose(np.linalg.norm(ten), np.sqrt(10))


def after_rappor_two(report, remembered):
    """The numbers of the text."""
    assert np.allclose((report, remembered), (0.5343, 2.0433), atol=1e-4)


def after_census_rho(both):
    """Below the sum of both epsilons."""
    assert np.isclose(both, 17.43, atol=0.005)
