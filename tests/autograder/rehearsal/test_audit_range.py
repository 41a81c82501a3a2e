"""The rehearsal of the range: the reference attack proves what breaks, and accuses nothing else."""

import json
from dataclasses import replace

import numpy as np
import pytest
from click.testing import CliRunner

from autograder import cli
from autograder.classroom.course.folders import Course, CourseError
from autograder.classroom.sets.set_variants import vary
from autograder.rehearsal.audit_range import keys, rehearse
from autograder.rehearsal.audit_range.attack import find_witness
from autograder.rehearsal.audit_range.rehearse import MAX_SECONDS, Attacked, attack, rehearse_key
from dplab.audit_range import AuditRange, Witness, verify
from dplab.audit_range.ranges import Target, draw_targets
from dplab.audit_range.scenarios import SCENARIOS
from tests.tiers import is_exhaustive


def forms(name, is_broken):
    numbers = SCENARIOS[name].numbers()
    chosen = numbers if is_exhaustive() else numbers[len(numbers) // 2 :][:1]
    return [Target(SCENARIOS[name], is_broken, one) for one in chosen]


@pytest.mark.parametrize("name", SCENARIOS)
def test_each_broken_form_is_found_in_time(name):
    """All numbers that a secret can draw, in the exhaustive tier. The draws are fixed."""
    for target in forms(name, True):
        attacked = attack(target, np.random.default_rng(1))
        assert attacked.problem == "", target
        assert attacked.proved > target.release.epsilon
        assert attacked.seconds < MAX_SECONDS


@pytest.mark.parametrize("name", SCENARIOS)
def test_no_sound_form_is_accused(name):
    """All forms that any secret can draw, in the exhaustive tier: so for 1,000 secrets, too.

    With fresh draws, each is accused with probability 1e-9.
    """
    for target in forms(name, False):
        attacked = attack(target, np.random.default_rng())
        assert attacked.witness is None, target
        assert attacked.problem == ""


def test_the_attack_calls_the_release_and_reads_its_domain_only():
    target = draw_targets("a key")[1]
    release = target.release
    blind = replace(release, about="", records="", run=lambda data, coins: 0)
    assert find_witness(blind, np.random.default_rng(1)) is None


def always(kind):
    """The result of an attack on a release that is sound or broken, with this witness."""
    target = next(one for one in draw_targets("a key").values() if one.is_broken == kind[0])
    return Attacked(target, *kind[1:])


WITNESS = Witness((0,), (1,), ("among", [0]), 9)


@pytest.mark.parametrize(
    ("attacked", "problem"),
    [
        ((True, None, 0.0, "", 1.0), "no proof was found that it breaks its claim"),
        ((True, WITNESS, 0.0, "The event is bad.", 1.0), "breaks its claim: The event is bad."),
        ((False, WITNESS, 3.0, "", 1.0), "it keeps its claim, and the reference attack accuses it"),
        ((True, WITNESS, 3.0, "", 21.0), "the reference attack takes more than 20 s"),
        ((True, WITNESS, 3.0, "", 1.0), ""),
        ((False, None, 0.0, "", 1.0), ""),
    ],
)
def test_an_unfair_release_is_named(attacked, problem):
    assert always(attacked).problem.endswith(problem)
    assert bool(always(attacked).problem) == bool(problem)


def pretend(target, rng):
    """An attack that is right at once."""
    proved = 9.0 if target.is_broken else 0.0
    return Attacked(target, WITNESS if target.is_broken else None, proved, "", 0.5)


@pytest.fixture
def quick(monkeypatch):
    monkeypatch.setattr(rehearse, "attack", pretend)


def run(*words):
    return CliRunner(env={"COLUMNS": "200"}).invoke(cli.main, ["range", *map(str, words)])


def test_bad_students_get_nothing(quick):
    rehearsal = rehearse_key("a key", np.random.default_rng(1))
    assert set(rehearsal.lazy_shares.values()) == {0}
    assert set(rehearsal.junk_shares.values()) == {0}
    assert list(rehearsal.problems) == []
    easy = replace(rehearsal, lazy_shares={1: 0.3, 2: 0, 3: 0}, junk_shares={1: 0, 2: 0, 3: 0.1})
    assert len(list(easy.problems)) == 2


def test_a_course_that_is_not_varied_has_the_published_key(quick, tmp_path):
    done = run(tmp_path / "course", "--json")
    assert done.exit_code == 0, done.output
    (summary,) = json.loads(done.stdout).values()
    assert sum(one["broken"] for one in summary["releases"]) == 20
    assert summary["problems"] == []
    assert not (tmp_path / "course").exists()


def test_the_table_names_what_breaks(quick, tmp_path):
    done = run(tmp_path)
    assert done.exit_code == 0, done.output
    assert "Each release is fair" in done.output
    assert "All students have this key" in done.output
    for number, target in draw_targets(keys.find_keys(Course.at(tmp_path), 1).popitem()[1]).items():
        (row,) = [line for line in done.output.splitlines() if line.split()[:1] == [str(number)]]
        assert target.scenario.name in row
        assert (target.scenario.mistake in row) == target.is_broken


def test_students_of_a_varied_course_have_keys_of_their_own(quick, tmp_path):
    course = Course.at(tmp_path)
    common = vary(course, "range")
    (key,) = keys.find_keys(course, 5).values()
    assert set(key.split()) <= set(common.values.values())
    assert len(key.split()) == 16
    vary(course, "range", each=True)
    found = keys.find_keys(course, 5)
    assert len(set(found.values())) == len(found) == 5
    assert key not in found.values()
    done = run(tmp_path, "--students", 2, "--json")
    assert done.exit_code == 0, done.output
    assert len(json.loads(done.stdout)) == 2
    assert "All students have this key" not in run(tmp_path, "--students", 1).output


def test_the_command_fails_where_a_release_is_unfair(monkeypatch, tmp_path):
    def miss(target, rng):
        done = pretend(target, rng)
        is_missed = target.is_broken and target.scenario.name == "reused_noise"
        return replace(done, witness=None, proved=0.0) if is_missed else done

    monkeypatch.setattr(rehearse, "attack", miss)
    done = run(tmp_path)
    assert done.exit_code == 3
    assert "(reused_noise) is unfair: no proof was found" in done.output
    assert "Each release is fair" not in done.output


def test_a_notebook_without_a_key_is_refused(tmp_path):
    source = Course.at(tmp_path).source("range")
    source.parent.mkdir(parents=True)
    cells = [{"cell_type": "code", "source": "KEYS = 'a'", "metadata": {}}]
    source.write_text(json.dumps({"cells": cells, "metadata": {}, "nbformat": 4}))
    with pytest.raises(CourseError, match="has no line that begins with KEY = "):
        keys.find_keys(Course.at(tmp_path), 1)
    assert run(tmp_path).exit_code == 1


def test_last_years_witnesses_prove_little_this_year():
    """What was found under one key, tried under another: numbers, domains and mistakes differ."""
    rng, results = np.random.default_rng(1), []
    for number, target in draw_targets("last year").items():
        if target.scenario.name not in ("ties_told", "reused_noise", "lead_without_delta"):
            continue
        witness = find_witness(target.release, rng)
        new = AuditRange("this year").releases[number]
        results.append(witness is not None and bool(verify(new, witness, rng)))
    assert not any(results)
