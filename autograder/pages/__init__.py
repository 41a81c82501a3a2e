"""Pages for people: feedback for each student, a report for the teacher."""
