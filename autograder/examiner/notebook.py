"""The notebook's names, requested from the student process."""

from __future__ import annotations

from autograder.checks import function_names
from autograder.examiner.student_process import StudentProcess

_MAX_NAMES = 100_000


class Notebook:
    """The notebook's names, which test cells can read, delete and put back.

    Raises `NameError` for a name that the notebook doesn't have.
    """

    def __init__(self, process: StudentProcess) -> None:
        self._process = process

    @property
    def requests(self) -> int:
        """The number of requests to the student process so far."""
        return self._process.channel.asked

    def names(self) -> list[str]:
        names = self._process.channel.request("names")
        is_plain = type(names) is list and len(names) <= _MAX_NAMES
        return [name for name in names if type(name) is str] if is_plain else []

    def look_up(self, name: str) -> object:
        self._process.check_name(name)
        value = self._request("name", name)
        function_names.remember_name(value, name)
        return value

    def delete(self, name: str) -> None:
        self._request("delete", name)

    def put(self, name: str, value: object) -> None:
        self._process.channel.request("put", name, value)

    def _request(self, request: str, name: str) -> object:
        try:
            return self._process.channel.request(request, name)
        except NameError:
            raise NameError(f"name {name!r} is not defined", name=name) from None
