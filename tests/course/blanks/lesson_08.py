"""Wrong answers to the blank of lesson 8, which its check turns away."""

WRONG = {
    "kth_coin": [
        """def kth_coin(a, b, k, rng):
    return rng.integers(b) < a  # every coin has the first one's chance""",
        """def kth_coin(a, b, k, rng):
    return rng.integers(b * k) <= a  # there are a + 1 numbers up to a""",
        """def kth_coin(a, b, k, rng):
    return rng.integers(1, b * k + 1) < a  # there are a - 1 numbers from 1 on below a""",
        """def kth_coin(a, b, k, rng):
    return rng.integers(b) < a / k  # rounded up to a whole number""",
        """def kth_coin(a, b, k, rng):
    return rng.integers(b * k) >= a  # when it fails""",
    ],
}
