"""Answers to `findings_3`."""

from tests.assignments.answers.range import make_answers

WRITTEN = """
21: Witness((1, *[0] * 8), (0,) * 9, ("part", 0, ("among", [1])), 0.83),
22: Witness(((0, 1),) * 8, ((0, 1),) * 7, ("among", [(8, 8)]), 1.48),
23: "keeps it",
24: "keeps it",
25: Witness((0, 0), (0, 1), ("not", ("multiple", 2**-53)), 1.0),
26: Witness((0, 1, 1), (0, 1), ("among", ["1"]), 2.0),
27: Witness((1, 1, 1), (1, 0, 1), ("between", 2.01, 5), 0.69),
28: Witness((7, 7, 3), (7, 3, 3), ("between", 4.01, 7), 1.07),
29: Witness((3, 4, 0), (3, 4, 4), ("between", -6, 1), 1.39),
30: "keeps it",
"""
ANSWERS = make_answers(3, WRITTEN)
