"""Answers to `sample_synthetic`. The mistakes: heights for shares, grids, draws that depend."""

from autograder.rehearsal.catalogue import Answers, Mutant


def _draw(
    p: str = "heights * widths / (heights @ widths)",
    bins: str = "rng.choice(len(widths), size, p=p)",
    result: str = "edges[bins] + widths[bins] * rng.random(size)",
) -> str:
    """The text of `sample_synthetic` with these parts."""
    return f"""
def sample_synthetic(heights, edges, size, rng):
    heights, edges = np.asarray(heights, dtype=float), np.asarray(edges, dtype=float)
    widths = np.diff(edges)
    p = {p}
    bins = {bins}
    return {result}
"""


RIGHT = {
    "the bin, then the place": _draw(),
    "by the inverse distribution function": """
def sample_synthetic(heights, edges, size, rng):
    edges = np.asarray(edges, dtype=float)
    widths = np.diff(edges)
    shares = np.asarray(heights) * widths
    shares = shares / shares.sum()
    full = shares > 0
    above = np.append(0, np.cumsum(shares[full]))
    u = above[-1] * rng.random(size)
    bins = np.minimum(np.searchsorted(above, u, side="right") - 1, full.sum() - 1)
    within = (u - above[bins]) / shares[full][bins]
    return edges[:-1][full][bins] + np.minimum(within, 1) * widths[full][bins]
""",
    "one by one": """
def sample_synthetic(heights, edges, size, rng):
    shares = [height * (edges[j + 1] - edges[j]) for j, height in enumerate(heights)]
    total = sum(shares)
    shares = [share / total for share in shares]
    cumulated = np.cumsum(shares)
    cumulated[-1] = 1
    last = max(j for j, share in enumerate(shares) if share > 0)
    drawn = []
    for _ in range(size):
        j = min(int(np.searchsorted(cumulated, rng.random(), side="right")), last)
        drawn.append(rng.uniform(edges[j], edges[j + 1]))
    return np.array(drawn)
""",
    "who trusts that the heights integrate to 1": _draw("heights * widths"),
    "uniform between the edges": _draw(result="rng.uniform(edges[bins], edges[bins + 1])"),
    "a multinomial, shuffled": """
def sample_synthetic(heights, edges, size, rng):
    edges = np.asarray(edges, dtype=float)
    shares = np.asarray(heights) * np.diff(edges)
    counts = rng.multinomial(size, shares / shares.sum())
    bins = rng.permutation(np.repeat(np.arange(len(counts)), counts))
    return edges[bins] + np.diff(edges)[bins] * rng.random(size)
""",
    "sorted numbers, shuffled in place": """
def sample_synthetic(heights, edges, size, rng):
    above = np.append(0, np.cumsum(np.asarray(heights) * np.diff(edges)))
    drawn = np.interp(np.sort(rng.random(size)) * above[-1], above, edges)
    rng.shuffle(drawn)
    return drawn
""",
    "the likeliest bins first": _draw(
        bins="np.argsort(-p)[rng.choice(len(p), size, p=np.sort(p)[::-1])]"
    ),
}

_LAW, _RANGE = "sample_synthetic_law", "sample_synthetic_range"
_INDEPENDENT, _EXACT = "sample_synthetic_independent", "sample_synthetic_exact"
_SHARE = "height times its width"
_OWN = "neither spread out nor repeated"

