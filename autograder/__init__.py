"""Releases problem sets, runs submissions in two rooms, grades them and reports."""
