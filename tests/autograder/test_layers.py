"""Which part of the autograder may import which: no import points upward, and none goes round."""

from pathlib import Path

import pytest

import autograder
from tests.layers import part_of, parts_imported, upward

ROOT = Path(autograder.__file__).parent
LAYERS = [  # a part imports from layers before its own, and within itself
    {"wire"},
    {"checks", "student"},
    {"sandbox"},
    {"examiner"},
    {"classroom"},
    {"pages", "redaction"},
    {"exports", "rehearsal", "desk"},
    {"terminal", "preprocessor"},
    {"listing"},
    {"session"},
    {"demo"},
    {"commands"},
    {"cli"},
]
# Read by others; they import nothing of it, but what a catalogue of answers is made of.
SHIPPED = {"nbgrader_config", "starter", "sample_class", "__init__"}
FILES = [path for path in sorted(ROOT.rglob("*.py")) if part_of(path, ROOT) not in SHIPPED]


def test_every_part_has_a_layer():
    assert {part_of(path, ROOT) for path in FILES} == set().union(*LAYERS)


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_the_layers_point_downward(path):
    assert upward(path, ROOT, LAYERS) == set()


@pytest.mark.parametrize("part", ["checks", "student"])
def test_who_lives_beside_student_code_imports_the_wire_alone(part):
    files = [path for path in FILES if part_of(path, ROOT) == part]
    assert set().union(*(parts_imported(path, ROOT) for path in files)) <= {part, "wire"}
