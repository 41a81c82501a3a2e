"""The attacks on Diffix: queries, share recovered, seconds. And the noise that Cedar adds.

Run with `python tests/benchmarks/diffix.py`; with DPLAB_DATA set to the folder of the published
answers, on these too.
"""

from __future__ import annotations

import time

import numpy as np

from dplab.attacks.box_least_squares import box_least_squares
from dplab.attacks.diffix import (
    CEDAR,
    LAYERED,
    Simulator,
    cohen_nissim_digits,
    estimates,
    power_digits,
)
from dplab.attacks.diffix.digits import members
from dplab.attacks.least_squares import least_squares
from dplab.attacks.linear_program import least_absolute
from dplab.data.diffix import at_hand, diffix_answers
from dplab.data.loans_and_rides import CLIENTS, GROUP, bank_loans, taxi_rides


def show(name: str, queries: int, share: float, seconds: float) -> None:
    print(f"  {name:44} {queries:8,} queries {share:8.1%} {seconds:8.2f} s")


def published() -> None:
    print("Published answers of the real Diffix: share of the clients, seconds to solve a range")
    for low, high in at_hand():
        data = diffix_answers(low, high)
        for solve in (least_squares, box_least_squares, least_absolute):
            start = time.perf_counter()
            share = solve(data.members, data.answers).accuracy(data.secret)
            name = f"{low} to {high}, {len(data.secret)} clients, {solve.__name__}"
            show(name, len(data.answers), share, time.perf_counter() - start)


def cohen_nissim(rng: np.random.Generator) -> None:
    print("Simulated, layered noise: Cohen and Nissim on 455 clients in four ranges")
    loans, digits, right, start = bank_loans(rng), cohen_nissim_digits("client_id"), 0, time.time()
    for (low, high), _ in CLIENTS:
        part = loans[loans.client_id.between(low, high)]
        secret = (part.status == "C").to_numpy()
        question = (
            "SELECT count(DISTINCT client_id) FROM loans "
            f"WHERE client_id BETWEEN {low} AND {high} AND status = 'C'"
        )
        sets = members(digits, part.client_id)
        curator = Simulator(question, part.client_id[secret], np.ones(secret.sum()), LAYERED, "s")
        answers = curator.answers(digits, sets[:, secret])
        right += ((estimates(sets, answers) > 0.5) == secret).sum()
    show("all four ranges", 4 * len(digits), right / len(loans), time.time() - start)


def rides_of_one_group(rng: np.random.Generator):
    rides = taxi_rides(1, rng)
    return rides, ", ".join(map(str, sorted(rides.trip_distance.unique())))


def dick_joseph_schutzman(rng: np.random.Generator) -> None:
    print(f"Simulated Cedar: Dick, Joseph and Schutzman on {GROUP} rides, by latitude")
    rides, miles = rides_of_one_group(rng)
    where, cash = f"FROM rides WHERE trip_distance IN ({miles})", rides.payment_type == "CSH"
    for m in (450, 900, 1800):
        start, digits = time.time(), power_digits("pickup_latitude", m)
        sets = members(digits, rides.pickup_latitude)
        question = f"SELECT count(*) {where} AND payment_type = 'CSH'"
        curator = Simulator(question, rides.ride[cash], np.ones(cash.sum()), CEDAR, "s")
        answers = curator.answers(digits, sets[:, cash])
        found = least_squares(sets, answers) if m <= GROUP else None
        guess = found.bits if found else estimates(sets, answers) > 0.5
        show("payment type", m, (guess == cash).mean(), time.time() - start)
    for m in (900, 1800, 4000, 8000):
        start, digits = time.time(), power_digits("pickup_latitude", m)
        sets = members(digits, rides.pickup_latitude)
        question = f"SELECT sum(passenger_count) {where}"
        curator = Simulator(question, rides.ride, rides.passenger_count, CEDAR, "s")
        found = estimates(sets, curator.answers(digits, sets)).round()
        share = (found == rides.passenger_count).mean()
        show("passenger count", m, share, time.time() - start)
    for m in (3600, 7200, 14_400):
        start, digits = time.time(), power_digits("pickup_latitude", m)
        sets = members(digits, rides.pickup_latitude)
        answers = []
        for place in range(1, 10):
            question = f"SELECT sum(CAST(SUBSTRING(ssn, {place}, 1) AS INT)) {where}"
            digit = rides.ssn.str[place - 1].astype(int)
            curator = Simulator(question, rides.ride, digit, CEDAR, "s")
            answers.append(curator.answers(digits, sets))
        found = estimates(sets, answers).round().clip(0, 9).astype(int)
        truth = np.array([list(map(int, text)) for text in rides.ssn])
        right = truth == found.T
        show("a digit of the number", m, right.mean(), time.time() - start)
        show("all nine digits", 9 * m, right.all(axis=1).mean(), time.time() - start)


def noise_of_cedar(rng: np.random.Generator, salts: int = 60) -> None:
    """What a fixed condition adds is the same in all of an attack's answers. So its noise is wider
    around the truth, over curators, than around its own mean, within one."""
    print(f"Simulated Cedar: its noise, over {salts} curators, and its spread within one")
    rides, miles = rides_of_one_group(rng)
    where, cash = f"FROM rides WHERE trip_distance IN ({miles})", rides.payment_type == "CSH"
    digits = power_digits("pickup_latitude", 1000)
    sets = members(digits, rides.pickup_latitude)
    for name, asked, values, who in (
        ("payment type", f"count(*) {where} AND payment_type = 'CSH'", np.ones(len(rides)), cash),
        ("passenger count", f"sum(passenger_count) {where}", rides.passenger_count, cash | True),
        (
            "a digit of the number",
            f"sum(CAST(SUBSTRING(ssn, 1, 1) AS INT)) {where}",
            rides.ssn.str[0].astype(int),
            cash | True,
        ),
    ):
        errors = []
        for salt in range(salts):
            curator = Simulator(f"SELECT {asked}", rides.ride[who], values[who], CEDAR, f"{salt}")
            answers = curator.answers(digits, sets[:, who])
            errors.append(answers - sets[:, who] @ values[who])
        total, within = np.sqrt(np.nanmean(np.square(errors))), np.nanstd(errors, axis=1)
        each = np.sqrt(np.nanmean(np.square(errors), axis=1))
        print(
            f"  {name:28} noise {total:6.2f} (one curator's: {each.min():.2f} to {each.max():.2f})"
            f", within one {within.mean():6.2f}"
        )


def main() -> None:
    rng = np.random.default_rng(2020)
    published()
    cohen_nissim(rng)
    dick_joseph_schutzman(rng)
    noise_of_cedar(rng)


if __name__ == "__main__":
    main()
