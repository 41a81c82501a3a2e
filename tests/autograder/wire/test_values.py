"""Plain values survive the crossing with their types; other bytes are refused, never run."""

from __future__ import annotations

import contextlib
import datetime
import pickle
from collections import Counter, OrderedDict, namedtuple
from decimal import Decimal
from fractions import Fraction

import msgpack
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from autograder.wire import dataframes, generators, shared_parts
from autograder.wire import values as wire
from autograder.wire.arrays import stack
from autograder.wire.errors import Malformed
from autograder.wire.values import Codec


def refuse(*arguments):
    raise TypeError(f"not plain: {arguments}")


codec = Codec(refuse, refuse)
atoms = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(allow_nan=False),
    st.complex_numbers(allow_nan=False),
    st.text(),
    st.binary(),
    st.fractions(),
)
values = st.recursive(
    atoms,
    lambda inner: st.one_of(
        st.lists(inner, max_size=4),
        st.lists(inner, max_size=4).map(tuple),
        st.dictionaries(atoms, inner, max_size=4),
        st.frozensets(atoms, max_size=4),
        st.sets(atoms, max_size=4),
    ),
    max_leaves=20,
)
arrays = hnp.arrays(
    st.one_of(
        hnp.boolean_dtypes(),
        hnp.integer_dtypes(endianness="="),
        hnp.unsigned_integer_dtypes(endianness="="),
        hnp.floating_dtypes(endianness="="),
        hnp.complex_number_dtypes(endianness="="),
        hnp.unicode_string_dtypes(endianness="="),
        hnp.byte_string_dtypes(),
        hnp.datetime64_dtypes(endianness="="),
        hnp.timedelta64_dtypes(endianness="="),
    ),
    hnp.array_shapes(min_dims=0, min_side=0, max_dims=4),
)


def crossed(value):
    return codec.decode(codec.encode(value))


def same(one, other):
    """Equal in value and type, at every depth."""
    if type(one) is not type(other):
        return False
    if isinstance(one, (list, tuple)):
        return len(one) == len(other) and all(map(same, one, other))
    if isinstance(one, dict):
        return same(list(one.items()), list(other.items()))
    return one == other


PLAIN = {
    type(None), bool, int, float, complex, str, bytes, range, slice, Fraction, Decimal,
    datetime.date, datetime.time, datetime.datetime, datetime.timedelta,
}  # fmt: skip


def is_plain(value):
    """Whether this and all within it are of the kinds that cross, by their exact types.

    Tables are taken as they are.
    """
    kind = type(value)
    is_named_tuple = kind.__base__ is tuple and hasattr(kind, "_make")
    if kind in (list, tuple, set, frozenset) or is_named_tuple:
        return all(map(is_plain, value))
    if kind in (dict, Counter):
        return all(map(is_plain, [*value, *value.values()]))
    if kind is np.ndarray:
        return value.dtype.kind in "biufcSU" or is_plain(value.ravel().tolist())
    return kind in PLAIN or isinstance(value, np.generic) or dataframes.kind_of(value) != ""


@given(values)
def test_a_plain_value_arrives_as_it_was(value):
    assert same(crossed(value), value)


@given(st.lists(st.tuples(st.sampled_from([0, 1, True, 1.0, 0.0, -0.0, "1", (1,), 2**70]))))
def test_tuples_that_are_equal_arrive_each_with_its_own_types(tuples):
    assert repr(crossed(tuples)) == repr(tuples)


def test_two_tuples_of_nan_are_no_more_equal_than_nan_is():
    first, second = crossed([(float("nan"),), (float("nan"),)])
    assert first != second


@given(arrays)
def test_an_array_arrives_with_its_type_and_shape(array):
    arrived = crossed(array)
    assert (arrived.dtype, arrived.shape) == (array.dtype, array.shape)
    assert arrived.tobytes() == array.tobytes()
    assert arrived.flags.writeable


@pytest.mark.parametrize(
    "scalar", [np.float64(0.1), np.float32(2), np.int8(-3), np.uint64(2**64 - 1), np.bool_(True)]
)
def test_a_numpy_scalar_keeps_its_type(scalar):
    assert type(crossed(scalar)) is type(scalar)
    assert crossed(scalar) == scalar


@pytest.mark.parametrize("value", [range(2, 9, 3), slice(1, None), float("inf"), "\ud800", 2**64])
def test_some_rarer_values_arrive(value):
    assert crossed(value) == value


