"""Answers to `snap_to_grid`. The mistakes: halves the other way, a rounded sum, lost units."""

from autograder.rehearsal.catalogue import Answers, Mutant


def _steps(formula: str) -> str:
    """The text of `snap_to_grid` with this formula in `steps`, the values in steps of the grid."""
    return f"""
def snap_to_grid(values, grid):
    steps = np.asarray(values, dtype=float) / grid
    return {formula} * grid
"""


_RIGHT = "(np.floor(steps) + (steps - np.floor(steps) >= 0.5))"


def _where(condition: str, formula: str) -> str:
    """The text that is right where the condition holds; elsewhere it is this formula."""
    return _steps(f"np.where({condition}, {_RIGHT}, {formula})")


RIGHT = {
    "the rest of a division": _steps("(np.floor(steps) + (steps % 1 >= 0.5))"),
    "floor and rest": """
def snap_to_grid(values, grid):
    steps = np.asarray(values) / grid
    whole = np.floor(steps)
    return np.where(steps - whole < 0.5, whole, whole + 1) * grid
""",
    "numpy's rounding, repaired": """
def snap_to_grid(values, grid):
    steps = np.array(values, dtype=float) / grid
    nearest = np.rint(steps)
    return (nearest + (steps - nearest == 0.5)) * grid
""",
    "fractions": """
def snap_to_grid(values, grid):
    def one(value):
        steps = Fraction(value) / Fraction(grid)
        return float(Fraction(grid) * math.floor(steps + Fraction(1, 2)))

    values = np.asarray(values, dtype=float)
    return np.array([one(v) for v in values.ravel().tolist()]).reshape(values.shape)
""",
    "the rest by division": """
def snap_to_grid(values, grid):
    whole, rest = np.divmod(np.asarray(values, dtype=float), grid)
    whole = np.floor(np.asarray(values, dtype=float) / grid)
    rest = np.asarray(values, dtype=float) / grid - whole
    return grid * (whole + np.heaviside(rest - 0.5, 1))
""",
}

MUTANTS = {
    "numpy's rounding": Mutant(
        _steps("np.round(steps)"), "snap_to_grid_halves", "should be [1, 2, 0, -1]"
    ),
    "half a step added": Mutant(
        _steps("np.floor(steps + 0.5)"), "snap_to_grid_exact", "should be 0, it is 1"
    ),
    "always down": Mutant(_steps("np.floor(steps)"), "snap_to_grid_nearest", "should be [0, 1"),
    "always up": Mutant(_steps("np.ceil(steps)"), "snap_to_grid_nearest", "should be [0, 1"),
    "towards zero": Mutant(
        _steps("np.trunc(steps + 0.5)"), "snap_to_grid_nearest", "should be [[-16"
    ),
    "halves away from zero": Mutant(
        _steps("np.sign(steps) * np.floor(np.abs(steps) + 0.5)"),
        "snap_to_grid_halves",
        "for negative values too",
    ),
    "halves down": Mutant(_steps("np.ceil(steps - 0.5)"), "snap_to_grid_halves", "take the larger"),
    "in steps, not in units": Mutant(
        _steps("np.floor(steps + 0.5)").replace(" * grid", ""),
        "snap_to_grid_nearest",
        "should be 0.25, it is 1",
    ),
    "multiplied where a division was due": Mutant(
        """
def snap_to_grid(values, grid):
    steps = np.asarray(values, dtype=float) * grid
    below = np.floor(steps)
    return (below + (steps - below >= 0.5)) / grid
""",
        "snap_to_grid_nearest",
        "should be 0.25, it is 0",
    ),
    "small whole numbers": Mutant(
        _steps("(np.floor(steps) + (steps % 1 >= 0.5)).astype(np.int32)"),
        "snap_to_grid_exact",
        "should be",
    ),
    "rounded to nine digits first": Mutant(
        _steps("np.floor(np.round(steps, 9) + 0.5)"), "snap_to_grid_exact", "Is something rounded"
    ),
    "a little below one half": Mutant(
        _steps("np.floor(steps + 0.5 - 1e-12)"), "snap_to_grid_halves", "Halfway between"
    ),
    "fine grids left alone": Mutant(
        _where("grid >= 2.0**-20", "steps"),
        "snap_to_grid_nearest",
        "Count in steps of the grid",
    ),
    "dplab's own": Mutant(
        """
from dplab.mechanisms.snapping import snap


def snap_to_grid(values, grid):
    return np.vectorize(lambda value: snap(float(value), grid), otypes=[float])(values)
""",
        "snap_to_grid_nearest",
        "dplab.mechanisms.snapping.snap is off limits in an answer",
    ),
    "numpy's rounding of many values": Mutant(
        _where("steps.size < 1000", "np.round(steps)"), "snap_to_grid_halves", "Halfway between"
    ),
    "numpy's rounding of one value": Mutant(
        _where("steps.size > 1", "np.round(steps)"), "snap_to_grid_halves", "Halfway between"
    ),
    "numpy's rounding on coarse grids": Mutant(
        _where("grid < 64", "np.round(steps)"), "snap_to_grid_halves", "Halfway between"
    ),
    "half a step added below 0": Mutant(
        _where("steps >= 0", "np.floor(steps + 0.5)"), "snap_to_grid_exact", "Adding 0.5 is"
    ),
    "half a step added on other grids": Mutant(
        _where("grid == 1", "np.floor(steps + 0.5)"), "snap_to_grid_exact", "Adding 0.5 is"
    ),
    "large ones taken for whole": Mutant(
        _where("np.abs(steps) < 2.0**51", "steps"), "snap_to_grid_exact", "Is something rounded"
    ),
    "the values changed in place": Mutant(
        f"""
def snap_to_grid(values, grid):
    values = np.asarray(values, dtype=float)
    steps = values / grid
    if values.ndim:
        values += grid
    return {_RIGHT} * grid
""",
        "snap_to_grid_exact",
        "Do the values stay as they are?",
    ),
    "lists without lists in them": Mutant(
        """
def snap_to_grid(values, grid):
    if isinstance(values, list):
        return np.array([snap_to_grid(float(value), grid) for value in values])
    steps = np.asarray(values, dtype=float) / grid
    return (np.floor(steps) + (steps - np.floor(steps) >= 0.5)) * grid
""",
        "snap_to_grid_nearest",
        "Count in steps of the grid",
    ),
    "a list snapped in place": Mutant(
        _steps(_RIGHT).replace(
            "    return",
            "    if isinstance(values, list):\n"
            f"        values[:] = ({_RIGHT} * grid).tolist()\n"
            "    return",
        ),
        "snap_to_grid_nearest",
        "changes what it was given",
    ),
}

ANSWERS = Answers("snap_to_grid", RIGHT, MUTANTS)
