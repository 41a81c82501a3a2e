"""A class and its course folder: release problem sets, collect, grade, record.

To follow a submission, read in this order:

1. `intake`: `collect_class` copies the class's files, `choose_notebook` picks the notebook of each
   student.
2. `running`: `coordinator` hands each submission to one of the `workers`.
3. `grading`: `read_notebook` reads the file, `match_cells` matches its cells to the problem set's,
   `grade_notebook` runs both processes and scores the verdicts.
4. `autograder.examiner`: `examiner` runs the test cells against the student process.
5. `gradebook`: `records` writes the points into nbgrader's gradebook.
6. `autograder.pages`: `feedback` writes the student's page, `report` the teacher's.

`course` has the folder and its files, `sets` the problem sets, `releasing` the step before: a trial
run of the set with the teacher's own solution, and its release.
"""
