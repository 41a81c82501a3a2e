"""Answers to `membership_score`. The mistakes: not centered, or only half; one score for all."""

from autograder.rehearsal.catalogue import Answers, Mutant


def _score(*lines: str) -> str:
    """The text of `membership_score` with this body."""
    return "\n    ".join(("\ndef membership_score(people, released, frequencies):", *lines)) + "\n"


RIGHT = {
    "one product": _score("return (people - frequencies) @ (released - frequencies)"),
    "only the release centered": _score(
        "# the person's part of it is the same for everybody",
        "return np.asarray(people) @ (np.asarray(released) - np.asarray(frequencies))",
    ),
    "a standardized score": _score(
        "lean = released - frequencies",
        "spread = np.sqrt((frequencies * (1 - frequencies) * lean**2).sum())",
        "return ((people - frequencies) * lean).sum(axis=1) / spread",
    ),
    "weighted by the variance": _score(
        "weight = 1 / (frequencies * (1 - frequencies))",
        "return [float(((y - frequencies) * (released - frequencies) * weight).sum())",
        "        for y in people]",
    ),
    "which of the two is nearer": _score(
        "to_population = ((people - frequencies) ** 2).sum(axis=1)",
        "to_study = ((people - released) ** 2).sum(axis=1)",
        "return to_population - to_study",
    ),
}

MUTANTS = {
    "the wrong sign": Mutant(
        _score("return (people - frequencies) @ (frequencies - released)"),
        "membership_score_shape",
        "should score higher than the second",
    ),
    "not centered": Mutant(
        _score("return people @ released"),
        "membership_score_frequencies",
        "with frequencies far from one half",
    ),
    "only the person centered": Mutant(
        _score("return (people - frequencies) @ released"),
        "membership_score_frequencies",
        "measure both from the frequencies",
    ),
    "nearest to the release": Mutant(
        _score("return -((people - released) ** 2).sum(axis=1)"),
        "membership_score_frequencies",
        "measure both from the frequencies",
    ),
    "one half for all frequencies": Mutant(
        _score("return (people - 0.5) @ (released - 0.5)"),
        "membership_score_frequencies",
        "measure both from the frequencies",
    ),
    "correlation with the release": Mutant(
        _score("return np.array([np.corrcoef(y, released)[0, 1] for y in people])"),
        "membership_score_frequencies",
        "measure both from the frequencies",
    ),
    "agreements with the majority": Mutant(
        _score("return (people == (released > 0.5)).mean(axis=1)"),
        "membership_score_frequencies",
        "measure both from the frequencies",
    ),
    "one number for all": Mutant(
        _score("return ((people - frequencies) @ (released - frequencies)).mean()"),
        "membership_score_shape",
        "should be an array of shape (3,), it is one number",
    ),
    "the first hundred attributes": Mutant(
        _score("return (people - frequencies)[:, :100] @ (released - frequencies)[:100]"),
        "membership_score_fair",
        "of 50 people and 6,000 fair attributes",
    ),
    "how many attributes they have": Mutant(
        _score("return people.sum(axis=1).astype(float)"),
        "membership_score_fair",
        "of 50 people and 6,000 fair attributes",
    ),
    "the order in place of the scores": Mutant(
        _score("return np.argsort((people - frequencies) @ (released - frequencies))"),
        "membership_score_fair",
        "of the pairs are in the right order",
    ),
    "logarithms of the release": Mutant(
        _score(
            "yes = np.log(released / frequencies)",
            "no = np.log((1 - released) / (1 - frequencies))",
            "return np.where(people == 1, yes, no).sum(axis=1)",
        ),
        "membership_score_noise",
        "a logarithm of them is not",
    ),
    "shares outside of 0 and 1 refused": Mutant(
        _score(
            "if (released < 0).any() or (released > 1).any():",
            "    raise ValueError('released must be shares')",
            "return (people - frequencies) @ (released - frequencies)",
        ),
        "membership_score_noise",
        "raised ValueError: released must be shares",
    ),
    "the upper half are members": Mutant(
        _score(
            "scores = (people - frequencies) @ (released - frequencies)",
            "return (scores > np.median(scores)).astype(float)",
        ),
        "membership_score_fair",
        "however many members",
    ),
    "a score of at most one": Mutant(
        _score("return np.clip((people - frequencies) @ (released - frequencies), -1, 1)"),
        "membership_score_fair",
        "of 50 people and 6,000 fair attributes",
    ),
    "whole scores": Mutant(
        _score("return np.round((people - frequencies) @ (released - frequencies), -2)"),
        "membership_score_fair",
        "of 50 people and 6,000 fair attributes",
    ),
    "a hundred people at most": Mutant(
        _score("return (people - frequencies)[:100] @ (released - frequencies)"),
        "membership_score_shape",
        "of all people, however many",
    ),
    "dplab's own": Mutant(
        _score(
            "from dplab.attacks.membership import Population",
            "return Population(frequencies).scores(people, released)",
        ),
        "membership_score_shape",
        "is off limits in an answer",
    ),
    "frequencies taken off the release itself": Mutant(
        _score("released -= frequencies", "return (people - frequencies) @ released"),
        "membership_score_shape",
        "changes what it was given",
    ),
}

ANSWERS = Answers("membership_score", RIGHT, MUTANTS)
