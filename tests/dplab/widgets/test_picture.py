"""The command that writes an explorer's picture, and the pictures that are committed."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from dplab.widgets import EXPLORERS
from dplab.widgets.__main__ import main

IMAGES = Path(__file__).parents[3] / "course" / "images"


def test_command_writes_a_light_png(tmp_path):
    path = tmp_path / "picture.png"
    command = [sys.executable, "-m", "dplab.widgets", "ErrorCurves", str(path)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0
    assert done.stdout.startswith(f"{path}: ")
    assert Image.open(path).width >= 1200
    assert path.stat().st_size < 150_000


def test_command_names_the_explorers_it_knows(tmp_path, capsys):
    with pytest.raises(SystemExit):
        main(["Nonsense", str(tmp_path / "picture.png")])
    message = capsys.readouterr().err
    assert all(name in message for name in EXPLORERS)


@pytest.mark.parametrize("name", ["ClassSurvey", "ErrorCurves"])
def test_committed_picture_is_the_present_one(name, tmp_path):
    file = {"ClassSurvey": "class-survey.png", "ErrorCurves": "error-curves.png"}[name]
    main([name, str(tmp_path / file)])
    old, new = (
        np.asarray(Image.open(folder / file).convert("L").resize((324, 132))).astype(float)
        for folder in (IMAGES, tmp_path)
    )
    assert (IMAGES / file).stat().st_size < 150_000
    assert abs(old - new).mean() < 6  # of 255: other matplotlibs and fonts may differ a little
