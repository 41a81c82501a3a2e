"""A class and its course folder: release, collect, grade, record.

Begin with `coordinator.py`, which grades a class, and `grading.py`, which grades one submission.
"""
