"""Near-duplicates: what a copyist changes counts for nothing, what everybody writes neither."""

import pytest

from autograder.pages import similarity
from autograder.pages.similarity import COMMON, EVIDENCE, fragments, near_duplicates, tokens
from tests.assignments.problem_sets import problem_set

ORIGINAL = '''
def respond(truths, epsilon, rng):
    """One noisy answer for each truth."""
    truths = np.asarray(truths)
    if epsilon < 0 or not np.isin(truths, [0, 1]).all():
        raise ValueError("bad input")
    lie = 1 / (1 + np.exp(epsilon))
    coins = rng.random(truths.shape)
    answers = truths.copy()
    answers[coins < lie] = 1 - answers[coins < lie]  # flip them
    return answers
'''
COPY = """
def respond(bits: list, eps: float, gen) -> np.ndarray:
    # my own work
    bits = np.asarray(bits)
    if eps < 0 or not np.isin(bits, [0, 1]).all():
        raise ValueError('truths are zero or one, epsilon is positive!')

    p: float = 1 / (1 + np.exp(eps))
    u = gen.random(
        bits.shape
    )
    noisy = bits.copy()
    noisy[u < p] = (1 - noisy[u < p])
    return noisy
"""
OTHER = """
def respond(truths, epsilon, rng):
    answers = []
    for truth in np.ravel(truths):
        if truth not in (0, 1):
            raise ValueError(f"{truth} is no truth")
        stays = rng.random() * (1 + math.exp(-epsilon)) < 1
        answers.append(truth if stays else 1 - truth)
    return np.reshape(answers, np.shape(truths))
"""
JUNK = "junk = [n * k for n in range(9) for k in range(n)]\n    " * 5


def a_class(**some):
    """A class of fifty, each with an answer of their own, and these."""
    own = {f"s{n}": f"def respond(t, e, r):\n    return t + {n} * e - r({n})" for n in range(50)}
    return own | some


def found(answers, released=()):
    return [(pair.first, pair.second) for pair in near_duplicates(answers, released)]


def test_names_comments_docstrings_annotations_and_formatting_count_for_nothing():
    assert list(tokens(ORIGINAL)) == list(tokens(COPY))
    (pair,) = near_duplicates(a_class(ann=ORIGINAL, bob=COPY))
    assert (pair.first, pair.second, pair.likeness) == ("ann", "bob", 1.0)


def test_answers_of_another_structure_are_not_alike():
    assert list(tokens(ORIGINAL)) != list(tokens(OTHER))
    assert found(a_class(ann=ORIGINAL, bob=OTHER)) == []


@pytest.mark.parametrize(
    "change",
    [
        ("p: float =", "unused = 3\n    p: float ="),
        ("noisy = bits.copy()", "print('hello')\n    noisy = bits.copy()"),
        ("return noisy", "result = noisy\n    return result"),
        ("return noisy", JUNK + "return noisy"),
    ],
)
def test_a_line_put_in_does_not_hide_a_copy(change):
    assert found(a_class(ann=ORIGINAL, bob=COPY.replace(*change))) == [("ann", "bob")]


def test_what_is_not_a_name_of_ones_own_is_kept():
    assert list(tokens("a = np.exp(x)")) != list(tokens("a = np.log(x)"))
    assert list(tokens("a = f(2)")) != list(tokens("a = f(3)"))
    assert list(tokens("a = f(key=2)")) != list(tokens("a = f(other=2)"))
    assert list(tokens("a = b = 1\nc = a")) != list(tokens("a = b = 1\nc = b"))


def test_what_everybody_wrote_is_not_listed():
    everybody = {f"s{n}": ORIGINAL for n in range(100)}
    assert found(everybody) == []
    assert found(everybody | {"odd": OTHER}) == []
    assert found({"ann": ORIGINAL, "bob": COPY}) == []  # in a class of two nothing is rare


def test_what_more_than_a_few_wrote_is_not_listed_and_costs_no_pairs():
    few = {f"c{n}": ORIGINAL for n in range(COMMON)}
    assert (
        len(found(a_class(**few, **{f"r{n}": OTHER for n in range(30)})))
        == COMMON * (COMMON - 1) / 2
    )
    many = {f"c{n}": ORIGINAL for n in range(COMMON + 1)}
    assert found(a_class(**many)) == []


def test_short_answers_are_not_listed():
    short = "def debias(z, e):\n    return 2 * z - 1"
    assert found(a_class(ann=short, bob=short)) == []


def test_what_was_released_is_not_listed():
    assert found(a_class(ann=ORIGINAL, bob=COPY), released=[ORIGINAL]) == []


def test_the_rarer_the_more_evidence():
    def evidence(copies):
        some = {f"c{n}": ORIGINAL for n in range(copies)}
        return near_duplicates(a_class(**some))[0].evidence

    assert evidence(2) > evidence(4) > evidence(8) > EVIDENCE


@pytest.mark.parametrize(
    "source",
    [
        "",
        "def f(:",
        "x = '",
        "\0",
        "(" * 5000,
        "x = " + "-" * 40_000 + "1",
        "a." * 20_000 + "b",
        "x = 1\n" * 20_000,
    ],
)
def test_what_cannot_be_parsed_is_left_out(source):
    assert fragments(source) == frozenset()
    assert found(a_class(ann=source, bob=source)) == []


@pytest.mark.parametrize(
    "source",
    [
        "x = 0x" + "f" * 10_000,
        "x = 1" + " + 1" * 10_000,
        "x = " + "not " * 10_000 + "y",
        "x = " + "[" * 90 + "]" * 90,
        "x = " + "lambda: " * 5_000 + "y",
        "x = '\\udc80' + '\\s'",
        "if x:\n pass\n" + "elif x:\n pass\n" * 3_000,
    ],
)
def test_strange_code_is_taken_as_it_is(source):
    assert len(near_duplicates(a_class(ann=source, bob=source))) <= 1


def test_magics_are_skipped():
    assert list(tokens("%matplotlib inline\n!ls\nx = 1")) == list(tokens("x = 1"))


def test_right_answers_in_several_styles_are_not_alike():
    for answers in problem_set("ps03").answers.values():
        assert found(a_class(**dict(answers.right))) == []


def test_work_grows_with_answers_not_with_pairs(monkeypatch):
    """However large the class, each fragment leads to at most COMMON students."""
    visited = []
    pairs = similarity.itertools.combinations

    def counted(students, size):
        visited.append(len(students))
        return pairs(students, size)

    monkeypatch.setattr(similarity.itertools, "combinations", counted)
    work = {}
    for size in (100, 200, 400):
        visited.clear()
        near_duplicates({f"s{n}": f"{ORIGINAL}\nx = {n // 10}" for n in range(size)})
        assert max(visited) <= COMMON
        work[size] = sum(count**2 for count in visited)
    assert work[400] <= 2.5 * work[200] <= 6.25 * work[100]
