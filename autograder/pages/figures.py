"""The class report's plots, as SVG that takes its ink from the page (light, dark or print)."""

from __future__ import annotations

import io
import re
import statistics
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from markupsafe import Markup
from matplotlib import rc_context
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, MaxNLocator

if TYPE_CHECKING:
    from matplotlib.axes import Axes

INK, SOFT, LINE = "#010203", "#040506", "#070809"  # replaced by the page's own colours in the SVG
FULL, PART, NONE, ACCENT = "#2f9e69", "#e0a83a", "#d0584d", "#4f81d0"
WAITING = "#8d83bd"
MAX_MARKERS = 150  # submissions drawn one by one

_STYLE = {
    "font.size": 10.5,
    "font.family": "sans-serif",
    "svg.fonttype": "none",
    "svg.hashsalt": "report",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.edgecolor": SOFT,
    "axes.labelcolor": SOFT,
    "axes.axisbelow": True,
    "text.color": INK,
    "xtick.color": SOFT,
    "ytick.color": SOFT,
    "xtick.labelcolor": SOFT,
    "ytick.labelcolor": INK,
    "grid.color": LINE,
    "figure.facecolor": "none",
    "axes.facecolor": "none",
}


def _svg(figure: Figure, label_text: str) -> Markup:
    file = io.StringIO()
    figure.savefig(file, format="svg", bbox_inches="tight", metadata={"Date": None})
    drawing = file.getvalue()
    drawing = drawing[drawing.index("<svg") :]
    for colour, name in ((INK, "--ink"), (SOFT, "--soft"), (LINE, "--line")):
        drawing = drawing.replace(colour, f"var({name})")
    drawing = re.sub(r"font: ([\d.]+)px '[^;\"]*", r"font: \1px system-ui, sans-serif", drawing)
    drawing = re.sub(r"<metadata>.*?</metadata>", "", drawing, flags=re.DOTALL)
    label = Markup.escape(label_text)
    return Markup(drawing.replace("<svg ", f'<svg role="img" aria-label="{label}" ', 1))


def score_distribution(points: Sequence[float], max_points: float) -> Markup:
    """Draw the number of submissions by points; points above the maximum count as the maximum."""
    with rc_context(_STYLE):
        return _svg(draw_distribution(points, max_points), "distribution of the scores")


def draw_distribution(points: Sequence[float], max_points: float) -> Figure:
    """Return the figure of `score_distribution`. The median's label is above all bars."""
    bins = min(max(int(max_points), 5), 20)
    with rc_context(_STYLE):
        figure = Figure(figsize=(7.2, 2.7))
        axes = figure.add_subplot()
        step = max_points / bins
        edges = [step * (i - 0.5) for i in range(bins + 2)]
        bars: Any
        capped_points = [min(value, max_points) for value in points]
        counts, _, bars = axes.hist(capped_points, bins=edges, rwidth=0.86, color=ACCENT)
        median = statistics.median(points)
        median_place = min(median, max_points)
        for count, bar in zip(counts, bars, strict=True):
            if count:
                _annotate_bar(axes, bar, f"{count:.0f}", median_place)
        axes.axvline(median_place, color=PART, linewidth=1.6)
        axes.margins(y=0.16)  # room for the number of the highest bar, below the median's label
        side = "left" if median_place < max_points / 2 else "right"
        axes.annotate(f"median {median:g}", (median_place, 1.0), (0, 3), color=PART, fontsize=9.5,
                      xycoords=("data", "axes fraction"), textcoords="offset points",
                      ha=side, va="bottom")  # fmt: skip
        axes.set(xlabel=f"points of {max_points:g}", ylabel="submissions")
        axes.set_xlim(edges[0], edges[-1])
        axes.yaxis.set_major_locator(MaxNLocator(integer=True, nbins=5))
        axes.grid(axis="y", linewidth=0.8)
    return figure


def _annotate_bar(axes: Axes, bar: Any, text: str, line_place: float) -> None:
    """Write the number above a bar, beside the median's line if that crosses the bar."""
    left, width = bar.get_x(), bar.get_width()
    is_crossed = left <= line_place <= left + width
    place = (line_place if is_crossed else left + width / 2, bar.get_height())
    offset, side = ((-4, 3), "right") if is_crossed else ((0, 3), "center")
    axes.annotate(text, place, offset, textcoords="offset points", ha=side, color=SOFT, fontsize=9)


