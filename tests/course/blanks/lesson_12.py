"""Wrong answers to the blank of lesson 12, which its check turns away."""

WRONG = {
    "bound_on_total": [
        f"def bound_on_total(epsilon, k, delta):\n    return {bound}"
        for bound in (
            "k * epsilon * np.tanh(epsilon / 2) + epsilon * np.sqrt(k * np.log(1 / delta))",
            "epsilon * np.tanh(epsilon / 2) + epsilon * np.sqrt(2 * k * np.log(1 / delta))",
            "k * epsilon * np.expm1(epsilon) + epsilon * np.sqrt(2 * k * np.log(1 / delta))",
            "k * epsilon**2 / 2 + epsilon * np.sqrt(2 * k * np.log(1 / delta))",
            "k * (epsilon * np.tanh(epsilon / 2) + epsilon * np.sqrt(2 * np.log(1 / delta)))",
            "k * epsilon * np.tanh(epsilon / 2) + epsilon * np.sqrt(2 * k * np.log(delta))",
        )
    ],
}
