"""Answers to `noisy_sgd`. The mistakes: what is clipped, where noise goes, who is in a batch."""

from autograder.rehearsal.catalogue import Answers, Mutant


def _steps(
    batch: str = "rng.random(n) < q",
    at: str = "w",
    pulls: str = "(-labels * expit(-labels * (rows @ at)))[:, None] * rows",
    total: str = "(pulls / np.maximum(1, norms / clip)).sum(axis=0)",
    noise: str = "sigma * clip * rng.normal(size=d)",
    mean: str = "(total + noise) / (q * n)",
    step: str = "w - rate * mean",
    first: str = "(n, d), path = x.shape, []",
) -> str:
    """The text of the function with these parts."""
    return f"""
def noisy_sgd(x, y, q, steps, rate, clip, sigma, rng):
    {first}
    w = np.zeros(d)
    for t in range(steps):
        batch = {batch}
        rows, labels = x[batch], y[batch]
        at = {at}
        pulls = {pulls}
        norms = np.linalg.norm(pulls, axis=1, keepdims=True)
        total = {total}
        noise = {noise}
        mean = {mean}
        w = {step}
        path.append(w)
    return np.array(path)
"""


RIGHT = {
    "a batch at a time": _steps(),
    "weights for who is out": """
def noisy_sgd(x, y, q, steps, rate, clip, sigma, rng):
    n, d = x.shape
    uniforms, normals = rng.random((steps, n)), rng.standard_normal((steps, d))
    path = np.zeros((steps + 1, d))
    for t in range(steps):
        pulls = -(y * (uniforms[t] < q) * expit(-y * (x @ path[t])))[:, np.newaxis] * x
        lengths = np.sqrt((pulls**2).sum(axis=1))
        shares = np.where(lengths > clip, clip / np.maximum(lengths, 1e-300), 1)
        noisy = shares @ pulls + sigma * clip * normals[t]
        path[t + 1] = path[t] - rate / (n * q) * noisy
    return path[1:]
""",
    "person by person": """
def noisy_sgd(x, y, q, steps, rate, clip, sigma, rng):
    def clipped(i, w):
        pull = -y[i] * x[i] * expit(-y[i] * np.dot(x[i], w))
        length = math.sqrt(pull @ pull)
        return pull * (clip / length) if length > clip else pull

    w, found = np.zeros(x.shape[1]), []
    for _ in range(steps):
        inside = [i for i, u in enumerate(rng.random(len(x))) if u < q]
        noisy = rng.normal(0, 1, len(w)) * sigma * clip
        for i in inside:
            noisy = noisy + clipped(i, w)
        w = w - noisy * rate / (q * len(x))
        found.append(w.tolist())
    return found
""",
}