def exercise_shares(titles: Sequence[str], shares: Sequence[tuple[int, ...]]) -> Markup:
    """Draw the numbers of submissions with all, some or no points in each exercise.

    A further number counts those that wait for a human.
    """
    with rc_context(_STYLE):
        figure = Figure(figsize=(7.2, 0.75 + 0.42 * len(titles)))
        axes = figure.add_subplot()
        rows = range(len(titles))
        starts = [0] * len(titles)
        kinds = {"all points": FULL, "some": PART, "none": NONE}
        if any(waiting for *_, waiting in shares):
            kinds["waits for a human"] = WAITING
        for column, (name, colour) in enumerate(kinds.items()):
            widths = [share[column] for share in shares]
            axes.barh(rows, widths, left=starts, height=0.66, color=colour, label=name)
            for row, width in enumerate(widths):
                if width:
                    axes.text(starts[row] + width / 2, row, str(width), ha="center", va="center",
                              color="white", fontsize=9.5, fontweight="bold")  # fmt: skip
            starts = [a + b for a, b in zip(starts, widths, strict=True)]
        axes.set_yticks(rows, [_shorten_title(title) for title in titles])
        axes.invert_yaxis()
        axes.spines[["left", "bottom"]].set_visible(False)
        axes.tick_params(length=0)
        axes.set_xticks([])
        axes.set_xlim(0, max(starts, default=1) or 1)
        axes.legend(loc="lower left", bbox_to_anchor=(0, 1), ncols=4, frameon=False,
                    borderaxespad=0, handlelength=0.9, labelcolor=SOFT)  # fmt: skip
        return _svg(figure, "points by exercise")


def _shorten_title(title: str) -> str:
    """Return a title without Markdown's signs and `$`, which would begin a formula here."""
    text = re.sub(r"[`*$]", "", title)
    return text if len(text) <= 44 else text[:43] + "…"


def seconds(total: Sequence[float], students: Sequence[float]) -> Markup:
    """Draw the time of each submission, slowest first: total, and in the student's own code."""
    order = sorted(range(len(total)), key=lambda i: -total[i])
    with rc_context(_STYLE):
        figure = Figure(figsize=(7.2, 2.5))
        axes = figure.add_subplot()
        ranks = range(1, len(order) + 1)
        total_seconds = [max(total[i], 1e-3) for i in order]
        student_seconds = [max(students[i], 1e-3) for i in order]
        draw_times = _draw_each if len(order) <= MAX_MARKERS else _draw_many
        draw_times(axes, ranks, total_seconds, student_seconds)
        axes.set_yscale("log")
        axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g} s"))
        axes.xaxis.set_major_locator(MaxNLocator(integer=True))
        axes.set(xlabel="submissions, slowest first")
        axes.grid(axis="y", linewidth=0.8)
        axes.legend(frameon=False, loc="upper right", labelcolor=SOFT)
        return _svg(figure, "seconds for each submission")


def _draw_each(
    axes: Axes,
    ranks: Sequence[int],
    total_seconds: Sequence[float],
    student_seconds: Sequence[float],
) -> None:
    axes.vlines(ranks, student_seconds, total_seconds, color=LINE, linewidth=2)
    axes.plot(ranks, total_seconds, "o", color=ACCENT, markersize=5, label="in all")
    axes.plot(ranks, student_seconds, "o", color=PART, markersize=5, label="the student's own code")


def _draw_many(
    axes: Axes,
    ranks: Sequence[int],
    total_seconds: Sequence[float],
    student_seconds: Sequence[float],
) -> None:
    """Draw a line for the total, and many small dots as one picture, for a large class."""
    axes.plot(ranks, student_seconds, "o", color=PART, markersize=1.5, alpha=0.6, rasterized=True,
              label="the student's own code")  # fmt: skip
    axes.plot(ranks, total_seconds, color=ACCENT, linewidth=2, label="in all")
