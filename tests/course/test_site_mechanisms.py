"""The site's page of mechanisms has all of them, and says of each what the library says."""

import ast
import re

import numpy as np
import pytest
from PIL import Image

from course.site import mechanisms
from course.site.formula_text import typeset
from course.site.law_pictures import draw_mechanism
from course.site.mechanism_examples import EXAMPLES, GROUPS
from course.site.mechanisms import formula, is_broken, kinds, source, tell_epsilon, write_mechanisms
from dplab import (
    AboveThreshold,
    GaussianMechanism,
    LaplaceMechanism,
    NameAndShame,
    RandomizedResponse,
    RandomRows,
    SnappingMechanism,
)
from dplab.accounting import Bounds, Release, epsilon_bounds
from dplab.mechanism import Mechanism

NAMED = re.compile(r"\b(19|20)\d\d\b|folklore")
NUMBER = re.compile(r"=([\d.e+-]+)")


@pytest.fixture(scope="module")
def shown():
    """All mechanisms that keep their guarantee, by name."""
    return {name: kind for name, kind in kinds().items() if not is_broken(kind)}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("library")
    write_mechanisms(folder)
    return folder


@pytest.fixture(scope="module")
def sections(folder):
    """Each mechanism's section, by name."""
    text = (folder / "mechanisms.md").read_text(encoding="utf-8")
    parts = re.split(r"^### (\w+)\n", text, flags=re.M)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def test_every_public_mechanism_has_an_example(shown):
    missing, unknown = shown.keys() - EXAMPLES.keys(), EXAMPLES.keys() - shown.keys()
    assert not missing, f"add an example to course/site/mechanism_examples.py for {missing}"
    assert not unknown, f"course/site/mechanism_examples.py has examples of no mechanism: {unknown}"
    assert len(EXAMPLES) == sum(map(len, GROUPS.values())) > 30


def test_every_docstring_has_a_formula_and_a_source(shown):
    without_formula = [name for name, kind in shown.items() if not formula(kind)]
    assert not without_formula, "write the formula as an indented block of the docstring"
    without_source = [name for name, kind in shown.items() if not NAMED.search(source(kind))]
    assert not without_source, "write a paragraph 'Source: author (year)' in the docstring"


def test_a_class_s_own_formula_and_source_come_before_its_module_s():
    assert formula(GaussianMechanism) == "output = query(data) + sigma Z,   Z ~ N(0, I)"
    assert formula(SnappingMechanism).startswith("output = clamp(snap(")  # its module's
    assert source(NameAndShame) == "folklore, under this name in several courses."
    assert source(RandomRows).startswith("Dwork and Roth (2014)")


@pytest.mark.parametrize(
    ("formula", "shown"),
    [
        ("e^{-epsilon |y_i - x|^2 / 2}", "e<sup>−ε |y<sub>i</sub> − x|<sup>2</sup> / 2</sup>"),
        ("learning_rate q_1^epsilon <= 1", "learning_rate q<sub>1</sub><sup>ε</sup> ≤ 1"),
        ("e^{a #{i : x_i < y}} & {b}", "e<sup>a #{i : x<sub>i</sub> &lt; y}</sup> &amp; {b}"),
        ("argmin_theta ||b||_2", "argmin<sub>θ</sub> ‖b‖<sub>2</sub>"),
        ("sum_{j != i} epsilon_1 e^-delta", "∑<sub>j ≠ i</sub> ε<sub>1</sub> e<sup>−δ</sup>"),
        ("a_ b\n  c^{d\nx_{i-1}, `Name`", "a_ b c^{d<br>x<sub>i−1</sub>, Name"),
        ("summary <- deltas", "summary ← deltas"),
    ],
)
def test_a_formula_has_greek_letters_indices_and_exponents(formula, shown):
    assert typeset(formula) == shown


def test_a_docstring_that_only_mentions_a_source_has_none():
    class Silent(Mechanism):
        """A mechanism. In 2006 somebody published its source.

        No formula has to be here.
        """

    assert (formula(Silent), source(Silent)) == ("", "")


