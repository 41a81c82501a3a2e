"""Wrong answers to the blank of lesson 16, which its check turns away."""

WRONG = {
    "moved": [
        f"""
def moved(x, y, m, n):
    j = np.arange(1, m + 1)
    return {answer}
"""
        for answer in (
            "2**0.5 * abs(np.cos(np.pi * j * x) - np.cos(np.pi * j * y)).sum()",
            "abs(np.cos(np.pi * j * x) - np.cos(np.pi * j * y)).sum() / n",
            "2**0.5 * abs((np.cos(np.pi * j * x) - np.cos(np.pi * j * y)).sum()) / n",
            "2**0.5 * np.linalg.norm(np.cos(np.pi * j * x) - np.cos(np.pi * j * y)) / n",
            "2**0.5 * abs(np.cos(np.pi * j * x) - np.cos(np.pi * j * y)).max() / n",
            "2 * 2**0.5 * m / n",
        )
    ],
}
