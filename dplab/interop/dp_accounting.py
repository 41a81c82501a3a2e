"""dp_accounting: its events as releases of the account, and releases as its events.

A `DpEvent` describes what a program publishes, and an accountant of dp_accounting adds events up
for a relation of neighbours. An event has noise of s times the norm C of a record. If a record
comes or goes, the sum moves by C, and if it is replaced, by 2 C at most. So the loss of an event
depends on the relation.

`epsilon_bounds(to_releases(event), delta=...)` encloses the epsilon of exact losses, and an
accountant gives a number at or above it.

Sources: the documentation of `dp_accounting.dp_event`; Doroshenko, Ghazi, Kamath, Kumar and
Manurangsi (2022) for privacy loss distributions that are never below the truth.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from types import ModuleType
from typing import Any

import numpy as np

from dplab import arguments, optional
from dplab.accounting import Release, RenyiCurve
from dplab.accounting.releases import Known, worst_cases, worst_loss
from dplab.accounting.renyi import ORDERS
from dplab.guarantees import ZCDP, ApproxDP, BoundedRange, Guarantee
from dplab.losses import (
    NO_LOSS,
    AtomicLoss,
    BinomialLoss,
    GaussianLoss,
    LaplaceLoss,
    PrivacyLoss,
    fixed_size_sampled_loss,
    poisson_sampled_loss,
    replacement_loss,
)
from dplab.losses.grid import pessimistic
from dplab.losses.sampled import ReverseSampledLoss, SampledLoss
from dplab.mechanism import Composed, DerivedMechanism
from dplab.mechanisms.discrete import GeometricMechanism
from dplab.neighbors import ADD_REMOVE, REPLACE_ONE, Neighbors

NO_PRIVACY = ApproxDP(0.0, 1.0)
TAIL = 1e-15  # mass of one release that a privacy loss distribution may count as infinite loss


def _load(module: str = "dp_accounting.dp_event") -> ModuleType:
    return optional.load(module, "dplab.interop.dp_accounting", "'dplab[dp-accounting]'")


def to_releases(
    event: Any, *, neighbors: Neighbors = ADD_REMOVE, delta: float | None = None
) -> list[Release]:
    """Return the releases of a `DpEvent`, each with its exact loss where dplab knows one.

    Every other event becomes the (epsilon, `delta`)-DP that an accountant of dp_accounting states
    for these neighbours: take a delta far below that of your question. `neighbors` is ADD_REMOVE,
    the accountants' default, or REPLACE_ONE. Raises ValueError for other neighbours, for an event
    that needs a delta and has none, and for one that no accountant supports.

    >>> from dp_accounting import GaussianDpEvent, SelfComposedDpEvent
    >>> to_releases(SelfComposedDpEvent(GaussianDpEvent(20.0), 1000))
    [Release(mechanism=GaussianLoss(mu=0.05), count=1000)]
    """
    dp = _load()
    arguments.one_of("neighbors", neighbors, (ADD_REMOVE, REPLACE_ONE))
    if isinstance(event, dp.NoOpDpEvent):
        return []
    if isinstance(event, dp.SelfComposedDpEvent):
        parts = to_releases(event.event, neighbors=neighbors, delta=delta)
        return [Release(part.mechanism, part.count * event.count) for part in parts]
    if isinstance(event, dp.ComposedDpEvent):
        lists = [to_releases(each, neighbors=neighbors, delta=delta) for each in event.events]
        return [part for parts in lists for part in parts]
    if not isinstance(event, dp.DpEvent):
        raise ValueError(f"event must be a DpEvent, not {event!r}")
    part = _loss_of(event, neighbors, dp)
    return [Release(_ask_accountants(event, neighbors, delta) if part is None else part)]


def _loss_of(event: Any, neighbors: Neighbors, dp: ModuleType) -> PrivacyLoss | Guarantee | None:
    """Return the loss of one event, or its guarantee; None if neither is known."""
    norms = 1 if neighbors == ADD_REMOVE else 2  # how far a record moves a sum
    if isinstance(event, dp.GaussianDpEvent):
        s = event.noise_multiplier
        return GaussianLoss(norms / s) if s else NO_PRIVACY
    if isinstance(event, dp.LaplaceDpEvent):
        s = event.noise_multiplier
        return LaplaceLoss(norms / s) if s else NO_PRIVACY
    if isinstance(event, dp.DiscreteLaplaceDpEvent):
        steps, rate = Fraction(norms * event.sensitivity), Fraction(event.noise_parameter)
        return GeometricMechanism(sum, steps, steps * rate).worst_case if rate else NO_PRIVACY
    if isinstance(event, dp.RandomizedResponseDpEvent) and neighbors == REPLACE_ONE:
        return _randomized_response(event.noise_parameter, event.num_buckets)
    if isinstance(event, dp.ZCDpEvent):
        curve = [event.xi + event.rho * alpha for alpha in ORDERS]
        return RenyiCurve(ORDERS, tuple(curve)) if event.xi else ZCDP(event.rho)
    if isinstance(event, dp.PoissonSampledDpEvent):
        sampled_loss = poisson_sampled_loss if neighbors == ADD_REMOVE else replacement_loss
        loss = _loss_of(event.event, ADD_REMOVE, dp)
        if isinstance(loss, PrivacyLoss):
            return sampled_loss(loss, rate=event.sampling_probability)
    if isinstance(event, dp.SampledWithoutReplacementDpEvent) and neighbors == REPLACE_ONE:
        loss = _loss_of(event.event, neighbors, dp)
        if isinstance(loss, PrivacyLoss):
            rate = event.sample_size / event.source_dataset_size
            return fixed_size_sampled_loss(loss, rate=rate)
    return NO_PRIVACY if isinstance(event, dp.NonPrivateDpEvent) else None


def _randomized_response(noise: float, k: int) -> PrivacyLoss | Guarantee:
    """Return the loss of one truth against another, where `noise` is the share of random answers.

    The answer is the truth with probability 1 - noise + noise / k, any other with noise / k.
    """
    if noise == 0 and k > 1:
        return NO_PRIVACY
    lie, rest = noise / k, max(0, k - 2) * noise / k
    p = np.array([1 - noise + lie, *([lie] if k > 1 else []), rest])
    with np.errstate(divide="ignore"):
        log_p = np.log(p)
    return AtomicLoss.of(log_p, np.append(log_p[-2::-1], log_p[-1]))


def _ask_accountants(event: Any, neighbors: Neighbors, delta: float | None) -> ApproxDP:
    """Return what the first accountant says that supports the event."""
    if delta is None:
        raise ValueError(f"delta must be given, because dplab knows no loss of {event}")
    delta = arguments.number("delta", delta, above=0, below=1)
    pld, rdp = _load("dp_accounting.pld"), _load("dp_accounting.rdp")
    relations = _load("dp_accounting").NeighboringRelation
    relation = {ADD_REMOVE: relations.ADD_OR_REMOVE_ONE, REPLACE_ONE: relations.REPLACE_ONE}
    for kind in (pld.PLDAccountant, rdp.RdpAccountant):
        accountant = kind(neighboring_relation=relation[neighbors])
        if accountant.supports(event):
            is_rdp = kind is rdp.RdpAccountant
            counted = _halve_noise(event) if is_rdp and neighbors == REPLACE_ONE else event
            epsilon = accountant.compose(counted).get_epsilon(delta)
            return ApproxDP(epsilon, delta) if math.isfinite(epsilon) else NO_PRIVACY
    raise ValueError(f"no accountant of dp_accounting supports {event} for {neighbors}")


def _halve_noise(event: Any) -> Any:
    """Return the event with half of its noise, for a replaced record in an `RdpAccountant`.

    That accountant lets a record move a sum by its norm C for all neighbours, and not by 2 C.
    """
    dp = _load()
    if isinstance(event, dp.GaussianDpEvent | dp.LaplaceDpEvent):
        return type(event)(event.noise_multiplier / 2)
    if isinstance(event, dp.ComposedDpEvent):
        return dp.ComposedDpEvent([_halve_noise(each) for each in event.events])
    if not hasattr(event, "event"):
        return event
    values = {field.name: getattr(event, field.name) for field in event.__attrs_attrs__}
    return type(event)(**values | {"event": _halve_noise(event.event)})


def to_event(releases: Known | Release | Sequence[Release]) -> Any:
    """Return the `DpEvent` of a mechanism, a loss or a guarantee, or of all `releases` together.

    An accountant with its default relation charges for this event as much as the releases cost for
    their own neighbours. Epsilon-DP, also that of a bounded range, counts as its worst mechanism,
    which has the loss of discrete Laplace noise with a sensitivity of 1. Raises ValueError where no
    event has this loss: `to_privacy_loss_distribution` needs no event.
    """
    dp = _load()
    releases = _as_releases(releases)
    worst_cases(releases)  # raises ValueError for several relations of neighbours
    return _compose([(_event_of(each.mechanism, dp), each.count) for each in releases], dp)


def _as_releases(releases: Known | Release | Sequence[Release]) -> list[Release]:
    if isinstance(releases, Known):
        return [Release(releases)]
    return [releases] if isinstance(releases, Release) else list(releases)


def _compose(counts: Sequence[tuple[Any, int]], dp: ModuleType) -> Any:
    """Return one event for events that occur so many times."""
    events = [event if k == 1 else dp.SelfComposedDpEvent(event, k) for event, k in counts]
    return events[0] if len(events) == 1 else dp.ComposedDpEvent(events)


def _event_of(source: Known, dp: ModuleType) -> Any:
    while isinstance(source, DerivedMechanism):
        source = source.mechanism
    if isinstance(source, Composed):
        return _compose([(_event_of(part, dp), 1) for part in source.parts], dp)
    if isinstance(source, GeometricMechanism):
        steps = source.sensitivity // source.grid
        rate = float(source.grid * source.epsilon / source.sensitivity)
        return dp.DiscreteLaplaceDpEvent(rate, int(steps))
    return _compose([(_event_with(part, dp), k) for part, k in worst_cases([Release(source)])], dp)


def _event_with(part: PrivacyLoss | Guarantee, dp: ModuleType) -> Any:
    """Return the event with this loss or guarantee."""
    if isinstance(part, ZCDP):
        return dp.ZCDpEvent(part.rho)
    if isinstance(part, GaussianLoss):
        return dp.GaussianDpEvent(1 / part.mu)
    if isinstance(part, LaplaceLoss):
        return dp.LaplaceDpEvent(1 / part.shift)
    if isinstance(part, SampledLoss | ReverseSampledLoss):
        return dp.PoissonSampledDpEvent(part.rate, _event_with(part.loss, dp))
    loss = _worst_loss(part)
    if loss is NO_LOSS:
        return dp.NoOpDpEvent()
    one, count = (loss.one, loss.k) if isinstance(loss, BinomialLoss) else (loss, 1)
    if not _has_two_values(one):
        raise ValueError(f"dp_accounting has no event with the loss {part!r}")
    return _compose([(dp.DiscreteLaplaceDpEvent(one.largest, 1), count)], dp)


def _worst_loss(part: PrivacyLoss | Guarantee) -> PrivacyLoss:
    """Return the loss, or that of the worst mechanism; a bounded range counts as epsilon-DP."""
    loss = worst_loss(part.to_pure() if isinstance(part, BoundedRange) else part)
    if loss is None:
        raise ValueError(f"releases must have worst losses, and {part} has none")
    return loss


def _has_two_values(loss: PrivacyLoss) -> bool:
    """Return whether the loss has two finite values, +-epsilon: that of randomized response.

    Then both distributions follow from epsilon, because their masses add up to 1.
    """
    is_pair = isinstance(loss, AtomicLoss) and len(loss.losses) == 2
    return is_pair and loss.smallest == -loss.largest > -np.inf


def to_privacy_loss_distribution(
    releases: Known | Release | Sequence[Release], *, step: float = 1e-4
) -> Any:
    """Return dp_accounting's `PrivacyLossDistribution` of all releases together, on a grid.

    Each loss is split on multiples of `step`, so that no epsilon is below the truth. It holds both
    directions, p against q for a removed record and the reverse for an added one. Raises ValueError
    for a guarantee without a worst loss, such as ZCDP, and unless step is above 0.
    """
    step = arguments.number("step", step, above=0)
    pld = _load("dp_accounting.pld.privacy_loss_distribution")
    total = pld.identity(value_discretization_interval=step)
    for part, count in worst_cases(_as_releases(releases)):
        loss = _worst_loss(part)
        masses = [_masses(each, step) for each in (loss, loss.reverse())]
        total = total.compose(pld.PrivacyLossDistribution(*masses).self_compose(count))
    return total


def _masses(loss: PrivacyLoss, step: float) -> Any:
    law = pessimistic(loss, step, TAIL)
    dense = _load("dp_accounting.pld.pld_pmf").DensePLDPmf
    return dense(step, law.low, law.masses, law.infinite, True)
