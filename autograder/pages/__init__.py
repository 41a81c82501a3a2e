"""What people read: a feedback page for each student, a report for the teacher."""
