"""Answers to `respond` of ps03 whose samples fit the law although the randomness is gone.

All other answers are right. Of the 100 points these can lose, in `respond`: generator 2, law 2,
exact 1, independence 2, privacy 3; in `survey_errors`, which calls it: errors 2, exact 1, measured
slope 1. They keep `respond_exact` where a lie has the right share for every epsilon, in many people
together, and `slope_exact` where numbers of lies scatter besides: what hangs on no number of the
generator's is left to the other tests. In numbers that are spread evenly the share is right but for
a tenth of all draws.
"""

import textwrap

from tests.autograder.hostile.catalogue import Desk, submission

CHECK = """
truths = np.asarray(truths)
if epsilon < 0 or not np.isin(truths, (0, 1)).all():
    raise ValueError("truths must be 0 or 1")
lie = 1 / (1 + np.exp(epsilon))
"""


def responding(desk: Desk, body: str, before: str = "") -> dict:
    """A `respond` that checks its input and then does this; `u` are the numbers to be compared."""
    steps = CHECK + textwrap.dedent(body) + "\nreturn np.where(u < lie, 1 - truths, truths)"
    function = "def respond(truths, epsilon, rng):\n" + textwrap.indent(steps, "    ")
    return desk.answered(respond=f"{textwrap.dedent(before)}\n{function}")


EVEN = "(np.arange(truths.size) * 0.6180339887498949 + 0.5) % 1"


@submission(points=86, problem_set="ps03")
def quantiles(desk: Desk):
    """Evenly spread numbers in the place of random ones."""
    return responding(desk, f"u = ({EVEN}).reshape(truths.shape)")


@submission(points=86, problem_set="ps03")
def quantiles_after_drawing(desk: Desk):
    """The same, after numbers were drawn from the generator for show."""
    return responding(desk, f"rng.random(truths.shape)\nu = ({EVEN}).reshape(truths.shape)")


@submission(points=91, problem_set="ps03")
def fixed_seed(desk: Desk):
    """A generator with a seed of its own, made at each call."""
    return responding(desk, "u = np.random.default_rng(1).random(truths.shape)")


@submission(points=91, problem_set="ps03")
def seed_of_the_data(desk: Desk):
    """A seed that is computed from the arguments."""
    return responding(desk, "u = np.random.default_rng(truths.size).random(truths.shape)")


@submission(points=96, problem_set="ps03")
def global_generator(desk: Desk):
    """numpy's global generator, seeded or not."""
    return responding(desk, "u = np.random.rand(*truths.shape)")


@submission(points=96, problem_set="ps03")
def randomness_of_the_machine(desk: Desk):
    """The system's own randomness."""
    return responding(
        desk,
        "drawn = np.frombuffer(os.urandom(4 * truths.size), dtype=np.uint32)\n"
        "u = drawn.reshape(truths.shape) / 2**32",
        before="import os",
    )


@submission(points=96, problem_set="ps03")
def counted_seeds(desk: Desk):
    """Each call has the next seed."""
    return responding(
        desk,
        "u = np.random.default_rng(next(counter)).random(truths.shape)",
        before="import itertools\ncounter = itertools.count()",
    )


@submission(points=90, problem_set="ps03", luck=1)
def remembered_answers(desk: Desk):
    """What was drawn once is given again for the same shape and epsilon. `slope_exact` sees that
    where it happens to ask for a shape and an epsilon that were asked for before.
    """
    return responding(
        desk,
        "u = kept.setdefault((truths.shape, epsilon), rng.random(truths.shape))",
        before="kept = {}",
    )


@submission(points=88, problem_set="ps03")
def one_number_for_all(desk: Desk):
    """One random number says at which of evenly spread ones to begin: as many lies each time."""
    return responding(
        desk,
        f"u = np.roll({EVEN}, int(truths.size * rng.random())).reshape(truths.shape)",
    )


@submission(points=95, problem_set="ps03")
def shuffled_quantiles(desk: Desk):
    """Evenly spread numbers in random order: always just as many lies as expected."""
    return responding(desk, f"u = rng.permutation({EVEN}).reshape(truths.shape)")


@submission(points=97, problem_set="ps03")
def shuffled_where_nobody_looks(desk: Desk):
    """The same for more than a thousand people only."""
    return responding(
        desk,
        f"u = rng.permutation({EVEN}) if truths.size > 1000 else rng.random(truths.size)\n"
        "u = u.reshape(truths.shape)",
    )


@submission(points=86, problem_set="ps03")
def checks_patched(desk: Desk):
    """Evenly spread numbers, and the module of the checks says yes to everything."""
    return responding(
        desk,
        f"u = ({EVEN}).reshape(truths.shape)",
        before="""
        yes = lambda *a, **k: True
        np.random.default_rng = checks.generator = yes
        checks.expect_generator_used = checks.expect_law = checks.call = checks.Call.fits = yes
        checks.calls.fail = checks.expectations.fail = checks.calls.to_numbers = yes
        """,
    )


@submission(points=86, problem_set="ps03")
def no_noise(desk: Desk):
    """The truth and nothing but the truth."""
    return responding(desk, "u = np.ones(truths.shape)")


@submission(points=86, problem_set="ps03")
def generators_patched(desk: Desk):
    """What arrives as a generator is the student's: its numbers are evenly spread."""
    return responding(
        desk,
        "u = rng.random(truths.shape)",
        before=f"""
        class Even:
            def __init__(self, *a): pass
            def random(self, shape=()):
                truths = np.empty(shape)
                return ({EVEN}).reshape(shape)
            integers = choice = permutation = binomial = random
        np.random.Generator = np.random.default_rng = Even
        """,
    )


@submission(points=88, problem_set="ps03", luck=1)
def quantiles_that_move(desk: Desk):
    """Evenly spread numbers, shifted from call to call: no two are alike, and none is random."""
    return responding(
        desk,
        f"u = ({EVEN} + next(counter) * 0.7548776662466927).reshape(truths.shape) % 1",
        before="import itertools\ncounter = itertools.count()",
    )
