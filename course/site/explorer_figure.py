"""An explorer as a figure of a page: its picture, sliders that move it, and its caption.

`static/moving.js` moves it, through pictures that `frames` has written. Without a script it is its
opening view. The figure that opens a lesson plays until somebody touches it or presses *Stop*.
"""

from __future__ import annotations

import html
import json

from course.site.frames import OPENING, Box, Drawn, Frames

LETTER = 62  # hundredths of a pixel of a phone for a pixel of a panel: its letters stay readable
ELSEWHERE = "The other controls move where the lesson runs: press “Run it here” above."
STILL = "It moves where the lesson runs: press “Run it here” above."
BELOW = 'What to look for is below, under <a href="#play">Play</a>.'


def figure(frames: Frames, address: str, opens: bool = False, again: bool = False) -> str:
    """Return the HTML of a figure whose pictures are at `address`.

    One that opens a lesson plays. The same explorer `again`, further down, has no data of its own.
    """
    caption = html.escape(frames.captions[frames.start])
    note = BELOW if opens else ELSEWHERE if frames.axes else STILL
    pictures = "".join(_pictures(drawn, address, caption, opens) for drawn in frames.drawn)
    kind = f"moving{' moves' * bool(frames.axes)}{' opening' * opens}"
    data = "" if again else _data(frames)
    longest = max(map(len, frames.captions))
    return (
        f'<figure class="{kind}" style="--letters:{longest}">{_controls(frames, opens)}{pictures}'
        f'<figcaption><span role="status" aria-live="polite">{caption}</span> '
        f'<span class="more">{note}</span></figcaption>{data}</figure>'
    )


def _controls(frames: Frames, opens: bool) -> str:
    labels = "".join(
        f'<label><span>{html.escape(axis.label)}</span><input type="range" min="0" '
        f'max="{len(axis.values) - 1}" value="{axis.start}" autocomplete="off" '
        f'aria-valuetext="{html.escape(axis.values[axis.start])}">'
        f"<output>{html.escape(axis.values[axis.start])}</output></label>"
        for axis in frames.axes
    )
    stop = '<button type="button" hidden>Stop</button>' if opens else ""
    return f'<div class="controls">{labels}{stop}</div>' if labels else ""


def _pictures(drawn: Drawn, address: str, caption: str, opens: bool) -> str:
    """Return a picture in one size: whole, and cut into its panels for a phone."""
    whole = Box(0, 0, drawn.width, drawn.height)
    shown = [] if drawn.folder else [("wide", whole)]
    shown += [("narrow", box) for box in drawn.panels]
    return "".join(
        _picture(drawn, f"{address}/{drawn.folder}", kind, box, caption if first else "", opens)
        for first, (kind, box) in _with_first(shown)
    )


def _with_first(shown: list[tuple[str, Box]]) -> list[tuple[bool, tuple[str, Box]]]:
    """Return each picture with whether it is the first of its kind: that one has the text."""
    kinds = [kind for kind, _ in shown]
    return [(kinds.index(kind) == number, shown[number]) for number, kind in enumerate(kinds)]


def _picture(drawn: Drawn, folder: str, kind: str, box: Box, alt: str, opens: bool) -> str:
    size = f"--w:{drawn.width};--x:{box.left};--y:{box.top};--pw:{box.width};--ph:{box.height}"
    narrowest = f";max-width:{box.width * LETTER // 100}px" if kind == "narrow" else ""
    loading = "eager" if opens and kind == "wide" else "lazy"
    return (
        f'<div class="picture {kind}" data-folder="{folder}" style="{size}{narrowest}">'
        f'<img src="{folder}{OPENING}" alt="{alt}" loading="{loading}">'
        f'<img class="change" alt="" hidden></div>'
    )


def _data(frames: Frames) -> str:
    """Return what the script reads, if anything moves."""
    if not frames.axes:
        return ""
    values = [axis.values for axis in frames.axes]
    data = {"values": values, "files": frames.files, "captions": frames.captions}
    text = json.dumps(data, ensure_ascii=False).replace("<", "\\u003c")
    return f'<script type="application/json">{text}</script>'
