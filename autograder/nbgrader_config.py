"""nbgrader's configuration of a course: everything as in nbgrader, but graded in two rooms.

Copied into the course folder by `autograder release`; `nbgrader autograde` reads it there.
"""

c = get_config()  # noqa: F821 - defined where nbgrader reads this file

c.Autograde.autograde_preprocessors = [
    "autograder.preprocessor.TwoRooms",  # in the place of Execute
    "nbgrader.preprocessors.IgnorePattern",
    "nbconvert.preprocessors.ClearMetadataPreprocessor",
    "nbgrader.preprocessors.LimitOutput",
    "nbgrader.preprocessors.SaveAutoGrades",
    "nbgrader.preprocessors.AssignLatePenalties",
    "nbgrader.preprocessors.CheckCellMetadata",
]
