"""Wrong answers to the blank of lesson 10, which its check turns away."""

WRONG = {
    "group_delta": [
        "def group_delta(epsilon, delta, k):\n    return k * delta  # it carries over",
        "def group_delta(epsilon, delta, k):\n    return delta * np.exp(k * epsilon)",
        "def group_delta(epsilon, delta, k):\n    return k * delta * np.exp((k - 1) * epsilon)",
        """def group_delta(epsilon, delta, k):
    return delta * sum(np.exp(i * epsilon) for i in range(1, k + 1))""",
    ],
}
