"""Wrong answers to the blank of lesson 23, which its check turns away."""

WRONG = {
    "most_answers": [
        f"def most_answers(epsilon):\n    return {body}"
        for body in (
            "int(3 * np.exp(epsilon))",
            "int(4 * np.exp(epsilon) + 2)",
            "3 * np.exp(epsilon) + 2",
            "int(np.ceil(3 * np.exp(epsilon) + 2))",
            "round(3 * np.exp(epsilon) + 2)",
            "int(3 * epsilon + 2)",
        )
    ]
}
