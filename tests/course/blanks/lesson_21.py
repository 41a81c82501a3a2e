"""Wrong answers to the blank of lesson 21, which its check turns away."""

WRONG = {
    "answers_for": [
        f"def answers_for(epsilon, n, sigma):\n    return {body}"
        for body in (
            "int(epsilon * n * sigma)",
            "epsilon * n * sigma / 2",
            "round(epsilon * n * sigma / 2)",
            "int(np.ceil(epsilon * n * sigma / 2))",
            "int(2 * epsilon / (n * sigma))",
        )
    ]
}