MUTANTS = {
    "heights for shares": Mutant(_draw("heights / heights.sum()"), _LAW, _SHARE),
    "all bins alike": Mutant(_draw("(heights > 0) / (heights > 0).sum()"), _LAW, _SHARE),
    "the middles of bins": Mutant(
        _draw(result="edges[bins] + widths[bins] / 2"), _LAW, "A bin's probability"
    ),
    "left edges": Mutant(_draw(result="edges[bins]"), _LAW, "A bin's probability"),
    "the same place in every bin": Mutant(
        _draw(result="edges[bins] + widths[bins] * rng.random()"), _LAW, "A bin's probability"
    ),
    "a tenth of each bin is left free": Mutant(
        _draw(result="edges[bins] + widths[bins] * rng.uniform(0, 0.9, size)"), _LAW, _SHARE
    ),
    "a bell in each bin": Mutant(
        _draw(result="edges[bins] + widths[bins] * rng.beta(2, 2, size)"), _LAW, _SHARE
    ),
    "one width for all": Mutant(
        _draw(result="edges[bins] + widths[0] * rng.random(size)"),
        _LAW,
        "A bin's probability",
    ),
    "the left half of narrow bins": Mutant(
        _draw(
            result="edges[bins] + widths[bins] * rng.random(size)"
            " * np.where(widths[bins] < widths.max() / 20, 0.5, 1) ** (len(p) > 100)"
        ),
        _LAW,
        "Within its bin a draw is uniform",
    ),
    "a uniform between the ends": Mutant(
        _draw(result="rng.uniform(edges[0], edges[-1], size)"), _LAW, _SHARE
    ),
    "places to two decimals": Mutant(
        _draw(result="edges[bins] + widths[bins] * np.round(rng.random(size), 2)"),
        _INDEPENDENT,
        "a place of its own",
    ),
    "rare bins left out": Mutant(
        _draw(
            "np.where(heights * widths > 0.001, heights * widths, 0)"
            " / np.where(heights * widths > 0.001, heights * widths, 0).sum()"
        ),
        _LAW,
        _SHARE,
    ),
    "every bin a little": Mutant(
        _draw("(heights * widths + 0.001) / (heights * widths + 0.001).sum()"),
        _RANGE,
        "where the density is 0",
    ),
    "shares to three decimals": Mutant(
        _draw(
            "np.round(heights * widths + 1e-9, 3) / max(np.round(heights * widths, 3).sum(), 1e-9)",
            "rng.choice(len(widths), size, p=p / p.sum())",
        ),
        _EXACT,
        _SHARE,
    ),
    "a smoothed law": Mutant(
        _draw("(heights * widths) ** 0.95 / ((heights * widths) ** 0.95).sum()"), _EXACT, _SHARE
    ),
    "the likeliest bins first, a smoothed law": Mutant(
        _draw(
            "(heights * widths) ** 0.95 / ((heights * widths) ** 0.95).sum()",
            "np.argsort(-p)[rng.choice(len(p), size, p=np.sort(p)[::-1])]",
        ),
        _EXACT,
        _SHARE,
    ),
    "no draws, no array": Mutant(
        _draw(result="(edges[bins] + widths[bins] * rng.random(size)) if size > 1 else edges[0]"),
        _RANGE,
        "should be an array of shape (1,)",
    ),
    "beyond the edges": Mutant(
        _draw(result="edges[bins] + widths[bins] * rng.uniform(-0.01, 1.01, size)"),
        _RANGE,
        "No draw may lie where the density is 0",
    ),
    "sorted": Mutant(
        _draw(result="np.sort(edges[bins] + widths[bins] * rng.random(size))"),
        _INDEPENDENT,
        _OWN,
    ),
    "bin after bin": Mutant(
        _draw(bins="np.repeat(np.arange(len(p)), rng.multinomial(size, p))"), _INDEPENDENT, _OWN
    ),
    "evenly spread": Mutant(
        """
def sample_synthetic(heights, edges, size, rng):
    shares = np.asarray(heights) * np.diff(edges)
    above = np.append(0, np.cumsum(shares / shares.sum()))
    u = rng.permutation((np.arange(size) + rng.random(size)) / size)
    return np.interp(u, above, edges)
""",
        _INDEPENDENT,
        _OWN,
    ),
    "evenly spread, from ten on": Mutant(
        """
def sample_synthetic(heights, edges, size, rng):
    shares = np.asarray(heights) * np.diff(edges)
    above = np.append(0, np.cumsum(shares / shares.sum()))
    u = rng.random(size)
    if size >= 10:
        u = rng.permutation((np.arange(size) + u) / size)
    return np.interp(u, above, edges)
""",
        _INDEPENDENT,
        "Every draw needs a bin and a place of its own",
    ),
    "numbers of people rounded": Mutant(
        _draw(
            bins="rng.permutation(np.resize(np.repeat(np.arange(len(p)),"
            " np.round(p * size).astype(int) + (p == p.max())), size))"
        ),
        _INDEPENDENT,
        _OWN,
    ),
    "a thousand draws again and again": Mutant(
        _draw(result="np.resize((edges[bins] + widths[bins] * rng.random(size))[:1000], size)"),
        _INDEPENDENT,
        "Every draw needs a bin and a place of its own",
    ),
    "each draw and its mirror image": Mutant(
        """
def sample_synthetic(heights, edges, size, rng):
    shares = np.asarray(heights) * np.diff(edges)
    above = np.append(0, np.cumsum(shares / shares.sum()))
    u = rng.random(-(-size // 2))
    return np.interp(np.concatenate([u, 1 - u])[:size], above, edges)
""",
        _INDEPENDENT,
        _OWN,
    ),
    "a generator of its own": Mutant(
        _draw().replace("    widths", "    rng = np.random.default_rng(1)\n    widths"),
        _EXACT,
        "gives the same result for two seeds",
    ),
    "the global generator for the places": Mutant(
        _draw(result="edges[bins] + widths[bins] * np.random.random(size)"),
        _EXACT,
        "gives two results for one seed",
    ),
    "dplab's law": Mutant(
        """
def sample_synthetic(heights, edges, size, rng):
    from dplab import PiecewiseConstant

    return PiecewiseConstant(np.asarray(edges, dtype=float), np.log(heights)).sample(rng, size)
""",
        _LAW,
        "off limits",
    ),
    "a fiftieth of each bin is left free": Mutant(
        _draw(result="edges[bins] + widths[bins] * rng.uniform(0, 0.98, size)"),
        _LAW,
        "over all of the bin",
    ),
    "the first again at the end": Mutant(
        _draw(
            result="(edges[bins] + widths[bins] * rng.random(size))"
            "[np.arange(size) % max(2, size - 1)]"
        ),
        _INDEPENDENT,
        "Every draw needs a bin and a place of its own",
    ),
    "the bin of the first again at the end": Mutant(
        _draw(bins="rng.choice(len(p), size, p=p)[np.arange(size) % max(2, size - 1)]"),
        _INDEPENDENT,
        _OWN,
    ),
    "eight thousand draws, and then again": Mutant(
        _draw(result="np.resize((edges[bins] + widths[bins] * rng.random(size))[:8000], size)"),
        _INDEPENDENT,
        "Every draw needs a bin and a place of its own",
    ),
    "places again after eight thousand draws": Mutant(
        _draw(result="edges[bins] + widths[bins] * np.resize(rng.random(min(size, 8000)), size)"),
        _INDEPENDENT,
        "Every draw needs a bin and a place of its own",
    ),
    "evenly spread, from a hundred on": Mutant(
        """
def sample_synthetic(heights, edges, size, rng):
    shares = np.asarray(heights) * np.diff(edges)
    above = np.append(0, np.cumsum(shares / shares.sum()))
    u = rng.random(size)
    if size >= 100:
        u = rng.permutation((np.arange(size) + u) / size)
    bins = np.clip(np.searchsorted(above, u, side="right") - 1, 0, np.flatnonzero(shares)[-1])
    within = np.clip((u - above[bins]) / np.diff(above)[bins], 0, 1)
    return np.asarray(edges)[bins] + within * np.diff(edges)[bins]
""",
        _INDEPENDENT,
        "Chance doesn't fill bins evenly",
    ),
    "numbers of people rounded, from a hundred on": Mutant(
        _draw(
            bins="np.repeat(np.arange(len(p)), np.floor(p * size * (size >= 100)).astype(int))\n"
            "    bins = np.append(bins, rng.choice(len(p), size - len(bins), p=p))\n"
            "    bins = rng.permutation(bins)"
        ),
        _INDEPENDENT,
        "Chance doesn't fill bins evenly",
    ),
    "one seed of 65,536 for each call": Mutant(
        _draw().replace(
            "    widths", "    rng = np.random.default_rng(rng.integers(2**16))\n    widths"
        ),
        _INDEPENDENT,
        "calls repeat what others gave",
    ),
    "bins rarer than 0.0002 left out, by the inverse distribution function": Mutant(
        _draw(
            p="np.cumsum(np.where(heights * widths < 2e-4, 0, heights * widths))",
            bins='np.searchsorted(p / p[-1], rng.random(size), side="right")',
        ),
        _LAW,
        "bins of probability 0.000005 each",
    ),
}

ANSWERS = Answers("sample_synthetic", RIGHT, MUTANTS)
