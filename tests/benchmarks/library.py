"""What the library costs: its import beyond numpy's, and the exact audit of ten bits.

Run with `python tests/benchmarks/library.py`. Each figure stands beside its stated limit.
"""

import statistics
import subprocess
import sys
import time

from dplab.audit import exact_epsilon
from dplab.mechanisms.randomized_response import RandomizedResponse

ROUNDS = 7


def processor_seconds(statement: str) -> float:
    """The processor time of a fresh interpreter that runs `statement`, and nothing else."""
    code = f"import time; {statement}; print(time.process_time())"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return float(run.stdout)


def import_seconds() -> float:
    """Processor seconds of `import dplab` beyond `import numpy`, the median of paired rounds."""
    pairs = (
        (processor_seconds("import dplab"), processor_seconds("import numpy"))
        for _ in range(ROUNDS)
    )
    return statistics.median(ours - numpys for ours, numpys in pairs)


def audit_seconds() -> float:
    """Seconds to audit randomized response on 10 bits: 1,024 outputs, all 5,120 neighbours."""
    rounds = []
    for _ in range(ROUNDS):
        start = time.perf_counter()
        audit = exact_epsilon(RandomizedResponse(1.0), (0, 1), n=10)
        rounds.append(time.perf_counter() - start)
        assert abs(audit.epsilon - 1) < 1e-12
    return statistics.median(rounds)


def main() -> None:
    rows = [
        ("import dplab beyond numpy, processor seconds", import_seconds(), 0.3),
        ("exact audit of randomized response, n = 10, seconds", audit_seconds(), 1.0),
    ]
    for what, seconds, limit in rows:
        print(f"{what:55} {seconds:7.3f}   limit {limit}   {seconds / limit:5.0%} of it")


if __name__ == "__main__":
    main()
