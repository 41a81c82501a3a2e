import numpy as np
import pytest

from autograder import checks
from tests.autograder.wire.test_channel import StudentThread


def test_draws_come_in_order_and_are_scaled():
    rng = checks.Scripted([1.5, -1, 0.5, 2])
    assert rng.laplace(10, 2) == 13.0
    assert rng.laplace(0.0, [1, 10], size=(1, 2)).tolist() == [[-1.0, 5.0]]
    assert rng.laplace() == 2.0
    assert rng.used == 4
    assert rng.scales == [2.0, 1.0, 10.0, 1.0]


def test_location_and_scale_are_broadcast_as_numpy_does():
    loc, scale = np.zeros((2, 1)), np.array([1.0, 2.0, 3.0])
    ours = checks.Scripted(range(6)).laplace(loc, scale)
    assert ours.tolist() == [[0, 2, 6], [3, 8, 15]]
    assert np.shape(ours) == np.shape(np.random.default_rng().laplace(loc, scale))
    assert isinstance(checks.Scripted([1]).laplace(), type(np.random.default_rng().laplace()))


def test_is_a_generator_and_shown_as_one():
    rng = checks.Scripted([1.0])
    assert isinstance(rng, np.random.Generator)
    assert str(checks.call(lambda rng: rng.laplace(), rng)).endswith("(rng)")


def test_nothing_else_is_drawn_from_it():
    rng = checks.Scripted([1.0])
    with pytest.raises(AttributeError, match=r"rng\.laplace only, not of rng\.normal"):
        rng.normal()
    with pytest.raises(RuntimeError, match="needs one draw, here one more"):
        rng.laplace(size=2)
    with pytest.raises(ValueError, match="scale < 0"):
        rng.laplace(0, -1)
    assert rng.used == 0


def test_other_methods_have_scripts_of_their_own():
    rng = checks.Scripted(
        [1.0], random=[0.25, 0.5, 1e-300], normal=[2, -2], exponential=[3, 4], gumbel=[5]
    )
    assert rng.random() == 0.25
    assert rng.uniform(-1, [1, 3], size=2).tolist() == [0.0, -1 + 4e-300]
    assert rng.normal(1, 10) == 21.0
    assert rng.standard_normal(1).tolist() == [-2.0]
    assert rng.exponential(2.0) == 6.0
    assert rng.standard_exponential() == 4.0
    assert rng.gumbel(1, 2) == 11.0
    assert rng.laplace(0, 3) == 3.0
    assert rng.used == 9
    assert rng.scales == [10.0, 1.0, 2.0, 1.0, 2.0, 3.0]
    with pytest.raises(AttributeError, match=r"rng\.gumbel only, not of rng\.geometric"):
        rng.geometric(0.5)


def test_whole_numbers_and_choices_come_as_they_are_written():
    rng = checks.Scripted(geometric=[1, 99], integers=[0, 9, 3], choice=[1, 0, 2])
    assert rng.geometric([0.5, 0.25]).tolist() == [1, 99]
    assert rng.integers(10, size=2).tolist() == [0, 9]
    assert rng.integers(1, 3, endpoint=True) == 3
    assert rng.choice(["a", "b"]) == "b"
    assert rng.choice(3, 1, p=[1, 0, 0]).tolist() == [0]
    assert rng.choice(np.eye(3)).tolist() == [0, 0, 1]
    with pytest.raises(RuntimeError, match="not among these integers"):
        checks.Scripted(integers=[3]).integers(3)


def test_a_request_for_more_than_memory_is_for_is_an_error_at_once():
    with pytest.raises(RuntimeError, match="needs one draw"):
        checks.Scripted([1.0]).laplace(0, 1, 3_500_000_000)
    with pytest.raises(RuntimeError, match="needs one draw"):
        checks.Scripted(random=[1.0]).random((100_000, 100_000))


def test_one_of_very_many_is_chosen_without_a_list_of_them():
    assert checks.Scripted(choice=[10**14]).choice(10**15) == 10**14
    with pytest.raises(RuntimeError, match="not among these choices"):
        checks.Scripted(choice=[2]).choice(2)


@pytest.mark.parametrize("method", [*checks.scripted._SCALED, "random", "uniform"])
def test_a_standard_draw_is_what_is_written(method):
    rng = checks.Scripted(**{checks.scripted._FEEDS.get(method, method): [0.375]})
    assert getattr(rng, method)() == 0.375


@pytest.mark.parametrize("method", checks.scripted._SCALED)
def test_no_noise_has_the_scale_0_as_with_numpy(method):
    for rng in (scripted_all(), np.random.default_rng(1)):
        assert getattr(rng, method)(scale=0) == 0


