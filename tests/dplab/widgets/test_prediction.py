import pytest

from dplab.widgets import Prediction


@pytest.fixture
def guess():
    return Prediction("How many?", ["few", "many"])


def test_nothing_is_chosen_at_first(guess):
    assert guess.choice is None
    said = guess.verdict("many")
    assert "Choose your answer to *How many?* first" in said
    assert said == guess.verdict("few")  # nothing of the truth


def test_right_and_wrong_guesses_are_told_apart(guess):
    guess.control.value = "few"
    assert guess.verdict("few") == "You predicted **few**, and so it is."
    assert guess.verdict("many").startswith("You predicted **few**; it is **many**.")


def test_the_truth_must_be_one_of_the_answers(guess):
    with pytest.raises(ValueError, match=r"truth must be one of 'few', 'many', not 'some'"):
        guess.verdict("some")
