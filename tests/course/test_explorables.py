"""The scripts of the explorables, run in Node, compute what the library computes."""

import json

import numpy as np
import pytest

from course.site.explorables import DRAWN, LESSONS, NAMES, SCRIPTS, draw, run_script
from dplab import CoinSurvey
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
        it.standardError({yes}, {epsilon}, 100), it.yesShare({share}, {epsilon})]]""",
    )
    assert [student["yes"] for student in students] == answers
    assert [student["isHeads"] for student in students] == coins
    estimate = survey.share(np.array(answers, dtype=int))
    no_law, yes_law = survey.answer_laws
    expected = share * yes_law.expectation(float) + (1 - share) * no_law.expectation(float)
    assert found == pytest.approx([estimate.value, estimate.standard_error, expected], abs=1e-9)
    assert survey.guarantee.epsilon == pytest.approx(epsilon, abs=1e-9)
