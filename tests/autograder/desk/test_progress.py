import nbformat
from nbformat import v4

from autograder.desk import progress


def solution(text, name="one"):
    marks = {"grade_id": name, "solution": True, "grade": False, "locked": False}
    return v4.new_code_cell(text, metadata={"nbgrader": marks})


def write(path, *cells):
    path.parent.mkdir(exist_ok=True)
    nbformat.write(v4.new_notebook(cells=list(cells)), path)


def test_lessons_count_what_has_run_and_problem_sets_what_is_written(tmp_path):
    title = v4.new_markdown_cell("# 5. Did you cheat?\n\nText.")
    ran, waits = v4.new_code_cell("1", execution_count=3), v4.new_code_cell("2")
    write(tmp_path / "05_did.ipynb", title, ran, waits)
    write(tmp_path / "06_all.ipynb", ran)
    write(tmp_path / "07_none.ipynb", title, waits)
    write(tmp_path / "index.ipynb", waits)
    stub, answer = solution("raise NotImplementedError"), solution("return 2", "two")
    write(tmp_path / "ps03" / "ps03.ipynb", v4.new_markdown_cell("# Set 3"), stub, answer, waits)
    write(tmp_path / "capstone" / "capstone.ipynb", answer)
    write(tmp_path / "other" / "notes.ipynb", answer)
    found = progress(tmp_path)
    assert repr(found).splitlines() == [
        "5. Did you cheat?: 1 of 2",
        "06_all: complete",
        "5. Did you cheat?: not begun",
        "Set 3: 1 of 2",
        "capstone: complete",
    ]
    shown = found._repr_markdown_()
    assert "| [5. Did you cheat?](05_did.ipynb) | 1 of 2 |" in shown
    assert "| [Set 3](ps03/ps03.ipynb) | 1 of 2 |" in shown
    assert "index.ipynb" not in shown


def test_a_file_that_is_no_notebook_is_not_begun(tmp_path):
    for name, text in (("01_a", ""), ("02_b", "[]"), ("03_c", '{"cells": 3}'), ("04_d", "{")):
        (tmp_path / f"{name}.ipynb").write_text(text)
    assert repr(progress(tmp_path)).splitlines() == [
        "01_a: not begun",
        "02_b: not begun",
        "03_c: not begun",
        "04_d: not begun",
    ]


def test_an_empty_folder_has_nothing_to_count(tmp_path):
    assert repr(progress(tmp_path)) == ""
