"""What problem set 2 calls a flattened sum is what the curator of lesson 3 publishes."""

from itertools import product

import numpy as np
import pytest

from dplab.attacks.diffix import batch, noise
from tests.assignments.problem_sets import problem_set


@pytest.mark.parametrize("n", [1, 2, 3, 4, 5, 9, 60])
@pytest.mark.parametrize(("outliers", "top"), list(product((1, 2), (1, 2, 3))))
def test_the_exercise_has_the_librarys_rule(n, outliers, top, monkeypatch):
    """With the two numbers that the curator draws from a set's seed given."""
    drawn = {batch.OUTLIERS: (outliers - 0.5) / 2, batch.TOP: (top - 0.5) / 3}
    monkeypatch.setattr(noise, "uniforms", lambda sets, purpose: np.full(len(sets), drawn[purpose]))
    names = {"np": np}
    exec(problem_set("ps02").own["flattened_sum"], names)
    values = np.random.default_rng(n).integers(0, 9, n).astype(float)
    people, everybody = noise.seeds("salt", map(str, range(n))), np.ones((1, n), dtype=bool)
    asked = batch.Batch(everybody, people, values, [""], [()], [()])
    total, scale = asked._flatten(np.zeros(1, dtype=np.uint64))
    assert names["flattened_sum"](values, outliers, top) == pytest.approx((total[0], scale[0]))