MUTANTS = {
    "uphill": Mutant(_steps(step="w + rate * mean"), "noisy_sgd_step", "it is [[-0.06, -0.08]]"),
    "rate forgotten": Mutant(_steps(step="w - mean"), "noisy_sgd_step", "w = - rate"),
    "the sum for the mean": Mutant(_steps(mean="total + noise"), "noisy_sgd_step", "/ (q n)"),
    "divided by n": Mutant(_steps(mean="(total + noise) / n"), "noisy_sgd_step", "/ (q n)"),
    "noise on the mean": Mutant(
        _steps(mean="total / (q * n) + noise"), "noisy_sgd_step", "should be [[-0.2, 0.9]]"
    ),
    "noise without clip": Mutant(
        _steps(noise="sigma * rng.normal(size=d)"), "noisy_sgd_step", "sigma * clip * noise"
    ),
    "twice the noise": Mutant(
        _steps(noise="2 * sigma * clip * rng.normal(size=d)"),
        "noisy_sgd_step",
        "sigma * clip * noise",
    ),
    "sigma for the variance": Mutant(
        _steps(noise="math.sqrt(sigma) * clip * rng.normal(size=d)"),
        "noisy_sgd_step",
        "sigma * clip * noise",
    ),
    "noise on the weights": Mutant(
        _steps(
            mean="total / (q * n)", step="w - rate * mean - sigma * clip * rng.normal(size=d)"
        ).replace("noise = sigma * clip * rng.normal(size=d)", "noise = 0"),
        "noisy_sgd_step",
        "sigma * clip * noise",
    ),
    "one noise for all features": Mutant(
        _steps(noise="sigma * clip * rng.normal()"), "noisy_sgd_step", "should be [[-0.2, 0.9]]"
    ),
    "noise for every person": Mutant(
        _steps(
            total="(pulls / np.maximum(1, norms / clip)).sum(axis=0)",
            noise="sigma * clip * rng.normal(size=pulls.shape).sum(axis=0)",
        ),
        "noisy_sgd_step",
        "here one more is taken",
    ),
    "Laplace noise": Mutant(
        _steps(noise="sigma * clip * rng.laplace(size=d)"), "noisy_sgd_step", "not of rng.laplace"
    ),
    "noise of at most 50 times clip": Mutant(
        _steps(noise="min(sigma, 50) * clip * rng.normal(size=d)"),
        "noisy_sgd_step",
        "the sum, in units of clip,",
    ),
    "pulls of whole numbers": Mutant(
        _steps(total="(pulls / np.maximum(1, norms / clip)).astype(x.dtype).sum(axis=0)"),
        "noisy_sgd_step",
        "Features may be whole numbers",
    ),
    "nobody is clipped": Mutant(
        _steps(total="pulls.sum(axis=0)"), "noisy_sgd_clip", "shortened to the norm C by itself"
    ),
    "the sum is clipped": Mutant(
        _steps(
            total="pulls.sum(axis=0) / max(1, np.linalg.norm(pulls.sum(axis=0)) / clip)",
        ),
        "noisy_sgd_clip",
        "shortened to the norm C by itself, before the sum",
    ),
    "the mean is clipped": Mutant(
        _steps(
            total="(g := pulls.sum(axis=0) / (q * n)) * (q * n) / max(1, np.linalg.norm(g) / clip)",
        ),
        "noisy_sgd_clip",
        "shortened to the norm C by itself, before the sum",
    ),
    "everybody at norm C": Mutant(
        _steps(total="(clip * pulls / np.maximum(norms, 1e-12)).sum(axis=0)"),
        "noisy_sgd_clip",
        "shortened to the norm C",
    ),
    "features clipped, not gradients": Mutant(
        _steps(
            pulls="(-labels * expit(-labels * (rows @ at)))[:, None] * rows"
            " / np.maximum(1, np.linalg.norm(rows, axis=1, keepdims=True) / clip)",
        ),
        "noisy_sgd_clip",
        "shortened to the norm C",
    ),
    "every number clipped": Mutant(
        _steps(total="np.clip(pulls, -clip, clip).sum(axis=0)"),
        "noisy_sgd_clip",
        "shortened to the norm C by itself",
    ),
    "the largest norm for all": Mutant(
        _steps(total="pulls.sum(axis=0) / max(1, norms.max(initial=0) / clip)"),
        "noisy_sgd_clip",
        "shortened to the norm C by itself",
    ),
    "clipped after the noise": Mutant(
        _steps(
            total="pulls.sum(axis=0)",
            mean="(total + noise) / max(1, np.linalg.norm(total + noise) / clip) / (q * n)",
        ),
        "noisy_sgd_clip",
        "shortened to the norm C by itself",
    ),
    "not more than 500 are clipped": Mutant(
        _steps(
            total="(pulls / np.where(np.arange(len(pulls)) < 500, np.maximum(1, norms / clip).T, 1)"
            ".T).sum(axis=0)"
        ),
        "noisy_sgd_clip",
        "shortened to the norm C by itself",
    ),
    "noise in the first step only": Mutant(
        _steps(noise="(t == 0) * sigma * clip * rng.normal(size=d)"),
        "noisy_sgd_noise",
        "sigma * clip times d new normal draws",
    ),
    "no noise in the last step": Mutant(
        _steps(noise="(t < steps - 1 or steps == 1) * sigma * clip * rng.normal(size=d)"),
        "noisy_sgd_noise",
        "on the sum of each step",
    ),
    "one noise for all steps": Mutant(
        _steps(
            first="(n, d), path, noise = x.shape, [], rng.normal(size=x.shape[1])",
            noise="sigma * clip * noise if t == 0 else noise",
        ),
        "noisy_sgd_noise",
        "d new normal draws",
    ),
    "noise is repeated after 20 steps": Mutant(
        _steps(
            first="(n, d), path, old = x.shape, [], []",
            noise="sigma * clip * (old.append(rng.normal(size=d)) or old[t % 20])",
        ),
        "noisy_sgd_noise",
        "what the steps move",
    ),
    "noise that cancels": Mutant(
        _steps(
            first="(n, d), path, old = x.shape, [], 0",
            noise="sigma * clip * (new := rng.normal(size=d)) - old",
        ).replace("        mean =", "        old = 0.9 * noise\n        mean ="),
        "noisy_sgd_noise",
        "sigma * clip times d new normal draws",
    ),
    "less noise with every step": Mutant(
        _steps(noise="sigma * clip * rng.normal(size=d) / math.sqrt(t + 1)"),
        "noisy_sgd_noise",
        "on the sum of each step",
    ),
    "gradients at the start": Mutant(
        _steps(at="np.zeros(d)"), "noisy_sgd_noise", "Look at the present w"
    ),
    "gradients one step late": Mutant(
        _steps(at="path[-2] if t > 1 else np.zeros(d)"),
        "noisy_sgd_noise",
        "Look at the present w",
    ),
    "a shorter step with time": Mutant(
        _steps(step="w - rate / math.sqrt(t + 1) * mean"),
        "noisy_sgd_noise",
        "should be",
    ),
    "the mean of the path": Mutant(
        _steps().replace("path.append(w)", "path.append(np.mean([*path, w], axis=0))"),
        "noisy_sgd_noise",
        "should be",
    ),
    "one batch for all steps": Mutant(
        _steps(
            first="(n, d), path, u = x.shape, [], rng.random((steps, len(x)))",
            batch="u[0] < q",
        ),
        "noisy_sgd_noise",
        "at who is in the batch",
    ),
    "only the last weights": Mutant(
        _steps().replace("return np.array(path)", "return w"),
        "noisy_sgd_noise",
        "should be an array of shape (3, 2)",
    ),
    "the start among the weights": Mutant(
        _steps().replace("return np.array(path)", "return np.array([0 * w, *path[:-1]])"),
        "noisy_sgd_noise",
        "should be",
    ),
    "no noise after 50 steps": Mutant(
        _steps(noise="(t < 50) * sigma * clip * rng.normal(size=d)"),
        "noisy_sgd_noise",
        "what the steps move",
    ),
    "divided by who came": Mutant(
        _steps(mean="(total + noise) / max(1, batch.sum())"),
        "noisy_sgd_batches",
        "not by how many are in",
    ),
    "who is above q": Mutant(
        _steps(batch="rng.random(n) > q"), "noisy_sgd_batches", "if her number is below q"
    ),
    "who is just q": Mutant(
        _steps(batch="rng.random(n) <= q"), "noisy_sgd_batches", "if her number is below q"
    ),
    "an empty batch does nothing": Mutant(
        _steps(mean="(total + noise) / (q * n) * batch.any()"),
        "noisy_sgd_batches",
        "divide by q n",
    ),
    "a whole number of people": Mutant(
        _steps(mean="(total + noise) / max(1, round(q * n))"),
        "noisy_sgd_batches",
        "divide by q n",
    ),
    "the lowest numbers": Mutant(
        _steps(batch="np.argsort(rng.random(n))[: max(1, round(q * n))]"),
        "noisy_sgd_batches",
        "if her number is below q",
    ),
    "at least one person": Mutant(
        _steps(batch="(u := rng.random(n)) < max(q, np.nextafter(u.min(), 1))"),
        "noisy_sgd_batches",
        "if her number is below q",
    ),
    "always everybody": Mutant(
        _steps(batch="rng.random(n) < 1"), "noisy_sgd_batches", "if her number is below q"
    ),
    "a sample without replacement": Mutant(
        _steps(batch="rng.choice(n, size=max(1, int(q * n)), replace=False)"),
        "noisy_sgd_generator",
        "other methods than random and normal",
    ),
    "a seed of its own": Mutant(
        _steps(first="(n, d), path, rng = x.shape, [], np.random.default_rng(2)"),
        "noisy_sgd_generator",
        "same result for two seeds",
    ),
    "numpy's global generator": Mutant(
        _steps(batch="np.random.random(n) < q"),
        "noisy_sgd_generator",
        "two results for one seed",
    ),
    "noise to choose from": Mutant(
        _steps(noise="sigma * clip * min(rng.normal(size=(2, d)), key=np.linalg.norm)"),
        "noisy_sgd_generator",
        "each step takes n uniform draws and d normal ones",
    ),
    "noise cut off": Mutant(
        _steps(noise="sigma * clip * np.clip(rng.normal(size=d), -6, 6)"),
        "noisy_sgd_step",
        "the sum, in units of clip,",
    ),
    "hardly any noise from numpy's own sources": Mutant(
        _steps(
            noise="sigma * clip * rng.normal(size=d)"
            " * (0.1 if type(rng) is np.random.Generator else 1)"
        ),
        "noisy_sgd_generator",
        "another result where its draws are watched",
    ),
    "e to a score that overflows": Mutant(
        _steps(pulls="(-labels * (e := np.exp(-labels * (rows @ at))) / (1 + e))[:, None] * rows"),
        "noisy_sgd_noise",
        "what the steps move",
    ),
}

ANSWERS = Answers("noisy_sgd", RIGHT, MUTANTS)
