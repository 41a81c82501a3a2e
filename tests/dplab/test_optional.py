"""A package or a file that is not there is missed in a sentence."""

import json

import numpy as np
import pytest

from dplab import optional
from dplab.attacks.diffix import DuckDB
from dplab.data import household_incomes, shipped
from dplab.data.published import PublishedFile, places
from dplab.losses import GaussianLoss
from dplab.synthesis import Columns

ONE_BIN = Columns(bins={"age": [0, 120]})


@pytest.fixture
def nothing(monkeypatch):
    """A place without any package that can be missed."""

    def import_module(name):
        raise ModuleNotFoundError(name)

    monkeypatch.setattr(optional.importlib, "import_module", import_module)


def test_a_package_that_is_there_is_given():
    assert optional.load("json", "This") is json


@pytest.mark.parametrize(
    ("use", "package"),
    [
        (lambda: DuckDB({}), "duckdb"),
        (PublishedFile("tables", "a.csv", "https://nowhere.invalid", "0")._download, "pooch"),
        (GaussianLoss(1.0).plot, "matplotlib"),
        (lambda: ONE_BIN.draw_rows(np.ones(1), 3, np.random.default_rng()), "pandas"),
    ],
)
@pytest.mark.parametrize("browser", [False, True])
def test_what_is_not_there_is_named(nothing, monkeypatch, use, package, browser):
    monkeypatch.setattr(optional, "IN_A_BROWSER", browser)
    where = "Python in a browser does not have" if browser else "is not installed"
    with pytest.raises(optional.Absent, match=rf"^[A-Z].* needs the package {package}, .*{where}"):
        use()


def test_a_package_that_an_import_in_a_block_misses_is_named():
    message = r"^This needs the package nowhere, .*'dplab\[course\]'"
    with pytest.raises(optional.Absent, match=message), optional.packages_for("This"):
        import nowhere.inside  # noqa: F401


def test_what_the_extra_does_not_bring_is_named_by_itself(nothing, monkeypatch):
    monkeypatch.setattr(optional, "IN_A_BROWSER", False)
    with pytest.raises(optional.Absent, match=r"is not installed: pip install duckdb$"):
        DuckDB({})


def test_a_missing_module_of_our_own_is_a_mistake_and_stays_one():
    message = r"No module named 'dplab\.nowhere'"
    with pytest.raises(ModuleNotFoundError, match=message), optional.packages_for("This"):
        import dplab.nowhere  # noqa: F401


def test_data_are_read_from_beside_the_module_first(monkeypatch, tmp_path):
    monkeypatch.setattr(shipped, "TABLES", tmp_path)
    assert len(household_incomes()) == 235
    (tmp_path / "engel.csv").write_text("income,foodexp\n1.5,1\n2.5,1\n")
    assert household_incomes().tolist() == [1.5, 2.5]


def test_data_whose_package_is_not_there_are_missed_in_a_sentence(monkeypatch, tmp_path):
    monkeypatch.setattr(shipped, "TABLES", tmp_path)
    monkeypatch.setattr(shipped.importlib.util, "find_spec", lambda name: None)
    with pytest.raises(optional.Absent, match=r"engel\.csv come in the package statsmodels"):
        household_incomes()


def test_a_browser_has_no_folder_of_downloads(nothing, monkeypatch):
    monkeypatch.delenv("DPLAB_DATA", raising=False)
    monkeypatch.setattr(optional, "IN_A_BROWSER", True)
    assert places("tables") == []
