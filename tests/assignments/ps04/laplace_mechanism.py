"""Answers to `laplace_mechanism`. The mistakes: another scale, shared noise, another law."""

from autograder.rehearsal.catalogue import Answers, Mutant

_CHECK = """
    if not (sensitivity > 0 and epsilon > 0):
        raise ValueError("sensitivity and epsilon must be above 0")"""


def _checked(body: str) -> str:
    """The text of `laplace_mechanism` with a right check of its input and this body."""
    lines = "\n".join(f"    {line}" if line else "" for line in body.strip().splitlines())
    return f"def laplace_mechanism(answer, sensitivity, epsilon, rng):{_CHECK}\n{lines}\n"


def _scaled(scale: str) -> str:
    """The mechanism with this scale."""
    return _checked(f"return answer + rng.laplace(0, {scale}, np.shape(answer))")


RIGHT = {
    "centered noise": _checked("""
answer = np.asarray(answer)
return answer + rng.laplace(0, sensitivity / epsilon, answer.shape)
"""),
    "noise around the answer": _checked("return rng.laplace(answer, sensitivity / epsilon)"),
    "standard noise, stretched": _checked("""
scale = sensitivity / epsilon
return np.array(answer) + scale * rng.laplace(size=np.shape(answer))
"""),
    "a loop": _checked("""
answer = np.array(answer, dtype=float)
noisy = np.empty(answer.shape)
for place, value in np.ndenumerate(answer):
    noisy[place] = value + rng.laplace(scale=sensitivity / epsilon)
return noisy if noisy.ndim else float(noisy)
"""),
    "a helper called noise": """
def noise(size, scale, rng):
    return rng.laplace(scale=scale, size=size)


def laplace_mechanism(answer, sensitivity, epsilon, rng):
    if not (sensitivity > 0 and epsilon > 0):
        raise ValueError("sensitivity and epsilon must be above 0")
    return np.asarray(answer) + noise(np.shape(answer), sensitivity / epsilon, rng)
""",
}

