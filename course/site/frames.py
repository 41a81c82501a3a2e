"""The pictures of an explorer on a page: one whole, and of each position what is different there.

Positions are those of one control, or of two. A picture without transparency is the opening view.
The pictures of other positions lie over it, and are transparent where they are the same, so that
a whole range weighs little.

A phone shows a picture's panels below each other: the page cuts them out of the same files. Where
a panel is as wide as the picture, it is drawn again, narrower.
"""

from __future__ import annotations

import io
import itertools
import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import ipywidgets
import numpy as np
from PIL import Image
from scipy import ndimage

from dplab.widgets.explorer import Explorer

COUNTS = ((11, 5), (9, 5), (9, 3), (5, 3))  # positions of two controls
COUNT = 21  # of one
WEIGHT = 400_000  # bytes of all pictures of an explorer, about
COLOURS = 64
RIM = 3  # pixels around what is different
NARROW = 5.4  # inches of a picture that is drawn again for phones
LEGEND = 600  # pixels: a wider legend is parted for a phone
WHOLE = 0.62  # of a picture's width: a wider panel is not cut out, but drawn again
OPENING = "opening.webp"


@dataclass(frozen=True)
class Box:
    """A part of a picture, in pixels."""

    left: int
    top: int
    width: int
    height: int


@dataclass(frozen=True)
class Drawn:
    """A picture in a size: where its files are, its own size, and its panels for a phone."""

    folder: str
    width: int
    height: int
    panels: tuple[Box, ...]


@dataclass(frozen=True)
class Axis:
    """A control that moves: its label, what its positions are called, and where it begins."""

    label: str
    values: tuple[str, ...]
    start: int


@dataclass
class Frames:
    """All that a page shows of an explorer.

    `captions` has one sentence for each position, the last control's positions first; `files` has
    the files of the pictures, "" at the opening view.
    """

    axes: tuple[Axis, ...]
    captions: list[str] = field(default_factory=list)
    files: list[str] = field(default_factory=list)
    drawn: list[Drawn] = field(default_factory=list)

    @property
    def start(self) -> int:
        """The number of the opening view."""
        return self.files.index("")


def write_frames(kind: type[Explorer], names: list[str], folder: Path) -> Frames:
    """Write the pictures of an explorer for the positions of its controls `names` into `folder`.

    Without controls there is the opening view alone. Where all pictures weigh too much, there are
    fewer positions.
    """
    folder.mkdir(parents=True, exist_ok=True)
    *many, fewest = [(COUNT,)] if len(names) < 2 else COUNTS
    drawn_so_far = (_draw(kind(), names, counts, WEIGHT) for counts in many)
    wide = next(filter(None, drawn_so_far), None) or _draw(kind(), names, fewest)
    drawn = [wide.write(folder, "")]
    if not drawn[0].panels:
        counts = tuple(len(axis.values) for axis in wide.axes)
        narrow = _draw(narrow_explorer(kind), names, counts)
        drawn.append(narrow.write(folder, "narrow/"))
    return Frames(wide.axes, wide.captions, wide.files, drawn)


def narrow_explorer(kind: type[Explorer]) -> Explorer:
    """Return an explorer whose picture is as narrow as a phone shows it."""
    wide, _ = kind.size

    def build(self: Explorer) -> list:
        moving = kind.build(self)
        for axes in self.figure.axes:  # with room for their labels as before, in inches
            (left, right), (bottom, top) = (
                axes.get_position().intervalx,
                axes.get_position().intervaly,
            )
            left, right = left * wide / NARROW, 1 - (1 - right) * wide / NARROW
            if right - left > WHOLE / 2:
                axes.set_position((left, bottom, right - left, top - bottom))
        return moving

    size = (NARROW, kind.size[1])
    explorer = type(kind.__name__, (kind,), {"size": size, "build": build})()
    for axes in explorer.figure.axes:
        title = axes.title if axes.title.get_text() else axes._left_title
        for text in axes.texts:
            if text.get_text() and text.get_window_extent().overlaps(title.get_window_extent()):
                text.set(y=0.97, va="top")  # below the title, where there is room for both
    explorer.refresh()
    return explorer


