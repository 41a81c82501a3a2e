"""nbgrader's configuration of a course, as nbgrader itself would load it, and what must be in it.

With nbgrader's defaults `nbgrader autograde` and the formgrader run students' code as the teacher,
and `nbgrader generate_feedback` shows hidden tests: two entries prevent that.

The folders of a course have nbgrader's own names. nbgrader can be configured with others, and we
can't. We would find nothing, or make a second course beside the first. So other names are refused.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from autograder.classroom.course.folders import Course, CourseError, write_atomically


@dataclass(frozen=True)
class Step:
    """A preprocessor that one of nbgrader's converters must have."""

    converter: str
    trait: str
    ours: str
    replaces: str  # the step that it replaces, if there is one
    defaults: tuple[str, ...]
    against: str  # what happens without it
    older: str = ""  # an old name of the converter, under which it still reads settings

    @property
    def setting(self) -> str:
        return f"c.{self.converter}.{self.trait}"


STEPS = (
    Step(
        "Autograde",
        "autograde_preprocessors",
        "autograder.preprocessor.TwoRooms",
        "nbgrader.preprocessors.Execute",
        (
            "nbgrader.preprocessors.Execute",
            "nbgrader.preprocessors.IgnorePattern",
            "nbconvert.preprocessors.ClearMetadataPreprocessor",
            "nbgrader.preprocessors.LimitOutput",
            "nbgrader.preprocessors.SaveAutoGrades",
            "nbgrader.preprocessors.AssignLatePenalties",
            "nbgrader.preprocessors.CheckCellMetadata",
        ),
        "`nbgrader autograde` and the formgrader would run students' code under your account, "
        "with the tests",
    ),
    Step(
        "GenerateFeedback",
        "preprocessors",
        "autograder.redaction.HiddenTestsLeftOut",
        "",
        ("nbgrader.preprocessors.GetGrades", "nbconvert.preprocessors.CSSHTMLHeaderPreprocessor"),
        "`nbgrader generate_feedback` and the formgrader would show hidden tests to students",
        "Feedback",
    ),
)


def missing(course: Course) -> tuple[Step, ...]:
    """Return the steps that are not in force in the configuration that nbgrader would load here."""
    return tuple(step for step in STEPS if not _is_in_force(step, _names(course, step)))


FOLDERS = ("source", "release", "submitted", "autograded", "feedback")
_STRUCTURE = "{nbgrader_step}/{student_id}/{assignment_id}"


def renamed_folders(course: Course) -> tuple[tuple[str, str], ...]:
    """Return entries by which nbgrader would look for files elsewhere, and a remedy for each.

    Raises CourseError if such a folder is a link.
    """
    entries = []
    for path, config in reversed(course.loaded):
        for folder in FOLDERS:
            name = config.CourseDirectory.get(f"{folder}_directory", folder)
            if (course.root / name).resolve() != course.root / folder:
                remedy = f"rename {course.root / name} to {folder!r}"
                if (course.root / folder).is_symlink():
                    raise CourseError(f"{course.root / folder} is a link; put a folder there")
                entries.append((f"CourseDirectory.{folder}_directory = {name!r} ({path})", remedy))
        structure = config.CourseDirectory.get("directory_structure", _STRUCTURE)
        if Path(structure) != Path(_STRUCTURE):
            remedy = f"order the folders as {_STRUCTURE}"
            entry = f"CourseDirectory.directory_structure = {structure!r} ({path})"
            entries.append((entry, remedy))
    return tuple(entries)


def check_folders(course: Course) -> None:
    """Raise CourseError if nbgrader would look for the course's files elsewhere than we do."""
    for entry, remedy in renamed_folders(course):
        raise CourseError(
            f"{entry}: dplab's autograder knows a course's folders by nbgrader's own names alone. "
            f"Take that entry away and {remedy}. Nothing was done"
        )


def check(course: Course, adopt: bool = False) -> None:
    """Raise CourseError, with the lines to add, if a step is missing; with `adopt`, add them.

    Raises it also if a folder has another name. A course folder without a configuration of its own
    gets one from `release`.
    """
    check_folders(course)
    if not (missing_steps := missing(course)):
        return
    lines = _lines(course, missing_steps)
    if not adopt:
        raise CourseError(_refusal(course, missing_steps, lines))
    old_text = course.config_file.read_text("utf-8") if course.config_file.exists() else None
    _append(course, lines)
    new_course = Course.at(course.root)
    try:
        undone = missing(new_course)
    except CourseError:
        _put_back(course, old_text)
        raise
    if undone:
        raise CourseError(
            f"{course.config_file} now has the lines, and another file that nbgrader reads undoes "
            f"them ({', '.join(map(str, files(new_course)))}): {undone[0].setting} must have "
            f"{undone[0].ours!r} in it"
        )


