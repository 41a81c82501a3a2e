"""Answers to `noisy_statistics` and `line_with_errors`. The mistakes: clipping, places, errors."""

from tests.assignments.edits import read_answers

RIGHT = {
    "triangles by index": """
def noisy_statistics(x, y, rho, rng):
    x = np.array(x, dtype=float)
    y = np.array(y, dtype=float)
    n, d = x.shape
    norms = np.linalg.norm(x, axis=1, keepdims=True)
    x = x / np.maximum(1, norms)
    y = np.clip(y, -1, 1)
    sigma = 1 / np.sqrt(rho)
    upper = np.triu_indices(d)
    V = np.zeros((d, d))
    V[upper] = rng.normal(size=len(upper[0]))
    V = V + np.triu(V, 1).T
    u = rng.normal(size=d)
    return np.column_stack([x.T @ x + sigma * V, x.T @ y + sigma * u])


def line_with_errors(statistics, residual, rho):
    S = np.array(statistics, dtype=float)
    A, b = S[:, :-1], S[:, -1]
    inverse = np.linalg.inv(A)
    theta = inverse @ b
    N = np.outer(theta, theta)
    np.fill_diagonal(N, 1 + theta @ theta)
    sampling = residual * A
    covariance = inverse @ (sampling + N / rho) @ inverse
    return np.array([theta, np.sqrt(np.diag(covariance))])
""",
    "loops over places": """
def noisy_statistics(x, y, rho, rng):
    d = np.shape(x)[1]
    sums = np.zeros((d, d + 1))
    for row, value in zip(np.asarray(x).tolist(), np.asarray(y).tolist()):
        length = math.sqrt(sum(one * one for one in row))
        row = np.array(row) / max(1.0, length)
        sums += np.outer(row, [*row, min(1.0, max(-1.0, value))])
    for i in range(d):
        for j in range(i, d):
            noise = rng.normal(0, rho**-0.5)
            sums[i, j] += noise
            if i != j:
                sums[j, i] += noise
    for i in range(d):
        sums[i, d] += rng.normal(0, rho**-0.5)
    return sums


def line_with_errors(statistics, residual, rho):
    S = np.asarray(statistics, dtype=float)
    A, b, d = S[:, :-1], S[:, -1], len(S)
    theta = np.linalg.solve(A, b)
    found = []
    for i in range(d):
        row = np.linalg.solve(A, np.eye(d)[i])
        noise = (1 + theta @ theta) * (row @ row)
        noise += (row @ theta) ** 2 - (row**2) @ (theta**2)
        found.append(math.sqrt(residual * row[i] + noise / rho))
    return [theta, found]
""",
    "all draws at once": """
def noisy_statistics(x, y, rho, rng):
    x, y = np.asarray(x) * 1.0, np.asarray(y) * 1.0
    d = x.shape[1]
    draws = rng.standard_normal(d * (d + 1) // 2 + d) / math.sqrt(rho)
    lengths = np.sqrt(np.einsum("ij,ij->i", x, x))
    rows = np.where(lengths > 1, 1 / np.where(lengths > 0, lengths, 1), 1)[:, None] * x
    A = np.einsum("ij,ik->jk", rows, rows)
    start = 0
    for i in range(d):
        part = draws[start : start + d - i]
        A[i, i:] += part
        A[i + 1 :, i] += part[1:]
        start += d - i
    b = (np.minimum(np.maximum(y, -1), 1)[:, None] * rows).sum(axis=0) + draws[start:]
    return np.hstack([A, b[:, None]])


def line_with_errors(statistics, residual, rho):
    S = np.array(statistics, dtype=float)
    A, b = S[:, :-1], S[:, -1]
    theta = np.linalg.solve(A, b)
    N = np.eye(len(b)) * (1 + np.sum(theta**2)) + np.outer(theta, theta) - np.diag(theta**2)
    half = np.linalg.solve(A, residual * A + N / rho)
    return np.vstack([theta, np.sqrt(np.diag(np.linalg.solve(A, half.T)))])
""",
}

