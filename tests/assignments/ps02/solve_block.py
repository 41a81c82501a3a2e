"""Answers to `solve_block`. The mistakes: a table unread, people lost or twice, one block only."""

from autograder.rehearsal.catalogue import Answers, Mutant

MEAN = 'abs(np.mean(found) - table["mean"]) < 1e-6'
MEDIAN = 'abs(np.median(found) - table["median"]) < 1e-6'
LOWER = "sorted(found)[(len(found) - 1) // 2]"


def _solve(
    mean: str = f'(table["mean"] is None or {MEAN})',
    median: str = f'(table["median"] is None or {MEDIAN})',
    choose: str = "combinations_with_replacement(ages, table['count'])",
    whole: str = 'agrees(tables["all"], women + men)',
    result: str = "sorted(blocks)",
) -> str:
    """The text of `solve_block` with these conditions."""
    return f"""
def solve_block(ages, tables):
    def agrees(table, found):
        return len(found) == table["count"] and {mean} and {median}

    def choices(table):
        return [c for c in {choose} if agrees(table, c)]

    blocks = []
    for women in choices(tables["women"]):
        for men in choices(tables["men"]):
            if {whole}:
                blocks.append([(0, a) for a in women] + [(1, a) for a in men])
    return {result}
"""


RIGHT = {
    "choices of women and of men": _solve(),
    "all blocks, then a sieve": """
def solve_block(ages, tables):
    people = list(product((0, 1), ages))
    groups = {"all": (0, 1), "women": (0,), "men": (1,)}
    found = []
    for block in combinations_with_replacement(people, tables["all"]["count"]):
        fits = True
        for name, sexes in groups.items():
            table, own = tables[name], [age for sex, age in block if sex in sexes]
            if len(own) != table["count"]:
                fits = False
            elif table["mean"] is not None and not math.isclose(
                sum(own) / len(own), table["mean"], abs_tol=1e-6
            ):
                fits = False
            elif table["median"] is not None and np.median(own) != table["median"]:
                fits = False
        if fits:
            found.append(list(block))
    return found
""",
    "a search that adds one person at a time": """
def solve_block(ages, tables):
    people = [(sex, age) for sex in (0, 1) for age in ages]
    result = []

    def ages_of(block, sexes):
        return sorted(age for sex, age in block if sex in sexes)

    def middle(values):
        n = len(values)
        return (values[(n - 1) // 2] + values[n // 2]) / 2

    def fits(block):
        for name, sexes in (("all", {0, 1}), ("women", {0}), ("men", {1})):
            own, table = ages_of(block, sexes), tables[name]
            if len(own) != table["count"]:
                return False
            mean, median = table["mean"], table["median"]
            if mean is not None and abs(sum(own) - len(own) * mean) > 1e-5:
                return False
            if median is not None and middle(own) != median:
                return False
        return True

    def extend(block, start):
        if len(block) == tables["all"]["count"]:
            if fits(block):
                result.append(list(block))
            return
        for i in range(start, len(people)):
            extend(block + [people[i]], i)

    extend([], 0)
    return result
""",
}

