"""The first page's cards: each lesson's question beside a small picture.

Four pictures move, as the explorables do whose ideas they show. Of other lessons there is a still.
"""

from __future__ import annotations

import html
import math
from collections.abc import Callable, Iterator
from pathlib import Path

from PIL import Image

from course.site.frames import OPENING

WIDTH, HEIGHT = 160, 90  # of a picture that moves
STILL_WIDTH, STILL_HEIGHT, COLOURS = 300, 200, 24
TITLE = 46  # pixels of an explorer's picture, above its panels
PANELS = {  # of a picture's width; of others the left half
    "08_floating_point": (0.15, 0.85),
    "11_privacy_loss": (0.15, 0.85),
    "17_ten_thousand": (0.53, 1),
}
_BUTTON = '<button type="button" class="stop-cards" hidden>Stop the pictures</button>'


def cards(titles: dict[str, str], stills: dict[str, str]) -> str:
    """Return the HTML of all cards.

    `titles` and the addresses of `stills` are by the lessons' names.
    """
    found = "".join(_card(name, title, stills.get(name)) for name, title in titles.items())
    return f'<div class="cards">{found}</div>\n{_BUTTON}'


def _card(name: str, title: str, still: str | None) -> str:
    if name in MOVING:
        drawn = "".join(MOVING[name]())
        picture = f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" aria-hidden="true">{drawn}</svg>'
    else:
        picture = f'<img src="{still}" alt="" loading="lazy">' if still else ""
    return f'<a class="question" href="{name}.html">{picture}<span>{html.escape(title)}</span></a>'


def _coins() -> Iterator[str]:
    """Coins fall on eight students, and each of them answers."""
    for number, (cheated, says_yes, delay) in enumerate(
        [(1, 1, 0), (1, 0, 7), (1, 1, 3), (0, 0, 9), (0, 1, 5), (0, 0, 1), (0, 0, 8), (0, 1, 4)]
    ):
        x, late = 17 + 18 * number, f'style="animation-delay:{delay / 10}s"'
        body = f"M{x - 6} 82a6 7 0 0 1 12 0z"
        yield f'<path class="{"two" if cheated else "one"}" d="{body}"/>'
        answer = "yes" if says_yes else "no"
        yield f'<circle class="{answer} answers" {late} cx="{x}" cy="66" r="6"/>'
        yield f'<circle class="coin falls" {late} cx="{x}" cy="66" r="6"/>'


def _bells() -> Iterator[str]:
    """One bell is pulled away from the other."""
    yield from _two_bells(lambda x: 66 * math.exp(-abs(x) / 16))


def _bits() -> Iterator[str]:
    """Bits turn out right, one after another."""
    for number in range(32):
        x, y = 16 + 16 * (number % 8), 13 + 16 * (number // 8)
        delay = (number * 11) % 32 / 10
        yield (
            f'<rect class="solved" style="animation-delay:{delay}s" x="{x + 1}" y="{y + 1}" '
            f'width="14" height="14"/>'
        )


def _scores() -> Iterator[str]:
    """The members' scores move to the right of the line."""
    yield from _two_bells(lambda x: 58 * math.exp(-((x / 22) ** 2)))
    yield '<path class="mark" d="M98 8V82"/>'


def _two_bells(height: Callable[[float], float]) -> Iterator[str]:
    line = "L".join(f"{x} {82 - height(x - 60):.1f}" for x in range(-60, 181, 5))
    for kind in ("one", "two pulled"):
        yield f'<path class="{kind} bell" d="M{line}"/>'


MOVING: dict[str, Callable[[], Iterator[str]]] = {
    "02_reconstruction": _bits,
    "04_membership": _scores,
    "05_randomized_response": _coins,
    "07_laplace": _bells,
}


def write_stills(moving: Path, folder: Path) -> dict[str, str]:
    """Write a still of each lesson whose card doesn't move, and return addresses by lesson.

    `moving` has a folder for each lesson with the pictures of its first explorer.
    """
    folder.mkdir(parents=True, exist_ok=True)
    found = {}
    for pictures in sorted(moving.glob("*")):
        if pictures.name not in MOVING:
            _write_still(pictures / OPENING, folder / f"{pictures.name}.png")
            found[pictures.name] = f"_static/{folder.name}/{pictures.name}.png"
    return found


def _write_still(picture: Path, path: Path) -> None:
    """Write a small copy of one panel of an explorer's picture, without its title."""
    left, right = PANELS.get(path.stem, (0.01, 0.48))
    with Image.open(picture) as large:
        width = (right - left) * large.width
        box = (
            left * large.width,
            TITLE,
            right * large.width,
            TITLE + width * STILL_HEIGHT / STILL_WIDTH,
        )
        part = large.convert("RGB").crop(tuple(map(round, box)))
    small = part.resize((STILL_WIDTH, STILL_HEIGHT), Image.Resampling.LANCZOS)
    small.quantize(COLOURS, dither=Image.Dither.NONE).save(path, optimize=True)
