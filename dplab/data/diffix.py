"""What the real Diffix answered in its bounty programme, as Cohen and Nissim published it.

Which clients of a bank have a loan with status C? For each of four ranges of client numbers there
are some 3,500 answers to questions of the form

    SELECT count(DISTINCT client_id) FROM loans WHERE floor(o * pow(client_id * q, p) + 0.5)
    = floor(o * pow(client_id * q, p)) AND status = 'C' AND client_id BETWEEN low AND high

and the truth. The files are looked for in the folder DPLAB_DATA (or its subfolder diffix-bounty),
then in pooch's cache, then downloaded; three of the four ranges are known here by their SHA-256.
Source: Cohen and Nissim, Linear program reconstruction in practice, Journal of Privacy and
Confidentiality 10(1), 2020, code and data (MIT licence), doi.org/10.5281/zenodo.3608315.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from dplab import arguments
from dplab.data.published import PublishedFile

ADDRESS = (
    "https://raw.githubusercontent.com/journalprivacyconfidentiality/"
    "Linear-Program-Reconstruction/master/data/"
)
FOLDER = "diffix-bounty"
RANGES = ((2000, 3000), (3000, 5000), (5000, 7000))
SHA256 = {
    "aircloak_output_cleaned_2000_3000.txt": (
        "4134c7e58c2fd9c8fda12281314e2daea1c8657020c8ec5ec590426d9bfe0e33"
    ),
    "aircloak_output_cleaned_3000_5000.txt": (
        "c89e2e50fb4a497a7808171f395fa5a12d168f9de9a1605baad367145102e0e8"
    ),
    "aircloak_output_cleaned_5000_7000.txt": (
        "1429ec1279801102431776fc0a20e387591bb7e751f71203b54868303c7d7d7c"
    ),
    "client_id_2000_3000_ordered.mat": (
        "8f27dc47148cd3d2ec4a358eb03ccc52d7b6003e866e596dc96fb1bd0f1c3232"
    ),
    "client_id_3000_5000_ordered.mat": (
        "f70f1c148d17b50965a75a4921b50663023ed4b8a2c0392c48ebcee930676be9"
    ),
    "client_id_5000_7000_ordered.mat": (
        "3674690672e7e71707f9d3135f3db18e76ed8d0e98b0665ececacb4bf3c5ca04"
    ),
    "true_status_client_id_2000_3000_ordered.mat": (
        "2504aba2e821555f794574e9febf2cc99f6d706fee1e098a42fa9bfa5a6c939d"
    ),
    "true_status_client_id_3000_5000_ordered.mat": (
        "04ea36fa49e6bf6d75f9149dbe8a581517100b96467df523a4510e31ddfe0d1c"
    ),
    "true_status_client_id_5000_7000_ordered.mat": (
        "28cc63721979df0e37dbae7d86647e4844d35c5f0c4edefc3b31e7a9d92fe5ed"
    ),
}
ENTRY = re.compile(
    r"power => ([\d.]+),\s+mult => (\d+),\s+offset => (\d+),.*?answer => (\d+)", re.S
)


@dataclass(frozen=True, eq=False)
class PublishedAnswers:
    """What is known of one range: m answers about n clients, and the n secrets.

    `clients` are their numbers, `secret` is 1 for status C, both (n,); `powers`, `factors`,
    `offsets` are p, q and o of each question and `answers` what Diffix said, all (m,).
    """

    clients: np.ndarray
    secret: np.ndarray
    powers: np.ndarray
    factors: np.ndarray
    offsets: np.ndarray
    answers: np.ndarray

    @property
    def members(self) -> np.ndarray:
        """Who is in the set of each question: True or False, (m, n)."""
        number = (self.clients * self.factors[:, None]) ** self.powers[:, None]
        number = self.offsets[:, None] * number
        return np.floor(number + 0.5) == np.floor(number)


def at_hand() -> list[tuple[int, int]]:
    """The ranges whose files can be read without a download."""
    return [one for one in RANGES if all(file.at_hand() for file in _files(*one))]


def diffix_answers(low: int, high: int) -> PublishedAnswers:
    """The published answers about clients `low` to `high`, one of `RANGES`; whole powers left out.

    (At a whole power the fraction is 0 for everybody, and the question picks all or nothing new.)
    Raises ValueError for another range, DataMissing where the files can't be had.
    """
    arguments.one_of("(low, high)", (low, high), RANGES)
    text, clients, secret = (file.path() for file in _files(low, high))
    rows = np.array(ENTRY.findall(text.read_text()), dtype=float)
    powers, factors, offsets, answers = rows[rows[:, 0] % 1 != 0].T
    return PublishedAnswers(
        _vector(clients), _vector(secret).astype(int), powers, factors, offsets, answers
    )


def _files(low: int, high: int) -> list[PublishedFile]:
    """The answers, the clients' numbers and their secrets."""
    names = (
        f"aircloak_output_cleaned_{low}_{high}.txt",
        f"client_id_{low}_{high}_ordered.mat",
        f"true_status_client_id_{low}_{high}_ordered.mat",
    )
    return [PublishedFile(FOLDER, name, ADDRESS + name, SHA256[name]) for name in names]


def _vector(path: Path) -> np.ndarray:
    from scipy.io import loadmat

    (values,) = (part for name, part in loadmat(path).items() if not name.startswith("__"))
    return values.ravel().astype(float)
