"""nbgrader's configuration of a course: everything as in nbgrader, but graded in two processes.

Copied into the course folder by `autograder release`; `nbgrader autograde` and `nbgrader
generate_feedback` read it there.
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

c.GenerateFeedback.preprocessors = [
    "nbgrader.preprocessors.GetGrades",
    "autograder.redaction.HiddenTestsLeftOut",  # nbgrader's own feedback shows them
    "nbconvert.preprocessors.CSSHTMLHeaderPreprocessor",
]
