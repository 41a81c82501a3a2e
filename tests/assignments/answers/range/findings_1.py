"""Answers to `findings_1`."""

from tests.assignments.answers.range import make_answers

WRITTEN = """
1: Witness((2, 0, 0), (1, 0, 0), ("among", [(1, 1)]), 1.8),
2: "keeps it",
3: Witness((), ("B",), ("among", [("A", "tie")]), 1.9),
4: Witness((1,), (1, 3), ("between", -6, 2), 1.01),
5: Witness(((1, 1, 1), (0, 1, 1)), ((0, 0, 0), (0, 1, 1)), ("among", [(1, 2, 2)]), 1.6),
6: Witness((0, 0, 0), (0, 0, 2), ("between", -8, 0), 0.9),
7: "keeps it",
8: Witness((0, 1, 1), (2, 1, 1), ("among", [(1, 2, 0, 0)]), 1.2),
9: "keeps it",
10: "keeps it",
"""
ANSWERS = make_answers(1, WRITTEN)
