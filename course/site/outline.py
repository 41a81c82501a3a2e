"""What a talk or a handout takes from a lesson: its parts, in the lesson's own order and words.

Pictures are those that the executed lesson shows; an explorer gives the one that it opens with.
"""

from __future__ import annotations

import ast
import base64
import itertools
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import Enum

from nbformat import NotebookNode


class Kind(Enum):
    """What a part is. The order is nobody's: parts come as the lesson has them."""

    QUESTION = "question"
    PREDICTION = "prediction"
    EXPLORER = "explorer"
    OUTCOME = "outcome"
    STATEMENT = "statement"
    PROOF = "proof"
    PICTURE = "picture"
    CLAIM = "claim"
    EXERCISE = "exercise"
    SUMMARY = "summary"


@dataclass(frozen=True)
class Part:
    """One thing that a lesson says or shows.

    `text` and `answer` are Markdown; the answer is what is held back at first, an outcome's with
    what the lesson says of it. `choices` are those of a prediction. `picture` is a PNG, and `alt`
    its words.
    """

    kind: Kind
    heading: str
    text: str = ""
    answer: str = ""
    choices: tuple[str, ...] = ()
    picture: bytes = b""
    alt: str = ""


@dataclass(frozen=True)
class Outline:
    """A lesson's title, such as "5. Did you cheat?", and its parts."""

    title: str
    parts: tuple[Part, ...]

    def of(self, *kinds: Kind) -> list[Part]:
        return [part for part in self.parts if part.kind in kinds]


_PARAGRAPHS = re.compile(r"\n[ \t]*\n")
_NUMBERED = re.compile(r"^\d+\. (.+(?:\n(?!\d+\. ).+)*)", re.M)
_FOLDED = re.compile(r"<details><summary>(.*?)</summary>(.*?)</details>", re.S)
_STATED = re.compile(r"\*\*(Definition|Theorem)\b")
_SENTENCE_ENDS = re.compile(r"[.!?:)]$")
_SENTENCES = re.compile(r"(?<=[.!?])\s+(?=[A-Z])")
_HEADING = re.compile(r"^#{2,3} (.+)$", re.M)
_EXPLORER = re.compile(r"[A-Z]\w+\(\)")
_END_OF_PROOF = r"\blacksquare"
FURTHER = "Go further"  # a section for readers who want more: no slide, and not on the handout
_TO_WHO_READS = "Choose an answer"  # before scrolling on, which nobody does in a room


def outline(executed: NotebookNode) -> Outline:
    """The outline of a lesson that has been executed."""
    first, *others = _without_further(executed.cells)
    title, *opening = _PARAGRAPHS.split(first.source)
    title = title.removeprefix("# ")
    question = Part(Kind.QUESTION, title, "\n\n".join(opening))
    return Outline(title, (question, *_Reader(title).read(others)))


def _without_further(cells: list[NotebookNode]) -> Iterator[NotebookNode]:
    """Yield the cells, except those of the section "Go further"."""
    heading = ""
    for cell in cells:
        if cell.cell_type == "markdown":
            heading, *_ = re.findall(r"^## (.+)$", cell.source, re.M)[:1] or [heading]
        if heading != FURTHER:
            yield cell


