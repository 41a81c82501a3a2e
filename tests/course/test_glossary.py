"""No word before its meaning: `python -m tests.course.test_glossary` lists where words come first.

A lesson that needs a word of a later one says so in the paragraph where it first does: it names
that lesson, or leads to the glossary.
"""

import re
from dataclasses import dataclass

import nbformat
import pytest

from tests.course.test_lessons import COURSE, LESSONS, prose

ROW = re.compile(r"^\| \*\*(.+?)\*\* \| (.+?) \| (.+?) \| \[(\d+)\]\((\S+?)\) \|$", re.M)
SYMBOLS = {"epsilon": r"(?-i:\\varepsilon)", "delta": r"(?-i:\\delta)"}  # in formulas


@dataclass(frozen=True)
class Word:
    name: str
    others: tuple[str, ...]
    meaning: str
    lesson: int
    file: str

    @property
    def pattern(self) -> re.Pattern:
        """The word in a text, also in the plural, and as a symbol."""
        parts = [re.escape(part) for part in re.split(r"[ -]", self.name)]
        word = r"(?<!\\)\b" + r"[\s-]+".join(parts) + r"(?:s|es)?\b"
        symbol = SYMBOLS.get(self.name)
        return re.compile(f"{word}|{symbol}" if symbol else word, re.I)


def words() -> list[Word]:
    cells = nbformat.read(COURSE / "glossary.ipynb", as_version=4).cells
    rows = ROW.findall("\n".join(cell.source for cell in cells))
    return [
        Word(name, tuple(others.split(", ")), meaning, int(lesson), file)
        for name, others, meaning, lesson, file in rows
    ]


def paragraphs(path) -> list[str]:
    """Those that teach, without names in code: not what comes behind the lesson's end."""
    text = re.sub(r"`[^`\n]+`", "", prose(path).split("\n## Go on")[0])
    return [" ".join(part.split()) for part in re.split(r"\n\s*\n|\n(?=\d\. |- |### )", text)]


def first_use(word: Word, path) -> str | None:
    """The first paragraph of a lesson in which the word stands."""
    return next((part for part in paragraphs(path) if word.pattern.search(part)), None)


def early_uses() -> list[tuple[Word, int, str]]:
    """Words that come before their lessons, and where, with nothing said of that."""
    found = []
    for word in words():
        for path in LESSONS[: word.lesson - 1]:
            part = first_use(word, path)
            said = part and (f"esson {word.lesson}" in part or "glossary.ipynb" in part)
            if part and not said:
                found.append((word, int(path.stem[:2]), part))
    return found


def test_there_are_eighty_words_in_alphabetical_order():
    names = [word.name.lower() for word in words()]
    assert len(names) >= 80
    assert names == sorted(set(names))


def test_every_row_is_read():
    text = (COURSE / "glossary.ipynb").read_text(encoding="utf-8")
    assert text.count('"| **') == len(words())


@pytest.mark.parametrize("word", words(), ids=lambda word: word.name)
def test_a_word_stands_in_its_lesson_and_is_not_its_own_meaning(word):
    path = COURSE / word.file
    assert path in LESSONS
    assert int(path.stem[:2]) == word.lesson
    text = " ".join(paragraphs(path)).lower()
    roots = [name.lower().split()[0][:5] for name in (word.name, *word.others)]
    assert any(root in text for root in roots) or word.pattern.search(text)
    assert not word.pattern.search(word.meaning)
    assert len(word.meaning.split()) <= 30


def test_no_word_comes_before_its_meaning_without_saying_so():
    assert [f"{word.name} in lesson {lesson}" for word, lesson, _ in early_uses()] == []


if __name__ == "__main__":
    for word, lesson, part in early_uses():
        place = word.pattern.search(part).start()
        print(f"{word.name} ({word.lesson}) in {lesson}: {part[max(0, place - 60) : place + 60]}")
