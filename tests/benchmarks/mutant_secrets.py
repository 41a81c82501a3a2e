"""Does any wrong answer of the catalogue escape, under 1,000 secrets of a course? Limit: none.

    python tests/benchmarks/mutant_secrets.py FILE [NAME ...]

Runs the test that is named for each mutant, off the notebook path, under secret after secret,
five at a time for all of them in turn, on all cores, and prints who got through. Where nothing is
drawn before the test is over, one stands for all. It takes hours: FILE keeps what was tried, and
the same command goes on from there. Exits with status 1 if one escaped. Without an escape in 1,000
a mutant's chance is below 0.003 (95%): what can be computed or bounded is said in the catalogue.
"""

import json
import sys
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from tests.assignments.problem_sets import NAMES, problem_set
from tests.assignments.under_secrets import AT_A_TIME, said

SECRETS = 1_000
Mutants = dict[str, tuple[str, str, str]]


def mutants(names: list[str]) -> Mutants:
    """Problem set, exercise and mutant, by one name that a file can keep."""
    return {
        f"{name} / {exercise} / {mutant}": (name, exercise, mutant)
        for name in names
        for exercise, answers in problem_set(name).answers.items()
        for mutant in answers.mutants
    }


def trial(name: str, exercise: str, mutant: str, start: int) -> tuple[int, list[int]]:
    """Up to which secret it stands tried then, and under which that test gives points all the same.

    Five secrets more, or all of them where one stands for all.
    """
    messages = dict(said(name, exercise, mutant, range(start, start + AT_A_TIME)))
    tried = start + AT_A_TIME if len(messages) == AT_A_TIME else SECRETS
    return tried, [number for number, message in messages.items() if not message]


def kept(file: Path) -> dict[str, dict]:
    return json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}


def keep(file: Path, found: dict[str, dict]) -> None:
    new = file.with_suffix(".new")
    new.write_text(json.dumps(found, indent=1), encoding="utf-8")
    new.replace(file)


def main(file: Path, names: list[str]) -> None:
    found, todo = kept(file), mutants(names)
    for label in todo:
        found.setdefault(label, {"tried": 0, "escaped": []})
    with ProcessPoolExecutor() as pool:
        for start in range(0, SECRETS, AT_A_TIME):
            waiting = [x for x in todo if found[x]["tried"] <= start]
            places = zip(*(todo[label] for label in waiting), strict=True)
            trials = pool.map(trial, *places, [start] * len(waiting))
            for label, (tried, escaped) in zip(waiting, trials, strict=True):
                found[label]["tried"] = tried
                found[label]["escaped"] += escaped
                if escaped:
                    print(f"{label}: escapes under {escaped}", flush=True)
            keep(file, found)
            print(f"{len(todo)} mutants under {start + AT_A_TIME} secrets", flush=True)
    sys.exit(any(found[label]["escaped"] for label in todo))


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:] or NAMES)
