"""How long does the kernel work for a move of each control of each explorer? Limit: 100 ms.

    python tests/benchmarks/explorers.py

Prints the median over moves of the control through its range, and the slowest move, in
milliseconds of wall time in the kernel: computing, drawing and encoding the picture. Exits with
status 1 if a median is over the limit.
"""

import statistics
import sys
import time

import ipywidgets
import numpy as np

from dplab import widgets
from dplab.widgets.explorer import Again

LIMIT = 100
MOVES = 20


def positions(control):
    """Values through which to move a control, its whole range, ending elsewhere than it began."""
    if isinstance(control, Again):
        return range(control.value + 1, control.value + 1 + MOVES)
    if isinstance(control, ipywidgets.RadioButtons):
        return [control.options[1 - i % 2] for i in range(MOVES)]
    if isinstance(control, ipywidgets.SelectionSlider):
        values = [value for _, value in control.options]
        return [values[i] for i in np.linspace(0, len(values) - 1, MOVES).astype(int)]
    kind = type(control.value)
    return [kind(value) for value in np.linspace(control.min, control.max, MOVES)]


def time_moves(explorer, name):
    """Milliseconds of each move that changed the control."""
    control, spent = explorer.controls[name], []
    for value in positions(control):
        if value != control.value:
            start = time.perf_counter()
            control.value = value
            spent.append(1000 * (time.perf_counter() - start))
    return spent


def main():
    worst = 0.0
    print(f"{'explorer':16} {'control':12} {'median ms':>9} {'slowest':>8}   (limit {LIMIT})")
    for kind in widgets.EXPLORERS:
        make = getattr(widgets, kind)
        for name in make().controls:
            spent = time_moves(make(), name)
            worst = max(worst, statistics.median(spent))
            print(f"{kind:16} {name:12} {statistics.median(spent):9.1f} {max(spent):8.1f}")
    sys.exit(worst > LIMIT)


if __name__ == "__main__":
    main()
