"""Wrong answers to the blank of lesson 7, which its check turns away."""

WRONG = {
    "noisy_mean": [
        """def noisy_mean(counts, bound, epsilon, rng):
    clipped = np.minimum(counts, bound)  # the noise of a sum
    return clipped.mean() + rng.laplace(scale=bound / epsilon)""",
        """def noisy_mean(counts, bound, epsilon, rng):
    mean = min(np.mean(counts), bound)  # the mean is clipped
    return mean + rng.laplace(scale=bound / (len(counts) * epsilon))""",
        """def noisy_mean(counts, bound, epsilon, rng):
    clipped = np.minimum(counts, bound)  # noise for the largest value seen
    return clipped.mean() + rng.laplace(scale=clipped.max() / (len(counts) * epsilon))""",
        """def noisy_mean(counts, bound, epsilon, rng):
    clipped = np.minimum(counts, bound)  # one-sided noise
    return clipped.mean() + rng.exponential(bound / (len(counts) * epsilon))""",
        """def noisy_mean(counts, bound, epsilon, rng):
    clipped = np.minimum(counts, bound)  # epsilon on the wrong side
    return clipped.mean() + rng.laplace(scale=bound * epsilon / len(counts))""",
    ],
}