@dataclass
class _Pictures:
    """The pictures of an explorer in one size, before they are written."""

    explorer: Explorer
    axes: tuple[Axis, ...]
    opening: np.ndarray
    captions: list[str] = field(default_factory=list)
    files: list[str] = field(default_factory=list)
    bytes: list[bytes] = field(default_factory=list)
    ink: np.ndarray | None = None

    @property
    def weight(self) -> int:
        return sum(map(len, self.bytes))

    def write(self, folder: Path, inside: str) -> Drawn:
        """Write the files into a folder inside of `folder`; a picture for phones has its own."""
        (folder / inside).mkdir(parents=True, exist_ok=True)
        (folder / inside / OPENING).write_bytes(_whole(self.opening))
        for name, content in zip(self.files, self.bytes, strict=True):
            if name:
                (folder / inside / name).write_bytes(content)
        height, width, _ = self.opening.shape
        whole = (Box(0, 0, width, height),)
        return Drawn(inside, width, height, whole if inside else _panels(self))


def _draw(
    explorer: Explorer, names: list[str], counts: tuple[int, ...], most: float = math.inf
) -> _Pictures | None:
    """Move the controls through their positions, and keep what differs from the opening view.

    Return None where that weighs more than `most` bytes.
    """
    controls = [explorer.controls[name] for name in names]
    ranges = [list(positions(c, n)) for c, n in zip(controls, counts, strict=False)]
    here = tuple(control.value for control in controls)
    starts = [
        next(n for n, (_, value) in enumerate(places) if value == control.value)
        for control, places in zip(controls, ranges, strict=True)
    ]
    axes = tuple(
        Axis(control.description, tuple(shown for shown, _ in places), start)
        for control, places, start in zip(controls, ranges, starts, strict=True)
    )
    opening = _pixels(explorer)
    pictures = _Pictures(explorer, axes, opening, ink=_is_ink(opening))
    for number, values in enumerate(itertools.product(*ranges)):
        _add(pictures, number, controls, tuple(value for _, value in values), here)
        if pictures.weight > most:
            return None
    return pictures


def _add(pictures: _Pictures, number: int, controls: list, values: tuple, here: tuple) -> None:
    """Move the controls and add the picture, with its caption."""
    for control, value in zip(controls, values, strict=True):
        control.value = value
    pixels = _pixels(pictures.explorer)
    pictures.captions.append(pictures.explorer.picture.tooltip)
    pictures.ink |= _is_ink(pixels)
    is_opening = values == here
    pictures.files.append("" if is_opening else f"{number:03}.webp")
    pictures.bytes.append(b"" if is_opening else _difference(pixels, pictures.opening))


def positions(control: ipywidgets.Widget, most: int) -> Iterator[tuple[str, object]]:
    """Yield about so many positions, as a person reads them and as the control has them.

    The ends are among them, and the position that the control has now.
    """
    if hasattr(control, "options"):
        options = [o if isinstance(o, tuple) else (str(o), o) for o in control.options]
        here = next(n for n, (_, value) in enumerate(options) if value == control.value)
        yield from (options[n] for n in _spread(len(options), here, most))
        return
    count = round((control.max - control.min) / control.step) + 1
    here = round((control.value - control.min) / control.step)
    for n in _spread(count, here, most):
        value = control.value if n == here else control.min + n * control.step
        value = value if isinstance(control, ipywidgets.IntSlider) else float(f"{value:.10g}")
        yield f"{value:.6g}", value


def _spread(count: int, here: int, most: int) -> list[int]:
    """Return about so many of the places, the ends and `here` among them."""
    chosen = np.linspace(0, count - 1, min(count, most)).round().astype(int)
    chosen[np.abs(chosen - here).argmin()] = here
    return sorted({*chosen.tolist(), 0, count - 1})


def _pixels(explorer: Explorer) -> np.ndarray:
    return np.asarray(Image.open(io.BytesIO(explorer.picture.value)).convert("RGB"))


