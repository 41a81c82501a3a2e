"""Answers to `recover_bits`. The mistakes: too few answers, a wrong threshold, a group refused."""

from tests.assignments.edits import read_answers

RIGHT = {
    "all, and all but one": """
def recover_bits(ask, n, least, limit):
    times = limit // (2 * n)
    bits = []
    for person in range(n):
        group = list(range(n))
        others = [i for i in range(n) if i != person]
        gap = np.mean(ask(group, times)) - np.mean(ask(others, times))
        bits.append(int(gap > 0.5))
    return np.array(bits)
""",
    "the least group, and one more": """
def recover_bits(ask, n, least, limit):
    times, found = limit // (2 * n), np.zeros(n, dtype=int)
    for person in range(n):
        others = [(person + step) % n for step in range(1, least + 1)]
        with_person = sum(ask(others + [person], times)) / times
        without = sum(ask(others, times)) / times
        found[person] = round(min(max(with_person - without, 0), 1))
    return found
""",
    "everybody once for all": """
def recover_bits(ask, n, least, limit):
    times = limit // (n + 1)
    total = ask(list(range(n)), times).mean()
    rest = [ask([i for i in range(n) if i != person], times).mean() for person in range(n)]
    return (total - np.array(rest) > 1 / 2).astype(int)
""",
    "the differences, one by one": """
def recover_bits(ask, n, least, limit):
    pairs = limit // (2 * n)
    everybody = np.arange(n)
    gaps = [ask(everybody, pairs) - ask(np.delete(everybody, i), pairs) for i in range(n)]
    return [1 if np.mean(gap) > 0.5 else 0 for gap in gaps]
""",
    "in rounds": """
def recover_bits(ask, n, least, limit):
    everybody, sums, rounds = list(range(n)), np.zeros(n), 20
    times = limit // (2 * n * rounds)
    for _ in range(rounds):
        for i in everybody:
            rest = everybody[:i] + everybody[i + 1 :]
            sums[i] += np.mean(ask(everybody, times)) - np.mean(ask(rest, times))
    return np.where(sums > rounds / 2, 1, 0)
""",
}

EDITS = """
== right
* times is a float
~ limit // (2 * n) => np.floor(limit / (2 * n))

== recover_bits_quiet
* the wrong way round | should be [1, 0, 1, 1, 0], it is [0, 0, 0, 0, 0]
~ group, times => others, times
~ - np.mean(ask(others, times)) => - np.mean(ask(group, times))
* zeros and ones exchanged | should be [1, 0, 1, 1, 0], it is [0, 1, 0, 0, 1]
~ gap > 0.5 => gap < 0.5
* the person alone | raised ValueError: a group must have 2 different people or more
~ (ask(group, times)) - np.mean(ask(others, times)) => (ask([person], times))
* each answer rounded to a bit | it is [0, 0, 0, 0, 0]
-        gap = np.mean(ask(group, times)) - np.mean(ask(others, times))
+        gap = np.mean(np.clip(np.round(ask(group, times) - ask(others, times)), 0, 1)) - 0.5
* all answers for everybody | raised RuntimeError: 1000 answers are given and no more
~ (2 * n) => 2
* answers for everybody's group forgotten | raised RuntimeError: 1000 answers are given and no more
~ (2 * n) => n
* half of the people | should be an array of shape (5,), it is an array of shape (2,)
~ range(n): => range(n // 2):
* the number of ones | should be an array of shape (5,), it is one number
~ np.array => sum
* half of the bits at most | should be an array
~ array(bits) => array(bits) if sum(bits) <= n / 2 else 0 * gap
* dplab decides | is off limits in an answer
+from dplab.attacks.averaging import guess_bits
+
+
+def recover_bits(ask, n, least, limit):
+    times, everybody = limit // (2 * n), np.arange(n)
+    gaps = [ask(everybody, times) - ask(np.delete(everybody, i), times) for i in everybody]
+    return guess_bits(np.transpose(gaps))

== recover_bits_noisy
* the differences themselves | Average as many answers as you may
~ (int(gap > 0.5)) => (gap)
* one answer each | Average as many answers as you may
~ limit // (2 * n) => 1
* twenty answers each | Average as many answers as you may
~ limit // (2 * n) => 20
* the first answers only | Average as many answers as you may
-        gap = np.mean(ask(group, times)) - np.mean(ask(others, times))
+        gap = ask(group, times)[0] - ask(others, times)[0]
* any more than nothing | and then decide
~ 0.5 => 0
* a whole one | and then decide
~ gap > 0.5 => gap >= 1
* a quarter of the answers | at least half of the answers
~ 2 * n => 8 * n
* five hundred answers a group | at least half of the answers
~ = limit // (2 * n) => = min(500, limit // (2 * n))
* the first half of the answers | every answer counts
-        gap = np.mean(ask(group, times)) - np.mean(ask(others, times))
+        gap = np.subtract(*(np.mean(ask(g, times)[times // 2 :]) for g in (group, others)))
* the last thousand answers | every answer counts
~2 times) => times)[-1000:]
* all answers but one in ten | every answer counts
-        gap = np.mean(ask(group, times)) - np.mean(ask(others, times))
+        gap = np.subtract(*(np.mean(ask(g, times)[times // 10 :]) for g in (group, others)))
* up to twenty people | every answer counts
~ (gap > 0.5) => (gap > 0.5) if n <= 20 else 0
* at most 2,500 answers a group | Ask for at least half
~ limit // (2 * n) => min(limit // (2 * n), 2500)
* at most a hundred thousand answers | Ask for at least half
~ times = limit => times = min(limit, 100_000)
* of two people one has the bit | every answer counts alike
+    if n == 2:
+        bits[1] = 1 - bits[0]
     return np.array(bits)

== recover_bits_all_alike
* a share of the ones | Somebody has the bit if the person's own count is nearer to 1 than to 0
+def recover_bits(ask, n, least, limit):
+    times = limit // (2 * n)
+    gaps = []
+    for person in range(n):
+        others = [i for i in range(n) if i != person]
+        gaps.append(np.mean(ask(list(range(n)), times)) - np.mean(ask(others, times)))
+    return (np.array(gaps) > np.mean(gaps)).astype(int)
* rounded up to the limit | raised RuntimeError: 30011 answers are given and no more
~ limit // (2 * n) => math.ceil(limit / (2 * n))
* everybody else left out if few may be asked about
| Somebody has the bit if the person's own count is nearer to 1 than to 0
~ (range(n)) => (range(n)) if least > 1 else [person, (person + 1) % n]

== recover_bits_noisy
* medians | every answer counts
~2 np.mean => np.median
* the middle of the answers | every answer counts
-        gap = np.mean(ask(group, times)) - np.mean(ask(others, times))
+        ends = times // 100
+        parts = [np.sort(ask(g, times))[ends : times - ends] for g in (group, others)]
+        gap = np.mean(parts[0]) - np.mean(parts[1])

== recover_bits_quiet
* half of the people, however many it must be | raised ValueError
~ [i for i in range(n) if i != person] => [i for i in range(n) if i != person][: n // 2]
~ group = list(range(n)) => group = [i for i in range(n) if i != person][: n // 2] + [person]
* no more than ninety-nine people | Whom do the two groups differ by
~ np.array(bits) => np.array(bits[:99] + [0] * (n - 99))
"""

ANSWERS = read_answers(__file__, RIGHT, EDITS)
