"""Answers to `overfit_vote`. The mistakes: who is turned over, by which set, and ties."""

from tests.assignments.edits import read_answers

RIGHT = {
    "agreements": """
def overfit_vote(records, fresh):
    agrees = []
    for rows in (np.array(records), np.array(fresh)):
        agrees.append(rows[:, :-1] == rows[:, -1:])
    turned = 2 * agrees[0].sum(axis=0) < len(agrees[0])
    shares = []
    for one in agrees:
        pass
        votes = 2 * (one != turned).sum(axis=1) - len(turned)
        shares.append(float((1 + np.sign(votes)).mean() / 2))
    return shares
""",
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

EDITS = """
== overfit_vote_chosen
* half does not vote | Turn over what agrees on fewer
-        votes = 2 * (one != turned).sum(axis=1) - len(turned)
+        votes = (2 * one - 1.0) @ np.sign(2 * agrees[0].sum(axis=0) - len(agrees[0]))
* nobody is turned over | Turn over what agrees on fewer
~ 2 * agrees[0].sum(axis=0) < len(agrees[0]) => np.zeros(agrees[0].shape[1], dtype=bool)
* the better ones are | Turn over what agrees on fewer
~ (axis=0) < len => (axis=0) > len
* ties are right | Turn over what agrees on fewer
~ (1 + np.sign(votes)).mean() / 2 => (votes >= 0).mean()
* ties are wrong | Turn over what agrees on fewer
~ (1 + np.sign(votes)).mean() / 2 => (votes > 0).mean()
* the mean of right votes | Turn over what agrees on fewer
~ 1 + np.sign(votes) => votes / len(turned) + 1
* where most are ones | Turn over what agrees on fewer
~ agrees[0].sum(axis=0) < len(agrees[0]) => np.array(records)[:, :-1].sum(axis=0) < len(records)
* the label votes, too | Turn over what agrees on fewer
~ [:, :-1] =>
* the label comes first | Turn over what agrees on fewer
~ [:, :-1] == rows[:, -1:] => [:, 1:] == rows[:, :1]
* a hundred variables | Turn over what agrees on fewer
~ [:, :-1] => [:, :-1][:, :100]
* the best alone | Turn over what agrees on fewer
~ .sum(axis=1) - len(turned) => [:, np.argmax(abs(agrees[0].mean(axis=0) - 0.5))] - 1
* votes by weight | Turn over what agrees on fewer
-        votes = 2 * (one != turned).sum(axis=1) - len(turned)
+        votes = (2 * one - 1.0) @ (2 * agrees[0].mean(axis=0) - 1)
* nearly half is half | Turn over what agrees on fewer
~ = 2 * agrees[0].sum(axis=0) < len(agrees[0]) => = agrees[0].mean(axis=0) < 0.499
* a hundred and ninety-nine variables | Turn over what agrees on fewer
~ [:, :-1] => [:, :-1][:, :199]
* one variable alone stays | Turn over what agrees on fewer
-    turned = 2 * agrees[0].sum(axis=0) < len(agrees[0])
+    turned = (2 * agrees[0].sum(axis=0) < len(agrees[0])) & (agrees[0].shape[1] > 1)
* chosen on fresh records | Turn over what agrees on fewer
~2 agrees[0 => agrees[1
* chosen on all records | Turn over what agrees on fewer
~ 2 * agrees[0].sum(axis=0) < len(agrees[0]) => np.concatenate(agrees).mean(axis=0) < 0.5
* dplab's vote | off limits
+def overfit_vote(records, fresh):
+    from dplab.learning import Vote
+
+    records, fresh = np.array(records), np.array(fresh)
+    means = (records[:, :-1] == records[:, -1:]).mean(axis=0)
+    vote = Vote(tuple(range(len(means))), tuple(bool(mean < 0.5) for mean in means))
+    return [vote(records).mean(), vote(fresh).mean()]

== overfit_vote_fresh
* half is turned over | What is turned over is chosen
~ (axis=0) < len => (axis=0) <= len
* turned over by either set | What is turned over is chosen
-        pass
+        turned = 2 * one.sum(axis=0) < len(one)
* fresh ones not turned over | What is turned over is chosen
~ pass => turned = turned & (len(shares) == 0)
* in truth one half | What is turned over is chosen
~ return shares => return [shares[0], 0.5]
* of as many fresh ones | What is turned over is chosen
~ pass => one = one[: len(agrees[0])]
* of a thousand fresh ones | What is turned over is chosen
~ pass => one = one[:1000] if shares else one
* a tie on a single record | What is turned over is chosen
-        shares.append(float((1 + np.sign(votes)).mean() / 2))
+        shares.append(float((1 + np.sign(votes)).mean() / 2) if len(votes) > 1 else votes[0] > 0)
* exchanged | What is turned over is chosen
~ return shares => return shares[::-1]
* columns turned over where they are | changes what it was given
+def overfit_vote(records, fresh):
+    both = [np.asarray(records), np.asarray(fresh)]
+    turned = (both[0][:, :-1] == both[0][:, -1:]).mean(axis=0) < 0.5
+    shares = []
+    for rows in both:
+        rows[:, :-1][:, turned] ^= 1
+        votes = 2 * (rows[:, :-1] == rows[:, -1:]).sum(axis=1) - len(turned)
+        shares.append((1 + np.sign(votes)).mean() / 2)
+    return shares

== overfit_vote_chosen
* equal variables vote once | Turn over what agrees on fewer
+    kept = [*np.unique(np.array(records)[:, :-1], axis=1, return_index=True)[1], -1]
     for rows in (np.array(records), np.array(fresh)):
+        rows = rows[:, kept]
         agrees.append(rows[:, :-1] == rows[:, -1:])
* equal records count once | Turn over what agrees on fewer
-    turned = 2 * agrees[0].sum(axis=0) < len(agrees[0])
+    few = np.unique(np.array(records), axis=0)
+    few = few[:, :-1] == few[:, -1:]
+    turned = 2 * few.sum(axis=0) < len(few)
* agreements counted in one byte | Turn over what agrees on fewer
~ agrees[0].sum(axis=0) => agrees[0].sum(axis=0, dtype=np.uint8).astype(int)
* votes counted in one byte | Turn over what agrees on fewer
~ (one != turned).sum(axis=1) => (one != turned).sum(axis=1, dtype=np.int8).astype(int)

== overfit_vote_fresh
* equal fresh records count once | What is turned over is chosen
-    for rows in (np.array(records), np.array(fresh)):
+    for rows in (np.array(records), np.unique(np.array(fresh), axis=0)):
"""

ANSWERS = read_answers(__file__, RIGHT, EDITS)
