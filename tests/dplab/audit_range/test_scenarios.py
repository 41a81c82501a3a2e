"""Sound forms of each scenario keep their claims, and broken ones break them: exactly, by laws."""

import math

import numpy as np
import pytest

from dplab import ADD_REMOVE
from dplab.audit_range.coins import TAIL, Choice, at_least, enumerate_outputs, geometric, noisy
from dplab.audit_range.events import read_event
from dplab.audit_range.ranges import BROKEN
from dplab.audit_range.releases import law_of
from dplab.audit_range.scenarios import LEVELS, SCENARIOS
from tests.tiers import is_exhaustive

MARGIN = 0.04  # of a broken release: the excess of an event over its claim
every_scenario = pytest.mark.parametrize("name", SCENARIOS)


def forms(name, is_broken):
    """Releases of a scenario: with the first and the last numbers, or with all."""
    numbers = SCENARIOS[name].numbers()
    chosen = numbers if is_exhaustive() else numbers[:: max(1, len(numbers) - 1)]
    return [SCENARIOS[name].build(is_broken, **one) for one in chosen]


def largest_excess(release):
    """The largest P[x in E] - e^epsilon P[y in E] - delta of all neighbours and events."""
    factor, excesses = math.exp(release.epsilon), []
    for x in release.domain.datasets():
        p = law_of(release, x)
        for y in release.domain.neighbors_of(x):
            q = law_of(release, y)
            excesses.append(sum(max(0.0, m - factor * q.get(o, 0)) for o, m in p.items()))
    return max(excesses) - release.delta


def test_each_level_has_ten_scenarios_with_different_texts():
    levels = [scenario.level for scenario in SCENARIOS.values()]
    assert [levels.count(level) for level in LEVELS] == [10, 10, 10]
    assert sum(BROKEN) == 20
    assert len({scenario.mistake for scenario in SCENARIOS.values()}) == 30


@every_scenario
def test_a_sound_form_keeps_its_claim(name):
    """Over all datasets, neighbours and events; only tails of noise that are cut off are more."""
    for release in forms(name, False):
        assert largest_excess(release) <= 8 * TAIL, release


@every_scenario
def test_a_broken_form_breaks_its_claim_by_a_margin(name):
    for release in forms(name, True):
        if law_of(release, next(release.domain.datasets())) is None:
            assert name == "laplace_in_floats"
        else:
            assert largest_excess(release) >= MARGIN, release


@every_scenario
def test_all_outputs_of_a_release_fit_into_an_event(name):
    """An auditor who computes the laws may list all outputs that are too likely."""
    for release in forms(name, True):
        domain = release.domain
        for x in (next(domain.datasets()), domain.read(domain.universe[-1:] * domain.most)):
            outputs = [*(law_of(release, x) or ())]
            assert len(read_event(("among", outputs))[1]) == len(outputs)


@every_scenario
def test_both_forms_claim_and_say_the_same(name):
    """So a description does not tell whether the release breaks."""
    for sound, broken in zip(forms(name, False), forms(name, True), strict=True):
        assert str(sound) == str(broken)
        assert sound.domain == broken.domain


@every_scenario
def test_draws_have_the_enumerated_law(name):
    """2,000 draws: by Hoeffding an event is off by 0.08 with probability 2e-11."""
    for is_broken in (False, True):
        release = forms(name, is_broken)[0]
        x = list(release.domain.datasets())[-1]
        if (law := law_of(release, x)) is None:
            continue
        assert math.fsum(law.values()) == pytest.approx(1, abs=1e-12)
        draws = release.draws(x, np.random.default_rng(), 2000)
        assert set(draws) <= set(law)
        likely = max(law, key=law.get)
        assert draws.count(likely) / 2000 == pytest.approx(law[likely], abs=0.08)
        half = set(sorted(law, key=repr)[::2])
        share = sum(draw in half for draw in draws) / 2000
        assert share == pytest.approx(math.fsum(law[o] for o in half), abs=0.08)


@every_scenario
def test_where_records_come_and_go_their_order_means_nothing(name):
    for is_broken in (False, True):
        release = forms(name, is_broken)[0]
        if release.domain.neighbors is ADD_REMOVE:
            x = release.domain.universe[-1:] + release.domain.universe[:1]
            assert release.domain.read(x) == release.domain.read(x[::-1])


def test_sound_forms_do_what_they_say_at_ends_and_ties():
    """A bound of noise that may occur, ties, and the middle: students see them in answers."""
    cut_off, lead, bisection = (
        SCENARIOS[name].build(False, **SCENARIOS[name].numbers()[0])
        for name in ("noise_cut_off", "lead_without_delta", "bisection")
    )
    assert "The bound itself has a probability of at most delta" in str(cut_off)
    law = law_of(cut_off, (0, 0, 0))
    assert max(law) == -min(law)
    assert 0 < law[max(law)] <= cut_off.delta
    assert "'0' for a tie" in str(lead)
    assert set(law_of(lead, (0, 1))) == {"0", "unstable"}
    assert "at least the middle, first 4, of the values that are left" in str(bisection)
    # if the answer is 0 or 1, the last step asks about all values of at least 1
    low, high = law_of(bisection, (0, 0, 0)), law_of(bisection, (7, 7, 0))
    assert low[1] / low[0] == pytest.approx(math.exp(-2 * bisection.epsilon / 3), rel=0.3)
    assert high[1] / high[0] > 1


@pytest.mark.parametrize("epsilon", [0.3, 1.0])
def test_noise_is_geometric(epsilon):
    noise, ratio = geometric(epsilon), math.exp(-epsilon)
    law = dict(zip(noise.values, noise.probabilities, strict=True))
    assert law[0] == pytest.approx((1 - ratio) / (1 + ratio))
    assert law[3] == pytest.approx(law[0] * ratio**3)
    assert law[max(law)] <= TAIL
    moved = noisy(2, epsilon, 0, 5)
    for value, probability in zip(moved.values, moved.probabilities, strict=True):
        same = [mass for k, mass in law.items() if min(max(2 + k, 0), 5) == value]
        assert probability == pytest.approx(math.fsum(same))
    for threshold in (-2, 0, 3):
        above = math.fsum(mass for k, mass in law.items() if k >= threshold)
        assert at_least(threshold, epsilon).probabilities[0] == pytest.approx(above)


def test_enumeration_follows_every_path():
    coin = Choice.of((0, 1), (3, 1))

    def run(data, coins):
        return coins.pick(coin) if coins.pick(coin) else "stopped"

    assert enumerate_outputs(run, ()) == {"stopped": 0.75, 0: 0.1875, 1: 0.0625}


def test_floats_and_too_many_paths_have_no_law(monkeypatch):
    monkeypatch.setattr("dplab.audit_range.coins.MAX_PATHS", 100)
    coin = Choice.of((0, 1), (1, 1))
    assert enumerate_outputs(lambda data, coins: coins.laplace(1.0), ()) is None
    seven = lambda data, coins: sum(coins.pick(coin) for _ in range(7))  # noqa: E731
    assert enumerate_outputs(seven, ()) is None
    six = lambda data, coins: sum(coins.pick(coin) for _ in range(6))  # noqa: E731
    assert enumerate_outputs(six, ())[3] == pytest.approx(20 / 64)
