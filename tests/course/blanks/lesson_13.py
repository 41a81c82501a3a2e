"""Wrong answers to the blank of lesson 13, which its check turns away."""

WRONG = {
    "choose": [
        f"""
def choose(scores, sensitivity, epsilon, rng):
    noisy = {noisy}
    return int(np.argmax(noisy))
"""
        for noisy in (
            "epsilon * scores / sensitivity + rng.gumbel(size=len(scores))",
            "scores + rng.gumbel(size=len(scores))",
            "epsilon * scores / (2 * sensitivity) + rng.gumbel()",
            "epsilon * scores / (2 * sensitivity) - rng.gumbel(size=len(scores))",
            "epsilon * scores / (2 * sensitivity)",
            "np.exp(epsilon * scores / (2 * sensitivity))",
        )
    ],
}
