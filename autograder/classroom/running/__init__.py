"""Grading of a class: worker processes, a cluster, status, repeated verdicts, the doctor."""
