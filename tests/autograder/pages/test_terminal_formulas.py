"""Formulas of hints in a terminal: letters, and no TeX."""

import json
import re
from pathlib import Path

import pytest

from autograder.classroom.sets.assignment import text_of
from autograder.pages.terminal_formulas import plain_formula, write_formulas_plainly

SETS = sorted((Path(__file__).parents[3] / "assignments").glob("*/*.ipynb"))
FOLDED = re.compile(r"<details>.*?</details>", re.DOTALL)


@pytest.mark.parametrize(
    ("tex", "text"),
    [
        (r"10^{-15} \le \varepsilon_0", "10⁻¹⁵ ≤ ε₀"),
        (r"e^{-t} + e^\varepsilon + e^{n\varepsilon}", "e^(-t) + e^ε + e^(nε)"),
        (r"\frac1{4n} + \frac{p^m}{1 + p}", "1/(4n) + p^m/(1 + p)"),
        (r"\frac{a + b}{2}", "(a + b)/2"),
        (r"\frac{2\Delta}{\varepsilon}(\ln m + t)", "(2Δ/ε)(ln m + t)"),
        (r"\sqrt k\, \sqrt{\rho/2}", "√k  √(ρ/2)"),
        (r"\log\sum_i x_{\max}", "log ∑_i x_max"),
        (r"\text{noisy}_{ij} \mid \|b\|", "noisy_ij | ‖b‖"),
        (r"\unknown{x} } \frac", "unknownx } /()"),
    ],
)
def test_a_formula_is_written_in_letters(tex, text):
    assert plain_formula(tex) == text


def test_code_and_other_text_stay():
    text = r"Take `a$b$` and **this**, not $\ell$; `$HOME` and 5\$."
    assert write_formulas_plainly(text) == text.replace(r"$\ell$", "ℓ")
    deep = "{" * 100_000
    assert write_formulas_plainly(f"${deep}$") == deep


def test_no_hint_of_our_sets_has_tex_left_in_it():
    formulas, rest = 0, []
    for path in SETS:
        for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
            if cell["cell_type"] == "markdown":
                for hint in FOLDED.findall(text_of(cell["source"])):
                    formulas += hint.count("$") // 2
                    text = re.sub(r"`[^`]*`", "", write_formulas_plainly(hint))
                    rest += re.findall(r"[^\s]*[\\${}][^\s]*", text)
    assert formulas > 300
    assert not rest
