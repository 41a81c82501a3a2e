"""Trials of a problem set's checks on answers that are known to be right or wrong.

They run in this process without a sandbox, so never on a student's submission.
"""
