"""Grading on Gradescope: the zip that a teacher uploads, and what runs there."""
