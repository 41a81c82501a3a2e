"""Wrong answers to the blank of lesson 18, which its check turns away."""

WRONG = {
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