def test_an_array_of_python_objects_arrives_item_by_item():
    array = np.array([[Fraction(1, 3), 2**90], ["x", [1, 2]]], dtype=object)
    arrived = crossed(array)
    assert arrived.shape == (2, 2)
    assert arrived.tolist() == array.tolist()


class Liar(float):
    def __eq__(self, other):
        return True

    def __float__(self):
        return 7.0

    __hash__ = float.__hash__


class LyingArray(np.ndarray):
    def __array__(self, *arguments, **keywords):
        return np.full(3, 7.0)

    def tobytes(self, *arguments):
        return b"\0" * 24


Point = namedtuple("Point", "x y")


class Fields(tuple):
    """Not what it looks like."""

    __slots__ = ()
    _fields = ("x", "y")


@pytest.mark.parametrize(
    ("value", "base"),
    [
        (Liar(2.5), 2.5),
        (OrderedDict(a=1), {"a": 1}),
        (Fields(), ()),
    ],
)
def test_a_subclass_arrives_with_the_content_of_its_base_and_its_own_name(value, base):
    arrived = crossed(value)
    assert type(arrived) is not type(base)
    assert isinstance(arrived, type(base))
    assert type(arrived).__name__ == type(value).__name__
    assert arrived == base


def test_a_subclass_of_arrays_arrives_as_one_and_with_its_numbers():
    arrived = crossed(np.arange(3.0).view(LyingArray))
    assert type(arrived).__mro__[1] is np.ndarray
    assert np.array_equal(np.asarray(arrived), np.arange(3.0))
    assert type(crossed(np.ones((2, 2)).view(np.matrix))) is np.matrix


@pytest.mark.parametrize("inner", [["no name", [1]], ["L", None], ["L", True], ["L"]])
def test_a_forged_subclass_is_malformed(inner):
    with pytest.raises(Malformed):
        Codec(refuse, refuse).decode(Codec(refuse, refuse)._pack(_forged(wire.KIND, inner)))


def _forged(code, inner):
    return msgpack.ExtType(code, msgpack.packb(inner))


def test_a_masked_array_does_not_arrive_without_its_mask():
    referred: list[object] = []
    own = Codec(lambda value: referred.append(value) or (wire.THEIRS, [0]), refuse)
    own.encode(np.ma.masked_array([1.0, 2.0], [False, True]))
    assert len(referred) == 1


def extension(code, inner):
    return msgpack.packb(msgpack.ExtType(code, msgpack.packb(inner)))


def nested(depth):
    data = msgpack.packb(1)
    for _ in range(depth):
        data = msgpack.packb(msgpack.ExtType(wire.TUPLE, msgpack.packb([0])[:1] + data))
    return data


HOSTILE = {
    "a pickle": pickle.dumps(print),
    "nothing": b"",
    "half a list": msgpack.packb([1, 2, 3])[:-1],
    "two values": msgpack.packb(1) * 2,
    "an unknown extension": extension(99, 0),
    "an object array by its type": extension(wire.ARRAY, ["|O", [1], b"\0" * 8]),
    "a structured array": extension(wire.ARRAY, ["<f8,<i8", [1], b"\0" * 16]),
    "an array with too few bytes": extension(wire.ARRAY, ["<f8", [1000], b"\0" * 8]),
    "a negative shape": extension(wire.ARRAY, ["<f8", [-1, -1], b"\0" * 8]),
    "items of no size": extension(wire.ARRAY, ["<U0", [10**15], b""]),
    "an enormous empty shape": extension(wire.OBJECT_ARRAY, [[2**40, 2**40], []]),
    "a list as a key": msgpack.packb({(1,): 2}),
    "a list in a set": extension(wire.SET, [[1]]),
    "a fraction over zero": extension(wire.FRACTION, [1, 0]),
    "a generator that nobody asked for": extension(wire.GENERATOR, {"bit_generator": "PCG64"}),
    "deep nesting": nested(200),
    "very deep lists": b"\x91" * 100_000 + b"\x01",
}


def is_malformed(data: bytes) -> bool:
    with contextlib.suppress(Malformed):
        codec.decode(data)
        return False
    return True


def test_hostile_bytes_are_refused():
    assert [name for name, data in HOSTILE.items() if not is_malformed(data)] == []


@given(st.binary(max_size=200))
def test_random_bytes_are_a_plain_value_or_refused(data):
    with contextlib.suppress(Malformed):
        assert is_plain(codec.decode(data))


