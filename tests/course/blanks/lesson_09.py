"""Wrong answers to the blank of lesson 9, which its check turns away."""

WRONG = {
    "transcript_loss": [
        "def transcript_loss(answers, prices):\n    return sum(prices)  # what was paid",
        "def transcript_loss(answers, prices):\n    return np.dot(answers, prices)  # 0 is silent",
        """def transcript_loss(answers, prices):
    return abs(np.dot(2 * np.array(answers) - 1, prices))  # of either direction""",
        """def transcript_loss(answers, prices):
    return np.exp(np.dot(2 * np.array(answers) - 1, prices))  # the ratio, not its log""",
        """def transcript_loss(answers, prices):
    return -np.dot(2 * np.array(answers) - 1, prices)  # of 0 against 1""",
    ],
}
