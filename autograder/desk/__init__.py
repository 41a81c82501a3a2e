"""What a student works at: a folder with lessons and problem sets, and how far she is in it."""

from autograder.desk.progress import progress

__all__ = ["progress"]
