"""Wrong answers to the blanks of lesson 17, which their checks turn away."""

WRONG = {
    "node_noise": [
        f"def node_noise(steps, epsilon):\n    sizes = {sizes}\n    return sizes / epsilon"
        for sizes in (
            "np.log2(steps)",
            "int(np.log2(steps))",
            "np.ceil(np.log2(steps))",
            "np.log2(steps) + 1",
            "steps",
            "2 * steps - 1",
        )
    ],
    "taught": [
        f"""
def taught(h, q, answer):
    grown = {grown}
    return {scaled}
"""
        for grown, scaled in (
            ("h * np.exp(q * (answer - q @ h) / (2 * h.sum()))", "grown"),
            ("h * np.exp(q * (answer - q @ h) / (2 * h.sum()))", "grown / grown.sum()"),
            ("h * np.exp(q * (answer - q @ h) / h.sum())", "h.sum() * grown / grown.sum()"),
            ("h * np.exp(q * (q @ h - answer) / (2 * h.sum()))", "h.sum() * grown / grown.sum()"),
            ("h * np.exp(q * (answer - q @ h) / 2000)", "1000 * grown / grown.sum()"),
            ("h * np.exp((answer - q @ h) / (2 * h.sum()))", "h.sum() * grown / grown.sum()"),
            ("h + q * (answer - q @ h) / 2", "h.sum() * grown / grown.sum()"),
        )
    ],
}
