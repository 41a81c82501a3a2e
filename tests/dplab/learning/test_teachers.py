import numpy as np
import pytest

from dplab import ZCDP
from dplab.learning.teachers import TeacherLabels


def majority(part):
    """Learn the most frequent class, and say it of every point."""
    return lambda points: [int(np.bincount(part).argmax())] * len(points)


def test_one_record_changes_one_vote_about_each_point():
    """All datasets of six records: the votes of neighbours differ by two cells, each by 1."""
    teachers = TeacherLabels(majority, [0.0, 1.0], parts=3, classes=2, sigma=1)
    largest = 0.0
    for code in range(2**6):
        data = np.array([code >> i & 1 for i in range(6)])
        for i in range(6):
            other = data.copy()
            other[i] = 1 - other[i]
            moved = teachers.votes(data) - teachers.votes(other)
            largest = max(largest, np.linalg.norm(moved))
    assert largest == pytest.approx(2) == teachers.worst_case.mu * teachers.sigma


def test_labels_are_the_winners_of_noisy_votes():
    teachers = TeacherLabels(majority, np.zeros((3, 2)), parts=4, classes=3, sigma=0.5)
    data = np.array([2, 2, 1, 1, 2, 2, 0, 2])
    assert teachers.votes(data).tolist() == [[1, 1, 2]] * 3
    noise = np.random.default_rng(5).normal(0, 0.5, (3, 3))
    labels = teachers(data, np.random.default_rng(5))
    assert labels.tolist() == (np.array([1, 1, 2]) + noise).argmax(axis=1).tolist()
    assert teachers.guarantee.rho == pytest.approx(ZCDP(3 / 0.25).rho)
    assert not teachers.is_tight


def test_what_is_no_label_is_refused():
    wrong = TeacherLabels(lambda part: lambda points: [5], [0.0], parts=1, classes=2, sigma=1)
    with pytest.raises(ValueError, match="a teacher's labels must hold whole numbers from 0 to 1"):
        wrong.votes([1])
    short = TeacherLabels(lambda part: lambda points: [1], [0.0, 1.0], parts=1, classes=2, sigma=1)
    with pytest.raises(ValueError, match="reshape"):
        short.votes([1])
    with pytest.raises(ValueError, match="points must not be empty"):
        TeacherLabels(majority, [], parts=1, classes=2, sigma=1)
