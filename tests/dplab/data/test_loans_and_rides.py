import numpy as np
import pytest

from dplab.attacks.diffix import CEDAR, DiffixCurator, SQLite
from dplab.data.loans_and_rides import GROUP, bank_loans, taxi_rides


def test_the_bank_has_455_clients_in_four_ranges():
    loans = bank_loans(np.random.default_rng(1))
    assert loans.client_id.is_unique
    sizes = np.histogram(loans.client_id, [2000, 3000, 5000, 7000, 10_000])[0]
    assert sizes.tolist() == [73, 110, 130, 142]
    assert set(loans.status) == {"A", "C"}


def test_a_group_of_rides_has_three_distances_and_latitudes_of_its_own():
    rides = taxi_rides(12, np.random.default_rng(2))
    assert len(rides) == 12 * GROUP
    groups = [rides[i : i + GROUP] for i in range(0, len(rides), GROUP)]
    assert all(group.pickup_latitude.is_unique for group in groups)
    miles = [set(group.trip_distance) for group in groups]
    assert [len(three) for three in miles] == [3] * 12
    assert len(set.union(*miles)) == 36
    assert rides.ssn.str.fullmatch(r"\d{9}").all()


def test_in_a_large_table_latitude_isolates_nobody():
    tables = {"rides": taxi_rides(40, np.random.default_rng(3))}
    curator = DiffixCurator(SQLite(tables), "rides", "ride", CEDAR, salt="s")
    assert curator.isolating == {"ride", "ssn"}


@pytest.mark.parametrize("groups", [0, 301, 1.5])
def test_the_number_of_groups_is_checked(groups):
    with pytest.raises(ValueError, match="groups must be a whole number"):
        taxi_rides(groups, np.random.default_rng(4))
