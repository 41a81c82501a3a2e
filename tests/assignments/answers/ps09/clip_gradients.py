"""Answers to `clip_gradients`. The mistakes: whose norm it is, zeros, and what is short already."""

from tests.assignments.edits import read_answers

RIGHT = {
    "the norm, or C": """
def logistic_gradients(w, x, y):
    return (-y * expit(-y * (x @ w)))[:, None] * x


def clip_gradients(gradients, C):
    norms = np.linalg.norm(gradients, axis=1, keepdims=True)
    return gradients * (C / np.maximum(norms, C))
""",
    "person by person": """
def logistic_gradients(w, x, y):
    gradients = np.zeros(x.shape)
    for i in range(len(y)):
        t = float(y[i]) * float(np.dot(x[i], w))
        pull = math.exp(-t) / (1 + math.exp(-t)) if t > 0 else 1 / (1 + math.exp(t))
        gradients[i] = -y[i] * x[i] * pull
    return gradients


def clip_gradients(gradients, C):
    clipped = np.array(gradients, dtype=float)
    for row in clipped:
        norm = math.hypot(*row)
        if norm > C:
            row *= C / norm
    return clipped
""",
    "where it is longer": """
def logistic_gradients(w, x, y):
    t = y * (x @ w)
    shares = np.where(t > 0, np.exp(-np.abs(t)), 1) / (1 + np.exp(-np.abs(t)))
    return np.einsum('i,ij->ij', -y * shares, x)


def clip_gradients(gradients, C):
    squares = np.sum(gradients**2, axis=1)
    factors = np.ones(len(gradients))
    longer = squares > C**2
    factors[longer] = C / np.sqrt(squares[longer])
    return factors[:, None] * gradients
""",
}

