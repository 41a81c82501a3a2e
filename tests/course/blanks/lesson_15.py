"""Wrong answers to the blank of lesson 15, which its check turns away."""

WRONG = {
    "threshold": [
        f"""
def threshold(epsilon, delta):
    p = np.exp(-epsilon)
    k = {k}
    return 1 + int(k)
"""
        for k in (
            "np.ceil(np.log(1 / delta) / epsilon)",
            "max(1, np.floor(np.log(delta * (1 + p)) / np.log(p)))",
            "np.ceil(np.log(delta * (1 + p)) / np.log(p))",
            "max(1, np.ceil(np.log(2 * delta) / np.log(p)))",
            "max(1, np.ceil(np.log(delta * (1 + p)) / np.log(p))) - 1",
        )
    ],
}
