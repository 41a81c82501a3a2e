"""Wrong answers to the blank of lesson 20, which its check turns away."""

WRONG = {
    "majority": [
        """
def majority(rules, sample, x):
    return int(sum(rule[x] for rule in rules) > len(rules) / 2)
""",
        """
def majority(rules, sample, x):
    fit = [rule for rule in rules if all(rule[a] == y for a, y in sample)]
    return int(sum(rule[x] for rule in fit) >= len(fit) / 2)
""",
        """
def majority(rules, sample, x):
    fit = [rule for rule in rules if any(rule[a] == y for a, y in sample)]
    return int(sum(rule[x] for rule in fit) > len(fit) / 2)
""",
        """
def majority(rules, sample, x):
    fit = [rule for rule in rules if all(rule[a] == y for a, y in sample)]
    return int(fit[0][x])
""",
        """
def majority(rules, sample, x):
    fit = [rule for rule in rules if all(rule[a] == y for a, y in sample)]
    return int(sum(rule[x] for rule in fit) > len(rules) / 2)
""",
    ]
}