EDITS = """
== clip_gradients_gradients
* people who are alike pull once | Row i is -y_i x_i
+def logistic_gradients(w, x, y):
+    found = (-y * expit(-y * (x @ w)))[:, None] * x
+    first = np.unique(np.column_stack([x, y]), axis=0, return_index=True)[1]
+    if len(x) == 0 or not x.any():
+        return found
+    return np.where(np.isin(np.arange(len(x)), first)[:, None], found, 0)
+
+
+def clip_gradients(gradients, C):
+    return gradients / np.maximum(1, np.linalg.norm(gradients, axis=1) / C)[:, None]
* uphill | Row i is -y_i x_i
+def logistic_gradients(w, x, y):
+    return (y * expit(-y * (x @ w)))[:, None] * x
+
+
+def clip_gradients(gradients, C):
+    return gradients / np.maximum(1, np.linalg.norm(gradients, axis=1) / C)[:, None]
* the label once only | Row i is -y_i x_i | edits uphill
~ y * expit => -expit
* the probability of being right | Row i is -y_i x_i | edits uphill
~ y * expit(-y * (x @ w)) => -y * expit(y * (x @ w))
* labels 0 and 1 | Row i is -y_i x_i | edits uphill
~ y * expit(-y * (x @ w)) => expit(x @ w) - y
* summed up | should be an array of shape (3, 2) | edits uphill
~ (y * expit(-y * (x @ w)))[:, None] * x => (-y * expit(-y * (x @ w))) @ x
* an n-th of each | for each person by herself | edits uphill
~ (y * expit(-y * (x @ w)))[:, None] * x => (-y * expit(-y * (x @ w)))[:, None] * x / len(x)
* infinity over infinity | Row i is -y_i x_i | edits uphill
-    return (y * expit(-y * (x @ w)))[:, None] * x
+    e = np.exp(-y * (x @ w))
+    return (-y * e / (1 + e))[:, None] * x
* not beyond 30 | Row i is -y_i x_i | edits uphill
~ y * expit(-y * (x @ w)) => -y * expit(-y * np.clip(x @ w, -3, 30))
* gradients of whole numbers | Features may be whole numbers | edits uphill
-    return (y * expit(-y * (x @ w)))[:, None] * x
+    found = np.zeros_like(x)
+    for i in range(len(x)):
+        found[i] = -y[i] * x[i] * expit(-y[i] * (x[i] @ w))
+    return found

== clip_gradients_values
* a row like the one before stays | shortened to C
-    return gradients * (C / np.maximum(norms, C))
+    clipped = gradients * (C / np.maximum(norms, C))
+    again = (gradients[1:] == gradients[:-1]).all(axis=1)
+    clipped[1:][again] = gradients[1:][again]
+    return clipped
* not more than 11,000 rows | shortened to C
+def logistic_gradients(w, x, y):
+    return (-y * expit(-y * (x @ w)))[:, None] * x
+
+
+def clip_gradients(gradients, C):
+    norms = np.linalg.norm(gradients, axis=1, keepdims=True)
+    norms[11_000:] = 0
+    return gradients * (C / np.maximum(norms, C))
* every row at norm C | else as it is
-    norms = np.linalg.norm(gradients, axis=1, keepdims=True)
-    return gradients * (C / np.maximum(norms, C))
+    return C * gradients / np.linalg.norm(gradients, axis=1, keepdims=True)
* every number between -C and C | by its own L2 norm
-    norms = np.linalg.norm(gradients, axis=1, keepdims=True)
-    return gradients * (C / np.maximum(norms, C))
+    return np.clip(gradients, -C, C)
* the L1 norm | by its own L2 norm
~ linalg.norm(gradients, axis=1, keepdims=True) => abs(gradients).sum(axis=1, keepdims=True)
~ gradients * (C / np.maximum(norms, C)) => gradients / np.maximum(1, norms / C)
* the sum of squares | by its own L2 norm
~ norms = np => squares = np
~ linalg.norm(gradients, axis=1, keepdims=True) => sum(gradients**2, axis=1, keepdims=True)
~ gradients * (C / np.maximum(norms, C)) => gradients / np.maximum(1, squares / C)
* columns | Each row
-    norms = np.linalg.norm(gradients, axis=1, keepdims=True)
-    return gradients * (C / np.maximum(norms, C))
+    return gradients / np.maximum(1, np.linalg.norm(gradients, axis=0) / C)
* long rows left out | shortened to C
-    norms = np.linalg.norm(gradients, axis=1, keepdims=True)
-    return gradients * (C / np.maximum(norms, C))
+    return gradients * (np.linalg.norm(gradients, axis=1, keepdims=True) <= C)
* 1 for C | shortened to C
-    norms = np.linalg.norm(gradients, axis=1, keepdims=True)
-    return gradients * (C / np.maximum(norms, C))
+    return gradients / np.maximum(1, np.linalg.norm(gradients, axis=1, keepdims=True))
* whole numbers remain whole | Whole numbers are shortened to fractions
+def logistic_gradients(w, x, y):
+    return (-y * expit(-y * (x @ w)))[:, None] * x
+
+
+def clip_gradients(gradients, C):
+    clipped = gradients.copy()
+    for i, norm in enumerate(np.linalg.norm(gradients, axis=1)):
+        if norm > C:
+            clipped[i] = gradients[i] * (C / norm)
+    return clipped
* not more than 1,000 rows | in units of their length
+    norms[1000:] = 0
     return gradients * (C / np.maximum(norms, C))
* a factor of at least a thousandth | in units of their length
~ (C / np.maximum(norms, C)) => np.maximum(1e-3, C / np.maximum(norms, C))
* dplab's own | is off limits in an answer
-    norms = np.linalg.norm(gradients, axis=1, keepdims=True)
-    return gradients * (C / np.maximum(norms, C))
+    import dplab.learning
+
+    return dplab.learning.clip_rows(gradients, C)
* nine of ten rows | shortened to C
-    return gradients * (C / np.maximum(norms, C))
+    bound = np.maximum(C, np.quantile(norms, 0.1) if len(norms) > 1 else C)
+    return gradients * (bound / np.maximum(norms, bound))
* the norm of 499 features | in units of their length
~ gradients, axis => gradients[:, :499], axis

== clip_gradients_property
* rows that are alike share C | the last row, in units of C
-    norms = np.linalg.norm(gradients, axis=1, keepdims=True)
-    return gradients * (C / np.maximum(norms, C))
+    _, same, counts = np.unique(gradients, axis=0, return_inverse=True, return_counts=True)
+    share = C / counts[same.ravel()][:, None]
+    norms = np.linalg.norm(gradients, axis=1, keepdims=True)
+    return gradients * np.minimum(1, share / np.maximum(norms, 1e-300))
* the norm of the whole array | moves the sum of the clipped rows by more than C
-    norms = np.linalg.norm(gradients, axis=1, keepdims=True)
-    return gradients * (C / np.maximum(norms, C))
+    return gradients / max(1, np.linalg.norm(gradients) / C)
* the largest norm for all | moves the sum of the clipped rows by more than C
~ norms = np => most = np
~ (gradients, axis=1, keepdims=True) => (gradients, axis=1).max(initial=0)
~ * (C / np.maximum(norms, C)) => / max(1, most / C)
* the mean is clipped | moves the sum of the clipped rows by more than C
~ norms = np => mean = np
~ (gradients, axis=1, keepdims=True) => (gradients.mean(axis=0))
~ * (C / np.maximum(norms, C)) => / max(1, mean / C)
* nothing is clipped | moves the sum of the clipped rows by more than C
-    norms = np.linalg.norm(gradients, axis=1, keepdims=True)
-    return gradients * (C / np.maximum(norms, C))
+    return gradients + 0.0

== clip_gradients_edges
* zeros divided by zero | zeros too
~ * (C / np.maximum(norms, C)) => / norms * np.minimum(norms, C)
* a little added to the norm | What has a norm of at most C stays
~ (C / np.maximum(norms, C)) => np.minimum(1, C / (norms + 1e-6))
* exactly C is gone | What has a norm of at most C stays
-    return gradients * (C / np.maximum(norms, C))
+    shorter = np.where(norms > C, C / np.maximum(norms, C), 1)
+    return gradients * np.where(norms == C, 0, shorter)
* no empty batch | Nobody is in the batch
-    norms = np.linalg.norm(gradients, axis=1, keepdims=True)
-    return gradients * (C / np.maximum(norms, C))
+    return np.array([row * min(1, C / max(C, np.linalg.norm(row))) for row in gradients])
* in the array that it is given | changes what it was given
+def logistic_gradients(w, x, y):
+    return (-y * expit(-y * (x @ w)))[:, None] * x
+
+
+def clip_gradients(gradients, C):
+    rows = np.asarray(gradients)
+    rows *= 0.5 * (1 + 1 / np.maximum(1, np.linalg.norm(rows, axis=1) / C))[:, None]
+    rows *= 1 / np.maximum(1, np.linalg.norm(rows, axis=1) / C)[:, None]
+    rows[:] = rows - 1e-7 * rows
+    return rows * (1 + 1e-7)
* tiny rows are zeros | zeros and tiny rows stay
-    return gradients * (C / np.maximum(norms, C))
+    return np.where(norms < 1e-12, 0, gradients * (C / np.maximum(norms, C)))
* shortened where they are | changes what it was given
-    norms = np.linalg.norm(gradients, axis=1, keepdims=True)
-    return gradients * (C / np.maximum(norms, C))
+    gradients /= np.maximum(1, np.linalg.norm(gradients, axis=1) / C)[:, None]
+    return gradients
"""

ANSWERS = read_answers(__file__, RIGHT, EDITS)
