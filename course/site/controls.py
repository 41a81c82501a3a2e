"""The controls of an explorer that a lesson's text names first: those move on the lesson's page.

The text under *Play* is a list of things to do. It writes a control's label, or one of its
options, in bold letters, or its letter as a formula: "Raise **k**", "Switch to **Laplace noise**",
"Move $k$".
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import ipywidgets

MOST = 2  # controls that move on a page
FEW = 5  # positions of a control: with fewer, a second one moves too
_TASK = re.compile(r"^\d+\. (.+(?:\n(?!\d+\. ).+)*)", re.M)
_MARKED = re.compile(r"\*\*(.+?)\*\*|\$([^$]+)\$")
_LETTERS = {"varepsilon": "ε", "epsilon": "ε", "delta": "δ", "alpha": "α", "theta": "θ"}
_LETTERS |= {"sigma": "σ", "lambda": "λ", "rho": "ρ"}
_TOKEN = re.compile(r"[^\W_]+")
_NO_NAMES = {"and", "each", "from", "look", "loss", "per", "privacy", "promised", "read", "share"}
_NO_NAMES |= {"size", "that", "the", "who", "with"}
Controls = dict[str, ipywidgets.Widget]


def first_named(play: str, controls: Controls) -> list[str]:
    """Return the names of the controls, at most two, that the text under *Play* names first.

    A second control is from the same task, or from a later one where the first has few positions.
    Without any, it is the first slider.
    """
    movable = {name: c for name, c in controls.items() if hasattr(c, "options") or _is_range(c)}
    chosen: list[str] = []
    for task in _TASK.findall(play) or [play]:
        if chosen and positions_of(controls[chosen[0]]) >= FEW:
            break
        chosen += [name for name in _named(task, movable) if name not in chosen]
    sliders = [name for name, c in movable.items() if not isinstance(c, ipywidgets.RadioButtons)]
    return chosen[:MOST] or sliders[:1]


def _is_range(control: ipywidgets.Widget) -> bool:
    return isinstance(control, ipywidgets.IntSlider | ipywidgets.FloatSlider)


def positions_of(control: ipywidgets.Widget) -> int:
    """Return how many positions a control has."""
    if hasattr(control, "options"):
        return len(control.options)
    return round((control.max - control.min) / control.step) + 1


def _named(task: str, controls: Controls) -> list[str]:
    """Return the controls that a task names: marked ones first, then those in plain words."""
    marked = [name for span in _MARKED.finditer(task) for name in _by_mark(span, controls)]
    plain = _MARKED.sub(" ", task)
    return list(dict.fromkeys([*marked, *_by_words(plain, controls)]))


def _by_mark(span: re.Match, controls: Controls) -> Iterator[str]:
    """Yield the control that bold letters or a formula name: by label, letter, word or option."""
    bold, formula = span.groups()
    said = _tokens(bold or "")
    if formula:  # a letter alone, or with the value that it has now
        letter = formula.partition("=")[0].strip().removeprefix("\\")
        said = [_LETTERS.get(letter, letter)]
    for is_named in (_has_label, _has_letter, _has_word, _has_option):
        found = [name for name, control in controls.items() if is_named(name, control, said)]
        if found:
            yield found[0]
            return


def _has_label(name: str, control: ipywidgets.Widget, said: list[str]) -> bool:
    return said == _tokens(control.description)


def _has_letter(name: str, control: ipywidgets.Widget, said: list[str]) -> bool:
    return len(said) == 1 and len(said[0]) == 1 and said[0] in [name, *_tokens(control.description)]


def _has_word(name: str, control: ipywidgets.Widget, said: list[str]) -> bool:
    label = {_stem(word) for word in _words(control.description)}
    return bool(label & {_stem(word) for word in said})


def _has_option(name: str, control: ipywidgets.Widget, said: list[str]) -> bool:
    options = getattr(control, "options", ())
    texts = [_tokens(option[0] if isinstance(option, tuple) else str(option)) for option in options]
    return any(text[: len(said)] == said for text in texts)


def _by_words(text: str, controls: Controls) -> Iterator[str]:
    """Yield controls whose label begins with a word of the text, or has a Greek letter of it."""
    names = {name: _names_in_words(control.description) for name, control in controls.items()}
    for word in _tokens(text):
        yield from (name for name, its_own in names.items() if _stem(word) in its_own)


def _names_in_words(label: str) -> set[str]:
    first = {_stem(word) for word in _words(label)[:1]}
    return first | (set(_tokens(label)) & set(_LETTERS.values()))


def _tokens(text: str) -> list[str]:
    return [token.lower() for token in _TOKEN.findall(text)]


def _words(label: str) -> list[str]:
    """Return the words of a label that can name it."""
    return [word for word in _tokens(label) if len(word) > 2 and word not in _NO_NAMES]


def _stem(word: str) -> str:
    return word.removesuffix("s")