@pytest.mark.parametrize("name", EXAMPLES)
def test_an_example_runs_on_neighbours_and_its_section_says_what_the_library_says(
    name, sections, folder
):
    section, names = sections[name], EXAMPLES[name].run()
    mechanism, x, y = (names[one] for one in ("mechanism", "x", "y"))
    assert type(mechanism).__name__ == name
    assert mechanism.neighbors.distance(x, y) == 1
    for data in (x, y):
        mechanism(data, np.random.default_rng())
    assert typeset(formula(type(mechanism))) in section
    assert EXAMPLES[name].code in section
    guarantee = re.search(r"Guarantee:\*\* `(.+)`", section)[1]
    assert guarantee.partition("(")[0] == type(mechanism.guarantee).__name__
    stated, exact = (
        [float(n) for n in NUMBER.findall(g)] for g in (guarantee, repr(mechanism.guarantee))
    )
    assert stated == pytest.approx(exact, rel=1e-3)
    picture, alt = re.search(r"\{image\} (\S+)\n:alt: (.+)", section).groups()
    assert len(alt) > 40
    assert Image.open(folder / picture).size == (1040, 520)


@pytest.mark.parametrize("name", ["LaplaceMechanism", "MWEM", "KernelDensity", "PoissonTraining"])
def test_a_cost_is_what_the_account_certifies(name, sections):
    mechanism = EXAMPLES[name].run()["mechanism"]
    shown = re.search(r"ε [=≤] ([\d.]+) for one release, ε [=≤] ([\d.]+) for 100", sections[name])
    for count, words in zip((1, 100), shown.groups(), strict=True):
        bounds = epsilon_bounds([Release(mechanism, count)], delta=1e-6)
        assert bounds.upper <= float(words) <= bounds.upper * 1.001


@pytest.mark.parametrize(
    ("bounds", "words"),
    [
        ((0.5, 0.5), "ε = 0.5"),
        ((30.483, 30.4841), "ε = 30.49"),
        ((0.0, 5.223), "ε ≤ 5.223"),
        ((1.0, 5.223), "1 ≤ ε ≤ 5.223"),
        ((2.0, np.inf), "ε ≥ 2"),
        ((np.inf, np.inf), "no finite ε"),
        ((123456.0, 123456.0), "ε = 123500"),
    ],
)
def test_an_epsilon_is_rounded_to_the_safe_side(bounds, words):
    assert tell_epsilon(Bounds(*bounds)) == words


def test_the_lower_end_of_a_guarantee_is_not_told():
    assert tell_epsilon(Bounds(0.5, 0.5, "guarantee")) == "ε ≤ 0.5"


def test_the_table_names_every_mechanism_once():
    table = mechanisms.comparison().replace("<wbr>", "")
    assert re.findall(r"^\| \[(\w+)\]\(#\w+\) \|", table, re.M) == list(EXAMPLES)
    assert (
        "| a number or a vector | replace one record | `PureDP(epsilon=0.5)` | Laplace |" in table
    )


def test_broken_mechanisms_are_listed_and_have_no_section(folder, sections):
    text = (folder / "mechanisms.md").read_text(encoding="utf-8")
    broken = {name for name, kind in kinds().items() if is_broken(kind)}
    assert {"QuietAnswers", "SameNoise", "ClippedByBatch"} <= broken
    assert all(f"\n- [{name}](" in text for name in broken)
    assert not broken & sections.keys()


def test_the_text_of_a_picture_tells_its_numbers():
    _, text = draw_mechanism(RandomizedResponse(np.log(3)), [0, 1], [0, 0])
    assert text.endswith("They differ most at 0: 0.25 and 0.75.")  # of the second person
    _, text = draw_mechanism(LaplaceMechanism(sum, 1, 0.5), [10, 1], [10, 0])
    peaks = re.search(r"at about ([\d.]+) and ([\d.]+)\.$", text).groups()
    assert [float(peak) for peak in peaks] == pytest.approx([11, 10], abs=0.05)
    stream = AboveThreshold(threshold=1, sensitivity=1, epsilon=np.log(3)).stream()
    _, text = draw_mechanism(stream, [0], [1])
    assert text.endswith("with 5% false alarms misses at least 85.0%.")  # 1 - 3 * 5%


def test_the_code_of_an_example_imports_the_library_and_numpy_only():
    for name, example in EXAMPLES.items():
        imports = [node for node in ast.walk(ast.parse(example.code)) if hasattr(node, "names")]
        modules = {getattr(node, "module", None) or node.names[0].name for node in imports}
        assert {module.partition(".")[0] for module in modules} <= {"dplab", "numpy"}, name
