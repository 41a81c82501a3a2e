"""Wrong answers to the blanks of lesson 17, which their checks turn away."""

WRONG = {
    "product_error": [
        f"""
def product_error(R, A):
    column = {column}
    row = {row}
    return row * column
"""
        for column, row in (
            ("np.linalg.norm(A, axis=1).max()", "np.linalg.norm(R, axis=0).max()"),
            ("np.abs(A).sum(axis=0).max()", "np.linalg.norm(R, axis=1).max()"),
            ("np.linalg.norm(A, axis=0).max()", "np.abs(R).sum(axis=1).max()"),
            ("np.linalg.norm(A, axis=0).mean()", "np.linalg.norm(R, axis=1).max()"),
            ("np.linalg.norm(A)", "np.linalg.norm(R)"),
            ("np.linalg.norm(A, 2)", "np.linalg.norm(R, 2)"),
            ("(A**2).sum(axis=0).max()", "np.linalg.norm(R, axis=1).max()"),
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
