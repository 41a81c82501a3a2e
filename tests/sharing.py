"""What several tests look at and takes long to make: made once in a run, in whichever worker."""

from __future__ import annotations

import os
import pickle
import tempfile
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import pytest
from filelock import FileLock

from tests import costs

Made = TypeVar("Made")


def once(factory: pytest.TempPathFactory, name: str, make: Callable[[Path], Made]) -> Made:
    """What `make` returned when the first worker that asked called it, with a folder of its own.

    Others wait until it is there. It is kept as a pickle; where `make` raised, all who ask fail.
    """
    place = _folder_of_the_run(factory) / name
    place.mkdir(parents=True, exist_ok=True)
    kept = place / "made.pickle"
    with FileLock(place / "lock"), costs.shared(f"once {name}"):
        if not kept.exists():
            kept.write_bytes(pickle.dumps(_made(make, Path(tempfile.mkdtemp(dir=place)))))
    made, failure = pickle.loads(kept.read_bytes())
    if failure:
        pytest.fail(failure)
    return made


def _made(make: Callable[[Path], Made], folder: Path) -> tuple[Made | None, str]:
    try:
        return make(folder), ""
    except Exception:
        return None, traceback.format_exc()


def _folder_of_the_run(factory: pytest.TempPathFactory) -> Path:
    """One that all workers of pytest-xdist have in common: theirs lie within it."""
    own = factory.getbasetemp()
    return own.parent if "PYTEST_XDIST_WORKER" in os.environ else own
