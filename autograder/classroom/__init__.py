"""A class and its course folder: release problem sets, collect, grade, record.

To follow a submission from `autograder grade` to the student's page, read in this order:

1. `autograder.commands.grading` reads the options, `autograder.session` takes the steps below.
2. `intake`: `collect_class` copies the class's files, `choose_notebook` finds the notebook of each
   student.
3. `running`: `coordinator` decides which submissions to grade, hands each to one of the `workers`,
   and saves the results.
4. `grading`: `multi_notebook` takes a submission's notebooks one by one. For each,
   `grade_notebook` calls `read_notebook` and `match_cells`, has the cells run, and scores the
   verdicts.
5. `autograder.examiner`: `sandboxed_runner` starts both processes, `two_runs` makes the run
   without hidden tests and the one with them, `examiner` runs the test cells and writes verdicts.
6. `gradebook`: `records` writes the points into nbgrader's gradebook.
7. `autograder.pages`: `feedback` writes the student's page, `report` the teacher's.

Three packages lie beside this road: `course` has the folder and its files, `sets` has the problem
sets, and `releasing` tries a set with the teacher's own solution before it releases the set.
"""
