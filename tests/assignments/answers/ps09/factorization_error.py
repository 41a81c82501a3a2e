"""Answers to `factorization_error`. The mistakes: norms, means, rates, and when a table pays."""

from tests.assignments.edits import read_answers

RIGHT = {
    "norms of rows and columns": """
def factorization_error(recovery, strategy, norm):
    R, A = np.array(recovery, dtype=float), np.array(strategy, dtype=float)
    size = np.linalg.norm(A, ord=norm, axis=0).max()
    rows = np.linalg.norm(R, axis=1)
    return size * rows.max(), size * np.sqrt(np.mean(rows**2))


def least_people(target, k, cells, epsilon, error, privacy):
    top = np.log(cells) if privacy == "pure" else np.sqrt(np.log(cells))
    power = 2
    if error == "largest":
        top = top * np.log(k)
        power = 3 if privacy == "pure" else 2
    table = top / (epsilon * target**power)
    own = (k if privacy == "pure" else np.sqrt(k)) / (epsilon * target)
    return min(table, own)
""",
    "sums in loops": """
def factorization_error(recovery, strategy, norm):
    size = 0
    for column in zip(*strategy):
        moved = sum(abs(float(number)) ** norm for number in column) ** (1 / norm)
        size = max(size, moved)
    variances = [size**2 * sum(float(number) ** 2 for number in row) for row in recovery]
    return [math.sqrt(max(variances)), math.sqrt(math.fsum(variances) / len(variances))]


def least_people(target, k, cells, epsilon, error, privacy):
    log_n, log_k, a = math.log(cells), math.log(k), 1 / target
    needed = {
        ("root mean", "pure"): (log_n * a**2, k * a),
        ("root mean", "approximate"): (log_n**0.5 * a**2, k**0.5 * a),
        ("largest", "pure"): (log_n * log_k * a**3, k * a),
        ("largest", "approximate"): (log_n**0.5 * log_k * a**2, k**0.5 * a),
    }
    return min(needed[error, privacy]) / epsilon
""",
    "the noise's covariance, and bisection": """
def factorization_error(recovery, strategy, norm):
    R, A = np.asarray(recovery) * 1.0, np.asarray(strategy) * 1.0
    moved = np.abs(A).sum(axis=0) ** 2 if norm == 1 else np.diag(A.T @ A)
    variances = moved.max() * np.einsum("jp,jp->j", R, R)
    return np.sqrt(np.array([variances.max(), variances.mean()]))


def least_people(target, k, cells, epsilon, error, privacy):
    def rate(n):
        share = math.log(cells) ** (1 if privacy == "pure" else 0.5) / (epsilon * n)
        power = 0.5
        if error == "largest":
            share *= math.log(k)
            power = 1 / 3 if privacy == "pure" else 0.5
        own = (k if privacy == "pure" else math.sqrt(k)) / (epsilon * n)
        return min(share**power, own)

    low, high = 1e-6, 1e24
    for _ in range(200):
        middle = math.sqrt(low * high)
        low, high = (low, middle) if rate(middle) <= target else (middle, high)
    return high
""",
}

