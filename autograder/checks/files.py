"""Files for student code: a test provides some, and reads the files that the code writes."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping

from autograder.checks.failures import fail
from autograder.wire import files
from autograder.wire.run import current_run


@contextlib.contextmanager
def files_given(contents_by_name: Mapping[str, str | bytes | None]) -> Iterator[None]:
    """Put these files into the folder of student code for the block; None removes a file.

        with checks.files_given({"words.txt": "a b a", "counts.csv": None}):
            checks.call(count, "words.txt", "counts.csv").gives(None)
            assert checks.file_left("counts.csv") == b"a,2\\nb,1\\n", "Most frequent first."

    Names are paths from that folder, with "/" between folders; text is written as UTF-8. After the
    block, the earlier files are restored.

    Raises `ValueError` for a name that leads out of the folder, and `TypeError` for content that is
    neither text, bytes nor None.
    """
    contents = {name: _encode_content(name, content) for name, content in contents_by_name.items()}
    folder = current_run().folder
    with contextlib.ExitStack() as restoring_stack:  # restores all other files if one fails
        for name, content in contents.items():
            restoring_stack.callback(folder.write, name, folder.read(name))
            folder.write(name, content)
        yield


def file_left(name: str, hint: str = "") -> bytes:
    """Return the content of the file of this name in the folder of student code.

    Fail with `hint` if there is no such file. An earlier cell may have written it:
    `files_given({name: None})` begins without it. Raises `ValueError` for a name that leads out of
    the folder.
    """
    content = current_run().folder.read(_check_name(name))
    if content is None:
        fail(f"the file {name!r}", "was not written", hint)
    return content


def _encode_content(name: str, content: object) -> bytes | None:
    _check_name(name)
    if isinstance(content, str):
        return content.encode()
    if content is None or isinstance(content, bytes):
        return content
    raise TypeError(f"the file {name!r} must be text or bytes, not {type(content).__name__}")


def _check_name(name: str) -> str:
    if not files.is_within_folder(name):
        raise ValueError(f"a file can't be named {name!r}")
    return name
