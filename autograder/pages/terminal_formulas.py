r"""TeX formulas of a text as plain letters, for a terminal: `$e^{-\varepsilon}$` becomes e^(-ε).

Code between backquotes stays. A command that isn't known becomes its name, without the backslash.
"""

from __future__ import annotations

import re

_LETTERS = {
    "alpha": "α", "beta": "β", "gamma": "γ", "delta": "δ", "epsilon": "ε", "varepsilon": "ε",
    "zeta": "ζ", "eta": "η", "theta": "θ", "lambda": "λ", "mu": "μ", "nu": "ν", "xi": "ξ",
    "pi": "π", "rho": "ρ", "sigma": "σ", "tau": "τ", "phi": "φ", "varphi": "φ", "chi": "χ",
    "psi": "ψ", "omega": "ω", "Gamma": "Γ", "Delta": "Δ", "Theta": "Θ", "Lambda": "Λ", "Xi": "Ξ",
    "Pi": "Π", "Sigma": "Σ", "Phi": "Φ", "Psi": "Ψ", "Omega": "Ω", "ell": "ℓ",
}  # fmt: skip
_SIGNS = {
    "le": "≤", "leq": "≤", "ge": "≥", "geq": "≥", "ne": "≠", "neq": "≠", "approx": "≈",
    "cdot": "·", "times": "×", "pm": "±", "infty": "∞", "sum": "∑", "prod": "∏", "int": "∫",
    "in": "∈", "notin": "∉", "subseteq": "⊆", "cup": "∪", "cap": "∩", "to": "→", "mapsto": "↦",
    "mid": "|", "lvert": "|", "rvert": "|", "|": "‖", "dots": "…", "ldots": "…", "cdots": "⋯",
    "partial": "∂", "quad": "  ", "qquad": "    ", ",": " ", ";": " ", ":": " ", " ": " ", "!": "",
    "\\": "\n", "lfloor": "⌊", "rfloor": "⌋", "lceil": "⌈", "rceil": "⌉", "top": "T",
    "left": "", "right": "", "big": "", "Big": "", "bigl": "", "bigr": "", "Bigl": "", "Bigr": "",
}  # fmt: skip
_PLAIN_GROUPS = ("text", "mathrm", "mathbf", "mathbb", "mathcal", "operatorname", "textit")
_ACCENTS = {"hat": "\u0302", "bar": "\u0304", "tilde": "\u0303"}
_RAISED = str.maketrans("0123456789+-−n", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻ⁿ")
_LOWERED = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")
_FORMULA = re.compile(r"(`[^`]*`)|\$\$(.+?)\$\$|(?<!\\)\$(.+?)(?<!\\)\$", re.DOTALL)
_TOKEN = re.compile(r"\\[A-Za-z]+|\\.|.", re.DOTALL)
_ATOM = re.compile(  # a number, a letter with its index, or a bracket with an exponent
    r"[\d.]+|[^\W\d][\u0300-\u036f]?(?:_\w|[₀-₉]+)?|\([^()]*\)[⁰-⁹²³¹ⁿ]*"
)


def write_formulas_plainly(text: str) -> str:
    """Return the text with its formulas in plain letters."""
    return _FORMULA.sub(lambda match: match[1] or plain_formula(match[2] or match[3]), text)


def plain_formula(tex: str) -> str:
    """Return one formula, given without its dollar signs, in plain letters."""
    try:
        return re.sub(r" {3,}", "  ", _Reader(tex).read_all()).strip()
    except RecursionError:  # brackets in brackets, thousands of times
        return tex


class _Reader:
    """A reader of a formula, token by token."""

    def __init__(self, tex: str) -> None:
        self._tokens = _TOKEN.findall(" ".join(tex.split()))
        self._place = 0

    def read_all(self, end: str = "") -> str:
        """Return the text up to the token `end`, which is skipped, or up to the formula's end."""
        parts = []
        while self._place < len(self._tokens) and self._tokens[self._place] != end:
            parts.append(self._read_part())
        self._place += 1
        return "".join(parts)

    def _read_part(self) -> str:
        token = self._next()
        if token == "{":
            return self.read_all("}")
        if token in ("^", "_"):
            return _write_index(token, self._read_argument())
        return self._read_command(token[1:]) if token.startswith("\\") else token

    def _next(self) -> str:
        self._place += 1
        return self._tokens[self._place - 1] if self._place <= len(self._tokens) else ""

    def _read_argument(self) -> str:
        while self._tokens[self._place : self._place + 1] == [" "]:
            self._place += 1
        return self._read_part()

    def _read_command(self, name: str) -> str:
        if name in _PLAIN_GROUPS:
            return self._read_argument()
        if name in _ACCENTS:
            return self._read_argument() + _ACCENTS[name]
        if name in ("frac", "tfrac", "dfrac"):
            return self._read_fraction()
        if name == "sqrt":
            return "√" + _group(self._read_argument())
        if name == "binom":
            return f"binom({self._read_argument()}, {self._read_argument()})"
        if (sign := _LETTERS.get(name, _SIGNS.get(name))) is not None:
            return sign
        self._add_space_after(name)
        return name

    def _read_fraction(self) -> str:
        top, bottom = self._read_argument(), _group(self._read_argument())
        top = _group(top) if re.search(r"[-+−,=]| [^·]", top) else top
        is_followed = self._tokens[self._place : self._place + 1] in (["("], ["^"], ["["])
        return f"({top}/{bottom})" if is_followed else f"{top}/{bottom}"

    def _add_space_after(self, name: str) -> None:
        """Put a space between a function's name, such as ln, and a command after it."""
        next_token = "".join(self._tokens[self._place : self._place + 1])
        if name[-1:].isalpha() and re.match(r"\\(?!big|left|_)[A-Za-z]", next_token):
            self._tokens.insert(self._place, " ")


def _write_index(sign: str, text: str) -> str:
    """Return an exponent or an index: small digits where there are some, or else in one group."""
    table = _RAISED if sign == "^" else _LOWERED
    if text and all(ord(letter) in table for letter in text):
        return text.translate(table)
    if sign == "_" and text.isalnum():
        return sign + text
    return sign + _group(text)


def _group(text: str) -> str:
    """Return a part that belongs together, in brackets unless it is one number or letter."""
    return text if _ATOM.fullmatch(text) else f"({text})"