def test_a_boolean_counts_once_whatever_its_byte():
    arrived = codec.decode(extension(wire.ARRAY, ["|b1", [4], bytes([0, 1, 2, 255])]))
    assert arrived.sum() == 3
    assert arrived.tobytes() == bytes([0, 1, 1, 1])


@pytest.mark.parametrize(
    ("results", "dtype"),
    [([1, 2], int), ([1.0, 2], float), ([True, False], bool), ([np.float32(1)] * 2, np.float32)],
)
def test_numbers_are_stacked(results, dtype):
    stacked = stack(results)
    assert stacked.dtype == dtype
    assert stacked.tolist() == results


@pytest.mark.parametrize("results", [[], ["a", "b"], [1, None], [2**100], [np.ones(2), np.ones(3)]])
def test_other_results_stay_a_list(results):
    assert stack(results) is results


KINDS = ["PCG64", "PCG64DXSM", "Philox", "MT19937"]


def sent(generator):
    """The generator in the other room, and the same one a second time."""
    state = generators.describe_generator(generator, b"secret")
    return generators.restore_generator(state), generators.restore_generator(state)


@pytest.mark.parametrize("kind", KINDS)
def test_a_generator_goes_on_in_the_other_room_and_apart_from_it_in_this(kind):
    here = np.random.Generator(getattr(np.random, kind)(5))
    here.random(3)
    expected = np.random.Generator(getattr(np.random, kind)(5)).random(1003)[3:]
    there, again = sent(here)
    assert (there.random(1000) == expected).all()
    assert (again.random(1000) == expected).all()
    mine = here.random(1000)  # 2 ** 53 floats, a million pairs: equal ones with probability 2e-10
    assert not set(mine) & set(expected)


@pytest.mark.parametrize("kind", KINDS)
def test_where_a_generator_goes_on_follows_from_the_secret(kind):
    def onward(secret):
        here = np.random.Generator(getattr(np.random, kind)(5))
        generators.describe_generator(here, secret)
        return here.random()

    assert onward(b"secret") == onward(b"secret") != onward(b"another")


@pytest.mark.parametrize("kind", KINDS)
def test_a_generator_has_children_of_its_own_in_the_other_room(kind):
    there, again = sent(np.random.Generator(getattr(np.random, kind)(5)))
    other, _ = sent(np.random.Generator(getattr(np.random, kind)(6)))
    children = [child.random() for parent in (there, other) for child in parent.spawn(2)]
    children += [child.random() for child in there.spawn(1)]
    assert len(set(children)) == 5
    assert [child.random() for child in again.spawn(2)] == children[:2]


def test_seeds_are_as_long_as_asked_for_and_fair():
    """Of 64,000 bits, 4,000 at each place of 16, half are ones. By Hoeffding's bound one of the 16
    shares is off by 0.06 with probability below 2e-11."""
    words = [generators.Seeds(b"%d" % n).generate_state(5, np.uint16) for n in range(800)]
    bits = np.unpackbits(np.array(words).view(np.uint8).ravel()).reshape(-1, 16)
    assert bits.shape == (4000, 16)
    assert (abs(bits.mean(axis=0) - 0.5) < 0.06).all()


@pytest.mark.parametrize("kind", ["MT19937", "Philox"])
def test_a_generator_that_reads_beyond_its_buffer_is_refused(kind):
    state = dict(getattr(np.random, kind)(0).state)
    generators.restore_generator(state).random()
    if kind == "MT19937":
        state["state"] = state["state"] | {"pos": 10**6}
    else:
        state["buffer_pos"] = -1
    with pytest.raises(Malformed, match="beyond its buffer"):
        generators.restore_generator(state)


@pytest.mark.parametrize("sign", [1, -1])
def test_integers_have_a_longest(sign):
    longest = sign << (8 * wire.MAX_INTEGER_BYTES - 2)
    assert codec.decode(codec.encode(longest)) == longest
    with pytest.raises(ValueError, match="too long to pass"):
        codec.encode(longest << 8)
    inner = msgpack.packb(bytes(wire.MAX_INTEGER_BYTES + 1))
    with pytest.raises(Malformed):
        codec.decode(msgpack.packb(msgpack.ExtType(wire.INTEGER, inner)))


