"""The commands of `autograder`, by who gives them and what for.

What takes long to import is imported within a command: `--help` answers at once.
"""
