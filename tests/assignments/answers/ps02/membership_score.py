"""Answers to `membership_score`. The mistakes: not centered, or only half; one score for all."""

from tests.assignments.edits import read_answers

RIGHT = {
    "one product": """
def membership_score(people, released, frequencies):
    return (people - frequencies) @ (released - frequencies)
""",
    "only the release centered": """
def membership_score(people, released, frequencies):
    # the person's part of it is the same for everybody
    return np.asarray(people) @ (np.asarray(released) - np.asarray(frequencies))
""",
    "a standardized score": """
def membership_score(people, released, frequencies):
    lean = released - frequencies
    spread = np.sqrt((frequencies * (1 - frequencies) * lean**2).sum())
    return ((people - frequencies) * lean).sum(axis=1) / spread
""",
    "weighted by the variance": """
def membership_score(people, released, frequencies):
    weight = 1 / (frequencies * (1 - frequencies))
    return [float(((y - frequencies) * (released - frequencies) * weight).sum())
            for y in people]
""",
    "which of the two is nearer": """
def membership_score(people, released, frequencies):
    to_population = ((people - frequencies) ** 2).sum(axis=1)
    to_study = ((people - released) ** 2).sum(axis=1)
    return to_population - to_study
""",
}

EDITS = """
== membership_score_shape
* the wrong sign | should score higher than the second
~ released - frequencies => frequencies - released
* one number for all | should be an array of shape (3,), it is one number
+def membership_score(people, released, frequencies):
+    return ((people - frequencies) @ (released - frequencies)).mean()
* a hundred people at most | of all people, however many
~ (people - frequencies) => (people - frequencies)[:100]
* dplab's own | is off limits in an answer
+def membership_score(people, released, frequencies):
+    from dplab.attacks.membership import Population
+    return Population(frequencies).scores(people, released)
* frequencies taken off the release itself | changes what it was given
+def membership_score(people, released, frequencies):
+    released -= frequencies
+    return (people - frequencies) @ released

== membership_score_frequencies
* not centered | with frequencies far from one half
+def membership_score(people, released, frequencies):
+    return people @ released
* only the person centered | tells nothing about who took part
~ (released - frequencies) => released
* nearest to the release | tells nothing about who took part
+def membership_score(people, released, frequencies):
+    return -((people - released) ** 2).sum(axis=1)
* one half for all frequencies | tells nothing about who took part
~2 - frequencies => - 0.5
* correlation with the release | tells nothing about who took part
+def membership_score(people, released, frequencies):
+    return np.array([np.corrcoef(y, released)[0, 1] for y in people])
* agreements with the majority | tells nothing about who took part
+def membership_score(people, released, frequencies):
+    return (people == (released > 0.5)).mean(axis=1)

== membership_score_fair
* the first hundred attributes | of 50 people and 6,000 fair attributes
+def membership_score(people, released, frequencies):
+    return (people - frequencies)[:, :100] @ (released - frequencies)[:100]
* how many attributes they have | of 50 people and 6,000 fair attributes
+def membership_score(people, released, frequencies):
+    return people.sum(axis=1).astype(float)
* the order in place of the scores | of the pairs are in the right order
+def membership_score(people, released, frequencies):
+    return np.argsort((people - frequencies) @ (released - frequencies))
* the upper half are members | however many members
+def membership_score(people, released, frequencies):
+    scores = (people - frequencies) @ (released - frequencies)
+    return (scores > np.median(scores)).astype(float)
* a score of at most one | of 50 people and 6,000 fair attributes
+def membership_score(people, released, frequencies):
+    return np.clip((people - frequencies) @ (released - frequencies), -1, 1)
* whole scores | of 50 people and 6,000 fair attributes
+def membership_score(people, released, frequencies):
+    return np.round((people - frequencies) @ (released - frequencies), -2)

== membership_score_noise
* logarithms of the release | a logarithm of them is not
+def membership_score(people, released, frequencies):
+    yes = np.log(released / frequencies)
+    no = np.log((1 - released) / (1 - frequencies))
+    return np.where(people == 1, yes, no).sum(axis=1)
* shares outside of 0 and 1 refused | raised ValueError: released must be shares
+def membership_score(people, released, frequencies):
+    if (released < 0).any() or (released > 1).any():
+        raise ValueError("released must be shares")
+    return (people - frequencies) @ (released - frequencies)

== membership_score_shape
* the first 299 people | among however many people
~ (released - frequencies) => (released - frequencies) * (np.arange(len(people)) < 299)
* whole numbers as scores | should score higher
~ (people - frequencies) @ (released - frequencies) => np.round(people @ (released - frequencies))

== membership_score_fair
* how far the release leans, not where to | of 50 people and 6,000 fair attributes
~ (released - frequencies) => abs(released - frequencies)

== membership_score_frequencies
* frequencies in whole numbers | tells nothing about who took part
~2 - frequencies => - np.round(frequencies)
"""

ANSWERS = read_answers(__file__, RIGHT, EDITS)
