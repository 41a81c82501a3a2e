"""Answers to `noisy_sgd`. The mistakes: what is clipped, where noise goes, who is in a batch."""

from tests.assignments.edits import read_answers

RIGHT = {
    "a batch at a time": """
def noisy_sgd(x, y, q, size, steps, rate, clip, sigma, rng):
    (n, d), path = x.shape, []
    w = np.zeros(d)
    for t in range(steps):
        batch = rng.random(n) < q
        rows, labels = x[batch], y[batch]
        at = w
        pulls = (-labels * expit(-labels * (rows @ at)))[:, None] * rows
        norms = np.linalg.norm(pulls, axis=1, keepdims=True)
        total = (pulls / np.maximum(1, norms / clip)).sum(axis=0)
        noise = sigma * clip * rng.normal(size=d)
        mean = (total + noise) / size
        w = w - rate * mean
        path.append(w)
    return np.array(path)
""",
    "weights for who is out": """
def noisy_sgd(x, y, q, size, steps, rate, clip, sigma, rng):
    n, d = x.shape
    uniforms, normals = rng.random((steps, n)), rng.standard_normal((steps, d))
    path = np.zeros((steps + 1, d))
    for t in range(steps):
        pulls = -(y * (uniforms[t] < q) * expit(-y * (x @ path[t])))[:, np.newaxis] * x
        lengths = np.sqrt((pulls**2).sum(axis=1))
        shares = np.where(lengths > clip, clip / np.maximum(lengths, 1e-300), 1)
        noisy = shares @ pulls + sigma * clip * normals[t]
        path[t + 1] = path[t] - rate / size * noisy
    return path[1:]
""",
    "person by person": """
def noisy_sgd(x, y, q, size, steps, rate, clip, sigma, rng):
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
        w = w - noisy * rate / size
        found.append(w.tolist())
    return found
""",
}

