"""Wrong answers to the blank of lesson 26, which its check turns away."""

WRONG = {
    "bound_for": [
        f"def bound_for(rows, epsilon):\n    return {body}"
        for body in (
            "next(c for c in range(max(rows) + 1) if sum(r >= c for r in rows) <= 1 / epsilon)",
            "next(c for c in range(max(rows) + 1) if sum(r > c for r in rows) < 1 / epsilon)",
            "next(c for c in range(max(rows) + 1) if sum(r > c for r in rows) <= epsilon)",
            "next(c for c in range(1, max(rows) + 1) if sum(r > c for r in rows) <= 1 / epsilon)",
            "max(rows)",
            "sorted(rows)[len(rows) // 2]",
        )
    ]
}