def test_only_what_is_written_is_drawn():
    with pytest.raises(AttributeError, match=r"rng\.normal only, not of rng\.laplace"):
        checks.Scripted(normal=[1]).laplace()
    with pytest.raises(AttributeError, match=r"draws of nothing only, not of rng\.laplace"):
        checks.Scripted().laplace()


def test_no_script_for_what_numpy_does_not_have():
    with pytest.raises(TypeError, match=r"no script for rng\.zipf"):
        checks.Scripted(zipf=[1])


METHODS = {
    "laplace": (),
    "normal": (np.array(1.0), 2),
    "exponential": (2,),
    "gumbel": (1, 2),
    "standard_normal": (),
    "standard_exponential": (),
    "random": (),
    "uniform": (-1, np.array(3)),
    "geometric": (0.5,),
    "integers": (9,),
    "choice": (3,),
}
FLOATS = ("standard_normal", "standard_exponential", "random")
SAID: list[tuple[str, tuple, dict]] = [
    *((name, arguments, {}) for name, arguments in METHODS.items()),
    *((name, (), {"dtype": kind}) for name in FLOATS for kind in (np.float64, "float32", float)),
    ("standard_exponential", (), {"method": "inv"}),
    *(("integers", (2,), {"dtype": kind}) for kind in (int, bool, np.bool_, "uint8", np.int32)),
    *(("choice", (["a", "b"],), {"p": p}) for p in (None, [0.5, 0.5])),
    *(("choice", (np.ones((2, 5, 3)),), {"axis": axis}) for axis in (0, 1, 2)),
    ("choice", (np.array([(), (1, 2)], dtype=object),), {}),
]


def scripted_all() -> checks.Scripted:
    return checks.Scripted(**dict.fromkeys(checks.scripted._METHODS, [1.0] * 9))


@pytest.mark.parametrize("size", [None, (), 1, (2,), (0,), (2, 3), np.int64(2), [2]])
def test_types_and_shapes_are_those_of_numpy(size):
    for name, arguments, said in SAID:
        told = {**said, "size": size}
        ours = getattr(scripted_all(), name)(*arguments, **told)
        numpys = getattr(np.random.default_rng(1), name)(*arguments, **told)
        kinds = [
            (type(x), getattr(x, "dtype", None), getattr(x, "shape", None)) for x in (ours, numpys)
        ]
        assert kinds[0] == kinds[1], (name, arguments, told)


def test_every_method_has_its_types_compared():
    assert {*METHODS} == {*checks.scripted._METHODS, *checks.scripted._FEEDS}


@pytest.mark.parametrize(
    ("method", "arguments", "told"),
    [
        ("laplace", ([0, 1, 2],), {"size": 2}),
        ("laplace", (0, [1.0]), {"size": ()}),
        ("uniform", (0, [1, 2]), {"size": (2, 1)}),
        ("normal", (), {"size": -1}),
        ("random", (1.5,), {}),
        ("random", (), {"dtype": "float16"}),
        ("standard_normal", (), {"dtype": int}),
        ("integers", (9,), {"dtype": float}),
        ("geometric", ([0.5, 0],), {}),
        ("geometric", (1.5,), {}),
        ("random", (1, float, None, 4), {}),
        ("random", (), {"sise": 1}),
    ],
)
def test_what_numpy_refuses_is_refused_in_a_students_words(method, arguments, told):
    ours = scripted_all()
    for rng in (np.random.default_rng(1), ours):
        with pytest.raises((TypeError, ValueError)) as refused:
            getattr(rng, method)(*arguments, **told)
        assert "Scripted" not in str(refused.value)
    assert ours.used == 0


@pytest.mark.parametrize("method", FLOATS)
def test_no_array_is_filled_in_place(method):
    said = f"this source fills no array in place: take what rng.{method} returns"
    with pytest.raises(TypeError, match=said):
        getattr(scripted_all(), method)(out=np.zeros(1))


@pytest.mark.parametrize("make", [scripted_all, checks.Watched])
def test_types_that_the_other_room_asks_for_are_known_by_name(make):
    other = StudentThread(
        ask=lambda rng: [
            rng.random(2, np.float32),
            rng.random(size=(), dtype=np.dtype("float64")),
            rng.integers(9, size=1, dtype=np.uint8),
            rng.integers(9, dtype=int),
        ]
    )
    floats, one, small, whole = other["ask"](make())
    assert (floats.dtype, one.dtype, small.dtype) == (np.float32, np.float64, np.uint8)
    assert (one.shape, type(whole)) == ((), int)
