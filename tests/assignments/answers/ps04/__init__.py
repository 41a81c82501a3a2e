"""Answers to problem set 4."""

MAY_SUFFER = {"snap_to_grid": ["geometric_mechanism"]}  # it may use it