def files(course: Course) -> tuple[Path, ...]:
    """Return all configuration files that nbgrader would read here, the strongest last."""
    return tuple(path for path, _ in course.loaded)


def _refusal(course: Course, missing_steps: tuple[Step, ...], lines: str) -> str:
    dangers = "; ".join(step.against for step in missing_steps)
    indented_lines = "".join(f"\n    {line}".rstrip() for line in lines.strip().splitlines())
    return (
        f"{course.root} has a configuration of nbgrader without what keeps hidden tests from "
        f"students: {dangers}. Add --adopt to this command, or these lines at the end of "
        f"{course.config_file}:\n{indented_lines}\n\nYour own entries stay."
    )


def _append(course: Course, lines: str) -> None:
    """Add the lines to the course's own file; make the file if there is none."""
    path = course.config_file
    if not path.exists():
        return write_atomically(path, lines)
    text = path.read_text(encoding="utf-8")
    gap = "" if text.endswith("\n") or not text else "\n"
    write_atomically(path, text + gap + lines, mode=path.stat().st_mode & 0o777)


def _put_back(course: Course, old_text: str | None) -> None:
    path = course.config_file
    if old_text is None:
        path.unlink()
    else:
        write_atomically(path, old_text, mode=path.stat().st_mode & 0o777)


def _lines(course: Course, missing_steps: tuple[Step, ...]) -> str:
    """Return the lines that put the steps in force, whatever else is configured."""
    text = (
        "\n# Added for dplab's autograder: grade in two processes, feedback without hidden tests.\n"
    )
    text += "c = get_config()  # noqa: F821 - defined where nbgrader reads this file\n"
    for step in missing_steps:
        names = _insert_step(step, _names(course, step))
        entries = "".join(f"    {_entry(name)},\n" for name in names)
        text += f"{step.setting} = [\n{entries}]\n"
    return text


def _entry(name: str) -> str:
    """Return a name in quotes, or without quotes for a class that the file itself defines."""
    return name.removeprefix("builtins.") if name.startswith("builtins.") else f'"{name}"'


def _insert_step(step: Step, names: list[str]) -> list[str]:
    """Return the teacher's own list with the step at its right place."""
    if not step.replaces:  # after the step that fetches grades, before all that render
        others = [name for name in names if name != step.ours]
        place = next((i + 1 for i, name in enumerate(others) if name.endswith(".GetGrades")), 0)
        return [*others[:place], step.ours, *others[place:]]
    others = [name for name in names if name != step.ours]
    place = next((i for i, name in enumerate(others) if _is_class(name, step.replaces)), 0)
    others = [name for name in others if not _is_class(name, step.replaces)]
    return [*others[:place], step.ours, *others[place:]]


def _is_in_force(step: Step, names: list[str]) -> bool:
    """Return whether the list has the step, and not the step that it replaces."""
    replaced = step.replaces and any(_is_class(name, step.replaces) for name in names)
    return step.ours in names and not replaced


def _is_class(name: str, full: str) -> bool:
    """Return whether both names mean one class, named by its package or by its module."""
    return name.split(".")[0] == full.split(".")[0] and name.split(".")[-1] == full.split(".")[-1]


def _names(course: Course, step: Step) -> list[str]:
    """Return the configured preprocessors, or nbgrader's own list if there are none."""
    from traitlets.config.loader import LazyConfigValue

    value: Any = None
    for section in (step.converter, step.older):
        value = course.config.get(section, {}).get(step.trait, value)
    if value is None:
        return list(step.defaults)
    if isinstance(value, LazyConfigValue):  # `.append()` and the like
        value = value.get_value(list(step.defaults))
    if not isinstance(value, (list, tuple)):
        raise CourseError(f"{step.setting} in {course.config_file} is no list: {value!r}")
    return [_full_name(kind) for kind in value]


def _full_name(kind: object) -> str:
    """Return the name of a class; a configuration can hold the class itself or its name."""
    if isinstance(kind, str):
        return kind
    return ".".join(filter(None, (getattr(kind, "__module__", ""), getattr(kind, "__name__", ""))))
