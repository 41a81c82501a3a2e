"""No word before its meaning: `python -m tests.course.test_glossary` lists where words come first.

A lesson that needs a word of a later one, by whichever of its names, says so in the paragraph where
it first does: it names that lesson, or leads to the glossary.
"""

import re
from dataclasses import dataclass

import nbformat

from tests.course.test_lessons import COURSE, LESSONS, prose

ROW = re.compile(r"^\| \*\*(.+?)\*\* \| (.+?) \| (.+?) \| \[(\d+)\]\((\S+?)\) \|$", re.M)
COMMON = {"size", "power", "normal noise"}  # other names that mean other things as well
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
        """The word in a text, also in the plural, by its other names, and as a symbol."""
        plain = [name for name in self.others if not re.search(r"[$–]", name)]
        names = [self.name, *(name for name in plain if name not in COMMON)]
        symbols = [SYMBOLS[self.name]] if self.name in SYMBOLS else []
        return re.compile("|".join([*map(_said, names), *symbols]), re.I)


def _said(name: str) -> str:
    parts = [re.escape(part) for part in re.split(r"[ -]", name)]
    return r"(?<!\\)\b" + r"[\s-]+".join(parts) + r"(?:s|es)?\b"


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


def first_use(word: Word, lesson: list[str]) -> str | None:
    """The first of a lesson's paragraphs in which the word stands."""
    return next((part for part in lesson if word.pattern.search(part)), None)


def early_uses() -> list[tuple[Word, int, str]]:
    """Words that come before their lessons, and where, with nothing said of that."""
    found, lessons = [], {path: paragraphs(path) for path in LESSONS}
    for word in words():
        for path in (path for path in LESSONS if int(path.stem[:2]) < word.lesson):
            part = first_use(word, lessons[path])
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


def faults(word: Word) -> list[str]:
    """Return what is wrong with the row of one word."""
    path = COURSE / word.file
    if path not in LESSONS or int(path.stem[:2]) != word.lesson:
        return [f"lesson {word.lesson} is not {word.file}"]
    taught, _, rest = prose(path).lower().partition("\n## check yourself")
    asked, _, further = rest.partition("\n## go on")[0].partition("\n## go further")
    stems = [[part[:5] for part in re.split("[ -]", n.lower())] for n in (word.name, *word.others)]

    def is_in(text: str) -> bool:
        return any(all(stem in text for stem in parts) for parts in stems)

    is_taught = is_in(taught) or (is_in(further) and not word.pattern.search(asked))
    found = {
        "is not in its lesson before it is asked for": not is_taught,
        "is in its own meaning": word.pattern.search(word.meaning),
        "has a meaning of more than 30 words": len(word.meaning.split()) > 30,
    }
    return [fault for fault, is_there in found.items() if is_there]


def test_a_word_is_in_its_lesson_before_it_is_asked_for_and_is_not_its_own_meaning():
    found = [f"{word.name!r}: {fault}" for word in words() for fault in faults(word)]
    assert not found, "\n".join(found)


def test_no_word_comes_before_its_meaning_without_saying_so():
    assert [f"{word.name} in lesson {lesson}" for word, lesson, _ in early_uses()] == []


if __name__ == "__main__":
    for word, lesson, part in early_uses():
        place = word.pattern.search(part).start()
        print(f"{word.name} ({word.lesson}) in {lesson}: {part[max(0, place - 60) : place + 60]}")
