"""Answers to `transcript_law`. The mistakes: answers forgotten, ends missed, factors lost."""

from tests.assignments.edits import read_answers

RIGHT = {
    "a list of unfinished conversations": """
def transcript_law(conversation):
    law, unfinished = {}, [((), 1.0)]
    for answers, probability in unfinished:
        if answers not in conversation:
            law[answers] = probability
            continue
        for y, p in conversation[answers].items():
            unfinished.append(((*answers, y), probability * p))
    return law
""",
    "recursion": """
def transcript_law(conversation, answers=()):
    if answers not in conversation:
        return {answers: 1.0}
    law = {}
    for y, p in conversation[answers].items():
        for transcript, q in transcript_law(conversation, answers + (y,)).items():
            law[transcript] = p * q
    return law
""",
    "round by round": """
def transcript_law(conversation):
    law = {(): 1.0}
    while any(answers in conversation for answers in law):
        longer = {}
        for answers, probability in law.items():
            following = conversation.get(answers)
            if following is None:
                longer[answers] = probability
            else:
                for y, p in following.items():
                    longer[answers + (y,)] = probability * p
        law = longer
    return law
""",
    "backwards from the ends": """
def transcript_law(conversation):
    ends = {a + (y,) for a, law in conversation.items() for y in law} - set(conversation)
    return {
        end: float(np.prod([conversation[end[:i]][y] for i, y in enumerate(end)])) for end in ends
    }
""",
}

EDITS = """
== transcript_law_two
* probabilities added | should have probabilities from 0 to 1
~ probability * p => probability + p
* only the last probability | sum to 2, not to 1
~ probability * p => p
* the second law does not depend on the first answer
| should have the probability 0.125 for (1, 0), it has 0.5
-        for y, p in conversation[answers].items():
+        same = next(a for a in conversation if len(a) == len(answers))
+        for y, p in conversation[same].items():

== transcript_law_deep
* the transcript from its end | for the answers
~ (*answers, y) => (y, *answers)
* the sum of the answers decides | has no probability for the answers (0, 1, 8)
+    laws = {(len(a), sum(a)): law for a, law in conversation.items()}
     law, unfinished = {}, [((), 1.0)]
@@
-        if answers not in conversation:
+        following = laws.get((len(answers), sum(answers)))
+        if following is None:
~ conversation[answers] => following
* keys are taken in their order | Look the next law up under the whole tuple of answers
+def transcript_law(conversation):
+    law = {(): 1.0}
+    for answers, following in conversation.items():
+        probability = law.pop(answers, 0.0)
+        for y, p in following.items():
+            law[(*answers, y)] = probability * p
+    return law
* two answers at most | not to 1
~ conversation[answers].items(): => [*conversation[answers].items()][:2]:
* six questions at most | Look the next law up under the whole tuple of answers
~ conversation: => conversation or len(answers) == 6:
* a hundred questions at most | Look the next law up under the whole tuple of answers
~ conversation: => conversation or len(answers) == 100:
* small probabilities taken for 0 | not to 1
~ = probability => = probability * (probability > 1e-8)
* ten decimals | Look the next law up under the whole tuple of answers
~ = probability => = round(probability, 10)
* only the last four answers decide | Look the next law up under the whole tuple of answers
+    laws = {(len(a), a[-4:]): law for a, law in conversation.items()}
     law, unfinished = {}, [((), 1.0)]
@@
-        if answers not in conversation:
+        following = laws.get((len(answers), answers[-4:]))
+        if following is None:
~ conversation[answers] => following
* transcripts of the same answers are one | has no probability for
~ law[answers] => key = tuple(sorted(answers)); law[key]
~ = probability => = law.get(key, 0) + probability
* five hundred answers of each law | sum to
~ conversation[answers].items(): => [*conversation[answers].items()][:500]:
* a thousand transcripts | sum to
~ [answers] = probability => .update({answers: probability} if len(law) < 1000 else {})
* below 1e-60 is nothing | in multiples of the right one
~ = probability => = probability * (probability > 1e-60)
* a memory of a hundred answers | Look the next law up under the whole tuple of answers
+    recent = {}
+    for answers, law in conversation.items():
+        recent.setdefault((len(answers), answers[-100:]), law)
     law, unfinished = {}, [((), 1.0)]
~ conversation[answers] => recent[len(answers), answers[-100:]]

== transcript_law_stops
* two questions whatever happens | has no probability for the answers (0,)
+def transcript_law(conversation):
+    law = {}
+    for y, p in conversation[()].items():
+        for z, q in conversation.get((y,), {0: 1.0}).items():
+            law[y, z] = p * q
+    return law
* at most two questions | has no probability for the answers (0, 0, 0)
+def transcript_law(conversation):
+    law = {}
+    for y, p in conversation[()].items():
+        if (y,) not in conversation:
+            law[y,] = p
+        else:
+            for z, q in conversation[y,].items():
+                law[y, z] = p * q
+    return law
* parts of transcripts, too | not to 1
~ answers not in conversation => answers
-            continue
-        for y, p in conversation[answers].items():
+        for y, p in conversation.get(answers, {}).items():
* all ends when one does | not to 1
~ continue => return law
* whoever ends is forgotten | not to 1
+def transcript_law(conversation):
+    law = {(): 1.0}
+    while any(answers in conversation for answers in law):
+        law = {
+            (*answers, y): probability * p
+            for answers, probability in law.items()
+            for y, p in conversation.get(answers, {}).items()
+        }
+    return law

== transcript_law_epsilon
* only the last question's answer is published | Is every answer in the transcript, with its factor?
~ [answers] = probability => [answers[-1:]] = law.get(answers[-1:], 0) + probability

== transcript_law_deep
* 199 questions at most | Look the next law up under the whole tuple of answers
~ if answers not in conversation: => if answers not in conversation or len(answers) == 199:
* equal probabilities are one transcript | Look the next law up under the whole tuple of answers
-            law[answers] = probability
+            if probability not in law.values() or len(law) < 9:
+                law[answers] = probability
* answers of sixteen bits | whether these transcripts are listed
-            unfinished.append(((*answers, y), probability * p))
+            unfinished.append(((*answers, y if abs(y) < 2**15 else 2**15), probability * p))
"""

ANSWERS = read_answers(__file__, RIGHT, EDITS)
