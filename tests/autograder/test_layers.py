"""Which part of the autograder may import which: no import points upward, and none goes round."""

from pathlib import Path

import autograder
from tests.layers import part_of, parts_imported, upward_imports

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
    {"demo", "gradescope"},
    {"commands"},
    {"cli"},
    {"__main__"},
]
# Read by others; they import nothing of it, but what a catalogue of answers is made of.
SHIPPED = {"nbgrader_config", "starter", "sample_class", "__init__"}
CLASSROOM = ROOT / "classroom"
CLASSROOM_LAYERS = [
    {"course"},
    {"sets"},
    {"grading"},
    {"gradebook"},
    {"intake"},
    {"releasing"},
    {"running"},
]
FILES = [path for path in sorted(ROOT.rglob("*.py")) if part_of(path, ROOT) not in SHIPPED]


def test_every_part_has_a_layer():
    assert {part_of(path, ROOT) for path in FILES} == set().union(*LAYERS)


def test_no_file_imports_upward():
    upward = upward_imports(FILES, ROOT, LAYERS)
    assert not upward, "\n".join(upward)


def test_the_packages_of_the_classroom_import_no_other_upward():
    files = [path for path in sorted(CLASSROOM.rglob("*.py")) if path.parent != CLASSROOM]
    assert {part_of(path, CLASSROOM) for path in files} == set().union(*CLASSROOM_LAYERS)
    assert [path.name for path in CLASSROOM.glob("*.py")] == ["__init__.py"]
    upward = upward_imports(files, CLASSROOM, CLASSROOM_LAYERS, "autograder.classroom")
    assert not upward, "\n".join(upward)


def test_who_lives_beside_student_code_imports_the_wire_alone():
    others = [
        f"{path.relative_to(ROOT)} imports {', '.join(sorted(parts))}"
        for path in FILES
        if (own := part_of(path, ROOT)) in ("checks", "student")
        and (parts := parts_imported(path, ROOT) - {own, "wire"})
    ]
    assert not others, "\n".join(others)
