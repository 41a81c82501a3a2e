"""Wrong answers to the blanks of lesson 18, which their checks turn away."""

WRONG = {
    "noise_for": [
        f"def noise_for(steps, rho):\n    return {body}"
        for body in (
            "np.sqrt(steps / (2 * rho))",
            "2 * steps / rho",
            "steps * np.sqrt(2 / rho)",
            "np.sqrt(2 / (steps * rho))",
            "np.sqrt(2 * rho / steps)",
        )
    ],
    "clip": [
        "def clip(gradients, bound):\n    return np.clip(gradients, -bound, bound)",
        """
def clip(gradients, bound):
    return gradients * min(1, bound / np.linalg.norm(gradients))
""",
        """
def clip(gradients, bound):
    lengths = np.linalg.norm(gradients, axis=1, keepdims=True)
    return gradients * bound / np.maximum(lengths, 1e-12)
""",
        """
def clip(gradients, bound):
    lengths = np.linalg.norm(gradients, axis=0, keepdims=True)
    return gradients * (bound / np.maximum(lengths, bound))
""",
        """
def clip(gradients, bound):
    lengths = np.abs(gradients).sum(axis=1, keepdims=True)
    return gradients * (bound / np.maximum(lengths, bound))
""",
    ],
}
