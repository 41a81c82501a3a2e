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


@pytest.fixture
def another_range(folder):
    """The names of the files about clients 7000 to 9000, which are in the folder."""
    from scipy.io import savemat

    names = diffix.names(7000, 9000)
    entry = "{ power => 0.7, mult => 2, offset => 100, sql => '...', answer => 3, }"
    (folder / names[0]).write_text(entry)
    savemat(folder / names[1], {"client_id": np.array([[7000], [7001]])})
    savemat(folder / names[2], {"true_status": np.array([[1], [0]])})
    return names


def listed(folder, names):
    lines = [f"{pooch.file_hash(str(folder / name))}  {name}" for name in names]
    (folder / "SHA256SUMS").write_text("\n".join(lines))


def test_another_range_is_read_where_its_checksums_are_beside_it(folder, another_range):
    listed(folder, another_range)
    assert at_hand() == [(7000, 9000)]
    assert diffix_answers(7000, 9000).clients.tolist() == [7000, 7001]


@pytest.mark.parametrize("known", [0, 1, 2])
def test_a_range_of_which_a_checksum_is_missing_is_told_of(folder, another_range, known):
    listed(folder, another_range[:known])
    for ask in (at_hand, lambda: diffix_answers(7000, 9000)):
        with pytest.raises(DataMissing, match=f"{another_range[known]} is not known here"):
            ask()


def test_a_changed_file_of_another_range_is_no_data(folder, another_range):
    listed(folder, another_range)
    (folder / another_range[0]).write_text("answer => 5")
    with pytest.raises(DataMissing, match="its SHA-256 is another"):
        at_hand()


def test_a_file_beside_them_makes_nothing_else_of_the_known_ranges(folder):
    (name, *_) = diffix.names(2000, 3000)
    (folder / name).write_text("answer => 5")
    listed(folder, [name])
    with pytest.raises(DataMissing, match="its SHA-256 is another"):
        at_hand()


def test_a_range_that_is_nowhere_is_named(folder):
    with pytest.raises(ValueError, match=r"\(low, high\) must be one of .* not \(1, 2\)"):
        diffix_answers(1, 2)


def test_reads_questions_and_answers(folder, monkeypatch):
    text, clients, secret = (file.name for file in diffix._files(2000, 3000))
    entry = "{{ power => {}, mult => 2, offset => 100, sql => '...', answer => {}, }}"
    (folder / text).write_text("\n".join([entry.format(0.7, 3), entry.format(2, 9)]))
    from scipy.io import savemat

    savemat(folder / clients, {"client_id": np.array([[2000], [2744]])})
    savemat(folder / secret, {"true_status": np.array([[1], [0]])})
    digests = [pooch.file_hash(str(folder / name)) for name in (text, clients, secret)]
    monkeypatch.setitem(diffix.SHA256, (2000, 3000), digests)
    data = diffix_answers(2000, 3000)
    assert (data.powers.tolist(), data.answers.tolist()) == ([0.7], [3])
    assert data.secret.tolist() == [1, 0]
    fractions = 100 * (2 * np.array([2000, 2744])) ** 0.7 % 1
    assert data.members.tolist() == [(fractions < 0.5).tolist()]


def test_other_ranges_are_refused():
    with pytest.raises(ValueError, match="must be one of"):
        diffix_answers(7000, 10_000)
