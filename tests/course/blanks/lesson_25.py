"""Wrong answers to the blank of lesson 25, which its check turns away."""

WRONG = {
    "standard_error": [
        f"def standard_error(c, n, v):\n    return {body}"
        for body in (
            "(c * (1 - c) / n) ** 0.5",
            "(c * (1 - c) / n + v / n) ** 0.5",
            "(c * (1 - c) / n + v) ** 0.5",
            "c * (1 - c) / n + v / n**2",
            "(c * (1 - c) / n) ** 0.5 + v**0.5 / n",
            "(c * (1 - c) / n**2 + v / n**2) ** 0.5",
        )
    ]
}