class _Reader:
    """Goes through a lesson once, and knows under which heading it is."""

    def __init__(self, title: str):
        self.heading = title
        self.above = ""  # the last cell of text
        self.asked: dict[str, str] = {}  # what predictions ask, by their names
        self.stated = ""  # a theorem's proof goes under its heading, across cells
        self.proving = False
        self.claims: list[str] = []
        self.leading: list[str] = []  # what a statement stands on: paragraphs since the last code

    def read(self, cells: list[NotebookNode]) -> Iterator[Part]:
        for cell, below in itertools.pairwise([*cells, None]):
            if cell.cell_type == "code":
                self.leading = []
                yield from self._explained(list(self._code(cell)), below)
            else:
                yield from self._text(cell.source)
                self.above = cell.source

    def _code(self, cell: NotebookNode) -> Iterator[Part]:
        if _EXPLORER.fullmatch(cell.source):
            yield self._explorer(cell)
            return
        for node in ast.walk(ast.parse(cell.source)):
            yield from self._predicted(node)
        for picture, alt in _pictures(cell):
            alt = alt or titled(cell.source) or self.heading
            yield Part(Kind.PICTURE, self.heading, picture=picture, alt=alt)

    def _explained(self, parts: list[Part], below: NotebookNode | None) -> Iterator[Part]:
        """What the text below says first of an outcome, of the last one where there are two."""
        if parts and parts[-1].kind is Kind.OUTCOME and below and below.cell_type == "markdown":
            *others, outcome = parts
            answer = "\n\n".join([outcome.answer, *_reason(below.source)])
            parts = [*others, replace(outcome, answer=answer)]
        yield from parts

    def _explorer(self, cell: NotebookNode) -> Part:
        picture, alt = next(_pictures(cell))
        tasks = "\n".join(f"{n}. {task}" for n, task in enumerate(_NUMBERED.findall(self.above), 1))
        return Part(Kind.EXPLORER, self.heading, tasks, picture=picture, alt=alt)

    def _predicted(self, node: ast.AST) -> Iterator[Part]:
        """A prediction where it is asked, and what it came to where that is compared."""
        match node:
            case ast.Assign(
                targets=[ast.Name(id=name)],
                value=ast.Call(func=ast.Name(id="Prediction"), args=[question, answers]),
            ):
                asked, choices = ast.literal_eval(question), tuple(ast.literal_eval(answers))
                self.asked[name] = asked
                text = "\n\n".join([*self._setting(), f"**{asked}**"])
                yield Part(Kind.PREDICTION, self.heading, text, choices=choices)
            case ast.Call(
                func=ast.Attribute(value=ast.Name(id=name), attr="compare"),
                args=[ast.Constant(value=truth)],
            ) if name in self.asked:
                yield Part(Kind.OUTCOME, "You predicted", self.asked[name], answer=truth)

    def _setting(self) -> list[str]:
        """What a prediction is about; a second one about the same needs it no more."""
        found = [p for p in _paragraphs(self.above) if not p.startswith(_TO_WHO_READS)]
        self.above = ""
        return found if self.heading == "Predict first" else found[-1:]

    def _text(self, text: str) -> Iterator[Part]:
        before, *sections = _HEADING.split(text)
        yield from self._section(before)
        for heading, section in zip(sections[::2], sections[1::2], strict=True):
            self.heading, self.proving, self.leading = heading, False, []
            yield from self._section(section)

    def _section(self, text: str) -> Iterator[Part]:
        """A cell's text under one heading."""
        if not text.strip():
            return
        if self.heading == "Would you sign it?":
            yield from self._signed(text)
        elif self.heading == "Check yourself":
            for question, answer in _FOLDED.findall(text):
                yield Part(Kind.EXERCISE, self.heading, question, answer.strip())
        elif self.heading == "Now you know":
            yield Part(Kind.SUMMARY, self.heading, text.strip())
        else:
            yield from self._mathematics(_paragraphs(text))

    def _signed(self, text: str) -> Iterator[Part]:
        """Claims that wait for their answers, which stand folded further down."""
        unfolded = _FOLDED.sub("", text)
        if not self.claims and (first := _NUMBERED.search(unfolded)):
            said = unfolded[: first.start()].strip()  # what all of them are about
            claim, *others = _NUMBERED.findall(unfolded)
            self.claims = [f"{said}\n\n{claim}".strip(), *others]
        for summary, answer in _FOLDED.findall(text):
            if summary.startswith("Claim "):
                claim = self.claims[int(summary.split()[1]) - 1]
                yield Part(Kind.CLAIM, self.heading, claim, answer.strip())

    def _mathematics(self, paragraphs: list[str]) -> Iterator[Part]:
        """Definitions and theorems, and the proofs that follow."""
        while paragraphs:
            paragraph = paragraphs.pop(0)
            if _STATED.match(paragraph):
                while paragraphs and not _complete(paragraph, paragraphs[0]):
                    paragraph += "\n\n" + paragraphs.pop(0)
                self.stated, self.proving = self.heading, False
                text = "\n\n".join([*self.leading, paragraph])
                self.leading = []
                yield Part(Kind.STATEMENT, self.heading, text)
            elif self.proving or paragraph.startswith("**Proof"):
                proof = [paragraph]
                while paragraphs and _END_OF_PROOF not in proof[-1]:
                    proof.append(paragraphs.pop(0))
                self.proving, self.leading = _END_OF_PROOF not in proof[-1], []
                yield Part(Kind.PROOF, self.stated, "\n\n".join(proof))
            else:
                self.leading.append(paragraph)


def _complete(statement: str, following: str) -> bool:
    """Whether a statement ends where a paragraph does: a formula may stand apart in it."""
    if following.startswith("$$"):
        return False
    return bool(_SENTENCE_ENDS.search(statement.rstrip("$*_ \n")))


def _reason(text: str) -> list[str]:
    """The first paragraph above any heading, but for a sentence that leads to what comes below;
    none where it is a statement, which has a part of its own.
    """
    above, *_ = _HEADING.split(text)
    first = "".join(_paragraphs(above)[:1])
    if _STATED.match(first):
        return []
    sentences = [said for said in _SENTENCES.split(first) if not said.endswith(":")]
    return [" ".join(sentences)] if first and sentences else []


def _paragraphs(text: str) -> list[str]:
    """Without headings, and without what is folded."""
    parts = _PARAGRAPHS.split(_HEADING.sub("", _FOLDED.sub("", text)))
    return [part.strip() for part in parts if part.strip()]


def titled(source: str) -> str:
    """The title that a cell gives its plot, numbers that it computes left out; maybe none."""
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Call(func=ast.Attribute(attr="title" | "set_title"), args=[title, *_]):
                parts = title.values if isinstance(title, ast.JoinedStr) else [title]
                return "".join(
                    str(part.value) if isinstance(part, ast.Constant) else "…" for part in parts
                )
    return ""


def _pictures(cell: NotebookNode) -> Iterator[tuple[bytes, str]]:
    for output in cell.outputs:
        if "image/png" in output.get("data", {}):
            alt = output.metadata.get("image/png", {}).get("alt", "")
            yield base64.b64decode(output.data["image/png"]), alt