MUTANTS = {
    "the first block only": Mutant(
        _solve(result="sorted(blocks)[:1]"),
        "solve_block_example",
        "it is an array of shape (1, 3, 2)",
    ),
    "medians unread": Mutant(
        _solve(median="True"), "solve_block_tables", "Compare the mean and the median"
    ),
    "means unread": Mutant(
        _solve(mean="True"), "solve_block_tables", "Compare the mean and the median"
    ),
    "the table of all unread": Mutant(
        _solve(whole="True"), "solve_block_tables", "of the men, and of all"
    ),
    "of all only the count": Mutant(
        _solve(whole='tables["all"]["count"] == len(women + men)'),
        "solve_block_tables",
        "of the men, and of all",
    ),
    "everybody of another age": Mutant(
        _solve(
            choose="[c for c in product(ages, repeat=table['count']) if list(c) == sorted(set(c))]"
        ),
        "solve_block_all",
        "Two people may have the same age",
    ),
    "every order a block": Mutant(
        _solve(choose="product(ages, repeat=table['count'])"),
        "solve_block_all",
        "no block is there twice",
    ),
    "the lower of the middle two": Mutant(
        _solve(median=f'(table["median"] is None or {LOWER} == table["median"])'),
        "solve_block_tables",
        "Compare the mean and the median",
    ),
    "a None is a zero": Mutant(
        _solve(mean='abs(np.mean(found) - (table["mean"] or 0)) < 1e-6'),
        "solve_block_example",
        "it is an array of shape (0,)",
    ),
    "men first": Mutant(
        _solve().replace(
            "[(0, a) for a in women] + [(1, a) for a in men]",
            "[(1, a) for a in men] + [(0, a) for a in women]",
        ),
        "solve_block_example",
        "Women before men",
    ),
    "the sexes exchanged": Mutant(
        _solve()
        .replace("(0, a) for a in women", "(1, a) for a in women")
        .replace("(1, a) for a in men", "(0, a) for a in men"),
        "solve_block_example",
        "it is [[[1, 25], [0, 60]]]",
    ),
    "ages without sexes": Mutant(
        _solve().replace("[(0, a) for a in women] + [(1, a) for a in men]", "list(women + men)"),
        "solve_block_example",
        "it is an array of shape (1, 2)",
    ),
    "how many blocks": Mutant(
        _solve(result="len(blocks)"), "solve_block_example", "it is one number"
    ),
    "contradictions raise": Mutant(
        _solve().replace(
            "    return sorted(blocks)",
            '    if not blocks:\n        raise ValueError("no block")\n    return sorted(blocks)',
        ),
        "solve_block_infeasible",
        "raised ValueError: no block",
    ),
    "contradictions are an empty block": Mutant(
        _solve(result="sorted(blocks) or [[]]"),
        "solve_block_infeasible",
        "the list of them is empty",
    ),
    "the count of all unread": Mutant(
        _solve(whole='agrees({**tables["all"], "count": len(women + men)}, women + men)'),
        "solve_block_infeasible",
        "No block agrees with all of the tables",
    ),
    "a mean of nought is suppressed": Mutant(
        _solve(mean=f'(not table["mean"] or {MEAN})'), "solve_block_tables", "A mean of 0"
    ),
    "a median of nought is suppressed": Mutant(
        _solve(median=f'(not table["median"] or {MEDIAN})'), "solve_block_tables", "A mean of 0"
    ),
    "means to the bit": Mutant(
        _solve(mean='table["mean"] in (None, np.mean(found) if found else None)'),
        "solve_block_tables",
        "right to a millionth",
    ),
    "means to the year": Mutant(
        _solve(mean='(table["mean"] is None or round(np.mean(found)) == round(table["mean"]))'),
        "solve_block_tables",
        "Compare the mean and the median",
    ),
    "medians to the year": Mutant(
        _solve(median='(table["median"] is None or int(np.median(found)) == int(table["median"]))'),
        "solve_block_tables",
        "Compare the mean and the median",
    ),
    "the men's median unread": Mutant(
        _solve().replace('choices(tables["men"])', 'choices({**tables["men"], "median": None})'),
        "solve_block_all",
        "every table's mean and median",
    ),
    "the men's mean unread": Mutant(
        _solve().replace('choices(tables["men"])', 'choices({**tables["men"], "mean": None})'),
        "solve_block_tables",
        "Compare the mean and the median",
    ),
    "the women's median unread": Mutant(
        _solve().replace(
            'choices(tables["women"])', 'choices({**tables["women"], "median": None})'
        ),
        "solve_block_tables",
        "Compare the mean and the median",
    ),
    "of all the mean unread": Mutant(
        _solve(whole='agrees({**tables["all"], "mean": None}, women + men)'),
        "solve_block_tables",
        "Compare the mean and the median",
    ),
    "a hundred blocks at most": Mutant(
        _solve(result="sorted(blocks)[:100]"), "solve_block_all", "ten ages and three people"
    ),
    "four people at most": Mutant(
        _solve(result="sorted(blocks) if tables['all']['count'] < 5 else []"),
        "solve_block_all",
        "no block is there twice",
    ),
    "two of one age at most": Mutant(
        _solve(
            choose="[c for c in combinations_with_replacement(ages, table['count'])"
            " if all(c.count(a) < 3 for a in c)]"
        ),
        "solve_block_all",
        "Two people may have the same age",
    ),
    "dplab's own": Mutant(
        """
from dplab.attacks.census_block import Statistic, consistent_blocks


def solve_block(ages, tables):
    groups = {"all": {}, "women": {1: 0}, "men": {1: 1}}
    wanted = [Statistic(groups[name], table["count"]) for name, table in tables.items()]
    found = consistent_blocks(wanted, [(age, sex) for age in ages for sex in (0, 1)])
    return [[(sex, age) for age, sex in block] for block in found.blocks]
""",
        "solve_block_example",
        "is off limits in an answer",
    ),
    "no median beside a mean": Mutant(
        _solve(median=f'(table["median"] is None or table["mean"] is not None or {MEDIAN})'),
        "solve_block_all",
        "both count",
    ),
    "no median of men beside a mean": Mutant(
        _solve(
            median=f'(table is tables["men"] and table["mean"] is not None'
            f' or table["median"] is None or {MEDIAN})'
        ),
        "solve_block_all",
        "both count",
    ),
    "no mean of all beside a median": Mutant(
        _solve(
            mean=f'(table is tables["all"] and table["median"] is not None'
            f' or table["mean"] is None or {MEAN})'
        ),
        "solve_block_all",
        "both count",
    ),
    "a thousand blocks at most": Mutant(
        _solve(result="sorted(blocks)[:1000]"), "solve_block_all", "However many women and men"
    ),
    "four of one sex at most": Mutant(
        _solve(choose="combinations_with_replacement(ages, min(table['count'], 4))"),
        "solve_block_all",
        "However many women and men",
    ),
    "means to a twentieth": Mutant(
        _solve(mean=f'(table["mean"] is None or {MEAN.replace("1e-6", "0.05")})'),
        "solve_block_infeasible",
        "a ten-thousandth of a year",
    ),
    "means to one decimal": Mutant(
        _solve(
            mean='(table["mean"] is None or round(np.mean(found), 1) == round(table["mean"], 1))'
        ),
        "solve_block_infeasible",
        "a ten-thousandth of a year",
    ),
    "means that are close": Mutant(
        _solve(mean='(table["mean"] is None or np.isclose(np.mean(found), table["mean"]))'),
        "solve_block_infeasible",
        "a ten-thousandth of a year",
    ),
    "statistics in the order of a table": Mutant(
        _solve().replace(
            "    def agrees(table, found):\n",
            """    def agrees(table, found):
        table = dict(zip(("count", "mean", "median"), table.values()))
""",
        ),
        "solve_block_infeasible",
        "Look values up by their names",
    ),
    "tables taken out of the dict": Mutant(
        _solve(whole="agrees(everybody, women + men)").replace(
            "    blocks = []", "    everybody, blocks = tables.pop('all'), []"
        ),
        "solve_block_example",
        "changes what it was given",
    ),
}

ANSWERS = Answers("solve_block", RIGHT, MUTANTS)
