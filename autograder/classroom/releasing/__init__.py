"""Release of a problem set, after its tests were tried with the teacher's own solution."""
