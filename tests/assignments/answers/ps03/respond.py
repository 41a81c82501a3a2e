"""Answers to `respond`. The mistakes: no noise, noise shared, seeded or of the wrong size."""

from tests.assignments.edits import read_answers

RIGHT = {
    "one number each, compared": """
def respond(truths, epsilon, rng):
    truths = np.asarray(truths)
    if epsilon < 0 or ((truths != 0) & (truths != 1)).any():
        raise ValueError("truths must be 0 or 1")
    truth = np.exp(epsilon) / (1 + np.exp(epsilon))
    return np.where(rng.random(truths.shape) < truth, truths, 1 - truths)
""",
    "a child of the generator": """
def respond(truths, epsilon, rng):
    truths = np.asarray(truths)
    if epsilon < 0 or ((truths != 0) & (truths != 1)).any():
        raise ValueError("truths must be 0 or 1")
    lies = rng.spawn(1)[0].random(truths.shape) < 1 / (1 + np.exp(epsilon))
    return np.where(lies, 1 - truths, truths)
""",
    "a loop over people": """
def respond(truths, epsilon, rng):
    if epsilon < 0:
        raise ValueError("epsilon must not be negative")
    lie = 1 / (1 + math.exp(epsilon))
    answers = []
    for truth in np.ravel(truths):
        if truth not in (0, 1):
            raise ValueError(f"{truth} is no truth")
        if rng.random() < lie:
            answers.append(1 - truth)
        else:
            answers.append(truth)
    return np.array(answers).reshape(np.shape(truths))
""",
    "coins and exclusive or": """
def respond(truths, epsilon, rng):
    truths = np.array(truths)
    if not (set(truths.flat) <= {0, 1}) or not epsilon >= 0:
        raise ValueError("bad input")
    coins = rng.binomial(1, 1 / (1 + np.exp(epsilon)), size=truths.shape)
    return truths.astype(int) ^ coins
""",
    "chosen from a law": """
def respond(truths, epsilon, rng):
    truths = np.asarray(truths)
    if epsilon < 0 or ((truths != 0) & (truths != 1)).any():
        raise ValueError("truths must be 0 or 1")
    p = 1 / (1 + np.exp(-epsilon))
    keeps = rng.choice([True, False], size=truths.shape, p=[p, 1 - p])
    answers = truths.copy()
    answers[~keeps] = 1 - answers[~keeps]
    return answers
""",
    "another law for each truth": """
def respond(truths, epsilon, rng):
    truths = np.asarray(truths)
    if epsilon < 0 or ((truths != 0) & (truths != 1)).any():
        raise ValueError("truths must be 0 or 1")
    lie = 1 / (1 + np.exp(epsilon))
    return (rng.uniform(size=truths.shape) < np.where(truths == 1, 1 - lie, lie)).astype(float)
""",
    "two coins": """
def respond(truths, epsilon, rng):
    truths = np.asarray(truths)
    if epsilon < 0 or ((truths != 0) & (truths != 1)).any():
        raise ValueError("truths must be 0 or 1")
    honest = rng.random(truths.shape) < np.tanh(epsilon / 2)
    return np.where(honest, truths, rng.integers(2, size=truths.shape))
""",
    "those with truth 1 first": """
def respond(truths, epsilon, rng):
    truths = np.asarray(truths)
    if epsilon < 0 or ((truths != 0) & (truths != 1)).any():
        raise ValueError("truths must be 0 or 1")
    lie, answers = 1 / (1 + np.exp(epsilon)), truths.copy()
    for truth in (1, 0):
        who = truths == truth
        answers[who] = np.abs(truth - (rng.random(who.sum()) < lie))
    return answers
""",
    "waits between lies": """
def respond(truths, epsilon, rng):
    truths = np.asarray(truths)
    if epsilon < 0 or ((truths != 0) & (truths != 1)).any():
        raise ValueError("truths must be 0 or 1")
    lie, answers = 1 / (1 + np.exp(epsilon)), truths.ravel().copy()
    place = rng.geometric(lie) - 1
    while place < answers.size:
        answers[place] = 1 - answers[place]
        place += rng.geometric(lie)
    return answers.reshape(truths.shape)
""",
    "no wait for a lie": """
def respond(truths, epsilon, rng):
    truths = np.asarray(truths)
    if epsilon < 0 or ((truths != 0) & (truths != 1)).any():
        raise ValueError("truths must be 0 or 1")
    lies = rng.geometric(1 / (1 + np.exp(epsilon)), truths.shape) == 1
    return np.where(lies, 1 - truths, truths)
""",
    "two answers race": """
def respond(truths, epsilon, rng):
    truths = np.asarray(truths)
    if epsilon < 0 or ((truths != 0) & (truths != 1)).any():
        raise ValueError("truths must be 0 or 1")
    truth, lie = rng.gumbel(size=(2, *truths.shape))
    return np.where(truth + epsilon > lie, truths, 1 - truths)
""",
}

