"""Files beside the notebook: what may be released, and that both rooms have it, in every mode."""

import json
import os
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner

from autograder import cli
from autograder.classroom.course.folders import Course, CourseError
from autograder.classroom.grading import check_draft, draft
from autograder.classroom.grading.grade_notebook import NotebookSubmission, grade
from autograder.classroom.releasing.release import release
from autograder.classroom.sets import assignment, materials
from autograder.examiner.sandboxed_runner import Limits, SandboxedRunner
from autograder.examiner.unsandboxed_runner import UnsandboxedRunner
from autograder.sandbox.probing import Probe
from autograder.wire.files import File, is_within_folder, lay_out
from tests.autograder.examiner.cells import check, error_of, student
from tests.autograder.tiny_assignment import SOLUTIONS, TEXTS, answered, as_bytes, write_source
from tests.autograder.trusted_runner import TrustedRunner

FILES = {"data/numbers.csv": "a,b\n1,2\n", "helper.py": "def twice(x):\n    return 2 * x\n"}


def texts(solution="    import helper\n    return helper.twice(x)"):
    """The tiny problem set, whose first exercise reads the files, as its tests do."""
    tested = "import helper\nassert double(3) == helper.twice(3)\n"
    tested += "assert open('data/numbers.csv').read() == shown()"
    changed = {
        "double": "def shown():\n    return open('data/numbers.csv').read()\n\n"
        f"def double(x):\n    ### BEGIN SOLUTION\n{solution}\n    ### END SOLUTION",
        "double_small": tested,
    }
    return [(kind, name, changed.get(name, text), marks) for kind, name, text, marks in TEXTS]


def with_files(root, files=FILES, **more):
    write_source(root, texts=texts(**more))
    for name, text in files.items():
        path = root / "source/tiny" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return Course.at(root)


ANSWERS = SOLUTIONS | {
    "double": "def shown():\n    return open('data/numbers.csv').read()\n\n"
    "def double(x):\n    import helper\n    return helper.twice(x)"
}


@pytest.fixture
def issued(tmp_path, rooms):
    course = with_files(tmp_path / "course")
    release(course, "tiny", rooms)
    return course


def handed_in(course, answers=ANSWERS):
    return as_bytes(answered(json.loads(course.released("tiny").read_text()), answers))


def points(course, rooms, answers=ANSWERS):
    work = NotebookSubmission("ann", handed_in(course, answers), key="")
    result = grade(work, assignment.load(course, "tiny"), rooms, b"secret").result
    return {cell.name: cell.points for cell in result.cells}


def test_both_rooms_have_the_released_files(issued, rooms):
    assert points(issued, rooms)["double_small"] == 1
    assert (issued.root / "release/tiny/data/numbers.csv").read_text() == "a,b\n1,2\n"
    assert points(issued, UnsandboxedRunner(Limits()))["double_small"] == 1


def test_without_bubblewrap_too(issued):
    with (
        Probe(bubblewrap=False) as weak,
        SandboxedRunner(Limits(), weak.sandbox, weak.parent) as rooms,
    ):
        assert points(issued, rooms)["double_small"] == 1


def test_what_a_student_does_to_the_files_is_hers_alone(issued, rooms):
    meddling = ANSWERS["double"].replace(
        "import helper\n",
        "import os, helper\n    os.chmod('helper.py', 0o644)\n"
        "    open('helper.py', 'w').write('def twice(x): return 7')\n"
        "    os.unlink('data/numbers.csv')\n",
    )
    lying = "helper_twice = 7\nimport helper\nhelper.twice = lambda x: 7\n" + ANSWERS["double"]
    assert points(issued, rooms, ANSWERS | {"double": lying})["double_small"] == 0
    points(issued, rooms, ANSWERS | {"double": meddling})
    assert points(issued, rooms)["double_small"] == 1


def test_a_file_can_be_read_and_not_written(rooms):
    source = """
        def tried():
            try:
                open("data.csv", "w")
            except PermissionError:
                return open("data.csv").read()
    """
    cells = student(source), check("assert tried() == 'x'\nassert open('data.csv').read() == 'x'")
    run = rooms.run(cells, b"", (File("data.csv", b"x"),))
    assert run.cells[1].verdict.error == "", run.cells[1].verdict


