"""The notebook's names, asked of the room it runs in."""

from __future__ import annotations

from autograder.checks import words
from autograder.examiner.otherroom import OtherRoom

_MOST_NAMES = 100_000


class Notebook:
    """What test cells read of the notebook's names, and delete and put back there.

    A name that it hasn't is a `NameError`.
    """

    def __init__(self, room: OtherRoom) -> None:
        self._room = room

    @property
    def asked(self) -> int:
        """How often its room was asked something, so far."""
        return self._room.channel.asked

    def names(self) -> list[str]:
        found = self._room.channel.request("names")
        is_plain = type(found) is list and len(found) <= _MOST_NAMES
        return [name for name in found if type(name) is str] if is_plain else []

    def look_up(self, name: str) -> object:
        self._room.check_name(name)
        value = self._of("name", name)
        words.remember_name(value, name)
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
