"""Files across the two rooms: a test gives some, and looks at what student code has left."""

from textwrap import dedent

import pytest

from autograder.wire.contract import Cell, Role
from autograder.wire.files import File
from tests.autograder.examiner.cells import LIMITS, check, error_of, hidden, student

WORK = student("""
    import csv, os
    from collections import Counter

    def count(read, written):
        with open(read) as file:
            counted = Counter(file.read().split())
        with open(written, "w", newline="") as file:
            csv.writer(file, lineterminator="\\n").writerows(counted.most_common())

    def size(read):
        return os.path.getsize(read)

    def forgetful(read, written):
        pass

    count.__globals__["open"]("mine.txt", "w").write("mine")
    """)
ASKED = dedent("""
    from autograder import checks
    with checks.files_given({"words.txt": "b a b", "counts.csv": None}):
        checks.call(NAME, "words.txt", "counts.csv").gives(None)
        assert checks.file_left("counts.csv", "Write it.") == b"b,2\\na,1\\n", "Sort them."
    """)


def test_the_function_reads_what_is_given_and_the_test_what_is_written(rooms):
    for asked in (check, hidden):
        assert error_of(rooms, WORK, asked(ASKED.replace("NAME", "count"))) is None
    source = ASKED.replace("NAME", "count")
    assert error_of(rooms, WORK, Cell(Role.FORGEABLE, source, "test", source, 1.0)) is None


def test_what_is_missing_is_told_visible_or_hidden(rooms):
    source = ASKED.replace("NAME", "forgetful")
    said = error_of(rooms, WORK, check(source))
    assert said == "AssertionError: the file 'counts.csv' was not written. Write it."
    assert error_of(rooms, WORK, hidden(source)) == "AssertionError: Write it."


def test_bytes_and_large_files_cross_whole(rooms):
    source = """
        from autograder import checks
        data = bytes(range(256)) * 4096
        with checks.files_given({"sub/a.bin": data, "empty": b""}):
            assert size("sub/a.bin") == len(data) and size("empty") == 0
            assert checks.file_left("sub/a.bin") == data and checks.file_left("empty") == b""
        checks.call(size, "sub/a.bin").gives(0)
        """
    assert "FileNotFoundError" in error_of(rooms, WORK, check(source))


def test_what_was_there_is_there_again(rooms):
    source = """
        from autograder import checks
        with checks.files_given({"mine.txt": "given"}):
            assert checks.file_left("mine.txt") == b"given"
        assert checks.file_left("mine.txt") == b"mine"
        """
    assert error_of(rooms, WORK, check(source)) is None


def test_a_file_of_the_set_can_be_another_one_for_a_while(rooms):
    work = student("def read():\n    return open('coins.csv').read()")
    source = """
        from autograder import checks
        with checks.files_given({"coins.csv": "other"}):
            assert read() == "other"
        assert read() == "coins" == open("coins.csv").read()
        """
    files = [File("coins.csv", b"coins")]
    run = rooms.run([work, check(source)], b"seed", files=files).cells[-1]
    assert run.verdict.losses == ()


LYING = {
    "a pipe": "os.mkfifo('counts.csv')",
    "a folder": "os.mkdir('counts.csv')",
    "endless": "os.symlink('/dev/zero', 'counts.csv')",
    "memory": "os.symlink('/proc/self/mem', 'counts.csv')",
    "a link to itself": "os.symlink('counts.csv', 'counts.csv')",
    "huge": "open('counts.csv', 'wb').truncate(7 << 20); os.truncate('counts.csv', 1 << 50)",
    "not to be read": "open('counts.csv', 'w'); os.chmod('counts.csv', 0)",
    "another folder": "os.mkdir('d'); os.chdir('d')",
    "no folder": "os.mkdir('d'); os.chdir('d'); os.rmdir('../d')",
    "another reader": "import pathlib; pathlib.Path.read_bytes = lambda self: [1]; open(w, 'w')",
    "an endless reader": "import pathlib; pathlib.Path.is_file = lambda s: any(iter(bool, 1))",
    "no reader": "import pathlib; del pathlib.Path.is_file",
    "its end": "os._exit(0)",
}


@pytest.mark.parametrize("what", LYING)
def test_whatever_lies_there_costs_the_student_the_test_and_nobody_else(hurried, what):
    work = student(f"""
        import os
        def count(r, w):
            {LYING[what]}
        """)
    after = student("x = 1", "after")
    last = check("assert x == 1", "last")
    cells = [work, check(ASKED.replace("NAME", "count")), after, last]
    ran = hurried.run(cells, b"seed").cells
    assert ran[1].verdict.losses
    assert not ran[1].verdict.fault
    assert ran[3].verdict.losses == ()


def test_a_file_that_is_too_large_to_cross_is_an_error_of_its_writer(rooms):
    assert LIMITS.file_bytes < LIMITS.message_bytes
    work = student("def count(r, w):\n    open(w, 'wb').write(bytes(9 << 20))")
    assert "OSError" in error_of(rooms, work, check(ASKED.replace("NAME", "count")))
