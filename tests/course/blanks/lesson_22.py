"""Wrong answers to the blank of lesson 22, which its check turns away."""

WRONG = {
    "smoothed": [
        f"def smoothed(values, beta):\n    A = median.at_distance(values)\n    return {body}"
        for body in (
            "np.max(np.exp(beta * np.arange(len(A))) * A)",
            "np.max(np.exp(-beta * np.arange(1, len(A) + 1)) * A)",
            "np.sum(np.exp(-beta * np.arange(len(A))) * A)",
            "np.max(A)",
            "A[0]",
            "np.exp(-beta) * np.max(A)",
        )
    ]
}
