"""A town of invented people, for the lessons that need whole tables and nobody's real secrets.

The columns and their distributions, so that the town's correlations are known exactly:

    age        18 to 95, all equally likely up to 55, then less and less likely
    sex        a fair coin
    birthday   day 1 to 365 of the year, all equally likely
    block      one of n / 50, all equally likely; some blocks are wealthy
    education  8 to 20 years: normal around 14 - (age - 40) / 25 with deviation 2.5, rounded
    marital    single with probability exp(-(age - 18) / 12); of the others, ((age - 18) / 77)^3
               of the women are widowed and half as many of the men, 15% of the rest divorced
    income     20,000 e^(0.1 (education - 12) + 0.4 wealth of the block + 0.5 noise), in hundreds,
               where wealth and noise are standard normal
    ill        the sensitive bit: 1 with probability 0.05 + 0.003 (age - 18), otherwise 0

Everything else is independent.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from dplab import arguments, optional

if TYPE_CHECKING:
    import pandas as pd

PEOPLE_A_BLOCK = 50
FIRST_NAMES = {
    "F": "Ada Bela Clara Dora Edith Fatima Gerda Hana Ines Jule Kaya Lena Mira Nora Olga Pia "
    "Rosa Sara Tilda Uma Vera Wanda Yara Zoe",
    "M": "Adil Boris Chen Dario Emil Franz Gero Hugo Ivan Jonas Karim Leo Marek Nils Omar Paul "
    "Rafael Sven Tomas Udo Victor Wim Yusuf Zeno",
}
SURNAMES = (
    "Abel Adler Bach Bauer Berg Cohen Costa Diaz Duarte Ekman Engel Fabri Fischer Garcia Gruber "
    "Haas Hansen Horn Ito Jansen Jung Kaya Keller Kim Kovac Kraus Lang Lopez Ludwig Maier Marin "
    "Meyer Moreau Nagy Nowak Okoye Olsen Park Pavlov Peters Popov Quinn Ramos Reis Rossi Roth "
    "Sand Sato Silva Simon Stern Suzuki Tanaka Thiel Torres Usman Vogel Wagner Weber Wolf Yildiz"
)


def make_town(n: int, rng: np.random.Generator) -> pd.DataFrame:
    """Return n adults, one a row, in the columns that the module describes, after their `name`.

    `sex` is "F" or "M", `marital` is "single", "married", "divorced" or "widowed"; `block` counts
    from 1; all other columns except `name` are ints. Names repeat, as they do in towns.
    Raises ValueError unless n is a whole number of at least 1.

    >>> people = make_town(1000, np.random.default_rng(1))
    >>> people.shape, int(people.block.max()), sorted(people.marital.unique())
    ((1000, 9), 20, ['divorced', 'married', 'single', 'widowed'])
    """
    n = arguments.size("n", n)
    arguments.generator("rng", rng)
    with optional.packages_for("A town"):
        import pandas as pd

    sex, age = rng.choice(["F", "M"], n), _draw_ages(n, rng)
    blocks = max(1, n // PEOPLE_A_BLOCK)
    block = rng.integers(1, blocks + 1, n)
    education = _draw_education(age, rng)
    return pd.DataFrame(
        {
            "name": _draw_names(sex, rng),
            "sex": sex,
            "age": age,
            "birthday": rng.integers(1, 366, n),
            "block": block,
            "education": education,
            "marital": _draw_marital(age, sex, rng),
            "income": _draw_incomes(education, rng.normal(size=blocks)[block - 1], rng),
            "ill": (rng.random(n) < chance_of_illness(age)).astype(int),
        }
    )


def chance_of_illness(age: ArrayLike) -> np.ndarray:
    """Return P[ill] at this age, elementwise: 5% at 18, 28% at 95."""
    return 0.05 + 0.003 * (np.asarray(age) - 18)


def _draw_ages(n: int, rng: np.random.Generator) -> np.ndarray:
    ages = np.arange(18, 96)
    weights = np.minimum(1, (100 - ages) / 45)
    return rng.choice(ages, n, p=weights / weights.sum())


def _draw_education(age: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    years = rng.normal(14 - (age - 40) / 25, 2.5)
    return np.clip(np.round(years), 8, 20).astype(int)


def _draw_marital(age: np.ndarray, sex: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    u_divorced, u_single, u_widowed = rng.random((3, len(age)))
    status = np.where(u_divorced < 0.15, "divorced", "married")
    widowed_share = ((age - 18) / 77) ** 3 * np.where(sex == "F", 1, 0.5)
    status = np.where(u_widowed < widowed_share, "widowed", status)
    return np.where(u_single < np.exp(-(age - 18) / 12), "single", status)


def _draw_incomes(
    education: np.ndarray, wealth: np.ndarray, rng: np.random.Generator
) -> np.ndarray:
    log_ratio = 0.1 * (education - 12) + 0.4 * wealth + 0.5 * rng.normal(size=len(education))
    return 100 * np.round(200 * np.exp(log_ratio)).astype(int)


def _draw_names(sex: np.ndarray, rng: np.random.Generator) -> list[str]:
    first = np.where(sex == "F", *(rng.choice(FIRST_NAMES[s].split(), len(sex)) for s in "FM"))
    last = rng.choice(SURNAMES.split(), len(sex))
    return [f"{a} {b}" for a, b in zip(first.tolist(), last.tolist(), strict=True)]
