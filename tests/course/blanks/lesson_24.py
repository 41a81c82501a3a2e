"""Wrong answers to the blank of lesson 24, which its check turns away."""

WRONG = {
    "remember": [
        "def remember(z, a):\n"
        "    y = np.zeros(len(z))\n"
        "    for t in range(len(z)):\n"
        f"        taken_back = {expression}\n"
        "        y[t] = z[t] - taken_back\n"
        "    return y"
        for expression in (
            "sum(a[j] * z[t - j] for j in range(1, min(len(a), t + 1)))",
            "sum(a[j] * y[t - j] for j in range(1, min(len(a), t)))",
            "sum(a[j - 1] * y[t - j] for j in range(1, min(len(a), t + 1)))",
            "-sum(a[j] * y[t - j] for j in range(1, min(len(a), t + 1)))",
            "sum(a[j] * y[t - j] for j in range(1, t + 1))",
            "y[t - 1] / 2 if t else 0",
        )
    ]
}