def test_a_value_that_cannot_be_encoded_leaves_nothing_in_the_next_one():
    for value in (["before", object()], ("before", (1, [object()])), {"before": {1, object()}}):
        with pytest.raises(TypeError):
            codec.encode(value)
        assert codec.decode(codec.encode(["after", (1, 2)])) == ["after", (1, 2)]


UTC2 = datetime.timezone(datetime.timedelta(hours=2))


@pytest.mark.parametrize(
    "value",
    [
        Decimal("-1.50"), Decimal("1E+30"), Decimal("NaN"), Decimal("-Infinity"), Decimal(0),
        datetime.date(2026, 11, 3), datetime.time(1, 2, 3, 4), datetime.timedelta(-1, 5, 7),
        datetime.datetime(2026, 11, 3, 1, 2, 3, 4), datetime.datetime(2026, 1, 1, tzinfo=UTC2),
        datetime.datetime(2026, 10, 25, 2, fold=1), datetime.time(5, tzinfo=UTC2),
        Counter("abracadabra"), {"when": [datetime.date(1, 1, 1)]},
    ],
)  # fmt: skip
def test_values_with_a_class_of_their_own_arrive_with_it(value):
    arrived = crossed(value)
    assert type(arrived) is type(value)
    assert repr(arrived) == repr(value)


def test_a_named_tuple_keeps_its_names_and_not_its_class():
    arrived = crossed([Point(1, [2]), Point(3, 4)])
    assert arrived == [(1, [2]), (3, 4)]
    assert (arrived[0].x, arrived[1]._asdict(), repr(arrived[1])) == (
        1, {"x": 3, "y": 4}, "Point(x=3, y=4)",
    )  # fmt: skip
    assert type(arrived[0]) is type(arrived[1]) is not Point


FORGED = {
    wire.DECIMAL: ["x", "1e9", "1E99999", "9" * 5000, "1_0", 5, None, "sNaN", "1\n"],
    wire.DATE: [[], [1, 1], [0, 1, 1], ["1", 1, 1], [b"\x07\xea\x01\x01"], [2**80, 1, 1], 3],
    wire.TIME: [[], [25, 0, 0, 0, 0, None], [1, 0, 0, 0, 7, None], [b"123456", 0, None], "x"],
    wire.MOMENT: [[], [b"\x07\xea\x01\x01\x00\x00\x00\x00\x00\x00", 0, None], [1.5] * 9,
                  [2026, 1, 1, 0, 0, 0, 0, 0, 1e9], [2026, 1, 1, 0, 0, 0, 0, 0, "utc"]],
    wire.DURATION: [[1.5], [10**12, 0, 0], ["1"], [1, 2, 3, 4], None],
    wire.COUNTER: [[1], "aab", 5, None, [[1, 2]]],
    wire.DEFAULTS: [[], ["list"], ["list", [1]], ["open", {}], [["list"], {}], [None, {}], 3],
    wire.RECORD: [
        ["P", ["x"], []], ["P", ["x", "x"], [1, 2]], ["P", ["_x"], [1]], ["P", ["class"], [1]],
        ["import os", ["x"], [1]], ["P", ["x):\n import os\n#"], [1]], ["P", ["x\n"], [1]],
        ["P", [1], [1]], ["P", "xy", [1]], [1, ["x"], [1]], ["P", ["a"] * 65, [1] * 65], [], "P",
    ],
    wire.SERIES: [
        [], ["n"], ["n", [["i"], [0, 1, 1], "range"], ["O", [1]]],
        ["n", [[None], [0, 2, 1], "range"], ["", np.zeros(3)]],
        ["n", [[None], [0, 1, 1], "range"], ["", np.zeros((1, 1))]],
        ["n", [[None], [0, 1, 1], "range"], ["M8[ns]", np.zeros(1)]],
        ["n", [[None], [0, 1, 1], "range"], ["objects", [[1]]]],
        ["n", [[None], [0, 1, 1], "range"], ["objects", "x"]],
        ["n", [[], [0, 1, 1], "range"], ["", np.zeros(1)]],
        ["n", [[None], [0, 1, 0], "range"], ["", np.zeros(1)]],
        [["n"], [[None], [0, 1, 1], "range"], ["", np.zeros(1)]],
        ["n", [[None], "x", "many"], ["", np.zeros(1)]],
        ["n", [[None], [["", np.zeros(1)], "D"], "one"], ["", np.zeros(1)]],
        ["n", [[None], [["M8[ns]", np.zeros(1, int)], "D;"], "one"], ["", np.zeros(1)]],
    ],
    wire.FRAME: [
        [], [1, 2, 3], [[[None], [0, 2, 1], "range"], [[None], [0, 1, 1], "range"], []],
        [[[None], [0, 1, 1], "range"], [[None], [0, 2, 1], "range"], [["", np.zeros(3)]]],
    ],
}  # fmt: skip


