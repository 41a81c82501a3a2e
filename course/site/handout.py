"""A lesson's handout, of two pages: what to predict and play with; what holds, and what to ask
oneself. Theorems stand without their proofs, questions without their answers.
"""

from __future__ import annotations

import base64
from pathlib import Path

import jinja2
from markupsafe import Markup

from course.site.outline import Kind, Outline
from course.site.prose import line, prose
from dplab.widgets.png import light

DECK = Path(__file__).parent / "deck"


def handout(lesson: Outline) -> str:
    """The page of a lesson's handout; its script makes letters so small that two pages do."""
    page = jinja2.Environment(autoescape=True, loader=jinja2.FileSystemLoader(DECK))
    page.filters.update(prose=prose, line=line, png=_png)
    return page.get_template("handout.html.j2").render(
        title=lesson.title,
        question=lesson.parts[0].text,
        predictions=lesson.of(Kind.PREDICTION),
        explorers=lesson.of(Kind.EXPLORER)[:1],
        statements=lesson.of(Kind.STATEMENT),
        claims=lesson.of(Kind.CLAIM),
        exercises=lesson.of(Kind.EXERCISE),
        summary=lesson.of(Kind.SUMMARY),
        css=Markup((DECK / "handout.css").read_text(encoding="utf-8")),
        script=Markup((DECK / "handout.js").read_text(encoding="utf-8")),
    )


def _png(picture: bytes) -> str:
    return base64.b64encode(light(picture)).decode()
