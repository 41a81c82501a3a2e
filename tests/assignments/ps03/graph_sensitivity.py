"""Answers to `edge_sensitivity`, `node_sensitivity`. The mistakes: who is whose neighbour."""

from autograder.rehearsal.catalogue import Answers, Mutant


def _both(
    edge: str = "len(changed) == 1",
    node: str = "any(all(person in pair for pair in changed) for person in range(n))",
    distance: str = "np.abs(np.subtract(answers[g], answers[h])).sum()",
) -> str:
    """The text of both functions, with conditions on `changed`, the pairs in which g, h differ."""
    text = """
def {name}_sensitivity(answers, n):
    pairs = list(combinations(range(n), 2))
    graphs = list(answers)
    largest = 0
    for i, g in enumerate(graphs):
        for h in graphs[i + 1 :]:
            changed = [pair for pair, a, b in zip(pairs, g, h) if a != b]
            if {condition}:
                largest = max(largest, {distance})
    return largest
"""
    return "\n".join(
        text.format(name=name, condition=condition, distance=distance)
        for name, condition in (("edge", edge), ("node", node))
    )


RIGHT = {
    "all pairs of graphs": _both(),
    "neighbours made": """
def distance(s, t):
    return sum(abs(a - b) for a, b in zip(np.ravel(s), np.ravel(t)))


def flipped(graph, places):
    return tuple(1 - there if i in places else there for i, there in enumerate(graph))


def edge_sensitivity(answers, n):
    places = range(n * (n - 1) // 2)
    return max(distance(answers[g], answers[flipped(g, {i})]) for g in answers for i in places)


def node_sensitivity(answers, n):
    largest = 0
    for person in range(n):
        own = [i for i, pair in enumerate(combinations(range(n), 2)) if person in pair]
        for chosen in product([False, True], repeat=len(own)):
            places = {i for i, change in zip(own, chosen) if change}
            for g in answers:
                largest = max(largest, distance(answers[g], answers[flipped(g, places)]))
    return largest
""",
    "what stays the same": """
def edge_sensitivity(answers, n):
    moves = [0.0]
    for g, h in combinations(answers.items(), 2):
        if sum(a != b for a, b in zip(g[0], h[0])) == 1:
            moves.append(np.abs(np.array(g[1]) - np.array(h[1])).sum())
    return max(moves)


def node_sensitivity(answers, n):
    largest = 0.0
    for person in range(n):
        groups = {}
        for graph, answer in answers.items():
            rest = tuple(
                there
                for there, pair in zip(graph, combinations(range(n), 2))
                if person not in pair
            )
            groups.setdefault(rest, []).append(np.ravel(answer))
        for group in groups.values():
            for s, t in combinations(group, 2):
                largest = max(largest, np.abs(s - t).sum())
    return float(largest)
""",
}