def test_forged_values_of_these_kinds_are_refused():
    forged = {
        (code, repr(inner)): msgpack.packb(msgpack.ExtType(code, codec.encode(inner)))
        for code, values in FORGED.items()
        for inner in values
    }
    assert [case for case, data in forged.items() if not is_malformed(data)] == []


def test_shapes_of_named_tuples_have_an_end(monkeypatch):
    monkeypatch.setattr(wire, "_MAX_RECORD_TYPES", len(wire._records) + 3)
    for number in range(3):
        crossed(namedtuple(f"Shape{number}", "x")(1))
    with pytest.raises(Malformed):
        crossed(namedtuple("Shape3", "x")(1))
    assert crossed(namedtuple("Shape0", "x")(5)).x == 5


def test_tables_have_an_end(monkeypatch):
    pandas = pytest.importorskip("pandas")
    data = codec.encode(pandas.Series([1]))
    monkeypatch.setattr(wire.dataframes, "MAX_TABLES", 0)
    with pytest.raises(Malformed, match="tables"):
        codec.decode(data)


def tables():
    import pandas as pd

    days = pd.date_range("2026-01-01", periods=3)
    people = pd.DataFrame({"age": [30, 41, 5], "name": ["Ada", None, "Bob"], "x": [1.5, np.nan, 2]})
    return {
        "numbers": pd.Series([1, 2, 3]),
        "floats, named, labelled": pd.Series([1.5, np.nan], index=["a", "b"], name="x"),
        "text": pd.Series(["a", None, "b"]),
        "objects": pd.Series([1, "a", None], dtype=object),
        "dates": pd.Series(days),
        "durations": pd.Series(days - days[0]),
        "truths": pd.Series([True, False]),
        "empty": pd.Series([], dtype=float),
        "by date": pd.Series([1, 2, 3], index=days),
        "people": people,
        "chosen": people[people.age > 10],
        "by name": people.set_index("name"),
        "grouped": people.groupby(["name", "age"]).sum(),
        "wide": people.T,
        "no rows": people.iloc[:0],
        "twice": pd.concat([people, people], axis=1),
        "labels": people.rename_axis("row").rename_axis("what", axis=1),
        "numbered": pd.DataFrame(np.eye(3, dtype=np.float32)),
    }


@pytest.mark.parametrize("name", tables())
def test_tables_arrive_as_they_were(name):
    import pandas as pd

    table = tables()[name]
    same = pd.testing.assert_frame_equal if table.ndim == 2 else pd.testing.assert_series_equal
    same(crossed(table), table)


@pytest.mark.parametrize("kind", ["category", "Int64", "Float64", "boolean", "Sparse[float64]"])
def test_a_column_that_would_come_out_as_another_kind_stays_where_it_is(kind):
    import pandas as pd

    series = pd.Series([1, 0, 1]).astype("bool" if kind == "boolean" else float).astype(kind)
    for table in (series, series.to_frame("x"), pd.Series([1, 2, 3], index=pd.Index(series))):
        with pytest.raises(TypeError, match="not plain"):
            codec.encode(table)


@pytest.mark.parametrize("values", [[object()], [[1]], ["2026-01-01"]])
def test_a_table_of_other_things_stays_where_it_is(values):
    import pandas as pd

    series = pd.Series(values, dtype=object)
    if type(values[0]) is str:
        series = pd.to_datetime(pd.Series(values)).dt.tz_localize("Europe/Berlin")
    with pytest.raises(TypeError, match="not plain"):
        codec.encode(series)


def row_twice():
    row = [0]
    return [row, row]


def in_tuples():
    row = [1]
    return (row, ((row,), {"a": row}))


def arrays_twice():
    row = np.zeros(2)
    return {"first": row, "second": row}


def pairs_twice():
    pair = ([0], {1})
    return [pair, [pair]]


def chain():
    """Each is in the one before it and in the list of all: sixty within each other."""
    nodes = [[60]]
    for number in range(60):
        nodes.append([number, nodes[-1]])
    return nodes


