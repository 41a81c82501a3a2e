"""Grading of one submission: read it, match its cells, run it, score it, keep the result."""
