import pytest

from dplab.data.fulton import FULTON, fulton_at_hand, fulton_census


def test_the_file_is_known_by_its_hash_and_its_columns_are_documented():
    assert len(FULTON.sha256) == 64
    assert FULTON.url.endswith(f"/{FULTON.name}")


@pytest.mark.published
@pytest.mark.skipif(not fulton_at_hand(), reason="the census is not at hand: set DPLAB_DATA")
def test_the_census_is_the_published_one():
    people = fulton_census()
    assert people.shape == (25_766, 18)
    assert all(people[column].dtype.kind == "i" for column in people)
    assert all(f"`{column}`" in fulton_census.__doc__ for column in people)
    assert (people.age.min(), people.age.max(), people.sex.sum()) == (18, 93, 13_588)
    assert (people.income.min(), people.income.max()) == (-10_000, 717_000)
    assert sorted(people.puma.unique()) == list(range(1101, 1108))