@pytest.mark.parametrize(
    ("make", "same_ones"),
    [
        (row_twice, lambda v: (v[0], v[1])),
        (in_tuples, lambda v: (v[0], v[1][0][0], v[1][1]["a"])),
        (arrays_twice, lambda v: (v["first"], v["second"])),
        (pairs_twice, lambda v: (v[0], v[1][0])),
        (pairs_twice, lambda v: (v[0][1], v[1][0][1])),
        (chain, lambda v: (v[40], v[41][1], v[42][1][1])),
        (lambda: [row_twice()] * 2, lambda v: (v[0][0], v[0][1], v[1][1])),
    ],
)
def test_what_is_one_in_a_value_is_one_in_its_copy(make, same_ones):
    arrived = crossed(make())
    assert repr(arrived) == repr(make())
    assert len({*map(id, same_ones(arrived))}) == 1
    assert len({*map(id, same_ones(make()))}) == 1


def test_what_is_equal_and_not_one_stays_apart():
    arrived = crossed([[0], [0], ([1],), ([1],)])
    assert len({*map(id, arrived)}) == 4
    assert arrived[2][0] is not arrived[3][0]


@given(values)
def test_a_value_arrives_twice_as_it_was(value):
    assert same(crossed([value, (value, {"again": value})]), [value, (value, {"again": value})])


ONE = msgpack.packb([1])


def doubled(times):
    """Bytes of a value of 2 ** times numbers."""
    parts = [msgpack.packb([1] * 8)]
    for number in range(times):
        parts.append(msgpack.packb([again(number)] * 2))
    return shared(*parts)


def chained(times):
    """Bytes of a value so many parts deep."""
    return shared(ONE, *(msgpack.packb([again(number)]) for number in range(times)))


def again(number):
    return msgpack.ExtType(shared_parts.AGAIN, msgpack.packb(number))


def shared(*parts):
    return shared_parts.SHARED + msgpack.packb([*parts])


FORGED_PARTS = {
    "no parts": shared(),
    "nothing": shared_parts.SHARED,
    "no list": shared_parts.SHARED + msgpack.packb(5),
    "a map": shared_parts.SHARED + msgpack.packb({b"\x01": b"\x02"}),
    "parts that are no bytes": shared(ONE, "x"),
    "an array for a part": shared_parts.SHARED + codec._pack([np.frombuffer(ONE, np.uint8), ONE]),
    "a part that is none": shared(ONE, b""),
    "one that comes later": shared(msgpack.packb(again(1)), ONE, ONE),
    "itself": shared(msgpack.packb([again(0)]), msgpack.packb(again(0))),
    "beyond the last": shared(ONE, msgpack.packb(again(1))),
    "before the first": shared(ONE, msgpack.packb(again(-1))),
    "no number": shared(ONE, msgpack.packb(again("0"))),
    "a truth for a number": shared(ONE, ONE, msgpack.packb(again(True))),
    "in a value where nothing is shared": msgpack.packb(again(0)),
    "in the list of parts": shared(ONE, again(0)),
    "a list as a key": shared(ONE, msgpack.packb({again(0): 1})),
    "parts within parts": shared(shared(ONE, msgpack.packb(again(0))), ONE),
    "parts as a part of a value": msgpack.packb([1])[:1] + shared(ONE, msgpack.packb(again(0))),
    "a bomb": doubled(40),
    "a chain": chained(5000),
}


def test_forged_parts_are_refused():
    assert [name for name, data in FORGED_PARTS.items() if not is_malformed(data)] == []


def test_parts_within_each_other_are_as_many_as_is_said():
    most = shared_parts.MAX_LEVELS
    assert str(codec.decode(chained(most))) == "[" * (most + 1) + "1" + "]" * (most + 1)
    with pytest.raises(Malformed, match=f"{most} shared values within each other"):
        codec.decode(chained(most + 1))
    row = [1]
    for _ in range(2000):
        row = [row, [row]]
    with pytest.raises(ValueError, match="too many values within each other"):
        codec.encode(row)


def test_shared_parts_count_as_often_as_they_occur():
    small = Codec(refuse, refuse, most=10_000)
    row = [0] * 999
    fitting, large = [row] * 9, [row] * 11
    assert small.decode(small.encode(fitting)) == fitting
    with pytest.raises(ValueError, match="10,000 bytes, were nothing shared"):
        small.encode(large)
    with pytest.raises(Malformed, match="10,000 bytes, were nothing shared"):
        small.decode(codec.encode(large))
    rows = [[row] * 5] * 3  # each of the three is fitting
    with pytest.raises(Malformed, match="10,000 bytes"):
        small.decode(codec.encode(rows))


