"""OpenDP: its measurements as mechanisms, and mechanisms as its measurements.

A measurement of OpenDP says how private it is by a map. The map takes a distance between datasets
and returns a distance between outputs, in the unit of an output measure:

    MaxDivergence                                       PureDP
    ZeroConcentratedDivergence                          ZCDP
    Approximate(MaxDivergence), SmoothedMaxDivergence   ApproxDP, the latter at a given delta

SymmetricDistance counts records that come or go: 1 for ADD_REMOVE, 2 for REPLACE_ONE.
ChangeOneDistance and HammingDistance count replaced records: 1 for REPLACE_ONE. No other metric
fits. For InsertDeleteDistance the order of records matters. A distance between numbers belongs to a
part of a measurement, whose input is not a dataset.

    count = from_opendp(space >> then_count() >> then_laplace(scale=2.0), ADD_REMOVE)
    curator.ask(count), epsilon_bounds([Release(count, 100)], delta=1e-6)
    measurement = to_opendp(mechanism, vector_domain(atom_domain(T=int)), rng)

Source: Gaboardi, Hay and Vadhan (2020), "A programming framework for OpenDP".
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from types import ModuleType
from typing import Any

import numpy as np

from dplab import arguments, optional, records
from dplab.guarantees import ZCDP, ApproxDP, Guarantee, PureDP
from dplab.interaction import draw_privately
from dplab.mechanism import Mechanism
from dplab.neighbors import ADD_REMOVE, REPLACE_ONE, Neighbors

STEPS = {  # the distance of neighbours, by the input metric
    ("SymmetricDistance", ADD_REMOVE): 1,
    ("SymmetricDistance", REPLACE_ONE): 2,
    ("ChangeOneDistance", REPLACE_ONE): 1,
    ("HammingDistance", REPLACE_ONE): 1,
}


def _load() -> ModuleType:
    return optional.load("opendp.prelude", "dplab.interop.opendp", "'dplab[opendp]'")


def from_opendp(
    measurement: Any, neighbors: Neighbors = REPLACE_ONE, *, delta: float | None = None
) -> Mechanism:
    """Return a `measurement` of OpenDP whose input is a vector of records, as a mechanism.

    OpenDP draws the noise, from the operating system: `rng` has no influence. The guarantee is that
    of the measurement's map for `neighbors`. Data are a sequence of records. Numbers are checked
    against the bounds of the input domain; a curator moves them there, as `dplab.records` says. A
    vector of another kind must be a member of the domain. `delta` is for an output measure that
    leaves it open. Raises ValueError for neighbours that do not fit the input metric or a domain
    with a public size, and for another input domain or output measure.

    The map of `make_population_amplification` counts a secret sample of a larger population. Pass
    the measurement without it, unless your data are such a sample: its map alone doesn't tell.
    """
    return _OpenDPMechanism(measurement, neighbors, delta)


@dataclass(frozen=True, eq=False)
class _OpenDPMechanism(Mechanism):
    """A measurement of OpenDP as a mechanism: see `from_opendp`."""

    measurement: Any
    neighbors: Neighbors = REPLACE_ONE
    delta: float | None = None

    def __post_init__(self):
        if not isinstance(self.measurement, _load().Measurement):
            raise ValueError(
                f"measurement must be a Measurement of OpenDP, not {self.measurement!r}"
            )
        if self.delta is not None:
            arguments.settle(self, arguments.number, "delta", above=0, below=1)
        self.guarantee  # noqa: B018  it raises ValueError where it isn't known

    @property
    def distance(self) -> int:
        """The distance of neighbours in the input metric."""
        domain, metric = self.measurement.input_space
        if not isinstance(domain, _load().VectorDomain):
            raise ValueError(f"measurement must take a vector of records, not {domain}")
        arguments.one_of("neighbors", self.neighbors, (ADD_REMOVE, REPLACE_ONE))
        steps = STEPS.get((metric.type, self.neighbors))
        if steps is None:
            raise ValueError(f"neighbors {self.neighbors} do not fit the input metric {metric}")
        if domain.size is not None and self.neighbors == ADD_REMOVE:
            raise ValueError(
                f"neighbors must be {REPLACE_ONE}, because the input domain says that there are "
                f"{domain.size} records, not {self.neighbors}"
            )
        return steps

    @property
    def guarantee(self) -> Guarantee:
        """The guarantee that the measurement's map states for neighbours."""
        measure = self.measurement.output_measure
        price = self.measurement.map(self.distance)
        if str(measure) == "MaxDivergence":
            return PureDP(price)
        if str(measure) == "ZeroConcentratedDivergence":
            return ZCDP(price)
        if str(measure) == "Approximate(MaxDivergence)":
            return ApproxDP(*price)
        if str(measure) != "SmoothedMaxDivergence":
            raise ValueError(f"measurement has the output measure {measure}: convert it in OpenDP")
        if self.delta is None:
            raise ValueError("delta must be given for a measurement with SmoothedMaxDivergence")
        return ApproxDP(price.epsilon(self.delta), self.delta)

    def __call__(self, data: Any, rng: Any = None) -> Any:
        """Return one output of the measurement. Raises ValueError for data outside its domain."""
        rows = self._convert(data)
        with warnings.catch_warnings():  # OpenDP's warnings quote the data
            warnings.simplefilter("ignore")
            is_member = self.measurement.input_domain.member(rows)  # OpenDP itself doesn't ask
        if not is_member:
            raise ValueError(f"data must be a member of {self.measurement.input_domain}")
        return self.measurement(rows)

    def _convert(self, data: Any) -> list:
        """Return the records as a list of what the domain takes, numbers within its bounds."""
        element = self.measurement.input_domain.element_domain
        kind = str(element.carrier_type)
        if kind[0] not in "fiu":
            return data.tolist() if isinstance(data, np.ndarray) else list(data)
        if kind[0] == "f":
            low, high = element.bounds or (None, None)
            return records.reals("data", data, low=low, high=high, may_be_empty=True).tolist()
        low, high = element.bounds or _whole_numbers(kind)
        return [_whole(value, low, high) for value in data]


