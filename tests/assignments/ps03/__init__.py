"""Answers to problem set 3."""

MAY_SUFFER = {"respond": ["slope"], "debias": ["slope"]}  # it may use both
