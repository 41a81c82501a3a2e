"""The scripts of the explorables, run in Node, compute what the library computes."""

import json

import numpy as np
import pytest

from course.site.explorables import DRAWN, LESSONS, NAMES, SCRIPTS, draw, run_script
from dplab import CoinSurvey, Laplace
from dplab.attacks.least_squares import least_squares
from dplab.attacks.membership import Population, tracing_power
from tests.course.node import node
from tests.course.test_lessons import COURSE

MOST_BYTES = 60_000


def evaluated(model, expression):
    """The value of an expression in JavaScript, with the names of a script."""
    text = f'import * as it from "./{model}.js";\nconsole.log(JSON.stringify({expression}));'
    return json.loads(run_script(text, node()))


def mixed(value):
    """Mix the bits of a number, as `uniforms` in common.js does, and return a share."""

    def product(a, b):
        return a * b & 0xFFFFFFFF

    found = product(value ^ value >> 15, value | 1)
    found ^= (found + product(found ^ found >> 7, found | 61)) & 0xFFFFFFFF
    return (found ^ found >> 14) / 2**32


def uniforms(seed):
    """The same numbers that the scripts draw from this seed."""
    while True:
        seed = (seed + 0x6D2B79F5) & 0xFFFFFFFF
        yield mixed(seed)


def test_scripts_and_pictures_are_light():
    assert set(LESSONS) == set(NAMES)
    for name, lesson in LESSONS.items():
        assert (COURSE / f"{lesson}.ipynb").exists()
        weight = sum((SCRIPTS / f"{part}.js").stat().st_size for part in (name, "common", "start"))
        assert weight + (DRAWN / f"{name}.svg").stat().st_size < MOST_BYTES


def test_pictures_without_a_script_are_the_present_ones():
    for name, svg in draw(node()).items():
        assert (DRAWN / f"{name}.svg").read_text(encoding="utf-8") == svg


@pytest.mark.parametrize(("epsilon", "share"), [(0.3, 0.0), (1.1, 0.35), (4.0, 0.8)])
def test_a_class_answers_and_is_estimated_as_in_the_library(epsilon, share):
    drawn = uniforms(1965)
    theta = np.tanh(epsilon / 2)
    answers, coins = [], []
    for number in range(100):
        coin, second, _ = (next(drawn) for _ in range(3))
        coins.append(coin < theta)
        answers.append(number < round(share * 100) if coins[-1] else second < 0.5)
    yes, survey = float(np.mean(answers)), CoinSurvey(theta, yes=0.5)
    students, found = evaluated(
        "coins",
        f"""[it.survey(1965, {share}, {epsilon}), [it.estimate({yes}, {epsilon}),
        it.standardError({epsilon}, 100)]]""",
    )
    assert [student["yes"] for student in students] == answers
    assert [student["isHeads"] for student in students] == coins
    estimate = survey.share(np.array(answers, dtype=int))
    chances = [law.expectation(float) for law in survey.answer_laws]
    error = np.sqrt(np.average([p * (1 - p) for p in chances], weights=[1 - share, share]) / 100)
    assert found == pytest.approx([estimate.value, error / theta], abs=1e-9)
    assert survey.guarantee.epsilon == pytest.approx(epsilon, abs=1e-9)


def test_bells_and_their_losses_are_the_library_s():
    cases = [(y, d, s) for y in (-4.5, 0.0, 0.4, 2.0, 6.5) for d in (0.0, 1.0, 3.0) for s in (1, 3)]
    found = evaluated(
        "bells",
        f"{json.dumps(cases)}.map(([y, d, s]) => "
        "[it.density(y, d, s), it.loss(y, d, s), it.bound(d, s)])",
    )
    for (y, distance, scale), (density, loss, bound) in zip(cases, found, strict=True):
        ours, others = Laplace(0.0, scale), Laplace(distance, scale)
        assert density == pytest.approx(np.exp(others.log_density(y)), abs=1e-9)
        assert loss == pytest.approx(ours.log_density(y) - others.log_density(y), abs=1e-9)
        assert abs(loss) <= bound == pytest.approx(distance / scale)


@pytest.mark.parametrize(("asked", "noise"), [(20, 2), (64, 0.5), (256, 8)])
def test_bits_are_read_as_by_the_library_s_least_squares(asked, noise):
    """The weight on 1/2 is one more equation for each person."""
    town, weight, estimates, share = evaluated(
        "bits",
        f"""(() => {{
          const town = it.ask(2003, {noise}), weight = it.ridge({noise});
          const estimates = [...it.solve(town.questions, town.answers, weight)][{asked}];
          return [town, weight, estimates, it.shareRight(estimates, town.bits)];
        }})()""",
    )
    drawn = uniforms(2003)
    assert town["bits"] == [int(next(drawn) < 0.5) for _ in range(64)]
    assert town["questions"][0] == [int(next(drawn) < 0.5) for _ in range(64)]
    questions, answers = (np.array(town[key])[:asked] for key in ("questions", "answers"))
    off = answers - questions @ town["bits"]
    assert 0.5 * noise < off.std() < 1.5 * noise
    pull = np.sqrt(weight) * np.eye(64)
    found = least_squares(
        np.vstack([questions, pull]), np.concatenate([answers, pull.sum(axis=1) / 2])
    )
    assert estimates == pytest.approx(found.estimates, abs=1e-7)  # of 256 updates
    assert share == found.accuracy(town["bits"])


def test_scores_and_the_share_of_members_found_are_the_library_s():
    people, found = evaluated(
        "scores",
        """(() => {
          const people = it.draw(2008);
          return [people.map((one) => [...one].slice(0, 300)), it.scores(people, 300)];
        })()""",
    )
    drawn = uniforms(2008)
    assert people[0] == [int(next(drawn) < 0.5) for _ in range(800)][:300]
    means = np.mean(people[:100], axis=0)
    assert found == pytest.approx(Population.fair(300).scores(people, means), abs=1e-9)
    cases = [(z, d) for z in (-1, 0, 1.65, 3.1) for d in (20, 200, 800)]
    rates = evaluated(
        "scores",
        f"{json.dumps(cases)}.map(([z, d]) => "
        "[it.falsePositiveRate(z), it.truePositiveRate(z, d, 100)])",
    )
    for (_, d), (false, true) in zip(cases, rates, strict=True):
        power = tracing_power(d, 100, false_positive_rate=false)
        assert true == pytest.approx(power, abs=1e-9)
    assert [rates[3][0], rates[6][0]] == pytest.approx([0.5, 0.0494714680336], abs=1e-9)