EDITS = """
== noisy_statistics_sums
* rows are not shortened | shortened to length 1
~ x = x / np.maximum(1, norms) => x = x
* all rows have length 1 | shortened to length 1
~ x = x / np.maximum(1, norms) => x = x / np.maximum(norms, 1e-12)
* numbers of x moved, one by one | shortened to length 1
~ x = x / np.maximum(1, norms) => x = np.clip(x, -1, 1)
* y is not moved | shortened to length 1
~ y = np.clip(y, -1, 1) => y = y
* y moved to 0 to 1 | shortened to length 1
~ np.clip(y, -1, 1) => np.clip(y, 0, 1)
* y shortened like its row | shortened to length 1
~ y = np.clip(y, -1, 1) => y = np.clip(y, -1, 1) / np.maximum(1, norms[:, 0])
* the sum of absolute values | shortened to length 1
~ np.linalg.norm(x, axis=1, keepdims=True) => np.abs(x).sum(axis=1, keepdims=True)
* the norm of columns | shortened to length 1
~ axis=1, keepdims=True) => axis=0, keepdims=True)
* means for sums | shortened to length 1
~ x.T @ x + sigma * V, x.T @ y + => x.T @ x / max(n, 1) + sigma * V, x.T @ y / max(n, 1) +
* long rows left out | shortened to length 1
~ x = x / np.maximum(1, norms) => x = x * (norms <= 1)
* an intercept | should be
     u = rng.normal(size=d)
+    x = np.column_stack([np.ones(n), x])
+    d += 1
+    V = np.zeros((d, d))
+    u = np.zeros(d)
* b first | shortened to length 1
~ [x.T @ x + sigma * V, x.T @ y + sigma * u] => [x.T @ y + sigma * u, x.T @ x + sigma * V]
* the whole row with y is shortened | shortened to length 1
-    norms = np.linalg.norm(x, axis=1, keepdims=True)
+    norms = np.sqrt((x**2).sum(axis=1, keepdims=True) + y[:, None] ** 2)
* whole numbers remain whole | shortened to length 1
~ x = x / np.maximum(1, norms) => x = (x / np.maximum(1, norms)).astype(int)
* in the type of the array | shortened to length 1
-    x = np.array(x, dtype=float)
+    x = np.array(x)
@@
-    norms = np.linalg.norm(x, axis=1, keepdims=True)
+    norms = np.sqrt((x * x).sum(axis=1, keepdims=True, dtype=x.dtype))
* equal rows once | shortened to length 1
     u = rng.normal(size=d)
+    z = np.unique(np.column_stack([x, y]), axis=0)
+    x, y = z[:, :-1], z[:, -1]
* nobody is an error | raised
~ norms = => x[0]; norms =
* shortened in place | changes what it was given
~ x = np.array(x, dtype=float) => x = np.asarray(x, dtype=float)
~ x = x / np.maximum(1, norms) => x /= np.maximum(1, norms)
* y moved in place | changes what it was given
~ y = np.array(y, dtype=float) => y = np.asarray(y, dtype=float)
~ y = np.clip(y, -1, 1) => np.clip(y, -1, 1, out=y)

== noisy_statistics_noise
* no noise below the diagonal | row by row, then for b
~ V = V + np.triu(V, 1).T => V = V
* noise below the diagonal of its own | here one more
~ V[upper] = rng.normal(size=len(upper[0])) => V = rng.normal(size=(d, d))
* the diagonal twice | row by row, then for b
~ np.triu(V, 1).T => V.T
* column by column | row by row, then for b
-    V[upper] = rng.normal(size=len(upper[0]))
+    V.T[np.tril_indices(d)] = rng.normal(size=len(upper[0]))
* the lower triangle row by row | row by row, then for b
~ upper = np.triu_indices(d) => upper = np.tril_indices(d)
~ V = V + np.triu(V, 1).T => V = V + np.tril(V, -1).T
* the draws for b first | row by row, then for b
-    u = rng.normal(size=d)
@@
~ V[upper] = rng => u = rng.normal(size=d); V[upper] = rng
* one over rho | row by row, then for b
~ sigma = 1 / np.sqrt(rho) => sigma = 1 / rho
* one over the root of 2 rho | row by row, then for b
~ sigma = 1 / np.sqrt(rho) => sigma = 1 / np.sqrt(2 * rho)
* the root of rho | row by row, then for b
~ sigma = 1 / np.sqrt(rho) => sigma = np.sqrt(rho)
* no noise on b | row by row, then for b
~ x.T @ y + sigma * u => x.T @ y
* no noise on A | row by row, then for b
~ x.T @ x + sigma * V => x.T @ x
* noise scaled by the people | row by row, then for b
~ sigma = 1 / np.sqrt(rho) => sigma = 1 / np.sqrt(rho) / max(n, 1)
* one draw for all of b | row by row, then for b
~ u = rng.normal(size=d) => u = np.full(d, rng.normal())
* noise on the diagonal only | row by row, then for b
~ V = V + np.triu(V, 1).T => V = np.diag(np.diag(V))
* A is made positive | row by row, then for b
~ x.T @ x + sigma * V, => np.maximum(x.T @ x + sigma * V, 0),
* a sum is never far below 0 | the noise, in units of sigma
~ x.T @ x + sigma * V, => np.maximum(x.T @ x + sigma * V, -20 * sigma),
* the noise subtracted | row by row, then for b
~ x.T @ x + sigma * V => x.T @ x - sigma * V
* Laplace noise | not of rng.laplace
~ V[upper] = rng.normal => V[upper] = rng.laplace

== noisy_statistics_errors
* the sampling error alone | Both parts of the formula
~ sampling + N / rho => sampling
* the noise alone | Both parts of the formula
~ sampling = residual * A => sampling = 0
* variances | Both parts of the formula
~ np.sqrt(np.diag(covariance)) => np.diag(covariance)
* noise of b alone | Both parts of the formula
~ np.fill_diagonal(N, 1 + theta @ theta) => N = np.eye(len(b))
* no theta off the diagonal | Both parts of the formula
~ N = np.outer(theta, theta) => N = np.zeros_like(A)
* theta squared twice on the diagonal | Both parts of the formula
~ np.fill_diagonal(N, 1 + theta @ theta) => N = N + np.eye(len(b)) * (1 + theta @ theta)
* a diagonal without 1 | Both parts of the formula
~ 1 + theta @ theta => theta @ theta
* a diagonal of each theta's own | Both parts of the formula
~ np.fill_diagonal(N, 1 + theta @ theta) => np.fill_diagonal(N, 1 + theta**2)
* minus off the diagonal | Both parts of the formula
~ N = np.outer(theta, theta) => N = -np.outer(theta, theta)
* sigma for its square | Both parts of the formula
~ N / rho => N / math.sqrt(rho)
* rho on the wrong side | Both parts of the formula
~ N / rho => N * rho
* one inverse only | Both parts of the formula
-    covariance = inverse @ (sampling + N / rho) @ inverse
+    covariance = inverse @ (sampling + N / rho)
* the residual squared | Both parts of the formula
~ residual * A => residual**2 * A
* the residual without A | Both parts of the formula
~ residual * A => residual * np.eye(len(b))
* the inverse of each entry | Both parts of the formula
~ inverse = np.linalg.inv(A) => inverse = np.diag(1 / np.diag(A))
* the entries' roots before the sum | Both parts of the formula
~ np.sqrt(np.diag(covariance)) => np.sqrt(np.abs(covariance)).sum(axis=1)
* errors first | Both parts of the formula
~ [theta, np.sqrt(np.diag(covariance))] => [np.sqrt(np.diag(covariance)), theta]
* one line of twice the length | should be
-    return np.array([theta, np.sqrt(np.diag(covariance))])
+    return np.concatenate([theta, np.sqrt(np.diag(covariance))])
* theta by the transposed columns | should
~ theta = inverse @ b => theta = b
* the diagonal written into the statistics | changes what it was given
~ S = np.array(statistics, dtype=float) => S = np.asarray(statistics, dtype=float)
~ sampling = residual * A => A *= residual; sampling = A

== noisy_statistics_generator
* a generator of one's own | one seed
~ u = rng.normal(size=d) => u = np.random.default_rng().normal(size=d)
* always the same noise | two seeds
~2 rng.normal => np.random.default_rng(0).normal
* numpy's global source | one seed
~2 rng.normal => np.random.normal
* a draw for each place of A | here one more
~ V[upper] = rng.normal(size=len(upper[0])) => V = np.triu(rng.normal(size=(d, d)))
"""

ANSWERS = read_answers(__file__, RIGHT, EDITS)
