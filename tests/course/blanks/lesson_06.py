"""Wrong answers to the blank of lesson 6, which its check turns away."""

WRONG = {
    "most_believed": [
        """def most_believed(prior, epsilon):
    return min(1, np.exp(epsilon) * prior)  # probabilities are multiplied""",
        """def most_believed(prior, epsilon):
    return np.exp(epsilon) * prior / (1 - prior)  # the odds are not turned back""",
        """def most_believed(prior, epsilon):
    return 1 / (1 + np.exp(-epsilon))  # every prior is a half""",
        """def most_believed(prior, epsilon):
    odds = (1 + epsilon) * prior / (1 - prior)  # what e^epsilon is for a small one
    return odds / (1 + odds)""",
    ],
}