MUTANTS = {
    "any two graphs": Mutant(_both(edge="True"), "graph_sensitivity_edge", "should be 1, it is 6"),
    "friendships that come, never go": Mutant(
        _both(distance="np.subtract(answers[h], answers[g]).sum()"),
        "graph_sensitivity_edge",
        "Neighbours differ in one pair",
    ),
    "the average move": Mutant(
        _both()
        .replace("largest = max(largest, ", "moves.append(")
        .replace("largest = 0", "moves = []")
        .replace("return largest", "return np.mean(moves)"),
        "graph_sensitivity_edge",
        "should be 2, it is 0.5",
    ),
    "the whole range": Mutant(
        """
def edge_sensitivity(answers, n):
    return max(answers.values()) - min(answers.values())


def node_sensitivity(answers, n):
    return max(answers.values()) - min(answers.values())
""",
        "graph_sensitivity_edge",
        "should be 1, it is 6",
    ),
    "always the count of friendships": Mutant(
        """
def edge_sensitivity(answers, n):
    return 1


def node_sensitivity(answers, n):
    return n - 1
""",
        "graph_sensitivity_edge",
        "should be 2, it is 1",
    ),
    "as many friendships": Mutant(
        _both(edge="abs(sum(g) - sum(h)) == 1"), "graph_sensitivity_edge", "Neighbours differ in"
    ),
    "from the empty graph": Mutant(
        _both(edge="len(changed) == 1 and sum(g) == 0"),
        "graph_sensitivity_edge",
        "should be 2, it is 0",
    ),
    "one pair of the person": Mutant(
        _both(node="len(changed) == 1"), "graph_sensitivity_node", "should be 3, it is 1"
    ),
    "any two graphs for nodes": Mutant(
        _both(node="True"), "graph_sensitivity_node", "should be 3, it is 6"
    ),
    "the last person only": Mutant(
        _both(node="all(n - 1 in pair for pair in changed)"),
        "graph_sensitivity_node",
        "any of that person",
    ),
    "the person leaves": Mutant(
        _both(
            node="any(all(p in pair for pair in changed) and not any(there and p in pair "
            "for pair, there in zip(pairs, g)) for p in range(n))"
        ),
        "graph_sensitivity_node",
        "any of that person",
    ),
    "pairs that touch": Mutant(
        _both(node="all(set(a) & set(b) for a, b in combinations(changed, 2))"),
        "graph_sensitivity_node",
        "should be 3, it is 4",
    ),
    "n - 1 times as much": Mutant(
        _both().partition("def node")[0]
        + """
def node_sensitivity(answers, n):
    return (n - 1) * edge_sensitivity(answers, n)
""",
        "graph_sensitivity_node",
        "should be 3, it is 6",
    ),
    "n - 1 pairs or fewer": Mutant(
        _both(node="len(changed) <= n - 1"), "graph_sensitivity_node", "should be 3, it is 4"
    ),
    "the largest of the numbers": Mutant(
        _both(distance="np.abs(np.subtract(answers[g], answers[h])).max()"),
        "graph_sensitivity_lists",
        "should be 2, it is 1",
    ),
    "the length of the move": Mutant(
        _both(distance="np.linalg.norm(np.subtract(answers[g], answers[h]))"),
        "graph_sensitivity_lists",
        "should be 2, it is 1.414",
    ),
    "the move of the mean": Mutant(
        _both(distance="abs(np.mean(answers[g]) - np.mean(answers[h]))"),
        "graph_sensitivity_lists",
        "should be 2, it is 0.5",
    ),
    "numbers only": Mutant(
        _both(distance="abs(answers[g] - answers[h])"),
        "graph_sensitivity_lists",
        "raised TypeError",
    ),
    # Right where a test usually looks.
    "graphs in the order of counting": Mutant(
        """
def edge_sensitivity(answers, n):
    values = list(answers.values())
    flips = [1 << place for place in range(math.comb(n, 2))]
    return max(np.abs(np.subtract(values[g], values[g ^ flip])).sum()
               for g in range(len(values)) for flip in flips)


"""
        + _both().partition("\n\n")[2],
        "graph_sensitivity_edge",
        "Neighbours differ in one pair",
    ),
    "the first five pairs": Mutant(
        _both(edge="len(changed) == 1 and g[5:] == h[5:]"),
        "graph_sensitivity_edge",
        "Neighbours differ in one pair",
    ),
    "whole numbers": Mutant(
        _both(distance="int(np.abs(np.subtract(answers[g], answers[h])).sum())"),
        "graph_sensitivity_lists",
        "the sum of all |differences|",
    ),
    "friends of the person with the fewest": Mutant(
        _both(
            node="len(changed) < 3 and any(all(p in pair for pair in changed) for p in range(n))"
        ),
        "graph_sensitivity_node",
        "should be 3, it is",
    ),
    "all pairs of the person or one": Mutant(
        _both(
            node="len(changed) in (1, n - 1) and "
            "any(all(p in pair for pair in changed) for p in range(n))"
        ),
        "graph_sensitivity_node",
        "any of that person's pairs",
    ),
    "everybody but the last": Mutant(
        _both(node="any(all(p in pair for pair in changed) for p in range(n - 1))"),
        "graph_sensitivity_node",
        "any of that person's pairs",
    ),
    "triangles too": Mutant(
        _both(
            node="all(set(a) & set(b) for a, b in combinations(changed, 2)) and "
            "(n < 4 or len(changed) < 3 or any(all(p in q for q in changed) for p in range(n)))"
        ),
        "graph_sensitivity_node",
        "no others",
    ),
    "numbers and short lists": Mutant(
        _both(distance="np.abs(np.subtract(answers[g], answers[h])).ravel()[:4].sum()"),
        "graph_sensitivity_lists",
        "the sum of all |differences|",
    ),
    "rounded to six digits": Mutant(
        _both(distance="round(float(np.abs(np.subtract(answers[g], answers[h])).sum()), 6)"),
        "graph_sensitivity_lists",
        "the sum of all |differences|",
    ),
    "dplab's own": Mutant(
        """
def of(relation, answers, n):
    from dplab.graphs import FRIENDS
    from dplab.neighbors import sensitivity

    def query(graph):
        return answers[tuple(int(pair in graph.edges) for pair in combinations(range(n), 2))]

    return sensitivity(query, relation, FRIENDS, n)


def edge_sensitivity(answers, n):
    from dplab.graphs import EDGE

    return of(EDGE, answers, n)


def node_sensitivity(answers, n):
    from dplab.graphs import NODE

    return of(NODE, answers, n)
""",
        "graph_sensitivity_edge",
        "off limits",
    ),
}

ANSWERS = Answers("graph_sensitivity", RIGHT, MUTANTS)