def test_a_new_room_of_the_same_notebook_has_them_again(rooms):
    cells = student("import os"), student("os._exit(1)", "gone"), student("x = open('a').read()")
    run = rooms.run([*cells, check("assert x == 'data'")], b"", (File("a", b"data"),))
    assert run.cells[-1].verdict.error == ""


def test_files_a_student_writes_stay_in_her_room(rooms, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    test = check("import os\nassert sorted(os.listdir()) == ['a']")
    run = rooms.run([student("open('mine', 'w').write('x')"), test], b"", (File("a", b""),))
    assert run.cells[1].verdict.error == ""
    assert list(tmp_path.iterdir()) == []


def test_files_of_one_problem_set_are_not_found_in_the_next(rooms):
    for content in (b"value = 1", b"value = 2"):
        wanted = content.decode().replace("=", "==").replace("value", "own.value")
        for each in (rooms, UnsandboxedRunner(Limits())):
            run = each.run([check(f"import own\nassert {wanted}")], b"", (File("own.py", content),))
            assert run.cells[0].verdict.error == ""
    assert "ModuleNotFoundError" in error_of(rooms, check("import own"))


@pytest.mark.parametrize("name", ["tests", "assignments", "course", "tests.autograder"])
def test_what_lies_beside_the_project_is_not_importable(rooms, name):
    tried = f"import {name} as found\nraise ImportError(*found.__path__)"  # the failure says where
    for each in (rooms, UnsandboxedRunner(Limits())):
        for cell in (check(tried), student(tried)):
            assert error_of(each, cell).startswith("ModuleNotFoundError: No module named")
    import tests  # still there for who runs this

    assert tests


def test_a_helper_may_be_called_tests(tmp_path, rooms):
    cells = [check("from tests import two\nassert two() == 2")]
    run = rooms.run(cells, b"", (File("tests.py", b"def two(): return 2"),))
    assert run.cells[0].verdict.error == ""


def test_released_is_what_counts_until_it_is_released_again(issued, rooms):
    (issued.root / "source/tiny/helper.py").write_text("def twice(x):\n    return 3 * x\n")
    with pytest.raises(CourseError, match="has changed since it was released"):
        assignment.load(issued, "tiny")


def test_a_damaged_copy_is_not_used(issued):
    (copy, *_) = (issued.private / "files").iterdir()
    copy.write_bytes(b"other")
    with pytest.raises(CourseError, match="is damaged"):
        assignment.load(issued, "tiny")


def test_another_file_is_another_problem_set_for_kept_results(issued, rooms):
    before = assignment.load(issued, "tiny").digest
    (issued.root / "source/tiny/data/numbers.csv").write_text("a,b\n3,4\n")
    release(issued, "tiny", rooms)
    assert assignment.load(issued, "tiny").digest != before


def test_the_student_checks_with_the_files_beside_the_notebook(issued, rooms, tmp_path):
    mine = tmp_path / "mine"
    shutil.copytree(issued.root / "release/tiny", mine)
    (mine / "private.txt").write_text("no business of the rooms")
    (mine / "tiny.ipynb").write_bytes(handed_in(issued))
    read = draft.load(mine / "tiny.ipynb")
    assert {file.name for file in read.assignment.files} == set(FILES)
    assert check_draft.check(read, rooms).passed
    (mine / "helper.py").chmod(0o644)
    (mine / "helper.py").write_text("def twice(x): return 2 * x")
    (mine / "data/numbers.csv").unlink()
    read = draft.load(mine / "tiny.ipynb")
    said = " ".join(note.message for note in read.notes)
    assert "'helper.py' has been changed. Grading uses the original." in said
    assert "'data/numbers.csv' of the problem set isn't beside the notebook" in said


def test_a_notebook_names_no_file_outside_its_folder(tmp_path, issued):
    (tmp_path / "secret").write_text("s")
    notebook = json.loads(handed_in(issued))
    notebook["metadata"][materials.NOTED] = {"../secret": "", "/etc/passwd": "", "a/../../x": ""}
    path = tmp_path / "mine" / "tiny.ipynb"
    path.parent.mkdir()
    path.write_bytes(as_bytes(notebook))
    assert draft.load(path).assignment.files == ()


def linked(folder: Path) -> None:
    (folder / "data.csv").symlink_to("/etc/hostname")


def linked_folder(folder: Path) -> None:
    (folder / "data").symlink_to("/etc")


def pipe(folder: Path) -> None:
    os.mkfifo(folder / "data.csv")


def huge(folder: Path) -> None:
    with (folder / "huge.bin").open("wb") as file:
        file.truncate(1 << 30)


def many(folder: Path) -> None:
    for number in range(materials.MOST_FILES + 1):
        (folder / f"{number}.txt").touch()


def second(folder: Path) -> None:
    (folder / "old").mkdir()
    shutil.copy(folder / "tiny.ipynb", folder / "old/problem2.ipynb")


def named(name: str):
    def write(folder: Path) -> None:
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text("")

    return write


def backup(folder: Path) -> None:
    shutil.copy(folder / "tiny.ipynb", folder / "tiny.ipynb~")


@pytest.mark.parametrize(
    ("lay", "says"),
    [
        (backup, r"tiny\.ipynb~ has solutions or hidden tests in it"),
        (linked, r"data\.csv can't be given to students: it is a link"),
        (linked_folder, r"/data can't be given to students: it is a link"),
        (pipe, "not an ordinary file"),
        (huge, r"more than 32 MiB together, .*huge\.bin among them"),
        (many, "has 1,001 files; at most 1,000 can"),
        (second, r"problem2\.ipynb: the notebooks of a problem set lie side by side"),
        (named("numpy.py"), r"numpy\.py has the name of the installed module 'numpy'; rename it"),
        (named("autograder.py"), "installed module 'autograder'"),
        (named("dplab/data.py"), "installed module 'dplab'"),
        (named("random.py"), "installed module 'random'"),
        (named("a:b.csv"), "can't have a colon"),
    ],
)
def test_what_cannot_be_released_is_named_and_nothing_is_released(tmp_path, lay, says):
    course = with_files(tmp_path, {})
    lay(tmp_path / "source/tiny")
    with pytest.raises(CourseError, match=says):
        release(course, "tiny", TrustedRunner())
    assert not course.released("tiny").exists()
    assert not course.master("tiny").exists()


def test_what_editors_and_systems_hide_is_not_released(tmp_path):
    course = with_files(tmp_path, {})
    source = tmp_path / "source/tiny"
    shutil.copy(source / "tiny.ipynb", source / ".tiny.ipynb.swp")
    (source / ".DS_Store").touch()
    release(course, "tiny")
    assert [path.name for path in course.released("tiny").parent.iterdir()] == ["tiny.ipynb"]


def test_what_nbgrader_ignores_is_left_out(tmp_path):
    course = with_files(tmp_path, {".ipynb_checkpoints/tiny.ipynb": "{}", "__pycache__/a.pyc": ""})
    assert materials.find_files(course, "tiny") == ()


@pytest.mark.parametrize("name", ["../x", "/x", "a/../../x", "", ".", "a//b", "C:\\x", "a\x00"])
def test_a_file_is_laid_out_below_its_folder_alone(tmp_path, name):
    assert not is_within_folder(name)
    with pytest.raises(ValueError, match="can't be named"):
        lay_out([File(name, b"")], tmp_path / "room")


def test_nothing_is_written_over(tmp_path):
    (tmp_path / "there").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(FileExistsError):
        lay_out([File("there", b"")], tmp_path)


def test_the_command_says_which_files_go_with_it(tmp_path):
    with_files(tmp_path)
    done = CliRunner().invoke(cli.main, ["release", str(tmp_path), "tiny"])
    assert done.exit_code == 0, done.output
    assert "with helper.py, data/numbers.csv)" in done.output