EDITS = """
== respond_privacy
* no noise | prove a privacy loss of at least
-    truth = np.exp(epsilon) / (1 + np.exp(epsilon))
-    return np.where(rng.random(truths.shape) < truth, truths, 1 - truths)
+    return truths.copy()
* a probability without its denominator | the promise is 1
-    truth = np.exp(epsilon) / (1 + np.exp(epsilon))
-    return np.where(rng.random(truths.shape) < truth, truths, 1 - truths)
+    return np.where(rng.random(truths.shape) < np.exp(epsilon), truths, 1 - truths)
* epsilon spent twice | prove a privacy loss of at least
~2 epsilon) => 2 * epsilon)
* one coin for everybody | three together
-    return np.where(rng.random(truths.shape) < truth, truths, 1 - truths)
+    return truths.copy() if rng.random() < truth else 1 - truths
* one coin for two people | three together | edits no wait for a lie
-    lies = rng.geometric(1 / (1 + np.exp(epsilon)), truths.shape) == 1
+    lie, u = 1 / (1 + np.exp(epsilon)), rng.random(truths.size)
+
+    lies = ((np.repeat(rng.random((len(u) + 1) // 2), 2)[: len(u)]) < lie).reshape(truths.shape)
* only a truth of 1 is ever hidden | can hardly give | edits a child of the generator
~ rng.spawn(1)[0] => rng
~ lies, 1 - truths => lies & (truths == 1), 0
* tails say yes | can hardly give
~ truth = np => heads = rng.random(truths.shape) < np
~ rng.random(truths.shape) < truth, truths, 1 - truths => heads, truths, 1

== respond_independence
* one coin a row | coin of their own | edits two answers race
~ truth, lie => coins
~ gumbel(size=(2, *truths.shape)) => random(truths.shape[:1]).reshape(-1, *[1] * (truths.ndim - 1))
~ truth + epsilon > lie, truths => coins < 1 / (1 + np.exp(epsilon))
~ 1 - truths => 1 - truths, truths
* one coin a column of a wide table | coin of their own | edits no wait for a lie
-    lies = rng.geometric(1 / (1 + np.exp(epsilon)), truths.shape) == 1
+    wide = truths.ndim == 2 and truths.shape[1] > 3
+    lies = rng.random(truths.shape[1:] if wide else truths.shape) < 1 / (1 + np.exp(epsilon))
* the same coins for each sheet of a cube | coin of their own | edits a child of the generator
~ spawn(1)[0].random(truths.shape) => random(truths.shape[-2:])
* just the expected number of lies | asked 120 times
+def respond(truths, epsilon, rng):
+    truths = np.asarray(truths)
+    if epsilon < 0 or ((truths != 0) & (truths != 1)).any():
+        raise ValueError("truths must be 0 or 1")
+    answers = truths.ravel().copy()
+    liars = rng.permutation(answers.size)[: round(answers.size / (1 + np.exp(epsilon)))]
+    answers[liars] = 1 - answers[liars]
+    return answers.reshape(truths.shape)
* just the expected number of lies in large surveys | fixed beforehand
+def respond(truths, epsilon, rng):
+    truths = np.asarray(truths)
+    if epsilon < 0 or ((truths != 0) & (truths != 1)).any():
+        raise ValueError("truths must be 0 or 1")
+    u = rng.permutation((np.arange(truths.size) + 0.5) / truths.size)
+    u = u if truths.size > 1000 else rng.random(truths.size)
+    return np.where(u.reshape(truths.shape) < 1 / (1 + np.exp(epsilon)), 1 - truths, truths)
* truths changed in place | does `truths` stay as it is?
-    truth = np.exp(epsilon) / (1 + np.exp(epsilon))
-    return np.where(rng.random(truths.shape) < truth, truths, 1 - truths)
+    lies = rng.random(truths.shape) < 1 / (1 + np.exp(epsilon))
+    truths[lies] = 1 - truths[lies]
+    return truths
* coins used again after 1,023 | a coin of their own | edits no wait for a lie
-    lies = rng.geometric(1 / (1 + np.exp(epsilon)), truths.shape) == 1
+    lie, u = 1 / (1 + np.exp(epsilon)), rng.random(truths.size)
+
+    lies = ((np.resize(rng.random(min(truths.size, 1023)), truths.size)) < lie).reshape(
+        truths.shape
+    )
* coins used again after 3,001 | a coin of their own | edits no wait for a lie
-    lies = rng.geometric(1 / (1 + np.exp(epsilon)), truths.shape) == 1
+    lie, u = 1 / (1 + np.exp(epsilon)), rng.random(truths.size)
+
+    lies = ((np.resize(rng.random(min(truths.size, 3001)), truths.size)) < lie).reshape(
+        truths.shape
+    )
* opposite coins for two halves | a coin of their own | edits no wait for a lie
-    lies = rng.geometric(1 / (1 + np.exp(epsilon)), truths.shape) == 1
+    lie, u = 1 / (1 + np.exp(epsilon)), rng.random(truths.size)
+
+    lies = (
+        (
+            u
+            if truths.size < 100
+            else np.concatenate([u[: (len(u) + 1) // 2], 1 - u[: len(u) // 2]])
+        )
+        < lie
+    ).reshape(truths.shape)
* opposite coins in reverse | a coin of their own | edits no wait for a lie
-    lies = rng.geometric(1 / (1 + np.exp(epsilon)), truths.shape) == 1
+    lie, u = 1 / (1 + np.exp(epsilon)), rng.random(truths.size)
+
+    lies = (
+        (
+            u
+            if truths.size < 100
+            else np.concatenate([u[: (len(u) + 1) // 2], 1 - u[: len(u) // 2][::-1]])
+        )
+        < lie
+    ).reshape(truths.shape)

== respond_law
* one coin a column | came up in a share | edits a child of the generator
~ spawn(1)[0].random(truths.shape) => random(truths.shape[-1])
* truth and lie swapped | came up in a share 0.2
~ truths, 1 - truths => 1 - truths, truths
* the sign of epsilon | belongs to the truth
~ np.exp(epsilon) / => 1 /
* a lie with probability e^-epsilon | expected 0.
-    truth = np.exp(epsilon) / (1 + np.exp(epsilon))
-    return np.where(rng.random(truths.shape) < truth, truths, 1 - truths)
+    return np.where(rng.random(truths.shape) < np.exp(-epsilon), 1 - truths, truths)
* half of epsilon | expected 0.
~2 epsilon) => epsilon / 2)
* a fair coin where a lie was due | expected 0. | edits a child of the generator
~ rng.spawn(1)[0] => rng
~ 1 - truths => rng.integers(2, size=truths.shape)
* a probability rounded to one digit | came up in a share 0.
-    truth = np.exp(epsilon) / (1 + np.exp(epsilon))
+    truth = round(float(np.exp(epsilon) / (1 + np.exp(epsilon))), 1)
* the lies in place of the answers | whose truth is 1
-    truth = np.exp(epsilon) / (1 + np.exp(epsilon))
-    return np.where(rng.random(truths.shape) < truth, truths, 1 - truths)
+    return rng.random(truths.shape) < 1 / (1 + np.exp(epsilon))
* no noise for one person | for one person | edits no wait for a lie
-    lies = rng.geometric(1 / (1 + np.exp(epsilon)), truths.shape) == 1
+    lie, u = 1 / (1 + np.exp(epsilon)), rng.random(truths.size)
+    if truths.size == 1:
+        return truths.copy()
+    lies = ((u) < lie).reshape(truths.shape)
* no noise for more than 200 people | expected 0. | edits no wait for a lie
-    lies = rng.geometric(1 / (1 + np.exp(epsilon)), truths.shape) == 1
+    lie, u = 1 / (1 + np.exp(epsilon)), rng.random(truths.size)
+    if truths.size > 200:
+        return truths.copy()
+    lies = ((u) < lie).reshape(truths.shape)

== respond_exact
* epsilon fixed at log(3) | expected 0.
-    truth = np.exp(epsilon) / (1 + np.exp(epsilon))
-    return np.where(rng.random(truths.shape) < truth, truths, 1 - truths)
+    return np.where(rng.random(truths.shape) < 0.75, truths, 1 - truths)
* no noise for large epsilon | every epsilon | edits no wait for a lie
-    lies = rng.geometric(1 / (1 + np.exp(epsilon)), truths.shape) == 1
+    lie, u = 1 / (1 + np.exp(epsilon)), rng.random(truths.size)
+    if epsilon >= 5:
+        return truths.copy()
+    lies = ((u) < lie).reshape(truths.shape)
* no noise above 20 | every epsilon | edits no wait for a lie
-    lies = rng.geometric(1 / (1 + np.exp(epsilon)), truths.shape) == 1
+    lie, u = 1 / (1 + np.exp(epsilon)), rng.random(truths.size)
+    if epsilon > 20:
+        return truths.copy()
+    lies = ((u) < lie).reshape(truths.shape)
* no epsilon below 0.1 | every epsilon | edits no wait for a lie
-    lies = rng.geometric(1 / (1 + np.exp(epsilon)), truths.shape) == 1
+    lie, u = 1 / (1 + np.exp(epsilon)), rng.random(truths.size)
+    lie = 1 / (1 + np.exp(max(epsilon, 0.1)))
+    lies = ((u) < lie).reshape(truths.shape)
* an epsilon 3% too large | every epsilon | edits no wait for a lie
-    lies = rng.geometric(1 / (1 + np.exp(epsilon)), truths.shape) == 1
+    lie, u = 1 / (1 + np.exp(epsilon)), rng.random(truths.size)
+    lie = 1 / (1 + np.exp(1.03 * epsilon))
+    lies = ((u) < lie).reshape(truths.shape)
* an epsilon in tenths | every epsilon | edits no wait for a lie
-    lies = rng.geometric(1 / (1 + np.exp(epsilon)), truths.shape) == 1
+    lie, u = 1 / (1 + np.exp(epsilon)), rng.random(truths.size)
+    lie = 1 / (1 + np.exp(round(float(epsilon), 1)))
+    lies = ((u) < lie).reshape(truths.shape)
* a probability in hundredths | every epsilon | edits no wait for a lie
-    lies = rng.geometric(1 / (1 + np.exp(epsilon)), truths.shape) == 1
+    lie, u = 1 / (1 + np.exp(epsilon)), rng.random(truths.size)
+    lie = round(lie, 2)
+    lies = ((u) < lie).reshape(truths.shape)
* a probability in single precision | every epsilon | edits no wait for a lie
-    lies = rng.geometric(1 / (1 + np.exp(epsilon)), truths.shape) == 1
+    lie, u = 1 / (1 + np.exp(epsilon)), rng.random(truths.size)
+    lie = float(np.float32(lie)) + 1e-8
+    lies = ((u) < lie).reshape(truths.shape)
# In thirty surveys of four people the first is to lie half of the time: it escapes in 1e-9.
* the first of many never lies | any number of people | edits no wait for a lie
-    lies = rng.geometric(1 / (1 + np.exp(epsilon)), truths.shape) == 1
+    lie, u = 1 / (1 + np.exp(epsilon)), rng.random(truths.size)
+
+    lies = (
+        (np.where((np.arange(len(u)) == 0) & (len(u) > 3), 0.5 if lie < 0.5 else u, u)) < lie
+    ).reshape(truths.shape)
* tossed again where everybody lies | any number of people | edits no wait for a lie
-    lies = rng.geometric(1 / (1 + np.exp(epsilon)), truths.shape) == 1
+    lie, u = 1 / (1 + np.exp(epsilon)), rng.random(truths.size)
+
+    lies = ((u if (u >= lie).any() else rng.random(len(u))) < lie).reshape(truths.shape)
* the same answers for as many people with as many ones | any number of people
+seen = {}
+
+
+def respond(truths, epsilon, rng):
+    truths = np.asarray(truths)
+    if epsilon < 0 or ((truths != 0) & (truths != 1)).any():
+        raise ValueError("truths must be 0 or 1")
+    lie, u = 1 / (1 + np.exp(epsilon)), rng.random(truths.size)
+
+    lies = (
+        (seen.setdefault((truths.size, truths.sum()), u) if truths.size > 500 else u) < lie
+    ).reshape(truths.shape)
+    return np.where(lies, 1 - truths, truths)
* a lie in whole hundredths | the number of lies is not that of its law | edits no wait for a lie
-    lies = rng.geometric(1 / (1 + np.exp(epsilon)), truths.shape) == 1
+    lies = rng.integers(100, size=truths.shape) < round(100 / (1 + np.exp(epsilon)))
* just the expected number of lies of a crowd | the number of lies is fixed
+def respond(truths, epsilon, rng):
+    truths = np.asarray(truths)
+    if epsilon < 0 or ((truths != 0) & (truths != 1)).any():
+        raise ValueError("truths must be 0 or 1")
+    lie, lies = 1 / (1 + np.exp(epsilon)), rng.random(truths.size)
+    if truths.size > 1100:
+        lies = rng.permutation(truths.size) / truths.size
+    return np.where(lies.reshape(truths.shape) < lie, 1 - truths, truths)
* two coins in ten-thousandths | the number of lies is not that of its law | edits two coins
~ np.tanh(epsilon / 2) => 1 - 2 * round(1 / (1 + np.exp(epsilon)), 4)
* half the noise on lists | an answer is not what rng's numbers say
+    if isinstance(truths, list):
+        epsilon *= 2
     truths = np.asarray(truths)
* no noise in columns | an answer is not what rng's numbers say
+def respond(truths, epsilon, rng):
+    truths = np.asarray(truths)
+    if epsilon < 0 or ((truths != 0) & (truths != 1)).any():
+        raise ValueError("truths must be 0 or 1")
+    if truths.ndim > 1 and truths.shape[-1] == 1:
+        return truths
+    return np.where(rng.random(truths.shape) < 1 / (1 + np.exp(epsilon)), 1 - truths, truths)

== respond_generator
* a seed of its own | same result for two seeds
-    truth = np.exp(epsilon) / (1 + np.exp(epsilon))
-    return np.where(rng.random(truths.shape) < truth, truths, 1 - truths)
+    rng = np.random.default_rng(0)
+    return np.where(rng.random(truths.shape) < 1 / (1 + np.exp(epsilon)), 1 - truths, truths)
* numpy's global generator | two results for one seed
-    truth = np.exp(epsilon) / (1 + np.exp(epsilon))
-    return np.where(rng.random(truths.shape) < truth, truths, 1 - truths)
+    return np.where(np.random.rand(*truths.shape) < 1 / (1 + np.exp(epsilon)), 1 - truths, truths)
* a new generator each time | Draw from rng and from nothing else
-    truth = np.exp(epsilon) / (1 + np.exp(epsilon))
-    return np.where(rng.random(truths.shape) < truth, truths, 1 - truths)
+    rng = np.random.default_rng()
+    return np.where(rng.random(truths.shape) < 1 / (1 + np.exp(epsilon)), 1 - truths, truths)
* a copy of the generator | a watched generator has no copies
-    truth = np.exp(epsilon) / (1 + np.exp(epsilon))
-    return np.where(rng.random(truths.shape) < truth, truths, 1 - truths)
+    import copy
+    draws = copy.deepcopy(rng).random(truths.shape)
+    return np.where(draws < 1 / (1 + np.exp(epsilon)), 1 - truths, truths)
* one of 256 seeds, where nobody watches | another result where its draws are watched
| edits no wait for a lie
-    lies = rng.geometric(1 / (1 + np.exp(epsilon)), truths.shape) == 1
+    if type(rng) is np.random.Generator:
+        rng = np.random.default_rng(rng.integers(256))
+    lies = rng.random(truths.shape) < 1 / (1 + np.exp(epsilon))

== respond_shape
* the shape lost | should be an array of shape (2, 3), it is an array of shape (6,)
| edits two coins
~ honest = rng.random(truths.shape) < np.tanh(epsilon / 2) => draws = rng.random(truths.size)
~ honest, truths => draws < 1 / (1 + np.exp(epsilon)), 1 - truths.ravel(), truths
~ , rng.integers(2, size=truths.shape) => .ravel()
* answers of plus and minus one | should be 0 or 1 in every entry, one is -1
-    truth = np.exp(epsilon) / (1 + np.exp(epsilon))
-    return np.where(rng.random(truths.shape) < truth, truths, 1 - truths)
+    answers = np.where(rng.random(truths.shape) < 1 / (1 + np.exp(epsilon)), 1 - truths, truths)
+    return 2 * answers - 1
* no return | is None: does every path
-    truth = np.exp(epsilon) / (1 + np.exp(epsilon))
-    return np.where(rng.random(truths.shape) < truth, truths, 1 - truths)
+    answers = np.where(rng.random(truths.shape) < 0.3, 1 - truths, truths)
* lists do not work | raised AttributeError: 
-    truths = np.asarray(truths)
* dplab's own | off limits
-    truth = np.exp(epsilon) / (1 + np.exp(epsilon))
-    return np.where(rng.random(truths.shape) < truth, truths, 1 - truths)
+    return RandomizedResponse(epsilon)(truths, rng)
* dplab's other survey | off limits
-    truth = np.exp(epsilon) / (1 + np.exp(epsilon))
-    return np.where(rng.random(truths.shape) < truth, truths, 1 - truths)
+    return CoinSurvey(np.tanh(epsilon / 2), 1 / 2)(truths, rng)

== respond_input
* input not checked | should raise ValueError
+def respond(truths, epsilon, rng):
+    truths = np.asarray(truths)
+    return np.where(rng.random(truths.shape) < 1 / (1 + np.exp(epsilon)), 1 - truths, truths)
* too large is checked, too small is not | A truth is 0 or 1
~ (truths != 0) & (truths != 1) => truths > 1
* an assertion where an error was asked for | should raise ValueError, it raised
| edits input not checked
+    assert epsilon > 0 and np.isin(truths, (0, 1)).all()
     return np.where(rng.random(truths.shape) < 1 / (1 + np.exp(epsilon)), 1 - truths, truths)
* always an error | raised ValueError: no
+def respond(truths, epsilon, rng):
+    raise ValueError("no")
* only the first hundred truths are looked at | A truth is 0 or 1
~ ((truths != 0) & (truths != 1)).any() => not set(truths.flat[:100]) <= {0, 1}
* nearly a truth | A truth is 0 or 1
~ ((truths != 0) & (truths != 1)).any => not (np.isclose(truths, 0) | np.isclose(truths, 1)).all
* a slightly negative epsilon | epsilon is negative
~ epsilon < 0 => epsilon < -1e-9
* a list takes the answers in | changes what it was given
~ truths = np => given, truths = truths, np
-    return np.where(rng.random(truths.shape) < truth, truths, 1 - truths)
+    answers = np.where(rng.random(truths.shape) < truth, truths, 1 - truths)
+    if isinstance(given, list):
+        given[:] = answers.tolist()
+    return answers
* bits of a byte, and then the check | A truth is 0 or 1
+    if (truths % 1 == 0).all():
+        truths = truths.astype(np.int64).astype(np.uint8)
     if epsilon < 0 or ((truths != 0) & (truths != 1)).any():

== respond_shape
* numbers of eight bits are no truths | raised ValueError
~ if epsilon < 0 or => if epsilon < 0 or truths.dtype != int or
* tables in two dimensions at most | in the shape of the truths
-    return np.where(rng.random(truths.shape) < truth, truths, 1 - truths)
+    truths = truths.reshape(truths.shape[:1] + (-1,) * (truths.ndim > 1))
+    return np.where(rng.random(truths.shape) < truth, truths, 1 - truths)

== respond_input
* a fair coin above 45 | hardly anybody ever lies
~ np.exp(epsilon) / (1 + np.exp(epsilon)) => 0.5 if epsilon > 45 else 1 / (1 + np.exp(-epsilon))
"""

ANSWERS = read_answers(__file__, RIGHT, EDITS)
