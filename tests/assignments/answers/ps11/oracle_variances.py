"""Answers to `oracle_variances`. The mistakes: holders, squares, and the crossing itself."""

from tests.assignments.edits import read_answers

RIGHT = {
    "bits with two chances": """
def oracle_variances(people, holders, k, epsilon):
    e, found = math.exp(epsilon), []
    chances = [(e / (e + k - 1), 1 / (e + k - 1)), (1 / 2, 1 / (e + 1))]
    for p, q in chances:
        others = people - holders
        variance = holders * p * (1 - p) + others * q * (1 - q)
        found.append(variance / (p - q) ** 2)
    return found


def largest_domain(epsilon):
    crossing = 3 * math.exp(epsilon) + 2
    return math.ceil(crossing) - 1
""",
    "multiplied out": """
def oracle_variances(people, holders, k, epsilon):
    e, h, o = math.exp(epsilon), float(holders), float(people) - float(holders)
    square = math.expm1(epsilon) ** 2
    return np.array([h * e * (k - 1) + o * (e + k - 2), h * (e + 1) ** 2 + 4 * o * e]) / square


def largest_domain(epsilon):
    return math.floor(2 + 3 * math.exp(epsilon))
""",
    "one k after the other": """
def oracle_variances(people, holders, k, epsilon):
    p = np.array([np.exp(epsilon) / (np.exp(epsilon) + k - 1), 0.5])
    q = np.array([1 / (np.exp(epsilon) + k - 1), 1 / (np.exp(epsilon) + 1)])
    return tuple((holders * p * (1 - p) + (people - holders) * q * (1 - q)) / (p - q) ** 2)


def largest_domain(epsilon):
    k = 2
    while True:
        direct, unary = oracle_variances(1, 0, k + 1, epsilon)
        if direct >= unary:
            return k
        k += 1
""",
}

EDITS = """
== oracle_variances_values
* nobody has it | Holders add
~ holders * p * (1 - p) + others * q * (1 - q) => people * q * (1 - q)
* all others and the holders | Holders add
~ others = people - holders => others = people
* not squared | Holders add
~ (p - q) ** 2 => (p - q)
* not divided | Holders add
~ variance / (p - q) ** 2 => variance
* the square over people | Holders add
~ variance / (p - q) ** 2 => variance / (people * (p - q) ** 2)
* standard deviations | Holders add
~ variance / (p - q) ** 2 => math.sqrt(variance) / (p - q)
* other values are k | Holders add
~ [(e / (e + k - 1), 1 / (e + k - 1)) => [(e / (e + k), 1 / (e + k))
* unary first | Holders add
~ return found => return found[::-1]
* the symmetric form of unary | Holders add
~ (1 / 2, 1 / (e + 1)) => (e**0.5 / (e**0.5 + 1), 1 / (e**0.5 + 1))
* the chance of one other value for all of them | Holders add
~ 1 / (e + k - 1)), => (k - 1) / (e + k - 1)),
* holders and others exchanged | Holders add
~ holders * p * (1 - p) + others * q * (1 - q) => others * p * (1 - p) + holders * q * (1 - q)
* binomial with an average chance | Holders add
-        variance = holders * p * (1 - p) + others * q * (1 - q)
+        r = (holders * p + others * q) / people
+        variance = people * r * (1 - r)
* two bits move | Holders add
~ variance / (p - q) ** 2 => 2 * variance / (p - q) ** 2
* p as its square | Holders add
~ holders * p * (1 - p) => holders * p**2
* the direct method at k - 2 | Holders add
~ [(e / (e + k - 1), 1 / (e + k - 1)) => [(e / (e + k - 2), 1 / (e + k - 2))

== oracle_variances_choice
* at the crossing or above | For which k
~ math.ceil(crossing) - 1 => math.ceil(crossing)
* rounded | For which k
~ math.ceil(crossing) - 1 => round(crossing)
* one less | For which k
~ math.ceil(crossing) - 1 => math.ceil(crossing) - 2
* without the 2 | For which k
~ math.exp(epsilon) + 2 => math.exp(epsilon)
* four e to the epsilon | For which k
~ 3 * math.exp => 4 * math.exp
* the other sign | For which k
~ math.exp(epsilon) + 2 => math.exp(epsilon) - 2
* with a 1 for the 2 | For which k
~ math.exp(epsilon) + 2 => math.exp(epsilon) + 1
* epsilon for its exponential | For which k
~ 3 * math.exp(epsilon) => 3 * epsilon
* not rounded | For which k
~ math.ceil(crossing) - 1 => crossing
* no more than a thousand | For which k
~ math.ceil(crossing) - 1 => min(1000, math.ceil(crossing) - 1)
* against the symmetric form | For which k
~ 3 * math.exp(epsilon) + 2 => math.exp(1.5 * epsilon) + 2
"""

ANSWERS = read_answers(__file__, RIGHT, EDITS)
