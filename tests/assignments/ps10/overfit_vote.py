"""Answers to `overfit_vote`. The mistakes: who is turned over, by which set, and ties."""

from autograder.rehearsal.catalogue import Answers, Mutant


def _vote(
    turned: str = "2 * agrees[0].sum(axis=0) < len(agrees[0])",
    right: str = "2 * (one != turned).sum(axis=1) - len(turned)",
    share: str = "float((1 + np.sign(votes)).mean() / 2)",
    variables: str = "rows[:, :-1] == rows[:, -1:]",
    before: str = "pass",
) -> str:
    """The vote with these parts."""
    return f"""
def overfit_vote(records, fresh):
    agrees = []
    for rows in (np.array(records), np.array(fresh)):
        agrees.append({variables})
    turned = {turned}
    shares = []
    for one in agrees:
        {before}
        votes = {right}
        shares.append({share})
    return shares
"""


RIGHT = {
    "agreements": _vote(),
    "record by record": """
def overfit_vote(records, fresh):
    k = len(records[0]) - 1
    turned = []
    for j in range(k):
        agreeing = sum(1 for row in records if row[j] == row[k])
        turned.append(1 if agreeing < len(records) / 2 else 0)
    shares = []
    for rows in (records, fresh):
        right = 0
        for row in rows:
            votes = sum(1 for j in range(k) if (int(row[j]) ^ turned[j]) == row[k])
            right += 1 if votes > k / 2 else 0.5 if votes == k / 2 else 0
        shares.append(right / len(rows))
    return tuple(shares)
""",
    "signs": """
def overfit_vote(records, fresh):
    def agreement(rows):
        signs = 2.0 * np.asarray(rows) - 1
        return signs[:, :-1] * signs[:, -1:]

    weights = np.where(agreement(records).sum(axis=0) >= 0, 1.0, -1.0)
    return [np.heaviside(agreement(rows) @ weights, 0.5).mean() for rows in (records, fresh)]
""",
    "columns turned over in the table": """
def overfit_vote(records, fresh):
    both = [np.array(records, dtype=int), np.array(fresh, dtype=int)]
    means = (both[0][:, :-1] == both[0][:, -1:]).mean(axis=0)
    for rows in both:
        rows[:, :-1][:, means < 0.5] ^= 1
    found = []
    for rows in both:
        ones, k = rows[:, :-1].sum(axis=1), rows.shape[1] - 1
        said = np.where(2 * ones > k, 1, np.where(2 * ones < k, 0, rows[:, -1]))
        found.append(np.mean(said == rows[:, -1]) - np.mean(2 * ones == k) / 2)
    return np.array(found)
""",
}

_CHOSEN, _FRESH = "overfit_vote_chosen", "overfit_vote_fresh"
_FEWER, _USED = "Turn over what agrees on fewer", "What is turned over is chosen"

