"""The notebook's names, requested from the room in which it runs."""

from __future__ import annotations

from autograder.checks import function_names
from autograder.examiner.student_process import StudentProcess

_MAX_NAMES = 100_000


class Notebook:
    """The notebook's names, which test cells can read, delete and put back.

    A name that it doesn't have raises `NameError`.
    """

    def __init__(self, room: StudentProcess) -> None:
        self._room = room

    @property
    def requests(self) -> int:
        """The number of requests to the room so far."""
        return self._room.channel.asked

    def names(self) -> list[str]:
        names = self._room.channel.request("names")
        is_plain = type(names) is list and len(names) <= _MAX_NAMES
        return [name for name in names if type(name) is str] if is_plain else []

    def look_up(self, name: str) -> object:
        self._room.check_name(name)
        value = self._of("name", name)
        function_names.remember_name(value, name)
        return value

    def delete(self, name: str) -> None:
        self._of("delete", name)

    def put(self, name: str, value: object) -> None:
        self._room.channel.request("put", name, value)

    def _of(self, request: str, name: str) -> object:
        try:
            return self._room.channel.request(request, name)
        except NameError:
            raise NameError(f"name {name!r} is not defined", name=name) from None
