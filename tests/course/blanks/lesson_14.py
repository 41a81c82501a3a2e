"""Wrong answers to the blanks of lesson 14, which their checks turn away."""

WRONG = {
    "half_range_of": [
        "def half_range_of(here, there):\n    return np.abs(here - there).max() / 2",
        "def half_range_of(here, there):\n    return np.abs(here - there).max()",
        "def half_range_of(here, there):\n    return np.ptp(here - there)",
        "def half_range_of(here, there):\n    return (np.ptp(here) - np.ptp(there)) / 2",
        "def half_range_of(here, there):\n"
        "    return (max(here) - max(there) - min(here) - min(there)) / 2",
    ],
    "flip_coins": [
        f"""
def flip_coins(scores, epsilon, rng):
    accept = {accept}
    order = rng.permutation(len(scores))
    return next(h for h in order if rng.random() < accept[h])
"""
        for accept in (
            "np.exp(epsilon * (scores - scores.max()))",
            "np.exp(epsilon * scores / 2)",
            "np.exp(epsilon * scores / 2) / np.exp(epsilon * scores / 2).sum()",
            "np.exp(epsilon * (scores - scores.min()) / 2)",
            "np.where(scores == scores.max(), 1, np.exp(-epsilon / 2))",
        )
    ],
}
