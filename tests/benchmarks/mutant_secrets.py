"""Does any wrong answer of the catalogue escape, under 1,000 secrets of a course? Limit: none.

    python tests/benchmarks/mutant_secrets.py FILE [NAME ...]

Runs the test that is named for each mutant, off the notebook path, under secret after secret, ten
at a time for all of them in turn, on all cores, and prints who got through. Where that test draws
nothing, ten are all. It takes hours: FILE keeps what was tried, and the same command goes on from
there. Exits with status 1 if one escaped. Without an escape in 1,000 a mutant's chance is below
0.003 (95%): what can be computed or bounded is said in the catalogue.
"""

import json
import sys
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from autograder.rehearsal import promises
from tests.assignments import harness
from tests.assignments.problem_sets import NAMES, problem_set
from tests.benchmarks.course_secrets import of_chance

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


def most_secrets(todo: Mutants) -> dict[str, int]:
    """How many secrets can make a difference to each."""
    drawing = {name: of_chance(name) for name in {name for name, _, _ in todo.values()}}

    def draws(name: str, exercise: str, mutant: str) -> bool:
        return problem_set(name).answers[exercise].mutants[mutant].fails in drawing[name]

    return {label: SECRETS if draws(*place) else AT_A_TIME for label, place in todo.items()}


def escapes(name: str, exercise: str, mutant: str, start: int) -> list[int]:
    """Under which of ten secrets the test that is named for the mutant gives points all the same.

    All else is the teacher's own.
    """
    ours = problem_set(name)
    wrong = ours.answers[exercise].mutants[mutant]
    notebook = harness.notebook(name, ours.own | {exercise: wrong.source})
    return [
        number
        for number in range(start, start + AT_A_TIME)
        if not harness.run(notebook, wrong.fails, promises.secret(number))[wrong.fails].message
    ]


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
    most = most_secrets(todo)
    with ProcessPoolExecutor() as pool:
        for start in range(0, SECRETS, AT_A_TIME):
            waiting = [x for x in todo if found[x]["tried"] <= start < most[x]]
            places = zip(*(todo[label] for label in waiting), strict=True)
            trials = pool.map(escapes, *places, [start] * len(waiting), chunksize=8)
            for label, escaped in zip(waiting, trials, strict=True):
                found[label]["tried"] = start + AT_A_TIME
                found[label]["escaped"] += escaped
                if escaped:
                    print(f"{label}: escapes under {escaped}", flush=True)
            keep(file, found)
            print(f"{len(todo)} mutants under {start + AT_A_TIME} secrets", flush=True)
    sys.exit(any(found[label]["escaped"] for label in todo))


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:] or NAMES)
