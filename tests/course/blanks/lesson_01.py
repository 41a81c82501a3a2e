"""Wrong answers to the blanks of lesson 1, which their checks turn away."""

WRONG = {
    "from_means": [
        f"def from_means(with_him, without, size):\n    return {value}"
        for value in (
            "with_him - without",
            "size * (with_him - without)",
            "size * with_him - without",
            "(size + 1) * with_him - size * without",
            "(size - 1) * with_him - (size - 2) * without",
        )
    ],
    "guess": [
        f"def guess(with_him, without):\n    return int({told})"
        for told in (
            "np.mean(with_him - without) > 0",  # cut at no difference
            "np.mean(with_him > without) > 1 / 2",  # a vote of the pairs
            "np.median(with_him - without) > 1 / 2",
            "np.sum(with_him - without) > 1 / 2",
            "with_him[0] - without[0] > 1 / 2",  # one pair only
        )
    ],
}
