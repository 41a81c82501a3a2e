"""How long the search for near-duplicates takes, for classes that double in size.

Run with `python tests/benchmarks/near_duplicates.py`. Every answer is a text of its own: one of the
catalogue's, with up to three lines put in.
"""

import random
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from autograder.pages.similarity import near_duplicates
from tests.assignments.problem_sets import problem_set

SIZES = (250, 500, 1_000, 2_000)
LIMIT = 5.0  # processor seconds for the largest class, twelve exercises each


def varied(source: str, rng: random.Random) -> str:
    lines = source.strip().splitlines()
    indent = lines[-1][: len(lines[-1]) - len(lines[-1].lstrip())]
    for _ in range(rng.randint(0, 3)):
        number = rng.randrange(10**6)
        own = (f"unused = {number}", f"x{number} = np.log({number})", f"assert {number} != 7 * 2")
        lines.insert(len(lines) - 1, indent + rng.choice(own))
    return "\n".join([*lines, f"# {rng.random()}"])


def a_class(size: int) -> dict[str, dict[str, str]]:
    rng = random.Random(size)
    texts = {
        exercise: [*answers.right.values(), *(m.source for m in answers.mutants.values())]
        for exercise, answers in problem_set("ps03").answers.items()
    }
    return {
        exercise: {f"student-{n}": varied(rng.choice(own), rng) for n in range(size)}
        for exercise, own in texts.items()
    }


def main() -> None:
    for size in SIZES:
        answers = a_class(size)
        began = time.process_time()
        pairs = sum(len(near_duplicates(own)) for own in answers.values())
        seconds = time.process_time() - began
        each = 1000 * seconds / (size * len(answers))
        print(f"{size:5} submissions {seconds:6.2f} s, {each:.2f} ms an answer, {pairs} pairs")
    print(f"limit {LIMIT} s, {seconds / LIMIT:.0%} of it")


if __name__ == "__main__":
    main()
