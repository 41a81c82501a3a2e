"""One submission never stops the class: whatever it raises is a note for its student."""

import errno
import zipfile

import pytest

from autograder.classroom.course.folders import CourseError, write_atomically
from autograder.classroom.gradebook.records import OpenGradebook
from autograder.classroom.intake import collect_class, inner_archives
from autograder.classroom.running import coordinator
from autograder.classroom.running.coordinator import Graders, grade_class
from autograder.wire.contract import Limits
from tests.autograder.classroom.handing_in import write, zipped
from tests.autograder.tiny_assignment import answered, as_bytes
from tests.autograder.trusted_runner import WEAK

GRADERS = Graders(Limits(), WEAK, jobs=1)


@pytest.fixture
def notebook(released):
    return as_bytes(answered(released))


@pytest.fixture
def folder(tmp_path, notebook):
    return write(tmp_path / "in", {f"{who}/tiny.ipynb": notebook for who in ("ann", "eve", "joy")})


def fail_for_eve(monkeypatch, where, name, error):
    """Make a function fail where one of its arguments has to do with Eve."""
    real = getattr(where, name)

    def failing(*arguments, **named):
        if any("eve" in str(argument) for argument in arguments):
            raise error
        return real(*arguments, **named)

    monkeypatch.setattr(where, name, failing)


def graded(course, tiny, folder):
    handed_in = collect_class.collect(course, "tiny", folder).submissions
    return {result.student: result for result in grade_class(course, tiny, handed_in, GRADERS)}


def check_only_eve_is_missing(results, told):
    assert {who: one.points for who, one in results.items()} == {"ann": 6, "eve": 0, "joy": 6}
    eve = results["eve"]
    assert eve.not_graded
    assert eve.needs_teacher
    assert [cell.points for cell in eve.cells] == [None] * 4  # no points, and no zero
    assert told in eve.notes[-1].message


ODD = [ArithmeticError("odd"), RecursionError("odd"), MemoryError("odd"), KeyError("odd")]


@pytest.mark.usefixtures("one_room")
@pytest.mark.parametrize("error", ODD, ids=repr)
def test_an_error_while_collecting_is_a_note(course, tiny, folder, monkeypatch, error):
    fail_for_eve(monkeypatch, inner_archives, "choose_notebook", error)
    check_only_eve_is_missing(graded(course, tiny, folder), f"could not be collected: {error!r}")


@pytest.mark.usefixtures("one_room")
def test_what_could_not_be_collected_is_tried_again(course, tiny, folder, monkeypatch):
    with monkeypatch.context() as patch:
        fail_for_eve(patch, inner_archives, "choose_notebook", ODD[0])
        graded(course, tiny, folder)
    assert graded(course, tiny, folder)["eve"].points == 6


@pytest.mark.usefixtures("one_room")
@pytest.mark.parametrize("place", ["submitted", "autograded"])
def test_a_file_where_a_students_folder_goes_is_a_note(course, tiny, folder, place):
    write(course.root, {f"{place}/eve": b""})
    told = {"submitted": "could not be collected", "autograded": "could not be written"}
    check_only_eve_is_missing(graded(course, tiny, folder), told[place])


@pytest.mark.usefixtures("one_room")
def test_a_notebook_that_is_gone_before_it_is_graded_is_a_note(course, tiny, folder):
    handed_in = collect_class.collect(course, "tiny", folder).submissions
    course.submitted("eve", "tiny").unlink()
    results = {result.student: result for result in grade_class(course, tiny, handed_in, GRADERS)}
    check_only_eve_is_missing(results, "could not be read")


@pytest.mark.usefixtures("one_room")
def test_a_result_that_the_gradebook_can_not_take_is_a_note(course, tiny, folder, monkeypatch):
    real = OpenGradebook._write

    def failing(self, result, *arguments):
        if result.student == "eve" and not result.not_graded:
            self._book.db.add(self._api.Student(id="half-written"))
            raise OverflowError("too large")
        return real(self, result, *arguments)

    monkeypatch.setattr(OpenGradebook, "_write", failing)
    check_only_eve_is_missing(graded(course, tiny, folder), "could not be written: OverflowError")
    with OpenGradebook(course, "tiny") as gradebook:
        assert set(gradebook.grades()) == {"ann", "eve", "joy"}
        assert [student.id for student in gradebook._book.students] == ["ann", "eve", "joy"]


@pytest.mark.usefixtures("one_room")
@pytest.mark.parametrize("where", [collect_class, coordinator])
def test_a_full_disk_is_no_students_fault_and_says_where(course, tiny, folder, monkeypatch, where):
    full = OSError(errno.ENOSPC, "No space left on device", "eve.ipynb")
    fail_for_eve(monkeypatch, where, "write_atomically", full)
    with pytest.raises(OSError, match=r"No space left on device: 'eve\.ipynb'"):
        graded(course, tiny, folder)


def test_where_nothing_can_be_collected_it_is_no_students_fault(course, folder):
    write_atomically(course.root / "submitted", "a file")
    with pytest.raises(
        CourseError, match=r"no submission could be collected: .*Not a directory: '.*submitted"
    ):
        collect_class.collect(course, "tiny", folder)


@pytest.mark.parametrize(
    "method", [zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA], ids=str
)
def test_a_damaged_file_in_an_archive_leaves_the_others(course, tmp_path, notebook, method):
    path = zipped(tmp_path / "in.zip", {"ann.ipynb": notebook})
    with zipfile.ZipFile(path, "a", method) as archive:
        archive.writestr("eve/tiny.ipynb", bytes(range(256)) * 40)
        archive.writestr("eve/tiny/timestamp.txt", "2026-11-01 10:00:00 UTC" * 9)
        places = [info.header_offset + 30 + len(info.filename) for info in archive.infolist()[1:]]
    data = bytearray(path.read_bytes())
    for place in places:
        data[place + 6 : place + 20] = b"\xff" * 14
    path.write_bytes(data)
    found = {h.student: h for h in collect_class.collect(course, "tiny", path).submissions}
    assert found["ann"].paths
    assert not found["eve"].paths
    assert "can't be read" in found["eve"].notes[0].message
