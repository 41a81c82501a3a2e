"""Files that a test gives to student code and looks at, where both run in one process."""

from pathlib import Path

import pytest

from autograder import checks


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def count(read, written):
    words = Path(read).read_text().split()
    Path(written).write_text(f"{len(words)}\n")


def contents(folder):
    return {p.relative_to(folder): p.read_bytes() for p in folder.rglob("*") if p.is_file()}


@pytest.mark.parametrize("there", [{}, {"in.txt": b"mine", "out.txt": b"mine, too", "x": b""}])
def test_a_function_finds_what_is_given_and_what_it_leaves_is_seen(folder, there):
    for name, content in there.items():
        (folder / name).write_bytes(content)
    before = contents(folder)
    with checks.files_given({"in.txt": "a b ä", "out.txt": None, "sub/deep/x.bin": b"\x00\xff"}):
        assert Path("sub/deep/x.bin").read_bytes() == b"\x00\xff"
        assert not Path("out.txt").exists()
        checks.call(count, "in.txt", "out.txt").gives(None)
        assert checks.file_left("out.txt") == b"3\n"
        assert checks.file_left("in.txt").decode() == "a b ä"
    assert contents(folder) == before


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt])
def test_all_is_as_before_whatever_ends_the_block(folder, error):
    (folder / "in.txt").write_text("mine")
    with pytest.raises(error), checks.files_given({"in.txt": "theirs", "new.txt": ""}):
        raise error
    assert contents(folder) == {Path("in.txt"): b"mine"}


@pytest.mark.parametrize("names", [["in.txt", "out.txt"], ["out.txt", "in.txt"]])
def test_one_that_cannot_be_put_back_keeps_no_other_from_it(folder, names):
    (folder / "in.txt").write_text("mine")
    with pytest.raises(OSError, match=r"out\.txt"), checks.files_given(dict.fromkeys(names)):
        (folder / "out.txt").mkdir()
    assert contents(folder) == {Path("in.txt"): b"mine"}


def test_a_file_that_is_not_there_fails_in_the_teacher_s_words(folder):
    (folder / "out.txt").mkdir()
    for name in ("no.txt", "out.txt", "no/no.txt", "out.txt/no.txt"):
        with pytest.raises(AssertionError) as error:
            checks.file_left(name, "Write the counts.")
        assert str(error.value) == f"the file {name!r} was not written. Write the counts."
        assert error.value.hint == "Write the counts."


def test_a_link_is_replaced_and_what_it_leads_to_stays(folder, tmp_path_factory):
    elsewhere = tmp_path_factory.mktemp("elsewhere") / "kept.txt"
    elsewhere.write_text("kept")
    (folder / "in.txt").symlink_to(elsewhere)
    with checks.files_given({"in.txt": "given"}):
        assert Path("in.txt").read_text() == "given"
    assert elsewhere.read_text() == "kept"
    assert Path("in.txt").read_text() == "kept"


@pytest.mark.parametrize("name", ["", "/etc/passwd", "../x", "a/../../x", "a//b", "C:\\x", "a\0b"])
def test_a_name_that_leads_elsewhere_is_refused_before_anything_is_written(folder, name):
    with pytest.raises(ValueError, match="can't be named"), checks.files_given({"a": "", name: ""}):
        pass
    with pytest.raises(ValueError, match="can't be named"):
        checks.file_left(name)
    assert contents(folder) == {}


@pytest.mark.parametrize("content", [3, ["a"], bytearray(b"a"), Path("a")])
def test_a_file_is_text_or_bytes(folder, content):
    with (
        pytest.raises(TypeError, match="must be text or bytes"),
        checks.files_given({"a": content}),
    ):
        pass
    assert contents(folder) == {}
