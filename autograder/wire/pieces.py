"""Send arrays that are too large for a message in pieces before it.

The message has only the numbers of these arrays. So memory never holds a large array and a message
of its size, only the array and one piece.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from autograder.wire.errors import Malformed

MAX_INLINE_ARRAY_SHARE = 1 / 8  # of the bytes of a message
MAX_ARRAYS_FACTOR = 4  # times the bytes of a message, for all its arrays together


class Pieces:
    """The arrays that are sent before the next message of each side.

    A message in one piece may have `message_bytes`.
    """

    def __init__(self, message_bytes: int) -> None:
        self.large = int(message_bytes * MAX_INLINE_ARRAY_SHARE)  # bytes of an array
        self._max_array_bytes = message_bytes * MAX_ARRAYS_FACTOR
        self.leaving: list[memoryview] = []
        self._arrived: list[bytearray] = []
        self._size = 0  # bytes of all pieces that have arrived
        self._read: set[int] = set()

    def set_aside(self, array: np.ndarray) -> int:
        """Put an array before the next message; return the number that replaces it there.

        Raises `ValueError` if all arrays together are too large.
        """
        size = array.nbytes + sum(map(len, self.leaving))
        if size > self._max_array_bytes:
            raise ValueError(f"arrays of {size:,} bytes are too large to pass to or from a test")
        self.leaving.append(np.ascontiguousarray(array).reshape(-1).view(np.uint8).data)
        return len(self.leaving) - 1

    def leave(self) -> list[memoryview]:
        """Return the arrays that were set aside, and forget them."""
        leaving, self.leaving = self.leaving, []
        return leaving

    def cut(self, arrays: list[memoryview]) -> Iterator[tuple[int, memoryview]]:
        """Yield the arrays in pieces, each with the number of its array."""
        for number, array in enumerate(arrays):
            for start in range(0, len(array), self.large):
                yield number, array[start : start + self.large]

    def take(self, number: int, piece: bytes) -> None:
        """Take the next piece, of the current array or of the next one. Raises `ValueError`."""
        if type(number) is not int or type(piece) is not bytes:
            raise ValueError("no piece of an array")
        if number not in (len(self._arrived) - 1, len(self._arrived)) or number < 0 or not piece:
            raise ValueError("a piece of another array")
        self._size += len(piece)
        if (
            self._size > self._max_array_bytes
            or number >= MAX_ARRAYS_FACTOR / MAX_INLINE_ARRAY_SHARE
        ):
            raise ValueError("more pieces than a message may have")
        if number == len(self._arrived):
            self._arrived.append(bytearray())
        self._arrived[number] += piece

    def put_together(self, number: object) -> bytearray:
        """Return the bytes of the array with this number, but only once. Raises `Malformed`."""
        if type(number) is not int or not 0 <= number < len(self._arrived) or number in self._read:
            raise Malformed("an array that has not come")
        self._read.add(number)
        return self._arrived[number]

    def message_is_read(self) -> None:
        """Forget the arrays of a message that was read. Raises `Malformed` if it left some."""
        if not self._read:
            return  # this message was sent between the pieces and their own message
        is_complete = len(self._read) == len(self._arrived)
        self._arrived, self._read, self._size = [], set(), 0
        if not is_complete:
            raise Malformed("pieces of an array that is in no message")
