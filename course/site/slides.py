"""Slides and a handout of a lesson, from the lesson's own words and pictures.

    python -m course.site.slides LESSON... FOLDER

writes for each lesson, by its number, or all of them without one, `NAME.slides.html` and
`NAME.handout.html` into the folder. Each is one file that asks nobody for anything. Arrow keys,
space, Home and End move the slides; the handout prints on two pages.
"""

from __future__ import annotations

import argparse
import base64
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import jinja2
from markupsafe import Markup
from nbformat import NotebookNode
from nbformat.v4 import new_markdown_cell

from course.site.handout import handout
from course.site.keeping import in_turn
from course.site.lessons import execute
from course.site.outline import Kind, Outline, Part, outline
from course.site.prose import line, prose
from dplab.widgets.png import light

HERE = Path(__file__).parent
DECK = HERE / "deck"
COURSE = HERE.parent


@dataclass(frozen=True)
class Slide:
    """What one slide shows, as HTML; `answer` comes with a further press of a key."""

    kind: str
    heading: Markup
    text: Markup
    answer: Markup
    choices: tuple[Markup, ...]
    picture: str
    alt: str


def slides(lesson: Outline) -> str:
    """The page of a lesson's slides."""
    page = jinja2.Environment(autoescape=True, loader=jinja2.FileSystemLoader(DECK))
    return page.get_template("slides.html.j2").render(
        title=lesson.title,
        slides=[_slide(part) for part in _shown(lesson)],
        css=Markup((DECK / "slides.css").read_text(encoding="utf-8")),
        script=Markup((DECK / "slides.js").read_text(encoding="utf-8")),
    )


def _shown(lesson: Outline) -> Iterator[Part]:
    """All but questions to ask oneself; those are on the handout."""
    for part in lesson.parts:
        if part.kind is not Kind.EXERCISE:
            yield part


def _slide(part: Part) -> Slide:
    return Slide(
        part.kind.value,
        line(part.heading),
        prose(part.text),
        prose(part.answer),
        tuple(map(line, part.choices)),
        base64.b64encode(light(part.picture)).decode() if part.picture else "",
        part.alt,
    )


def write(executed: NotebookNode, name: str, folder: Path) -> list[Path]:
    """Write both pages of an executed lesson; their paths."""
    folder.mkdir(parents=True, exist_ok=True)
    lesson = outline(executed)
    pages = {f"{name}.slides.html": slides(lesson), f"{name}.handout.html": handout(lesson)}
    for file, text in pages.items():
        (folder / file).write_text(text, encoding="utf-8")
    return [folder / file for file in pages]


def linked(executed: NotebookNode, name: str, folder: Path) -> NotebookNode:
    """Write both pages into the site's `folder`; the cell of its page that leads to them."""
    deck, paper = (f"_static/{folder.name}/{path.name}" for path in write(executed, name, folder))
    return new_markdown_cell(
        f'<p>For a room: <a href="{deck}">slides of this lesson</a>, which arrow keys move, and '
        f'<a href="{paper}">a handout</a> of two pages.</p>'
    )


def main(arguments: list[str] | None = None) -> None:
    lessons = {int(path.name[:2]): path for path in sorted(COURSE.glob("[0-9]*.ipynb"))}
    parser = argparse.ArgumentParser(prog="python -m course.site.slides", description=__doc__)
    parser.add_argument("lesson", type=int, nargs="*", help=f"{min(lessons)} to {max(lessons)}")
    parser.add_argument("folder", type=Path)
    given = parser.parse_args(arguments)
    if unknown := set(given.lesson) - lessons.keys():
        parser.error(
            f"there is no lesson {min(unknown)}; there are {min(lessons)} to {max(lessons)}"
        )
    chosen = [lessons[number] for number in given.lesson or lessons]
    with in_turn():
        done = execute(chosen)
    for path, executed in done.items():
        for written in write(executed, path.stem, given.folder):
            print(f"{written}: {written.stat().st_size / 1000:.0f} kB")


if __name__ == "__main__":
    main()
