"""Answers to `transcript_law`. The mistakes: answers forgotten, ends missed, factors lost."""

from autograder.rehearsal.catalogue import Answers, Mutant

_WHOLE = "Look the next law up under the whole tuple of answers"


def _stack(
    longer: str = "(*answers, y)",
    chance: str = "probability * p",
    done: str = "law[answers] = probability",
) -> str:
    """The text of `transcript_law` with a list of unfinished conversations and these parts."""
    return f"""
def transcript_law(conversation):
    law, unfinished = {{}}, [((), 1.0)]
    for answers, probability in unfinished:
        if answers not in conversation:
            {done}
            continue
        for y, p in conversation[answers].items():
            unfinished.append(({longer}, {chance}))
    return law
"""


RIGHT = {
    "a list of unfinished conversations": _stack(),
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

MUTANTS = {
    "probabilities added": Mutant(
        _stack(chance="probability + p"),
        "transcript_law_two",
        "should have probabilities from 0 to 1",
    ),
    "only the last probability": Mutant(
        _stack(chance="p"), "transcript_law_two", "sum to 2, not to 1"
    ),
    "the transcript from its end": Mutant(
        _stack(longer="(y, *answers)"), "transcript_law_deep", "for the answers"
    ),
    "two questions whatever happens": Mutant(
        """
def transcript_law(conversation):
    law = {}
    for y, p in conversation[()].items():
        for z, q in conversation.get((y,), {0: 1.0}).items():
            law[y, z] = p * q
    return law
""",
        "transcript_law_stops",
        "has no probability for the answers (0,)",
    ),
    "at most two questions": Mutant(
        """
def transcript_law(conversation):
    law = {}
    for y, p in conversation[()].items():
        if (y,) not in conversation:
            law[y,] = p
        else:
            for z, q in conversation[y,].items():
                law[y, z] = p * q
    return law
""",
        "transcript_law_stops",
        "has no probability for the answers (0, 0, 0)",
    ),
    "parts of transcripts, too": Mutant(
        """
def transcript_law(conversation):
    law, unfinished = {}, [((), 1.0)]
    for answers, probability in unfinished:
        if answers:
            law[answers] = probability
        for y, p in conversation.get(answers, {}).items():
            unfinished.append(((*answers, y), probability * p))
    return law
""",
        "transcript_law_stops",
        "not to 1",
    ),
    "all ends when one does": Mutant(
        _stack().replace("continue", "return law"),
        "transcript_law_stops",
        "not to 1",
    ),
    "whoever ends is forgotten": Mutant(
        """
def transcript_law(conversation):
    law = {(): 1.0}
    while any(answers in conversation for answers in law):
        law = {
            (*answers, y): probability * p
            for answers, probability in law.items()
            for y, p in conversation.get(answers, {}).items()
        }
    return law
""",
        "transcript_law_stops",
        "not to 1",
    ),
    "the second law does not depend on the first answer": Mutant(
        """
def transcript_law(conversation):
    law, unfinished = {}, [((), 1.0)]
    for answers, probability in unfinished:
        if answers not in conversation:
            law[answers] = probability
            continue
        same = next(a for a in conversation if len(a) == len(answers))
        for y, p in conversation[same].items():
            unfinished.append(((*answers, y), probability * p))
    return law
""",
        "transcript_law_two",
        "should have the probability 0.125 for (1, 0), it has 0.5",
    ),
    "the sum of the answers decides": Mutant(
        """
def transcript_law(conversation):
    laws = {(len(a), sum(a)): law for a, law in conversation.items()}
    law, unfinished = {}, [((), 1.0)]
    for answers, probability in unfinished:
        following = laws.get((len(answers), sum(answers)))
        if following is None:
            law[answers] = probability
            continue
        for y, p in following.items():
            unfinished.append(((*answers, y), probability * p))
    return law
""",
        "transcript_law_deep",
        "has no probability for the answers (0, 1, 8)",
    ),
    "only the last question's answer is published": Mutant(
        _stack(done="law[answers[-1:]] = law.get(answers[-1:], 0) + probability"),
        "transcript_law_epsilon",
        "Is every answer in the transcript, with its factor?",
    ),
    "keys are taken in their order": Mutant(
        """
def transcript_law(conversation):
    law = {(): 1.0}
    for answers, following in conversation.items():
        probability = law.pop(answers, 0.0)
        for y, p in following.items():
            law[(*answers, y)] = probability * p
    return law
""",
        "transcript_law_deep",
        _WHOLE,
    ),
    "two answers at most": Mutant(
        _stack().replace("conversation[answers].items()", "[*conversation[answers].items()][:2]"),
        "transcript_law_deep",
        "not to 1",
    ),
    "six questions at most": Mutant(
        _stack().replace("not in conversation:", "not in conversation or len(answers) == 6:"),
        "transcript_law_deep",
        _WHOLE,
    ),
    "a hundred questions at most": Mutant(
        _stack().replace("not in conversation:", "not in conversation or len(answers) == 100:"),
        "transcript_law_deep",
        _WHOLE,
    ),
    "small probabilities taken for 0": Mutant(
        _stack(done="law[answers] = probability * (probability > 1e-8)"),
        "transcript_law_deep",
        "not to 1",
    ),
    "ten decimals": Mutant(
        _stack(done="law[answers] = round(probability, 10)"), "transcript_law_deep", _WHOLE
    ),
    "only the last four answers decide": Mutant(
        """
def transcript_law(conversation):
    laws = {(len(a), a[-4:]): law for a, law in conversation.items()}
    law, unfinished = {}, [((), 1.0)]
    for answers, probability in unfinished:
        following = laws.get((len(answers), answers[-4:]))
        if following is None:
            law[answers] = probability
            continue
        for y, p in following.items():
            unfinished.append(((*answers, y), probability * p))
    return law
""",
        "transcript_law_deep",
        _WHOLE,
    ),
    "transcripts of the same answers are one": Mutant(
        _stack(done="key = tuple(sorted(answers)); law[key] = law.get(key, 0) + probability"),
        "transcript_law_deep",
        "has no probability for",
    ),
    "five hundred answers of each law": Mutant(
        _stack().replace("conversation[answers].items()", "[*conversation[answers].items()][:500]"),
        "transcript_law_deep",
        "sum to",
    ),
    "a thousand transcripts": Mutant(
        _stack(done="law.update({answers: probability} if len(law) < 1000 else {})"),
        "transcript_law_deep",
        "sum to",
    ),
    "below 1e-60 is nothing": Mutant(
        _stack(done="law[answers] = probability * (probability > 1e-60)"),
        "transcript_law_deep",
        "in multiples of the right one",
    ),
    "a memory of a hundred answers": Mutant(
        """
def transcript_law(conversation):
    recent = {}
    for answers, law in conversation.items():
        recent.setdefault((len(answers), answers[-100:]), law)
    law, unfinished = {}, [((), 1.0)]
    for answers, probability in unfinished:
        if answers not in conversation:
            law[answers] = probability
            continue
        for y, p in recent[len(answers), answers[-100:]].items():
            unfinished.append(((*answers, y), probability * p))
    return law
""",
        "transcript_law_deep",
        _WHOLE,
    ),
}

ANSWERS = Answers("transcript_law", RIGHT, MUTANTS)
