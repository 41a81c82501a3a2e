"""A problem set to start from is right as it stands."""

import pytest
from click.testing import CliRunner

from autograder import cli


def run(*arguments):
    done = CliRunner(env={"COLUMNS": "200"}).invoke(cli.main, [*map(str, arguments)])
    return done.exit_code, done.output


def test_it_is_released_and_its_checks_hold(tmp_path):
    course = tmp_path / "course"
    code, text = run("new", course, "coin")
    assert code == 0, text
    assert text.splitlines() == [
        f"{course}/source/coin/coin.ipynb",
        f"{course}/source/coin/coins.csv",
        f"{course}/answers/coin/toss.py",
    ]
    code, text = run("release", course, "coin")
    assert code == 0, text
    assert "released coin (2 exercises, 7 points, with coins.csv)" in text
    code, text = run("checks", course, "coin")
    assert code == 0, text
    assert "3 of 3 mutants were always found" in text
    assert "the tests found 1 of 2 slips made up in its solutions" in text
    assert "rng.random() < p  ->  rng.random() <= p" in text  # which is no mistake


@pytest.mark.parametrize("there", ["source/coin/notes.txt", "answers/coin/other.py"])
def test_what_is_there_stays(tmp_path, there):
    path = tmp_path / there
    path.parent.mkdir(parents=True)
    path.write_text("mine")
    code, text = run("new", tmp_path, "coin")
    assert code == 1
    assert "is there already; nothing was changed" in text
    assert [p for p in tmp_path.rglob("*") if p.is_file()] == [path]


@pytest.mark.parametrize("name", ["a?b", "[red]", "privacy*"])
def test_a_path_that_nbgrader_takes_for_another_is_refused(tmp_path, name):
    """The gradebook of `a?b` would be the file `a` beside it, and `[red]` matches no folder."""
    code, output = run("new", tmp_path / name, "coin")
    assert code == 1
    assert "the path of a course can't have" in output
    assert f"call {tmp_path / name} otherwise" in output  # its brackets are no marks of ours
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("name", "says"), [("../x", "can't be the name"), ("ps03", "one of our problem sets")]
)
def test_a_name_that_cannot_be_is_refused(tmp_path, name, says):
    code, text = run("new", tmp_path / "course", name)
    assert code == 1
    assert says in text
    assert not (tmp_path / "course").exists()
