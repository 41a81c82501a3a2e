"""Wrong answers to the blanks of lesson 2, which their checks turn away."""

WRONG = {
    "fits": [
        f"def fits(dataset, queries, answers, error):\n    return {told}"
        for told in (
            "(queries @ dataset - answers).max() <= error",  # too small is fine
            "abs(queries @ dataset - answers).mean() <= error",
            "abs(queries @ dataset - answers).min() <= error",
            "abs(queries @ dataset - answers).max() < error",
            "(queries @ dataset == answers).all()",
        )
    ],
    "contrary": [
        f"def contrary(q, bits, error):\n    return q @ bits + {moved}"
        for moved in (
            "error * np.sign((q - 1 / 2) @ (2 * bits - 1))",  # to the true bits
            "error * np.sign(q @ (1 - 2 * bits))",  # as if a 0 in the question said nothing
            "error * ((q - 1 / 2) @ (1 - 2 * bits))",  # by more than the error
            "error",
            "error * (-1.0) ** q[0]",  # by the first person alone
        )
    ],
}
