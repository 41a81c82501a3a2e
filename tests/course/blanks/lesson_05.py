"""Wrong answers to the blank of lesson 5, which its check turns away."""

WRONG = {
    "toss_again": [
        """def toss_again(truth, theta, rng):
    return truth if rng.random() < theta else 1  # the blackboard's rule""",
        """def toss_again(truth, theta, rng):
    return truth if rng.random() < theta else 1 - truth  # tails: lie""",
        """def toss_again(truth, theta, rng):
    coin = rng.random()  # one toss for both coins
    return truth if coin < theta else int(coin < 0.5)""",
        """def toss_again(truth, theta, rng):
    return truth if rng.random() < theta else int(rng.random() < theta)  # no fair coin""",
        """def toss_again(truth, theta, rng):
    return int(rng.random() < (1 + theta) / 2)  # whether it is the truth, not the answer""",
    ],
}