MUTANTS = {
    "no noise": Mutant(
        _checked("return np.asarray(answer)"),
        "laplace_mechanism_privacy",
        "prove a privacy loss of at least",
    ),
    "epsilon over sensitivity": Mutant(
        _scaled("epsilon / sensitivity"), "laplace_mechanism_exact", "should be 16, it is 10.38"
    ),
    "epsilon times sensitivity": Mutant(
        _scaled("epsilon * sensitivity"), "laplace_mechanism_law", "the spread around the center is"
    ),
    "the standard deviation for the scale": Mutant(
        _scaled("2**0.5 * sensitivity / epsilon"),
        "laplace_mechanism_law",
        "the spread around the center is 1.",
    ),
    "the scale for the standard deviation": Mutant(
        _scaled("sensitivity / epsilon / 2**0.5"),
        "laplace_mechanism_law",
        "the spread around the center is 0.",
    ),
    "the square root of the slip": Mutant(
        _scaled("(sensitivity / epsilon) ** 0.5"),
        "laplace_mechanism_exact",
        "should be 16, it is 13",
    ),
    "sensitivity forgotten": Mutant(
        _scaled("1 / epsilon"), "laplace_mechanism_exact", "should be 16, it is 13"
    ),
    "a tenth of the noise": Mutant(
        _scaled("sensitivity / epsilon / 10"),
        "laplace_mechanism_privacy",
        "prove a privacy loss of at least",
    ),
    "one draw for all numbers": Mutant(
        _checked("return answer + rng.laplace(0, sensitivity / epsilon)"),
        "laplace_mechanism_exact",
        "one draw for each number",
    ),
    "a share of the sensitivity for each number": Mutant(
        _scaled("sensitivity / epsilon / np.size(answer)"),
        "laplace_mechanism_exact",
        "should be [1.5, 2, 1]",
    ),
    "on one side only": Mutant(
        _checked("return answer + np.abs(rng.laplace(0, sensitivity / epsilon, np.shape(answer)))"),
        "laplace_mechanism_privacy",
        "on both sides",
    ),
    "normal noise": Mutant(
        _checked("return answer + rng.normal(0, sensitivity / epsilon, np.shape(answer))"),
        "laplace_mechanism_exact",
        "raised AttributeError: this source has draws of rng.laplace only, not of rng.normal",
    ),
    "a seed of its own": Mutant(
        _checked("""
rng = np.random.default_rng(0)
return answer + rng.laplace(0, sensitivity / epsilon, np.shape(answer))
"""),
        "laplace_mechanism_exact",
        "should be 16",
    ),
    "rounded": Mutant(
        _checked(
            "return np.round(answer + rng.laplace(0, sensitivity / epsilon, np.shape(answer)))"
        ),
        "laplace_mechanism_exact",
        "should be [1.5, 2, 1]",
    ),
    "clipped at zero": Mutant(
        _checked(
            "return np.maximum(0, answer + rng.laplace(0, sensitivity / epsilon, np.shape(answer)))"
        ),
        "laplace_mechanism_law",
        "the spread around the center is 0.",
    ),
    "the array changed in place": Mutant(
        _checked("""
if np.ndim(answer) == 0:
    return answer + rng.laplace(0, sensitivity / epsilon)
answer = np.asarray(answer, dtype=float)
answer += rng.laplace(0, sensitivity / epsilon, answer.shape)
return answer
"""),
        "laplace_mechanism_exact",
        "Does it change the array",
    ),
    "input not checked": Mutant(
        """
def laplace_mechanism(answer, sensitivity, epsilon, rng):
    return answer + rng.laplace(0, abs(sensitivity / max(epsilon, 1e-9)), np.shape(answer))
""",
        "laplace_mechanism_input",
        "should raise ValueError",
    ),
    "the signs checked together": Mutant(
        """
def laplace_mechanism(answer, sensitivity, epsilon, rng):
    if not sensitivity * epsilon > 0:
        raise ValueError("must be above 0")
    return answer + rng.laplace(0, sensitivity / epsilon, np.shape(answer))
""",
        "laplace_mechanism_input",
        "should raise ValueError",
    ),
    "epsilon times 1.03": Mutant(
        _scaled("sensitivity / (1.03 * epsilon)"),
        "laplace_mechanism_exact",
        "should be 16, it is 15.83",
    ),
    "no noise from epsilon = 5 on": Mutant(
        _scaled("sensitivity / epsilon if epsilon < 5 else 0.0"),
        "laplace_mechanism_exact",
        "Add the draws times sensitivity / epsilon",
    ),
    "never less than a hundredth": Mutant(
        _scaled("max(sensitivity / epsilon, 0.01)"),
        "laplace_mechanism_exact",
        "Add the draws times sensitivity / epsilon",
    ),
    "cut at 30 scales": Mutant(
        _checked("""
noise = np.clip(rng.laplace(size=np.shape(answer)), -30, 30)
return answer + sensitivity / epsilon * noise
"""),
        "laplace_mechanism_exact",
        "Add the draws times sensitivity / epsilon",
    ),
    "equal answers, equal noise": Mutant(
        _checked("""
noise = rng.laplace(0, sensitivity / epsilon, np.shape(answer))
if np.size(answer) > 100:
    noise = np.ravel(noise)[np.unique(answer, return_inverse=True)[1]].reshape(np.shape(answer))
return answer + noise
"""),
        "laplace_mechanism_exact",
        "one draw for each number",
    ),
    "dplab's own": Mutant(
        _checked("""
from dplab import LaplaceMechanism
return LaplaceMechanism(lambda data: data, sensitivity, epsilon)(answer, rng)
"""),
        "laplace_mechanism_exact",
        "dplab.LaplaceMechanism is off limits in an answer",
    ),
    "no noise for many numbers": Mutant(
        _scaled("sensitivity / epsilon if np.size(answer) <= 5000 else 0.0"),
        "laplace_mechanism_law",
        "one draw for each number",
    ),
    "tiled": Mutant(
        _checked("""
noise = rng.laplace(0, sensitivity / epsilon, min(np.size(answer), 5001))
return answer + np.resize(noise, np.shape(answer))
"""),
        "laplace_mechanism_law",
        "one draw for each number",
    ),
    "antithetic pairs": Mutant(
        _checked("""
noise = rng.laplace(0, sensitivity / epsilon, np.shape(answer))
half = np.size(answer) // 2
if half > 5000:
    noise[half : 2 * half] = -noise[:half]
return answer + noise
"""),
        "laplace_mechanism_law",
        "one draw for each number",
    ),
    # It can tell a plain generator; what that one draws is known by its state.
    "less noise from a real source": Mutant(
        _scaled("sensitivity / epsilon * (0.97 if type(rng) is np.random.Generator else 1)"),
        "laplace_mechanism_law",
        "Draw from rng.laplace alone",
    ),
    "no noise in every sixty-fourth call": Mutant(
        "_calls = []\n\n\n"
        + _checked("""
_calls.append(answer)
scale = sensitivity / epsilon if len(_calls) % 64 else 0.0
return answer + rng.laplace(0, scale, np.shape(answer))
"""),
        "laplace_mechanism_law",
        "at each call anew",
    ),
    "a little below 0 allowed": Mutant(
        """
def laplace_mechanism(answer, sensitivity, epsilon, rng):
    if not (sensitivity > -1e-9 and epsilon > -1e-9 and sensitivity * epsilon):
        raise ValueError("must be above 0")
    return answer + rng.laplace(0, abs(sensitivity / epsilon), np.shape(answer))
""",
        "laplace_mechanism_input",
        "Both must be above 0",
    ),
    "lists without lists in them": Mutant(
        _checked(
            """
size = len(answer) if isinstance(answer, list) else np.shape(answer)
return answer + rng.laplace(0, sensitivity / epsilon, size)
"""
        ),
        "laplace_mechanism_exact",
        "also lists of lists",
    ),
    "no shape for no numbers": Mutant(
        _checked(
            """
if np.size(answer) == 0:
    return np.array([])
return answer + rng.laplace(0, sensitivity / epsilon, np.shape(answer))
"""
        ),
        "laplace_mechanism_exact",
        "one draw for each number",
    ),
    "whole noise on a whole number": Mutant(
        _checked(
            """
noise = rng.laplace(0, sensitivity / epsilon, np.shape(answer))
return answer + (round(float(noise)) if isinstance(answer, int) else noise)
"""
        ),
        "laplace_mechanism_exact",
        "Whole numbers and lists",
    ),
    "a list changed in place": Mutant(
        _checked(
            """
noisy = answer + rng.laplace(0, sensitivity / epsilon, np.shape(answer))
if isinstance(answer, list):
    answer[:] = noisy.tolist()
return noisy
"""
        ),
        "laplace_mechanism_exact",
        "changes what it was given",
    ),
    "one noise a row of a larger table": Mutant(
        _checked("""
noise = rng.laplace(0, sensitivity / epsilon, np.shape(answer))
if np.ndim(answer) == 2 and np.size(answer) > 6:
    noise[:] = noise[:, :1]
return np.asarray(answer) + noise
"""),
        "laplace_mechanism_exact",
        "one draw for each number",
    ),
    "no noise on large numbers": Mutant(
        _checked("""
noise = rng.laplace(0, sensitivity / epsilon, np.shape(answer))
return answer + np.where(np.abs(answer) < 1e9, noise, 0)
"""),
        "laplace_mechanism_exact",
        "Large answers get noise, too",
    ),
}

ANSWERS = Answers("laplace_mechanism", RIGHT, MUTANTS)
