"""What a room answers about its names is taken for names, whatever it answers."""

from types import SimpleNamespace

import pytest

from autograder.examiner import notebook
from autograder.examiner.notebook import Notebook


def asking(request):
    """A notebook whose room answers by this function, and was never ended."""
    channel = SimpleNamespace(request=request)
    return Notebook(SimpleNamespace(channel=channel, check_name=lambda name: None))


def answering(answer):
    return asking(lambda *_: answer)


@pytest.mark.parametrize(
    ("answer", "names"),
    [
        (["x", "coin"], ["x", "coin"]),
        (["x", 1, None, ["y"], {}], ["x"]),
        (None, []),
        ("coin", []),
        (("x",), []),
        ({"x": 1}, []),
        (["x"] * (notebook._MAX_NAMES + 1), []),
    ],
)
def test_only_texts_are_names(answer, names):
    assert answering(answer).names() == names


def test_what_it_has_not_is_named():
    def request(kind, name):
        raise NameError("whatever the room says")

    room = asking(request)
    for ask in (room.look_up, room.delete):
        with pytest.raises(NameError, match=r"^name 'coin' is not defined$") as caught:
            ask("coin")
        assert caught.value.name == "coin"
