"""Answers to `threshold_dimension`. The mistakes: the definition's edge, order, what is free."""

from autograder.rehearsal.catalogue import Answers, Mutant


def _search(
    patterns: str = "int(i <= j)",
    chosen: str = "itertools.permutations(range(points), k)",
    most: str = "points",
    result: str = "k",
) -> str:
    """All points in all orders, with these parts."""
    return f"""
def threshold_dimension(table):
    rows = {{tuple(map(int, row)) for row in table}}
    points = len(next(iter(rows), ()))
    for k in range({most}, 0, -1):
        wanted = {{tuple({patterns} for j in range(k)) for i in range(k)}}
        for chosen in {chosen}:
            if wanted <= {{tuple(row[x] for x in chosen) for row in rows}}:
                return {result}
    return 0
"""


RIGHT = {
    "all points in all orders": _search(most="min(points, len(rows))"),
    "built up": """
def threshold_dimension(table):
    rows = {tuple(map(bool, row)) for row in table}

    def longer(common, candidates):
        best = 0
        for row in candidates:
            for x in common:
                if row[x]:
                    left = [y for y in common if row[y] and y != x]
                    best = max(best, 1 + longer(left, [r for r in candidates if not r[x]]))
        return best

    return longer(range(len(next(iter(rows), ()))), rows)
""",
    "point by point": """
def threshold_dimension(table):
    if len(table) == 0:
        return 0
    table = np.unique(np.asarray(table, dtype=int), axis=0)
    points = table.shape[1]

    def extend(chosen):
        # h_1 is 1 on all of them, and h_i is the first one that is 1 on the i-th.
        part, k = table[:, chosen], len(chosen)
        found = k if all((part == (np.arange(k) >= i)).all(axis=1).any() for i in range(k)) else 0
        if found < k:
            return 0
        return max([found] + [extend([*chosen, x]) for x in range(points) if x not in chosen])

    return extend([])
""",
    "bits": """
def threshold_dimension(table):
    rows = sorted({sum(int(bool(e)) << x for x, e in enumerate(row)) for row in table})

    @functools.cache
    def most(common, zero):
        best = 0
        for row in rows:
            new = row & common
            if not row & zero:
                for x in range(7):
                    if new >> x & 1:
                        best = max(best, 1 + most(new & ~(1 << x), zero | 1 << x))
        return best

    return most(127, 0)
""",
}

_SMALL, _ANY = "threshold_dimension_small", "threshold_dimension_any"
_EXACTLY, _ORDER = "h_i(x_j) is 1 exactly if", "Any rows and any columns"

MUTANTS = {
    "i below j": Mutant(_search("int(i < j)"), _SMALL, _EXACTLY),
    "points in their order": Mutant(
        _search(chosen="itertools.combinations(range(points), k)"), _SMALL, _EXACTLY
    ),
    "all pairs of labels": Mutant(
        """
def threshold_dimension(table):
    rows = {tuple(map(int, row)) for row in table}
    points = len(next(iter(rows), ()))
    for k in range(points, 0, -1):
        for chosen in itertools.combinations(range(points), k):
            if len({tuple(row[x] for x in chosen) for row in rows}) == 2**k:
                return k
    return 0
""",
        _SMALL,
        _EXACTLY,
    ),
    "k + 1 different rows": Mutant(
        """
def threshold_dimension(table):
    rows = {tuple(map(int, row)) for row in table}
    points = len(next(iter(rows), ()))
    for k in range(points, 0, -1):
        for chosen in itertools.permutations(range(points), k):
            if len({tuple(row[x] for x in chosen) for row in rows}) > k:
                return k
    return 0
""",
        _SMALL,
        _EXACTLY,
    ),
    "adjacent points only": Mutant(
        _search(chosen="[range(a, a + k) for a in range(points - k + 1)]"), _ANY, _ORDER
    ),
    "a chain of the whole rows": Mutant(
        """
def threshold_dimension(table):
    rows = sorted({tuple(map(int, row)) for row in table}, key=sum)
    longest = {}
    for row in rows:
        below = [longest[r] for r in longest if all(a <= b for a, b in zip(r, row))]
        longest[row] = (sum(row) > 0) + max(below, default=0)
    return max(longest.values(), default=0)
""",
        _ANY,
        _ORDER,
    ),
    "the greedy way": Mutant(
        """
def threshold_dimension(table):
    rows = sorted({tuple(map(int, row)) for row in table}, key=sum, reverse=True)
    common, zero, k = list(range(len(rows[0]) if rows else 0)), [], 0
    for row in rows:
        left = [x for x in common if row[x]]
        if left and not any(row[x] for x in zero):
            zero.append(left[0])
            common, k = left[1:], k + 1
    return k
""",
        _SMALL,
        _EXACTLY,
    ),
    "one of the three rows with the most ones": Mutant(
        RIGHT["built up"].replace(
            "in candidates:", "in sorted(candidates, key=lambda r: -sum(r[x] for x in common))[:3]:"
        ),
        _ANY,
        _ORDER,
    ),
    "the logarithm": Mutant(
        """
def threshold_dimension(table):
    rows = {tuple(map(int, row)) for row in table}
    return len(rows).bit_length() - 1
""",
        _SMALL,
        _EXACTLY,
    ),
    "the mirror image counts, too": Mutant(
        _search()
        .replace(
            "for chosen in",
            "mirrored = {tuple(1 - e for e in one) for one in wanted}\n        for chosen in",
        )
        .replace(
            "            if wanted <= {tuple(row[x] for x in chosen) for row in rows}:",
            "            seen = {tuple(row[x] for x in chosen) for row in rows}\n"
            "            if wanted <= seen or mirrored <= seen:",
        ),
        _SMALL,
        _EXACTLY,
    ),
    "five at most": Mutant(_search(most="min(points, 5)"), _ANY, _ORDER),
    "the first sixteen rows": Mutant(
        RIGHT["built up"].replace("in table}", "in table[:16]}"), _ANY, _ORDER
    ),
    "dplab's function": Mutant(
        """
def threshold_dimension(table):
    from dplab import learning

    return learning.threshold_dimension(np.array(table, dtype=bool)) if len(table) else 0
""",
        _SMALL,
        "off limits",
    ),
    "rows sorted where they are": Mutant(
        _search().replace(
            "    rows = ",
            "    table = table if isinstance(table, list) else table.tolist()\n"
            "    table.sort()\n"
            "    rows = ",
        ),
        _SMALL,
        "changes what it was given",
    ),
}

ANSWERS = Answers("threshold_dimension", RIGHT, MUTANTS)
