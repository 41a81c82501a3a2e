"""The machinery that explorers share, on a toy; and rules that hold for every real explorer."""

import functools
import io
import re

import ipywidgets
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from matplotlib.artist import Artist
from PIL import Image

from dplab import widgets
from dplab.widgets import ClassSurvey, style
from dplab.widgets.explorer import Again, Explorer, log_slider, slider

UNSAID = re.compile(  # by people
    r"\bnan\b|\de[+-]?\d|(?<![.\d])\d{5}|[1-9]\.\d{4}|0\.\d{6}|-0(?![.\d])|"
    r"(?<![.,\d])(?<!= )1 (?:answers|bins|counts|means|mistakes|others|pairs|people|points)\b|"
    r"(?<![.,\d])(?<!= )1 (?:questions|releases)\b|at most (?:all|more|nearly|over)"
)
REMEMBERING = ("ClassSurvey", "MistakeTree")  # an unrounded θ, and what you said so far
CUT = 5  # pixels between a picture and its edges: with fewer something is cut, or about to be

every_explorer = pytest.mark.parametrize(
    "kind", [getattr(widgets, name) for name in widgets.EXPLORERS], ids=widgets.EXPLORERS
)


class Counted(Artist):
    """Something that counts how often it is drawn."""

    def __init__(self):
        super().__init__()
        self.times = 0

    def draw(self, renderer):
        self.times += 1


class Toy(Explorer):
    """A dot at (x, x): `twice` follows x, and the axis grows when x passes 5. Beside it, axes that
    stay as they are."""

    def __init__(self):
        self.views, self.counts = 0, (Counted(), Counted())
        super().__init__()

    def make_controls(self):
        return {"x": slider("x", 1, 0, 10, 1), "twice": slider("2x", 2, 0, 20, 1)}

    def link(self, name):
        if name == "x":
            self.controls["twice"].value = 2 * self.value("x")
        else:
            self.controls["x"].value = self.value("twice") // 2

    def compute(self, x, twice):
        self.views += 1
        return x

    def build(self):
        self.axes, other = self.figure.subplots(1, 2)
        for axes, count in zip((self.axes, other), self.counts, strict=True):
            axes.add_artist(count)
        (self.dot,) = self.axes.plot([0], [0], "o", color="black", markersize=20)
        return [self.dot]

    @property
    def axes_drawn(self):
        """How often the dot's axes were drawn, and the others."""
        return tuple(count.times for count in self.counts)

    def move(self, view):
        self.axes.set(xlim=(-1, 6 if view < 5 else 11), ylim=(-1, 11))
        self.dot.set_data([view], [view])

    def describe(self, view):
        return f"The dot is at {view}."


@functools.cache
def as_it_opens(kind):
    """An explorer whose controls nobody has moved, and nobody may."""
    return kind()


def opened_again(kind, explorer):
    """The explorer with its controls where they were at first; a new one if that isn't enough."""
    for name, control in explorer.controls.items():
        control.value = as_it_opens(kind).value(name)
    shows_the_same = explorer.picture.value == as_it_opens(kind).picture.value
    return explorer if shows_the_same else kind()


def pixels(explorer):
    return np.asarray(Image.open(io.BytesIO(explorer.picture.value)).convert("RGB")).astype(int)


def drawn_whole(explorer):
    """The explorer's figure as an ordinary full draw shows it."""
    for artist in explorer.moving:
        artist.set_animated(False)
    with style.context():
        explorer.canvas.draw()
    return np.asarray(explorer.canvas.buffer_rgba())[..., :3].astype(int)


def ends(control):
    """Two values at which a control can stand, its extremes if it has any."""
    if isinstance(control, ipywidgets.SelectionSlider):
        return control.options[0][1], control.options[-1][1]
    if isinstance(control, ipywidgets.RadioButtons):
        return tuple(control.options)
    if isinstance(control, Again):
        return control.value + 1, control.value + 2
    return control.min, control.max


def test_a_move_changes_the_picture_and_moving_back_restores_it():
    toy = Toy()
    before = toy.picture.value
    toy.controls["x"].value = 3
    assert toy.picture.value != before
    toy.controls["x"].value = 1
    assert toy.picture.value == before


