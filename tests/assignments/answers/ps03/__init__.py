"""Answers to problem set 3."""

MAY_SUFFER = {"respond": ["slope"], "debias": ["slope"]}  # it may use both

# The tests that a wrong answer fails or passes by chance, beside the one that must find it: coins
# that are used again come up in shares that fit the law or don't, here or there, thirty errors of
# each size lie on a line of another slope or don't, and one survey is an average one.
BY_CHANCE = {
    ("respond", "coins used again after 1,023"): {"respond_law", "respond_exact"},
    ("respond", "coins used again after 3,001"): {"respond_law", "respond_exact"},
    ("slope", "thirty errors of each size"): {"slope_measured"},
    ("slope", "one survey, many times"): {"slope_exact"},
}
