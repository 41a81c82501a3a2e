"""Does any wrong answer of the catalogue escape, under 1,000 secrets of a course? Limit: none.

    python tests/benchmarks/mutant_secrets.py FILE [NAME ...]

Grades each mutant on the tests of its own exercise, off the notebook path, under secret after
secret, ten at a time for all of them in turn, and prints who got through the test named for it. It
takes hours: FILE keeps what was tried, and the same command goes on from there. Exits with status 1
if one escaped. Without an escape in 1,000 a mutant's chance is below 0.003 (95%): what can be
computed or bounded is said in the catalogue.
"""

import json
import sys
from pathlib import Path

from autograder.rehearsal import promises
from tests.assignments import harness
from tests.assignments.problem_sets import NAMES, problem_set

SECRETS, AT_A_TIME = 1_000, 10
Mutants = dict[str, tuple[str, str, str]]


def mutants(names: list[str]) -> Mutants:
    """Problem set, exercise and mutant, by one name that a file can keep."""
    return {
        f"{name} / {exercise} / {mutant}": (name, exercise, mutant)
        for name in names
        for exercise, answers in problem_set(name).answers.items()
        for mutant in answers.mutants
    }


def escapes(name: str, exercise: str, mutant: str, secrets: range) -> list[int]:
    """Under which secrets the test that is named for the mutant gives points all the same."""
    ours = problem_set(name)
    wrong = ours.answers[exercise].mutants[mutant]
    answers = ours.first | {exercise: wrong.source}
    return [
        number
        for number in secrets
        if not harness.grade(name, answers, exercise, promises.secret(number))[wrong.fails].message
    ]


def kept(file: Path) -> dict[str, dict]:
    return json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}


def keep(file: Path, found: dict[str, dict]) -> None:
    new = file.with_suffix(".new")
    new.write_text(json.dumps(found, indent=1), encoding="utf-8")
    new.replace(file)


def main(file: Path, names: list[str]) -> None:
    found, todo = kept(file), mutants(names)
    for start in range(0, SECRETS, AT_A_TIME):
        for label, place in todo.items():
            done = found.setdefault(label, {"tried": 0, "escaped": []})
            if done["tried"] > start:
                continue
            escaped = escapes(*place, range(start, start + AT_A_TIME))
            done["tried"], done["escaped"] = start + AT_A_TIME, done["escaped"] + escaped
            if escaped:
                print(f"{label}: escapes under {escaped}", flush=True)
        keep(file, found)
        print(f"{len(todo)} mutants under {start + AT_A_TIME} secrets", flush=True)
    sys.exit(any(found[label]["escaped"] for label in todo))


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:] or NAMES)
