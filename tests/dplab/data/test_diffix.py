import numpy as np
import pooch
import pytest

from dplab.attacks.least_squares import least_squares
from dplab.data import diffix
from dplab.data.diffix import at_hand, diffix_answers
from dplab.data.published import DataMissing


@pytest.mark.published
@pytest.mark.parametrize(("low", "high"), diffix.RANGES)
def test_least_squares_recovers_every_client_of_the_published_answers(low, high):
    if (low, high) not in at_hand():
        pytest.skip("the published answers are not at hand: set DPLAB_DATA")
    data = diffix_answers(low, high)
    assert len(data.clients) == len(data.secret) == {2000: 73, 3000: 110, 5000: 130}[low]
    assert 3_490 <= len(data.answers) <= 3_500
    assert least_squares(data.members, data.answers).accuracy(data.secret) == 1


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """An empty DPLAB_DATA, an empty cache, and no network."""

    def no_network(*arguments, **options):
        raise OSError("no network")

    monkeypatch.setenv("DPLAB_DATA", str(tmp_path))
    monkeypatch.setattr(pooch, "os_cache", lambda name: tmp_path / "cache")
    monkeypatch.setattr(pooch, "retrieve", no_network)
    return tmp_path


def test_without_the_files_it_says_where_to_put_them(folder):
    assert at_hand() == []
    with pytest.raises(DataMissing, match="into the environment variable DPLAB_DATA"):
        diffix_answers(2000, 3000)


def test_a_file_that_is_not_the_published_one_is_no_data(folder):
    (folder / "aircloak_output_cleaned_2000_3000.txt").write_text("answer => 5")
    with pytest.raises(DataMissing, match="its SHA-256 is another"):
        diffix_answers(2000, 3000)


def test_reads_questions_and_answers(folder, monkeypatch):
    text, clients, secret = (file.name for file in diffix._files(2000, 3000))
    entry = "{{ power => {}, mult => 2, offset => 100, sql => '...', answer => {}, }}"
    (folder / text).write_text("\n".join([entry.format(0.7, 3), entry.format(2, 9)]))
    from scipy.io import savemat

    savemat(folder / clients, {"client_id": np.array([[2000], [2744]])})
    savemat(folder / secret, {"true_status": np.array([[1], [0]])})
    monkeypatch.setattr(pooch, "file_hash", lambda path: diffix.SHA256[path.split("/")[-1]])
    data = diffix_answers(2000, 3000)
    assert (data.powers.tolist(), data.answers.tolist()) == ([0.7], [3])
    assert data.secret.tolist() == [1, 0]
    fractions = 100 * (2 * np.array([2000, 2744])) ** 0.7 % 1
    assert data.members.tolist() == [(fractions < 0.5).tolist()]


def test_other_ranges_are_refused():
    with pytest.raises(ValueError, match="must be one of"):
        diffix_answers(7000, 10_000)
