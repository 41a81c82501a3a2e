"""Answers of the real Diffix in its bounty programme, published by Cohen and Nissim.

Which clients of a bank have a loan with status C? For each of four ranges of client numbers there
are some 3,500 answers to questions of the form

    SELECT count(DISTINCT client_id) FROM loans WHERE floor(o * pow(client_id * q, p) + 0.5)
    = floor(o * pow(client_id * q, p)) AND status = 'C' AND client_id BETWEEN low AND high

and the truth. The loader looks for the files in the folder DPLAB_DATA (or its subfolder
diffix-bounty), then in pooch's cache; then it downloads them. This module knows the SHA-256 of
three of the four ranges. For another range, a file SHA256SUMS beside its three files must list
them.
Source: Cohen and Nissim, Linear program reconstruction in practice, Journal of Privacy and
Confidentiality 10(1), 2020, code and data (MIT licence), doi.org/10.5281/zenodo.3608315.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike

from dplab import arguments
from dplab.data.published import DataMissing, PublishedFile, places

ADDRESS = (
    "https://raw.githubusercontent.com/journalprivacyconfidentiality/"
    "Linear-Program-Reconstruction/master/data/"
)
FOLDER = "diffix-bounty"
SHA256 = {  # of the answers, the clients' numbers and their secrets, for each range
    (2000, 3000): (
        "4134c7e58c2fd9c8fda12281314e2daea1c8657020c8ec5ec590426d9bfe0e33",
        "8f27dc47148cd3d2ec4a358eb03ccc52d7b6003e866e596dc96fb1bd0f1c3232",
        "2504aba2e821555f794574e9febf2cc99f6d706fee1e098a42fa9bfa5a6c939d",
    ),
    (3000, 5000): (
        "c89e2e50fb4a497a7808171f395fa5a12d168f9de9a1605baad367145102e0e8",
        "f70f1c148d17b50965a75a4921b50663023ed4b8a2c0392c48ebcee930676be9",
        "04ea36fa49e6bf6d75f9149dbe8a581517100b96467df523a4510e31ddfe0d1c",
    ),
    (5000, 7000): (
        "1429ec1279801102431776fc0a20e387591bb7e751f71203b54868303c7d7d7c",
        "3674690672e7e71707f9d3135f3db18e76ed8d0e98b0665ececacb4bf3c5ca04",
        "28cc63721979df0e37dbae7d86647e4844d35c5f0c4edefc3b31e7a9d92fe5ed",
    ),
}
RANGES = tuple(SHA256)
NAME = re.compile(r"aircloak_output_cleaned_(\d+)_(\d+)\.txt$")
ENTRY = re.compile(
    r"power => ([\d.]+),\s+mult => (\d+),\s+offset => (\d+),.*?answer => (\d+)", re.S
)


@dataclass(frozen=True, eq=False)
class PublishedAnswers:
    """The published data of one range: m answers about n clients, and the n secrets.

    `clients` are their numbers, `secret` is 1 for status C, both (n,); `powers`, `factors`,
    `offsets` are p, q and o of each question and `answers` those of Diffix, all (m,).
    """

    clients: np.ndarray
    secret: np.ndarray
    powers: np.ndarray
    factors: np.ndarray
    offsets: np.ndarray
    answers: np.ndarray

    @property
    def members(self) -> np.ndarray:
        """The set of people of each question, as queries: 0 or 1, (m, n)."""
        questions = zip(self.factors, self.powers, self.offsets, strict=True)
        sets = [in_the_set(self.clients, *question) for question in questions]
        return np.array(sets).astype(int)


def in_the_set(values: ArrayLike, factor: float, power: float, offset: float) -> np.ndarray:
    """Return whether floor(o (x q)^p + 1/2) = floor(o (x q)^p) for each value x: shape (n,)."""
    # databases compute math.pow; numpy's power may differ in the last bit, and change the sets
    powers = [math.pow(x, power) for x in np.asarray(values, float) * factor]
    number = offset * np.array(powers)
    return np.floor(number + 0.5) == np.floor(number)


def at_hand() -> list[tuple[int, int]]:
    """Return the ranges whose files can be read without a download.

    Raises DataMissing for a file with another SHA-256, or without a known one.
    """
    ranges = sorted({*RANGES, *_ranges_at_hand()})
    return [limits for limits in ranges if all(file.at_hand() for file in _files(*limits))]


def diffix_answers(low: int, high: int) -> PublishedAnswers:
    """Load the published answers about clients `low` to `high`, without whole powers.

    The range is one of `RANGES`, or of those `at_hand`. (At a whole power the fraction is 0 for
    everybody, and the question picks everybody.)
    Raises ValueError for another range, DataMissing where the files can't be loaded.
    """
    if (low, high) not in RANGES:
        arguments.one_of("(low, high)", (low, high), sorted({*RANGES, *at_hand()}))
    text, clients, secret = (file.path() for file in _files(low, high))
    rows = np.array(ENTRY.findall(text.read_text()), dtype=float)
    powers, factors, offsets, answers = rows[rows[:, 0] % 1 != 0].T
    return PublishedAnswers(
        _vector(clients), _vector(secret).astype(int), powers, factors, offsets, answers
    )


def names(low: int, high: int) -> tuple[str, str, str]:
    """Return the names of a range's files: the answers, the clients' numbers and their secrets."""
    return (
        f"aircloak_output_cleaned_{low}_{high}.txt",
        f"client_id_{low}_{high}_ordered.mat",
        f"true_status_client_id_{low}_{high}_ordered.mat",
    )


def _files(low: int, high: int) -> list[PublishedFile]:
    known = SHA256.get((low, high), (None, None, None))
    return [
        PublishedFile(FOLDER, name, ADDRESS + name, sha256 or _read_sha256(name))
        for name, sha256 in zip(names(low, high), known, strict=True)
    ]


def _ranges_at_hand() -> list[tuple[int, int]]:
    paths = [path for place in places(FOLDER) for path in place.glob("aircloak_output_cleaned_*")]
    matches = [NAME.match(path.name) for path in paths]
    return [(int(match[1]), int(match[2])) for match in matches if match]


def _read_sha256(name: str) -> str:
    """Return the SHA-256 of a file in SHA256SUMS beside it."""
    for sums in (place / "SHA256SUMS" for place in places(FOLDER)):
        if sums.is_file():
            lines = [line.split() for line in sums.read_text(encoding="utf-8").splitlines()]
            if digests := [line[0] for line in lines if line[1:] == [name]]:
                return digests[0]
    raise DataMissing(
        f"{name} is not known here: put its SHA-256 into a file SHA256SUMS beside it, as the "
        f"command sha256sum prints it"
    )


def _vector(path: Path) -> np.ndarray:
    from scipy.io import loadmat

    (values,) = (part for name, part in loadmat(path).items() if not name.startswith("__"))
    return values.ravel().astype(float)
