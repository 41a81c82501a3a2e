"""Releases problem sets, runs submissions in two processes, grades them and reports."""