def _whole_numbers(kind: str) -> tuple[int, int]:
    """Return the least and the largest number of a type of Rust such as i32, u8 or usize."""
    values = 2 ** (int(kind[1:]) if kind[1:].isdigit() else 64)
    return (-values // 2, values // 2 - 1) if kind[0] == "i" else (0, values - 1)


def _whole(value: Any, low: int, high: int) -> int:
    """Return a whole number from low to high; raise ValueError for others, or move them."""
    is_whole = isinstance(value, int | np.integer) and not isinstance(value, bool)
    rounded = int(value) if is_whole else math.floor(records.number("data", value) + 0.5)
    nearest = min(max(rounded, low), high)
    if not records.are_moved() and nearest != value:
        raise ValueError(f"data must hold whole numbers from {low} to {high}")
    return nearest


def to_opendp(mechanism: Mechanism, input_domain: Any, rng: np.random.Generator) -> Any:
    """Return a measurement of OpenDP that publishes the output of `mechanism`, any Python object.

    `input_domain` is a vector domain whose members the mechanism takes as data. The input metric is
    SymmetricDistance for ADD_REMOVE and HammingDistance for REPLACE_ONE. The map is that of the
    guarantee for groups, rounded up. Before this call, the caller must enable OpenDP's features
    contrib and honest-but-curious, because OpenDP takes our guarantee on trust.

    Raises ValueError for other neighbours, for guarantees that OpenDP has no measure for, and where
    the features are not enabled.
    """
    dp = _load()
    if not isinstance(mechanism, Mechanism):
        raise ValueError(f"mechanism must be a Mechanism, not {mechanism!r}")
    if not isinstance(input_domain, dp.VectorDomain):
        raise ValueError(f"input_domain must be a vector domain of OpenDP, not {input_domain!r}")
    metrics = {ADD_REMOVE: dp.symmetric_distance, REPLACE_ONE: dp.hamming_distance}
    if mechanism.neighbors not in metrics:
        raise ValueError(
            f"mechanism must be for ADD_REMOVE or REPLACE_ONE, not for {mechanism.neighbors}"
        )
    missing = [name for name in ("contrib", "honest-but-curious") if name not in dp.GLOBAL_FEATURES]
    if missing:
        call = f"opendp.prelude.enable_features({', '.join(map(repr, missing))})"
        raise ValueError(f"OpenDP must trust this mechanism: call {call} first")
    measure, privacy_map = _measure_and_map(dp, mechanism.guarantee)
    return dp.m.make_user_measurement(
        input_domain,
        metrics[mechanism.neighbors](),
        measure,
        lambda data: draw_privately(mechanism, lambda: mechanism(data, rng)),
        privacy_map,
    )


def _measure_and_map(dp: ModuleType, guarantee: Guarantee) -> tuple[Any, Callable[[int], Any]]:
    """Return the output measure of a guarantee, and its map from a number of steps."""
    measures = {
        PureDP: dp.max_divergence(),
        ZCDP: dp.zero_concentrated_divergence(),
        ApproxDP: dp.approximate(dp.max_divergence()),
    }
    if type(guarantee) not in measures:
        raise ValueError(f"OpenDP has no measure for {guarantee}: convert it first")

    def price(steps: int) -> Any:
        if steps <= 1:
            numbers = [steps * value for value in vars(guarantee).values()]
        else:  # rounded
            numbers = [math.nextafter(x, math.inf) for x in vars(guarantee.group(steps)).values()]
        return tuple(numbers) if len(numbers) > 1 else numbers[0]

    return measures[type(guarantee)], price
