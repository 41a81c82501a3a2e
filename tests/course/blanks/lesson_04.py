"""Wrong answers to the blank of lesson 4, which its check turns away."""

WRONG = {
    "power_of": [
        f"def power_of(d, n, alpha):\n    return norm.cdf({z})"
        for z in (
            "np.sqrt(d / n) - alpha",
            "np.sqrt(d / n) + norm.isf(alpha)",
            "np.sqrt(n / d) - norm.isf(alpha)",
            "d / n - norm.isf(alpha)",
            "np.sqrt(d / n) - norm.ppf(alpha)",  # the threshold on the wrong side
        )
    ],
}
