"""A problem set with what the others don't have: partial credit, points that a last line computes,
checks with hints, helpers that tests share, imports that aren't locked, and generators.
"""

SECRET = 7351
TEXTS = [
    ("markdown", "title", "# Parts", {}),
    ("code", "setup", "from autograder import checks", {"locked": True}),
    ("code", "imports", "import math\n\nimport numpy as np", {}),
    (
        "code",
        "scale",
        "def scale(values, factor):\n    ### BEGIN SOLUTION\n"
        "    return [factor * value for value in values]\n    ### END SOLUTION",
        {"solution": True},
    ),
    (
        "code",
        "scale_parts",
        "def expect(values, factor, wanted, hint):\n"
        "    checks.call(scale, values, factor).gives(wanted, hint)\n\n\n"
        "points = checks.Points()\n"
        'with points.part(1):\n    expect([1, 2], 3, [3, 6], "Each value times the factor.")\n'
        f"### BEGIN HIDDEN TESTS\nLARGE = {SECRET}\n"
        "with points.part(1):\n"
        '    expect([2], LARGE, [2 * LARGE], "A large factor.")\n'
        'with points.part(1):\n    expect([], LARGE, [], "No values.")\n'
        "### END HIDDEN TESTS\npoints",
        {"grade": True, "locked": True, "points": 3},
    ),
    (
        "code",
        "scale_hidden",
        '### BEGIN HIDDEN TESTS\nexpect([1], LARGE, [LARGE], "One value.")\n### END HIDDEN TESTS',
        {"grade": True, "locked": True, "points": 2},
    ),
    (
        "code",
        "near",
        "def near(x):\n    ### BEGIN SOLUTION\n    return math.sqrt(x)\n    ### END SOLUTION",
        {"solution": True},
    ),
    ("code", "near_two", "2 - abs(near(4) - 2)", {"grade": True, "locked": True, "points": 2}),
    (
        "code",
        "near_close",
        "assert math.isclose(near(9), 3) and np.allclose(near(16), 4)",
        {"grade": True, "locked": True, "points": 1},
    ),
    (
        "code",
        "draw",
        "def draw(rng):\n    ### BEGIN SOLUTION\n    return rng.random()\n    ### END SOLUTION",
        {"solution": True},
    ),
    (
        "code",
        "draw_foreseen",
        "rng = checks.generator()\ndrawn = draw(rng)\n"
        "assert 0 <= drawn < 1 and rng.random() != draw(np.random.default_rng(1))\n"
        "checks.call(draw, checks.Scripted(random=[0.25])).gives(0.25)",
        {"grade": True, "locked": True, "points": 1},
    ),
]
SOLUTIONS = {
    "scale": "def scale(values, factor):\n    return [factor * value for value in values]",
    "near": "def near(x):\n    return math.sqrt(x)",
    "draw": "def draw(rng):\n    return rng.random()",
}
