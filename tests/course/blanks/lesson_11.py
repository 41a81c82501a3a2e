"""Wrong answers to the blank of lesson 11, which its check turns away."""

WRONG = {
    "delta_of": [
        f"def delta_of(p, q, epsilon):\n    return {body}"
        for body in (
            "p[np.log(p / q) > epsilon].sum()",
            "p @ (1 - np.exp(epsilon - np.log(p / q)))",
            "p @ np.abs(1 - np.exp(epsilon - np.log(p / q)))",
            "q @ np.maximum(0, 1 - np.exp(epsilon - np.log(p / q)))",
            "p @ np.maximum(0, 1 - np.exp(epsilon - np.log(q / p)))",
            "np.maximum(0, p - q).sum() * np.exp(-epsilon)",
        )
    ],
}