def test_no_trace_of_the_last_position_is_left():
    toy = Toy()
    for x in (3, 7, 2):
        toy.controls["x"].value = x
    fresh = Toy()
    fresh.controls["x"].value = 2
    assert (pixels(toy) == pixels(fresh)).all()


def test_axes_are_drawn_anew_only_when_they_change():
    toy = Toy()
    assert toy.axes_drawn == (1, 1)
    for x in (2, 3, 4):
        toy.controls["x"].value = x
    assert toy.axes_drawn == (1, 1)
    toy.controls["x"].value = 8
    assert toy.axes_drawn == (2, 1)
    toy.controls["x"].value = 3
    assert toy.axes_drawn == (2, 1)


@pytest.mark.parametrize(("moved", "value"), [("x", 4), ("twice", 8)])
def test_linked_controls_follow_and_make_one_picture(moved, value):
    toy = Toy()
    toy.controls[moved].value = value
    assert (toy.value("x"), toy.value("twice")) == (4, 8)
    assert toy.views == 2  # the first picture, and one for the move


def test_a_control_that_gets_another_name_is_told_by_it():
    toy = Toy()
    toy.controls["twice"].description = "double"
    toy.controls["x"].value = 3
    assert toy.controls["twice"].tooltip == "double"


def test_caption_and_alternative_text_say_what_the_picture_shows():
    toy = Toy()
    toy.controls["x"].value = 7
    assert toy.picture.tooltip == "The dot is at 7."
    assert toy.caption.value == '<div role="status" aria-live="polite">The dot is at 7.</div>'


def test_again_counts_its_presses():
    button = Again("again")
    button.click()
    button.click()
    assert button.value == 2


def test_log_slider_offers_round_numbers_between_its_ends():
    control = log_slider("n", 100.0, 10, 1000)
    labels = [label for label, _ in control.options]
    assert (labels[0], labels[10], labels[-1], len(labels)) == ("10", "100", "1,000", 21)


def test_log_slider_of_whole_numbers_offers_whole_ones_each_once():
    control = log_slider("releases", 10, 1, 20)
    assert [value for _, value in control.options] == [1, 2, 3, 4, 5, 6, 8, 10, 13, 16, 20]
    assert [name for name, _ in control.options][:3] == ["1", "2", "3"]


def test_log_slider_rejects_a_value_that_is_not_on_it():
    with pytest.raises(Exception, match="not found"):
        log_slider("n", 123.0, 10, 1000)


@every_explorer
def test_picture_is_what_a_full_draw_shows(kind):
    explorer = kind()
    for control in explorer.controls.values():
        control.value = ends(control)[1]
        control.value = ends(control)[0]
    shown = pixels(explorer)
    differing = (abs(shown - drawn_whole(explorer)).max(axis=-1) > 64).mean()
    assert differing < 0.01  # moving artists lie over the axes' lines rather than under them


def turn(control, place):
    """Move a control to a place from 0, its least, to 1, its most; or press it."""
    if isinstance(control, Again):
        control.click()
    elif isinstance(control, ipywidgets.SelectionSlider):
        control.value = control.options[round(place * (len(control.options) - 1))][1]
    elif isinstance(control, ipywidgets.RadioButtons):
        control.value = control.options[round(place * (len(control.options) - 1))]
    else:
        steps = round(place * (control.max - control.min) / control.step)
        control.value = control.min + steps * control.step


def with_controls_of(explorer):
    """A new explorer whose controls stand where those of this one do."""
    fresh = type(explorer)()
    for name, control in fresh.controls.items():
        if isinstance(control, Again):
            for _ in range(explorer.value(name)):
                control.click()
        control.value = explorer.value(name)
    return fresh


@pytest.mark.parametrize("name", [name for name in widgets.EXPLORERS if name not in REMEMBERING])
@settings(max_examples=1)
@given(moves=st.lists(st.tuples(st.integers(0, 99), st.floats(0, 1)), min_size=5, max_size=15))
def test_after_many_moves_the_picture_is_that_of_a_fresh_explorer(name, moves):
    explorer = getattr(widgets, name)()
    for number, place in moves:
        turn(list(explorer.controls.values())[number % len(explorer.controls)], place)
    fresh = with_controls_of(explorer)
    assert fresh.picture.tooltip == explorer.picture.tooltip
    assert fresh.picture.value == explorer.picture.value