EDITS = """
== factorization_error_norms
* L2 for both noises | should be 21, it is 15
~ ord=norm => ord=2
* L1 for both noises | should be 15, it is 21
~ ord=norm => ord=1
* norms of the rows of A | The largest column of A
~ ord=norm, axis=0 => ord=norm, axis=1
* a norm of the whole matrix | The largest column of A
~ np.linalg.norm(A, ord=norm, axis=0).max() => np.linalg.norm(A, ord=norm)
* the norm of the noise for the rows, too | should be 21, it is 35
~ np.linalg.norm(R, axis=1) => np.linalg.norm(R, ord=norm, axis=1)
* columns of R | The largest column of A
~ norm(R, axis=1) => norm(R, axis=0)
* weights that cancel | The largest column of A
~ np.linalg.norm(R, axis=1) => np.abs(R.sum(axis=1))
* the sensitivity of the answers | The largest column of A
~ norm(A, ord => norm(R @ A, ord
* the first column | The largest column of A
~ ord=norm, axis=0).max() => ord=norm, axis=0)[0]
* one person replaced | The largest column of A
~ axis=0).max() => axis=0).max() * 2
* a variance | The largest column of A
~ size * rows.max() => (size * rows.max()) ** 2
* the deviation of Laplace noise of scale 1 | The largest column of A
~ return size * rows.max() => return (1.4142135623730951 if norm == 1 else 1) * size * rows.max()
* the root mean square alone | should be an array of shape (2,)
~ return size * rows.max(), => return
* not more than 250 measurements | The largest column of A
~ norm(A, ord => norm(A[:250], ord
* measurements that are alike count once | The largest column of A
~ norm(A, ord => norm(np.unique(A, axis=0), ord
* all answers but the last | The largest column of A
~ rows.max() => rows[: max(1, len(rows) - 1)].max()
* squares of short whole numbers overflow | make floats of them first
-    R, A = np.array(recovery, dtype=float), np.array(strategy, dtype=float)
+    R, A = np.array(recovery), np.array(strategy, dtype=float)
~ np.linalg.norm(R, axis=1) => np.sqrt(np.square(R).sum(axis=1))

== factorization_error_families
* the mean of the errors | Square each answer's error
~ np.sqrt(np.mean(rows**2)) => np.mean(rows)
* the largest error twice | Square each answer's error
~ np.sqrt(np.mean(rows**2)) => rows.max()
* the mean square without its root | Square each answer's error
~ np.sqrt(np.mean(rows**2)) => np.mean(rows**2)
* the sum of squares | Square each answer's error
~ np.mean(rows**2) => np.sum(rows**2)
* the mean over all entries | Square each answer's error
~ np.mean(rows**2) => np.mean(R**2)
* the mean over the measurements | Square each answer's error
~ np.mean(rows**2) => np.sum(rows**2) / R.shape[1]
* one answer less to divide by | Square each answer's error
~ np.mean(rows**2) => (np.sum(rows**2) / max(1, len(rows) - 1))
* answers that are 0 don't count | Square each answer's error
~ np.mean(rows**2) => (np.sum(rows**2) / max(1, np.count_nonzero(rows)))
* answers that are alike count once | Square each answer's error
~ np.mean(rows**2) => np.mean(np.unique(rows) ** 2)
* the median | Square each answer's error
~ np.mean(rows**2) => np.median(rows**2)
* the sensitivity in the mean, too | Square each answer's error
~ size * np.sqrt(np.mean => np.mean(np.linalg.norm(A, ord=norm, axis=0)) * np.sqrt(np.mean
* dplab's own | is off limits in an answer
+from dplab import queries
+
+
+def factorization_error(recovery, strategy, norm):
+    factors = queries.Factorization(np.array(recovery), np.array(strategy))
+    return factors.largest_error(norm=norm), factors.root_mean_error(norm=norm)

== factorization_error_people
* epsilon forgotten | Which n makes the rate
~ top / (epsilon * target**power) => top / target**power
* a square root for the third root | should be 1.149e+05, it is 1.149e+04
~ 3 if privacy == "pure" else 2 => 2
* a third root for both | Which n makes the rate
~ 3 if privacy == "pure" else 2 => 3
* a third root for the mean | Which n makes the rate
~ power = 2 => power = 3 if privacy == "pure" else 2
* the logarithm to base 2 | Which n makes the rate
~ np.log(cells) if => np.log2(cells) if
* pure for approximate | Which n makes the rate
~ else np.sqrt(np.log(cells)) => else np.log(cells)
* approximate for pure | Which n makes the rate
~ np.log(cells) if privacy => np.log(cells) ** 0.5 if privacy
* the number of questions in the mean | Which n makes the rate
~ if error == "largest" => if error
* no number of questions | Which n makes the rate
~ top * np.log(k) => top
* cells for questions | Which n makes the rate
~ top * np.log(k) => top * np.log(cells)
* the root of ln k as well | Which n makes the rate
~ top * np.log(k) => top * np.log(k) ** (1 if privacy == "pure" else 0.5)
* the rate and not the people | Which n makes the rate
~ target**power) => target ** (1 / power))
* rounded up to whole people | Which n makes the rate
~ return min(table, own) => return math.ceil(min(table, own))
* noise on each answer alone | Which n makes the rate
~ min(table, own) => own
* the larger of the two | Which n makes the rate
~ min(table, own) => max(table, own)
* the logarithm of at most 10^9 questions | Which n makes the rate
~ np.log(k) => np.log(min(k, 10**9))
* epsilon of at most 40 | as a multiple of what is right
~ table = top / (epsilon => table = top / (min(epsilon, 40)
* at least one person | as a multiple of what is right
~ min(table, own) => max(1.0, min(table, own))

== factorization_error_few
* always the table | should be 800, it is
~ min(table, own) => table
* sums over the budget's square root for pure privacy, too | should be 800, it is 400
~ own = (k if privacy == "pure" else np.sqrt(k)) => own = np.sqrt(k)
* a k-th of epsilon for approximate privacy, too | should be 400, it is 800
~ own = (k if privacy == "pure" else np.sqrt(k)) => own = k
* epsilon forgotten for independent noise | should be 800, it is 400
~ np.sqrt(k)) / (epsilon * target) => np.sqrt(k)) / target
* the target's square | With few questions
~ np.sqrt(k)) / (epsilon * target) => np.sqrt(k)) / (epsilon * target**2)
* few means fewer than ten | as a multiple of what is right
~ min(table, own) => own if k < 10 else table
* few means fewer than the logarithm of the cells | With few questions
~ min(table, own) => own if k < np.log(cells) else table
* few for the mean is few for the largest | as a multiple of what is right
~ min(table, own) => own if k * target < np.log(cells) else table
* the largest error of independent noise has a logarithm | should be 800, it is
~ min(table, own) => min(table, own * (np.log(k) if error == "largest" else 1))
"""

ANSWERS = read_answers(__file__, RIGHT, EDITS)
