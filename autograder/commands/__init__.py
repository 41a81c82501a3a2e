"""The commands of `autograder`: a module for each group of users and each purpose.

Modules that take long to import are imported within a command, so that `--help` answers at once.
"""