def _is_ink(pixels: np.ndarray) -> np.ndarray:
    return (pixels != 255).any(axis=2)


def _whole(pixels: np.ndarray) -> bytes:
    return _webp(_with_few_colours(pixels))


def _difference(pixels: np.ndarray, opening: np.ndarray) -> bytes:
    """Return the picture where it is different, and transparent elsewhere.

    A rim of equal pixels goes with it: a smaller picture on a page mixes neighbours.
    """
    same = ~ndimage.binary_dilation((pixels != opening).any(axis=2), iterations=RIM)
    opaque = np.full(same.shape, 255, np.uint8)
    coloured = np.dstack([np.asarray(_with_few_colours(pixels)), opaque])
    return _webp(Image.fromarray(np.where(same[..., None], np.uint8(0), coloured)))


def _with_few_colours(pixels: np.ndarray) -> Image.Image:
    few = Image.fromarray(pixels).quantize(
        COLOURS, Image.Quantize.MAXCOVERAGE, dither=Image.Dither.NONE
    )
    return few.convert("RGB")


def _webp(picture: Image.Image) -> bytes:
    buffer = io.BytesIO()
    picture.save(buffer, "webp", lossless=True, method=4)
    return buffer.getvalue()


def _panels(pictures: _Pictures) -> tuple[Box, ...]:
    """Return the parts of a picture that a phone shows below each other.

    There are none where a panel is nearly as wide as the picture. A legend of the whole figure is a
    part of its own, below.
    """
    figure = pictures.explorer.figure
    height, width = pictures.ink.shape
    axes = sorted((axis.get_position() for axis in figure.axes), key=lambda place: place.x0)
    if any(place.width > WHOLE for place in axes):
        return ()
    bottom = height - max(
        (round(legend.get_window_extent().y1) for legend in figure.legends), default=0
    )
    ink = pictures.ink[:bottom]
    cuts = [0, *(_gap(ink, left, right) for left, right in _between(axes, width)), width]
    boxes = [_trimmed(ink, left, right, 0) for left, right in itertools.pairwise(cuts)]
    if figure.legends:
        boxes += _halves(pictures.ink[bottom:], bottom)
    return tuple(boxes)


def _halves(ink: np.ndarray, top: int) -> list[Box]:
    """Return a legend that begins at the row `top`: in two parts where it is wide."""
    whole = _trimmed(ink, 0, ink.shape[1], top)
    if whole.width < LEGEND:
        return [whole]
    third, right = whole.width // 3, whole.left + whole.width
    middle = _gap(ink, whole.left + third, right - third)
    return [_trimmed(ink, whole.left, middle, top), _trimmed(ink, middle, right, top)]


def _between(axes: list, width: int) -> Iterator[tuple[int, int]]:
    """Yield where the space between two columns of axes begins and ends, from left to right."""
    right = axes[0].x1
    for place in axes[1:]:
        if place.x0 > right:
            yield round(right * width), round(place.x0 * width)
        right = max(right, place.x1)


def _gap(ink: np.ndarray, left: int, right: int) -> int:
    """Return the middle of the widest strip without ink, or where there is least."""
    amounts = ink[:, left:right].sum(axis=0)
    empty = amounts == amounts.min()
    lengths = [
        (len(strip), -strip[0], strip[len(strip) // 2])
        for strip in np.split(np.arange(len(empty)), np.flatnonzero(np.diff(empty)) + 1)
        if empty[strip[0]]
    ]
    return left + int(max(lengths)[2])


def _trimmed(ink: np.ndarray, left: int, right: int, top: int, margin: int = 6) -> Box:
    """Return the part between two columns without its empty rim; `ink` begins at the row `top`."""
    rows = np.flatnonzero(ink[:, left:right].any(axis=1))
    columns = np.flatnonzero(ink[:, left:right].any(axis=0))
    x0, x1 = max(left, left + columns[0] - margin), min(right, left + columns[-1] + margin)
    y0, y1 = max(0, rows[0] - margin), min(len(ink), rows[-1] + margin)
    return Box(int(x0), int(top + y0), int(x1 - x0), int(y1 - y0))
