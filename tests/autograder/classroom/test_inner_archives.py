"""A zip that a student handed in is opened, within the limits of the outer one."""

import io
import stat
import zipfile

import pytest

from autograder.classroom.intake import choose_notebook, collect_class, inner_archives
from autograder.classroom.intake.collect_class import CollectOptions
from tests.autograder.classroom import downloads
from tests.autograder.classroom.downloads import Turned
from tests.autograder.classroom.handing_in import write, zipped
from tests.autograder.tiny_assignment import answered, as_bytes

CELLS = {"tiny": {"double", "double_small", "mean", "why"}}


@pytest.fixture
def notebook(released):
    return as_bytes(answered(released))


def packed(files, compression=zipfile.ZIP_DEFLATED):
    """A zip with these files; a name may be a ZipInfo."""
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", compression) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return data.getvalue()


@pytest.fixture
def ann(course, tmp_path):
    """Collect these files of ann's, beside bob's, and return her submission and its notes."""

    def ann(files, **wanted):
        files = {f"ann/{name}": data for name, data in files.items()}
        source = zipped(tmp_path / "in.zip", {**files, "bob.ipynb": b"{}"})
        wanted = {"notebooks": CELLS} | wanted
        found = collect_class.collect(course, "tiny", source, CollectOptions(**wanted))
        handed = {submission.student: submission for submission in found.submissions}
        assert "bob" in handed  # nothing of ann's costs him anything
        assert not list(tmp_path.rglob("evil*"))
        return handed["ann"], " ".join(note.message for note in handed["ann"].notes)

    return ann


@pytest.mark.parametrize("inside", ["tiny.ipynb", "tiny/tiny.ipynb", "my work/mine.ipynb"])
@pytest.mark.parametrize("name", ["work.zip", "tiny/work.ZIP"])
def test_a_notebook_in_a_zip_is_graded_and_that_is_said(ann, notebook, inside, name):
    handed, notes = ann({name: packed({inside: notebook, "data.csv": b""})})
    assert handed.paths["tiny"].read_bytes() == notebook
    assert f"The notebook was in the zip 'ann/{name}', which was opened." in notes
    assert not any(note.needs_teacher for note in handed.notes)


def test_without_names_of_cells_it_is_opened_too(ann, notebook):
    handed, _ = ann({"work.zip": packed({"tiny.ipynb": notebook})}, notebooks={"tiny": ()})
    assert handed.paths["tiny"].read_bytes() == notebook


def test_beside_a_notebook_of_the_set_a_zip_stays_closed(ann, notebook):
    handed, notes = ann({"tiny.ipynb": notebook, "work.zip": packed({"tiny.ipynb": b"{}"})})
    assert handed.paths["tiny"].read_bytes() == notebook
    assert "ignored: 'work.zip'" in notes


def test_beside_a_notebook_of_nothing_it_is_opened(ann, notebook):
    handed, notes = ann({"tiny.ipynb": b"{}", "work.zip": packed({"tiny.ipynb": notebook})})
    assert handed.paths["tiny"].read_bytes() == notebook
    assert "'ann/work.zip/tiny.ipynb' was graded; ignored: 'ann/tiny.ipynb'" in notes


@pytest.mark.parametrize("platform", ["moodle", "canvas", "gradescope", "brightspace"])
def test_in_a_platforms_download_it_is_opened(course, tmp_path, notebook, platform):
    turned = [
        Turned("Ada", "Lovelace", 4711, {"work.zip": packed({"tiny.ipynb": notebook})}),
        Turned("Bob", "Baker", 4712, {"tiny.ipynb": notebook}),
    ]
    source = getattr(downloads, platform)(tmp_path / "in.zip", turned)
    found = collect_class.collect(course, "tiny", source, CollectOptions(notebooks=CELLS))
    assert [len(handed.paths) for handed in found.submissions] == [1, 1]


def test_a_class_of_zips_in_a_folder_is_collected_and_again(course, tmp_path, notebook):
    files = {f"{who}/work.zip": packed({"tiny.ipynb": notebook}) for who in ("ann", "bob")}
    source = write(tmp_path / "in", files)
    for _ in range(2):
        found = collect_class.collect(course, "tiny", source, CollectOptions(notebooks=CELLS))
        assert [len(handed.paths) for handed in found.submissions] == [1, 1]


def link(name):
    info = zipfile.ZipInfo(name)
    info.external_attr = (stat.S_IFLNK | 0o777) << 16
    return info


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("../evil.ipynb", "leads out of the archive"),
        ("/etc/evil.ipynb", "leads out of the archive"),
        ("a/../../evil.ipynb", "leads out of the archive"),
        ("C:/evil.ipynb", "leads out of the archive"),
        ("..\\evil.ipynb", "leads out of the archive"),
        ("x" * 300 + ".ipynb", "too long"),
        (link("tiny.ipynb"), "a link"),
    ],
    ids=str,
)
def test_paths_and_links_that_lead_elsewhere_are_refused(ann, notebook, name, reason):
    handed, notes = ann({"work.zip": packed({name: notebook})})
    assert handed.paths == {}
    assert reason in notes
    assert any(note.needs_teacher for note in handed.notes)


def test_a_bomb_is_read_up_to_the_limit(ann, monkeypatch):
    monkeypatch.setattr(choose_notebook, "SIZE_LIMIT", 1 << 20)
    handed, notes = ann({"work.zip": packed({"tiny.ipynb": b" " * (200 << 20)})})
    assert handed.paths == {}
    assert "larger than the limit" in notes


def test_a_zip_that_is_too_large_or_has_too_many_files_stays_closed(ann, notebook, monkeypatch):
    monkeypatch.setattr(inner_archives, "MAX_ARCHIVE_BYTES", 1 << 20)
    monkeypatch.setattr(inner_archives, "MAX_FILES", 20)
    large = {"tiny.ipynb": notebook, "picture.png": b"x" * (1 << 20)}
    handed, notes = ann({"work.zip": packed(large, zipfile.ZIP_STORED)})
    assert (handed.paths, "larger than the limit of 1 MiB" in notes) == ({}, True)
    many = {"tiny.ipynb": notebook} | {f"{number}.txt": b"" for number in range(20)}
    handed, notes = ann({"work.zip": packed(many)})
    assert (handed.paths, "it has more than 20 files" in notes) == ({}, True)


def test_only_a_few_zips_are_opened_and_none_in_a_zip(ann, notebook):
    inner = packed({"tiny.ipynb": notebook})
    handed, notes = ann({f"{letter}.zip": packed({}) for letter in "abc"} | {"d.zip": inner})
    assert handed.paths == {}
    assert "'ann/d.zip' was not opened: only 3 zips of one student are opened." in notes
    handed, notes = ann({"work.zip": packed({"inner.zip": inner})})
    assert handed.paths == {}


@pytest.mark.parametrize("data", [b"", b"PK", b"PK\x03\x04" * 9, b"x" * 99])
def test_what_is_no_zip_is_told(ann, data):
    handed, notes = ann({"work.zip": data})
    assert handed.paths == {}
    assert "'ann/work.zip' was not opened: it can't be read" in notes


def test_files_of_one_path_in_two_zips_are_two(ann, released, notebook):
    files = {
        "a.zip": packed({"x.ipynb": as_bytes(released)}),
        "b.zip": packed({"x.ipynb": notebook}),
    }
    stub = "".join(next(c for c in released["cells"] if c["id"] == "double")["source"])
    handed, notes = ann(files, stubs={"tiny": {"double": stub}})
    assert handed.paths["tiny"].read_bytes() == notebook
    assert "because it has the most answers" in notes
