"""Each of the ten things to do works by itself, in a fresh session, after the first lines."""

import doctest
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "course/ten_things_to_do.md").read_text(encoding="utf-8")
FIRST, *TASKS = re.split(r"^## ", PAGE, flags=re.MULTILINE)


def examples(text):
    return "\n".join(re.findall(r"```pycon\n(.*?)```", text, re.DOTALL))


@pytest.mark.parametrize("task", TASKS, ids=[task.partition(".")[0] for task in TASKS])
def test_a_task_shows_what_it_prints(task):
    lines = f"{examples(FIRST)}\n{examples(task)}"
    test = doctest.DocTestParser().get_doctest(lines, {}, task.partition("\n")[0], None, 0)
    said = []
    doctest.DocTestRunner().run(test, out=said.append)
    assert not said, "".join(said)
    assert len(test.examples) > 5


def test_there_are_ten_and_the_readme_leads_to_them():
    assert [task.partition(".")[0] for task in TASKS] == [str(i) for i in range(1, 11)]
    assert "(course/ten_things_to_do.md)" in (ROOT / "README.md").read_text(encoding="utf-8")
