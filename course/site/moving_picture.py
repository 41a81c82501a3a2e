"""Draw the README's moving picture: somebody plays with the explorer of lesson 5.

    python -m course.site.moving_picture

No browser takes part. The script moves the explorer's controls, as a test does. It puts the
picture and the caption that the explorer makes below a drawing of the controls.
"""

from __future__ import annotations

import io
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import ipywidgets
import matplotlib
import numpy as np
from PIL import Image, ImageDraw, ImageFont

from dplab.widgets import ClassSurvey
from dplab.widgets.class_survey import TOSS_AGAIN
from dplab.widgets.explorer import Again, Explorer

EXPLORER = ClassSurvey
PICTURE = Path(__file__).parents[1] / "images" / "moving" / "class-survey.gif"
WIDTH = 1_000  # pixels of the result; an explorer's own picture is wider
COLOURS = 128
ROW_HEIGHT, CAPTION_HEIGHT = 46, 88  # pixels, before the picture is made smaller
TRACK_START, TRACK_LENGTH, LINE = 205, 320, 112  # pixels, pixels, letters of the caption
INK, GREY, BLUE, WHITE = "#333333", "#BBBBBB", "#0072B2", "#FFFFFF"
ARROW = np.array([[0, 0], [0, 26], [6, 20], [11, 31], [16, 29], [11, 18], [19, 18]])  # a pointer


class Move(NamedTuple):
    """Set the control `name` to `value`, and show the result for some milliseconds."""

    name: str
    value: object
    milliseconds: int


def story() -> Iterator[Move]:
    """Yield the moves: another class, another rule, more and less privacy, other coins."""
    yield Move("share", 0.3, 2_500)
    for share in (0.35, 0.4, 0.45, 0.5, 0.55):
        yield Move("share", share, 160)
    yield Move("share", 0.6, 1_500)
    yield Move("design", TOSS_AGAIN, 2_000)
    for epsilon in (1.3, 1.5, 1.8, 2.1, 2.4, 2.7):
        yield Move("epsilon", epsilon, 160)
    yield Move("epsilon", 3.0, 1_500)
    for epsilon in (2.6, 2.2, 1.8, 1.4, 1.0, 0.8):
        yield Move("epsilon", epsilon, 160)
    yield Move("epsilon", 0.7, 1_500)
    for presses in range(1, 5):
        yield Move("again", presses, 800 if presses < 4 else 2_500)


def frames(explorer: Explorer) -> Iterator[tuple[Image.Image, int]]:
    """Yield a picture of the explorer after each move, and how many milliseconds it is shown."""
    for move in story():
        explorer.controls[move.name].value = move.value
        yield draw_frame(explorer, move.name), move.milliseconds


def draw_frame(explorer: Explorer, moved: str) -> Image.Image:
    """Draw the controls, the picture and the caption, and a pointer at the control `moved`."""
    picture = Image.open(io.BytesIO(explorer.picture.value)).convert("RGB")
    top = ROW_HEIGHT * -(-len(explorer.controls) // 2) + 20
    frame = Image.new("RGB", (picture.width, top + picture.height + CAPTION_HEIGHT), WHITE)
    frame.paste(picture, (0, top))
    pen = ImageDraw.Draw(frame)
    for number, (name, control) in enumerate(explorer.controls.items()):
        row, column = divmod(number, 2)
        x, y = 10 + column * picture.width // 2, 10 + row * ROW_HEIGHT
        tip = draw_control(pen, control, x, y)
        if name == moved:
            pointer = tip
    sentence = explorer.picture.tooltip.replace(" = ", "\N{NO-BREAK SPACE}=\N{NO-BREAK SPACE}")
    caption = "\n".join(textwrap.wrap(sentence, LINE))
    pen.multiline_text((16, top + picture.height - 4), caption, INK, font(19), spacing=5)
    arrow = [tuple(point) for point in ARROW + pointer]
    pen.polygon(arrow, fill="#000000", outline=WHITE)
    return frame.resize((WIDTH, round(frame.height * WIDTH / frame.width)), Image.Resampling.BOX)


def draw_control(pen: ImageDraw.ImageDraw, control, x: int, y: int) -> tuple[int, int]:
    """Draw a control, the corner of its row at (x, y); return the place that a hand takes."""
    if isinstance(control, Again):
        box = (x + TRACK_START, y, x + TRACK_START + 240, y + 34)
        pen.rounded_rectangle(box, 4, "#EEEEEE")
        pen.text((x + TRACK_START + 120, y + 17), control.description, INK, font(19), "mm")
        return x + TRACK_START + 110, y + 20
    pen.text((x + TRACK_START - 15, y + 17), control.description, INK, font(19), "rm")
    if isinstance(control, ipywidgets.RadioButtons):
        return draw_options(pen, control, x + TRACK_START, y)
    return draw_slider(pen, control, x + TRACK_START, y + 17)


def draw_options(pen: ImageDraw.ImageDraw, control, x: int, y: int) -> tuple[int, int]:
    """Draw radio buttons below each other; return the place of the chosen one."""
    for number, option in enumerate(control.options):
        middle = y + 6 + 24 * number
        pen.circle((x + 8, middle), 8, WHITE, GREY, 2)
        if option == control.value:
            pen.circle((x + 8, middle), 5, BLUE)
            chosen = x + 8, middle
        pen.text((x + 26, middle), option, INK, font(19), "lm")
    return chosen


def draw_slider(pen: ImageDraw.ImageDraw, control, x: int, y: int) -> tuple[int, int]:
    """Draw a slider whose track begins at (x, y), with its value; return its handle's place."""
    place = x + round(TRACK_LENGTH * (control.value - control.min) / (control.max - control.min))
    pen.rounded_rectangle((x, y - 3, x + TRACK_LENGTH, y + 3), 3, GREY)
    pen.circle((place, y), 10, BLUE)
    whole = isinstance(control.value, int)
    value = str(control.value) if whole else f"{control.value:.2f}"
    pen.text((x + TRACK_LENGTH + 25, y), value, INK, font(19), "lm")
    return place, y


def font(size: int) -> ImageFont.FreeTypeFont:
    """Return the font of the explorers' pictures, which matplotlib brings along."""
    path = Path(matplotlib.get_data_path(), "fonts", "ttf", "DejaVuSans.ttf")
    return ImageFont.truetype(path, size)


def write_picture(path: Path) -> None:
    """Write all frames as one GIF, which begins again when it has ended."""
    pictures, milliseconds = zip(*frames(EXPLORER()), strict=True)
    palette = pictures[-1].quantize(COLOURS, Image.Quantize.MAXCOVERAGE)
    few = [one.quantize(palette=palette, dither=Image.Dither.NONE) for one in pictures]
    path.parent.mkdir(exist_ok=True)
    few[0].save(path, save_all=True, append_images=few[1:], duration=milliseconds, loop=0)


if __name__ == "__main__":
    write_picture(PICTURE)
    print(f"{PICTURE}: {PICTURE.stat().st_size / 1000:.0f} kB")
