"""A key draws thirty releases; answers to them are scored by level."""

from collections import Counter

import numpy as np
import pytest

from dplab.audit_range import AuditRange, Witness
from dplab.audit_range.ranges import draw_targets
from dplab.audit_range.scenarios import LEVELS, SCENARIOS
from dplab.audit_range.scoring import KEEPS, check_answers, score
from tests.tiers import is_exhaustive

KEYS = [f"secret {number}" for number in range(1000 if is_exhaustive() else 40)]
RNG = np.random.default_rng(50)


def targets_of(level, key="a key"):
    return {n: one for n, one in draw_targets(key).items() if one.scenario.level == level}


def identity(target):
    return target.scenario.name, target.is_broken, *target.numbers.items()


def test_each_key_draws_ten_releases_of_each_level_of_which_twenty_break():
    for key in KEYS:
        targets = draw_targets(key)
        assert list(targets) == list(range(1, 31))
        assert [one.scenario.level for one in targets.values()] == [1] * 10 + [2] * 10 + [3] * 10
        assert {one.scenario.name for one in targets.values()} == {*SCENARIOS}
        broken = Counter(one.scenario.level for one in targets.values() if one.is_broken)
        assert sorted(broken.values()) == [6, 7, 7]


def test_only_forms_are_drawn_that_the_tests_of_scenarios_audit():
    for key in KEYS:
        for target in draw_targets(key).values():
            assert dict(target.numbers) in target.scenario.numbers()


def test_each_scenario_is_sound_for_some_and_broken_for_others():
    """Each is broken with probability 6/10 or more, and not with 3/10: (7/10)^40 is 6e-7.

    The keys are fixed, so the outcome is always the same.
    """
    seen = {(one.scenario.name, one.is_broken) for k in KEYS for one in draw_targets(k).values()}
    assert len(seen) == 60


def test_a_key_always_draws_the_same_range_and_another_key_another():
    first, again, other = (list(map(identity, draw_targets(k).values())) for k in ("a", b"a", "b"))
    assert first == again
    assert len(set(first) & set(other)) < 25
    patterns = {tuple(one.is_broken for one in draw_targets(key).values()) for key in KEYS}
    assert len(patterns) == len(KEYS)


def test_the_releases_of_a_range_are_those_of_its_levels():
    audit_range = AuditRange("a key")
    assert list(audit_range.releases) == list(range(1, 31))
    assert [next(iter(audit_range.level(level))) for level in LEVELS] == [1, 11, 21]
    text = str(audit_range.releases[1])
    assert "claims PureDP(epsilon=" in text
    assert "A record is" in text


@pytest.mark.parametrize("key", ["", b"", None, 7, ["a"]])
def test_a_key_must_be_a_text_or_bytes(key):
    with pytest.raises(ValueError, match="key must be a text or bytes"):
        AuditRange(key)


def test_a_level_must_be_one_of_three():
    with pytest.raises(ValueError, match="level must be"):
        AuditRange("a key").level(4)


@pytest.mark.parametrize("level", LEVELS)
def test_keeps_it_everywhere_gives_nothing(level):
    for key in KEYS[:20]:
        answers = dict.fromkeys(targets_of(level, key), KEEPS)
        assert score(key, level, answers, RNG).share == 0


def test_right_answers_without_proof_give_a_small_share():
    targets = targets_of(1)
    sound = {number: KEEPS for number, one in targets.items() if not one.is_broken}
    result = score("a key", 1, sound, RNG)
    assert result.points == dict.fromkeys(sound, 1)
    assert result.most == len(sound) + 3 * (10 - len(sound))
    assert 0.1 < result.share < 0.2


def test_a_witness_that_proves_nothing_costs_a_point_wherever_it_is():
    answers = {}
    for number, target in targets_of(2).items():
        x = next(target.release.domain.datasets())
        y = next(target.release.domain.neighbors_of(x))
        answers[number] = Witness(x, y, ("among", []), 9)
    result = score("a key", 2, answers, RNG)
    assert result.points == dict.fromkeys(answers, -1)
    assert result.share == 0
    assert set(result.refusals) == set(answers)


def test_a_proof_gives_three_points_and_no_answer_none():
    keys = (k for k in KEYS if identity(draw_targets(k)[1])[:2] == ("ties_told", True))
    key = next(keys)
    witness = Witness(("A", "B"), ("A",), ("part", 1, ("among", ["tie"])), 3.0)
    assert score(key, 1, {1: witness}, RNG).points == {1: 3}
    assert score(key, 1, {}, RNG).share == 0


def test_advice_says_why_the_first_witnesses_fail():
    advice = score("a key", 1, dict.fromkeys((3, 5, 7, 8), (None,) * 4), RNG).advice
    reason = "In x: A dataset must be a list or a tuple of records."
    assert advice == (
        f"Release 3: {reason} Release 5: {reason} And 2 more witnesses fail. "
        "Call verify to see why a witness fails."
    )
    sound = next(number for number, one in targets_of(1).items() if not one.is_broken)
    assert score("a key", 1, {sound: KEEPS}, RNG).advice.startswith("No witness fails.")


@pytest.mark.parametrize(
    ("answers", "words"),
    [
        (None, "it is None, and should be a dict"),
        ([KEEPS], "it is list"),
        ({0: KEEPS}, "level 1 has the releases 1 to 10, not 0"),
        ({11: KEEPS}, "not 11"),
        ({"1": KEEPS}, "not '1'"),
        ({True: KEEPS}, "not True"),
        ({1 + 0j: KEEPS}, r"not \(1\+0j\)"),
        ({10**6000: KEEPS}, "not a value of type int"),
        ({1: "broken"}, "the answer to release 1 must be 'keeps it' or a Witness"),
        ({1: (1, 2, 3)}, "must be 'keeps it' or a Witness"),
        ({1: True}, "must be 'keeps it' or a Witness"),
    ],
)
def test_answers_of_another_form_are_refused_in_words(answers, words):
    with pytest.raises(ValueError, match=words):
        check_answers("a key", 1, answers)