@every_explorer
def test_every_control_changes_the_picture(kind):
    explorer = kind()
    for name in as_it_opens(kind).controls:
        explorer = opened_again(kind, explorer)
        control, pictures = explorer.controls[name], {explorer.picture.value}
        for value in ends(control):
            control.value = value
            pictures.add(explorer.picture.value)
        assert len(pictures) >= 2, name


@every_explorer
def test_survives_every_corner_of_its_controls(kind):
    explorer = kind()
    controls = [c for c in explorer.controls.values() if not isinstance(c, Again)]
    with np.errstate(all="raise", under="ignore"):
        for corner in range(2 ** len(controls)):
            turned = corner ^ corner >> 1  # Gray's code: from one corner to the next along an edge
            for bit, control in enumerate(controls):
                control.value = ends(control)[turned >> bit & 1]
            assert not UNSAID.search(explorer.picture.tooltip), explorer.picture.tooltip


@every_explorer
def test_a_second_one_shows_the_same_and_uses_one_figure_throughout(kind):
    explorer = kind()
    assert explorer.picture.value == as_it_opens(kind).picture.value, "the second one differs"
    figure, artists = explorer.figure, [id(artist) for artist in explorer.figure.findobj()]
    for control in explorer.controls.values():
        control.value = ends(control)[0]
    assert explorer.figure is figure
    kept = {id(artist) for artist in figure.findobj()}
    assert len(kept & set(artists)) > 0.8 * len(artists)  # only ticks may come and go


@every_explorer
def test_says_what_becomes_of_a_guess_and_nothing_is_cut(kind):
    """The former where the reader sets an epsilon."""
    explorer = kind()
    promises = any("epsilon" in name for name in explorer.controls)
    for control in explorer.controls.values():
        control.value = ends(control)[1]
        assert not promises or re.search(r"50% guess|proves innocence", explorer.picture.tooltip)
        assert margin(explorer.picture.value) >= CUT


def margin(picture):
    """Pixels between what is drawn and the nearest edge of the picture."""
    drawn = np.asarray(Image.open(io.BytesIO(picture)).convert("L")) < 200
    rows, columns = np.flatnonzero(drawn.any(axis=1)), np.flatnonzero(drawn.any(axis=0))
    far = drawn.shape[0] - 1 - rows[-1], drawn.shape[1] - 1 - columns[-1]
    return min(rows[0], columns[0], *far)


def faults_of_controls(explorer):
    """Return the controls without a label, and the sliders that are between two of their steps:
    a browser moves these, and so changes the picture.
    """
    for name, control in explorer.controls.items():
        if not control.description:
            yield f"{name} has no label"
        if isinstance(control, ipywidgets.FloatSlider):
            steps = (control.value - control.min) / control.step
            if steps != pytest.approx(round(steps), abs=1e-6):
                yield f"{name} is between two steps"


def faults_of_picture(explorer):
    """Return what is wrong with its size, and the curves of a legend that look the same without
    colour: with the same dashes, markers and width. Broad ones are areas, which are pale or dark.
    """
    picture = explorer.picture.value
    if (width := Image.open(io.BytesIO(picture)).width) < 1200:
        yield f"the picture has only {width} pixels in a row"
    if len(picture) >= 250_000:
        yield f"the picture has {len(picture):,} bytes"
    for axes in explorer.figure.axes:
        curves = [x for x in axes.lines if x.get_label()[0] != "_" and x.get_linewidth() < 5]
        looks = [(x.get_linestyle(), x.get_marker(), x.get_linewidth()) for x in curves]
        if len(set(looks)) < len(looks):
            yield f"two of {[curve.get_label() for curve in curves]} look the same"


def test_explorers_open_without_faults():
    found = [
        f"{name}: {fault}"
        for name in widgets.EXPLORERS
        for faults in (faults_of_controls, faults_of_picture)
        for fault in faults(as_it_opens(getattr(widgets, name)))
    ]
    assert not found, "\n".join(found)


def test_the_style_is_a_file_of_the_package_and_leaves_no_trace():
    import matplotlib

    with matplotlib.rc_context():
        matplotlib.rcdefaults()
        before = dict(matplotlib.rcParams)
        ClassSurvey()
        assert dict(matplotlib.rcParams) == before
        style.use()
        assert matplotlib.rcParams["axes.spines.top"] is False
    assert style.STYLE_FILE.parent.name == "widgets"