MUTANTS = {
    "half does not vote": Mutant(
        _vote(right="(2 * one - 1.0) @ np.sign(2 * agrees[0].sum(axis=0) - len(agrees[0]))"),
        _CHOSEN,
        _FEWER,
    ),
    "half is turned over": Mutant(
        _vote("2 * agrees[0].sum(axis=0) <= len(agrees[0])"), _FRESH, _USED
    ),
    "nobody is turned over": Mutant(
        _vote("np.zeros(agrees[0].shape[1], dtype=bool)"), _CHOSEN, _FEWER
    ),
    "the better ones are": Mutant(
        _vote("2 * agrees[0].sum(axis=0) > len(agrees[0])"), _CHOSEN, _FEWER
    ),
    "ties are right": Mutant(_vote(share="float((votes >= 0).mean())"), _CHOSEN, _FEWER),
    "ties are wrong": Mutant(_vote(share="float((votes > 0).mean())"), _CHOSEN, _FEWER),
    "the mean of right votes": Mutant(
        _vote(share="float((votes / len(turned) + 1).mean() / 2)"), _CHOSEN, _FEWER
    ),
    "where most are ones": Mutant(
        _vote("2 * np.array(records)[:, :-1].sum(axis=0) < len(records)"), _CHOSEN, _FEWER
    ),
    "the label votes, too": Mutant(_vote(variables="rows == rows[:, -1:]"), _CHOSEN, _FEWER),
    "the label comes first": Mutant(_vote(variables="rows[:, 1:] == rows[:, :1]"), _CHOSEN, _FEWER),
    "a hundred variables": Mutant(
        _vote(variables="rows[:, :-1][:, :100] == rows[:, -1:]"), _CHOSEN, _FEWER
    ),
    "the best alone": Mutant(
        _vote(right="2 * (one != turned)[:, np.argmax(abs(agrees[0].mean(axis=0) - 0.5))] - 1"),
        _CHOSEN,
        _FEWER,
    ),
    "votes by weight": Mutant(
        _vote(right="(2 * one - 1.0) @ (2 * agrees[0].mean(axis=0) - 1)"), _CHOSEN, _FEWER
    ),
    "nearly half is half": Mutant(_vote("agrees[0].mean(axis=0) < 0.499"), _CHOSEN, _FEWER),
    "a hundred and ninety-nine variables": Mutant(
        _vote(variables="rows[:, :-1][:, :199] == rows[:, -1:]"), _CHOSEN, _FEWER
    ),
    "one variable alone stays": Mutant(
        _vote("(2 * agrees[0].sum(axis=0) < len(agrees[0])) & (agrees[0].shape[1] > 1)"),
        _CHOSEN,
        _FEWER,
    ),
    "turned over by either set": Mutant(
        _vote(before="turned = 2 * one.sum(axis=0) < len(one)"), _FRESH, _USED
    ),
    "chosen on fresh records": Mutant(
        _vote("2 * agrees[1].sum(axis=0) < len(agrees[1])"), _CHOSEN, _FEWER
    ),
    "chosen on all records": Mutant(
        _vote("np.concatenate(agrees).mean(axis=0) < 0.5"), _CHOSEN, _FEWER
    ),
    "fresh ones not turned over": Mutant(
        _vote(before="turned = turned & (len(shares) == 0)"), _FRESH, _USED
    ),
    "in truth one half": Mutant(
        _vote().replace("return shares", "return [shares[0], 0.5]"), _FRESH, _USED
    ),
    "of as many fresh ones": Mutant(_vote(before="one = one[: len(agrees[0])]"), _FRESH, _USED),
    "of a thousand fresh ones": Mutant(
        _vote(before="one = one[:1000] if shares else one"), _FRESH, _USED
    ),
    "a tie on a single record": Mutant(
        _vote(share="float((1 + np.sign(votes)).mean() / 2) if len(votes) > 1 else votes[0] > 0"),
        _FRESH,
        _USED,
    ),
    "exchanged": Mutant(_vote().replace("return shares", "return shares[::-1]"), _FRESH, _USED),
    "dplab's vote": Mutant(
        """
def overfit_vote(records, fresh):
    from dplab.learning import Vote

    records, fresh = np.array(records), np.array(fresh)
    means = (records[:, :-1] == records[:, -1:]).mean(axis=0)
    vote = Vote(tuple(range(len(means))), tuple(bool(mean < 0.5) for mean in means))
    return [vote(records).mean(), vote(fresh).mean()]
""",
        _CHOSEN,
        "off limits",
    ),
    "columns turned over where they are": Mutant(
        """
def overfit_vote(records, fresh):
    both = [np.asarray(records), np.asarray(fresh)]
    turned = (both[0][:, :-1] == both[0][:, -1:]).mean(axis=0) < 0.5
    shares = []
    for rows in both:
        rows[:, :-1][:, turned] ^= 1
        votes = 2 * (rows[:, :-1] == rows[:, -1:]).sum(axis=1) - len(turned)
        shares.append((1 + np.sign(votes)).mean() / 2)
    return shares
""",
        _FRESH,
        "changes what it was given",
    ),
}

ANSWERS = Answers("overfit_vote", RIGHT, MUTANTS)
