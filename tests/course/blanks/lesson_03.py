"""Wrong answers to the blank of lesson 3, which its check turns away."""

WRONG = {
    "solve_all": [
        # lesson 2's system, without the constant
        """def solve_all(sets, answers):
    return np.linalg.lstsq(sets, answers)[0]""",
        # the constant is handed back as if it were a person
        """def solve_all(sets, answers):
    further = np.column_stack([sets, np.ones(len(sets))])
    return np.linalg.lstsq(further, answers)[0]""",
        # the ones come last, and the first person is left out
        """def solve_all(sets, answers):
    further = np.column_stack([sets, np.ones(len(sets))])
    return np.linalg.lstsq(further, answers)[0][1:]""",
        # only the answers are centred
        """def solve_all(sets, answers):
    return np.linalg.lstsq(sets, answers - answers.mean())[0]""",
        # rounded, which was not asked for
        """def solve_all(sets, answers):
    further = np.column_stack([sets, np.ones(len(sets))])
    return np.linalg.lstsq(further, answers)[0][:-1].round()""",
    ],
}
