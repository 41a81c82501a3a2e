"""A student's folder with lessons and problem sets, and the progress in it."""

from autograder.desk.progress import progress

__all__ = ["progress"]