EDITS = """
== noisy_sgd_step
* uphill | it is [[-0.06, -0.08]]
~ w - rate => w + rate
* rate forgotten | w = - rate
~ rate * mean => mean
* the sum for the mean | / size
~ (total + noise) / size => total + noise
* divided by n | / size
~ noise) / size => noise) / n
* divided by q times size | / size
~ noise) / size => noise) / (q * size)
* noise on the mean | should be [[-0.2, 0.9]]
~ (total + noise) / size => total / size + noise
* noise without clip | sigma * clip * noise
~ sigma * clip => sigma
* twice the noise | sigma * clip * noise
~ noise = sigma => noise = 2 * sigma
* sigma for the variance | sigma * clip * noise
~ sigma * clip => math.sqrt(sigma) * clip
* noise on the weights | sigma * clip * noise
~ sigma * clip * rng.normal(size=d) => 0
~ (total + noise) => total
~ rate * mean => rate * mean - sigma * clip * rng.normal(size=d)
* one noise for all features | should be [[-0.2, 0.9]]
~ size=d =>
* noise for every person | here one more is taken
~ (size=d) => (size=pulls.shape).sum(axis=0)
* Laplace noise | not of rng.laplace
~ rng.normal => rng.laplace
* noise of at most 50 times clip | the sum, in units of clip,
~ sigma * clip => min(sigma, 50) * clip
* pulls of whole numbers | Features may be whole numbers
~ sum(axis=0) => astype(x.dtype).sum(axis=0)
* noise cut off | the sum, in units of clip,
~ rng.normal(size=d) => np.clip(rng.normal(size=d), -6, 6)

== noisy_sgd_clip
* nobody is clipped | shortened to the norm C by itself
~ (pulls / np.maximum(1, norms / clip)) => pulls
* the sum is clipped | shortened to the norm C by itself, before the sum
~ (pulls / np.maximum(1, norms / clip)) => pulls
~ (axis=0) => (axis=0) / max(1, np.linalg.norm(pulls.sum(axis=0)) / clip)
* the mean is clipped | shortened to the norm C by itself, before the sum
-        total = (pulls / np.maximum(1, norms / clip)).sum(axis=0)
+        total = (g := pulls.sum(axis=0) / size) * size / max(1, np.linalg.norm(g) / clip)
* everybody at norm C | shortened to the norm C
~ pulls / np.maximum(1, norms / clip) => clip * pulls / np.maximum(norms, 1e-12)
* features clipped, not gradients | shortened to the norm C
-        pulls = (-labels * expit(-labels * (rows @ at)))[:, None] * rows
+        pulls = (
+            (-labels * expit(-labels * (rows @ at)))[:, None]
+            * rows
+            / np.maximum(1, np.linalg.norm(rows, axis=1, keepdims=True) / clip)
+        )
* every number clipped | shortened to the norm C by itself
~ (pulls / np.maximum(1, norms / clip)) => np.clip(pulls, -clip, clip)
* the largest norm for all | shortened to the norm C by itself
~ (pulls / np.maximum(1, norms / clip)) => pulls
~ (axis=0) => (axis=0) / max(1, norms.max(initial=0) / clip)
* clipped after the noise | shortened to the norm C by itself
~ (pulls / np.maximum(1, norms / clip)) => pulls
~ noise) / size => noise) / max(1, np.linalg.norm(total + noise) / clip) / size
* not more than 500 are clipped | shortened to the norm C by itself
-        total = (pulls / np.maximum(1, norms / clip)).sum(axis=0)
+        total = (
+            pulls / np.where(np.arange(len(pulls)) < 500, np.maximum(1, norms / clip).T, 1).T
+        ).sum(axis=0)
* equal pulls count once | shortened to the norm C by itself
~ (pulls / np.maximum(1, norms / clip)) => np.unique(pulls / np.maximum(1, norms / clip), axis=0)

== noisy_sgd_noise
* noise in the first step only | sigma * clip times d new normal draws
~ noise = sigma => noise = (t == 0) * sigma
* no noise in the last step | on the sum of each step
~ noise = sigma => noise = (t < steps - 1 or steps == 1) * sigma
* one noise for all steps | d new normal draws
~ path = x.shape, [] => path, noise = x.shape, [], rng.normal(size=x.shape[1])
~ rng.normal(size=d) => noise if t == 0 else noise
* noise is repeated after 20 steps | what the steps move
~ path = x.shape, [] => path, old = x.shape, [], []
~ rng.normal(size=d) => (old.append(rng.normal(size=d)) or old[t % 20])
* noise that cancels | sigma * clip times d new normal draws
~ path = x.shape, [] => path, old = x.shape, [], 0
-        noise = sigma * clip * rng.normal(size=d)
+        noise = sigma * clip * (new := rng.normal(size=d)) - old
+        old = 0.9 * noise
* less noise with every step | on the sum of each step
~ (size=d) => (size=d) / math.sqrt(t + 1)
* gradients at the start | Look at the present w
~ at = w => at = np.zeros(d)
* gradients one step late | Look at the present w
~ at = w => at = path[-2] if t > 1 else np.zeros(d)
* a shorter step with time | should be
~ rate * mean => rate / math.sqrt(t + 1) * mean
* the mean of the path | should be
~ append(w) => append(np.mean([*path, w], axis=0))
* one batch for all steps | at who is in the batch
~ path = x.shape, [] => path, u = x.shape, [], rng.random((steps, len(x)))
~ rng.random(n) => u[0]
* only the last weights | should be an array of shape (3, 2)
~ np.array(path) => w
* the start among the weights | should be
~ array(path) => array([0 * w, *path[:-1]])
* no noise after 50 steps | what the steps move
~ noise = sigma => noise = (t < 50) * sigma
* e to a score that overflows | what the steps move
-        pulls = (-labels * expit(-labels * (rows @ at)))[:, None] * rows
+        pulls = (-labels * (e := np.exp(-labels * (rows @ at))) / (1 + e))[:, None] * rows

== noisy_sgd_batches
* divided by who came | not by how many there are
~ noise) / size => noise) / max(1, batch.sum())
* the expected batch, qn | n is a secret
~ noise) / size => noise) / max(q * n, 1e-9)
* noise by the size of the town | n is a secret
~ noise = sigma * clip => noise = q * n / size * sigma * clip
* the number of people is rounded in | divide by `size`
~ noise) / size => noise) / (size if n < 200 else round(size))
* nobody, no noise | n is a secret
~ noise = sigma => noise = (n > 0) * sigma
* who is above q | if her number is below q
~ (n) < q => (n) > q
* who is just q | if her number is below q
~ (n) < q => (n) <= q
* an empty batch does nothing | divide by `size`
~ noise) / size => noise) / size * batch.any()
* a whole number of people | divide by `size`
~ noise) / size => noise) / max(1, round(size))
* the lowest numbers | if her number is below q
~ rng.random(n) < q => np.argsort(rng.random(n))[: max(1, round(q * n))]
* at least one person | if her number is below q
~ = rng.random(n) < q => = (u := rng.random(n)) < max(q, np.nextafter(u.min(), 1))
* always everybody | if her number is below q
~ (n) < q => (n) < 1

== noisy_sgd_generator
* a sample without replacement | other methods than random and normal
~ random(n) < q => choice(n, size=min(n, int(q * n) + 1), replace=False)
* a seed of its own | same result for two seeds
~ path = x.shape, [] => path, rng = x.shape, [], np.random.default_rng(2)
* numpy's global generator | two results for one seed
~ rng.random => np.random.random
* noise to choose from | each step takes n uniform draws and d normal ones
~ rng.normal(size=d) => min(rng.normal(size=(2, d)), key=np.linalg.norm)
* hardly any noise from numpy's own sources | another result where its draws are watched
~ (size=d) => (size=d) * (0.1 if type(rng) is np.random.Generator else 1)
"""

ANSWERS = read_answers(__file__, RIGHT, EDITS)
