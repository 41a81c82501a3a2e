"""Answers to `findings_2`."""

from tests.assignments.answers.range import make_answers

WRITTEN = """
11: "keeps it",
12: Witness((1, 1), (1,), ("among", [2]), 1.8),
13: Witness((-5, 0, 0), (5, 0, 0), ("between", -8, -1), 1.04),
14: Witness((1, 1, 1), (1, 0, 1), ("between", 2.01, 8), 1.8),
15: Witness(((0, 1), (0, 1)), ((1, 0), (0, 1)), ("among", [(0, 1, 0, 1)]), 1.5),
16: Witness((3, 3, 3), (1, 3, 3), ("among", [(3, 0)]), 1.8),
17: "keeps it",
18: Witness((0, 0, 0), (1, 0, 0), ("among", [(0, 0)]), 1.52),
19: Witness((1, 1, 1, 1), (1, 0, 1, 1), ("between", 1.01, 6), 1.35),
20: "keeps it",
"""
ANSWERS = make_answers(2, WRITTEN)
