"""Cells for the rooms, and what came of them."""

from __future__ import annotations

import textwrap

from autograder.classroom.releasing.reference_run import without_hidden_tests
from autograder.examiner import verdicts
from autograder.wire.contract import Cell, Limits, Role

LIMITS = Limits(
    cell_seconds=20.0, notebook_seconds=60.0, memory_bytes=512 << 20, file_bytes=8 << 20,
    output_bytes=100_000, processes=32, grace_seconds=1.0,
)  # fmt: skip


def student(source, name="work"):
    return Cell(Role.STUDENT, textwrap.dedent(source), name)


def locked(source, name="setup"):
    return Cell(Role.BOTH, textwrap.dedent(source), name)


def check(source, name="test"):
    """A test, which students have without the hidden parts."""
    text = textwrap.dedent(source)
    return Cell(Role.EXAMINER, text, name, without_hidden_tests(text))


def hidden(source, name="test"):
    """A test of which students have nothing."""
    text = textwrap.dedent(source).strip()
    return check(f"### BEGIN HIDDEN TESTS\n{text}\n### END HIDDEN TESTS", name)


def written(run):
    """The outputs of a cell as they stand in the notebook: its verdict's behind what it showed."""
    return verdicts.all_outputs(run, is_test=run.verdict is not None)


def outputs(rooms, *cells, seed=b"seed"):
    """The outputs of the last cell."""
    return written(rooms.run(cells, seed).cells[-1])


def error_of(rooms, *cells, seed=b"seed"):
    """The error of the last cell as 'Class: message', or None."""
    for output in outputs(rooms, *cells, seed=seed):
        if output["output_type"] == "error":
            return f"{output['ename']}: {output['evalue']}"
    return None


def text_of(found):
    return "".join(output["text"] for output in found if output["output_type"] == "stream")