@given(st.lists(st.lists(st.integers(0, 9), max_size=4), min_size=1, max_size=10))
def test_what_one_side_refuses_as_too_much_the_other_would(made_of):
    small = Codec(refuse, refuse, most=200)
    made = [[0] * 30]
    for earlier in made_of:
        made.append([made[number % len(made)] for number in earlier])
    value = made[::-1]

    def is_refused(act, *kinds):
        try:
            act()
        except kinds:
            return True
        return False

    assert is_refused(lambda: small.encode(value), ValueError) == is_refused(
        lambda: small.decode(codec.encode(value)), Malformed
    )


@pytest.mark.parametrize("within", [list, lambda one: {"a": one[0]}, lambda one: (one[0],)])
def test_what_holds_itself_does_not_cross(within):
    endless: list = []
    endless.append(within([endless]))
    with pytest.raises(ValueError, match="holds itself"):
        codec.encode([1, endless])


@given(st.lists(st.binary(max_size=20), max_size=4))
def test_random_parts_are_a_plain_value_or_refused(parts):
    with contextlib.suppress(Malformed):
        assert is_plain(codec.decode(shared(*parts)))


@given(st.integers(1, 70), st.sampled_from(["tuple", "list", "set", "both"]))
def test_what_is_written_is_read_however_deep(depth, kind):
    """What the other room would not read is an error here: there it would end the conversation."""
    value: object = ()
    for level in range(depth):
        if kind == "set":
            value = frozenset([value])
        elif kind == "list" or (kind == "both" and level % 2):
            value = [value, 1.5]
        else:
            value = (value, 1.5)
    if depth > 40:
        with contextlib.suppress(ValueError):
            assert codec.decode(codec.encode(value)) == value
    else:
        assert codec.decode(codec.encode(value)) == value


class KeyList(list):
    """A list that may be a key, as no plain one may."""

    def __hash__(self):
        return 1


@pytest.mark.parametrize(
    "make", [lambda key: {key}, lambda key: {key: 1}, lambda key: Counter([key])]
)
def test_a_key_that_a_copy_could_not_be_stays_where_it_is(make):
    with pytest.raises(TypeError, match="not plain"):
        codec.encode(make(KeyList([1])))


@pytest.mark.parametrize("kind", ["M8[D]", "M8[us]", "M8[25s]", "m8[h]", ">M8[ns]"])
def test_dates_and_time_spans_arrive(kind):
    array = np.array([[1, 2, -(2**63)]]).astype(kind)  # the last one is "not a time"
    arrived = crossed(array)
    assert arrived.dtype == array.dtype.newbyteorder("=")
    assert arrived.shape == (1, 3)
    assert np.array_equal(arrived, array, equal_nan=True)
    assert crossed(array[0, 1]) == array[0, 1]
    assert type(crossed(array[0, 1])) is type(array[0, 1])


def test_of_more_dimensions_and_names_than_are_read_none_are_written():
    with pytest.raises(ValueError, match="40 dimensions"):
        codec.encode(np.zeros((1,) * 40))
    many = namedtuple("many", [f"part{i}" for i in range(70)])
    assert crossed(many(*range(70))) == tuple(range(70))


@pytest.mark.parametrize("freq", ["months", "WOM-3FRI", "86401s", "CBMS", "SME", "D", "h", "W-SUN"])
def test_moments_at_distances_of_every_kind_arrive(freq):
    import pandas as pd

    freq = pd.DateOffset(months=1) if freq == "months" else freq
    series = pd.Series(range(4), index=pd.date_range("2020-01-01", periods=4, freq=freq))
    pd.testing.assert_series_equal(crossed(series), series, check_freq=False)


def test_moments_of_pandas_arrive_as_moments():
    """But for what Python's own have no place for."""
    import pandas as pd

    assert crossed(pd.Timestamp("2020-01-02 03:04:05.000006")) == datetime.datetime(
        2020, 1, 2, 3, 4, 5, 6
    )
    assert crossed(pd.Timedelta(days=2, hours=1)) == datetime.timedelta(days=2, hours=1)
    for finer in (pd.NaT, pd.Timestamp(1), pd.Timedelta(1)):
        with pytest.raises(TypeError, match="not plain"):
            codec.encode(finer)
