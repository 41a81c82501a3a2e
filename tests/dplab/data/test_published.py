import hashlib

import pooch
import pytest

from dplab.data import published
from dplab.data.published import DataMissing, PublishedFile

TEXT = b"a,b\n1,2\n"
FILE = PublishedFile(
    folder="tables",
    name="table.csv",
    url="https://nowhere.invalid/table.csv",
    sha256=hashlib.sha256(TEXT).hexdigest(),
)


@pytest.fixture(autouse=True)
def empty_cache(tmp_path, monkeypatch):
    """No folder of data, and a cache of its own."""
    monkeypatch.delenv("DPLAB_DATA", raising=False)
    monkeypatch.setattr(published, "cache", lambda: tmp_path / "cache")
    (tmp_path / "cache").mkdir()
    return tmp_path / "cache"


@pytest.fixture
def no_download(monkeypatch):
    def fail(*_, **__):
        raise ConnectionError("no network")

    monkeypatch.setattr(pooch, "retrieve", fail)


def test_a_missing_file_says_what_to_do(no_download):
    assert FILE.at_hand() is None
    with pytest.raises(DataMissing, match=r"table\.csv is not at hand .* DPLAB_DATA"):
        FILE.path()


@pytest.mark.parametrize("inside", ["", "tables"])
def test_the_folder_of_data_comes_first(tmp_path, monkeypatch, empty_cache, no_download, inside):
    monkeypatch.setenv("DPLAB_DATA", str(tmp_path))
    path = tmp_path / inside / "table.csv"
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(TEXT)
    (empty_cache / "table.csv").write_bytes(TEXT)
    assert FILE.path() == FILE.at_hand() == path


def test_then_the_cache(empty_cache, no_download):
    (empty_cache / "table.csv").write_bytes(TEXT)
    assert FILE.path() == empty_cache / "table.csv"


def test_another_file_of_the_name_is_refused(empty_cache):
    (empty_cache / "table.csv").write_bytes(TEXT + b"3,4\n")
    with pytest.raises(DataMissing, match="is not the published file"):
        FILE.path()


def test_a_download_goes_into_the_cache_by_its_hash(empty_cache, monkeypatch):
    asked = []

    def retrieve(url, known_hash, fname, path):
        asked.append((url, known_hash))
        (path / fname).write_bytes(TEXT)
        return str(path / fname)

    monkeypatch.setattr(pooch, "retrieve", retrieve)
    assert FILE.path() == FILE.at_hand() == empty_cache / "table.csv"
    assert asked == [(FILE.url, FILE.sha256)]
